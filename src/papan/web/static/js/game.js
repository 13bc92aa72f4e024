// @ts-check
// A game in progress, whoever plays it: play, undo, redo, resign, the link and the record. The rules are the server's.

import { boardOf } from "./api.js";
import { clockOf, writeClock } from "./clock.js";

/** @typedef {import("./wire.d.ts").Board} Board */

export const PERSON = "human";
export const LAST = "papan.last"; // where the browser keeps the way back to the game that was left

/**
 * @typedef {object} Setup What a link says of a game.
 * @property {string} start Where the game begins: a game, or a position.
 * @property {string[]} moves
 * @property {string[]} players "human", or an agent, for each seat.
 * @property {number} seconds How long agents think.
 * @property {import("./clock.js").ClockFacts | null} [clock] How much time the players have.
 * @property {string[]} [then] Moves that are still to be shown.
 * @property {GivenUp | null} [givenUp]
 *
 * @typedef {{end: string, blame: number}} GivenUp How a seat, counted from 1, ended the game.
 */

export class GameState {
  /** @param {Setup} setup @param {Board} board */
  constructor(setup, board) {
    this.start = setup.start;
    this.players = setup.players;
    this.seconds = setup.seconds;
    this.board = board;
    this.watched = false; // a game that is only looked at: nobody here may move
    this.undone = (setup.then ?? []).slice().reverse();
    this.givenUp = setup.givenUp ?? null;
  }

  /** @param {Setup} setup */
  static async open(setup) {
    return new GameState(setup, await boardOf(setup.start, setup.moves));
  }

  get moves() {
    return this.board.moves;
  }

  /** All moves, also those that were taken back. */
  get line() {
    return [...this.moves, ...this.undone.slice().reverse()];
  }

  /** Who is to move. */
  get mover() {
    return this.players[this.board.turn];
  }

  /** How the game ended, or "open"; who gave up did so after the last move. */
  get end() {
    return this.givenUp && !this.undone.length ? this.givenUp.end : this.board.end;
  }

  get over() {
    return this.end !== "open";
  }

  get personToMove() {
    return !this.over && !this.watched && this.mover === PERSON;
  }

  get hasPerson() {
    return !this.watched && this.players.includes(PERSON);
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
    while (count > 0 && this.hasPerson && this.players[this.board.turns[count]] !== PERSON) count -= 1;
    if (count >= 0) await this.go(count);
  }

  /** Make the moves again that were taken back, to the next choice of a person. */
  async redo() {
    if (!this.undone.length) return;
    const { line } = this;
    const { turns } = await boardOf(this.start, line);
    let count = this.moves.length + 1;
    while (this.hasPerson && count < line.length && this.players[turns[count]] !== PERSON) count += 1;
    await this.go(count);
  }

  /** To the position after so many moves; the others can be made again.
   * @param {number} count */
  async go(count) {
    const { line } = this;
    this.board = await boardOf(this.start, line.slice(0, count));
    this.undone = line.slice(count).reverse();
  }

  /** End the game by the doing of a seat: it resigned, or ran out of time.
   * @param {"resigned" | "timeout"} end @param {number} seat */
  giveUp(end, seat) {
    this.givenUp = { end, blame: seat + 1 };
  }

  /** What a search of this position is asked for.
   * @param {string} agent @param {number} seconds @param {Partial<import("./wire.d.ts").SearchRequest>} [more]
   * @returns {import("./wire.d.ts").SearchRequest} */
  request(agent, seconds, more = {}) {
    return { start: this.start, moves: this.moves.join(" "), agent, seconds, ...more };
  }

  /** The game so far as one line of JSON, as the terminal reads it.
   * @param {string[]} [agents] */
  record(agents = this.players) {
    const { game, start, scores } = this.board;
    const blamed = this.givenUp ? { blame: this.givenUp.blame, reason: "" } : {};
    return `${JSON.stringify({ game, start, agents, moves: this.moves.join(" "), scores, end: this.end, ...blamed })}\n`;
  }
}

/** The address that shows this state of a game.
 * @param {string} screen @param {Setup} setup @param {string} game */
export function addressOf(screen, setup, game) {
  const words = new URLSearchParams();
  if (setup.start !== game) words.set("pos", setup.start);
  if (setup.moves.length) words.set("moves", setup.moves.join(" "));
  if (setup.players.length) words.set("seats", setup.players.join("|"));
  words.set("seconds", String(setup.seconds));
  if (setup.clock) writeClock(words, setup.clock);
  if (setup.then?.length) words.set("then", setup.then.join(" "));
  if (setup.givenUp) words.set("end", `${setup.givenUp.end}|${setup.givenUp.blame}`);
  return `/${screen}/${encodeURIComponent(game)}?${words}`;
}

/** What an address says about a game.
 * @param {URL} url @param {Pick<Setup, "players" | "seconds">} usual @returns {{game: string, setup: Setup}} */
export function setupOf(url, usual) {
  const game = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  const words = url.searchParams;
  const listed = (/** @type {string} */ name, separator = " ") => (words.get(name) ?? "").split(separator).filter(Boolean);
  const seconds = Number(words.get("seconds") ?? usual.seconds);
  const ended = /^(resigned|timeout|illegal|crash)\|([12])$/.exec(words.get("end") ?? "");
  return {
    game,
    setup: {
      start: words.get("pos") ?? game,
      moves: listed("moves"),
      players: words.get("seats") ? String(words.get("seats")).split("|") : usual.players,
      seconds: seconds > 0 && seconds <= 60 ? seconds : usual.seconds,
      clock: clockOf(words),
      then: listed("then"),
      givenUp: ended && { end: ended[1], blame: Number(ended[2]) },
    },
  };
}
