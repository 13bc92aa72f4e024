// @ts-check
// The card at the end of a game: who won and how, what it took, and what can be done next.

import { PERSON } from "../game_link.js";
import { agentTitle, known, say } from "../language.js";
import { bestTime, myGames, winsInARow } from "../my_games.js";
import { levelOf } from "../opponents.js";
import { icon, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { GameState } from "../game.js" */
/** @import { PlayScreen } from "../screens/play.js" */
/** @typedef {{best: number | null, record: boolean, stars: number, row: number}} Result What a game that ended adds to what this browser keeps. */

const STRONGEST = 5;
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

/** @param {{screen: PlayScreen}} props */
export function EndCard({ screen }) {
  const { game, result } = screen;
  const { board } = game;
  return h("section", { class: `end-card ${board.seats === 1 ? "alone" : ""}`, "aria-label": say("end.card") },
    h("h2", {}, headline(game)),
    h("p", { class: "how quiet" }, how(game)),
    result && result.stars > 0 && h("p", { class: "stars", role: "img", "aria-label": say("end.stars", { stars: result.stars }) }, [1, 2, 3].map((each) => h("span", { class: each <= result.stars ? "star lit" : "star" }, icon("web.review")))),
    h("div", { class: "stats" },
      stat(String(game.moves.length), say("end.moves")),
      result && stat(clock(screen.spent), say("end.time")),
      result?.best != null && stat(clock(result.best), say(result.record ? "end.record_new" : "end.record"), result.record),
      result && result.row > 1 && stat(String(result.row), say("end.row"), true)),
    h("div", { class: "next" }, actions(screen)));
}

/** @param {string} value @param {string} name @param {boolean} [gold] */
const stat = (value, name, gold = false) => h("div", { class: gold ? "gold" : null }, h("b", {}, value), h("small", {}, name));

/** @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Who won, to the person who plays. @param {GameState} game */
function headline(game) {
  const { board, winner, players, end } = game;
  if (board.seats === 1) return say(end === "cleared" ? "end.you_cleared" : "end.you_stuck");
  if (winner === null) return say("end.you_drew");
  const people = players.filter((each) => each === PERSON).length;
  return players[winner] === PERSON && people === 1 ? say("end.you_won") : say("end.they_won", { who: game.called(winner) });
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
function actions(screen) {
  const { game, puzzle } = screen;
  const alone = game.board.seats === 1;
  const rival = game.players.findIndex((each) => levelOf(each) > 0);
  const level = rival < 0 ? 0 : levelOf(game.players[rival]);
  const won = game.winner !== null && game.winner !== rival;
  const next = game.players.map((each, seat) => (seat === rival ? `level:${level + 1}` : each));
  return [
    alone && puzzle.ending(),
    game.moves.length > 0 && tool("web.review", () => screen.review(), { class: alone ? null : "primary" }),
    alone ? game.end !== "stuck" && tool("screen.again_alone", () => screen.again()) : tool("web.rematch", () => screen.rematch()),
    level > 0 && level < STRONGEST && won && tool("web.next_opponent", () => screen.again(next), {}, `${agentTitle(next[rival])} ›`),
  ];
}
