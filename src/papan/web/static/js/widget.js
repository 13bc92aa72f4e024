// @ts-check
// The board inside a notebook: it shows the state that Python sends, and sends back what was done.

import { pointed } from "./board.js";
import { GameState } from "./game.js";
import { GameScreen } from "./game_screen.js";
import { takeTexts } from "./language.js";
import { h, render as draw } from "./vendor/preact.mjs";
/** @import { BoardProps } from "./board.js" */
/** @import { GameProps } from "./game_screen.js" */
/** @import { Board } from "./wire.d.ts" */

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
 * @property {Board} board
 * @property {string[]} line
 * @property {number[]} turns
 * @property {string[]} names What the seats are called.
 * @property {string[]} seats Who plays on them.
 * @property {{who: string, text: string}[]} choices Who may.
 * @property {Tool[]} tools
 * @property {string} status
 * @property {string} problem
 * @property {boolean} live May a person move?
 * @property {string | null} hint
 * @property {string} [slider] What the slider is called, where there is one.
 *
 * @typedef {GameProps & {state: State, send: Model["send"]}} WidgetProps
 */

/** @param {{model: Model, el: HTMLElement}} place */
export function render({ model, el }) {
  const left = new AbortController();
  takeTexts(model.get("texts"), model.get("language"));
  const live = !document.getElementById("live"); // one voice is enough for all boards of a notebook
  const show = () => {
    const state = /** @type {State} */ (model.get("state"));
    draw(
      h("div", {
          class: "papan",
          lang: model.get("language"),
          "data-theme": themeOf(document),
          "data-lm-suppress-shortcuts": "true", // the letters of a notebook are not for its boards
          onkeydown: (event) => event.stopPropagation(),
        },
        h(Widget, { game: gameOf(state), signal: left.signal, state, send: (message) => model.send(message) }),
        live && h("div", { id: "live", class: "unseen", "aria-live": "polite" }),
      ),
      el,
    );
  };
  model.on("change:state", show);
  show();
  return () => {
    model.off("change:state", show);
    left.abort();
    draw(null, el);
  };
}

/** The game that Python plays. @param {State} state */
function gameOf({ board, line, seats }) {
  return new GameState(
    { start: board.start, moves: board.moves, players: seats, seconds: 0, then: line.slice(board.moves.length) },
    board,
  );
}

/** @extends {GameScreen<WidgetProps>} */
class Widget extends GameScreen {
  name = "widget";

  /** @param {string} move */
  picked(move) { this.props.send({ do: "play", move }); }

  /** @param {number} count */
  jump(count) { this.props.send({ do: "go", count }); }

  render() {
    const { game, state } = this.props;
    this.game = game;
    this.problem = state.problem;
    return h("div", { class: this.name }, this.stage(), this.moveList(undefined, state.turns));
  }

  /** @returns {Partial<BoardProps>} */
  board() {
    const { live, hint, board } = this.props.state;
    return { live, layers: [pointed(board, "hint", hint)] };
  }

  sentence() { return this.props.state.status; }

  /** Who plays, with their scores; anybody of the company may take a seat. */
  above() {
    const {
      state: { board, seats, names, choices },
      send,
    } = this.props;
    return h("div", { class: "players" },
      seats.map((who, seat) =>
        h("div", { class: `player seat-${seat}` },
          h("label", {},
            names[seat],
            " ",
            choices.length
              ? h(
                  "select",
                  { value: who, onchange: (event) => send({ do: "sit", seat, who: event.currentTarget.value }) },
                  choices.map((each) => h("option", { value: each.who }, each.text)),
                )
              : who,
          ),
          h("span", { class: "score number", "data-score": board.scores[seat] }, board.scores[seat]),
        ),
      ),
    );
  }

  below() {
    const { slider, board, line } = this.props.state;
    return (
      slider &&
      h("input", {
        type: "range",
        min: 0,
        max: line.length,
        value: board.moves.length,
        "aria-label": slider,
        oninput: (event) => this.jump(Number(event.currentTarget.value)),
      })
    );
  }

  tools() {
    const { state, send } = this.props;
    return state.tools.map((each) =>
      h("button", {
          type: "button",
          key: each.text,
          disabled: each.off,
          "aria-pressed": each.pressed === null ? null : String(each.pressed),
          onclick: () => send(each.send),
        },
        each.text,
      ),
    );
  }
}

/**
 * The theme of the notebook, where it says so: JupyterLab, VS Code, Colab; else the system decides.
 * @param {Document} page
 */
function themeOf(page) {
  const said =
    page.body.dataset.jpThemeLight ?? page.body.dataset.vscodeThemeKind ?? page.documentElement.getAttribute("theme");
  if (!said) return undefined;
  return said === "false" || said.includes("dark") || said === "vscode-high-contrast" ? "dark" : "light";
}
