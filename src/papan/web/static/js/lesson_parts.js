// @ts-check
// What a step of a lesson shows: the board, the tree, the pseudo-code, the variables, a table, a curve.

import { Board, pointed } from "./board.js";
import { lineChart } from "./charts.js";
import { language, say } from "./language.js";
import { Group, link } from "./ui.js";
import { labelsOf } from "./values.js";
import { h } from "./vendor/preact.mjs";
/** @import { WholeLesson as Lesson, Node as LessonNode, Moment, Text as Sentence } from "./wire.d.ts" */
/** @typedef {string | number} Shown */
/** @typedef {{x: number, y: number}} Place */

const [WIDTH, ROW, HALF, HIGH] = [340, 62, 24, 15]; // of a tree and its nodes
const MARKS = /** @type {Record<string, string>} */ ({ cut: "✂", known: "⌂" });
const SHARE = /^[\d.]+\/\d+$/; // wins and visits, such as 1.5/3

/** Values as people write them, keys as their texts. @param {Shown} value */
export function shown(value) {
  if (typeof value === "string") return SHARE.test(value) ? value.split("/").map((part) => number(Number(part))).join("/") : say(value);
  return number(value);
}

/** @param {number} value */
function number(value) {
  const text = new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(Math.abs(value));
  return value < 0 ? `\u2212${text}` : text;
}

/** @param {Sentence} text */
export function sentence({ key, values }) {
  return say(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)])));
}

/** The board of a step; where a move is asked for, one may be chosen on it.
 * @param {Lesson} lesson @param {Moment} moment @param {string | null} move The one that was chosen. @param {(move: string) => void} pick
 * @param {import("./wire.d.ts").Board | null} [played] What comes of it, in place of the board of the step. */
export function board({ boards, variants }, moment, move, pick, played) {
  if (played) return [h(Board, { board: still(played), label: say("learn.board"), live: false, pick })];
  const shownBoard = boards[moment.board ?? 0];
  const live = moment.question?.kind === "move";
  const values = Object.entries(moment.values).map(([m, v]) => ({ m, v, k: moment.proved ? "exact" : "points", n: 0 }));
  return [
    h(Board, { board: live ? shownBoard : still(shownBoard), label: say("learn.board"), live, pick, layers: [
      moment.drawing && h(Group, { key: "lesson", name: "layer lesson-layer", text: moment.drawing }),
      live && pointed(shownBoard, "pointed", move),
      labelsOf(shownBoard, { position: shownBoard.position, values: /** @type {any} */ (values), distances: {}, best: moment.best }),
    ] }),
    h("p", { class: "analyse-link", hidden: !shownBoard.legal.length },
      link(`/analyse/${shownBoard.name}?${new URLSearchParams({ pos: shownBoard.position })}`, say("learn.analyse")),
      variants.length > 0 && link(`/analyse/${shownBoard.name}?${new URLSearchParams({ pos: shownBoard.position, variants: variants.join("|") })}`, say("learn.own"), { "data-own": "" })),
  ];
}

/** @type {WeakMap<import("./wire.d.ts").Board, import("./wire.d.ts").Board>} */
const stills = new WeakMap();

/** A board on which moves are not shown before they are made. @param {import("./wire.d.ts").Board} live */
function still(live) {
  const known = stills.get(live) ?? { ...live, legal: live.legal.map((each) => ({ ...each, svg: "" })) };
  stills.set(live, known);
  return known;
}

/** The part of a search tree around the current node: the way to it, and what branches off that way. @param {Moment} moment */
export function tree({ tree: nodes, current }) {
  const counted = nodes.some(({ text }) => SHARE.test(String(text)));
  return h("div", { class: "lesson-tree" }, nodes.length > 0 && [branches(nodes, current), h("p", { class: "quiet" }, say(counted ? "learn.tree_key_games" : "learn.tree_key"))]);
}

