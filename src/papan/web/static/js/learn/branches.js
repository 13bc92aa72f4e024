// @ts-check
// The part of a search tree around the current node: the way to it, and what branches off that way.

import { s } from "../dom.js";
import { say } from "../language.js";
import { shown } from "./words.js";

/** @typedef {import("./lessons.js").TreeNode} TreeNode */
/** @typedef {{x: number, y: number}} Place */

const [WIDTH, ROW, HALF, HIGH] = [340, 62, 24, 15];
const MARKS = /** @type {Record<string, string>} */ ({ cut: "✂", known: "⌂" });

/** @param {TreeNode[]} nodes @param {number | null} current */
export function branchesOf(nodes, current) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const way = wayTo(current, byId);
  const places = placesOf(nodes, byId);
  const height = HIGH * 2 + ROW * Math.max(...nodes.map((node) => depth(node, byId))) + 12;
  const names = way.map((id) => byId.get(id)?.m).filter(Boolean).join(" → ");
  return s("svg", { class: "branches", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${say("learn.tree")} ${names}`.trim() },
    nodes.map((node) => edge(node, places, way)),
    nodes.map((node) => knot(node, places, node.id === current)));
}

/** @param {number | null} current @param {Map<number, TreeNode>} byId */
function wayTo(current, byId) {
  const way = [];
  for (let id = current; id !== null; id = byId.get(id)?.up ?? null) way.unshift(id);
  return way;
}

/** @param {TreeNode} node @param {Map<number, TreeNode>} byId @returns {number} */
function depth(node, byId) {
  const up = node.up === null ? undefined : byId.get(node.up);
  return up ? depth(up, byId) + 1 : 0;
}

/** Each row has the children of one node, side by side.
 * @param {TreeNode[]} nodes @param {Map<number, TreeNode>} byId @returns {Map<number, Place>} */
function placesOf(nodes, byId) {
  const places = new Map();
  for (const node of nodes) {
    const row = nodes.filter((each) => each.up === node.up);
    const x = (WIDTH * (row.indexOf(node) + 0.5)) / row.length;
    places.set(node.id, { x, y: HIGH + 6 + ROW * depth(node, byId) });
  }
  return places;
}

/** @param {TreeNode} node @param {Map<number, Place>} places @param {number[]} way */
function edge(node, places, way) {
  const to = places.get(node.id);
  const from = node.up === null ? undefined : places.get(node.up);
  if (!from || !to) return null;
  const [x, y] = [(from.x + 2 * to.x) / 3, (from.y + 2 * to.y) / 3];
  return s("g", { class: way.includes(node.id) ? "edge on-way" : "edge" },
    s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    s("text", { class: "edge-name", x, y: y - 4, "text-anchor": "middle" }, node.m));
}

/** @param {TreeNode} node @param {Map<number, Place>} places @param {boolean} here */
function knot(node, places, here) {
  const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
  const text = node.text === null ? "?" : shown(node.text);
  return s("g", { class: `knot ${node.role} ${node.state}${here ? " here" : ""}`, "data-node": node.id },
    s("rect", { x: x - HALF, y: y - HIGH, width: 2 * HALF, height: 2 * HIGH, rx: node.role === "max" ? 4 : HIGH }),
    s("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text),
    MARKS[node.state] && s("text", { class: "mark", x: x + HALF + 9, y, "text-anchor": "middle", "dominant-baseline": "central" }, MARKS[node.state]));
}
