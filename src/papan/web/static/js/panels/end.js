// @ts-check
// The card at the end of a game: who won and how, what it took, and what can be done next.

import { review } from "../api.js";
import { agentTitle, calledInWords, known, minutes, say } from "../language.js";
import { icon, tool } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
import { wordsOf } from "./review.js";
import { levelOf } from "../players.js";
import { bestTime, myGames, winsInARow } from "../saved_game.js";
/** @import { GameState } from "../game.js" */
/** @import { PlayScreen } from "../screens/play.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { Verdict } from "./review.js" */
/** @typedef {{best: number | null, record: boolean, stars: number, row: number}} Result What a game that ended adds to what this browser keeps. */

const STRONGEST = 5;
const FEWEST = 5; // moves that are worth a judgement
const PAUSE = 500; // milliseconds: who goes on at once does not wait for it
export const HELPED = { hint: "hint", undo: "undo" };

/** What a finished game of a person adds to those before it: wins in a row, the best time of a cleared board and its stars.
 * @param {GameState} game @param {string} id Of the game itself, which may be among those kept. @param {number} seconds @param {Set<string>} aids What was asked for. @returns {Result} */
export function resultOf(game, id, seconds, aids) {
  const facts = JSON.parse(game.record());
  const earlier = myGames().filter((each) => each.id !== id);
  if (game.end !== "cleared") return { best: null, record: false, stars: 0, row: winsInARow(facts, earlier) };
  const best = bestTime(facts, earlier);
  const record = best === null || seconds < best;
  return { best: record ? seconds : best, record, stars: 1 + Number(!aids.has(HELPED.hint)) + Number(!aids.has(HELPED.undo)), row: 0 };
}

/** @typedef {object} EndProps
 * @property {GameState} game As whoever looks at it sees it.
 * @property {Result | null} [result]
 * @property {number} [spent] Seconds.
 * @property {Child} next What can be done now; nothing where that stands elsewhere. */

/** @extends {Component<EndProps>} */
export class EndCard extends Component {
  /** @type {Verdict[]} */
  verdicts = []; // the first move first
  /** @type {Record<string, number> | null} */
  counts = null; // of the one person, when every move is judged
  judging = this.props.game.you !== null && this.props.game.board.seats === 2 && this.props.game.moves.length >= FEWEST;
  controller = new AbortController();
  timer = 0;

  componentDidMount() { if (this.judging) this.timer = window.setTimeout(() => this.#judge(), PAUSE); }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  /** Have the game judged while the card is looked at; where that fails, the review itself will say why. */
  async #judge() {
    const { start, moves, you } = this.props.game;
    try {
      for await (const event of review({ start, moves: moves.join(" ") }, this.controller.signal)) {
        if (event.t === "verdict") this.verdicts.unshift(/** @type {Verdict} */ (/** @type {unknown} */ (event)));
        else if (event.t === "answer") this.counts = event.counts[you ?? 0];
      }
    } catch {
      // The card stays as it is.
    }
    this.judging = false;
    if (!this.controller.signal.aborted) this.forceUpdate();
  }

  /** @param {EndProps} props */
  render(props) { return card(props, this.judging, this.counts, this.verdicts.findLast((each) => each.kind === "changed")); }
}

/** The share of moves without error; an estimate where a part of it is one. @param {boolean} judging @param {Record<string, number> | null} counts */
function accuracy(judging, counts) {
  if (!judging && !counts?.judged) return null;
  return stat(counts?.judged ? `${Math.round((100 * counts.best) / counts.judged)}%` : "…", say(counts?.guessed ? "end.accuracy_guess" : "end.accuracy"));
}

/** The move that decided the game, in a sentence; its room is kept while it is looked for.
 * @param {boolean} judging @param {boolean} judged @param {Verdict | undefined} verdict @param {GameState} game */
function turningPoint(judging, judged, verdict, { players, names, board }) {
  if (!judging && !judged) return null;
  return h("p", { class: "turning", role: "status" }, judging ? say("end.judging") : verdict
    ? [h("b", {}, say("end.turning", { ply: verdict.ply + 1, move: verdict.move })), " ", wordsOf(verdict, calledInWords(players, names, board.seats))] : say("end.no_turning"));
}

/** @param {EndProps} props @param {boolean} judging @param {Record<string, number> | null} counts @param {Verdict | undefined} turned */
function card({ game, result, spent = 0, next }, judging, counts, turned) {
  const { board } = game;
  return h("section", { class: `end-card ${board.seats === 1 ? "alone" : ""}`, "aria-label": say("end.card") },
    h("h2", {}, headline(game)),
    h("p", { class: "how quiet" }, how(game)),
    result && result.stars > 0 && h("p", { class: "stars", role: "img", "aria-label": say("end.stars", { stars: result.stars }) }, [1, 2, 3].map((each) => h("span", { class: each <= result.stars ? "star lit" : "star" }, icon("web.review")))),
    h("div", { class: "stats" },
      accuracy(judging, counts),
      stat(String(game.moves.length), say("end.moves")),
      result && stat(minutes(spent), say("end.time")),
      result?.best != null && stat(minutes(result.best), say(result.record ? "end.record_new" : "end.record"), result.record),
      result && result.row > 1 && stat(String(result.row), say("end.row"), true)),
    turningPoint(judging, counts !== null, turned, game),
    next);
}

/** @param {string} value @param {string} name @param {boolean} [gold] */
const stat = (value, name, gold = false) => h("div", { class: gold ? "gold" : null }, h("b", {}, value), h("small", {}, name));

/** Who won, to the person who plays. @param {GameState} game */
function headline(game) {
  const { board, winner, you, end } = game;
  if (board.seats === 1) return say(end === "cleared" ? "end.you_cleared" : "end.you_stuck");
  if (winner === null) return say("end.you_drew");
  return winner === you ? say("end.you_won") : say("end.they_won", { player: game.called(winner) });
}

/** How it came to that. @param {GameState} game */
function how({ board, end, moves }) {
  const [first, second] = board.scores;
  if (end === "resigned" || end === "timeout") return say(`end.how_${end}`);
  if (end === "stuck") return say("web.stuck");
  if (board.seats === 1) return say("end.how_cleared", { moves: moves.length });
  if (board.most === 1) return say(end === "draw" ? "end.how_full" : known(`end.line_${board.name}`) ? `end.line_${board.name}` : "end.how_line", { move: moves.at(-1), moves: moves.length });
  return say("end.how_scores", { first, second });
}

/** What can be done next: one thing above all. @param {PlayScreen} screen */
export function actions(screen) {
  const { game, puzzle, docked } = screen;
  const alone = game.board.seats === 1;
  const rival = game.players.findIndex((each) => levelOf(each) > 0);
  const level = rival < 0 ? 0 : levelOf(game.players[rival]);
  const won = game.winner !== null && game.winner !== rival;
  const next = game.players.map((each, seat) => (seat === rival ? `level:${level + 1}` : each));
  return h("div", { class: "next" },
    alone && puzzle.ending(),
    game.moves.length > 0 && tool("web.review", () => screen.review(), { class: alone ? null : "primary" }, docked ? say("end.review") : ""),
    alone ? game.end !== "stuck" && tool("screen.again_alone", () => screen.again()) : tool("web.rematch", () => screen.rematch(), {}, docked ? say("end.again") : ""),
    level > 0 && level < STRONGEST && won && tool("web.next_opponent", () => screen.again(next), {}, say("end.next", { opponent: agentTitle(next[rival]) })));
}
