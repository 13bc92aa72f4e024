// @ts-check
// Turns: lets agents move, replays go on and clocks run, until the game is paused or an agent stopped.

import { Refusal, boardOf } from "./api.js";
import { agentTitle, player, say, trouble } from "./language.js";
import { PERSON } from "./saved_game.js";
import { Searcher, keepSearch, keptSearch } from "./search.js";
import { settings } from "./settings.js";
import { announce } from "./ui.js";
import { pauseFor, turningPoint } from "./watching.js";
/** @import { GameState } from "./game.js" */
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { Search } from "./search.js" */
/** @import { TurnRequest } from "./wire.d.ts" */

const LONG = 500; // milliseconds after which an agent can be hurried or stopped
const APART = 350; // milliseconds between moves that an agent makes in a row, so that each capture is seen

/** The course of a game: moves of agents and replays, pauses, clocks. */
export class Turns {
  stopped = false; // an agent waits until it is started again
  #unanswered = false; // it waits because the server is gone
  #timer = 0; // of the next move
  /** @type {(() => void) | null} */
  #due = null; // makes the next move
  #skipping = false; // the moves that an agent makes in a row follow each other at once

  /** @param {PlayScreen} play */
  constructor(play) {
    this.play = play;
    this.paused = !play.game.hasPerson; // tiles are hidden from people then, and no clock runs
  }

  /** Let the player to move think: a person with advice, an agent about its move. */
  next() {
    const { game, clocks, view, adviser } = this.play;
    if (view.left) return;
    clocks.hold();
    if (game.over || game.personToMove) this.#skipping = false;
    if (game.over) return view.update();
    const waiting = this.paused || this.stopped;
    if (!waiting) this.#runClock();
    if (game.personToMove) adviser.advise();
    else if (!waiting) this.#advance();
    view.update();
  }

