// @ts-check
// The search of the position that is analysed; finished searches stay known, position by position.

import { Searcher } from "./search.js";
import { settings } from "./settings.js";
/** @import { AnalyseScreen } from "./screens/analyse.js" */
/** @import { Search } from "./search.js" */

export class PositionSearch {
  on = true; // positions are searched as soon as they are shown
  /** @type {Map<string, Search>} By position, so that a value is never shown on another one. */
  #searches = new Map();
  #searcher = new Searcher((search) => this.#listen(search));

  /** @param {AnalyseScreen} screen @param {string} agent The one that searches. */
  constructor(screen, agent) {
    this.screen = screen;
    this.agent = agent;
  }

  /** The search of the position on the board. @returns {Search | undefined} */
  get current() { return this.#searches.get(this.screen.game.board.position); }

  stop() { this.#searcher.stop(); }

  /** Search the position on the board, unless searching is off or it has been searched. */
  async run() {
    const { game, history, view, line } = this.screen;
    if (!this.on || game.board.end !== "open" || this.current?.analysis) return;
    const request = game.request(this.agent, game.seconds, { all_moves: true });
    const search = await this.#searcher.run(request, game.board).catch((error) => this.screen.complain(error));
    if (!search) return;
    history.note(game.moves.length, search, game.board.seats);
    view.update();
    line.number();
  }

  /** @param {Search} search */
  #listen(search) {
    this.#searches.set(search.position, search);
    this.screen.view.updateSoon();
  }

  /** Search with another agent, or for another time. @param {string} agent @param {number} seconds 0.1 to 60. */
  change(agent, seconds) {
    this.agent = agent;
    this.screen.game.seconds = seconds > 0 && seconds <= 60 ? seconds : settings.seconds;
    this.#searches.clear();
    this.screen.resume();
  }
}
