// @ts-check
// What only puzzles have: levels, shuffles, "solvable?", a solution to look at, boards of one's own.

import { games, shuffle } from "../api.js";
import { fill, h } from "../dom.js";
import { anySeed } from "../files.js";
import { say, trouble } from "../language.js";
import { Thinker } from "../thinking.js";
import { tool } from "../tools.js";
import { again } from "./again.js";
import { openPaste } from "./paste.js";

const SECONDS = 10; // for the question whether a board can be cleared

export class Puzzle {
  /** @param {import("./screen.js").PlayScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.element = h("div", { class: "puzzle", role: "status" });
    this.thinker = new Thinker(() => {});
    /** @type {string[]} What tiles may do after each pair, from the first level on. */
    this.levels = [];
    if (screen.table.board.seats === 1) games().then((all) => this.#know(all));
  }

  /** @param {import("../api.js").GameFacts[]} all */
  #know(all) {
    const facts = all.find((each) => each.name === this.screen.table.board.name);
    this.levels = facts?.options.find((each) => each.name === "gravity")?.choices ?? [];
    if (!this.screen.left) this.screen.frame.showFacts();
  }

  get #shuffles() {
    return this.screen.table.board.shuffles && !this.screen.table.watched;
  }

  /** The level of this board, counted from 0. */
  get level() {
    const gravity = /gravity=(\w+)/.exec(this.screen.table.board.game)?.[1] ?? "none";
    return this.levels.indexOf(gravity);
  }

  /** The level, in words. */
  facts() {
    const { level, levels } = this;
    return level >= 0 && h("span", { class: "level" }, say("web.level_of", { level: level + 1, what: say(`web.choice_${levels[level]}`) }));
  }

  /** Nothing is known of a new position. */
  show() {
    fill(this.element);
  }

  stop() {
    this.thinker.stop();
  }

  /** What to do when nothing is left to do. */
  ending() {
    if (this.screen.table.end === "stuck") return tool("web.shuffle", () => this.shuffle(), { class: "primary" });
    const next = this.levels[this.level + 1];
    return this.screen.table.end === "cleared" && next && tool("web.next_level", () => this.#play(next), { class: "primary" });
  }

  tools() {
    const { table } = this.screen;
    if (!this.#shuffles || table.over) return null;
    return [tool("web.shuffle", () => this.shuffle()), tool("web.solvable", () => this.solvable())];
  }

  menu() {
    return this.#shuffles && tool("web.paste_board", () => openPaste(this.screen));
  }

  /** @param {string} gravity */
  #play(gravity) {
    const spec = this.screen.table.board.game.replace(/,?gravity=\w+/, "");
    return again(this.screen, undefined, `${spec},gravity=${gravity}`);
  }

  async shuffle() {
    const { screen } = this;
    const { table } = screen;
    try {
      const start = await shuffle(table.start, table.moves, anySeed());
      screen.clocks.hold();
      await screen.open(screen.screen, { start, moves: [] });
    } catch (error) {
      screen.complain(trouble(error));
    }
  }

  /** Ask the solver whether the board can still be cleared. */
  async solvable() {
    const { table } = this.screen;
    const { board } = table;
    fill(this.element, say("web.solvable_asking"));
    const thought = { start: table.start, moves: table.moves.join(" "), agent: "solver", seconds: SECONDS };
    const story = await this.thinker.think(thought, board).catch((error) => void this.screen.complain(trouble(error)));
    if (!story || table.board !== board) return;
    if (story.analysis) this.#tell(story.analysis);
    else fill(this.element, say(story.error?.key ?? "web.failed", story.error?.values));
  }

  /** @param {import("../api.js").ThoughtEvent} analysis */
  #tell({ facts, line, bounds }) {
    const { board } = this.screen.table;
    const left = (board.most ?? 0) - (bounds?.[1] ?? 0);
    const verdict = facts.solvable === null ? "web.solvable_unknown" : facts.solvable ? "web.solvable_yes" : "web.solvable_no";
    fill(this.element,
      h("span", { "data-verdict": String(facts.solvable) }, say(verdict, { pairs: line.length, left, seconds: SECONDS })),
      facts.solvable && tool("web.show_solution", () => this.#replay(line)));
  }

  /** @param {string[]} line */
  #replay(line) {
    return this.screen.open("watch", { then: line, clock: null });
  }
}
