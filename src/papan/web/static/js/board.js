// @ts-check
// The board: the server's drawing, with a button over every spot that can be pointed at.
// It knows no game: what may be played, where it lies and what it does comes with the position.

import { areasOf, beside } from "./areas.js";
import { announce, drawing, fill, group, h } from "./dom.js";
import { heatOf } from "./heat.js";
import { labelsOf } from "./labels.js";
import { say } from "./language.js";
import { describe } from "./spots.js";

/** @typedef {import("./areas.js").Area} Area */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

const MOMENT = 400; // milliseconds
const UPRIGHT = ["connect4", "onet"]; // what falls has a bottom, and pictures have a top
const EMPTY = "."; // how the board in characters shows a place with nothing on it

export class BoardView {
  /** @param {(move: string) => void} pick What to do with the move that was picked.
   * @param {(choice: import("./api.js").Choice | undefined) => void} [previewed] Hears of the legal move that is looked at. */
  constructor(pick, previewed = () => {}) {
    this.pick = pick;
    this.previewed = previewed;
    this.element = h("div", { class: "board", role: "group", onkeydown: this.#key.bind(this) });
    /** @type {import("./api.js").Drawn | null} */
    this.board = null;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {Map<string, Area>} */
    this.areas = new Map();
    /** @type {string | null} */
    this.first = null; // the first spot of a pair
    this.current = ""; // the spot that the arrow keys have reached
    /** @type {Map<string, SVGElement>} */
    this.layers = new Map();
    this.timer = 0;
    this.turned = false;
  }

  /** @param {import("./api.js").Drawn} board
   * @param {{label: string, live: boolean, cells?: boolean}} options *cells*: its spots are cells, not moves. */
  show(board, { label, live, cells = false }) {
    const focused = this.element.contains(document.activeElement);
    const picked = this.first && this.board?.spots[this.first] === board.spots[this.first] ? this.first : null;
    this.board = board;
    this.first = null;
    this.layers.clear();
    this.svg = drawing(board.svg);
    this.svg.removeAttribute("role");
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.element.setAttribute("aria-label", label);
    this.element.dataset.game = board.name;
    this.element.classList.toggle("live", live);
    fill(this.element, this.svg, this.#spots(this.svg, cells), this.areas.size ? null : this.#names(live));
    this.element.classList.toggle("turned", this.turned && this.turnable);
    if (live && picked) this.#mark(picked); // who is quick has picked the next tile already
    if (focused) this.buttons.get(this.current)?.focus({ preventScroll: true });
  }

  /** Does the board look the same to who sits opposite? */
  get turnable() {
    return this.areas.size > 0 && !UPRIGHT.includes(this.board?.name ?? "");
  }

  /** Turn the board round, for who sits opposite. */
  turn() {
    this.turned = !this.turned;
    this.element.classList.toggle("turned", this.turned && this.turnable);
  }

  /** Point a move out, until told otherwise; the name says why.
   * @param {string} layer @param {string | null} move */
  point(layer, move) {
    const choice = this.board?.legal.find((each) => each.m === move);
    this.#layer(layer, choice?.svg ?? "");
    if (layer === "preview") this.previewed(choice);
  }

  /** @param {boolean} on */
  showFeatures(on) {
    this.#layer("features", on ? (this.board?.features ?? []).map((each) => each.svg).join("") : "");
  }

  /** What a search has found out about each move, written on it; nothing where there is no search.
   * @param {import("./thinking.js").Story | undefined} story */
  showValues(story) {
    const { board } = this;
    const found = board && story?.position === board.position ? story : null;
    this.overlay("heat", board && found && heatOf(board, found.values));
    this.overlay("labels", board && found && labelsOf(board, found));
  }

  /** Show how the last two tiles were linked, but only for a moment. */
  flash() {
    clearTimeout(this.timer);
    this.element.classList.remove("faded");
    this.timer = window.setTimeout(() => this.fade(), MOMENT);
  }

  /** Hide how the last two tiles were linked. */
  fade() {
    this.element.classList.add("faded");
  }

  /** Hide what lies on the board, or show it again.
   * @param {boolean} on */
  veil(on) {
    this.element.classList.toggle("veiled", on);
    this.element.inert = on;
  }

  /** Lay parts of a drawing over the board, in place of those that had the same name.
   * @param {string} name @param {SVGElement | string | null} parts */
  overlay(name, parts) {
    if (parts === null || typeof parts === "string") this.#layer(name, parts ?? "");
    else this.#place(name, parts);
  }

  /** Put the cursor on the board. */
  focus() {
    this.buttons.get(this.current)?.focus();
  }

  /** The picture alone, as a file shows it. */
  standalone() {
    return this.board?.svg ?? "";
  }

  /** @param {string} name @param {string} parts */
  #layer(name, parts) {
    this.layers.get(name)?.remove();
    this.layers.delete(name);
    if (!parts || !this.svg) return;
    this.#place(name, group(parts, `layer ${name}`));
  }

  /** @param {string} name @param {SVGElement} layer */
  #place(name, layer) {
    this.layers.get(name)?.remove();
    this.layers.delete(name);
    this.svg?.insertBefore(layer, this.layers.get("labels") ?? null); // nothing covers a number
    this.layers.set(name, layer);
  }

  /** A button for each spot, over the place where the drawing shows it.
   * @param {SVGSVGElement} svg @param {boolean} cells */
  #spots(svg, cells) {
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    this.element.style.setProperty("--ratio", String(width / height));
    this.buttons = new Map();
    this.areas = areasOf(svg, cells);
    this.element.classList.toggle("unpointed", !this.areas.size);
    this.element.style.setProperty("--widest", `${3 * width}px`);
    if (!this.areas.has(this.current)) this.current = [...this.areas.keys()][0] ?? "";
    for (const [name, area] of this.areas) {
      const button = h("button", {
        type: "button",
        class: area.slanted ? "spot slanted" : "spot",
        tabindex: name === this.current ? 0 : -1,
        "data-spot": name,
        "aria-label": describe(name, this.board?.spots[name] ?? ""),
        onclick: () => this.#choose(name),
        onfocus: () => this.#reach(name),
        onblur: () => this.point("preview", null),
        onpointerenter: () => this.point("preview", this.#preview(name)),
        onpointerleave: () => this.point("preview", null),
      });
      button.style.left = `${(area.x / width) * 100}%`;
      button.style.top = `${(area.y / height) * 100}%`;
      button.style.width = `${(area.width / width) * 100}%`;
      button.style.height = `${(area.height / height) * 100}%`;
      this.buttons.set(name, button);
    }
    return [...this.buttons.values()];
  }

  /** A button for each legal move, below a drawing in which nothing can be pointed at.
   * @param {boolean} live */
  #names(live) {
    const moves = live ? (this.board?.legal ?? []) : [];
    return h("div", { class: "move-names", role: "group", "aria-label": say("lab.moves") }, moves.map(({ m }) =>
      h("button", { type: "button", "data-move": m, onclick: () => this.pick(m) }, m)));
  }

