// @ts-check
// Compares algorithms on the position at hand: two variants with sliders for their settings, or several at once.

import { agents } from "../api.js";
import { agentTitle, choiceName, count, player, rounded, say, sayOr } from "../language.js";
import { AgentPicker } from "../pickers.js";
import { Searcher } from "../search.js";
import { change, settings } from "../settings.js";
import { Part, check, columns, entry, form, labelled, scrolling, select } from "../ui.js";
import { badge, formatValue, valueOf } from "../values.js";
import { h } from "../vendor/preact.mjs";
import { details, lineOf } from "./details.js";
/** @import { GameState } from "../game.js" */
/** @import { Stage } from "./why.js" */
/** @import { Search } from "../search.js" */
/** @import { SearchEvent } from "../events.d.ts" */
/** @import { AgentFacts, BoardFacts as Board } from "../wire.d.ts" */

const NAMES = ["A", "B"];
const VARIANTS = ["alphabeta:depth=4", "alphabeta:depth=4,ordering=false"]; // where the address names none
const NODES = [100, 1000, 10_000, 100_000, 1_000_000];
const USUAL = ["hillclimb", "genetic", "minimax", "alphabeta"]; // of several at once
const LEFT_OUT = ["level"];
const COLUMNS = ["web.engine", "analyse.column_move", "analyse.column_value", "web.nodes_word", "web.time_word"];

/** @typedef {{game: GameState}} Props */

/**
 * Members of the screen that the variants use.
 * @typedef {object} Around
 * @property {GameState} game
 * @property {{left: boolean, updateSoon: () => void}} view
 * @property {() => void} resume
 * @property {() => void} update
 * @property {(error: unknown) => void} complain
 */

/** Two variants of an algorithm: the analysis of each, and the differences. */
export class Variants {
  /**
   * @param {Around} screen
   * @param {URLSearchParams} words Of the address: the two agents, and their limit of nodes.
   */
  constructor(screen, words) {
    this.screen = screen;
    this.shown = words.has("variants");
    const given = (words.get("variants") ?? "").split("|").filter(Boolean);
    this.agents = VARIANTS.map((usual, side) => given[side] ?? given[0] ?? usual);
    this.nodes = Number(words.get("nodes")) || null; // null: limited by time alone
    /** @type {(Search | undefined)[]} */
    this.found = [];
    this.side = 0; // the one whose search is running
    this.searcher = new Searcher((search) => this.#listen(search));
  }

  /** The part of an address that names them. */
  get words() {
    if (!this.shown) return "";
    const words = new URLSearchParams({ variants: this.agents.join("|") });
    if (this.nodes) words.set("nodes", String(this.nodes));
    return `&${words}`;
  }

  toggle() {
    this.shown = !this.shown;
    this.screen.resume();
  }

  stop() { this.searcher.stop(); }

  /** Search the position with each variant that has not, one after the other: each has the processor to itself. */
  async run() {
    const { game } = this.screen;
    const { board, seconds } = game;
    this.stop();
    if (board.end !== "open") return;
    for (const side of [0, 1]) {
      const known = this.found[side];
      if (known?.analysis && known.position === board.position && known.agent === this.agents[side]) continue;
      this.side = side;
      this.found[side] = undefined;
      const more = { all_moves: true, ...(this.nodes ? { nodes: this.nodes } : {}) };
      const search = await this.searcher
        .run(game.request(this.agents[side], seconds, more), board)
        .catch((error) => this.screen.complain(error));
      if (!search || this.screen.view.left) return; // another search has begun, or nothing came of it
      this.found[side] = search;
      this.screen.update();
    }
  }

  /** @param {Search} search */
  #listen(search) {
    this.found[this.side] = search;
    this.screen.view.updateSoon();
  }

  /** Search again with another limit. @param {{nodes?: number | null, seconds?: number}} budget */
  allow({ nodes = this.nodes, seconds = this.screen.game.seconds }) {
    this.nodes = nodes;
    if (seconds > 0 && seconds <= 60) this.screen.game.seconds = seconds;
    this.found = [];
    this.screen.resume();
  }

