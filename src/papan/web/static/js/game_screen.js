// @ts-check
// The layout of a screen with a game: board, sentence, tools and panels. Each screen hands in what stands where.

import { Board, Zoom, pointed } from "./board.js";
import { closeMenu } from "./game_view.js";
import { gameName, gameTitle, known, player, say } from "./language.js";
import { change, settings } from "./settings.js";
import { Group, button, check, form, helpLink, icon, openHelp } from "./ui.js";
import { Component, createRef, h } from "./vendor/preact.mjs";
/** @import { BoardProps } from "./board.js" */
/** @import { GameView, Key } from "./game_view.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { BoardFacts } from "./wire.d.ts" */

/** @typedef {{key: string, body: Child, first?: boolean}} Panel A phone begins with the one marked *first*. */

/**
 * @typedef {object} Layout What stands where on a screen with a game; whatever is missing is not drawn.
 * @property {string} [name] The class of the screen.
 * @property {Child} [heading] The name of the game by default, for screen readers alone.
 * @property {Partial<BoardProps>} [board] What is live, and the layers over the drawing.
 * @property {Child} [above] Above the board: players, counters.
 * @property {Child} [bar] Beside the board: the value of the position.
 * @property {string} sentence How the game stands.
 * @property {boolean} [troubled] The sentence reports trouble.
 * @property {Child} [below]
 * @property {Child} [tools]
 * @property {Child} [menu] What is behind "More".
 * @property {Panel[]} [panels]
 * @property {Child} [beside] Above the panels.
 * @property {Child} [instead] In place of the board and all that belongs to it.
 * @property {(event: WheelEvent) => void} [wheel] Handles the wheel over the board.
 * @property {(plies: number) => unknown} [swiped] A finger was drawn over the board: to the left is forward.
 */

const SWIPE = 40; // pixels that a finger is drawn at least

/** Return whether this is a phone: panels are under the board, and tools where a thumb reaches them. */
export const narrow = () => matchMedia("(max-width: 720px)").matches;

/** Return whether the buttons for what comes after a game are among the tools, within reach of a thumb. */
export const docked = () => matchMedia("(max-width: 720px), (max-height: 520px)").matches;

/** Return a screen with a game. @param {GameView} view @param {Layout} layout */
export function gameScreen(view, layout) {
  const { name = "game-screen", panels = [], beside } = layout;
  const heading = layout.heading ?? h("h1", { class: "unseen" }, gameTitle(view.game.board.game));
  return h("div", { class: name },
    h("div", { class: "stage" }, heading, layout.instead ?? gameStage(view, layout)),
    panels.length > 0 && h(Panels, { key: panels.find(({ first }) => first)?.key, panels, above: beside }),
  );
}

/**
 * Return the board of a game with all that belongs to it.
 * @param {GameView} view
 * @param {Layout} layout
 * @returns {Child}
 */
export function gameStage(view, { board = {}, above, bar, sentence, troubled, below, tools, menu, wheel, swiped }) {
  return [
    above,
    h("div", { class: bar ? "with-eval" : "without-eval", onwheel: wheel, ...(swiped && swipes(swiped)) },
      bar,
      h(Zoom, { board: boardOf(view, board) }),
    ),
    h("p", { class: troubled ? "status bad" : "status", role: "status" }, sentence),
    h("p", { class: "bad problem", role: "alert" }, view.screen.problem),
    below,
    h("div", { class: "tools", role: "group", "aria-label": say("web.tools") },
      tools,
      menu && moreMenu(menu, view.game.board),
    ),
  ];
}

/**
 * Return handlers that distinguish swipes from taps; on an enlarged board a finger moves the board.
 * @param {(plies: number) => unknown} swiped
 */
function swipes(swiped) {
  return {
    ontouchstart: (/** @type {TouchEvent} */ { touches, currentTarget }) => {
      const [{ clientX, clientY }] = touches;
      const still = touches.length > 1 || document.querySelector(".zoom.larger");
      /** @type {HTMLElement} */ (currentTarget).dataset.touched = still ? "" : `${clientX} ${clientY}`;
    },
    ontouchend: (/** @type {TouchEvent} */ { changedTouches, currentTarget }) => {
      const [x, y] = (/** @type {HTMLElement} */ (currentTarget).dataset.touched ?? "").split(" ").map(Number);
      const [{ clientX, clientY }] = changedTouches;
      const [right, down] = [clientX - x, clientY - y];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down)) swiped(right < 0 ? 1 : -1);
    },
  };
}

/** @param {Child} menu @param {BoardFacts} board */
function moreMenu(menu, board) {
  const close = (/** @type {Event} */ { target }) => {
    if (!(target instanceof Element && target.closest("label"))) closeMenu();
  };
  return h("details", { class: "more" },
    h("summary", { class: "bare", "data-tool": "web.more", title: say("web.more") },
      icon("web.more"),
      h("span", {}, say("web.more")),
    ),
    h("div", { class: "menu", onclickCapture: close }, menu, rulesLink(board)),
  );
}

/** @param {GameView} view @param {Partial<BoardProps>} props */
function boardOf(view, { layers = [], ...more }) {
  const { board } = view.game;
  const shown = more.board ?? board;
  const features = settings.features && board.features.map((each) => each.svg).join("");
  return h(Board, {
    board,
    label: gameTitle(board.game),
    live: false,
    turned: view.turned,
    alike: settings.alike,
    ...more,
    pick: (move) => view.handlers.picked(move),
    layers: [
      features && shown === board && h(Group, { key: "features", name: "layer features", text: features }),
      pointed(shown, "pointed", view.pointed),
      ...layers,
    ],
  });
}

/**
 * Return a link to the rules of a game; nothing in a notebook, and for the game of a plug-in.
 * @param {BoardFacts} board
 */
