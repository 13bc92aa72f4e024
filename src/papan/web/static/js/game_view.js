// @ts-check
// The game on a page: changes it, redraws the screen, handles keys, and remembers how the board is seen.

import { BACK } from "./api.js";
import { columnOf } from "./board.js";
import { SPOKEN, player, say, trouble } from "./language.js";
import { change, settings } from "./settings.js";
import { announce, forPage, presses } from "./ui.js";
/** @import { GameState } from "./game.js" */
/** @import { Part } from "./ui.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */
/** @typedef {{game: GameState, signal: AbortSignal}} GameProps The signal is aborted when the screen is left. */
/**
 * A key in the list of keys; without `act` the board itself handles it.
 * @typedef {{shown: string, text: string, keys?: string[], act?: () => unknown}} Key
 */

/**
 * @typedef {object} Handlers What a screen does with its game.
 * @property {(move: string) => unknown} picked A person has picked a move.
 * @property {() => Key[]} [keys] The keys of the screen; the first that matches acts.
 * @property {boolean} [digits] Digits pick columns wherever the focus is, not only on the board.
 * @property {() => void} [stop] Stop every search: the game is about to change, or the screen is left.
 * @property {(before: Board) => void} [changed] A change was made or refused; redraws by default.
 * @property {() => void} [back] The server answers again.
 * @property {() => void} [leave] The screen is left; calls `stop` by default.
 */

const PAUSE = 100; // milliseconds between two drawings of a running search

/** Keys that every board handles by itself. @type {Key[]} */
export const BOARD_KEYS = [
  { shown: "← ↑ → ↓", text: "web.key_arrows" },
  { shown: "Enter Space", text: "web.key_pick" },
  { shown: "1 … 9 0", text: "web.key_digits" },
];

export class GameView {
  busy = false; // a change is under way
  turned = false; // the board is seen from the other side
  seat = 0; // whose values are shown
  /** @type {string | null} */
  pointed = null; // the move that a panel points out
  #drawn = 0; // when the screen was drawn last, in milliseconds
  #timer = 0;

  /**
   * @param {Part<any>} screen The component that draws the game.
   * @param {GameProps} props
   * @param {Handlers} handlers
   */
  constructor(screen, { game, signal }, handlers) {
    this.screen = screen;
    this.game = game;
    this.signal = signal;
    this.handlers = handlers;
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
    document.addEventListener("pointerdown", ({ target }) => closeMenu(target), { signal });
    addEventListener(BACK, () => this.#serverIsBack(), { signal });
    addEventListener(SPOKEN, () => this.update(), { signal });
    signal.addEventListener("abort", () => (handlers.leave ?? handlers.stop)?.());
  }

  /** True once the screen is left. */
  get left() { return this.signal.aborted; }

  /** Redraw the screen; what has not changed stays as it is. */
  update() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#drawn = performance.now();
    if (!this.left) this.screen.forceUpdate();
  }

  /** Redraw the screen at most ten times a second, for events of searches. */
  updateSoon() {
    const wait = this.#drawn + PAUSE - performance.now();
    if (wait <= 0) this.update();
    else this.#timer ||= window.setTimeout(() => this.update(), wait);
  }

  /**
   * Stop searches, change the game, then call `handlers.changed`; shows what the server refuses.
   * @param {() => Promise<unknown> | unknown} act
   */
  async change(act) {
    this.handlers.stop?.();
    this.screen.problem = "";
    this.busy = true;
    const before = this.game.board;
    try {
      await act();
    } catch (error) {
      this.screen.problem = trouble(error);
    }
    this.busy = false;
    if (this.left) return;
    if (this.handlers.changed) this.handlers.changed(before);
    else this.update();
  }

  /** Show the board and the values from the other seat. */
  flip() {
    const { seats } = this.game.board;
    this.turned = !this.turned;
    this.seat = seats === 1 ? 0 : 1 - this.seat;
    this.update();
    announce(say("web.flipped", { player: player(this.seat, seats) }));
  }

  /** Point a move out on the board; null points out nothing. @param {string | null} move */
  point(move) {
    this.pointed = move;
    this.update();
  }

  /** Show or hide what experts see: chains, threats and the like. */
  toggleFeatures() {
    change({ features: !settings.features });
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { keys, digits, picked } = this.handlers;
    if (event.key === "Escape") closeMenu();
    if (!forPage(event) || presses(event)) return;
    const column = digits ? columnOf(this.game.board, event.key) : undefined;
    const key = keys?.().find((each) => each.keys?.includes(event.key));
    if (column) picked(column);
    else if (key?.act) {
      event.preventDefault();
      key.act();
    }
  }

  #serverIsBack() {
    this.screen.problem = "";
    this.update();
    this.handlers.back?.();
  }
}

/**
 * Close the menu and give the focus back to its button, unless the pressed element is part of it.
 * @param {EventTarget | null} [pressed]
 */
export function closeMenu(pressed = null) {
  const details = document.querySelector("details.more[open]");
  if (!(details instanceof HTMLDetailsElement) || (pressed instanceof Node && details.contains(pressed))) return;
  const focused = details.contains(document.activeElement);
  details.open = false;
  if (focused) details.querySelector("summary")?.focus();
}
