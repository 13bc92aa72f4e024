// @ts-check
// Back, next, play, speed and a slider: nothing moves before it is asked to.

import { h } from "../dom.js";
import { forPage, presses } from "../keys.js";
import { say } from "../language.js";
import { keep, read } from "../settings.js";

const PLACE = "papan.learn.speed";
const SPEEDS = /** @type {Record<string, number>} */ ({ slow: 5000, usual: 2500, quick: 1000 });
const KEYS = /** @type {Record<string, "back" | "next" | "first" | "last">} */ ({
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
});

export class Controls {
  /** @param {number} steps @param {(step: number) => void} go @param {() => boolean} mayPlay May the next step come by itself? */
  constructor(steps, go, mayPlay) {
    this.steps = steps;
    this.step = 1;
    this.go = go;
    this.mayPlay = mayPlay;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.back = h("button", { type: "button", "data-go": "back", onclick: () => this.move("back") }, say("learn.back"));
    this.next = h("button", { type: "button", class: "primary", "data-go": "next", onclick: () => this.move("next") }, say("learn.next"));
    this.play = h("button", { type: "button", "data-go": "play", onclick: () => this.toggle() }, say("learn.play"));
    this.slider = h("input", { type: "range", min: 1, max: steps, value: "1", "aria-label": say("learn.slider"), oninput: () => {
      this.pause();
      this.go(Number(this.slider.value));
    } });
    this.count = h("span", { class: "count number" });
    const chosen = read(PLACE).speed;
    this.speed = h("select", { "aria-label": say("learn.speed"), value: chosen in SPEEDS ? chosen : "usual", onchange: () => keep(PLACE, { speed: this.speed.value }) },
      Object.keys(SPEEDS).map((name) => h("option", { value: name }, say(`learn.${name}`))));
    this.element = h("div", { class: "lesson-controls" },
      h("div", { class: "row" }, this.back, this.play, this.next, this.speed), h("div", { class: "reach" }, this.slider, this.count));
    this.listener = this.#key.bind(this);
    document.addEventListener("keydown", this.listener);
  }

  leave() {
    this.pause();
    document.removeEventListener("keydown", this.listener);
  }

  /** @param {number} step */
  show(step) {
    this.step = step;
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", say("learn.step_of", { step, steps: this.steps }));
    this.count.textContent = `${step} / ${this.steps}`;
    this.back.disabled = step === 1;
    this.next.disabled = this.play.disabled = step === this.steps;
  }

  /** @param {"back" | "next" | "first" | "last"} where */
  move(where) {
    this.pause();
    const step = { back: this.step - 1, next: this.step + 1, first: 1, last: this.steps }[where];
    if (step >= 1 && step <= this.steps) this.go(step);
  }

  toggle() {
    if (this.timer !== undefined) this.pause();
    else this.#wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.#name();
  }

  #wait() {
    if (this.step === this.steps || !this.mayPlay()) return this.pause();
    this.timer = setTimeout(() => {
      this.go(this.step + 1);
      this.#wait();
    }, SPEEDS[this.speed.value]);
    this.#name();
  }

  #name() {
    this.play.textContent = say(this.timer === undefined ? "learn.play" : "learn.pause");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!forPage(event) || presses(event)) return;
    if (KEYS[event.key]) this.move(KEYS[event.key]);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }
}
