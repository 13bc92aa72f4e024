// @ts-check
// How the work of a search grows with its depth: nodes on a logarithmic scale, and the factor that fits them.

import { h, s } from "../dom.js";
import { count, decimal, say } from "../language.js";

/** @typedef {{depth: number, nodes: number}} Point */

const [WIDTH, HEIGHT, LEFT, EDGE] = [320, 150, 46, 14];
const LEAST = 3; // points: a line through two of them fits always

/** The curve, where a search has gone deeper at least twice; how deep playouts reach is another matter.
 * @param {import("../thinking.js").Story} story */
export function growth(story) {
  const points = depths(story.growth);
  if (points.length < LEAST || story.root?.sample) return null;
  const factor = decimal(Math.exp(slope(points)).toFixed(2));
  return h("div", { class: "growth" }, h("h4", {}, say("web.growth")), chart(points),
    h("p", { class: "quiet" }, say("web.growth_fit", { factor, from: points[0].depth, to: points[points.length - 1].depth })));
}

/** How many nodes it took to be done with each depth.
 * @param {Point[]} told @returns {Point[]} */
export function depths(told) {
  const last = new Map(told.map(({ depth, nodes }) => [depth, nodes]));
  return [...last].map(([depth, nodes]) => ({ depth, nodes })).filter((each) => each.nodes > 0).sort((one, other) => one.depth - other.depth);
}

/** The slope of the line that fits the logarithms best.
 * @param {Point[]} points */
function slope(points) {
  const mean = (/** @type {number[]} */ all) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const [across, up] = [mean(points.map((each) => each.depth)), mean(points.map((each) => Math.log(each.nodes)))];
  const shared = points.map((each) => (each.depth - across) * (Math.log(each.nodes) - up));
  return mean(shared) / mean(points.map((each) => (each.depth - across) ** 2));
}

/** @param {Point[]} points */
function chart(points) {
  const [first, last] = [points[0].depth, points[points.length - 1].depth];
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...points.map((each) => each.nodes)))));
  const across = (/** @type {number} */ depth) => LEFT + ((depth - first) / (last - first)) * (WIDTH - LEFT - EDGE);
  const down = (/** @type {number} */ power) => HEIGHT - 2 * EDGE - (power / top) * (HEIGHT - 3 * EDGE);
  const every = Math.ceil(top / 4);
  const rules = Array.from({ length: Math.floor(top / every) + 1 }, (_, place) => place * every).map((power) => [
    s("line", { class: "zero", x1: LEFT, x2: WIDTH - EDGE, y1: down(power), y2: down(power) }),
    s("text", { class: "label", x: LEFT - 6, y: down(power), "text-anchor": "end", "dominant-baseline": "central" }, short(10 ** power)),
  ]);
  const ends = [first, last].map((depth) =>
    s("text", { class: "label", x: across(depth), y: HEIGHT - 8, "text-anchor": "middle" }, depth));
  const places = points.map((each) => [across(each.depth), down(Math.log10(each.nodes))]);
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": spoken(points) }, rules, ends,
    s("polyline", { class: "series best", points: places.map((each) => each.join(",")).join(" "), fill: "none" }),
    points.map((each, place) => s("circle", { class: "point best", cx: places[place][0], cy: places[place][1], r: 3, "data-depth": each.depth, "data-nodes": each.nodes },
      s("title", {}, say("web.growth_point", { depth: each.depth, nodes: count(each.nodes) })))));
}

/** @param {Point[]} points */
function spoken(points) {
  return `${say("web.growth")}: ${points.map((each) => say("web.growth_point", { depth: each.depth, nodes: count(each.nodes) })).join(", ")}`;
}

/** A power of ten with few characters.
 * @param {number} amount */
function short(amount) {
  return amount < 1e6 ? count(amount) : `10^${Math.round(Math.log10(amount))}`;
}
