// @ts-check
// Advice to the person to move: a hint that stays switched on, and what every move is worth.

import { Searcher } from "./search.js";
import { change, settings } from "./settings.js";
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { Search } from "./search.js" */

const AGENT = "level:5"; // gives hints where no solver is asked for values
const SECONDS = 2;

export class Adviser {
  hinting = false;
  /** @type {Search | undefined} */
  advice = undefined; // about this position
  #searcher = new Searcher((search) => this.#listen(search));

  /** @param {PlayScreen} play */
  constructor(play) { this.play = play; }

  get busy() { return this.#searcher.busy; }

  /** The move to point out; undefined while there is none, or if no hint is wanted. @returns {string | undefined} */
  get hint() { return this.hinting ? this.advice?.analysis?.move : undefined; }

  stop() { this.#searcher.stop(); }

  /** Switch hints on or off; they stay so for the whole game. */
  toggle() {
    const { game, moves, view } = this.play;
    moves.aids.add("hint");
    this.hinting = !this.hinting;
    this.stop();
    this.advice = undefined;
    if (this.hinting && game.personToMove) this.advise();
    view.update();
  }

  /** Show or hide what every move is worth. @param {boolean} values */
  showValues(values) {
    change({ values });
    this.play.recall();
    this.play.turns.next();
  }

  /** Search the position if a hint or values are wanted. */
  async advise() {
    const { game, turns, view } = this.play;
    const { board } = game;
    if (turns.paused || (!this.hinting && !settings.values)) return;
    const agent = settings.values && board.solver ? "solver" : AGENT;
    const request = game.request(agent, SECONDS, { all_moves: settings.values });
    const search = await this.#searcher.run(request, board).catch((error) => this.play.complain(error));
    if (search?.analysis && game.board === board) this.play.why = search;
    view.update();
  }

  /** @param {Search} search */
  #listen(search) {
    const { game, view } = this.play;
    if (search.position === game.board.position) this.advice = search;
    view.updateSoon();
  }
}