  /** The analysis of each for this position; null before it is done. @returns {(SearchEvent | null)[]} */
  get answers() {
    const { position } = this.screen.game.board;
    return NAMES.map((_, side) =>
      this.found[side]?.position === position ? (this.found[side]?.analysis ?? null) : null,
    );
  }

  /** Return a layer that shows the moves of both variants on the board, by their names. @param {Board} board */
  marks(board) {
    const moves = this.answers.map((each) => each?.move);
    const marks = board.legal.flatMap(({ m, at }) => {
      const names = NAMES.filter((_, side) => moves[side] === m);
      if (!at || !names.length) return [];
      return h("g", { key: m, class: `ahead seat-${NAMES.indexOf(names[0])}`, "data-variants": names.join("") },
        h("circle", { cx: at[0], cy: at[1], r: names.length > 1 ? 18 : 15 }),
        h("text", { x: at[0], y: at[1] + 1, "text-anchor": "middle", "dominant-baseline": "central" }, names.join("")),
      );
    });
    return h("g", { class: "layer numbers", key: "variants" }, marks);
  }

  /** @param {Stage} stage */
  view(stage) {
    const { board, seconds } = this.screen.game;
    const bounds = [["", say("variants.no_bound")], ...NODES.map((each) => [String(each), count(each)])];
    return h("div", { class: "variants" },
      h("p", { class: "quiet" }, say("variants.about", { player: player(board.turn, board.seats) })),
      h("div", { class: "pair" },
        NAMES.map((name, side) =>
          h("section", { key: name, "aria-label": say("variants.name", { name }), "data-variant": name },
            h(AgentPicker, {
              title: say("variants.name", { name }),
              game: board.game,
              spec: this.agents[side],
              people: false,
              sliders: true,
              choose: (agent) => {
                this.agents[side] = agent;
                this.screen.resume();
              },
            }),
          ),
        ),
      ),
      this.#table(stage),
      h("div", { role: "status" },
        h("ul", { class: "differences" },
          this.differences().map((text) => h("li", {}, text)),
        ),
      ),
      h("div", { class: "options" },
        labelled(
          say("web.seconds_search"),
          entry(seconds, (value) => this.allow({ seconds: Number(value) }), {
            type: "number",
            min: 0.1,
            max: 60,
            step: "any",
          }),
        ),
        labelled(
          say("variants.nodes"),
          select(String(this.nodes ?? ""), bounds, (value) => this.allow({ nodes: Number(value) || null })),
        ),
      ),
      this.#moves(board),
      this.answers.map(
        (answer, side) =>
          answer &&
          h("details", { key: NAMES[side] },
            h("summary", {}, say("variants.went", { name: NAMES[side] })),
            details(/** @type {Search} */ (this.found[side]), board, { ...stage, paint: undefined }),
          ),
      ),
    );
  }

