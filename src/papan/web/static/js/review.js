// @ts-check
// A whole game against the truth: what each move was worth, and which ones changed the result.

import { boardOf, think } from "./api.js";
import { player, say, signed } from "./language.js";
import { Story } from "./thinking.js";

/** @typedef {{ply: number, seat: number, move: string, lost: number, changed: boolean, better: string[], proved: boolean}} Verdict */

const SECONDS = 2;

/** Judge every move of a line; *told* hears each story as it is found.
 * @param {string} start @param {string[]} line @param {AbortSignal} signal
 * @param {(ply: number, story: Story) => void} told
 * @returns {AsyncGenerator<Verdict>} */
export async function* review(start, line, signal, told) {
  /** @type {{value: number, seat: number, exact: boolean} | null} */
  let before = null;
  /** @type {string[]} */
  let best = [];
  for (let ply = 0; ply <= line.length && !signal.aborted; ply += 1) {
    const board = await boardOf(start, line.slice(0, ply));
    const after = await truth(start, line.slice(0, ply), board, signal, (story) => told(ply, story));
    if (ply && before && after.value !== null) {
      const now = board.seats === 1 || after.seat === before.seat ? after.value : -after.value;
      const lost = before.value - now;
      const seat = before.seat;
      yield {
        ply: ply - 1, seat, move: line[ply - 1], lost, better: lost > 0 ? best : [],
        changed: Math.sign(before.value) !== Math.sign(now) && lost > 0,
        proved: before.exact && after.exact,
      };
    }
    before = after.value === null ? null : { value: after.value, seat: after.seat, exact: after.exact };
    best = after.best;
  }
}

/** @param {string} start @param {string[]} moves @param {import("./api.js").Board} board
 * @param {AbortSignal} signal @param {(story: Story) => void} told */
async function truth(start, moves, board, signal, told) {
  if (board.end !== "open") {
    const [first, second] = board.scores;
    return { value: board.seats === 1 ? first : first - second, seat: 0, exact: true, best: [] };
  }
  const agent = board.solver ? "solver" : "alphabeta";
  const story = new Story(agent, board.position, board.turn);
  const thought = { start, moves: moves.join(" "), agent, seconds: SECONDS, all_moves: true };
  for await (const event of think(thought, signal)) story.hear(event);
  told(story);
  const found = story.analysis;
  return { value: found?.value ?? null, seat: board.turn, exact: Boolean(found?.exact), best: found?.best ?? [] };
}

/** A verdict in words.
 * @param {Verdict} verdict @param {number} seats */
export function verdictText(verdict, seats) {
  const facts = {
    player: player(verdict.seat, seats), move: verdict.move, better: verdict.better.join(" "), lost: signed(-verdict.lost),
  };
  const text = say(verdict.changed ? "web.review_changed" : "web.review_lost", facts);
  return verdict.proved ? text : `${text} (${say("kind.estimate")})`;
}