/** @param {LessonNode[]} nodes @param {number | null} current */
function branches(nodes, current) {
  const byId = new Map(nodes.map((node) => [node.number, node]));
  const way = wayTo(current, byId);
  const places = placesOf(nodes, byId);
  const height = HIGH * 2 + ROW * Math.max(...nodes.map((node) => depth(node, byId))) + 12;
  const names = way.map((id) => byId.get(id)?.move).filter(Boolean).join(" → ");
  return h("svg", { class: "branches", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${say("learn.tree")} ${names}`.trim() },
    nodes.map((node) => edge(node, places, way)),
    nodes.map((node) => knot(node, places, node.number === current)));
}

/** @param {number | null} current @param {Map<number, LessonNode>} byId */
function wayTo(current, byId) {
  const way = [];
  for (let id = current; id !== null; id = byId.get(id)?.up ?? null) way.unshift(id);
  return way;
}

/** @param {LessonNode} node @param {Map<number, LessonNode>} byId @returns {number} */
function depth(node, byId) {
  const up = node.up === null ? undefined : byId.get(node.up);
  return up ? depth(up, byId) + 1 : 0;
}

/** Each row has the children of one node, side by side.
 * @param {LessonNode[]} nodes @param {Map<number, LessonNode>} byId @returns {Map<number, Place>} */
function placesOf(nodes, byId) {
  const places = new Map();
  for (const node of nodes) {
    const row = nodes.filter((each) => each.up === node.up);
    const x = (WIDTH * (row.indexOf(node) + 0.5)) / row.length;
    places.set(node.number, { x, y: HIGH + 6 + ROW * depth(node, byId) });
  }
  return places;
}

/** @param {LessonNode} node @param {Map<number, Place>} places @param {number[]} way */
function edge(node, places, way) {
  const to = places.get(node.number);
  const from = node.up === null ? undefined : places.get(node.up);
  if (!from || !to) return null;
  const [x, y] = [(from.x + 2 * to.x) / 3, (from.y + 2 * to.y) / 3];
  const left = to.x < from.x; // on the side to which the line leads down: there it does not cross its name
  return h("g", { class: way.includes(node.number) ? "edge on-way" : "edge" },
    h("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    h("text", { class: "edge-name", x: left ? x - 5 : x + 5, y: y - 2, "text-anchor": left ? "end" : "start" }, node.move));
}

/** @param {LessonNode} node @param {Map<number, Place>} places @param {boolean} here */
function knot(node, places, here) {
  const { x, y } = places.get(node.number) ?? { x: 0, y: 0 };
  const text = node.text === null ? "?" : shown(node.text);
  return h("g", { class: `knot ${node.role} ${node.state}${here ? " here" : ""}`, "data-node": node.number },
    h("rect", { x: x - HALF, y: y - HIGH, width: 2 * HALF, height: 2 * HIGH, rx: node.role === "max" ? 4 : HIGH }),
    h("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text),
    MARKS[node.state] && h("text", { class: "mark", x: x + HALF + 9, y, "text-anchor": "middle", "dominant-baseline": "central" }, MARKS[node.state]));
}

/** Pseudo-code with the current line, variables, a table, a curve. @param {Lesson} lesson @param {Moment} moment */
export function notes(lesson, moment) {
  return h("div", { class: "lesson-notes" }, codeOf(lesson, moment.line),
    h("div", { class: "lesson-facts" }, variablesOf(moment), tableOf(moment), curvesOf(lesson, moment)));
}

/** @param {Lesson} lesson @param {string} line */
function codeOf({ name, lines }, line) {
  if (!lines.length) return null;
  return h("section", { class: "panel chosen code", "aria-label": say("learn.code") },
    h("h2", {}, say("learn.code")),
    h("ol", {}, say(`lesson.${name}_code`).split("\n").map((text, place) => {
      const indent = text.length - text.trimStart().length;
      return h("li", { "data-line": lines[place], class: `indent-${indent / 2}`, "aria-current": lines[place] === line ? "step" : null }, text.trim());
    })));
}

/** @param {Moment} moment */
function variablesOf(moment) {
  const entries = Object.entries(moment.variables);
  if (!entries.length) return null;
  return h("section", { class: "panel chosen", "aria-label": say("learn.variables") },
    h("h2", {}, say("learn.variables")),
    h("dl", { class: "variables" }, entries.map(([name, value]) =>
      h("div", {}, h("dt", {}, say(`lesson.var_${name}`)), h("dd", { class: "number", "data-variable": name }, shown(value))))));
}

/** @param {Moment} moment */
function tableOf({ table }) {
  if (!table) return null;
  return h("section", { class: "panel chosen", tabindex: 0, "aria-label": say("learn.facts") },
    h("table", {},
      h("thead", {}, h("tr", {}, table.head.map((key) => h("th", { scope: "col" }, say(key))))),
      h("tbody", {}, table.rows.map((row, place) =>
        h("tr", { class: place === table.marked ? "marked" : undefined }, row.map((cell) => h("td", {}, shown(cell))))))));
}

const STROKES = ["—", "– –", "····"]; // of the first curve, the second, the third
const KINDS = ["best", "mean", "worst"]; // which look like those strokes

/** @param {Lesson} lesson @param {Moment} moment */
function curvesOf({ name: lesson }, { curves }) {
  const series = Object.entries(curves).map(([name, points], place) => ({ name: say(`lesson.curve_${name}`), kind: KINDS[place % KINDS.length], points }));
  if (!series.length) return null;
  const title = say(`lesson.${lesson}_curves`);
  const legend = series.map(({ name }, place) => `${STROKES[place % STROKES.length]} ${name}`).join(" · ");
  return h("section", { class: "panel chosen", "aria-label": title },
    h("h2", {}, title), lineChart(title, series), h("p", { class: "legend quiet" }, legend));
}
