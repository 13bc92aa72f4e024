// @ts-check
// The screen of a game, for play, watch, analysis, rooms and notebooks: where everything stands, and what
// all of them can do. Each kind of screen says what is different about it.

import { BACK } from "./api.js";
import { Board, Zoom, columnOf, pointed, turnable } from "./board.js";
import { gameName, gameTitle, known, player, say, trouble } from "./language.js";
import { change, settings } from "./settings.js";
import { Group, Part, announce, button, check, forPage, form, helpLink, icon, openHelp, presses } from "./ui.js";
import { Component, createRef, h } from "./vendor/preact.mjs";
/** @import { BoardProps } from "./board.js" */
/** @import { GameState } from "./game.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @typedef {{game: GameState, signal: AbortSignal}} GameProps The signal says that the screen is left. */
/** @typedef {{shown: string, text: string, keys?: string[], act?: () => unknown}} Key */

const PAUSE = 100; // milliseconds between two pictures of a search

/** Is this a phone? There the panels stand under the board, and the tools where a thumb reaches them. */
export const narrow = () => matchMedia("(max-width: 720px)").matches;

/** @template {GameProps} [P=GameProps] @extends {Part<P>} */
export class GameScreen extends Part {
  /** @param {P} props */
  constructor(props) {
    super(props);
    this.game = props.game;
    this.signal = props.signal;
    this.busy = false;
    this.turned = false; // the board, for who sits opposite
    this.view = 0; // the seat whose values are shown
    /** @type {string | null} */
    this.pointed = null; // a move that a panel points out
    this.drawn = 0;
    this.timer = 0;
    document.addEventListener("keydown", (event) => this.press(event), { signal: this.signal });
    document.addEventListener("pointerdown", ({ target }) => closeMenu(target), { signal: this.signal });
    addEventListener(BACK, () => this.back(), { signal: this.signal });
    this.signal.addEventListener("abort", () => this.leave());
  }

  get left() { return this.signal.aborted; }

  /** Does what comes next stand with the tools, where a thumb reaches it? */
  get docked() { return matchMedia("(max-width: 720px), (max-height: 520px)").matches; }

