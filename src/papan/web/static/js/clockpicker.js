// @ts-check
// Fields to choose how much time the seats have.

import { h } from "./dom.js";
import { say } from "./language.js";
import { labelled } from "./picker.js";
import { change, settings } from "./settings.js";

const MINUTES = [0, 1, 2, 3, 5, 10, 15, 30, 60];

/** Minutes and increment; no minutes mean no clock. What was chosen is offered again. */
export class ClockPicker {
  /** @param {number} seats */
  constructor(seats) {
    this.minutes = h("select", { value: String(settings.minutes) }, MINUTES.map((each) =>
      h("option", { value: String(each) }, each ? say("screen.minutes", { minutes: each }) : say("screen.no_clock"))));
    this.increment = h("input", { type: "number", min: 0, max: 60, step: 1, value: String(settings.increment) });
    this.element = h("div", { class: "options" }, labelled(say(seats === 1 ? "screen.time" : "web.minutes_each"), this.minutes),
      labelled(say("web.increment"), this.increment));
  }

  /** @returns {import("./clock.js").ClockFacts | null} */
  get facts() {
    const [minutes, increment] = [Number(this.minutes.value), Math.max(0, Math.min(60, Number(this.increment.value) || 0))];
    change({ minutes, increment });
    return minutes ? { minutes, increment, left: [] } : null;
  }
}
