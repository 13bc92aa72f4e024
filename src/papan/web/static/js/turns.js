// @ts-check
// Turns: people and agents move one after the other, replays go on, clocks run, hints are given, moves are heard; all of it
// can be paused.

import { Refusal } from "./api.js";
import { GameScreen } from "./game_screen.js";
import { agentTitle, player, say, trouble } from "./language.js";
import { Clocks } from "./players.js";
import { PERSON } from "./saved_game.js";
import { Searcher } from "./search.js";
import { change, settings } from "./settings.js";
import { announce, confirmed } from "./ui.js";
/** @import { GameProps } from "./game_screen.js" */
/** @import { Setup } from "./saved_game.js" */
/** @import { Search } from "./search.js" */
/** @import { Board, TurnRequest } from "./wire.d.ts" */
/** @typedef {GameProps & {screen: "play" | "watch", clock: Setup["clock"]}} PlayProps */
/** @typedef {"move" | "reply" | "refused" | "won" | "lost" | "drawn"} Sound */

const ADVISER = "level:5";
const ADVICE_SECONDS = 2;
const LONG = 500; // milliseconds: who thinks longer can be hurried

/**
 * Pitch in hertz, when it begins and how long it lasts, in seconds.
 * @type {Record<Sound, [number, number, number][]>}
 */
const NOTES = {
  move: [[523, 0, 0.08]],
  reply: [[392, 0, 0.08]],
  refused: [[165, 0, 0.14]],
  won: [
    [523, 0, 0.14],
    [659, 0.12, 0.14],
    [784, 0.24, 0.3],
  ],
  lost: [
    [392, 0, 0.18],
    [330, 0.16, 0.3],
  ],
  drawn: [
    [440, 0, 0.14],
    [440, 0.18, 0.2],
  ],
};
/** Milliseconds on, off, on. @type {Record<Sound, number[]>} */
const BUZZ = {
  move: [12],
  reply: [],
  refused: [30, 40, 30],
  won: [40, 60, 40, 60, 90],
  lost: [120],
  drawn: [40, 60, 40],
};
const LOUDNESS = 0.12;

/** @extends {GameScreen<PlayProps>} */
export class TurnScreen extends GameScreen {
  paused = !this.game.hasPerson; // people see no tiles then, and no clock runs
  stopped = false; // an agent waits until it is told to go on
  unanswered = false; // it waits for a server that is gone
  turnTimer = 0;
  notice = ""; // what stands in place of the sentence for a while
  /** @type {Map<string, Search>} What was thought before each move. */
  searches = new Map();
  /** @type {Search | undefined} */
  why = undefined; // the search that is explained
  agent = new Searcher((search) => this.#heardAgent(search));
  slow = false; // it has been thinking for long
  slowTimer = 0;
  hinting = false;
  /** @type {Set<"hint" | "undo">} */
  aids = new Set(); // what was asked for in this game
  /** @type {Search | undefined} */
  advice = undefined; // what is known of this position
  adviser = new Searcher((search) => this.#heardAdvice(search));
  clocks = new Clocks(this.game.board.seats, this.props.clock, (seat) => this.#outOfTime(seat));

  componentDidMount() {
    this.clocks.mark(this.game.moves.length);
    this.remember();
    this.#recall();
    this.next();
  }

  leave() {
    this.quiet();
    this.clocks.hold();
    this.remember(); // the address is that of another screen by now
  }

  quiet() {
    this.agent.stop();
    this.adviser.stop();
    clearTimeout(this.turnTimer);
    this.#hurryable(false);
  }

  /** Tools to hurry an agent come when it takes long: those that go at once would only flash. @param {boolean} slow */
  #hurryable(slow) {
    clearTimeout(this.slowTimer);
    this.slow = slow;
  }

  /** @param {Board} before */
  changed(before) {
    if (this.problem) return this.update();
    this.#recall();
    this.remember();
    this.next();
  }

  /** The thoughts behind the last move; nothing is known of this position yet. */
  #recall() {
    this.notice = "";
    this.advice = undefined;
    this.why = this.searches.get(this.game.moves.slice(0, -1).join(" "));
    this.update();
  }

  /** Keep the address and the way back to this game true. */
  remember() {}

  /** Let whoever is to move think: a person with advice, an agent about its move. */
  next() {
    const { game } = this;
    if (this.left) return;
    this.clocks.hold();
    if (game.over) return this.update();
    const waiting = this.paused || this.stopped;
    if (!waiting) this.#runClock();
    if (game.personToMove) this.#advise();
    else if (!waiting) this.#advance();
    this.update();
  }

  /** The clock of who is to move runs; the first move is free where two play. */
  #runClock() {
    const { moves, board } = this.game;
    if (moves.length || board.seats === 1) this.clocks.run(board.turn);
  }

