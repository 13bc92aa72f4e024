// @ts-check
// What the positions of a game were worth, ply by ply, as a curve that leads to each of them.

import { lineChart } from "../charts.js";
import { fill, h } from "../dom.js";
import { say } from "../language.js";

export class History {
  /** @param {(ply: number) => void} go */
  constructor(go) {
    this.go = go;
    this.element = h("div", { class: "graph" });
    /** @type {(number | null)[]} */
    this.values = []; // as player 1 sees them
    /** @type {boolean[]} */
    this.guessed = [];
  }

  /** Keep the value of a ply.
   * @param {number} ply @param {import("../thinking.js").Story} story @param {number} seats */
  note(ply, story, seats) {
    const found = story.analysis;
    if (!found || found.value === null) return;
    this.values[ply] = seats === 1 || found.turn === 0 ? found.value : -found.value;
    this.guessed[ply] = !found.exact;
  }

  /** Forget what comes after a ply: it will be other moves.
   * @param {number} ply */
  forget(ply) {
    this.values.length = Math.min(this.values.length, ply + 1);
  }

  /** @param {number} at Which ply is on the board. */
  show(at) {
    const points = Array.from(this.values, (each) => each ?? null);
    if (points.filter((each) => each !== null).length < 2) return fill(this.element);
    const chart = lineChart(say("web.history"), [{ name: say("web.history"), kind: "best", points, guessed: this.guessed }], { pick: this.go, at });
    fill(this.element, h("h4", {}, say("web.history")), chart);
  }
}
