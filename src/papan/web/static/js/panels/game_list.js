// @ts-check
// The games of a tournament or a contest, page by page: all, or those of one player or two.

import { say } from "../language.js";
import { addressOf } from "../saved_game.js";
import { Part, labelled, link, select, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Child } from "../vendor/preact.mjs" */

const SECONDS = 2; // of a search, where a game is replayed

/** Return the address that replays a game. @param {{start: string, moves: string}} game @param {string} spec */
export function replayOf({ start, moves }, spec) {
  return addressOf("analyse", { start, moves: moves.split(" ").filter(Boolean), players: [], seconds: SECONDS }, spec);
}

/** @typedef {{number: number, start: string, moves: string}} Listed */
/**
 * @typedef {object} GameListProps
 * @property {string} sheet The name of its sheet.
 * @property {number} over How many games are over: more are loaded when it grows, if all others are shown.
 * @property {string[][]} players The players to choose from, each with a name for people.
 * @property {string[]} between The players whose games are listed; empty for any.
 * @property {(one: string, other: string) => void} choose
 * @property {(wanted: {one: string, other: string, after: number}) => Promise<{games: any[], total: number}>} load
 * @property {(game: any) => Child} line Draws a game.
 * @property {(game: any) => string} spec The spec of the game that was played.
 */

/** The list, in the order of play. @extends {Part<GameListProps>} */
export class GameList extends Part {
  /** @type {Listed[]} */
  games = [];
  total = 0;
  loading = false;
  seen = 0; // number of finished games at the last request

  componentDidMount() { this.more(); }

  componentDidUpdate() {
    if (this.seen !== this.props.over && this.games.length === this.total) this.more();
  }

  /** Load the next page of games. */
  async more() {
    if (this.loading) return;
    this.loading = true;
    this.seen = this.props.over;
    await this.attempt(async () => {
      const [one, other] = this.props.between;
      const page = await this.props.load({ one, other, after: this.games.length });
      this.games = [...this.games, ...page.games];
      this.total = page.total;
    });
    this.loading = false;
    this.update();
  }

  /** @param {GameListProps} props */
  render({ sheet, players, between: [one, other], choose, line, spec }) {
    const { games, total } = this;
    const options = [["", say("arena.everybody")], ...players];
    return h("section", { class: "sheet", "data-sheet": sheet },
      h("h2", {}, say("arena.all_games")),
      h("div", { class: "pair" },
        labelled(say("arena.games_one"), select(one, options, (player) => choose(player, other))),
        labelled(say("arena.games_other"), select(other, options, (player) => choose(one, player))),
      ),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("p", { class: "quiet", role: "status" }, say("arena.games_found", { count: total })),
      h("ol", { class: "all-games" },
        games.map((game) =>
          h("li", { key: game.number }, link(replayOf(game, spec(game)), [`${game.number + 1}. `, line(game)])),
        ),
      ),
      games.length < total && tool("arena.games_more", () => this.more()),
    );
  }
}
