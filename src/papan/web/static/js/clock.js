// @ts-check
// A clock for a puzzle: it can be switched on and off at any moment, and runs only while it is on.

import { fill, h } from "./dom.js";
import { say } from "./language.js";

export const MINUTES = 5;

export class Clock {
  /** @param {() => void} over What to do when the time is over. */
  constructor(over) {
    this.over = over;
    this.left = MINUTES * 60;
    this.element = h("span", { class: "clock", role: "timer", hidden: true });
    this.timer = 0;
  }

  get running() {
    return this.timer !== 0;
  }

  start() {
    this.stop();
    this.element.hidden = false;
    this.last = performance.now();
    this.timer = window.setInterval(() => this.#tick(), 250);
    this.#show();
  }

  /** Hold the time and hide it. */
  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }

  #tick() {
    const now = performance.now();
    this.left = Math.max(0, this.left - (now - (this.last ?? now)) / 1000);
    this.last = now;
    this.#show();
    if (this.left > 0) return;
    this.stop();
    this.over();
  }

  #show() {
    const seconds = Math.ceil(this.left);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    fill(this.element, say("screen.clock", { time }));
  }

  /** @type {number | undefined} */
  last;
}
