// @ts-check
// Why a move: what an agent has told while it thought, in words, numbers and pictures.

import { fill, h } from "./dom.js";
import { say } from "./language.js";
import { climb, generations } from "./why/evolution.js";
import { growth } from "./why/growth.js";
import { reasons } from "./why/reasons.js";
import { branching, measured, playouts, tree } from "./why/search.js";
import { trace } from "./why/trace.js";
import { valueList } from "./why/values.js";
import { heading, knowledge, verdictOf, workOf } from "./why/verdict.js";

/** @typedef {import("./thinking.js").Story} Story */
/** @typedef {import("./api.js").Board} Board */

const PAUSE = 100; // milliseconds between two pictures of a search

/**
 * @typedef {object} Stage What a panel can do to the board beside it.
 * @property {(move: string | null) => void} point Points a move out.
 * @property {(line: string[]) => void} [preview] Shows where a line leads; an empty one ends it.
 * @property {(svg: string) => void} [paint] Draws over the board; nothing ends it.
 */

export class WhyPanel {
  /** @param {(move: string | null) => void} point
   * @param {(line: string[]) => void} [preview]
   * @param {(svg: string) => void} [paint] */
  constructor(point, preview, paint) {
    /** @type {Stage} */
    this.stage = { point, preview, paint };
    this.head = h("div", { class: "why-head" });
    this.verdict = h("div", { class: "verdict" });
    this.work = h("p", { class: "work quiet" });
    this.values = h("div", { class: "values" });
    this.more = h("div", { class: "why-more" });
    this.element = h("div", { class: "why" }, this.head, this.verdict, this.work, this.values, this.more);
    this.complete = ""; // which story is shown to its end, on which board: it needs no second drawing
    this.drawn = 0;
    this.timer = 0;
    this.clear();
  }

  clear() {
    this.complete = "";
    clearTimeout(this.timer);
    fill(this.head, h("p", { class: "quiet" }, say("screen.no_thoughts")));
    for (const part of [this.verdict, this.work, this.values, this.more]) fill(part);
  }

  /** Show what a search has told so far, but not more often than an eye can follow.
   * @param {Story} story @param {Board} board */
  show(story, board) {
    if (story.analysis && this.complete === `${board.position} ${story.began}`) return;
    clearTimeout(this.timer);
    const wait = story.analysis || story.error ? 0 : this.drawn + PAUSE - performance.now();
    if (wait <= 0) this.#draw(story, board);
    else this.timer = window.setTimeout(() => this.#draw(story, board), wait);
  }

  /** @param {Story} story @param {Board} board */
  #draw(story, board) {
    this.drawn = performance.now();
    this.complete = story.analysis ? `${board.position} ${story.began}` : "";
    fill(this.head, heading(story));
    fill(this.verdict, verdictOf(story, board));
    fill(this.work, workOf(story));
    fill(this.values, valueList(story, board, this.stage));
    if (story.analysis) this.#explain(story, board);
    else fill(this.more, budget(story), generations(story, this.stage));
  }

  /** All that is left to say once a search is over.
   * @param {Story} story @param {Board} board */
  #explain(story, board) {
    const { stage } = this;
    fill(this.more, knowledge(story, board), reasons(story, stage), trace(story, board, stage), climb(story),
      generations(story, stage), playouts(story, stage), growth(story), branching(story), measured(story), tree(story));
  }
}

/** How much of the time is used up.
 * @param {Story} story */
function budget(story) {
  const used = (performance.now() - story.began) / 1000;
  return h("progress", { max: story.seconds, value: Math.min(used, story.seconds), "aria-label": say("web.budget") });
}
