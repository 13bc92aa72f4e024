// @ts-check
// Lines over time or depth, as SVG: readable without colour, and aloud.

import { count, say, signed } from "./language.js";
import { h } from "./vendor/preact.mjs";

/** @typedef {{name: string, kind: string, points: (number | null)[], guessed?: boolean[]}} Series *guessed*: which points are not proved. */
/** @typedef {{depth: number, nodes: number}} Point */

const [WIDTH, HEIGHT, EDGE] = [320, 120, 8];
const [TALL, LEFT, RIM] = [150, 46, 14]; // of a chart with its scale

/** Several lines in one frame; where a place can be picked, all of its height answers.
 * @param {string} title @param {Series[]} series
 * @param {{pick?: (place: number) => void, at?: number}} [options] *at*: the place to mark. */
export function lineChart(title, series, { pick, at } = {}) {
  const all = series.flatMap((each) => each.points).filter((each) => each !== null);
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 1)];
  const last = Math.max(1, ...series.map((each) => each.points.length - 1));
  const across = (/** @type {number} */ place) => EDGE + (place / last) * (WIDTH - 2 * EDGE);
  const down = (/** @type {number} */ value) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const wide = (WIDTH - 2 * EDGE) / last;
  return h("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    h("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: down(0), y2: down(0) }),
    at !== undefined && h("line", { class: "at", x1: across(at), x2: across(at), y1: EDGE, y2: HEIGHT - EDGE }),
    series.map(({ name, kind, points, guessed }) => [
      h("polyline", { class: `series ${kind}`, points: points.flatMap((value, place) => (value === null ? [] : [`${across(place)},${down(value)}`])).join(" "), fill: "none" },
        h("title", {}, name)),
      points.map((value, place) => value !== null && h("circle",
        { class: `point ${kind}${guessed?.[place] ? " guessed" : ""}`, cx: across(place), cy: down(value), r: pick ? 4 : 2, "data-place": place },
        h("title", {}, `${name} ${place}: ${signed(value)}`))),
    ]),
    pick && Array.from({ length: last + 1 }, (_, place) =>
      h("rect", { class: "pick", x: across(place) - wide / 2, y: 0, width: wide, height: HEIGHT, "data-pick": place, onclick: () => pick(place) },
        h("title", {}, `${place}: ${series.map((each) => each.points[place]).filter((each) => typeof each === "number").map(signed).join(" ")}`))));
}

/** How many nodes a search took to be done with each depth, on a logarithmic scale. @param {Point[]} points */
export function depthChart(points) {
  const [first, last] = [points[0].depth, points[points.length - 1].depth];
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...points.map((each) => each.nodes)))));
  const across = (/** @type {number} */ depth) => LEFT + ((depth - first) / (last - first)) * (WIDTH - LEFT - RIM);
  const down = (/** @type {number} */ power) => TALL - 2 * RIM - (power / top) * (TALL - 3 * RIM);
  const every = Math.ceil(top / 4);
  const powers = Array.from({ length: Math.floor(top / every) + 1 }, (_, place) => place * every);
  const places = points.map((each) => [across(each.depth), down(Math.log10(each.nodes))]);
  const texts = points.map((each) => say("web.growth_point", { depth: each.depth, nodes: count(each.nodes) }));
  return h("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${TALL}`, role: "img", "aria-label": `${say("web.growth")}: ${texts.join(", ")}` },
    powers.map((power) => [
      h("line", { class: "zero", x1: LEFT, x2: WIDTH - RIM, y1: down(power), y2: down(power) }),
      h("text", { class: "label", x: LEFT - 6, y: down(power), "text-anchor": "end", "dominant-baseline": "central" }, power < 6 ? count(10 ** power) : `10^${power}`),
    ]),
    [first, last].map((depth) => h("text", { class: "label", x: across(depth), y: TALL - 8, "text-anchor": "middle" }, depth)),
    h("polyline", { class: "series best", points: places.map((each) => each.join(",")).join(" "), fill: "none" }),
    points.map((each, place) => h("circle", { class: "point best", cx: places[place][0], cy: places[place][1], r: 3, "data-depth": each.depth, "data-nodes": each.nodes },
      h("title", {}, texts[place]))));
}
