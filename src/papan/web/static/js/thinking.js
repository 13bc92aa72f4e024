// @ts-check
// One act of thinking: it is heard while it goes on, and can be hurried or stopped at any time.

import { hurry, think } from "./api.js";

/** @typedef {import("./api.js").ThoughtEvent} ThoughtEvent */
/** @typedef {import("./api.js").MoveValue} MoveValue */

/** What a search has told so far. */
export class Story {
  /** @param {string} agent @param {string} position @param {number} turn */
  constructor(agent, position, turn) {
    this.agent = agent;
    this.position = position;
    this.turn = turn;
    this.began = performance.now();
    this.seconds = 0;
    /** @type {ThoughtEvent | null} */
    this.start = null;
    /** @type {ThoughtEvent | null} */
    this.root = null;
    /** @type {ThoughtEvent[]} */
    this.reasons = [];
    /** @type {ThoughtEvent[]} */
    this.generations = [];
    /** @type {ThoughtEvent[]} */
    this.climbs = [];
    /** @type {ThoughtEvent | null} */
    this.path = null;
    /** @type {ThoughtEvent[]} */
    this.nodes = [];
    /** @type {number[]} */
    this.depths = [];
    /** @type {{nodes: number, depth: number}[]} */
    this.growth = []; // how the search went on, report by report
    /** @type {ThoughtEvent | null} */
    this.analysis = null;
    /** @type {ThoughtEvent | null} */
    this.error = null;
  }

  /** @param {ThoughtEvent} event */
  hear(event) {
    if (event.t === "start") {
      const { began, seconds } = this; // a search whose worker was lost begins anew
      Object.assign(this, new Story(this.agent, this.position, this.turn), { began, seconds, start: event });
    } else if (event.t === "root") {
      this.root = { ...event, nodes: Math.max(event.nodes, this.root?.nodes ?? 0) }; // it may be older than progress
      this.depths.push(event.depth);
      this.growth.push({ nodes: event.nodes, depth: event.depth });
    } else if (event.t === "progress") {
      if (this.root) this.root = { ...this.root, nodes: event.nodes, ms: event.ms, nps: event.nps };
    } else if (event.t === "reason") this.reasons.push(event);
    else if (event.t === "gen") this.generations.push(event);
    else if (event.t === "climb") this.climbs.push(event);
    else if (event.t === "path") this.path = event;
    else if (event.t === "tree") this.nodes.push(...event.add);
    else if (event.t === "analysis") this.analysis = event;
    else if (event.t === "error") this.error = event;
  }

  /** What is known of each move, the best first.
   * @returns {MoveValue[]} */
  get values() {
    const told = this.root?.moves ?? [];
    const final = this.analysis?.moves ?? [];
    /** @type {MoveValue[]} */
    const values = final.length >= told.length ? final : told;
    const more = new Map(told.map((/** @type {MoveValue} */ each) => [each.m, each])); // terms that only reports have
    return values.map((each) => ({ ...more.get(each.m), ...each })).sort((one, other) => other.v - one.v);
  }

  /** Connect 4: the usual score of each move, which also says how soon.
   * @returns {Record<string, number>} */
  get scores() {
    return this.analysis?.facts?.scores ?? {};
  }

  get best() {
    return this.analysis?.move ?? this.root?.best ?? null;
  }
}

export class Thinker {
  /** @param {(story: Story) => void} watch Called whenever there is news. */
  constructor(watch) {
    this.watch = watch;
    /** @type {AbortController | null} */
    this.controller = null;
    this.id = "";
    this.hurried = false;
  }

  get busy() {
    return this.controller !== null;
  }

  /** The whole story of a search; null where it was stopped.
   * @param {import("./api.js").Thought} thought
   * @param {import("./api.js").Board} board
   * @returns {Promise<Story | null>} */
  async think(thought, board) {
    this.stop();
    const controller = new AbortController();
    this.controller = controller;
    const story = new Story(thought.agent, board.position, board.turn);
    story.seconds = thought.seconds;
    this.watch(story);
    try {
      for await (const event of think(thought, controller.signal)) {
        if (event.t === "search" && this.controller === controller) {
          this.id = event.id;
          if (this.hurried) hurry(this.id);
        }
        story.hear(event);
        this.watch(story);
      }
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      if (this.controller === controller) this.controller = null;
    }
    return controller.signal.aborted ? null : story;
  }

  /** Ask for the best move so far, as soon as the search has begun. */
  async hurry() {
    this.hurried = true;
    if (this.controller && this.id) await hurry(this.id);
  }

  /** End the search; nothing more is heard of it. */
  stop() {
    this.controller?.abort();
    this.controller = null;
    this.id = "";
    this.hurried = false;
  }
}
