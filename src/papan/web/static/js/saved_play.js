// @ts-check
// Saves the game that is played, in the address and in this browser's storage, with the seconds it took.

import { say } from "./language.js";
import { resultOf } from "./panels/review.js";
import { addressOf, gameAt, newId, saveGame, watchOtherTabs } from "./saved_game.js";
/** @import { Result } from "./panels/review.js" */
/** @import { Setup } from "./saved_game.js" */
/** @import { PlayScreen } from "./screens/play.js" */

export class SavedPlay {
  /** @type {Result | null} */
  result = null; // of a game that is over
  #since = performance.now();
  #running = false;

  /** @param {PlayScreen} play */
  constructor(play) {
    this.play = play;
    const saved = gameAt(this.address);
    this.opened = play.game.board;
    this.id = saved?.id ?? ""; // among the games of this browser
    this.seconds = saved?.seconds ?? 0;
    watchOtherTabs(() => this.id, () => this.#part(), play.props.signal);
  }

  /** Continue as a separate game, because another tab has made a move in this one and neither may be lost. */
  #part() {
    if (this.play.game.over) return;
    this.id = "";
    this.opened = this.play.game.board;
    this.play.notice = say("web.other_tab");
    this.play.update();
  }

  /** The address of this game as it stands. */
  get address() {
    const { game, props } = this.play;
    return addressOf(props.screen, this.setup(), game.start.includes(" ") ? game.board.game : game.start);
  }

  /** Return what an address says of this game. @returns {Setup} */
  setup() {
    const { game, clocks } = this.play;
    const { start, moves, players, names, hints, seconds, givenUp, undone, watched } = game;
    const then = watched ? undone.slice().reverse() : [];
    return { start, moves, players, names, hints, seconds, givenUp, clock: clocks.facts, then };
  }

  /** Add the seconds since the last call, if the game went on. */
  #count() {
    const { game, turns } = this.play;
    const now = performance.now();
    if (this.#running) this.seconds += (now - this.#since) / 1000;
    this.#since = now;
    this.#running = !turns.paused && !game.over;
  }

  /** Compute the result of a game that has just ended; forget it if the game goes on. */
  finish() {
    const { game, moves } = this.play;
    if (!game.over || !game.hasPerson) this.result = null;
    else if (!this.result) {
      this.#count();
      this.result = resultOf(game, this.id, this.seconds, moves.aids);
    }
  }

  /** Write the address, and save the game if a person has played here. */
  remember() {
    const { game, view } = this.play;
    const { address } = this;
    if (!view.left) history.replaceState(null, "", address);
    this.#count();
    const untouched = !this.id && game.board === this.opened;
    if (!game.hasPerson || !game.moves.length || untouched) return;
    this.id ||= newId();
    saveGame({ id: this.id, when: Date.now(), address, record: game.record(), seconds: this.seconds });
  }
}