  /** One move further: the next of a game that is replayed, or an agent's. */
  #advance() {
    const { game } = this;
    if (game.undone.length && game.watched) {
      this.turnTimer = window.setTimeout(
        () => this.#changeAloud(() => game.redo()),
        this.paused ? 0 : 1000 / settings.speed,
      );
    } else if (game.mover === PERSON) this.pause(true);
    else this.#moveAgent();
  }

  /** The agent thinks, then moves. */
  async #moveAgent() {
    const { game } = this;
    const began = performance.now();
    this.slowTimer = window.setTimeout(() => {
      this.#hurryable(true);
      this.update();
    }, LONG);
    const search = await this.agent
      .answer(this.#turn(game.board.turn), game.board)
      .catch((error) => this.#refused(error));
    if (!search || this.left) return;
    this.#hurryable(false);
    const { analysis, error } = search;
    if (!analysis) return this.#fail(say(error?.key ?? "web.failed", error?.values));
    this.clocks.hold();
    const pause = game.hasPerson ? 0 : 1000 / settings.speed - (performance.now() - began);
    this.turnTimer = window.setTimeout(() => this.make(analysis.move, () => search.board), Math.max(0, pause));
  }

  /** What is asked for a turn: the answer of the agent on a seat, after the move of a person where there is one.
   * @param {number} seat
   * @param {string} [move]
   * @returns {TurnRequest}
   */
  #turn(seat, move) {
    const { start, moves, players, seconds } = this.game;
    return { start, moves: moves.join(" "), move, agents: players, seconds: this.clocks.budget(seat, seconds) };
  }

  /** @param {Search} search */
  #heardAgent(search) {
    if (this.left) return;
    this.why = search;
    this.searches.set(this.game.moves.join(" "), search);
    this.updateSoon();
  }

  /** The agent cannot think; where the server is gone, it goes on when that is back. @param {unknown} error */
  #refused(error) {
    this.unanswered = error instanceof Refusal && !error.status;
    this.#fail(trouble(error));
  }

  back() {
    super.back();
    if (this.unanswered && this.stopped) this.goOn();
  }

  /** @param {string} text */
  #fail(text) {
    this.stop();
    this.complain(text);
  }

  stop() {
    this.agent.stop();
    this.#hurryable(false);
    this.stopped = true;
    if (this.game.watched) this.paused = true;
    this.clocks.hold();
    this.update();
  }

  goOn() {
    this.stopped = this.unanswered = false;
    this.problem = "";
    this.next();
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    this.stopped = false;
    this.quiet();
    this.clocks.hold();
    this.#recall();
    this.remember();
    if (!paused) this.next();
  }

  /** One move of an agent, then wait again. */
  step() {
    this.paused = true;
    if (this.game.over || this.agent.busy || this.busy) return;
    if (!this.game.undone.length) this.#runClock();
    this.#advance();
    this.update();
  }

  /** Play against the clock, or freely: the board stays as it is. */
  timed() {
    this.clocks.turn(!this.clocks.on);
    this.next();
    this.remember();
  }

  /** @param {number} seat */
  #outOfTime(seat) {
    this.game.giveUp("timeout", seat);
    this.change(() => {});
    announce(this.standing());
  }

  // Moves.

  /** @param {string} move */
  async picked(move) {
    const { game } = this;
    if (this.busy) return;
    if (this.paused && game.hasPerson) this.complain(say("web.paused"));
    else if (game.personToMove)
      await this.make(move, () => this.agent.play(this.#turn((game.board.turn + 1) % game.board.seats, move)));
    else this.complain(game.over ? this.standing() : say(game.watched ? "web.only_watched" : "web.not_your_turn"));
  }

  /** Make a move, whoever chose it.
   * @param {string} move
   * @param {() => Board | Promise<Board> | undefined} reached The board after it, where it comes with the turn.
   */
  make(move, reached) {
    const { turn } = this.game.board;
    return this.#changeAloud(async () => {
      await this.game.play(move, reached());
      this.clocks.press(turn);
      this.clocks.mark(this.game.moves.length);
    });
  }

  /** Change the game, and say what has happened to those who do not see it: the last move, whether it
   * earns another one, and what comes next.
   * @param {() => Promise<void>} act
   */
  async #changeAloud(act) {
    const before = this.game.board;
    await this.change(act);
    const { board } = this.game;
    if (board === before) return this.problem && sound("refused");
    sound(this.#heard(before.turn));
    const again = board.end === "open" && board.seats === 2 && board.turn === before.turn ? ` ${say("web.again")}` : "";
    announce(
      `${say("web.moved", { player: player(before.turn, before.seats), move: board.moves[board.moves.length - 1] })}${again} ${this.standing()}`,
    );
  }

  /** What a move of a seat sounds like. @param {number} seat */
  #heard(seat) {
    const { over, winner, you, players } = this.game;
    if (!over) return players[seat] === PERSON ? "move" : "reply";
    if (winner === null) return this.game.end === "cleared" ? "won" : "drawn";
    return you === null || winner === you ? "won" : "lost";
  }

  /** Look at the game after so many moves. @param {number} count */
  jump(count) { return this.#look(() => this.game.go(count)); }

  async undo() {
    const { moves, givenUp } = this.game;
    this.aids.add("undo");
    if (moves.length || givenUp) await this.#look(() => this.game.undo());
  }

  /** Go to another position of the game; agents wait there. @param {() => Promise<void>} act */
  #look(act) {
    const { game } = this;
    return this.change(async () => {
      await act();
      this.clocks.back(game.moves.length);
      if (game.watched) this.paused = true;
      this.stopped = !game.watched && !game.over && !game.personToMove;
    });
  }

  async redo() { await this.change(() => this.game.redo()); }

  async resign() {
    if (!(await confirmed(say("screen.resign"), say("screen.yes"), say("screen.play_on")))) return;
    const { game } = this;
    await this.change(() =>
      game.giveUp("resigned", game.mover === PERSON ? game.board.turn : game.players.indexOf(PERSON)),
    );
    announce(this.standing());
  }

  // Advice: a hint that stays, and what every move is worth.

  /** Switch hints on or off; they stay as chosen. */
  toggleHint() {
    this.aids.add("hint");
    this.hinting = !this.hinting;
    this.adviser.stop();
    this.advice = undefined;
    if (this.hinting && this.game.personToMove) this.#advise();
    this.update();
  }

  /** @param {boolean} values */
  showValues(values) {
    change({ values });
    this.#recall();
    this.next();
  }

  /** Think about the position, if a hint or values are wanted. */
  async #advise() {
    const { game } = this;
    const { board } = game;
    if (this.paused || (!this.hinting && !settings.values)) return;
    const agent = settings.values && board.solver ? "solver" : ADVISER;
    const search = await this.adviser
      .run(game.request(agent, ADVICE_SECONDS, { all_moves: settings.values }), board)
      .catch((error) => this.complain(error));
    if (search?.analysis && game.board === board) this.why = search;
    this.update();
  }

  /** @param {Search} search */
  #heardAdvice(search) {
    if (search.position === this.game.board.position) this.advice = search;
    this.updateSoon();
  }

  /** How the game stands. */
  standing() {
    const { game } = this;
    const { board, line, moves } = game;
    if (game.over) return this.#ending();
    if (this.stopped) return say("web.stopped");
    if (this.paused) return say("web.paused");
    if (game.personToMove && board.seats === 1) return say("screen.turn_alone");
    if (game.personToMove)
      return game.you === null
        ? say("screen.turn", { player: game.names[board.turn] || player(board.turn, board.seats) })
        : say("room.your_turn");
    if (game.watched && game.undone.length) return say("web.replaying", { at: moves.length, all: line.length });
    return say("web.agent_thinks", { agent: agentTitle(game.mover) });
  }

  #ending() {
    const { board, winner, end, you } = this.game;
    if (end === "stuck") return say("web.stuck");
    if (winner === null || board.seats === 1) return say("play.ended", { how: say(`end.${end}`) });
    if (winner === you) return say(`play.you_won_${end}`);
    const who = this.game.called(winner);
    return say(`play.won_${end}`, {
      player: you === null && who !== say(`web.seat_${winner + 1}`) ? `${player(winner, board.seats)} (${who})` : who,
    });
  }
}

/** @type {AudioContext | undefined} */
let context;

/** Can this machine buzz? */
export const buzzes = "vibrate" in navigator;

/** Let an event be heard and felt, as far as that is wanted. @param {Sound} event */
export function sound(event) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers are silent until they are touched
  if (settings.sound) for (const note of NOTES[event]) play(...note);
  if (settings.vibration && buzzes) navigator.vibrate(BUZZ[event]);
}

/**
 * @param {number} pitch
 * @param {number} start
 * @param {number} length
 */
function play(pitch, start, length) {
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const from = context.currentTime + start;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length); // it fades, as wood does
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + length);
}