  /** Cancel the next move of an agent or a replay. */
  cancel() {
    this.play.agent.stop();
    clearTimeout(this.#timer);
    this.#due = null;
  }

  /**
   * Make a move after a pause, unless it is cancelled.
   * @param {() => void} move
   * @param {number} pause Milliseconds.
   */
  #schedule(move, pause) {
    this.#due = () => {
      this.#due = null;
      move();
    };
    this.#timer = window.setTimeout(this.#due, Math.max(0, pause));
  }

  /** True while an agent moves again, such as after a capture, and a person waits for it. */
  get inARow() { return movesAgain(this.play.game) && !this.paused && !this.stopped; }

  /** Let the moves that an agent makes in a row follow each other at once. */
  skip() {
    this.#skipping = true;
    clearTimeout(this.#timer);
    this.#due?.();
  }

  /** Let the clock of the seat to move run; the first move is free where two play. */
  #runClock() {
    const { game, clocks } = this.play;
    if (game.moves.length || game.board.seats === 1) clocks.run(game.board.turn);
  }

  /** Make one move: the next of a replay, or an agent's. */
  #advance() {
    const { game, moves } = this.play;
    if (game.undone.length && game.watched) {
      const pause = this.paused ? 0 : pauseFor();
      this.#schedule(() => moves.changeAloud(() => game.redo()), pause);
    } else if (game.mover === PERSON) this.pause(true);
    else this.#moveAgent();
  }

  /** Let the agent think, then make its move; where only agents play, at the chosen speed. */
  async #moveAgent() {
    const { game, agent, clocks, moves, view } = this.play;
    const began = performance.now();
    const search = await agent.think().catch((error) => this.#refused(error));
    if (!search || view.left) return;
    const { analysis, error } = search;
    if (!analysis) return this.#fail(say(error?.key ?? "web.failed", error?.values));
    clocks.hold();
    const apart = this.inARow && !this.#skipping ? APART : 0;
    const turning = game.watched && settings.turning && this.#turningPoint(search);
    const read = this.paused ? 0 : pauseFor(search);
    this.#schedule(async () => {
      if (turning) this.paused = true;
      await moves.make(analysis.move, () => search.board);
      if (turning) this.#tell(say(turning, { agent: agentTitle(search.agent) }));
    }, (game.hasPerson ? apart : read) - (performance.now() - began));
  }

  /** Return the key of the sentence about a turning point; nothing if the move is none. @param {Search} search */
  #turningPoint(search) {
    const { game, agent } = this.play;
    return turningPoint(search, agent.latest(search.turn, game.moves.length - 1), game.board.most ?? 1);
  }

  /** Say why the game waits. @param {string} text */
  #tell(text) {
    this.play.notice = text;
    announce(text);
    this.play.update();
  }

  /** @param {unknown} error */
  #refused(error) {
    this.#unanswered = error instanceof Refusal && !error.status;
    this.#fail(trouble(error));
  }

  /** @param {string} text */
  #fail(text) {
    this.stop();
    this.play.complain(text);
  }

  /** Go on with an agent that waits for the server, now that it is back. */
  serverIsBack() { if (this.#unanswered && this.stopped) this.goOn(); }

  /** Stop the agent that thinks; it waits until `goOn`. */
  stop() {
    const { agent, clocks, game, view } = this.play;
    agent.stop();
    this.stopped = true;
    if (game.watched) this.paused = true;
    clocks.hold();
    view.update();
  }

  /** Start the agent again that was stopped. */
  goOn() {
    this.stopped = this.#unanswered = false;
    this.play.problem = "";
    this.next();
  }

  /** Pause the game, or go on with it. @param {boolean} paused */
  pause(paused) {
    const { clocks, saved } = this.play;
    this.paused = paused;
    this.stopped = false;
    this.play.stopSearches();
    clocks.hold();
    this.play.recall();
    saved.remember();
    if (!paused) this.next();
  }

  /** Make one move of an agent or a replay, then wait again. */
  step() {
    const { game, agent, view } = this.play;
    this.paused = true;
    if (game.over || agent.busy || view.busy) return;
    if (!game.undone.length) this.#runClock();
    this.#advance();
    view.update();
  }

  /** Play against the clock, or without: the board stays as it is. */
  toggleClock() {
    const { clocks, saved } = this.play;
    clocks.turn(!clocks.on);
    this.next();
    saved.remember();
  }

  /** End the game: the time of a seat is up. @param {number} seat */
  timeIsUp(seat) {
    this.play.game.giveUp("timeout", seat);
    this.play.view.change(() => {});
    announce(standing(this.play.game, this));
  }
}

/** The agent to move: its search, and the searches behind its earlier moves. */
export class AgentTurn {
  slow = false; // it has been thinking for so long that tools to hurry it are shown
  #timer = 0;
  /** @type {Map<string, Search>} By the moves before them. */
  #searches = new Map();
  #searcher = new Searcher((search) => this.#listen(search));

  /** @param {PlayScreen} play */
  constructor(play) { this.play = play; }

  get busy() { return this.#searcher.busy; }

  /** Ask for the best move so far. */
  hurry() { return this.#searcher.hurry(); }

  /** End the search without a move. */
  stop() {
    this.#searcher.stop();
    this.#setSlow(false);
  }

  /** Tools to hurry an agent come only when it takes long: they would flash before fast ones. @param {boolean} slow */
  #setSlow(slow) {
    clearTimeout(this.#timer);
    this.slow = slow;
  }

  /** Search the position; resolves to null if stopped, rejects with what the server refuses. */
  async think() {
    const { game, view } = this.play;
    this.#timer = window.setTimeout(() => {
      this.#setSlow(true);
      view.update();
    }, LONG);
    const search = await this.#searcher.answer(this.#request(game.board.turn), game.board);
    if (search && !view.left) this.#setSlow(false);
    return search;
  }

  /**
   * Send a person's move and begin the agent's answer: resolves to the board after the move. Where the server is gone
   * the move can be made, and the agent answers when it is back.
   * @param {string} move
   */
  async begin(move) {
    const { start, moves, board: { turn, seats } } = this.play.game;
    try {
      return await this.#searcher.play(this.#request((turn + 1) % seats, move));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status) throw error;
      return boardOf(start, [...moves, move]);
    }
  }

  /**
   * The request of a turn: the answer of the agent on a seat, after a person's move where there is one.
   * @param {number} seat
   * @param {string} [move]
   * @returns {TurnRequest}
   */
  #request(seat, move) {
    const { game, clocks } = this.play;
    const { start, moves, players, seconds } = game;
    return { start, moves: moves.join(" "), move, agents: players, seconds: clocks.budget(seat, seconds) };
  }

  /** @param {Search} search */
  #listen(search) {
    const { game, view } = this.play;
    if (view.left) return;
    this.play.why = search;
    this.#searches.set(game.moves.join(" "), search);
    if (search.analysis) keepSearch(`${game.start} ${game.moves.join(" ")}`, search);
    view.updateSoon();
  }

  /**
   * Return the latest search of a seat after at most *count* moves, if an agent made it on this page.
   * @param {number} seat
   * @param {number} [count]
   */
  latest(seat, count = this.play.game.moves.length) {
    const before = Array.from({ length: count + 1 }, (_, moves) => this.play.game.moves.slice(0, moves).join(" "));
    return before
      .reverse()
      .map((each) => this.#searches.get(each))
      .find((each) => each?.turn === seat);
  }

  /** Return the search behind the last move, if an agent made it on this page, or before it was loaded again. */
  lastSearch() {
    const { start, moves } = this.play.game;
    const before = moves.slice(0, -1).join(" ");
    return moves.length ? (this.#searches.get(before) ?? keptSearch(`${start} ${before}`)) : undefined;
  }
}

/**
 * Say in one sentence how the game stands.
 * @param {GameState} game
 * @param {Pick<Turns, "paused" | "stopped">} turns
 */
export function standing(game, { paused, stopped }) {
  const { board, line, moves } = game;
  if (game.over) return ending(game);
  if (stopped) return say("web.stopped");
  if (paused) return say("web.paused");
  if (game.personToMove && board.seats === 1) return say("screen.turn_alone");
  if (game.personToMove && game.you !== null) return say("room.your_turn");
  if (game.personToMove)
    return say("screen.turn", { player: game.names[board.turn] || player(board.turn, board.seats) });
  if (movesAgain(game)) return say("web.agent_again", { agent: agentTitle(game.mover) });
  if (game.watched && game.undone.length) return say("web.replaying", { at: moves.length, all: line.length });
  return say("web.agent_thinks", { agent: agentTitle(game.mover) });
}

/** Return whether an agent that has just moved is to move again, against a person. @param {GameState} game */
function movesAgain({ board, hasPerson, personToMove, over }) {
  return hasPerson && !personToMove && !over && board.seats === 2 && board.turns.at(-1) === board.turn;
}

/** @param {GameState} game */
function ending(game) {
  const { board, winner, end, you } = game;
  if (end === "stuck") return say("web.stuck");
  if (winner === null || board.seats === 1) return say("play.ended", { how: say(`end.${end}`) });
  if (winner === you) return say(`play.you_won_${end}`);
  const who = game.called(winner);
  const named = you === null && who !== say(`web.seat_${winner + 1}`);
  return say(`play.won_${end}`, { player: named ? `${player(winner, board.seats)} (${who})` : who });
}