  /** Return the two analyses side by side. @param {Stage} stage */
  #table(stage) {
    const { board } = this.screen.game;
    const row = (/** @type {string} */ key, /** @type {(found: SearchEvent, side: number) => any} */ cell) =>
      h("tr", { "data-row": key },
        h("th", { scope: "row" }, say(key)),
        this.answers.map((found, side) => h("td", {}, found ? cell(found, side) : this.#waiting(side))),
      );
    return scrolling(
      say("variants.found"),
      "compare",
      h("thead", {},
        h("tr", {},
          h("td", {}),
          NAMES.map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h("tbody", {},
        row("analyse.column_move", ({ move }) => h("strong", {}, move)),
        row("analyse.column_value", (found) => badge(valueOf(found), board, found.distance)),
        row("web.nodes_word", ({ nodes }) => count(nodes)),
        row("variants.depth", (_, side) => this.found[side]?.root?.depth || "–"),
        row("web.time_word", ({ seconds }) => say("web.seconds", { seconds: rounded(seconds, 2) })),
        row("variants.end", ({ why }) => say(`why.${why}`)),
        row("web.line", ({ line }) => lineOf(line, stage, line.slice(0, 8).join(" "))),
      ),
    );
  }

  /** @param {number} side */
  #waiting(side) {
    const { error } = this.found[side] ?? {};
    return error ? h("span", { class: "bad" }, say(error.key, error.values)) : "…";
  }

  /** Return the differences between the two, as sentences. @returns {string[]} */
  differences() {
    const [one, other] = this.answers;
    if (!one || !other) return [];
    const values = [one, other]
      .map((each) => valueOf(each))
      .map((each) => (each ? formatValue(each, this.screen.game.board) : ""));
    return [
      this.#settings(),
      one.move === other.move
        ? say("variants.same_move", { move: one.move })
        : say("variants.other_move", { one: one.move, other: other.move }),
      values[0] && values[1]
        ? values[0] === values[1]
          ? say("variants.same_value", { value: values[0] })
          : say("variants.other_value", { one: values[0], other: values[1] })
        : "",
      effort(one.nodes, other.nodes),
      one.move === other.move ? parting(one.line, other.line) : "",
      [one, other].some((each) => each.why === "time") ? say("variants.hurried") : "",
    ].filter(Boolean);
  }

  /** Return which settings differ, as a sentence. */
  #settings() {
    const [one, other] = this.found.map((each) => each?.start);
    if (!one || !other) return "";
    if (one.agent !== other.agent)
      return say("variants.other_agent", { one: agentTitle(one.agent), other: agentTitle(other.agent) });
    const all = [one, other].map((each) => ({ ...each.params, ...(each.seed === null ? {} : { seed: each.seed }) }));
    const changed = Object.keys(all[0]).filter((name) => all[0][name] !== all[1][name]);
    const words = changed.map((name) => {
      const values = all.map((each) => choiceName(name, String(each[name])));
      return `${sayOr(`web.setting_${name}`, name)} (${values.join(" / ")})`;
    });
    return words.length ? say("variants.settings", { settings: words.join(", ") }) : say("variants.nothing");
  }

  /** Return the table of the values of every move by each variant. @param {Board} board */
  #moves(board) {
    if (!this.answers.every(Boolean)) return null;
    const values = this.found.map((each) => new Map(each?.values.map((value) => [value.m, value])));
    const moves = [...new Set(values.flatMap((each) => [...each.keys()]))];
    if (!moves.length) return null;
    const cell = (/** @type {number} */ side, /** @type {string} */ move) =>
      h("td", {}, badge(values[side].get(move), board));
    return h("details", {},
      h("summary", {}, say("variants.moves")),
      scrolling(
        say("variants.moves"),
        "compare",
        columns([say("analyse.column_move"), ...NAMES]),
        h("tbody", {},
          moves.map((move) => h("tr", { key: move }, h("th", { scope: "row" }, move), cell(0, move), cell(1, move))),
        ),
      ),
    );
  }
}

/** Return which variant searched more nodes, as a sentence. @param {number} one @param {number} other */
function effort(one, other) {
  if (one === other) return say("variants.same_nodes", { nodes: count(one) });
  const [more, less] = one > other ? NAMES : [...NAMES].reverse();
  const factor = Math.max(one, other) / Math.max(1, Math.min(one, other));
  return say("variants.more_nodes", { more, less, factor: rounded(factor, factor < 10 ? 1 : 0) });
}

/**
 * Return from which move on two lines differ, as a sentence; empty if they do not.
 * @param {string[]} one
 * @param {string[]} other
 */
function parting(one, other) {
  const place = one.findIndex((move, ply) => other[ply] !== undefined && other[ply] !== move);
  return place < 0 ? "" : say("variants.parting", { move: place + 1, one: one[place], other: other[place] });
}

