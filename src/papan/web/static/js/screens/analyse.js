// @ts-check
// Analyse and solve: any position, both sides free to move, the value of every move with its proof.

import { Refusal, boardOf, games } from "../api.js";
import { BoardView } from "../board.js";
import { lineChart } from "../charts.js";
import { openDialog, openHelp } from "../dialogs.js";
import { announce, fill, h } from "../dom.js";
import { EvalBar } from "../evalbar.js";
import { featuresOf } from "../features.js";
import { copy, download } from "../files.js";
import { gameTitle, player, say, signed } from "../language.js";
import { showMoves } from "../moves.js";
import { panelsOf } from "../panels.js";
import { SeatPicker, labelled } from "../picker.js";
import { review, verdictText } from "../review.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { Table, addressOf, factsOf } from "../table.js";
import { Thinker } from "../thinking.js";
import { WhyPanel } from "../why.js";

/** @typedef {import("../thinking.js").Story} Story */

/** @param {URL} url */
export async function analyse(url) {
  return open(url, "analyse");
}

/** @param {URL} url */
export async function solve(url) {
  return open(url, "solve");
}

/** @param {URL} url @param {"analyse" | "solve"} screen @returns {Promise<import("../router.js").Screen>} */
async function open(url, screen) {
  const { facts } = factsOf(url, { start: "", moves: [], seats: [], seconds: screen === "solve" ? 5 : settings.seconds });
  const table = await Table.open(facts);
  const agent = table.board.solver ? "solver" : "alphabeta";
  const view = new AnalyseScreen(table, screen, facts.seats[0] ?? agent);
  await view.begin();
  const key = screen === "solve" ? "web.solve_game" : "web.analyse_game";
  return { title: say(key, { game: gameTitle(table.board.game) }), element: view.element, leave: () => view.leave() };
}

