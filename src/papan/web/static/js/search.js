// @ts-check
// One search: reports while it runs, and can be hurried or stopped at any time.

import { hurry, search, turn } from "./api.js";
import { allTexts } from "./language.js";
import { PERSON } from "./saved_game.js";
/** @import { BoardFacts as Board, SearchRequest, TurnRequest } from "./wire.d.ts" */
/** @import { MoveValue, SearchEvent } from "./events.d.ts" */

/**
 * Events that come many times, and the fields that collect them.
 * @type {Record<string, "reasons" | "generations" | "climbs">}
 */
const SERIES = { reason: "reasons", gen: "generations", climb: "climbs" };

/** The reports of a search so far. */
export class Search {
  began = performance.now();
  /** @type {SearchEvent | null} */
  start = null;
  compiling = false; // it waits for the compiler
  /** @type {SearchEvent | null} */
  root = null;
  /** @type {SearchEvent[]} */
  reasons = [];
  /** @type {SearchEvent[]} */
  generations = [];
  /** @type {SearchEvent[]} */
  climbs = [];
  /** @type {SearchEvent | null} */
  path = null;
  /** @type {SearchEvent[]} */
  nodes = [];
  /** @type {{nodes: number, depth: number}[]} */
  growth = []; // nodes and depth, report by report
  /** @type {SearchEvent | null} */
  analysis = null;
  /** @type {Board | undefined} */
  board = undefined; // after the agent's move, at the end of a turn
  /** @type {SearchEvent | null} */
  error = null;

  /**
   * @param {string} agent
   * @param {{position: string, turn: number}} board
   * @param {number} [seconds] Its limit of time.
   */
  constructor(agent, { position, turn }, seconds = 0) {
    this.agent = agent;
    this.position = position;
    this.turn = turn;
    this.seconds = seconds;
  }

  /** @param {SearchEvent} event */
  add(event) {
    if (event.t === "start") {
      // a search whose worker was lost begins anew
      Object.assign(this, new Search(this.agent, this, this.seconds), { began: this.began, start: event });
    } else if (event.t === "root") {
      this.root = { ...event, nodes: Math.max(event.nodes, this.root?.nodes ?? 0) }; // it may be older than progress
      this.growth.push({ nodes: event.nodes, depth: event.depth });
    } else if (event.t === "progress") {
      if (this.root) this.root = { ...this.root, nodes: event.nodes, ms: event.ms, nps: event.nps };
    } else if (event.t === "tree") this.nodes.push(...event.add);
    else if (event.t === "compiling") this.compiling = true;
    else if (event.t === "board") this.board = event.board;
    else if (event.t in SERIES) this[SERIES[event.t]].push(event);
    else if (event.t === "path" || event.t === "analysis" || event.t === "error") this[event.t] = event;
  }

  /** The values of all moves so far, the best first. @returns {MoveValue[]} */
  get values() {
    const reported = this.root?.moves ?? [];
    const final = this.analysis?.moves ?? [];
    /** @type {MoveValue[]} */
    const values = final.length >= reported.length ? final : reported;
    // Only reports have the terms of a value.
    const more = new Map(reported.map((/** @type {MoveValue} */ each) => [each.m, each]));
    // Early wins and late losses come first.
    const soon = (/** @type {MoveValue} */ { m, v }) => Math.sign(v) * (this.distances[m] ?? 0);
    return values
      .map((each) => ({ ...more.get(each.m), ...each }))
      .sort((one, other) => other.v - one.v || soon(one) - soon(other));
  }

  /** The score of each move where a game has one that also says how soon it wins. @returns {Record<string, number>} */
  get scores() { return this.analysis?.facts?.scores ?? {}; }

  /** The number of plies that the game lasts after each move, where it is known. @returns {Record<string, number>} */
  get distances() { return this.analysis?.facts?.distances ?? {}; }

  get best() { return this.analysis?.move ?? this.root?.best ?? null; }
}

