// @ts-check
// Whose turn it is: agents think and move, replays go on, clocks run; all of it can be paused.

import { announce } from "../dom.js";
import { say, trouble } from "../language.js";
import { settings } from "../settings.js";
import { PERSON } from "../table.js";
import { Thinker } from "../thinking.js";
import { sentence } from "./words.js";

export class Turns {
  /** @param {import("./screen.js").PlayScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.paused = !screen.table.hasPerson; // people see no tiles then, and no clock runs
    this.stopped = false; // an agent waits until it is told to go on
    /** @type {Map<string, import("../thinking.js").Story>} What was thought before each move. */
    this.stories = new Map();
    this.thinker = new Thinker((story) => this.#heard(story));
    this.timer = 0;
  }

  /** @param {import("../thinking.js").Story} story */
  #heard(story) {
    const { screen } = this;
    if (screen.left) return;
    screen.why.show(story, screen.table.board);
    this.stories.set(screen.table.moves.join(" "), story);
  }

  /** Nobody thinks, and nothing goes on by itself. */
  quiet() {
    this.thinker.stop();
    clearTimeout(this.timer);
  }

  /** Let whoever is to move think: a person with advice, an agent about its move. */
  next() {
    const { screen } = this;
    const { table } = screen;
    if (screen.left) return;
    screen.clocks.hold();
    if (table.over) return;
    const waiting = this.paused || this.stopped;
    if (!waiting) this.#runClock();
    if (table.personToMove) screen.advice.ask();
    else if (!waiting) this.advance();
    else screen.showTools();
  }

  /** The clock of who is to move runs; the first move is free where two play. */
  #runClock() {
    const { table, clocks } = this.screen;
    if (table.moves.length || table.board.seats === 1) clocks.run(table.board.turn);
  }

  /** One move further: the next of a game that is replayed, or an agent's. */
  async advance() {
    const { screen } = this;
    const { table } = screen;
    if (table.undone.length && table.watched) {
      screen.showTools();
      this.timer = window.setTimeout(() => this.replay(), this.paused ? 0 : 1000 / settings.speed);
    } else if (table.sitter === PERSON) {
      this.pause(true);
    } else await this.agent();
  }

  async replay() {
    const before = this.screen.table.board;
    await this.screen.change(() => this.screen.table.redo());
    if (this.screen.table.board !== before) this.screen.tell(before);
  }

  /** The agent thinks, then moves. */
  async agent() {
    const { screen } = this;
    const { table } = screen;
    const seconds = screen.clocks.budget(table.board.turn, table.seconds);
    /** @type {import("../api.js").Thought} */
    const thought = {
      start: table.start,
      moves: table.moves.join(" "),
      agent: table.sitter,
      seconds,
      purpose: table.hasPerson ? "game" : "analysis",
    };
    const began = performance.now();
    const search = this.thinker.think(thought, table.board);
    screen.showTools();
    let story;
    try {
      story = await search;
    } catch (error) {
      this.fail(trouble(error));
      return;
    }
    if (!story || screen.left) return;
    if (!story.analysis) {
      this.fail(say(story.error?.key ?? "web.failed", story.error?.values));
      return;
    }
    screen.clocks.hold();
    const move = story.analysis.move;
    const pause = table.hasPerson ? 0 : 1000 / settings.speed - (performance.now() - began);
    this.timer = window.setTimeout(() => screen.make(move), Math.max(0, pause));
  }

  /** @param {string} text */
  fail(text) {
    this.stop();
    this.screen.complain(text);
  }

  /** @param {number} seat */
  outOfTime(seat) {
    this.screen.table.giveUp("timeout", seat);
    this.screen.change(() => {});
    announce(sentence(this.screen));
  }

  stop() {
    this.thinker.stop();
    this.stopped = true;
    if (this.screen.table.watched) this.paused = true;
    this.screen.clocks.hold();
    this.screen.showTools();
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    this.stopped = false;
    this.screen.quiet();
    this.screen.clocks.hold();
    this.screen.show();
    if (!paused) this.next();
  }

  /** One move of an agent, then wait again. */
  step() {
    this.paused = true;
    if (this.screen.table.over || this.thinker.busy || this.screen.busy) return;
    if (!this.screen.table.undone.length) this.#runClock();
    this.advance();
  }
}
