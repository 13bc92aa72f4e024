// @ts-check
// The values of moves, written on the board.

import { s } from "./dom.js";
import { look, signed, worth } from "./language.js";

const LONG = 4; // characters of a value that fit a cell in usual letters

/** What a search has found out about each move; nothing where it has found nothing.
 * @param {import("./api.js").Drawn} board @param {import("./thinking.js").Story} story
 * @returns {SVGElement | null} */
export function labelsOf(board, story) {
  const places = new Map(board.legal.map((choice) => [choice.m, choice.at]));
  const labels = story.values.map((value) => {
    const at = places.get(value.m);
    return at && label(value, at, story);
  });
  return labels.some(Boolean) ? s("g", { class: "labels" }, labels) : null;
}

/** A value on the board: a proved one needs no sign, nor do the points that a lesson counts.
 * @param {import("./api.js").MoveValue | {v: number, k: "points"}} value */
function plain(value) {
  return value.k === "points" || value.k === "exact" ? signed(value.v) : worth(value);
}

/** @param {import("./api.js").MoveValue} value @param {[number, number]} at @param {import("./thinking.js").Story} story */
function label(value, [x, y], { scores, best }) {
  const score = scores[value.m];
  const text = score === undefined ? plain(value) : signed(score);
  const long = text.length > LONG;
  const width = long ? 10 + 6.5 * text.length : 13 + 9 * text.length;
  const name = `worth${long ? " long" : ""}${value.m === best ? " best" : ""} ${look(value)}`;
  return s("g", { class: name, "data-move": value.m },
    s("rect", { x: x - width / 2, y: y - 12, width, height: 24, rx: 12 }),
    s("text", { x, y: y + 1, "text-anchor": "middle", "dominant-baseline": "central" }, text));
}
