// @ts-check
// A board too fine for a finger: made larger by buttons or by two fingers, and moved about by one.

import { say } from "./language.js";
import { tool } from "./ui.js";
import { Component, createRef, h } from "./vendor/preact.mjs";
/** @import { Child } from "./vendor/preact.mjs" */

const TARGET = 44; // pixels that a finger needs
const STEP = 1.5;
const MOST = 4;

/** Between two fingers. @param {TouchList} touches */
const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** @typedef {{board: Child}} ZoomProps */

/** The window in which the board lies: as large as the whole board is, so that nothing around it moves. @extends {Component<ZoomProps>} */
export class Zoom extends Component {
  place = createRef();
  level = 1;
  needed = 1; // the level at which every spot is large enough
  /** @type {{apart: number, level: number} | null} */
  pinch = null;

  resized = () => { this.#show(1, 0, 0); this.#measure(); };

  componentDidMount() {
    addEventListener("resize", this.resized);
    this.place.current.addEventListener("touchmove", this.touchMove, { passive: false }); // or the page would grow as well
    this.#measure();
  }

  componentDidUpdate() { this.#measure(); }

  componentWillUnmount() { removeEventListener("resize", this.resized); }

  get board() { return /** @type {HTMLElement} */ (this.place.current.querySelector(".board")); }

  /** How much larger would the smallest spot have to be? Only hands need that, and only where nothing is enlarged yet;
   * a column is narrow, but long enough to be hit. */
  #measure() {
    if (this.level > 1 || !navigator.maxTouchPoints) return;
    const spots = [...this.place.current.querySelectorAll(".spot")].slice(0, 400);
    const smallest = Math.min(...spots.map((each) => each.getBoundingClientRect()).map(({ width, height }) => Math.sqrt(width * height)));
    const needed = spots.length && smallest > 0 ? Math.min(MOST, Math.max(1, TARGET / smallest)) : 1;
    if (Math.abs(needed - this.needed) < 0.01) return;
    this.needed = needed;
    this.forceUpdate();
  }

  /** Make the board so much larger; what lies at a point of the window stays there.
   * @param {number} level @param {number} x @param {number} y */
  #show(level, x, y) {
    const { current: frame } = this.place;
    const grown = level / this.level;
    if (this.level === 1) {
      const { width, height } = this.board.getBoundingClientRect();
      frame.style.setProperty("--width", `${width}px`);
      frame.style.setProperty("--height", `${height}px`);
    }
    const [left, top] = [(frame.scrollLeft + x) * grown - x, (frame.scrollTop + y) * grown - y];
    this.level = level;
    frame.classList.toggle("larger", level > 1);
    frame.style.setProperty("--level", String(level));
    frame.scrollTo(left, top);
    this.scrolled();
  }

  /** The coordinates stay at the edges of the window, whatever part of the board is in it. */
  scrolled = () => {
    const { current: frame } = this.place;
    const drawing = this.board.querySelector("svg");
    const unit = drawing ? drawing.viewBox.baseVal.width / this.board.clientWidth : 0;
    frame.style.setProperty("--across", `${frame.scrollLeft * unit}px`);
    frame.style.setProperty("--down", `${frame.scrollTop * unit}px`);
  };

  /** @param {number} level */
  #turnTo(level) {
    const { clientWidth, clientHeight } = this.place.current;
    this.#show(level < 1.05 ? 1 : Math.min(MOST, level), clientWidth / 2, clientHeight / 2);
    this.forceUpdate();
  }

  larger = () => this.#turnTo(this.level < this.needed ? Math.ceil(this.needed * 20) / 20 : this.level * STEP);

  smaller = () => this.#turnTo(this.level <= this.needed * 1.05 ? 1 : this.level / STEP);

  /** Two fingers begin to pull the board larger, or smaller. @param {TouchEvent} event */
  touchStart = ({ touches }) => { this.pinch = touches.length === 2 && this.needed > 1 ? { apart: distance(touches), level: this.level } : null; };

  /** @param {TouchEvent} event */
  touchMove = (event) => {
    if (event.touches.length !== 2 || !this.pinch) return;
    event.preventDefault();
    const [one, other] = event.touches;
    const apart = distance(event.touches);
    const { left, top } = this.place.current.getBoundingClientRect();
    const level = Math.min(MOST, Math.max(1, (this.pinch.level * apart) / this.pinch.apart));
    this.#show(level, (one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top);
  };

  touchEnd = () => {
    if (this.pinch) this.forceUpdate();
    this.pinch = null;
  };

  /** The keys have reached a spot: it comes into the window. @param {FocusEvent} event */
  focused = ({ target }) => {
    if (this.level === 1 || !(target instanceof HTMLElement)) return;
    const { current: frame } = this.place;
    const [window, spot] = [frame.getBoundingClientRect(), target.getBoundingClientRect()];
    frame.scrollBy(Math.min(0, spot.left - window.left) + Math.max(0, spot.right - window.right), Math.min(0, spot.top - window.top) + Math.max(0, spot.bottom - window.bottom));
  };

  /** @param {ZoomProps} props */
  render({ board }) {
    return h("div", { class: "zoomed" },
      h("div", { class: "zoom", ref: this.place, ontouchstart: this.touchStart, ontouchend: this.touchEnd, ontouchcancel: this.touchEnd, onfocusin: this.focused, onscroll: this.scrolled }, board),
      this.needed > 1 && h("div", { class: "zoom-tools", role: "group", "aria-label": say("web.zoom") },
        tool("web.zoom_out", this.smaller, { disabled: this.level === 1 }, "−"),
        tool("web.zoom_in", this.larger, { disabled: this.level >= MOST }, "+")));
  }
}