  /** Draw everything anew: what has not changed stays as it is. */
  update() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.drawn = performance.now();
    if (!this.left) this.forceUpdate();
  }

  /** Draw what a search tells, but not more often than an eye can follow. */
  updateSoon() {
    const wait = this.drawn + PAUSE - performance.now();
    if (wait <= 0) this.update();
    else this.timer ||= window.setTimeout(() => this.update(), wait);
  }

  /**
   * Do something to the game, then show it and go on; what is refused is told, and changes nothing.
   * @param {() => Promise<unknown> | unknown} act
   */
  async change(act) {
    this.quiet();
    this.problem = "";
    this.busy = true;
    const before = this.game.board;
    try {
      await act();
    } catch (error) {
      this.problem = trouble(error);
    }
    this.busy = false;
    if (!this.left) this.changed(before);
  }

  /** See the board and the values as the other side does. */
  flip() {
    const { seats } = this.game.board;
    this.turned = !this.turned;
    this.view = seats === 1 ? 0 : 1 - this.view;
    this.update();
    announce(say("web.flipped", { player: player(this.view, seats) }));
  }

  /** @param {string | null} move */
  point(move) {
    this.pointed = move;
    this.update();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") closeMenu();
    if (!forPage(event) || presses(event)) return;
    const column = this.dropsDigits ? columnOf(this.game.board, event.key) : undefined;
    const found = this.keys().find(({ keys }) => keys?.includes(event.key));
    if (column) this.picked(column);
    else if (found?.act) {
      event.preventDefault();
      found.act();
    }
  }

  /** The page that lists the keys. */
  help() {
    openHelp(
      this.keys().map(({ shown, text }) => [shown, say(text)]),
      this.rules(),
    );
  }

  /** The way to the rules; a notebook has none, nor has a game of a plug-in. */
  rules() {
    const { name } = this.game.board;
    return (
      document.getElementById("top") &&
      known(`game.${name}`) &&
      helpLink(name, "help.about_rules", { game: gameName(name) })
    );
  }

  // What is different from screen to screen.

  /** The server is back: what it did not answer can be asked again. */
  back() {
    this.problem = "";
    this.update();
  }

  /** The screen is left. */
  leave() { this.quiet(); }

  /** Nobody thinks any more. */
  quiet() {}

  /** The game may go on, unless there is a problem. @param {import("./wire.d.ts").Board} before */
  changed(before) { this.update(); }

  /** A person has picked a move. @param {string} move */
  picked(move) {}

  /** To the position after so many moves. @param {number} count */
  jump(count) {}

  /** Do digits drop discs from wherever they are typed? */
  get dropsDigits() { return false; }

  /** The keys, each with what it does; some belong to the board itself. @returns {Key[]} */
  keys() {
    return [
      { shown: "← ↑ → ↓", text: "web.key_arrows" },
      { shown: "Enter Space", text: "web.key_pick" },
      { shown: "1 … 9 0", text: "web.key_digits" },
    ];
  }

  /** What stands on the board. @returns {Partial<BoardProps>} */
  board() { return {}; }

  /** @returns {Child} */
  heading() { return h("h1", { class: "unseen" }, gameTitle(this.game.board.game)); }

  /** @returns {Child} */
  above() { return null; }

  /** @returns {Child} */
  bar() { return null; }

  /** How the game stands, in one sentence. */
  sentence() { return ""; }

  /** Does the sentence tell of trouble? */
  get troubled() { return false; }

  /** @returns {Child} */
  below() { return null; }

  /** @returns {Child} */
  tools() { return null; }

  /** What waits behind "More". @returns {Child} */
  menu() { return null; }

  /** @returns {Panel[]} */
  panels() { return []; }

  /** What stands above the panels. @returns {Child} */
  beside() { return null; }

  /** What stands in place of the board. @returns {Child} */
  instead() { return null; }

  /** @type {((event: WheelEvent) => void) | undefined} Over the board. */
  wheel = undefined;

  name = "game-screen";

  render() {
    const panels = this.panels();
    return h("div", { class: this.name },
      h("div", { class: "stage" }, this.heading(), this.instead() ?? this.stage()),
      panels.length > 0 && h(Panels, { key: panels.find(({ first }) => first)?.key, panels, above: this.beside() }),
    );
  }

  /** The board with all that belongs to it. */
  stage() {
    const menu = this.menu();
    const bar = this.bar();
    return [
      this.above(),
      h("div", { class: bar ? "with-eval" : "without-eval", onwheel: this.wheel },
        bar,
        h(Zoom, { board: this.drawBoard() }),
      ),
      h("p", { class: this.troubled ? "status bad" : "status", role: "status" }, this.sentence()),
      h("p", { class: "bad problem", role: "alert" }, this.problem),
      this.below(),
      h("div", { class: "tools", role: "group", "aria-label": say("web.tools") },
        this.tools(),
        menu &&
          h("details", { class: "more" },
            h("summary", { class: "bare", "data-tool": "web.more", title: say("web.more") },
              icon("web.more"),
              h("span", {}, say("web.more")),
            ),
            h("div", {
                class: "menu",
                onclickCapture: ({ target }) => {
                  if (!(target instanceof Element && target.closest("label"))) closeMenu();
                },
              },
              menu,
              this.rules(),
            ),
          ),
      ),
    ];
  }

  drawBoard() {
    const { board } = this.game;
    const { layers = [], ...more } = this.board();
    const shown = more.board ?? board;
    const features = settings.features && board.features.map((each) => each.svg).join("");
    return h(Board, {
      board,
      label: gameTitle(board.game),
      live: false,
      turned: this.turned,
      alike: settings.alike,
      ...more,
      pick: (move) => this.picked(move),
      layers: [
        features && shown === board && h(Group, { key: "features", name: "layer features", text: features }),
        pointed(shown, "pointed", this.pointed),
        ...layers,
      ],
    });
  }

  /** The moves, and where the game stands among them.
   * @param {Map<number, {sign: string, text: string}>} [notes] What is wrong with a ply.
   * @param {number[]} [turns]
   */
  moveList(notes, turns = this.game.board.turns) {
    const { line, moves, board } = this.game;
    return h(MoveList, { line, at: moves.length, turns, seats: board.seats, notes, go: (count) => this.jump(count) });
  }

  /**
   * What experts see in a position: in words, and on the board where people want it.
   * @param {string[]} [elsewhere] What is said above the board.
   */
  features(elsewhere = []) {
    const features = this.game.board.features.filter((each) => !elsewhere.includes(each.key));
    /** @type {Map<string, {key: string, times: number}>} */
    const lines = new Map();
    for (const { key, values } of features) {
      const text = say(key, values);
      lines.set(text, { key, times: (lines.get(text)?.times ?? 0) + 1 });
    }
    return [
      features.some((each) => each.svg) &&
        check(say("web.show_features"), settings.features, () => this.toggleFeatures(), { id: "features" }),
      h("ul", { class: "feature-list" },
        [...lines].map(([text, { key, times }]) =>
          h("li", { "data-key": key }, times > 1 ? `${times} × ${text}` : text),
        ),
      ),
    ];
  }

  toggleFeatures() {
    change({ features: !settings.features });
    this.update();
  }

  get turnable() { return turnable(this.game.board); }
}

