// @ts-check
// Dialogs of an analysis: several algorithms on the same position, and what can be taken away.

import { agents, filmOf } from "../api.js";
import { copy, download, pngOf } from "../files.js";
import { PERSON } from "../game_link.js";
import { agentTitle, count, player, rounded, say, trouble } from "../language.js";
import { Searcher } from "../search.js";
import { change, settings } from "../settings.js";
import { Part, check, entry, form, labelled } from "../ui.js";
import { formatValue, look, valueOf } from "../values.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { GameState } from "../game.js" */
/** @import { AgentFacts } from "../wire.d.ts" */
/** @import { SearchEvent } from "../events.d.ts" */
/** @typedef {{game: GameState}} Props */

const USUAL = ["hillclimb", "genetic", "minimax", "alphabeta"];
const LEFT_OUT = ["level"];
const COLUMNS = ["web.engine", "analyse.column_move", "analyse.column_value", "web.nodes_word", "web.time_word"];

/** Several algorithms side by side: what they play, find, and look at. @extends {Part<Props>} */
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
    await this.attempt(async () => { this.known = (await agents(this.props.game.board.game)).filter((each) => !LEFT_OUT.includes(each.name)); });
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
      const search = await this.searcher.run(game.request(agent, this.seconds), board).catch((error) => this.complain(error));
      if (this.ended) return;
      if (search?.analysis) this.found.push([agent, search.analysis]);
      this.forceUpdate();
    }
    this.saved = this.#saving();
    this.forceUpdate();
  }

  /** What pruning has saved, where both have looked as deep. */
  #saving() {
    const [minimax, alphabeta] = ["minimax", "alphabeta"].map((name) => this.found.find(([agent]) => agent.split(":")[0] === name)?.[1]);
    if (!minimax || !alphabeta || minimax.why === "time" || alphabeta.why === "time") return "";
    return say("web.compare_saved", { share: rounded((100 * alphabeta.nodes) / minimax.nodes, 1) });
  }

  /** @param {Props} props */
  render({ game: { board } }) {
    const number = (/** @type {"depth" | "seconds"} */ what, /** @type {Record<string, any>} */ more) =>
      entry(this[what], (value) => { this[what] = Number(value) || this[what]; }, { type: "number", ...more });
    return [
      h("p", { class: "quiet" }, say("web.compare_about", { player: player(board.turn, board.seats) })),
      form({ class: "compare-form" }, () => this.run(),
        h("fieldset", {}, h("legend", {}, say("web.algorithms")), this.known.map(({ name }) =>
          check(agentTitle(name), this.chosen.has(name), (on) => { if (on) this.chosen.add(name); else this.chosen.delete(name); }, { value: name }))),
        labelled(say("web.setting_depth"), number("depth", { min: 1, max: 99, step: 1 })),
        labelled(say("web.seconds_search"), number("seconds", { min: 0.1, max: 60, step: "any" })),
        h("button", { type: "submit", class: "primary" }, say("web.start"))),
      h("p", { class: "bad", role: "alert" }, this.problem),
      h("table", { class: "compare" }, h("thead", {}, h("tr", {}, COLUMNS.map((key) => h("th", { scope: "col" }, say(key))))),
        h("tbody", {}, this.found.map(([agent, found]) => row(agent, found, board.seats)))),
      h("p", { role: "status" }, this.saved),
    ];
  }
}

/** @param {string} agent @param {SearchEvent} found @param {number} seats */
function row(agent, found, seats) {
  const value = valueOf(found);
  return h("tr", { "data-agent": agent, "data-nodes": found.nodes, "data-value": found.value, "data-move": found.move },
    h("th", { scope: "row" }, agentTitle(agent)), h("td", {}, found.move),
    h("td", { title: player(found.turn, seats) }, value ? h("span", { class: `badge ${look(value)}` }, formatValue(value)) : "–"),
    h("td", {}, count(found.nodes)), h("td", {}, say("web.seconds", { seconds: rounded(found.seconds, 2) })));
}

/** What can be taken away from an analysis: pictures, a film, the record, the moves, the position. @extends {Component<Props>} */
export class Exports extends Component {
  said = "";

  /** @param {string} said */
  tell(said) {
    this.said = said;
    this.forceUpdate();
  }

  /** @param {string} text */
  async copied(text) { this.tell((await copy(text)) ? say("web.copied_text") : text); }

  /** @param {Props} props */
  render({ game }) {
    const { board, start, line } = game;
    const button = (/** @type {string} */ key, /** @type {() => Promise<void> | void} */ act) =>
      h("button", { type: "button", "data-export": key, onclick: async () => {
        this.tell("");
        try {
          await act();
        } catch (error) {
          this.tell(trouble(error));
        }
      } }, say(key));
    return [
      h("div", { class: "exports" },
        button("web.export_png", async () => download(`${board.name}.png`, "image/png", await pngOf(board.svg))),
        button("web.export_svg", () => download(`${board.name}.svg`, "image/svg+xml", board.svg)),
        button("web.export_film", async () => download(`${board.name}-film.svg`, "image/svg+xml", await filmOf(start, line))),
        button("web.export_record", () => download(`${board.name}.json`, "application/json", game.record(board.scores.map(() => PERSON)))),
        button("web.export_moves", () => download(`${board.name}.txt`, "text/plain", `${line.join(" ")}\n`)),
        button("web.copy_moves", () => this.copied(line.join(" "))),
        button("web.copy_position", () => this.copied(board.position)),
        button("web.share", () => this.copied(location.href))),
      h("p", { role: "status" }, this.said),
    ];
  }
}
