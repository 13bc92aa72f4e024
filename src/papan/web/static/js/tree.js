// @ts-check
// The search tree, opened branch by branch: never the whole of it at once.

import { h } from "./dom.js";
import { say, signed } from "./language.js";

/** @typedef {import("./api.js").ThoughtEvent} TreeNode */

/** @param {TreeNode[]} nodes */
export function treeView(nodes) {
  /** @type {Map<number | null, TreeNode[]>} */
  const children = new Map();
  for (const node of nodes) {
    const siblings = children.get(node.up) ?? [];
    siblings.push(node);
    children.set(node.up, siblings);
  }
  const root = children.get(null)?.[0] ?? rootOf(children);
  if (!root) return null;
  const first = branch(root, children, true);
  first.querySelector("button")?.click();
  return h("div", { class: "tree" }, h("ul", {}, first));
}

/** The root of a search that tells only of what is below it, round by round: the last one counts.
 * @param {Map<number | null, TreeNode[]>} children @returns {TreeNode | null} */
function rootOf(children) {
  const below = [...new Map((children.get(0) ?? []).map((each) => [each.m, each])).values()];
  children.set(0, below);
  const values = below.map((each) => each.v).filter((each) => typeof each === "number");
  return below.length ? { t: "tree", id: 0, up: null, m: null, role: "max", v: values.length ? Math.max(...values) : null, s: "full" } : null;
}

/** @param {TreeNode} node @param {Map<number | null, TreeNode[]>} children @param {boolean} chosen
 * @returns {HTMLLIElement} */
function branch(node, children, chosen) {
  const below = children.get(node.id) ?? [];
  const text = [
    h("b", {}, node.m ?? say("web.tree_root")),
    ` ${say(`web.tree_${node.role}`)} `,
    node.v === null || node.v === undefined ? "" : h("span", { class: "number" }, signed(node.v)),
    node.n === undefined ? "" : h("small", {}, ` ${say("web.visits", { visits: node.n })}`),
    node.tt ? h("small", {}, ` ${say("web.tree_table")}`) : "",
    node.s === "leaf" && node.n === undefined ? h("small", {}, ` ${say("web.tree_leaf")}`) : "",
  ];
  const name = `${node.s ?? ""}${chosen ? " chosen" : ""}`;
  if (!below.length) return h("li", { class: name }, text, reason(node));
  const button = h("button", { type: "button", class: "twig", "aria-expanded": "false", onclick: toggle }, text);
  const item = h("li", { class: name }, button, reason(node));
  /** @type {HTMLUListElement | null} */
  let list = null;
  function toggle() {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    if (!list) {
      const favourite = chosenOf(node, below);
      list = h("ul", {}, below.map((each) => branch(each, children, each === favourite)));
      item.append(list);
    }
    list.hidden = !open;
  }
  return item;
}

/** The child that a node has its value from: the first as good, or the most visited.
 * @param {TreeNode} node @param {TreeNode[]} below */
function chosenOf(node, below) {
  if (below[0].n !== undefined) return below.reduce((best, each) => (each.n > best.n ? each : best));
  return below.find((each) => each.v === node.v);
}

/** Within which window a node was searched, and why the search went no further there, in words.
 * @param {TreeNode} node */
function reason(node) {
  const low = node.a === null || node.a === undefined ? null : signed(node.a);
  const high = node.b === null || node.b === undefined ? null : signed(node.b);
  if (node.s === "cut") {
    const [bound, key] = node.why === "v>=b" ? [high, "web.cut_high"] : [low, "web.cut_low"];
    return h("small", { class: "why" }, say(key, { value: signed(node.v), bound: bound ?? "?" }));
  }
  if (low === null && high === null) return null;
  const key = low === null ? "web.window_below" : high === null ? "web.window_above" : "web.window";
  return h("small", { class: "window" }, say(key, { low, high }));
}