/** Several algorithms side by side: moves, values, nodes and time. @extends {Part<Props>} */
export class CompareForm extends Part {
  /** @type {AgentFacts[]} */
  known = [];
  chosen = new Set(settings.compared[this.props.game.board.name] ?? USUAL);
  depth = 3;
  seconds = 5;
  /** @type {[string, SearchEvent][]} */
  found = [];
  saved = "";
  searcher = new Searcher();
  ended = false;

  async componentDidMount() {
    await this.attempt(async () => {
      this.known = (await agents(this.props.game.board.game)).filter((each) => !LEFT_OUT.includes(each.name));
    });
    this.update();
  }

  componentWillUnmount() {
    this.ended = true;
    this.searcher.stop();
  }

  async run() {
    const { game } = this.props;
    const { board } = game;
    const names = this.known.filter((each) => this.chosen.has(each.name));
    change({ compared: { ...settings.compared, [board.name]: names.map((each) => each.name) } });
    Object.assign(this, { problem: "", found: [], saved: "" });
    for (const { name, settings: own } of names) {
      const agent = own.some((each) => each.name === "depth") ? `${name}:depth=${this.depth}` : name;
      const search = await this.searcher
        .run(game.request(agent, this.seconds), board)
        .catch((error) => this.complain(error));
      if (this.ended) return;
      if (search?.analysis) this.found.push([agent, search.analysis]);
      this.forceUpdate();
    }
    this.saved = this.#saving();
    this.forceUpdate();
  }

  /** Return the share of minimax's nodes that alpha-beta searched, as a sentence; null if time stopped one. */
  #saving() {
    const [minimax, alphabeta] = ["minimax", "alphabeta"].map(
      (name) => this.found.find(([agent]) => agent.split(":")[0] === name)?.[1],
    );
    if (!minimax || !alphabeta || minimax.why === "time" || alphabeta.why === "time") return "";
    return say("web.compare_saved", { share: rounded((100 * alphabeta.nodes) / minimax.nodes, 1) });
  }

  /** @param {Props} props */
  render({ game: { board } }) {
    const number = (/** @type {"depth" | "seconds"} */ what, /** @type {Record<string, any>} */ more) =>
      entry(
        this[what],
        (value) => {
          this[what] = Number(value) || this[what];
        },
        { type: "number", ...more },
      );
    return [
      h("p", { class: "quiet" }, say("web.compare_about", { player: player(board.turn, board.seats) })),
      form(
        { class: "compare-form" },
        () => this.run(),
        h("fieldset", {},
          h("legend", {}, say("web.algorithms")),
          this.known.map(({ name }) =>
            check(
              agentTitle(name),
              this.chosen.has(name),
              (on) => {
                if (on) this.chosen.add(name);
                else this.chosen.delete(name);
              },
              { value: name },
            ),
          ),
        ),
        labelled(say("web.setting_depth"), number("depth", { min: 1, max: 99, step: 1 })),
        labelled(say("web.seconds_search"), number("seconds", { min: 0.1, max: 60, step: "any" })),
        h("button", { type: "submit", class: "primary" }, say("web.start")),
      ),
      h("p", { class: "bad", role: "alert" }, this.problem),
      h("table", { class: "compare" },
        columns(COLUMNS.map((key) => say(key))),
        h("tbody", {},
          this.found.map(([agent, found]) => row(agent, found, board.seats)),
        ),
      ),
      h("p", { role: "status" }, this.saved),
    ];
  }
}

/**
 * @param {string} agent
 * @param {SearchEvent} found
 * @param {number} seats
 */
function row(agent, found, seats) {
  return h("tr", { "data-agent": agent, "data-nodes": found.nodes, "data-value": found.value, "data-move": found.move },
    h("th", { scope: "row" }, agentTitle(agent)),
    h("td", {}, found.move),
    h("td", { title: player(found.turn, seats) }, badge(valueOf(found))),
    h("td", {}, count(found.nodes)),
    h("td", {}, say("web.seconds", { seconds: rounded(found.seconds, 2) })),
  );
}
