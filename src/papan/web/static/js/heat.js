// @ts-check
// How often a search has visited each move, as shades on the board.

import { s } from "./dom.js";

const LARGEST = 27;

/** The shades of moves, where values are shares of visits; moves that were proved meanwhile have their visits, too.
 * @param {import("./api.js").Drawn} board @param {import("./api.js").MoveValue[]} values
 * @returns {SVGElement | null} */
export function heatOf(board, values) {
  if (!values.some((each) => each.k === "visits")) return null;
  const visited = values.filter((each) => each.n > 0);
  const most = Math.max(...visited.map((each) => each.n));
  const places = new Map(board.legal.map((choice) => [choice.m, choice.at]));
  const r = room(visited.flatMap((each) => [places.get(each.m) ?? []].filter((at) => at.length)));
  const shades = visited.map((each) => {
    const at = places.get(each.m);
    return at && s("circle", { class: "shade", cx: at[0], cy: at[1], r, opacity: (0.75 * each.n) / most, "data-move": each.m });
  });
  return s("g", { class: "layer heat" }, shades);
}

/** How large a shade can be without covering another one.
 * @param {number[][]} places */
function room(places) {
  const gaps = places.flatMap(([x, y], place) => places.slice(place + 1).map(([left, top]) => Math.hypot(left - x, top - y)));
  return Math.min(LARGEST, ...gaps.filter((each) => each > 0).map((each) => each / 2));
}
