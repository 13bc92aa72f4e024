// @ts-check
// A player that learns while one watches: its curve, what it thinks of the board now, and a game against it.

import { boardOf, learnt } from "./api.js";
import { Board } from "./board.js";
import { count, say } from "./language.js";
import { Searcher } from "./search.js";
import { Part, labelled, link, tool } from "./ui.js";
import { labelsOf, lineChart } from "./values.js";
import { h } from "./vendor/preact.mjs";
/** @import { LearningResult as Learnt } from "./wire.d.ts" */
/** @import { MoveValue } from "./events.d.ts" */
/** @typedef {{game: string, signal: AbortSignal}} LearningProps */

const STAGES = [500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10000, 13000, 16000, 20000, 25000, 30000];
const PAUSE = 1500; // milliseconds between two stages: time to look
const USUAL = { rate: 1, exploration: 0.15 };

/** @extends {Part<LearningProps>} */
export class Learning extends Part {
  /** @type {Learnt[]} */
  curve = [];
  plan = { ...USUAL };
  at = -1; // the stage that is looked at; none: it knows nothing
  running = false;
  /** @type {string[]} */
  moves = [];
  /** @type {import("./wire.d.ts").BoardFacts | null} */
  board = null;
  /** @type {MoveValue[]} */
  values = [];
  /** @type {string | null} */
  best = null;
  /** @type {number | null} */
  own = null; // its seat in a game against a person; none: both sides are free
  searcher = new Searcher(); // of what it thinks

  componentDidMount() { this.attempt(() => this.#reach([])); }

  componentWillUnmount() { this.searcher.stop(); }

  /** The agent as it is at the stage that is looked at. */
  get agent() {
    const { rate, exploration } = this.plan;
    return `learned:depth=1,games=${this.curve[this.at]?.games ?? 1},exploration=${exploration},rate=${rate}`;
  }

  // Learning: stage after stage, while it is not stopped.

  start() {
    this.running = true;
    this.attempt(() => this.#learn());
    this.update();
  }

  forget() {
    this.running = false;
    this.curve = [];
    this.at = -1;
    this.attempt(() => this.#reach([]));
  }

  /** @param {"rate" | "exploration"} name @param {number} value */
  change(name, value) {
    this.plan = { ...this.plan, [name]: value };
    this.forget(); // another plan is another player
  }

  async #learn() {
    try {
      while (this.running && this.curve.length < STAGES.length && !this.props.signal.aborted) {
        const { plan } = this;
        const found = await learnt({ ...plan, games: STAGES[this.curve.length] }, this.props.signal);
        if (plan !== this.plan) return;
        this.curve.push(found);
        await this.look(this.curve.length - 1);
        await new Promise((done) => setTimeout(done, PAUSE));
      }
    } finally {
      if (this.curve.length === STAGES.length || this.problem) this.running = false;
      this.update();
    }
  }

  /** @param {number} stage */
  look(stage) {
    this.at = stage;
    return this.#think();
  }

  // The board: what it thinks, and a game against it.

  /** @param {string[]} moves */
  async #reach(moves) {
    this.moves = moves;
    this.values = [];
    this.board = await boardOf(this.props.game, moves);
    this.update();
    if (this.at >= 0) await this.#think();
  }

  async #think() {
    const { board } = this;
    if (this.props.signal.aborted) return;
    if (!board?.legal.length) return this.update();
    const found = await this.searcher.run(
      { start: this.props.game, moves: this.moves.join(" "), agent: this.agent, seconds: 5 },
      board,
    );
    if (!found) return; // another question was asked meanwhile
    if (found.error) return this.complain(say(found.error.key, found.error.values));
    if (found.analysis) ({ moves: this.values, move: this.best } = found.analysis);
    this.update();
    if (board.turn === this.own && this.best) await this.#reach([...this.moves, this.best]);
  }

  /** @param {number | null} own */
  begin(own) {
    this.own = own;
    this.attempt(() => this.#reach([]));
  }

  /** @param {LearningProps} props */
  render({ game }) {
    const { board, curve, at } = this;
    const here = curve[at];
    const person = `human|${this.agent}`;
    return h("section", { class: "learning", "aria-label": say("learn.watch") },
      h("h2", {}, say("learn.watch")),
      h("p", { class: "quiet" }, say("learn.watch_about")),
      this.problem && h("p", { class: "problem", role: "alert" }, this.problem),
      h("div", { class: "learning-board" },
        board &&
          h(Board, {
            board,
            label: say("learn.board"),
            live: board.legal.length > 0 && board.turn !== this.own,
            pick: (move) => this.attempt(() => this.#reach([...this.moves, move])),
            layers: [
              labelsOf(board, { position: board.position, values: this.values, distances: {}, best: this.best }),
            ],
          }),
        h("p", { class: "quiet" }, say(here ? "learn.values_key" : "learn.knows_nothing")),
        h("div", { class: "row" },
          tool("learn.you_begin", () => this.begin(1), { disabled: !here }),
          tool("learn.it_begins", () => this.begin(0), { disabled: !here }),
          tool("learn.free", () => this.begin(null)),
          here &&
            link(`/play/${game}?${new URLSearchParams({ seats: person })}`, say("learn.play_it"), { class: "button" }),
        ),
      ),
      h("div", { class: "learning-curve" },
        h("div", { class: "row" },
          this.running
            ? tool("learn.stop", () => {
                this.running = false;
                this.update();
              })
            : tool("learn.start", () => this.start(), { class: "primary", disabled: curve.length === STAGES.length }),
          tool("learn.forget", () => this.forget(), { disabled: !curve.length }),
        ),
        this.#slider("exploration", 0, 1, 0.05),
        this.#slider("rate", 0.05, 2, 0.05),
        curve.length > 0 && [
          lineChart(
            say("learn.errors"),
            [
              {
                name: say("learn.errors"),
                kind: "best",
                points: curve.map((each) => (100 * each.errors) / each.positions),
              },
            ],
            { pick: (place) => this.attempt(() => this.look(place)), at },
          ),
          h("p", { class: "legend quiet" }, say("learn.errors_key")),
          labelled(
            say("learn.stage"),
            h("input", {
              type: "range",
              min: 0,
              max: curve.length - 1,
              value: at,
              "aria-valuetext": here && say("learn.after", { games: count(here.games) }),
              oninput: (event) => this.attempt(() => this.look(Number(event.currentTarget.value))),
            }),
          ),
        ],
        h("p", { class: "sentence", role: "status" },
          here &&
            say("learn.stage_is", {
              games: count(here.games),
              errors: count(here.errors),
              positions: count(here.positions),
              loss: here.loss.toFixed(4),
            }),
        ),
      ),
    );
  }

  /**
   * @param {"rate" | "exploration"} name
   * @param {number} min
   * @param {number} max
   * @param {number} step
   */
  #slider(name, min, max, step) {
    const value = this.plan[name];
    return labelled(
      `${say(`learn.${name}`)}: ${value}`,
      h("input", {
        type: "range",
        min,
        max,
        step,
        value,
        "data-name": name,
        onchange: (event) => this.change(name, Number(event.currentTarget.value)),
      }),
    );
  }
}
