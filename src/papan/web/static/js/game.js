// @ts-check
// A game in progress: play, undo, redo, resign, the record. The rules are the server's.

import { Refusal, boardOf, readMove } from "./api.js";
import { agentTitle, say } from "./language.js";
import { PERSON, seatOfPerson } from "./saved_game.js";
/** @import { Setup } from "./saved_game.js" */
/** @import { BoardFacts as Board, SearchRequest } from "./wire.d.ts" */

export class GameState {
  /** @param {Setup} setup @param {Board} board */
  constructor(setup, board) {
    this.start = setup.start;
    this.players = setup.players;
    this.seconds = setup.seconds;
    this.names = setup.names ?? [];
    this.hints = setup.hints ?? []; // that each seat has asked for
    this.board = board;
    this.watched = false; // only watched: no seat can be played from here
    this.undone = (setup.then ?? []).slice().reverse();
    this.givenUp = setup.givenUp ?? null;
  }

  /** @param {Setup} setup */
  static async open(setup) {
    const agents = setup.players.filter((each) => each !== PERSON);
    const needed = setup.then?.length ? [] : agents; // agents of a replay may be gone
    return new GameState(setup, await boardOf(setup.start, setup.moves, needed));
  }

  get moves() { return this.board.moves; }

  /** All moves, also those that were taken back. */
  get line() { return [...this.moves, ...this.undone.slice().reverse()]; }

  /** Return the name of the player on a seat: of the person, or else of the agent. @param {number} seat */
  called(seat) {
    const [who, people] = [this.players[seat], this.players.filter((each) => each === PERSON).length];
    return this.names[seat] || (people > 1 ? say(`web.seat_${seat + 1}`) : agentTitle(who));
  }

  /** Count a hint that the seat to move has asked for. */
  countHint() {
    this.hints = this.players.map((_, seat) => (this.hints[seat] ?? 0) + Number(seat === this.board.turn));
  }

  /** The player to move: "human", or the spec of an agent. */
  get mover() { return this.players[this.board.turn]; }

  /** How the game ended, or "open"; a resignation counts after the last move only. */
  get end() { return this.givenUp && !this.undone.length ? this.givenUp.end : this.board.end; }

  get over() { return this.end !== "open"; }

  get personToMove() { return !this.over && !this.watched && this.mover === PERSON; }

  /** True if people alone play. */
  get alone() { return this.players.every((each) => each === PERSON); }

  get hasPerson() { return !this.watched && this.players.includes(PERSON); }

  /** The seat of the only person; null if none or two people play. */
  get you() { return this.watched ? null : seatOfPerson(this.players); }

  /** The seat that won. */
  get winner() {
    if (!this.givenUp || this.undone.length) return this.board.winner;
    return this.board.seats === 2 ? 2 - this.givenUp.blame : null;
  }

  /**
   * Make a move; throws a Refusal that says why it cannot be made.
   * @param {string} move
   * @param {(name: string) => Board | Promise<Board> | undefined} [reached] Returns the board after it, if known.
   */
  async play(move, reached) {
    const name = await this.legal(move);
    const board = await (reached?.(name) ?? boardOf(this.start, [...this.moves, name]));
    this.undone = [];
    this.givenUp = null;
    this.board = board;
  }

  /**
   * Return the name of the legal move that a text means; throws a Refusal with the reason if it is none.
   * @param {string} move
   */
  async legal(move) {
    if (this.board.legal.some((each) => each.m === move)) return move;
    const { name, problem } = await readMove(this.start, this.moves, move);
    if (problem) throw new Refusal(422, problem.key, problem.values);
    return name;
  }

  /** Go back to the last choice of a person, or by one move if none plays. */
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

  /** Go to the position after *count* moves; the others can be made again. @param {number} count */
  async go(count) {
    const { line } = this;
    this.board = await boardOf(this.start, line.slice(0, count));
    this.undone = line.slice(count).reverse();
  }

  /**
   * End the game by the doing of a seat: it resigned, or ran out of time.
   * @param {"resigned" | "timeout"} end
   * @param {number} seat
   */
  giveUp(end, seat) { this.givenUp = { end, blame: seat + 1 }; }

  /**
   * Return the request of a search of this position.
   * @param {string} agent
   * @param {number} seconds
   * @param {Partial<SearchRequest>} [more]
   * @returns {SearchRequest}
   */
  request(agent, seconds, more = {}) {
    return { start: this.start, moves: this.moves.join(" "), agent, seconds, ...more };
  }

  /** Return the game so far as one line of JSON, as the terminal reads it. @param {string[]} [agents] */
  record(agents = this.players) {
    const { game, start, scores } = this.board;
    const blamed = this.givenUp ? { blame: this.givenUp.blame, reason: "" } : {};
    const named = this.names.some(Boolean) ? { names: agents.map((_, seat) => this.names[seat] ?? "") } : {};
    const helped = this.hints.some(Boolean) ? { hints: agents.map((_, seat) => this.hints[seat] ?? 0) } : {};
    const facts = { game, start, agents, moves: this.moves.join(" "), scores, end: this.end };
    const record = { ...facts, ...blamed, ...named, ...helped };
    return `${JSON.stringify(record)}\n`;
  }
}