function rulesLink({ name }) {
  const app = document.getElementById("top");
  return app && known(`game.${name}`) && helpLink(name, "help.about_rules", { game: gameName(name) });
}

/** Open the dialog that lists the keys of a screen. @param {GameView} view @param {Key[]} keys */
export function openKeys(view, keys) {
  const listed = keys.map(({ shown, text }) => /** @type {[string, string]} */ ([shown, say(text)]));
  openHelp(listed, rulesLink(view.game.board));
}

/**
 * Return what experts see in the position, with a switch that shows it on the board.
 * @param {GameView} view
 * @param {string[]} [elsewhere] Keys of features that are shown above the board already.
 */
export function featureList(view, elsewhere = []) {
  const features = view.game.board.features.filter((each) => !elsewhere.includes(each.key));
  /** @type {Map<string, {key: string, times: number}>} */
  const lines = new Map();
  for (const { key, values } of features) {
    const text = say(key, values);
    lines.set(text, { key, times: (lines.get(text)?.times ?? 0) + 1 });
  }
  return [
    features.some((each) => each.svg) &&
      check(say("web.show_features"), settings.features, () => view.toggleFeatures(), { id: "features" }),
    h("ul", { class: "feature-list" },
      [...lines].map(([text, { key, times }]) =>
        h("li", { "data-key": key }, times > 1 ? `${times} × ${text}` : text),
      ),
    ),
  ];
}

/** Return a field in which a move can be typed. @param {{pick: (move: string) => void}} props */
export function TypingForm({ pick }) {
  const send = (/** @type {any} */ { typed }) => {
    const move = typed.value.trim();
    typed.value = "";
    if (move) pick(move);
  };
  return form(
    { class: "typing" },
    send,
    h("label", { for: "typed" }, say("web.type_move")),
    h("input", { type: "text", autocomplete: "off", spellcheck: false, id: "typed", size: 8 }),
    h("button", { type: "submit" }, say("web.enter")),
  );
}

/** @typedef {{panels: Panel[], above: Child}} PanelsProps */

/**
 * The panels beside a board: all at once where there is room, one at a time on a phone.
 * @extends {Component<PanelsProps>}
 */
class Panels extends Component {
  chosen = Math.max(
    0,
    this.props.panels.findIndex(({ first }) => first),
  );

  /** @param {number} place */
  #choose(place) {
    this.chosen = place;
    this.forceUpdate();
  }

  /** Fold a panel, or unfold it. @param {string} key */
  #fold(key) {
    const { folded } = settings;
    change({ folded: folded.includes(key) ? folded.filter((each) => each !== key) : [...folded, key] });
    this.forceUpdate();
  }

  /** @param {PanelsProps} props */
  render({ panels, above }) {
    const tabs = panels.map(({ key }, place) =>
      button(say(key), () => this.#choose(place), { "aria-pressed": String(place === this.chosen) }),
    );
    return h("aside", { class: "side" },
      above,
      h("div", { class: "tabs", role: "group", "aria-label": say("web.panels") }, tabs),
      panels.map((each, place) => this.#panel(each, place)),
    );
  }

  /** @param {Panel} panel @param {number} place */
  #panel({ key, body }, place) {
    const folded = settings.folded.includes(key);
    const states = `${place === this.chosen ? " chosen" : ""}${folded ? " folded" : ""}`;
    const title = button(say(key), () => this.#fold(key), { class: "fold", "aria-expanded": String(!folded) });
    return h("section", { key, class: `panel${states}`, "aria-label": say(key) },
      h("h2", {}, title),
      h("div", { class: "body" }, body),
    );
  }
}

/**
 * @typedef {object} MoveListProps
 * @property {GameView} view
 * @property {(count: number) => unknown} go Shows the position after that many moves.
 * @property {number[]} [turns] The seat that made each move; those of the board by default.
 * @property {Map<number, {sign: string, text: string}>} [notes] What is wrong with a ply.
 */

/**
 * The list of moves with their players, the current one marked, and a button for each position.
 * @extends {Component<MoveListProps>}
 */
export class MoveList extends Component {
  place = createRef();
  scrolled = -1;

  componentDidMount() { this.#scroll(); }

  componentDidUpdate() { this.#scroll(); }

  /** Scroll to the current move: only the list, because the board must not jump under a hand. */
  #scroll() {
    const at = this.props.view.game.moves.length;
    const [list, current] = ["ol", "[aria-current]"].map((each) => this.place.current.querySelector(each));
    if (current && this.scrolled !== at) list.scrollTop = current.offsetTop - list.offsetTop - 60;
    this.scrolled = at;
  }

  /** @param {MoveListProps} props */
  render({ view }) {
    const { line } = view.game;
    return h("div", { class: "moves", ref: this.place },
      line.length
        ? h("ol", { class: "plies" },
            line.map((move, ply) => h("li", { key: ply }, this.#move(move, ply))),
          )
        : h("p", { class: "quiet" }, say("web.no_moves")),
    );
  }

  /** @param {string} move @param {number} ply */
  #move(move, ply) {
    const { view, go, notes, turns = view.game.board.turns } = this.props;
    const { moves, board } = view.game;
    const seat = turns[ply];
    const who = seat === undefined ? "" : player(seat, board.seats);
    const note = notes?.get(ply);
    return h("button", {
        type: "button",
        class: `ply seat-${seat ?? "none"}`,
        "aria-current": ply + 1 === moves.length ? "step" : null,
        "aria-label": `${ply + 1}. ${who} ${move}${note ? `, ${note.text}` : ""}`,
        onclick: () => go(ply + 1),
      },
      h("small", {}, `${ply + 1}.`),
      ` ${move}`,
      note && h("span", { class: "note", title: note.text }, ` ${note.sign}`),
    );
  }
}
