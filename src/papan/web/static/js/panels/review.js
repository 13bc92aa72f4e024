// @ts-check
// A whole game against the truth: what each move was worth, which ones changed the result, and how the value went.

import { boardOf, search } from "../api.js";
import { lineChart } from "../charts.js";
import { player, say, signed, trouble } from "../language.js";
import { Search } from "../search.js";
import { change, settings } from "../settings.js";
import { labelled, select } from "../ui.js";
import { SIGNS } from "../values.js";
import { h } from "../vendor/preact.mjs";
/** @import { Board } from "../wire.d.ts" */
/** @typedef {"optimal" | "lost" | "changed" | "open"} Judgement */

/**
 * @typedef {object} Verdict
 * @property {number} ply
 * @property {number} seat
 * @property {string} move
 * @property {Judgement} kind *open*: nothing is known.
 * @property {number} lost How much value: exactly, or at least, or by an estimate.
 * @property {"exact" | "lower" | "estimate"} sure
 * @property {string[]} better
 */

/** @typedef {{low: number, high: number, guess: number | null, seat: number, best: string[]}} Truth */

const SECONDS = 2;

/** Judge every move of a line; *heard* gets each search as it ends.
 * @param {string} start @param {string[]} line @param {AbortSignal} signal
 * @param {(ply: number, search: Search) => void} heard
 * @returns {AsyncGenerator<Verdict>} */
async function* review(start, line, signal, heard) {
  /** @type {Truth | null} */
  let before = null;
  for (let ply = 0; ply <= line.length && !signal.aborted; ply += 1) {
    const board = await boardOf(start, line.slice(0, ply));
    const after = await truth(start, line.slice(0, ply), board, signal, (found) => heard(ply, found));
    if (before) yield { ply: ply - 1, seat: before.seat, move: line[ply - 1], ...judged(before, seenBy(after, before.seat, board.seats)) };
    before = after;
  }
}

/** What is known of a position: bounds of its value for the seat to move, and a guess.
 * @param {string} start @param {string[]} moves @param {Board} board
 * @param {AbortSignal} signal @param {(search: Search) => void} heard @returns {Promise<Truth>} */
async function truth(start, moves, board, signal, heard) {
  if (board.end !== "open") {
    const [first, second] = board.scores;
    const value = board.seats === 1 ? first : first - second;
    return { low: value, high: value, guess: value, seat: 0, best: [] };
  }
  const agent = board.solver ? "solver" : "alphabeta";
  const done = new Search(agent, board.position, board.turn);
  for await (const event of search({ start, moves: moves.join(" "), agent, seconds: SECONDS, all_moves: true }, signal)) done.add(event);
  heard(done);
  const found = done.analysis;
  const value = found?.value ?? null;
  const [low, high] = found?.exact && value !== null ? [value, value] : found?.bounds ?? [null, null];
  return { low: low ?? -Infinity, high: high ?? Infinity, guess: value, seat: board.turn, best: found?.best ?? [] };
}

/** The same truth for another seat. @param {Truth} truth @param {number} seat @param {number} seats @returns {Truth} */
function seenBy(truth, seat, seats) {
  if (seats === 1 || truth.seat === seat) return truth;
  return { ...truth, seat, low: -truth.high, high: -truth.low, guess: truth.guess === null ? null : -truth.guess };
}

/** How good a move was that led from one position to another, both as its player sees them.
 * @param {Truth} before @param {Truth} after @returns {Pick<Verdict, "kind" | "lost" | "sure" | "better">} */
function judged(before, after) {
  const [least, most] = [before.low - after.high, before.high - after.low];
  if (most <= 0) return { kind: "optimal", lost: 0, sure: "exact", better: [] };
  if (least > 0) {
    const kind = Math.sign(before.low) > Math.sign(after.high) ? "changed" : "lost";
    return { kind, lost: least, sure: least === most ? "exact" : "lower", better: before.best };
  }
  if (before.guess === null || after.guess === null) return { kind: "open", lost: 0, sure: "estimate", better: [] };
  const lost = before.guess - after.guess;
  if (lost <= 0) return { kind: "optimal", lost: 0, sure: "estimate", better: [] };
  return { kind: Math.sign(before.guess) > Math.sign(after.guess) ? "changed" : "lost", lost, sure: "estimate", better: before.best };
}

/** A verdict in words. @param {Verdict} verdict @param {number} seats */
function verdictText(verdict, seats) {
  const { kind, sure, lost } = verdict;
  const amount = `${sure === "exact" ? "" : `${SIGNS[sure]} `}${signed(-lost).replace(/^\u2212/, "")}`;
  const facts = { player: player(verdict.seat, seats), move: verdict.move, better: verdict.better.join(" "), lost: amount };
  const text = say(kind === "open" ? "web.review_open" : kind === "changed" ? "web.review_changed" : "web.review_lost", facts);
  return sure === "estimate" && kind !== "open" ? `${text} (${say("web.review_estimate")})` : text;
}

/** What the verdicts on one seat add up to. @param {Verdict[]} verdicts */
function summary(verdicts) {
  const judgedMoves = verdicts.filter((each) => each.kind !== "open");
  const count = (/** @type {Judgement} */ kind) => judgedMoves.filter((each) => each.kind === kind).length;
  return {
    judged: judgedMoves.length,
    optimal: count("optimal"),
    lost: count("lost"),
    changed: count("changed"),
    open: verdicts.length - judgedMoves.length,
    guessed: judgedMoves.filter((each) => each.sure === "estimate").length,
    total: judgedMoves.reduce((sum, each) => sum + each.lost, 0),
    accuracy: judgedMoves.length ? Math.round((100 * count("optimal")) / judgedMoves.length) : null,
  };
}

