// @ts-check
// The table on the screen: who is to move, moves, and everything is shown anew after each of them.

import { BoardView } from "../board.js";
import { Clocks } from "../clock.js";
import { announce, fill } from "../dom.js";
import { EvalBar } from "../evalbar.js";
import { gameTitle, say, trouble } from "../language.js";
import { showMoves } from "../moves.js";
import { go } from "../router.js";
import { keep, settings } from "../settings.js";
import { LAST, addressOf } from "../table.js";
import { WhyPanel } from "../why.js";
import { Advice } from "./advice.js";
import { Frame } from "./frame.js";
import { keysOf } from "./keys.js";
import { showGains, showPlayers } from "./players.js";
import { Puzzle } from "./puzzle.js";
import { showTools } from "./tools.js";
import { Turns } from "./turns.js";
import { moved, sentence } from "./words.js";

export class PlayScreen {
  /** @param {import("../table.js").Table} table @param {"play" | "watch"} screen
   * @param {import("../clock.js").ClockFacts | null | undefined} clock */
  constructor(table, screen, clock) {
    this.table = table;
    this.screen = screen;
    this.left = false;
    this.busy = false;
    this.view = new BoardView((move) => this.picked(move), (choice) => showGains(this.frame.players, table, choice));
    this.why = new WhyPanel((move) => this.view.point("pointed", move));
    this.bar = new EvalBar();
    this.turns = new Turns(this);
    this.advice = new Advice(this);
    this.puzzle = new Puzzle(this);
    this.clocks = new Clocks(table.board.seats, clock, (seat) => this.turns.outOfTime(seat));
    this.frame = new Frame(this);
    this.element = this.frame.element;
    this.key = keysOf(this);
    document.addEventListener("keydown", this.key);
  }

  begin() {
    this.view.fade();
    this.clocks.mark(this.table.moves.length);
    this.show();
    this.turns.next();
  }

  leave() {
    this.quiet();
    this.clocks.hold();
    this.keep(); // the address is that of another screen by now
    this.left = true;
    document.removeEventListener("keydown", this.key);
  }

  /** Nobody thinks any more. */
  quiet() {
    this.turns.quiet();
    this.advice.stop();
    this.puzzle.stop();
  }

  /** Show everything anew. */
  show() {
    const { table } = this;
    this.view.show(table.board, { label: gameTitle(table.board.game), live: table.personToMove && !this.turns.paused });
    this.view.showFeatures(settings.features);
    this.view.veil(this.turns.paused && table.hasPerson && !table.over);
    this.advice.showPast();
    showPlayers(this.frame.players, table, this.clocks);
    this.frame.showFacts();
    this.puzzle.show();
    const line = [...table.moves, ...table.undone.slice().reverse()];
    showMoves(this.frame.moves, { line, at: table.moves.length, turns: table.board.turns, seats: table.board.seats },
      (count) => this.jump(count));
    this.showTools();
    this.remember();
  }

  showTools() {
    showTools(this.frame.tools, this);
    fill(this.frame.status, sentence(this));
  }

  /** Keep the address true, and the way back to a game that is not over. */
  remember() {
    if (this.left) return;
    history.replaceState(null, "", this.address);
    this.keep();
  }

  keep() {
    const { table, address } = this;
    if (table.hasPerson) keep(LAST, table.over ? {} : { address, game: table.board.game, seats: table.seats });
  }

  get address() {
    const { table } = this;
    return addressOf(this.screen, this.facts(), table.start.includes(" ") ? table.board.game : table.start);
  }

  /** What an address says of this game. */
  facts() {
    const { start, moves, seats, seconds, givenUp, undone, watched } = this.table;
    return { start, moves, seats, seconds, givenUp, clock: this.clocks.facts, then: watched ? undone.slice().reverse() : [] };
  }

  /** A person has picked a move.
   * @param {string} move */
  async picked(move) {
    if (this.busy) return;
    if (this.turns.paused && this.table.hasPerson) this.complain(say("web.paused"));
    else if (this.table.personToMove) await this.make(move);
    else this.complain(this.table.over ? sentence(this) : say(this.table.watched ? "web.only_watched" : "web.not_your_turn"));
  }

  /** Make a move, whoever chose it.
   * @param {string} move */
  async make(move) {
    const { table } = this;
    const before = table.board;
    await this.change(async () => {
      await table.play(move);
      this.clocks.press(before.turn);
      this.clocks.mark(table.moves.length);
    });
    if (table.board !== before) this.tell(before);
  }

  /** Say what has happened to those who do not see it; the others see it for a moment.
   * @param {import("../api.js").Board} before */
  tell(before) {
    this.view.flash();
    announce(moved(before, this));
  }

  /** Do something to the game, then show it and go on; complaints are shown, and change nothing.
   * @param {() => Promise<void> | void} act */
  async change(act) {
    this.quiet();
    fill(this.frame.problem);
    this.busy = true;
    try {
      await act();
    } catch (error) {
      this.complain(trouble(error));
      this.showTools();
      return;
    } finally {
      this.busy = false;
    }
    if (this.left) return;
    this.show();
    this.turns.next();
  }

  /** Look at the game after so many moves; agents wait there.
   * @param {number} count */
  async jump(count) {
    await this.change(async () => {
      await this.table.go(count);
      this.clocks.back(count);
      if (this.table.watched) this.turns.paused = true;
      else this.turns.stopped = !this.table.over && !this.table.personToMove;
    });
  }

  /** @param {string} text */
  complain(text) {
    fill(this.frame.problem, text);
  }

  async undo() {
    this.turns.stopped = false;
    if (this.table.watched) this.turns.paused = true;
    await this.change(async () => {
      await this.table.undo();
      this.clocks.back(this.table.moves.length);
      this.turns.stopped = this.table.hasPerson && !this.table.personToMove && !this.table.over;
    });
  }

  async redo() {
    await this.change(() => this.table.redo());
  }

  /** The same game on another screen, or from another start.
   * @param {string} screen @param {Partial<import("../table.js").Facts>} other */
  async open(screen, other) {
    const facts = { ...this.facts(), then: [], givenUp: null, ...other };
    await go(addressOf(screen, facts, facts.start.split(" ")[0]));
  }
}
