// @ts-check
// Lines over time, as SVG: readable without colour, and aloud.

import { s } from "./dom.js";
import { signed } from "./language.js";

/** @typedef {{name: string, kind: string, points: (number | null)[], guessed?: boolean[]}} Series *guessed*: which points are not proved. */

const [WIDTH, HEIGHT, EDGE] = [320, 120, 8];

/** Several lines in one frame; where a place can be picked, all of its height answers.
 * @param {string} title @param {Series[]} series
 * @param {{pick?: (place: number) => void, at?: number}} [options] *at*: the place to mark. */
export function lineChart(title, series, { pick, at } = {}) {
  const all = series.flatMap((each) => each.points).filter((each) => each !== null);
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 1)];
  const last = Math.max(1, ...series.map((each) => each.points.length - 1));
  /** @param {number} place */
  const across = (place) => EDGE + (place / last) * (WIDTH - 2 * EDGE);
  /** @param {number} value */
  const down = (value) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const zero = s("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: down(0), y2: down(0) });
  const here = at === undefined ? null : s("line", { class: "at", x1: across(at), x2: across(at), y1: EDGE, y2: HEIGHT - EDGE });
  const lines = series.map((each) => {
    const points = each.points.flatMap((value, place) => (value === null ? [] : [`${across(place)},${down(value)}`]));
    return [
      s("polyline", { class: `series ${each.kind}`, points: points.join(" "), fill: "none" }, s("title", {}, each.name)),
      each.points.map((value, place) => value === null ? null
        : s("circle", { class: `point ${each.kind}${each.guessed?.[place] ? " guessed" : ""}`, cx: across(place), cy: down(value), r: pick ? 4 : 2, "data-place": place },
            s("title", {}, `${each.name} ${place}: ${signed(value)}`))),
    ];
  });
  const wide = (WIDTH - 2 * EDGE) / last;
  const areas = pick && Array.from({ length: last + 1 }, (_, place) =>
    s("rect", { class: "pick", x: across(place) - wide / 2, y: 0, width: wide, height: HEIGHT, "data-pick": place, onclick: () => pick(place) },
      s("title", {}, `${place}: ${series.map((each) => each.points[place]).filter((each) => typeof each === "number").map(signed).join(" ")}`)));
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, zero, here, lines, areas ?? null);
}
