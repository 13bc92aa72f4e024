// @ts-check
// A game in progress, whoever sits on the seats: play, undo, redo, resign. The rules are the server's.

import { boardOf } from "./api.js";
import { clockOf, writeClock } from "./clock.js";

/** @typedef {import("./api.js").Board} Board */

export const PERSON = "human";
export const LAST = "papan.last"; // where the browser keeps the way back to the game that was left

/**
 * @typedef {object} Facts
 * @property {string} start Where the game begins: a game, or a position.
 * @property {string[]} moves
 * @property {string[]} seats Who sits there: "human", or an agent.
 * @property {number} seconds How long agents think.
 * @property {import("./clock.js").ClockFacts | null} [clock] How much time the seats have.
 * @property {string[]} [then] Moves that are still to be shown.
 * @property {GivenUp | null} [givenUp]
 *
 * @typedef {{end: string, blame: number}} GivenUp How a seat, counted from 1, ended the game.
 */

export class Table {
  /** @param {Facts} facts @param {Board} board */
  constructor(facts, board) {
    this.start = facts.start;
    this.seats = facts.seats;
    this.seconds = facts.seconds;
    this.board = board;
    this.watched = false; // a game that is only looked at: nobody here may move
    this.undone = (facts.then ?? []).slice().reverse();
    this.givenUp = facts.givenUp ?? null;
  }

  /** @param {Facts} facts */
  static async open(facts) {
    return new Table(facts, await boardOf(facts.start, facts.moves));
  }

  get moves() {
    return this.board.moves;
  }

  /** Who is to move. */
  get sitter() {
    return this.seats[this.board.turn];
  }

  /** How the game ended, or "open"; who gave up did so after the last move. */
  get end() {
    return this.givenUp && !this.undone.length ? this.givenUp.end : this.board.end;
  }

  get over() {
    return this.end !== "open";
  }

  get personToMove() {
    return !this.over && !this.watched && this.sitter === PERSON;
  }

  get hasPerson() {
    return !this.watched && this.seats.includes(PERSON);
  }

  /** The seat that won. */
  get winner() {
    if (!this.givenUp || this.undone.length) return this.board.winner;
    return this.board.seats === 2 ? 2 - this.givenUp.blame : null;
  }

  /** Make a move; raises what the server says against it.
   * @param {string} move */
  async play(move) {
    const board = await boardOf(this.start, [...this.moves, move]);
    this.undone = [];
    this.givenUp = null;
    this.board = board;
  }

  /** Back to the last choice of a person, or by one move where none plays. */
  async undo() {
    if (this.givenUp && !this.undone.length && !this.watched) {
      this.givenUp = null;
      return;
    }
    let count = this.moves.length - 1;
    while (count > 0 && this.hasPerson && this.seats[this.board.turns[count]] !== PERSON) count -= 1;
    if (count >= 0) await this.go(count);
  }

  /** Make the moves again that were taken back, to the next choice of a person. */
  async redo() {
    if (!this.undone.length) return;
    const line = [...this.moves, ...this.undone.slice().reverse()];
    const whole = await boardOf(this.start, line);
    let count = this.moves.length + 1;
    const waiting = () => count < line.length && this.seats[whole.turns[count]] !== PERSON;
    while (this.hasPerson && waiting()) count += 1;
    await this.go(count, line);
  }

  /** To the position after so many moves; the others can be made again.
   * @param {number} count @param {string[]} [line] */
  async go(count, line = [...this.moves, ...this.undone.slice().reverse()]) {
    this.board = await boardOf(this.start, line.slice(0, count));
    this.undone = line.slice(count).reverse();
  }

  /** End the game by the doing of a seat: it resigned, or ran out of time.
   * @param {"resigned" | "timeout"} end @param {number} seat */
  giveUp(end, seat) {
    this.givenUp = { end, blame: seat + 1 };
  }

  /** The game so far as one line of JSON, as the terminal reads it. */
  record() {
    const board = this.board;
    const facts = {
      game: board.game,
      start: board.start,
      agents: this.seats,
      moves: this.moves.join(" "),
      scores: board.scores,
      end: this.end,
      ...(this.givenUp ? { blame: this.givenUp.blame, reason: "" } : {}),
    };
    return JSON.stringify(facts);
  }
}

/** The address that shows this state of a game.
 * @param {string} screen @param {Facts} facts @param {string} game */
export function addressOf(screen, facts, game) {
  const words = new URLSearchParams();
  if (facts.start !== game) words.set("pos", facts.start);
  if (facts.moves.length) words.set("moves", facts.moves.join(" "));
  if (facts.seats.length) words.set("seats", facts.seats.join("|"));
  words.set("seconds", String(facts.seconds));
  if (facts.clock) writeClock(words, facts.clock);
  if (facts.then?.length) words.set("then", facts.then.join(" "));
  if (facts.givenUp) words.set("end", `${facts.givenUp.end}|${facts.givenUp.blame}`);
  return `/${screen}/${encodeURIComponent(game)}?${words}`;
}

/** What an address says about a game.
 * @param {URL} url @param {Facts} usual @returns {{game: string, facts: Facts}} */
export function factsOf(url, usual) {
  const game = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  const words = url.searchParams;
  const seconds = Number(words.get("seconds") ?? usual.seconds);
  const seats = words.get("seats");
  return {
    game,
    facts: {
      start: words.get("pos") ?? game,
      moves: (words.get("moves") ?? "").split(" ").filter(Boolean),
      seats: seats ? seats.split("|") : usual.seats,
      seconds: seconds > 0 && seconds <= 60 ? seconds : usual.seconds,
      clock: clockOf(words),
      then: (words.get("then") ?? "").split(" ").filter(Boolean),
      givenUp: givenUpOf(words.get("end") ?? ""),
    },
  };
}

/** @param {string} text @returns {GivenUp | null} */
function givenUpOf(text) {
  const found = /^(resigned|timeout|illegal|crash)\|([12])$/.exec(text);
  return found && { end: found[1], blame: Number(found[2]) };
}