/**
 * Close the menu, unless what was pressed is part of it; the focus returns to what opened it.
 * @param {EventTarget | null} [pressed]
 */
function closeMenu(pressed = null) {
  const details = document.querySelector("details.more[open]");
  if (!(details instanceof HTMLDetailsElement) || (pressed instanceof Node && details.contains(pressed))) return;
  const focused = details.contains(document.activeElement);
  details.open = false;
  if (focused) details.querySelector("summary")?.focus();
}

/** A field for those who would rather type a move than point at it. @param {{pick: (move: string) => void}} props */
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

/** @typedef {{key: string, body: Child, first?: boolean}} Panel *first*: the one that a phone begins with. */
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

  /** @param {PanelsProps} props */
  render({ panels, above }) {
    const choose = (/** @type {number} */ place) => {
      this.chosen = place;
      this.forceUpdate();
    };
    const fold = (/** @type {string} */ key) => {
      change({
        folded: settings.folded.includes(key)
          ? settings.folded.filter((each) => each !== key)
          : [...settings.folded, key],
      });
      this.forceUpdate();
    };
    return h("aside", { class: "side" },
      above,
      h("div", { class: "tabs", role: "group", "aria-label": say("web.panels") },
        panels.map(({ key }, place) =>
          button(say(key), () => choose(place), { "aria-pressed": String(place === this.chosen) }),
        ),
      ),
      panels.map(({ key, body }, place) =>
        h("section", {
            key,
            class: `panel${place === this.chosen ? " chosen" : ""}${settings.folded.includes(key) ? " folded" : ""}`,
            "aria-label": say(key),
          },
          h("h2", {},
            button(say(key), () => fold(key), {
              class: "fold",
              "aria-expanded": String(!settings.folded.includes(key)),
            }),
          ),
          h("div", { class: "body" }, body),
        ),
      ),
    );
  }
}

/** @typedef {{line: string[], at: number, turns: number[], seats: number, notes?: Map<number, {sign: string, text: string}>, go: (count: number) => void}} MoveListProps */

/**
 * The list of moves: who made which, where the game stands, and a way to any of them.
 * @extends {Component<MoveListProps>}
 */
class MoveList extends Component {
  place = createRef();
  scrolled = -1;

  componentDidMount() { this.#scroll(); }

  componentDidUpdate() { this.#scroll(); }

  /** Only the list scrolls: the board must not jump under anybody's hand. */
  #scroll() {
    const [list, current] = ["ol", "[aria-current]"].map((each) => this.place.current.querySelector(each));
    if (current && this.scrolled !== this.props.at) list.scrollTop = current.offsetTop - list.offsetTop - 60;
    this.scrolled = this.props.at;
  }

  /** @param {MoveListProps} props */
  render({ line, at, turns, seats, notes, go }) {
    return h("div", { class: "moves", ref: this.place },
      line.length
        ? h("ol", { class: "plies" },
            line.map((move, ply) => {
              const seat = turns[ply];
              const who = seat === undefined ? "" : player(seat, seats);
              const note = notes?.get(ply);
              return h("li", { key: ply },
                h("button", {
                    type: "button",
                    class: `ply seat-${seat ?? "none"}`,
                    "aria-current": ply + 1 === at ? "step" : null,
                    "aria-label": `${ply + 1}. ${who} ${move}${note ? `, ${note.text}` : ""}`,
                    onclick: () => go(ply + 1),
                  },
                  h("small", {}, `${ply + 1}.`),
                  ` ${move}`,
                  note && h("span", { class: "note", title: note.text }, ` ${note.sign}`),
                ),
              );
            }),
          )
        : h("p", { class: "quiet" }, say("web.no_moves")),
    );
  }
}
