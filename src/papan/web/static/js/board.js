// @ts-check
// The board: the server's drawing, with a button over every spot that can be pointed at.
// It knows no game: what may be played, where it lies and what it does comes with the position.

import { announce, drawing, fill, group, h, s } from "./dom.js";
import { heatOf } from "./heat.js";
import { say, signed, worth } from "./language.js";

/** @typedef {{x: number, y: number, width: number, height: number, slanted: boolean}} Area */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

export class BoardView {
  /** @param {(move: string) => void} pick What to do with the move that was picked. */
  constructor(pick) {
    this.pick = pick;
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
  }

  /** @param {import("./api.js").Drawn} board
   * @param {{label: string, live: boolean, cells?: boolean}} options *cells*: its spots are cells, not moves. */
  show(board, { label, live, cells = false }) {
    const focused = this.element.contains(document.activeElement);
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
    fill(this.element, this.svg, this.#spots(this.svg, cells));
    if (focused) this.buttons.get(this.current)?.focus({ preventScroll: true });
  }

  /** Point a move out, until told otherwise; the name says why.
   * @param {string} layer @param {string | null} move */
  point(layer, move) {
    const choice = this.board?.legal.find((each) => each.m === move);
    this.#layer(layer, choice?.svg ?? "");
  }

  /** @param {boolean} on */
  showFeatures(on) {
    this.#layer("features", on ? (this.board?.features ?? []).map((each) => each.svg).join("") : "");
  }

  /** What a search has found out about each move, written on it; nothing where there is no search.
   * @param {import("./thinking.js").Story | undefined} story */
  showValues(story) {
    const values = story && story.position === this.board?.position ? story.values : [];
    const marks = [];
    for (const value of values) {
      const at = this.board?.legal.find((each) => each.m === value.m)?.at;
      if (!at) continue;
      const [x, y] = at;
      const score = story?.scores[value.m];
      const text = score === undefined ? worth(value).replace(/^= /, "") : signed(score);
      const width = 13 + 9 * text.length;
      const name = `worth${value.m === story?.best ? " best" : ""}${value.k === "exact" ? "" : " unsure"}`;
      marks.push(
        s("g", { class: name, "data-move": value.m },
          s("rect", { x: x - width / 2, y: y - 12, width, height: 24, rx: 12 }),
          s("text", { x, y: y + 1, "text-anchor": "middle", "dominant-baseline": "central" }, text)),
      );
    }
    this.layers.get("labels")?.remove();
    this.layers.delete("labels");
    this.overlay("heat", this.board && heatOf(this.board, values));
    if (!marks.length || !this.svg) return;
    const layer = s("g", { class: "labels" }, marks);
    this.layers.set("labels", layer);
    this.svg.append(layer);
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
    this.layers.set(name, layer);
    this.svg?.insertBefore(layer, this.layers.get("labels") ?? null); // nothing covers a number
  }

  /** A button for each spot, over the place where the drawing shows it.
   * @param {SVGSVGElement} svg @param {boolean} cells */
  #spots(svg, cells) {
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    this.element.style.setProperty("--ratio", String(width / height));
    this.buttons = new Map();
    this.areas = areasOf(svg, cells);
    if (!this.areas.has(this.current)) this.current = [...this.areas.keys()][0] ?? "";
    for (const [name, area] of this.areas) {
      const button = h("button", {
        type: "button",
        class: area.slanted ? "spot slanted" : "spot",
        tabindex: name === this.current ? 0 : -1,
        "data-spot": name,
        "aria-label": this.#describe(name),
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

  /** What is at a spot, in words.
   * @param {string} name */
  #describe(name) {
    const content = (this.board?.spots[name] ?? "").replace(/^\d+(?=[.xo])/, "");
    const stones = [...content].filter((letter) => letter !== ".");
    if (!stones.length) return say("web.spot_empty", { spot: name });
    if (/^[-|]+$/.test(content)) return say("web.spot_drawn", { spot: name });
    const text = /^\d+$/.test(content) ? content : stones.reverse().join(" ").toUpperCase();
    return say("web.spot_holds", { spot: name, content: text });
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
    if (!this.element.classList.contains("live") || this.board?.spots_in_a_move !== 2) {
      this.pick(name);
    } else if (this.first === null) {
      this.#mark(name);
      announce(say("web.picked_first", { spot: name }));
    } else if (this.first === name) {
      this.#mark(null);
    } else {
      const move = this.#pair(this.first, name);
      this.#mark(null);
      this.pick(move);
    }
  }

  /** @param {string | null} name */
  #mark(name) {
    if (this.first) this.buttons.get(this.first)?.removeAttribute("aria-pressed");
    this.first = name;
    if (name) this.buttons.get(name)?.setAttribute("aria-pressed", "true");
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
      const next = this.#beside(this.current, direction);
      if (next) this.buttons.get(next)?.focus();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Escape" && this.first) {
      this.#mark(null);
      event.stopPropagation();
    } else if (/^[0-9]$/.test(event.key)) {
      const name = event.key === "0" ? "10" : event.key;
      if (this.buttons.has(name)) this.pick(name);
    }
  }

  /** The nearest spot in a direction.
   * @param {string} from @param {[number, number]} direction */
  #beside(from, [across, down]) {
    const here = this.areas.get(from);
    if (!here) return undefined;
    const [x, y] = middle(here);
    let best;
    let nearest = Infinity;
    for (const [name, area] of this.areas) {
      const [dx, dy] = [middle(area)[0] - x, middle(area)[1] - y];
      const ahead = dx * across + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * across);
      if (ahead > 1 && ahead >= aside && ahead + 2 * aside < nearest) {
        nearest = ahead + 2 * aside;
        best = name;
      }
    }
    return best;
  }
}

/** @param {Area} area @returns {[number, number]} */
function middle(area) {
  return [area.x + area.width / 2, area.y + area.height / 2];
}

/** Where the spots of a drawing lie: cells as squares, columns as all their cells, lines as diamonds
 * that share the room between them.
 * @param {SVGSVGElement} svg @param {boolean} cells @returns {Map<string, Area>} */
function areasOf(svg, cells) {
  const areas = new Map();
  for (const part of svg.querySelectorAll("[data-move], [data-cell]")) {
    const [move, cell] = [part.getAttribute("data-move"), part.getAttribute("data-cell")];
    const name = (cells ? cell ?? move : move ?? cell) ?? "";
    const area = part.tagName === "line" ? diamond(part) : square(part);
    areas.set(name, areas.has(name) ? union(areas.get(name), area) : area);
  }
  return areas;
}

/** @param {Element} part @param {string} name */
const amount = (part, name) => Number(part.getAttribute(name));

/** @param {Element} rect @returns {Area} */
function square(rect) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => amount(rect, name));
  return { x, y, width, height, slanted: false };
}

/** @param {Element} line @returns {Area} */
function diamond(line) {
  const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => amount(line, name));
  const length = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
  const [x, y] = [(x1 + x2 - length) / 2, (y1 + y2 - length) / 2];
  return { x, y, width: length, height: length, slanted: true };
}

/** @param {Area} one @param {Area} other @returns {Area} */
function union(one, other) {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y, slanted: one.slanted };
}
