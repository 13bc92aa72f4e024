// @ts-check
// Lines over time, as SVG: readable without colour, and aloud.

import { s } from "./dom.js";

/** @typedef {{name: string, kind: string, points: (number | null)[]}} Series */

const [WIDTH, HEIGHT, EDGE] = [320, 120, 8];

/** Several lines in one frame.
 * @param {string} title @param {Series[]} series @param {(place: number) => void} [pick] */
export function lineChart(title, series, pick) {
  const all = series.flatMap((each) => each.points).filter((each) => each !== null);
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 1)];
  const last = Math.max(1, ...series.map((each) => each.points.length - 1));
  /** @param {number} place */
  const across = (place) => EDGE + (place / last) * (WIDTH - 2 * EDGE);
  /** @param {number} value */
  const down = (value) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const zero = s("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: down(0), y2: down(0) });
  const lines = series.map((each) => {
    const points = each.points.flatMap((value, place) => (value === null ? [] : [`${across(place)},${down(value)}`]));
    return [
      s("polyline", { class: `series ${each.kind}`, points: points.join(" "), fill: "none" }, s("title", {}, each.name)),
      each.points.map((value, place) => value === null ? null
        : s("circle", {
            class: `point ${each.kind}`, cx: across(place), cy: down(value), r: pick ? 4 : 2, "data-place": place,
            onclick: pick ? () => pick(place) : undefined,
          }, s("title", {}, `${each.name} ${place}: ${value}`))),
    ];
  });
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, zero, lines);
}
