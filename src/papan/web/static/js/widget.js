// @ts-check
// The board inside a notebook: shows the state that Python sends, and sends moves and commands back.

import { hinted } from "./board.js";
import { GameState } from "./game.js";
import { MoveList, gameStage } from "./game_screen.js";
import { GameView } from "./game_view.js";
import { takeTexts } from "./language.js";
import { Group, Part } from "./ui.js";
import { h, render as draw } from "./vendor/preact.mjs";
/** @import { GameProps } from "./game_view.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */

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
 * @property {string[]} names The names of the seats.
 * @property {string[]} seats The players.
 * @property {{who: string, text: string}[]} choices Players to choose from.
 * @property {Tool[]} tools
 * @property {string} status
 * @property {string} problem
 * @property {boolean} live True if a person is to move.
 * @property {string[]} hint The moves that a hint points out: an area, or one move.
 * @property {{text: string, svg: string} | null} reason Why an agent made the last move, and what that speaks of.
 * @property {string} [slider] The label of the slider, if there is one.
 *
 * @typedef {Model["send"]} Send
 * @typedef {GameProps & {state: State, send: Send}} WidgetProps
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

/** Return the game that Python plays, in the form of the app's screens. @param {State} state */
function gameOf({ board, line, seats }) {
  return new GameState(
    { start: board.start, moves: board.moves, players: seats, seconds: 0, then: line.slice(board.moves.length) },
    board,
  );
}

/** @extends {Part<WidgetProps>} */
class Widget extends Part {
  view = new GameView(this, this.props, { picked: (move) => this.props.send({ do: "play", move }) });

  /** @param {WidgetProps} props */
  render({ game, state, send }) {
    const { view } = this;
    const { board, live, hint, turns, reason } = state;
    const spoken = reason?.svg && h(Group, { key: reason.svg, name: "layer reason faint", text: reason.svg });
    const go = (/** @type {number} */ count) => send({ do: "go", count });
    view.game = game;
    this.problem = state.problem;
    return h("div", { class: "widget" },
      gameStage(view, {
        board: { live, layers: [spoken, hinted(board, hint)] },
        sentence: state.status,
        above: players(state, send),
        below: [slider(state, go), reason && h("p", { class: "because" }, reason.text)],
        tools: state.tools.map((each) => toolButton(each, send)),
      }),
      h(MoveList, { view, turns, go }),
    );
  }
}

/**
 * Return the players with their scores; each seat can be given to another player.
 * @param {State} state
 * @param {Send} send
 */
function players({ board, seats, names, choices }, send) {
  const chooser = (/** @type {string} */ who, /** @type {number} */ seat) =>
    h("select", { value: who, onchange: (event) => send({ do: "sit", seat, who: event.currentTarget.value }) },
      choices.map((each) => h("option", { value: each.who }, each.text)),
    );
  return h("div", { class: "players" },
    seats.map((who, seat) =>
      h("div", { class: `player seat-${seat}` },
        h("label", {}, names[seat], " ", choices.length ? chooser(who, seat) : who),
        h("span", { class: "score number", "data-score": board.scores[seat] }, board.scores[seat]),
      ),
    ),
  );
}

/**
 * Return the slider through the moves; nothing if there is none.
 * @param {State} state
 * @param {(count: number) => void} go
 */
function slider({ slider: label, board, line }, go) {
  return (
    label &&
    h("input", {
      type: "range",
      min: 0,
      max: line.length,
      value: board.moves.length,
      "aria-label": label,
      oninput: (event) => go(Number(event.currentTarget.value)),
    })
  );
}

/** @param {Tool} tool @param {Send} send */
function toolButton({ text, off, pressed, send: message }, send) {
  const attributes = { key: text, disabled: off, "aria-pressed": pressed === null ? null : String(pressed) };
  return h("button", { type: "button", ...attributes, onclick: () => send(message) }, text);
}

/**
 * Return the theme of the notebook, in JupyterLab, VS Code or Colab; undefined elsewhere.
 * @param {Document} page
 */
function themeOf(page) {
  const said =
    page.body.dataset.jpThemeLight ?? page.body.dataset.vscodeThemeKind ?? page.documentElement.getAttribute("theme");
  if (!said) return undefined;
  return said === "false" || said.includes("dark") || said === "vscode-high-contrast" ? "dark" : "light";
}
