// @ts-check
// One run of a bot: a check, a game to watch, or games that measure it; its events become what a page shows.

import { Refusal, runBot } from "./api.js";
import { trouble } from "./language.js";
/** @import { BotAnswer, BotEvent } from "./events.d.ts" */
/** @import { BotOrder } from "./wire.d.ts" */

const PACE = 450; // milliseconds that a move of a watched game is seen, at least

/** What a run of a bot has shown so far. */
export class BotRun {
  #stopping = new AbortController();
  /** @type {BotAnswer | null} */
  answer = null;
  /** @type {{number: number, seat: number, move: string, output: string}[]} */
  moves = [];
  svg = "";
  seat = 0;
  done = 0;
  total = 0;
  problem = "";

  /**
   * @param {BotOrder} order
   * @param {() => void} changed Called after each event, and at the end.
   */
  constructor(order, changed) {
    this.order = order;
    this.changed = changed;
    this.running = true;
  }

  /** Run to the end; never throws what the server refuses. */
  async go() {
    try {
      for await (const event of runBot(this.order, this.#stopping.signal)) {
        this.#take(event);
        this.changed();
        if (event.t === "move" && !this.#stopping.signal.aborted) await pause(PACE);
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        this.problem = trouble(error);
        if (!(error instanceof Refusal)) throw error;
      }
    } finally {
      this.running = false;
      this.changed();
    }
  }

  stop() { this.#stopping.abort(); }

  /** @param {BotEvent} event */
  #take(event) {
    if (event.t === "answer") this.answer = event;
    else if (event.t === "error") this.problem = trouble(new Refusal(503, event.key, event.values));
    else if (event.t === "board") [this.svg, this.seat] = [event.svg, event.seat];
    else if (event.t === "move") {
      this.svg = event.svg;
      this.moves = [...this.moves, event];
    } else if (event.t === "progress") [this.done, this.total] = [event.done, event.total];
    else if (event.t === "game") [this.done, this.total] = [event.number, event.total];
  }
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