class AnalyseScreen {
  /** @param {Table} table @param {"analyse" | "solve"} screen @param {string} agent */
  constructor(table, screen, agent) {
    this.table = table;
    this.screen = screen;
    this.left = false;
    this.running = screen === "solve";
    this.arrow = true;
    this.ghostly = false;
    /** @type {Map<string, Story>} */
    this.stories = new Map();
    /** @type {Map<number, string>} */
    this.notes = new Map();
    /** @type {(number | null)[]} */
    this.history = [];
    this.view = new BoardView((move) => this.move(move));
    this.bar = new EvalBar();
    this.why = new WhyPanel((move) => this.view.point("pointed", move), (line) => this.ghost(line));
    this.thinker = new Thinker((story) => this.heard(story));
    this.engine = new SeatPicker(say("web.engine"), agent);
    this.seconds = h("input", { type: "number", min: 0.1, max: 60, step: "any", value: String(table.seconds) });
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("web.tools") });
    this.moves = h("div", { class: "moves" });
    this.graph = h("div", { class: "graph" });
    this.reviewed = h("div", { class: "reviewed" });
    this.features = h("div", { class: "features" });
    this.pos = h("textarea", { rows: 2, spellcheck: "false", id: "pos" });
    this.size = h("select", { onchange: () => go(`/${screen}/${encodeURIComponent(this.size.value)}`) });
    this.element = this.#frame();
    this.onkey = this.key.bind(this);
    document.addEventListener("keydown", this.onkey);
  }

  #frame() {
    const form = h("form", { class: "paste", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.paste(this.pos.value.trim());
    } }, h("label", { for: "pos" }, say("web.paste")), this.pos, h("button", { type: "submit" }, say("web.show")));
    const engine = h("div", { class: "engine" }, this.engine.element, labelled(say("web.seconds_search"), this.seconds));
    this.engine.select.addEventListener("change", () => this.restart());
    this.seconds.addEventListener("change", () => { this.table.seconds = Number(this.seconds.value) || 2; this.restart(); });
    return h("div", { class: "table-screen analyse-screen" },
      h("div", { class: "stage" },
        h("h1", { class: "small" }, say(this.screen === "solve" ? "web.solve" : "web.analyse"), " ", labelled(say("web.game_size"), this.size)),
        h("div", { class: "with-eval" }, this.bar.element, this.view.element), this.status, this.problem, this.tools),
      panelsOf([
        { key: "web.panel_values", body: h("div", {}, this.why.element, engine) },
        { key: "web.panel_moves", body: h("div", {}, this.moves, this.graph, this.reviewed) },
        { key: "web.panel_board", body: h("div", {}, this.features, form) },
      ]));
  }

  async begin() {
    await this.#sizes();
    await this.engine.offer(this.table.board.game, false);
    this.show();
    this.think();
  }

  async #sizes() {
    const specs = (await games()).flatMap((each) => [each.spec, ...each.presets]);
    const here = this.table.board.game;
    const all = specs.includes(here) ? specs : [here, ...specs];
    fill(this.size, all.map((spec) => h("option", { value: spec }, gameTitle(spec))));
    this.size.value = here;
  }

  leave() {
    this.left = true;
    this.thinker.stop();
    this.reviewing?.abort();
    document.removeEventListener("keydown", this.onkey);
  }

  get line() {
    return [...this.table.moves, ...this.table.undone.slice().reverse()];
  }

  get story() {
    return this.stories.get(this.table.board.position);
  }

  show() {
    const { board } = this.table;
    this.view.show(board, { label: gameTitle(board.game), live: board.end === "open" });
    this.view.showFeatures(settings.features);
    this.#values();
    fill(this.features, featuresOf(board, this.view));
    this.#tools();
    fill(this.status, this.sentence());
    this.pos.value = board.position;
    const { line } = this;
    showMoves(this.moves, { line, at: board.moves.length, turns: board.turns, seats: board.seats, notes: this.notes }, (count) => this.go(count));
    const facts = { start: this.table.start, moves: this.table.moves, seats: [], seconds: this.table.seconds };
    const game = this.table.start.includes(" ") ? board.game : this.table.start;
    if (!this.left) history.replaceState(null, "", addressOf(this.screen, facts, game));
  }

  sentence() {
    const { board } = this.table;
    if (board.end !== "open") return say("play.ended", { how: say(`end.${board.end}`) });
    return board.seats === 1 ? say("screen.turn_alone") : say("web.to_move", { player: player(board.turn, board.seats) });
  }

  /** The values on the board, the bar and the panel: only those of this very position. */
  #values() {
    const { board } = this.table;
    const story = this.story;
    if (story) this.why.show(story, board);
    else this.why.clear();
    this.bar.show(board, story);
    this.view.showValues(story);
    this.view.point("hint", this.arrow && story ? story.best : null);
    this.#graph();
  }

  #graph() {
    const ply = this.table.moves.length;
    const found = this.story?.analysis;
    if (found && found.value !== null) this.note(ply, found);
    if (this.history.filter((each) => each !== null && each !== undefined).length < 2) return;
    const points = Array.from(this.history, (each) => each ?? null);
    fill(this.graph, h("h4", {}, say("web.history")),
      lineChart(say("web.history"), [{ name: say("web.history"), kind: "best", points }], (place) => this.go(place)));
  }

  /** Keep the value of a ply, as player 1 sees it.
   * @param {number} ply @param {any} found */
  note(ply, found) {
    this.history[ply] = this.table.board.seats === 1 || found.turn === 0 ? found.value : -found.value;
  }

  #tools() {
    const { table } = this;
    const at = table.moves.length;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act, /** @type {Record<string, any>} */ more = {}, sign = "") =>
      h("button", { type: "button", "data-tool": key, onclick: act, "aria-label": sign ? say(key) : undefined, title: sign ? say(key) : undefined, ...more }, sign || say(key));
    const focused = document.activeElement?.getAttribute("data-tool");
    fill(this.tools,
      button("web.first", () => this.go(0), { disabled: !at }, "⇤"),
      button("web.back", () => this.go(at - 1), { disabled: !at }, "←"),
      button("web.forward", () => this.go(at + 1), { disabled: !table.undone.length }, "→"),
      button("web.last", () => this.go(this.line.length), { disabled: !table.undone.length }, "⇥"),
      button("web.engine_on", () => this.toggle(), { "aria-pressed": String(this.running), class: "primary" }),
      button("web.play_best", () => this.best(), { disabled: !this.story?.best }),
      h("details", { class: "more" }, h("summary", {}, say("web.more")), h("div", { class: "menu" },
        button("web.review", () => this.review(), { disabled: !this.line.length }),
        button("web.compare", () => this.compare(), { disabled: table.board.end !== "open" }),
        button("web.flip", () => this.flip()),
        button("web.share", () => this.share()),
        button("web.play_from_here", () => go(addressOf("play", { start: table.start, moves: table.moves, seats: ["human", "level:3"].slice(0, table.board.seats), seconds: table.seconds }, table.board.game))),
        button("web.picture", () => download(`${table.board.name}.svg`, "image/svg+xml", this.view.standalone())),
        button("web.help", () => this.help()))));
    const again = focused && this.tools.querySelector(`[data-tool="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Story} story */
  heard(story) {
    if (this.left) return;
    this.stories.set(story.position, story);
    if (story.position === this.table.board.position) this.#values();
  }

  /** Search this position, unless it has been searched. */
  async think() {
    this.thinker.stop();
    const { table } = this;
    if (!this.running || this.left || table.board.end !== "open" || this.story?.analysis) return;
    const agent = this.engine.spec;
    const thought = { start: table.start, moves: table.moves.join(" "), agent, seconds: table.seconds, all_moves: true };
    try {
      await this.thinker.think(thought, table.board);
    } catch (error) {
      fill(this.problem, text(error));
    }
    if (!this.left) this.#tools();
  }

  restart() {
    this.stories.clear();
    this.show();
    this.think();
  }

  toggle() {
    this.running = !this.running;
    this.thinker.stop();
    this.show();
    this.think();
  }

  /** @param {() => Promise<void>} act */
  async change(act) {
    this.thinker.stop();
    fill(this.problem);
    const before = this.table.board;
    try {
      await act();
    } catch (error) {
      fill(this.problem, text(error));
    }
    if (this.left) return;
    if (this.table.board !== before) {
      this.show();
      announce(`${this.table.moves[this.table.moves.length - 1] ?? say("web.first")}. ${this.sentence()}`);
    }
    this.think();
  }

  /** @param {string} move */
  async move(move) {
    const { table } = this;
    const next = table.undone[table.undone.length - 1];
    if (next !== move) this.#forget(table.moves.length);
    await this.change(() => (next === move ? table.go(table.moves.length + 1) : table.play(move)));
  }

  /** What is known of plies that are not the same any more.
   * @param {number} ply */
  #forget(ply) {
    this.history.length = Math.min(this.history.length, ply + 1);
    for (const each of this.notes.keys()) if (each >= ply) this.notes.delete(each);
    fill(this.reviewed);
  }

  /** @param {number} count */
  async go(count) {
    if (count >= 0 && count <= this.line.length) await this.change(() => this.table.go(count));
  }

  async best() {
    const best = this.story?.best;
    if (best) await this.move(best);
  }

  flip() {
    this.bar.seat = this.table.board.seats === 1 ? 0 : 1 - this.bar.seat;
    this.bar.show(this.table.board, this.story);
    announce(say("web.flipped", { player: player(this.bar.seat, this.table.board.seats) }));
  }

  /** @param {string} words */
  async paste(words) {
    fill(this.problem);
    try {
      const [start, moves] = /[:\s]/.test(words) || /^[a-z]+\d?$/.test(words) && (await games()).some((each) => each.name === words)
        ? [words, []] : [this.table.board.game, words.split(/\s+/)];
      const board = await boardOf(start, moves);
      await go(addressOf(this.screen, { start, moves: board.moves, seats: [], seconds: this.table.seconds }, board.game));
    } catch (error) {
      fill(this.problem, text(error));
    }
  }

  async share() {
    const done = await copy(location.href);
    fill(this.status, say(done ? "web.copied" : "web.copy_by_hand"));
  }

  /** Every move of the game against the truth. */
  async review() {
    this.running = false;
    this.thinker.stop();
    this.reviewing?.abort();
    const controller = new AbortController();
    this.reviewing = controller;
    const { line } = this;
    const { seats } = this.table.board;
    const list = h("ul", { class: "verdicts" });
    const summary = h("p", { class: "quiet", role: "status" }, say("web.reviewing"));
    fill(this.reviewed, h("h4", {}, say("web.review")), summary, list);
    let [judged, best] = [0, 0];
    const told = (/** @type {number} */ ply, /** @type {Story} */ story) => {
      this.stories.set(story.position, story);
      if (story.analysis && story.analysis.value !== null) this.note(ply, story.analysis);
      this.#values();
    };
    try {
      for await (const verdict of review(this.table.start, line, controller.signal, told)) {
        if (this.left) return;
        judged += 1;
        if (verdict.lost <= 0) best += 1;
        else {
          const words = verdictText(verdict, seats);
          this.notes.set(verdict.ply, words);
          list.append(h("li", { class: verdict.changed ? "changed" : "lost", "data-ply": verdict.ply },
            h("button", { type: "button", class: "plain", onclick: () => this.go(verdict.ply) }, `${verdict.ply + 1}. ${words}`)));
        }
      }
      fill(summary, say("web.reviewed", { judged, best }));
      this.show();
    } catch (error) {
      if (!controller.signal.aborted) fill(summary, text(error));
    }
  }

  /** Minimax beside alpha-beta, the same depth, nodes counted. */
  async compare() {
    const { table } = this;
    const depth = h("input", { type: "number", min: 1, max: 9, value: "3" });
    const rows = h("tbody", {});
    const run = async () => {
      fill(rows);
      for (const agent of [`minimax:depth=${depth.value}`, `alphabeta:depth=${depth.value}`]) {
        const thinker = new Thinker(() => {});
        const thought = { start: table.start, moves: table.moves.join(" "), agent, seconds: 10 };
        const story = await thinker.think(thought, table.board).catch((error) => void fill(problem, text(error)));
        const found = story?.analysis;
        if (found) {
          rows.append(h("tr", { "data-agent": agent, "data-nodes": found.nodes, "data-value": found.value },
            h("th", { scope: "row" }, agent), h("td", {}, found.value === null ? "–" : signed(found.value)), h("td", {}, String(found.nodes)), h("td", {}, say("web.seconds", { seconds: (found.ms / 1000).toFixed(2) }))));
        }
      }
    };
    const problem = h("p", { class: "bad", role: "alert" });
    const headings = ["web.engine", "analyse.column_value", "web.nodes_word", "web.time_word"].map((key) => h("th", { scope: "col" }, say(key)));
    openDialog(say("web.compare"), h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); run(); } },
      labelled(say("web.setting_depth"), depth), h("button", { type: "submit", class: "primary" }, say("web.start"))),
      problem, h("table", { class: "compare" }, h("thead", {}, h("tr", {}, headings)), rows));
  }

  help() {
    openHelp([
      ["← k", say("web.back")], ["→ j", say("web.forward")], ["↑ Home", say("web.first")], ["↓ End", say("web.last")],
      ["Space", say("web.play_best")], ["l", say("web.engine_on")], ["a", say("web.key_arrow")], ["x", say("web.key_line")],
      ["f", say("web.flip")], ["z", say("web.review")], ["?", say("web.help")],
    ]);
  }

  /** Show where a line leads, or the position again.
   * @param {string[]} line */
  async ghost(line) {
    this.ghostly = line.length > 0;
    this.view.element.classList.toggle("ghost", this.ghostly);
    if (!this.ghostly) {
      this.show();
      return;
    }
    const { table } = this;
    const board = await boardOf(table.start, [...table.moves, ...line]);
    if (!this.ghostly || this.left) return; // it is over already
    this.view.show(board, { label: say("web.ghost"), live: false });
    fill(this.status, say("web.ghost"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement) return;
    const button = event.target instanceof HTMLButtonElement || event.target instanceof HTMLElement && event.target.tagName === "SUMMARY";
    if (event.key === " " && button) return;
    const at = this.table.moves.length;
    const acts = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.go(at - 1), k: () => this.go(at - 1),
      ArrowRight: () => this.go(at + 1), j: () => this.go(at + 1),
      ArrowUp: () => this.go(0), Home: () => this.go(0), 0: () => this.go(0),
      ArrowDown: () => this.go(this.line.length), End: () => this.go(this.line.length), $: () => this.go(this.line.length),
      " ": () => this.best(), l: () => this.toggle(), f: () => this.flip(), x: () => this.ghost(this.ghostly ? [] : this.story?.analysis?.line ?? []), z: () => this.review(),
      a: () => { this.arrow = !this.arrow; this.#values(); },
      "?": () => this.help(),
    });
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @type {AbortController | undefined} */
  reviewing;
}

/** @param {unknown} error */
function text(error) {
  return error instanceof Refusal ? say(error.key, error.values) : say("web.failed");
}
