// @ts-check
// The screen of an analysis: it joins the board, the search, the panels and the editor.

import { games } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { featuresOf } from "../features.js";
import { player, say, trouble } from "../language.js";
import { showMoves } from "../moves.js";
import { go } from "../router.js";
import { addressOf } from "../table.js";
import { WhyPanel } from "../why.js";
import { preview, read } from "./actions.js";
import { Desk } from "./desk.js";
import { PositionEditor } from "./editor.js";
import { History } from "./history.js";
import { press } from "./keys.js";
import { Paste } from "./paste.js";
import { ReviewPanel } from "./reviewing.js";
import { Searching, usualAgent } from "./searching.js";
import { Sight } from "./sight.js";
import { showTools } from "./tools.js";
import { Walk } from "./walk.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../table.js").Table} Table */

export class AnalyseScreen {
  /** @param {Table} table @param {"analyse" | "solve"} name @param {string} agent */
  constructor(table, name, agent) {
    this.table = table;
    this.name = name;
    this.left = false;
    this.walk = new Walk(table, this);
    this.sight = new Sight({ move: (move) => this.walk.move(move), step: (plies) => this.walk.step(plies) });
    const { view } = this.sight;
    this.why = new WhyPanel((move) => view.point("pointed", move), (line) => preview(this, line), (svg) => view.overlay("trace", svg));
    this.search = new Searching(agent, table.seconds, { heard: (story) => this.heard(story), changed: () => this.resume() });
    this.search.running = name === "solve";
    this.history = new History((ply) => this.walk.go(ply));
    this.reviewed = new ReviewPanel({ go: (ply) => this.walk.go(ply), told: (ply, story) => this.learn(ply, story) });
    this.editor = new PositionEditor({
      done: (sketch) => go(this.address(sketch.position, sketch.game)),
      cancel: () => this.leaveEditor(),
      changed: (sketch) => this.drafted(sketch),
    });
    this.paste = new Paste((words) => read(this, words));
    this.moves = h("div", { class: "moves" });
    this.features = h("div", { class: "features" });
    this.desk = new Desk(name, {
      sight: this.sight.element, values: [this.why.element, this.search.element],
      moves: [this.moves, this.history.element, this.reviewed.element], board: [this.features, this.paste.element],
    });
    this.onkey = (/** @type {KeyboardEvent} */ event) => { if (this.desk.open) press(event, this); };
    document.addEventListener("keydown", this.onkey);
  }

  /** @param {string | null} draft A board to be set up. */
  async begin(draft) {
    this.desk.offer(this.table.board.game, (await games()).flatMap((each) => [each.spec, ...each.presets]));
    await this.search.picker.offer(this.table.board.game, false);
    this.show();
    if (draft) await this.edit(draft);
    else this.think();
  }

  leave() {
    this.left = true;
    this.search.stop();
    this.reviewed.stop();
    document.removeEventListener("keydown", this.onkey);
  }

  get story() {
    return this.search.of(this.table.board.position);
  }

  /** The address of this screen with a position on it.
   * @param {string} start @param {string} game @param {string[]} [moves] */
  address(start, game, moves = []) {
    const { spec, seconds } = this.search;
    return addressOf(this.name, { start, moves, seats: spec === usualAgent(this.table.board) ? [] : [spec], seconds }, game);
  }

  show() {
    const { board, start, moves } = this.table;
    this.sight.position(this.table);
    this.#values();
    fill(this.features, featuresOf(board, this.sight.view));
    showTools(this.desk.tools, this);
    fill(this.desk.status, this.sentence());
    this.paste.field.value = board.position;
    showMoves(this.moves, { line: this.walk.line, at: moves.length, turns: board.turns, seats: board.seats, notes: this.reviewed.notes }, (count) => this.walk.go(count));
    if (!this.left && this.desk.open) history.replaceState(null, "", this.address(start, start.includes(" ") ? board.game : start, moves));
  }

  sentence() {
    const { board } = this.table;
    if (board.end !== "open") return say("play.ended", { how: say(`end.${board.end}`) });
    return board.seats === 1 ? say("screen.turn_alone") : say("web.to_move", { player: player(board.turn, board.seats) });
  }

  /** The values on the board, the bar and the panels: only those of this very position. */
  #values() {
    const { story, table } = this;
    if (story) this.why.show(story, table.board);
    else this.why.clear();
    if (story) this.history.note(table.moves.length, story, table.board.seats);
    this.history.show(table.moves.length);
    this.sight.values(table, story);
  }

  /** @param {Story} story */
  heard(story) {
    if (!this.left && story.position === this.table.board.position) this.#values();
  }

  /** Take in what was found about any ply.
   * @param {number} ply @param {Story} story */
  learn(ply, story) {
    this.search.stories.set(story.position, story);
    this.history.note(ply, story, this.table.board.seats);
    if (!this.left) this.#values();
  }

  async think() {
    if (this.left) return;
    await this.search.think(this.table).catch((error) => this.complain(error));
    if (!this.left) showTools(this.desk.tools, this);
  }

  /** Show and search again, after something has changed. */
  resume() {
    this.search.stop();
    this.show();
    this.think();
  }

  toggle() {
    this.search.running = !this.search.running;
    this.resume();
  }

  /** The game goes another way from a ply on.
   * @param {number} ply */
  branched(ply) {
    this.history.forget(ply);
    this.reviewed.forget(ply);
  }

  /** Before anything is changed. */
  pause() {
    this.search.stop();
    fill(this.desk.problem);
  }

  /** After it; *moved* says whether another position is on the board. @param {boolean} moved */
  arrived(moved) {
    if (this.left) return;
    if (moved) {
      this.show();
      announce(`${this.table.moves[this.table.moves.length - 1] ?? say("web.first")}. ${this.sentence()}`);
    }
    this.think();
  }

  /** @param {unknown} error */
  complain(error) {
    fill(this.desk.problem, trouble(error));
  }

  /** Set up a board, beginning with this one.
   * @param {string} [draft] */
  async edit(draft = this.table.board.position) {
    this.search.stop();
    this.desk.replace(this.editor.element);
    await this.editor.open(draft).catch((error) => {
      this.leaveEditor();
      this.complain(error);
    });
  }

  /** A draft has its link and its text too.
   * @param {import("../api.js").Sketch} sketch */
  drafted({ game, position }) {
    if (this.left) return;
    history.replaceState(null, "", `/${this.name}/${encodeURIComponent(game)}?edit=${encodeURIComponent(position)}`);
    this.paste.field.value = position;
  }

  leaveEditor() {
    this.desk.replace(null);
    this.resume();
    this.sight.view.focus();
  }
}
