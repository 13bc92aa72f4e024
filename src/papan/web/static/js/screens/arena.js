// @ts-check
// The arena: the tournaments that there are, and a form for a new one.

import { Refusal, beginTournament, games, tournaments } from "../api.js";
import { count, dateTime, gameTitle, say } from "../language.js";
import { AgentPicker, GamePicker, gameSelect } from "../pickers.js";
import { go } from "../router.js";
import { anySeed, save, read } from "../settings.js";
import {
  Part,
  button,
  check,
  entry,
  focusOn,
  form,
  helpLink,
  labelled,
  link,
  repeatedly,
  select,
  tool,
} from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
import { contestant, standing, tournamentScreen } from "./tournament.js";
/** @import { Opener } from "../router.js" */
/** @import { GameFacts, TournamentFacts as Tournament } from "../wire.d.ts" */

/** @typedef {"amount" | "pairs" | "opening" | "seed" | "error" | "concurrency"} PlainNumber */
/** @typedef {PlainNumber | "elo0" | "elo1" | "alpha" | "beta"} NumberField */

const CHOSEN = "papan.arena";
const [FEWEST, MOST] = [2, 12]; // agents
const BUDGETS = /** @type {Record<string, number>} */ ({ nodes: 2000, seconds: 0.1, depth: 4 });
const USUAL = {
  game: "",
  agents: ["level:2", "alphabeta", "mcts"],
  budget: "nodes",
  amount: 2000,
  pairs: 10,
  opening: 2,
  seed: 1,
  stop: "games",
  error: 30,
  elo0: 0,
  elo1: 20,
  alpha: 0.05,
  beta: 0.05,
  gauntlet: false,
  concurrency: /** @type {number | ""} */ (""),
  title: "",
};

/** @type {Opener} */
export async function arena(url, signal) {
  const id = url.pathname.split("/")[2];
  if (id) return tournamentScreen(decodeURIComponent(id), signal);
  const [all, found] = await Promise.all([games(), tournaments()]);
  return {
    title: say("arena.title"),
    view: h("div", { class: "arena" },
      h("h1", {}, say("arena.title")),
      h("p", { class: "quiet lead" }, say("arena.lead"), " ", helpLink("run-a-tournament", "help.about_tournaments")),
      h("p", {}, link("/class", say("class.to_class"), { class: "button" })),
      h("div", { class: "arena-columns" },
        h(TournamentForm, { all, entered: enteredBot(url) }),
        h("section", { class: "sheet" }, h("h2", {}, say("arena.all")), h(Overview, { found, signal })),
      ),
    ),
  };
}

/** @typedef {{agent: string, game: string}} Entered A bot that comes from the workshop, and its game. */

/** Return the bot that an address enters. @param {URL} url @returns {Entered | null} */
function enteredBot({ searchParams }) {
  const agent = searchParams.get("agent") ?? "";
  return agent.startsWith("bot:") ? { agent, game: searchParams.get("game") ?? "" } : null;
}

/** @typedef {{found: Tournament[], signal: AbortSignal}} OverviewProps */

/** The tournaments, as they stand. @extends {Component<OverviewProps>} */
class Overview extends Component {
  found = this.props.found;

  componentDidMount() { repeatedly(() => this.#refresh(), this.props.signal); }

  async #refresh() {
    try {
      this.found = await tournaments();
      this.forceUpdate();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // the server may come back
    }
    return this.found.some((each) => each.state === "running") ? 2 : 6;
  }

  render() {
    return h("ul", { class: "tournaments" },
      !this.found.length && h("li", { class: "quiet" }, say("arena.none")),
      this.found.map((each) =>
        h("li", { key: each.id, "data-state": each.state },
          link(`/arena/${each.id}`, [
            h("b", { translate: !each.title }, each.title || gameTitle(each.game)),
            each.title && h("span", {}, gameTitle(each.game)),
            h("span", {}, each.agents.map(contestant).join(" – ")),
            h("span", { class: "quiet" }, standing(each)),
            h("progress", {
              max: each.planned,
              value: each.state === "done" ? each.planned : each.games,
              "aria-hidden": "true",
            }),
            h("small", { class: "quiet" }, dateTime(each.made)),
          ]),
        ),
      ),
    );
  }
}

/**
 * The form for a new tournament: game, agents, their budget, and when it stops.
 * @extends {Part<{all: GameFacts[], entered: Entered | null}>}
 */
class TournamentForm extends Part {
  /** @param {{all: GameFacts[], entered: Entered | null}} props */
  constructor(props) {
    super(props);
    this.chosen = { ...USUAL, ...read(CHOSEN) };
    const { entered } = props;
    if (entered) Object.assign(this.chosen, { game: entered.game, agents: [entered.agent, "level:1", "level:2"] });
    /** @type {string[]} */
    const agents = Array.isArray(this.chosen.agents) ? this.chosen.agents : USUAL.agents;
    /** @type {{key: number, spec: string}[]} */
    this.agents = agents.slice(0, MOST).map((spec, key) => ({ key, spec }));
    const name = String(this.chosen.game).split(":")[0];
    /** @type {GameFacts} */
    this.facts = props.all.find((each) => each.name === name) ?? props.all[0];
    this.chosen.game = [this.facts.spec, ...this.facts.presets].includes(this.chosen.game)
      ? this.chosen.game
      : this.facts.spec;
  }

  /** @param {Partial<typeof this.chosen>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    this.problem = "";
    this.forceUpdate();
  }

  add() {
    const key = Math.max(...this.agents.map((each) => each.key)) + 1;
    this.agents.push({ key, spec: "level:3" });
    this.forceUpdate(() => focusOn(".agents > li:last-child select"));
  }

  /** @param {number} key */
  remove(key) {
    this.agents = this.agents.filter((each) => each.key !== key);
    this.forceUpdate(() => focusOn("[data-tool='arena.add_agent']"));
  }

