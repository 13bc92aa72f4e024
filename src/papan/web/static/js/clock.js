// @ts-check
// Clocks: minutes for each seat and an increment for each move; they run only while somebody thinks.

import { fill, h } from "./dom.js";
import { say } from "./language.js";

/** @typedef {{minutes: number, increment: number, left: number[]}} ClockFacts What is left, in seconds; nothing: all. */

const PUZZLE_MINUTES = 5;
const MOST_MINUTES = 180;
export const SOON = 10; // seconds below which tenths are shown

export class Clocks {
  /** @param {number} seats @param {ClockFacts | null | undefined} facts @param {(seat: number) => void} over Whose time is up. */
  constructor(seats, facts, over) {
    this.over = over;
    this.on = Boolean(facts);
    this.minutes = facts?.minutes ?? PUZZLE_MINUTES;
    this.increment = facts?.increment ?? 0;
    this.left = Array.from({ length: seats }, (_, seat) => facts?.left[seat] ?? this.minutes * 60);
    this.elements = this.left.map(() => h("span", { class: "clock", role: "timer", "aria-label": say("web.clock_left") }));
    /** @type {Map<number, number[]>} What was left before each move. */
    this.marks = new Map();
    this.timer = 0;
    this.seat = 0;
    this.last = 0;
    this.show();
  }

  /** What a link says of these clocks.
   * @returns {ClockFacts | null} */
  get facts() {
    return this.on ? { minutes: this.minutes, increment: this.increment, left: this.left } : null;
  }

  /** Play against the clock, or freely; the time that is left stays as it is.
   * @param {boolean} on */
  turn(on) {
    this.hold();
    this.on = on;
    this.show();
  }

  /** Let the time of a seat run.
   * @param {number} seat */
  run(seat) {
    this.hold();
    if (!this.on) return;
    this.seat = seat;
    this.last = performance.now();
    this.timer = window.setInterval(() => this.#tick(), 100);
    this.show();
  }

  /** Let no time run. */
  hold() {
    if (this.timer) this.#count();
    clearInterval(this.timer);
    this.timer = 0;
    this.show();
  }

  /** Remember what is left before a move.
   * @param {number} ply */
  mark(ply) {
    this.marks.set(ply, this.left.slice());
  }

  /** A seat has moved: it gets its increment.
   * @param {number} seat */
  press(seat) {
    this.hold();
    if (this.on) this.left[seat] += this.increment;
  }

  /** A move was taken back, and with it the time that it took.
   * @param {number} ply */
  back(ply) {
    this.hold();
    this.left = this.marks.get(ply)?.slice() ?? this.left;
    this.show();
  }

  /** How long an agent may think, so that its time lasts for many moves.
   * @param {number} seat @param {number} wanted */
  budget(seat, wanted) {
    if (!this.on) return wanted;
    return Math.max(0.05, Math.min(wanted, this.left[seat] / 25 + 0.7 * this.increment, this.left[seat] / 3));
  }

  #count() {
    const now = performance.now();
    this.left[this.seat] = Math.max(0, this.left[this.seat] - (now - this.last) / 1000);
    this.last = now;
  }

  #tick() {
    this.#count();
    this.show();
    if (this.left[this.seat] > 0) return;
    this.hold();
    this.over(this.seat);
  }

  show() {
    this.elements.forEach((element, seat) => {
      element.hidden = !this.on;
      element.classList.toggle("running", this.timer !== 0 && seat === this.seat);
      element.classList.toggle("soon", this.left[seat] < SOON);
      fill(element, timeText(this.left[seat]));
    });
  }
}

/** Minutes and seconds; tenths where every one counts.
 * @param {number} left */
export function timeText(left) {
  if (left < SOON) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Write clocks into an address: "5+3", and what is left.
 * @param {URLSearchParams} words @param {ClockFacts} clock */
export function writeClock(words, clock) {
  words.set("clock", `${clock.minutes}+${clock.increment}`);
  if (clock.left.length) words.set("left", clock.left.map((each) => each.toFixed(1)).join("|"));
}

/** The clocks that an address tells of.
 * @param {URLSearchParams} words @returns {ClockFacts | null} */
export function clockOf(words) {
  const [minutes, increment] = (words.get("clock") ?? "").split("+").map(Number);
  if (!(minutes > 0 && minutes <= MOST_MINUTES && increment >= 0 && increment <= 600)) return null;
  const left = (words.get("left") ?? "").split("|").filter(Boolean).map(Number);
  return { minutes, increment, left: left.every((each) => each >= 0) ? left : [] };
}
