// @ts-check
// Set up a board: the server says what can stand where, and whether a game can come to it.

import { edited } from "../api.js";
import { BoardView } from "../board.js";
import { announce, fill, group, h, s } from "../dom.js";
import { gameTitle, player, say, trouble } from "../language.js";
import { labelled } from "../picker.js";
import { tool } from "../tools.js";

/** @typedef {import("../api.js").Sketch} Sketch */
/** @typedef {Omit<import("../api.js").Change, "position">} Edit */

const NOTHING = ".";
const FEW = 3; // so many pieces can be gone through by clicking

export class PositionEditor {
  /** @param {{done: (sketch: Sketch) => void, cancel: () => void, changed: (sketch: Sketch) => void}} screen */
  constructor(screen) {
    this.screen = screen;
    this.view = new BoardView((spot) => this.put(spot));
    /** @type {Sketch | null} */
    this.sketch = null;
    /** @type {string[]} */
    this.past = [];
    /** @type {string | null} */
    this.chosen = null; // the piece to put; null: go through all of them
    this.queue = Promise.resolve(); // one change after the other, however quickly they come
    this.sentence = h("p", { class: "status", role: "status" });
    this.pieces = h("div", { class: "pieces", role: "group", "aria-label": say("web.pieces") });
    this.fields = h("div", { class: "fields" });
    this.buttons = h("div", { class: "row" });
    this.element = h("div", { class: "editor", onkeydown: this.#key.bind(this) },
      this.view.element, this.sentence, this.pieces, this.fields, this.buttons);
  }

  /** Begin with a position, or with a draft of one.
   * @param {string} position */
  async open(position) {
    this.past = [];
    this.#show(await edited({ position }));
    this.chosen = this.sketch && this.sketch.pieces.length > FEW ? this.sketch.pieces[1].content : null;
    this.#choices();
    this.view.focus();
  }

  /** @param {string} spot */
  put(spot) {
    return this.#enqueue((sketch) => ({ spot, content: this.#content(sketch, spot) }));
  }

  /** What comes to a spot: the chosen piece, or nothing where it stands already; else the next one.
   * @param {Sketch} sketch @param {string} spot */
  #content({ spots, pieces }, spot) {
    if (this.chosen !== null) return spots[spot] === this.chosen ? NOTHING : this.chosen;
    const order = pieces.map((each) => each.content);
    return order[(order.indexOf(spots[spot]) + 1) % order.length];
  }

  /** @param {(sketch: Sketch) => Edit & {position?: string}} change @param {boolean} [back] */
  #enqueue(change, back = false) {
    this.queue = this.queue.then(async () => {
      const { sketch } = this;
      if (!sketch) return;
      try {
        const next = await edited({ position: sketch.position, ...change(sketch) });
        if (!back) this.past.push(sketch.position);
        this.#show(next);
      } catch (error) {
        fill(this.sentence, trouble(error));
      }
    });
    return this.queue;
  }

  /** @param {Sketch} sketch */
  #show(sketch) {
    this.sketch = sketch;
    const drawn = { ...sketch, legal: [], features: [], spots_in_a_move: 1 };
    this.view.show(drawn, { label: say("web.editor_board", { game: gameTitle(sketch.game) }), live: true, cells: true });
    const words = sketch.problem ? say(sketch.problem.key, sketch.problem.values) : say("web.editor_fine");
    fill(this.sentence, words);
    this.sentence.classList.toggle("bad", sketch.problem !== null);
    announce(words);
    this.#choices();
    this.#fields(sketch);
    this.#buttons(sketch);
    this.screen.changed(sketch);
  }

  #choices() {
    const pieces = this.sketch?.pieces ?? [];
    const choice = (/** @type {string | null} */ content, /** @type {string} */ text, /** @type {SVGElement | null} */ picture) =>
      h("button", { type: "button", "data-piece": content ?? "all", "aria-pressed": String(this.chosen === content), "aria-label": text, title: text,
        onclick: () => { this.chosen = content; this.#choices(); } }, picture ?? text);
    const focused = document.activeElement?.getAttribute("data-piece");
    fill(this.pieces,
      pieces.length <= FEW && choice(null, say("web.piece_all"), null),
      pieces.map((each) => choice(each.content, pieceName(each.content), each.svg ? picture(each.svg) : null)));
    const again = focused && this.pieces.querySelector(`[data-piece="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Sketch} sketch */
  #fields(sketch) {
    const turn = h("select", { value: String(sketch.turn), "data-field": "turn", onchange: () => this.#enqueue(() => ({ turn: Number(turn.value) })) },
      [0, 1].map((seat) => h("option", { value: String(seat) }, player(seat, 2))));
    const dials = sketch.dials.map((dial) => {
      const field = h("input", { type: "number", min: dial.least, max: dial.most, step: 1, value: String(dial.value), "data-field": dial.name,
        onchange: () => this.#enqueue(() => ({ dial: dial.name, value: Number(field.value) })) });
      return labelled(say(`web.dial_${dial.name}`), field);
    });
    const focused = document.activeElement?.getAttribute("data-field");
    fill(this.fields, sketch.seats === 2 && labelled(say("web.whose_turn"), turn), dials);
    const again = focused && this.fields.querySelector(`[data-field="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Sketch} sketch */
  #buttons(sketch) {
    fill(this.buttons,
      tool("web.editor_done", () => this.screen.done(sketch), { class: "primary", disabled: sketch.problem !== null }),
      tool("web.clear", () => this.#enqueue(() => ({ clear: true }))),
      tool("web.editor_start", () => this.#enqueue(() => ({ position: sketch.game }))),
      tool("web.undo", () => this.#enqueue(() => ({ position: this.past.pop() ?? sketch.position }), true), { disabled: !this.past.length }),
      tool("web.cancel", () => this.screen.cancel()));
  }

  /** Digits choose a piece, Esc leaves.
   * @param {KeyboardEvent} event */
  #key(event) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const piece = /^[0-9]$/.test(event.key) ? this.sketch?.pieces[Number(event.key)] : undefined;
    if (piece) {
      this.chosen = piece.content;
      this.#choices();
      announce(pieceName(piece.content));
    } else if (event.key === "Escape") this.screen.cancel();
  }
}

/** @param {string} svg */
function picture(svg) {
  return s("svg", { viewBox: "0 0 60 60", width: 32, height: 32, "aria-hidden": "true" }, group(svg, "piece"));
}

/** @param {string} content */
function pieceName(content) {
  const names = /** @type {Record<string, string>} */ ({ ".": "web.piece_none", x: "web.piece_x", o: "web.piece_o", "-": "web.piece_line" });
  return content in names ? say(names[content]) : say("web.piece_tile", { number: content });
}
