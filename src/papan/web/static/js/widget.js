// @ts-check
// The board inside a notebook: it shows the state that Python sends, and sends back what was done.

import { BoardView } from "./board.js";
import { fill, h } from "./dom.js";
import { gameTitle, takeTexts } from "./language.js";
import { showMoves } from "./moves.js";

/**
 * @typedef {object} Model What anywidget hands over: the state on Python's side.
 * @property {(name: string) => any} get
 * @property {(event: string, act: () => void) => void} on
 * @property {(event: string, act: () => void) => void} off
 * @property {(message: Record<string, unknown>) => void} send
 *
 * @typedef {{text: string, send: Record<string, unknown>, off: boolean, pressed: boolean | null}} Tool
 *
 * @typedef {object} State
 * @property {import("./api.js").Board} board
 * @property {string[]} line
 * @property {number[]} turns
 * @property {string[]} names What the seats are called.
 * @property {string[]} seats Who sits on them.
 * @property {{who: string, text: string}[]} choices Who may sit on them.
 * @property {Tool[]} tools
 * @property {string} status
 * @property {string} problem
 * @property {boolean} live May a person move?
 * @property {string | null} hint
 * @property {string} [slider] What the slider is called, where there is one.
 */

/** @param {{model: Model, el: HTMLElement}} place */
export function render({ model, el }) {
  takeTexts(model.get("texts"), model.get("language"));
  const widget = new Widget((message) => model.send(message));
  widget.element.lang = model.get("language");
  el.append(widget.element);
  const show = () => widget.show(model.get("state"));
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}

class Widget {
  /** @param {(message: Record<string, unknown>) => void} send */
  constructor(send) {
    this.send = send;
    this.view = new BoardView((move) => send({ do: "play", move }));
    this.seats = h("div", { class: "seats" });
    this.slider = h("div", { class: "slider" });
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.tools = h("div", { class: "tools" });
    this.moves = h("div", { class: "moves" });
    const live = document.getElementById("live") ? null : h("div", { id: "live", class: "unseen", "aria-live": "polite" });
    this.element = h("div", {
        class: "papan",
        "data-theme": themeOf(document),
        "data-lm-suppress-shortcuts": "true", // the letters of a notebook are not for its boards
        onkeydown: (/** @type {Event} */ event) => event.stopPropagation(),
      },
      this.seats, this.view.element, this.slider, this.status, this.problem, this.tools, this.moves, live);
  }

  /** @param {State} state */
  show(state) {
    const { board, line, turns } = state;
    const at = board.moves.length;
    const focused = this.#focused();
    this.view.show(board, { label: gameTitle(board.game), live: state.live });
    this.view.point("hint", state.hint);
    this.#seats(state);
    fill(this.slider, state.slider && this.#slider(state.slider, at, line.length));
    fill(this.status, state.status);
    fill(this.problem, state.problem);
    fill(this.tools, state.tools.map((each) => h("button", {
      type: "button", disabled: each.off, "data-key": each.text,
      "aria-pressed": each.pressed === null ? undefined : String(each.pressed),
      onclick: () => this.send(each.send),
    }, each.text)));
    showMoves(this.moves, { line, at, turns, seats: board.seats }, (count) => this.send({ do: "go", count }));
    if (focused) this.#focus(focused);
  }

  /** @param {string} name @param {number} at @param {number} last */
  #slider(name, at, last) {
    const input = h("input", {
      type: "range", min: 0, max: last, value: at, "aria-label": name, "data-key": "slider",
      oninput: () => this.send({ do: "go", count: Number(input.value) }),
    });
    return input;
  }

  /** Who sits where, with their scores; anybody of the company may take a seat.
   * @param {State} state */
  #seats({ board, seats, names, choices }) {
    fill(this.seats, seats.map((who, seat) => h("div", { class: `seat seat-${seat}` },
      h("label", {}, names[seat], " ", choices.length ? this.#chooser(who, seat, choices) : who),
      h("span", { class: "score number", "data-score": board.scores[seat] }, board.scores[seat]))));
  }

  /** @param {string} who @param {number} seat @param {State["choices"]} choices */
  #chooser(who, seat, choices) {
    const select = h("select", {
      value: who, "data-key": `seat ${seat}`,
      onchange: () => this.send({ do: "sit", seat, who: select.value }),
    }, choices.map((each) => h("option", { value: each.who }, each.text)));
    return select;
  }

  /** What had the focus, by a name that outlives it. */
  #focused() {
    const active = this.element.contains(document.activeElement) ? document.activeElement : null;
    return active?.getAttribute("data-key") ?? null;
  }

  /** @param {string} key */
  #focus(key) {
    const found = this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }
}

/** The theme of the notebook, where it says so: JupyterLab, VS Code, Colab; else the system decides.
 * @param {Document} page */
function themeOf(page) {
  const said = page.body.dataset.jpThemeLight ?? page.body.dataset.vscodeThemeKind ?? page.documentElement.getAttribute("theme");
  if (!said) return undefined;
  return said === "false" || said.includes("dark") || said === "vscode-high-contrast" ? "dark" : "light";
}
