// @ts-check
// The bar beside the board: who stands how well, as a number and as a height, never out of date.

import { fill, h } from "./dom.js";
import { look, player, say, whole, worth } from "./language.js";

/** @typedef {import("./api.js").Board} Board */
/** @typedef {import("./api.js").Worth} Worth */

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
      this.#look("");
      delete this.element.dataset.value;
      return;
    }
    const value = board.seats === 1 || this.seat === found.turn ? found.worth : opposite(found.worth);
    const text = worth(value);
    const first = board.seats === 1 || this.seat === 0 ? value.v : -value.v;
    this.part.style.setProperty("--share", `${share(first, board)}%`);
    fill(this.number, text);
    this.#look(look(value));
    this.element.dataset.value = String(value.v);
    this.element.setAttribute("aria-label", say("web.eval", { value: text, player: who, kind: say(`kind.${value.k}`) }));
  }

  /** @param {string} name */
  #look(name) {
    this.element.className = `eval ${name}`.trim();
  }
}

/** The same value for the other seat.
 * @param {Worth} value @returns {Worth} */
function opposite({ v, k, to }) {
  if (k === "between") return { v: -(to ?? v), k, to: -v };
  return { v: -v, k: k === "lower" ? "upper" : k === "upper" ? "lower" : k };
}

/** @param {import("./thinking.js").Story} story
 * @returns {{worth: Worth, turn: number} | null} */
function valueOf(story) {
  const done = story.analysis;
  const found = done && whole(done);
  if (found) return { worth: found, turn: story.turn };
  if (done) return null; // what an agent calls the worth of a move need not be a margin
  const best = story.values.find((each) => each.m === story.best);
  return best && best.k !== "visits" ? { worth: best, turn: story.turn } : null;
}

/** What a finished game was worth to the seat that would be to move.
 * @param {Board} board
 * @returns {{worth: Worth, turn: number} | null} */
function finalValue(board) {
  if (board.end === "open") return null;
  const [first, second] = board.scores;
  return { worth: { v: board.seats === 1 ? first : first - second, k: "exact" }, turn: 0 };
}

/** How much of the bar the first seat gets.
 * @param {number} value @param {Board} board */
function share(value, board) {
  const part = board.most ? value / board.most : Math.tanh(value / 12);
  return board.seats === 1 ? Math.max(0, part) * 100 : 50 + 50 * Math.max(-1, Math.min(1, part));
}