  /** @param {string} name */
  #preview(name) {
    return this.board?.spots_in_a_move === 2 && this.first ? this.#pair(this.first, name) : name;
  }

  /** The legal move of two spots, in whichever order they were picked.
   * @param {string} first @param {string} second */
  #pair(first, second) {
    const named = [first + second, second + first];
    return this.board?.legal.find((each) => named.includes(each.m))?.m ?? first + second;
  }

  /** @param {string} name */
  #choose(name) {
    if (!this.element.classList.contains("live") || this.board?.spots_in_a_move !== 2) this.pick(name);
    else if (this.first === name) this.#mark(null);
    else if (this.first) this.#chooseSecond(this.first, name);
    else if (this.board.spots[name] !== EMPTY) {
      this.#mark(name);
      announce(say("web.picked_first", { spot: name }));
    }
  }

  /** Two tiles are picked; where they do not fit, the second one may be the first of another pair.
   * @param {string} first @param {string} second */
  #chooseSecond(first, second) {
    const move = this.#pair(first, second);
    const fits = this.board?.legal.some((each) => each.m === move) || this.board?.spots[second] === EMPTY;
    this.#mark(fits ? null : second);
    this.pick(move);
  }

  /** @param {string | null} name */
  #mark(name) {
    if (this.first) this.buttons.get(this.first)?.removeAttribute("aria-pressed");
    this.first = name;
    if (name) this.buttons.get(name)?.setAttribute("aria-pressed", "true");
    const content = name ? this.board?.spots[name] : "";
    for (const [spot, button] of this.buttons) {
      button.classList.toggle("alike", Boolean(content) && spot !== name && this.board?.spots[spot] === content);
    }
  }

  /** @param {string} name */
  #reach(name) {
    this.buttons.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = name;
    this.buttons.get(name)?.setAttribute("tabindex", "0");
    this.point("preview", this.#preview(name));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction) {
      const sign = this.turned && this.turnable ? -1 : 1;
      const next = beside(this.areas, this.current, [sign * direction[0], sign * direction[1]]);
      if (next) this.buttons.get(next)?.focus();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Escape" && this.first) {
      this.#mark(null);
      event.stopPropagation();
    } else if (this.drop(event.key)) {
      event.stopPropagation();
    }
  }

  /** Digits are for columns, from wherever they are typed; 0 is the tenth.
   * @param {string} key */
  drop(key) {
    const name = key === "0" ? "10" : key;
    const found = /^[0-9]$/.test(key) && this.buttons.has(name);
    if (found) this.pick(name);
    return found;
  }
}
