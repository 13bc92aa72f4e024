// @ts-check
// The bar beside the board: who stands how well, as a number and as a height, never out of date.

import { fill, h } from "./dom.js";
import { SIGNS, player, say, signed } from "./language.js";

/** @typedef {import("./api.js").Board} Board */

export class EvalBar {
  constructor() {
    this.number = h("span", { class: "eval-number" });
    this.part = h("div", { class: "eval-part" });
    this.element = h("div", { class: "eval", role: "img" }, this.part, this.number);
    this.seat = 0; // whose view it shows
  }

  /** @param {Board} board @param {import("./thinking.js").Story | undefined} story */
  show(board, story) {
    const found = story && story.position === board.position ? valueOf(story) : finalValue(board);
    const who = player(this.seat, board.seats);
    if (!found) {
      fill(this.number, "…");
      this.part.style.setProperty("--share", "50%");
      this.element.setAttribute("aria-label", say("web.eval_none"));
      delete this.element.dataset.value;
      return;
    }
    const mine = board.seats === 1 || this.seat === found.turn;
    const value = mine ? found.value : -found.value;
    const kind = mine || found.kind === "exact" || found.kind === "estimate" ? found.kind : found.kind === "lower" ? "upper" : "lower";
    const text = `${SIGNS[kind]} ${signed(value)}`;
    const first = board.seats === 1 || this.seat === 0 ? value : -value;
    this.part.style.setProperty("--share", `${share(first, board)}%`);
    fill(this.number, text);
    this.element.dataset.value = String(value);
    this.element.setAttribute("aria-label", say("web.eval", { value: text, player: who, kind: say(`kind.${kind}`) }));
  }
}

/** @param {import("./thinking.js").Story} story
 * @returns {{value: number, turn: number, kind: import("./api.js").Kind} | null} */
function valueOf(story) {
  const done = story.analysis;
  if (done && done.value !== null) return { value: done.value, turn: story.turn, kind: done.exact ? "exact" : "estimate" };
  const bounds = done?.bounds;
  if (bounds && bounds[0] !== null && bounds[0] === bounds[1]) return { value: bounds[0], turn: story.turn, kind: "exact" };
  if (done) return null; // what an agent calls the worth of a move need not be a margin
  const best = story.values.find((each) => each.m === story.best);
  return best && best.k !== "visits" ? { value: best.v, turn: story.turn, kind: best.k } : null;
}

/** What a finished game was worth to the seat that would be to move.
 * @param {Board} board
 * @returns {{value: number, turn: number, kind: import("./api.js").Kind} | null} */
function finalValue(board) {
  if (board.end === "open") return null;
  const [first, second] = board.scores;
  return { value: board.seats === 1 ? first : first - second, turn: 0, kind: "exact" };
}

/** How much of the bar the first seat gets.
 * @param {number} value @param {Board} board */
function share(value, board) {
  const part = board.most ? value / board.most : Math.tanh(value / 12);
  return board.seats === 1 ? Math.max(0, part) * 100 : 50 + 50 * Math.max(-1, Math.min(1, part));
}
