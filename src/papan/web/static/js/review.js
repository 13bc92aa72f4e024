// @ts-check
// A whole game against the truth: what each move was worth, and which ones changed the result.

import { boardOf, think } from "./api.js";
import { SIGNS, player, say, signed } from "./language.js";
import { Story } from "./thinking.js";

/** @typedef {"optimal" | "lost" | "changed" | "open"} Judgement */

/**
 * @typedef {object} Verdict
 * @property {number} ply
 * @property {number} seat
 * @property {string} move
 * @property {Judgement} kind *open*: nothing is known.
 * @property {number} lost How much value: exactly, or at least, or by an estimate.
 * @property {"exact" | "lower" | "estimate"} sure
 * @property {string[]} better
 */

/** @typedef {{low: number, high: number, guess: number | null, seat: number, best: string[]}} Truth */

const SECONDS = 2;

/** Judge every move of a line; *told* hears each story as it is found.
 * @param {string} start @param {string[]} line @param {AbortSignal} signal
 * @param {(ply: number, story: Story) => void} told
 * @returns {AsyncGenerator<Verdict>} */
export async function* review(start, line, signal, told) {
  /** @type {Truth | null} */
  let before = null;
  for (let ply = 0; ply <= line.length && !signal.aborted; ply += 1) {
    const board = await boardOf(start, line.slice(0, ply));
    const after = await truth(start, line.slice(0, ply), board, signal, (story) => told(ply, story));
    if (before) yield { ply: ply - 1, seat: before.seat, move: line[ply - 1], ...judged(before, seenBy(after, before.seat, board.seats)) };
    before = after;
  }
}

/** What is known of a position: bounds of its value for the seat to move, and a guess.
 * @param {string} start @param {string[]} moves @param {import("./api.js").Board} board
 * @param {AbortSignal} signal @param {(story: Story) => void} told @returns {Promise<Truth>} */
async function truth(start, moves, board, signal, told) {
  if (board.end !== "open") {
    const [first, second] = board.scores;
    const value = board.seats === 1 ? first : first - second;
    return { low: value, high: value, guess: value, seat: 0, best: [] };
  }
  const agent = board.solver ? "solver" : "alphabeta";
  const story = new Story(agent, board.position, board.turn);
  const thought = { start, moves: moves.join(" "), agent, seconds: SECONDS, all_moves: true };
  for await (const event of think(thought, signal)) story.hear(event);
  told(story);
  const found = story.analysis;
  const value = found?.value ?? null;
  const [low, high] = found?.exact && value !== null ? [value, value] : found?.bounds ?? [null, null];
  return { low: low ?? -Infinity, high: high ?? Infinity, guess: value, seat: board.turn, best: found?.best ?? [] };
}

/** The same truth for another seat.
 * @param {Truth} truth @param {number} seat @param {number} seats @returns {Truth} */
function seenBy(truth, seat, seats) {
  if (seats === 1 || truth.seat === seat) return truth;
  return { ...truth, seat, low: -truth.high, high: -truth.low, guess: truth.guess === null ? null : -truth.guess };
}

/** How good a move was that led from one position to another, both as its player sees them.
 * @param {Truth} before @param {Truth} after @returns {Pick<Verdict, "kind" | "lost" | "sure" | "better">} */
function judged(before, after) {
  const [least, most] = [before.low - after.high, before.high - after.low];
  if (most <= 0) return { kind: "optimal", lost: 0, sure: "exact", better: [] };
  if (least > 0) {
    const kind = Math.sign(before.low) > Math.sign(after.high) ? "changed" : "lost";
    return { kind, lost: least, sure: least === most ? "exact" : "lower", better: before.best };
  }
  if (before.guess === null || after.guess === null) return { kind: "open", lost: 0, sure: "estimate", better: [] };
  const lost = before.guess - after.guess;
  if (lost <= 0) return { kind: "optimal", lost: 0, sure: "estimate", better: [] };
  return { kind: Math.sign(before.guess) > Math.sign(after.guess) ? "changed" : "lost", lost, sure: "estimate", better: before.best };
}

/** A verdict in words.
 * @param {Verdict} verdict @param {number} seats */
export function verdictText(verdict, seats) {
  const { kind, sure, lost } = verdict;
  const amount = `${sure === "exact" ? "" : `${SIGNS[sure]} `}${signed(-lost).replace(/^\u2212/, "")}`;
  const facts = { player: player(verdict.seat, seats), move: verdict.move, better: verdict.better.join(" "), lost: amount };
  const text = say(kind === "open" ? "web.review_open" : kind === "changed" ? "web.review_changed" : "web.review_lost", facts);
  return sure === "estimate" && kind !== "open" ? `${text} (${say("web.review_estimate")})` : text;
}

/** What the verdicts on one seat add up to.
 * @param {Verdict[]} verdicts */
export function summary(verdicts) {
  const judgedMoves = verdicts.filter((each) => each.kind !== "open");
  const count = (/** @type {Judgement} */ kind) => judgedMoves.filter((each) => each.kind === kind).length;
  return {
    judged: judgedMoves.length,
    optimal: count("optimal"),
    lost: count("lost"),
    changed: count("changed"),
    open: verdicts.length - judgedMoves.length,
    guessed: judgedMoves.filter((each) => each.sure === "estimate").length,
    total: judgedMoves.reduce((sum, each) => sum + each.lost, 0),
    accuracy: judgedMoves.length ? Math.round((100 * count("optimal")) / judgedMoves.length) : null,
  };
}
