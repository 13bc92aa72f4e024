// @ts-check
// The two players of a room: who is here, whose turn it is, and the time that each has left.

import { SOON, timeText } from "../clock.js";
import { fill, h } from "../dom.js";
import { player, say } from "../language.js";

/** @typedef {import("./asking.js").State} State */

export class Players {
  constructor() {
    this.element = h("div", { class: "players" });
    this.clocks = [0, 1].map(() => h("span", { class: "clock", role: "timer" }));
    this.heard = 0;
    /** @type {import("./asking.js").Clocks | null} */
    this.facts = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** @param {State} state */
  show(state) {
    const { board, room } = state;
    this.heard = performance.now();
    this.facts = room.clock;
    fill(this.element, [0, 1].map((seat) => h("div", { class: this.#name(state, seat), "data-seat": seat },
      h("span", { class: "mark", "aria-hidden": "true" }, "✕◯"[seat]),
      h("span", { class: "who" }, h("b", {}, player(seat, 2)), " ", this.#presence(state, seat)),
      room.clock && this.clocks[seat],
      h("span", { class: "score", "data-score": board.scores[seat] }, String(board.scores[seat])))));
    this.leave();
    this.#tick();
    if (room.clock && room.clock.running !== null) this.timer = window.setInterval(() => this.#tick(), 200);
  }

  leave() {
    clearInterval(this.timer);
  }

  /** @param {State} state @param {number} seat */
  #name({ board, room }, seat) {
    const turn = room.end === "open" && board.turn === seat ? " turn" : "";
    return `player seat-${seat}${turn}${room.winner === seat ? " winner" : ""}`;
  }

  /** @param {State} state @param {number} seat */
  #presence({ room, seat: own }, seat) {
    if (!room.taken[seat]) return h("span", { class: "presence quiet" }, say("room.free_seat"));
    const key = seat === own ? "room.you" : room.present[seat] ? "room.here" : "room.away";
    const here = seat === own || room.present[seat];
    return h("span", { class: here ? "presence here" : "presence quiet" }, h("span", { "aria-hidden": "true" }, here ? "● " : "○ "), say(key));
  }

  #tick() {
    const { facts } = this;
    if (!facts) return;
    const gone = (performance.now() - this.heard) / 1000;
    this.clocks.forEach((element, seat) => {
      const left = Math.max(0, facts.left[seat] - (facts.running === seat ? gone : 0));
      element.textContent = timeText(left);
      element.classList.toggle("running", facts.running === seat);
      element.classList.toggle("soon", left < SOON);
    });
  }
}