  /** The number of games at most. */
  get games() {
    const many = this.agents.length;
    const meetings = this.facts.seats === 1 ? many : (this.chosen.gauntlet ? many - 1 : (many * (many - 1)) / 2) * 2;
    return meetings * (this.chosen.pairs || 0);
  }

  async begin() {
    const { budget, amount, stop, elo0, elo1, alpha, beta, game, pairs, opening, seed, gauntlet, concurrency, title } =
      this.chosen;
    const agents = this.agents.map((each) => each.spec);
    this.choose({ agents });
    save(CHOSEN, this.chosen);
    const order = {
      game,
      agents,
      [budget]: amount,
      pairs,
      opening,
      seed,
      gauntlet,
      error: stop === "error" ? this.chosen.error : null,
      sprt: stop === "sprt" ? { elo0, elo1, alpha, beta } : null,
      concurrency: concurrency || null,
      title,
    };
    await go(`/arena/${(await beginTournament(order)).id}`);
  }

  /** @param {{all: GameFacts[]}} props */
  render({ all }) {
    const { chosen } = this;
    /**
     * @param {NumberField} what
     * @param {Record<string, any>} more
     */
    const number = (what, more) =>
      labelled(
        say(`arena.${what}`),
        h("input", {
          type: "number",
          required: true,
          value: chosen[what],
          ...more,
          oninput: (event) =>
            this.choose({ [what]: event.currentTarget.value === "" ? "" : Number(event.currentTarget.value) }),
        }),
      );
    const chance = { min: 0.001, max: 0.49, step: "any" };
    const elo = { min: -1000, max: 1000, step: "any" };
    return form(
      { class: "sheet set-up" },
      () => this.attempt(() => this.begin()),
      h("h2", {}, say("arena.new")),
      labelled(
        say("arena.name"),
        entry(chosen.title, (title) => this.choose({ title }), {
          type: "text",
          maxlength: 80,
          autocomplete: "off",
          placeholder: say("arena.name_example"),
        }),
      ),
      h("div", { class: "pair" },
        labelled(
          say("arena.game"),
          gameSelect(this.facts, all, (facts) => {
            this.facts = facts;
            this.choose({ game: facts.spec });
          }),
        ),
        h("div", {},
          h(GamePicker, {
            key: this.facts.name,
            game: this.facts,
            spec: chosen.game,
            choose: (spec) => this.choose({ game: spec }),
          }),
        ),
      ),
      this.#agentList(),
      h("fieldset", {},
        h("legend", {}, say("arena.budget")),
        h("div", { class: "pair" },
          labelled(
            say("arena.budget_kind"),
            select(
              chosen.budget,
              [
                ["nodes", say("arena.budget_nodes")],
                ["seconds", say("arena.budget_seconds")],
                ["depth", say("arena.budget_depth")],
              ],
              (budget) => this.choose({ budget, amount: BUDGETS[budget] }),
            ),
          ),
          number("amount", { min: 0.001, step: "any" }),
        ),
      ),
      h("fieldset", {},
        h("legend", {}, say("arena.amount_of_games")),
        h("div", { class: "pair" }, number("pairs", { min: 1, max: 10_000 }), number("opening", { min: 0, max: 40 })),
        h("div", { class: "pair" },
          number("seed", { min: 0, max: 999_999_999 }),
          h("div", { class: "field bottom" },
            button(say("arena.any_seed"), () => this.choose({ seed: anySeed() })),
          ),
        ),
        h("div", { class: "pair" },
          labelled(
            say("arena.stop"),
            select(
              chosen.stop,
              [
                ["games", say("arena.stop_games")],
                ["error", say("arena.stop_error")],
                ["sprt", say("arena.stop_sprt")],
              ],
              (stop) => this.choose({ stop }),
            ),
          ),
          chosen.stop === "error" && h("div", {}, number("error", { min: 1, max: 1000, step: "any" })),
        ),
        chosen.stop === "sprt" &&
          h("div", { class: "options" },
            number("elo0", elo),
            number("elo1", elo),
            number("alpha", chance),
            number("beta", chance),
          ),
      ),
      h("details", { class: "rest" },
        h("summary", {}, say("arena.more")),
        check(say("arena.gauntlet"), chosen.gauntlet === true, (gauntlet) => this.choose({ gauntlet })),
        number("concurrency", { min: 1, max: 64, required: false, placeholder: say("arena.automatic") }),
      ),
      h("p", { class: "quiet sum", role: "status" }, say("arena.sum", { games: count(this.games) })),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("button", { type: "submit", class: "primary" }, say("arena.start")),
    );
  }

  /** The agents that take part: a line for each, with its settings. */
  #agentList() {
    return h("fieldset", {},
      h("legend", {}, say("arena.agents")),
      h("ol", { class: "agents" },
        this.agents.map((agent, place) => {
          const title = say("arena.agent_number", { number: place + 1 });
          return h("li", { key: agent.key },
            h(AgentPicker, {
              title,
              game: this.chosen.game,
              spec: agent.spec,
              people: false,
              bots: true,
              choose: (spec) => {
                agent.spec = spec;
                this.forceUpdate();
              },
              failed: (error) => this.complain(error),
            }),
            button("✕", () => this.remove(agent.key), {
              class: "plain",
              "aria-label": say("arena.remove_agent", { agent: title }),
              disabled: this.agents.length <= FEWEST,
            }),
          );
        }),
      ),
      tool("arena.add_agent", () => this.add(), { disabled: this.agents.length >= MOST }),
    );
  }
}
