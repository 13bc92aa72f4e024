// @ts-check
// The searches of an analysis: who thinks, whether anybody does, and what was found where.

import { say } from "../language.js";
import { h } from "../dom.js";
import { SeatPicker, labelled } from "../picker.js";
import { Thinker } from "../thinking.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../table.js").Table} Table */

/** Who thinks where nobody else was asked to.
 * @param {import("../api.js").Board} board */
export function usualAgent(board) {
  return board.solver ? "solver" : "alphabeta";
}

export class Searching {
  /** @param {string} agent @param {number} seconds
   * @param {{heard: (story: Story) => void, changed: () => void}} screen */
  constructor(agent, seconds, screen) {
    this.running = false;
    /** @type {Map<string, Story>} */
    this.stories = new Map(); // by position: a value is never shown on another one
    this.thinker = new Thinker((story) => {
      this.stories.set(story.position, story);
      screen.heard(story);
    });
    this.picker = new SeatPicker(say("web.engine"), agent);
    this.field = h("input", { type: "number", min: 0.1, max: 60, step: "any", value: String(seconds) });
    this.element = h("div", { class: "engine" }, this.picker.element, labelled(say("web.seconds_search"), this.field));
    this.element.addEventListener("change", () => {
      this.stories.clear();
      screen.changed();
    });
  }

  /** Who thinks, as text. */
  get spec() {
    return this.picker.spec || this.picker.chosen;
  }

  get seconds() {
    const seconds = Number(this.field.value);
    return seconds > 0 && seconds <= 60 ? seconds : 2;
  }

  /** What is known of a position.
   * @param {string} position */
  of(position) {
    return this.stories.get(position);
  }

  /** Search a position, unless nobody is to, or it has been searched; raises what the server says.
   * @param {Table} table */
  async think(table) {
    this.stop();
    const { board } = table;
    if (!this.running || board.end !== "open" || this.of(board.position)?.analysis) return;
    const thought = { start: table.start, moves: table.moves.join(" "), agent: this.spec, seconds: this.seconds, all_moves: true };
    await this.thinker.think(thought, board);
  }

  stop() {
    this.thinker.stop();
  }
}