const KEPT = "papan.why"; // key of the storage of this tab: the last search that was explained

/**
 * Store a search for when the page is loaded again, without its tree and its generations, which are large.
 * @param {string} moves The game and the moves before it.
 * @param {Search} search
 */
export function keepSearch(moves, { nodes: _, generations: __, board: ___, ...search }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ moves, search }));
  } catch {
    // Without storage it is explained until the page is left.
  }
}

/** Return the search that was kept of a game and the moves in it, if it is that one. @param {string} moves */
export function keptSearch(moves) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const { agent, seconds } = kept.search;
    return kept.moves === moves ? Object.assign(new Search(agent, kept.search, seconds), kept.search) : undefined;
  } catch {
    return undefined;
  }
}

/** @typedef {{controller: AbortController, events: ReturnType<typeof search>}} Begun */

/**
 * @template T
 * @param {(request: T, signal: AbortSignal) => Begun["events"]} ask
 * @param {T} request
 * @returns {Begun}
 */
function begin(ask, request) {
  const controller = new AbortController();
  return { controller, events: ask(request, controller.signal) };
}

/** Runs one search at a time. */
export class Searcher {
  /** @type {AbortController | null} */
  controller = null;
  /** @type {Begun | null} */
  begun = null; // a turn whose search has begun with the person's move
  id = "";
  hurried = false;

  /** @param {(search: Search) => void} [listener] Called after each event. */
  constructor(listener = () => {}) { this.listener = listener; }

  get busy() { return this.controller !== null; }

  /**
   * Run a search to its end and return it; null if it was stopped.
   * @param {SearchRequest} request
   * @param {{position: string, turn: number}} board
   * @returns {Promise<Search | null>}
   */
  run(request, board) {
    this.stop();
    return this.#listen(new Search(request.agent ?? "", board, request.seconds), begin(search, request));
  }

  /**
   * Make a person's move and let the next agent search, in one request; return the board after the move.
   * @param {TurnRequest} request
   * @returns {Promise<Board>}
   */
  async play(request) {
    this.stop();
    const begun = begin(turn, request);
    this.begun = begun;
    const { board } = (await begun.events.next().catch((error) => {
      if (this.begun === begun) this.begun = null; // nothing has begun
      throw error;
    })).value;
    if (board.end !== "open" || request.agents[board.turn] === PERSON) {
      this.begun = null;
      begun.events.next(); // no agent answers: the stream ends here
    }
    return board;
  }

  /**
   * Run the search of the agent to move to its end and return it, with the board after its move; null if it was
   * stopped.
   * @param {TurnRequest} request What to ask for, where no move of a person has begun the turn.
   * @param {{position: string, turn: number}} board
   * @returns {Promise<Search | null>}
   */
  answer(request, board) {
    const { begun } = this;
    this.begun = null;
    this.stop();
    return this.#listen(new Search(request.agents[board.turn], board, request.seconds), begun ?? begin(turn, request));
  }

  /** @param {Search} found @param {Begun} begun */
  async #listen(found, { controller, events }) {
    this.controller = controller;
    this.listener(found);
    try {
      for await (const event of events) {
        if (event.t === "search" && this.controller === controller) {
          this.id = event.id;
          if (this.hurried) hurry(this.id);
        }
        if (event.t === "analysis") await allTexts(); // its reasons may use any of them
        found.add(event);
        this.listener(found);
      }
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      if (this.controller === controller) this.controller = null;
    }
    return controller.signal.aborted ? null : found;
  }

  /** Ask for the best move so far, as soon as the search has begun. */
  async hurry() {
    this.hurried = true;
    if (this.controller && this.id) await hurry(this.id);
  }

  /** End the search; no further event is reported. */
  stop() {
    this.controller?.abort();
    this.begun?.controller.abort();
    this.controller = this.begun = null;
    this.id = "";
    this.hurried = false;
  }
}