/** The review of a game: for each player how many moves were optimal, lost value or changed the result. */
export class Review {
  /** @param {{update: () => void, jump: (ply: number) => void, learn: (ply: number, search: Search) => void}} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Map<number, string>} */
    this.notes = new Map(); // what is wrong with a ply, in words
    /** @type {Verdict[]} */
    this.verdicts = [];
    this.seats = 2;
    this.status = ""; // nothing: there is no review
    this.controller = new AbortController();
  }

  stop() { this.controller.abort(); }

  /** What is known of plies that are not the same any more. @param {number} ply */
  forget(ply) {
    this.stop();
    for (const each of this.notes.keys()) if (each >= ply) this.notes.delete(each);
    this.status = "";
  }

  /** Judge every move; the verdicts appear as they come. @param {string} start @param {string[]} line @param {number} seats */
  async run(start, line, seats) {
    this.stop();
    const { signal } = (this.controller = new AbortController());
    this.verdicts = [];
    this.seats = seats;
    this.notes.clear();
    this.status = say("web.reviewing");
    this.screen.update();
    try {
      for await (const verdict of review(start, line, signal, (ply, found) => this.screen.learn(ply, found))) {
        this.verdicts.push(verdict);
        if (verdict.kind !== "optimal") this.notes.set(verdict.ply, verdictText(verdict, seats));
        this.screen.update();
      }
      if (!signal.aborted) this.status = this.#sum();
    } catch (error) {
      if (!signal.aborted) this.status = trouble(error);
    }
    this.screen.update();
  }

  #sum() {
    const all = summary(this.verdicts);
    return [
      say("web.reviewed", { judged: all.judged, best: all.optimal }),
      all.open ? say("web.review_unknown", { moves: all.open }) : "",
      all.guessed ? say("web.review_guessed", { moves: all.guessed }) : "",
    ].filter(Boolean).join(" ");
  }

  view() {
    return h("div", { class: "reviewed" }, this.status && [
      h("h3", {}, say("web.review")), h("p", { class: "quiet", role: "status" }, this.status), this.#table(), this.#whose(), h("ul", { class: "verdicts" }, this.#list())]);
  }

  /** A column for each player: it fits on a phone in every language. */
  #table() {
    const seats = Array.from({ length: this.seats }, (_, seat) => summary(this.verdicts.filter((each) => each.seat === seat)));
    const names = seats.map((sums, seat) =>
      h("th", { scope: "col", "data-seat": seat, "data-optimal": sums.optimal, "data-changed": sums.changed, "data-accuracy": sums.accuracy }, player(seat, this.seats)));
    /** @param {string} key @param {(sums: typeof seats[0]) => string | number} of */
    const row = (key, of) => h("tr", {}, h("th", { scope: "row" }, say(key)), seats.map((sums) => h("td", {}, of(sums))));
    return h("table", { class: "summary" }, h("thead", {}, h("tr", {}, h("td", {}), names)), h("tbody", {},
      row("web.review_optimal", (sums) => sums.optimal),
      row("web.review_lossy", (sums) => sums.lost),
      row("web.review_turned", (sums) => sums.changed),
      row("web.review_total", (sums) => (sums.total ? signed(-sums.total) : "0")),
      row("web.accuracy", (sums) => (sums.accuracy === null ? "–" : `${sums.accuracy} %`))));
  }

  /** Whose moves are listed: mine, for whoever I am. */
  #whose() {
    const choose = (/** @type {string} */ mine) => {
      change({ mine: /** @type {"both" | "1" | "2"} */ (mine) });
      this.screen.update();
    };
    return this.seats === 2 && labelled(say("web.mine"), select(settings.mine, [
      ["both", say("web.mine_both")], ["1", say("web.mine_only", { player: player(0, 2) })], ["2", say("web.mine_only", { player: player(1, 2) })]], choose, { class: "mine" }));
  }

  #list() {
    const mine = (/** @type {Verdict} */ each) => this.seats === 1 || settings.mine === "both" || settings.mine === String(each.seat + 1);
    return this.verdicts.filter((each) => each.kind !== "optimal" && mine(each)).map((each) =>
      h("li", { key: each.ply, class: each.kind, "data-ply": each.ply },
        h("button", { type: "button", class: "plain", onclick: () => this.screen.jump(each.ply) }, `${each.ply + 1}. ${verdictText(each, this.seats)}`)));
  }
}

/** What the positions of a game were worth, ply by ply, as a curve that leads to each of them. */
export class ValueHistory {
  /** @type {(number | null)[]} As player 1 sees them. */
  values = [];
  /** @type {boolean[]} */
  guessed = [];

  /** Keep the value of a ply. @param {number} ply @param {Search} found @param {number} seats */
  note(ply, { analysis }, seats) {
    if (!analysis || analysis.value === null) return;
    this.values[ply] = seats === 1 || analysis.turn === 0 ? analysis.value : -analysis.value;
    this.guessed[ply] = !analysis.exact;
  }

  /** Forget what comes after a ply: it will be other moves. @param {number} ply */
  forget(ply) {
    this.values.length = Math.min(this.values.length, ply + 1);
  }

  /** @param {number} at Which ply is on the board. @param {(ply: number) => void} go */
  chart(at, go) {
    const points = Array.from(this.values, (each) => each ?? null);
    return h("div", { class: "graph" }, points.filter((each) => each !== null).length > 1 && [
      h("h3", {}, say("web.history")),
      lineChart(say("web.history"), [{ name: say("web.history"), kind: "best", points, guessed: this.guessed }], { pick: go, at })]);
  }
}
