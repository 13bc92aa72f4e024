// @ts-check
// What positions and moves are worth: as text, on the board, and as a bar beside it.
// What is proved never looks like what is guessed.

import { player, say, signed } from "./language.js";
import { h } from "./vendor/preact.mjs";
/** @import { Search } from "./search.js" */
/** @import { Board } from "./wire.d.ts" */
/** @import { MoveValue, SearchEvent, Value } from "./events.d.ts" */
/** @typedef {{value: Value, turn: number}} Known What a position is worth to a seat. */
/** @typedef {Pick<Search, "position" | "values" | "distances" | "best">} Found What is drawn of a search. */

/** How sure a value is, in one character: the first four are proofs, the others are guesses. */
export const SIGNS = { exact: "=", lower: "\u2265", upper: "\u2264", between: "\u2026", estimate: "\u2248", pruned: "\u2272", visits: "%" };

const PROOFS = ["exact", "lower", "upper", "between"];
const LONG = 4; // characters of a value that fit a cell in usual letters
const LARGEST = 27; // the radius of a shade

/** The look of a value, as a class. @param {{k: string}} value */
export function look(value) { return PROOFS.includes(value.k) ? "proved" : "guessed"; }

/** A value with its kind in front. @param {Value} value @param {Pick<Board, "most">} [board] @param {number | null} [plies] How soon the game ends. */
export function formatValue(value, board, plies) {
  if (value.k === "visits") return `${Math.round(value.v * 100)}%`;
  const text = numberOf(value, board, plies);
  return value.k === "between" ? text : `${SIGNS[value.k]} ${text}`;
}

/** The same without its kind. Where there are no points to win by, a proof says who wins, and in how many moves of the winner.
 * @param {Value} value @param {Pick<Board, "most">} [board] @param {number | null} [plies] */
function numberOf(value, board, plies) {
  const moves = plies && value.k === "exact" ? Math.ceil(plies / 2) : "";
  const decided = board?.most === 1 && PROOFS.includes(value.k);
  const word = (/** @type {number} */ v) => !decided ? signed(v) : v > 0 ? say("web.short_win", { moves }) : v < 0 ? say("web.short_loss", { moves }) : say("web.short_draw");
  return value.k === "between" ? `${word(value.v)} ${SIGNS.between} ${word(value.to ?? value.v)}` : word(value.v);
}

/** What an analysis comes to, as a value; null where it says nothing. @param {SearchEvent} analysis @returns {Value | null} */
export function valueOf(analysis) {
  return analysis.value === null ? null : { v: analysis.value, k: analysis.exact ? "exact" : "estimate" };
}

/** The value of each move that a search has found, written on the board. @param {Pick<Board, "legal" | "most">} board @param {Found} found */
export function labelsOf(board, found) {
  const places = placesOf(board);
  const labels = found.values.map((value) => label(value, places.get(value.m), board, found));
  return labels.some(Boolean) ? h("g", { class: "labels", key: "labels" }, labels) : null;
}

/** @param {Pick<Board, "legal">} board */
function placesOf(board) { return new Map(board.legal.map((choice) => [choice.m, choice.at])); }

/** A value on the board: a proved one needs no sign, nor do the points that a lesson counts.
 * @param {MoveValue} value @param {[number, number] | null | undefined} at @param {Pick<Board, "most">} board @param {Found} found */
function label(value, at, board, { distances, best }) {
  if (!at) return null;
  const [x, y] = at;
  const plain = value.k === "exact" || /** @type {string} */ (value.k) === "points";
  const text = plain ? numberOf(value, board, distances[value.m]) : formatValue(value, board);
  const long = text.length > LONG;
  const width = long ? 10 + 6.5 * text.length : 13 + 9 * text.length;
  return h("g", { key: value.m, class: `move-value${long ? " long" : ""}${value.m === best ? " best" : ""} ${look(value)}`, "data-move": value.m },
    h("rect", { x: x - width / 2, y: y - 12, width, height: 24, rx: 12 }),
    h("text", { x, y: y + 1, "text-anchor": "middle", "dominant-baseline": "central" }, text));
}

/** How often a search has visited each move, as shades on the board; moves that were proved meanwhile have their visits, too.
 * @param {Pick<Board, "legal">} board @param {Found} found */
export function heatOf(board, { values }) {
  if (!values.some((each) => each.k === "visits")) return null;
  const places = placesOf(board);
  const visited = values.flatMap(({ m, n }) => {
    const at = places.get(m);
    return at && n > 0 ? [{ m, n, at }] : [];
  });
  const most = Math.max(...visited.map((each) => each.n));
  const gaps = visited.flatMap(({ at: [x, y] }, place) => visited.slice(place + 1).map(({ at: [left, top] }) => Math.hypot(left - x, top - y)));
  const r = Math.min(LARGEST, ...gaps.filter((each) => each > 0).map((each) => each / 2)); // no shade covers another one
  return h("g", { class: "layer heat", key: "heat" }, visited.map(({ m, n, at }) =>
    h("circle", { key: m, class: "shade", cx: at[0], cy: at[1], r, opacity: (0.75 * n) / most, "data-move": m })));
}

/** The bar beside the board: who stands how well, as a number and as a height, never out of date.
 * @param {{board: Board, search: Search | undefined, seat: number, known?: Known | null}} props *seat*: whose view it shows; *known*: without a search. */
export function EvalBar({ board, search, seat, known = null }) {
  const found = search && search.position === board.position ? valueSoFar(search) : finalValue(board) ?? known;
  const value = found && (board.seats === 1 || seat === found.turn ? found.value : opposite(found.value));
  const first = value && (board.seats === 1 || seat === 0 ? value.v : -value.v);
  const plies = search?.position === board.position ? search?.analysis?.distance : undefined;
  const text = value ? say("web.eval", { value: formatValue(value, board, plies), player: player(seat, board.seats), kind: say(`kind.${value.k}`) }) : say("web.eval_none");
  return h("div", { class: `eval ${value ? look(value) : ""}`.trim(), role: "img", "aria-label": text, "data-value": value?.v },
    h("div", { class: "eval-part", style: { "--share": `${first === null ? 50 : share(first, board)}%` } }),
    h("span", { class: "eval-number" }, value ? formatValue(value, board, plies) : "…"));
}

/** The same value for the other seat. @param {Value} value @returns {Value} */
function opposite({ v, k, to }) {
  if (k === "between") return { v: -(to ?? v), k, to: -v };
  return { v: -v, k: k === "lower" ? "upper" : k === "upper" ? "lower" : k };
}

/** @param {Search} search @returns {Known | null} */
function valueSoFar(search) {
  const done = search.analysis;
  const value = done && valueOf(done);
  if (value) return { value, turn: search.turn };
  if (done) return null; // what an agent says of a move need not be a margin
  const best = search.values.find((each) => each.m === search.best);
  return best && best.k !== "visits" ? { value: best, turn: search.turn } : null;
}

/** What a finished game was worth to the seat that would be to move. @param {Board} board @returns {Known | null} */
function finalValue(board) {
  if (board.end === "open") return null;
  const [first, second] = board.scores;
  return { value: { v: board.seats === 1 ? first : first - second, k: "exact" }, turn: 0 };
}

/** How much of the bar the first seat gets. @param {number} value @param {Board} board */
function share(value, board) {
  const part = board.most ? value / board.most : Math.tanh(value / 12);
  return board.seats === 1 ? Math.max(0, part) * 100 : 50 + 50 * Math.max(-1, Math.min(1, part));
}
