// @ts-check
// One tournament: how it goes while it runs, and what it has shown.

import { deleteTournament, steerTournament, tournament, tournamentFile, tournamentGames } from "../api.js";
import { contestant, costTable, crossTable, eloBars, endings, ranking, ratioBar, seatTable, standing, superiorityTable } from "../arena_tables.js";
import { confirmed } from "../dialogs.js";
import { copy } from "../files.js";
import { addressOf } from "../game_link.js";
import { count, gameTitle, language, say } from "../language.js";
import { go } from "../router.js";
import { Drawing, Part, announce, helpLink, labelled, link, select, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { repeatedly } from "./arena.js";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { PlayedGame, TournamentReport as Report } from "../wire.d.ts" */
/** @typedef {{report: Report, signal: AbortSignal}} Props */

const LIVE = ["running", "waiting"];
const FILES = [["games.jsonl", "arena.file_games"], ["table.csv", "arena.file_csv"], ["report.json", "arena.file_json"], ["table.tex", "arena.file_latex"]];

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Screen>} */
export async function tournamentScreen(id, signal) {
  const report = await tournament(id);
  return { title: `${say("arena.title")}: ${report.title || gameTitle(report.game)}`, view: h(TournamentPage, { report, signal }) };
}

/** @extends {Part<Props>} */
class TournamentPage extends Part {
  report = this.props.report;
  copied = "";
  between = ["", ""]; // whose games are listed

  componentDidMount() { this.polling = repeatedly(() => this.#refresh(), this.props.signal); }

  async #refresh() {
    try {
      const before = this.report.state;
      this.report = await tournament(this.report.id);
      this.problem = "";
      if (this.report.state !== before) announce(standing(this.report));
    } catch (error) {
      this.complain(error); // the server may come back
    }
    this.update();
    return LIVE.includes(this.report.state) ? 1 : 5;
  }

  /** @param {() => Promise<unknown>} what */
  act(what) {
    return this.attempt(async () => {
      await what();
      this.polling?.();
    });
  }

  async dismiss() {
    const { id } = this.report;
    if (await confirmed(say("arena.delete_sure"), say("arena.delete"))) await this.act(async () => { await deleteTournament(id); await go("/arena"); });
  }

  /** List the games of two agents; nobody named is everybody. @param {string} one @param {string} other */
  listGames(one, other) {
    this.between = [one, other];
    this.forceUpdate(() => document.querySelector("[data-sheet=all_games]")?.scrollIntoView());
  }

  async copy() {
    this.copied = say((await copy(this.report.command)) ? "arena.copied" : "arena.copy_by_hand");
    this.forceUpdate();
  }

  render() {
    const { report: { id, state, why, title, game, games, planned, yours, command } } = this;
    return h("article", { class: "arena report", "data-id": id, "data-state": state },
      h("p", { class: "way-back" }, link("/arena", `← ${say("arena.all")}`)),
      h("h1", {}, title || gameTitle(game)),
      h("p", { class: "quiet" }, title && `${gameTitle(game)} · `, settled(this.report)),
      helpLink("statistics", "help.about_statistics"),
      h("div", { class: "course" },
        h("p", { class: "standing" }, standing(this.report)),
        h("progress", { "aria-label": say("arena.progress_label"), max: planned, value: state === "done" ? planned : games }),
        h("div", { class: "row steering" }, yours && [
          LIVE.includes(state) && tool("arena.pause", () => this.act(() => steerTournament(id, "pause"))),
          ["paused", "failed"].includes(state) && tool("arena.go_on", () => this.act(() => steerTournament(id, "go-on")), { class: "primary" })],
          tool("arena.print", () => print()),
          yours && tool("arena.delete", () => this.dismiss())),
        h("p", { role: "alert", class: "bad" }, this.problem || (why && say(why.key, why.values)))),
      h("div", { class: "sheets" }, sheets(this.report, (one, other) => this.listGames(one, other))),
      games > 0 && h(AllGames, { key: this.between.join(), report: this.report, between: this.between, choose: (one, other) => this.listGames(one, other) }),
      sheet("arena.take_home",
        h("div", { class: "row files" }, FILES.map(([form, key]) => h("a", { class: "quiet-button", href: tournamentFile(id, form, language()), download: "" }, say(key)))),
        h("p", { class: "quiet" }, say("arena.command")),
        h("pre", { tabindex: 0 }, h("code", {}, command)),
        h("div", { class: "row" }, tool("arena.copy", () => this.copy()), h("span", { class: "quiet", role: "status" }, this.copied))));
  }
}

/** What was decided before the first game. @param {Report} facts */
function settled({ order, agents }) {
  const { seconds, nodes } = order.limit;
  const budget = seconds ? say("arena.granted_seconds", { count: count(seconds) }) : nodes >= 1e9 ? say("arena.granted_depth") : say("arena.granted_nodes", { count: count(nodes) });
  const parts = [say("arena.agents_count", { count: agents.length }), say("arena.pairs_count", { count: count(order.pairs) }), budget,
    say("arena.opening_count", { count: order.opening }), say("arena.seed_is", { seed: order.seed })];
  return parts.join(" · ");
}

/** @param {Report} facts @param {(one: string, other: string) => unknown} open Shows the games of two. */
function sheets(facts, open) {
  const { contest } = facts;
  if (!contest.games) return [h("p", { class: "quiet" }, say("arena.no_games")), lastGames(facts)];
  return [
    sheet("arena.strength", eloBars(contest.agents), h("p", { class: "quiet" }, say("arena.strength_about"))),
    contest.sprt && sheet("arena.sprt", ratioBar(contest.sprt)),
    sheet("arena.ranking", ranking(contest), endings(contest), faults(contest)),
    contest.agents[0].seats.length > 0 && sheet("arena.cross_table", crossTable(contest, open)),
    sheet("arena.superiority", superiorityTable(contest)),
    contest.agents[0].seats.length > 0 && sheet("arena.seats", seatTable(contest)),
    sheet("arena.cost", costTable(facts), growthLinks(facts)),
    lastGames(facts),
  ];
}

/** Why games were lost by an agent's own fault: one that fails is not weak. @param {Report["contest"]} contest */
function faults({ agents }) {
  const found = agents.flatMap(({ agent, faults: all }) => all.map((each) => ({ agent, ...each })));
  if (!found.length) return null;
  return h("ul", { class: "faults" }, found.map(({ agent, kind, reason, games, output }) => {
    const line = say("match.forfeited", { agent: contestant(agent), games: count(games), kind: say(`end.${kind}`), reason });
    return h("li", {}, output ? h("details", {}, h("summary", {}, line), h("pre", { tabindex: 0 }, output)) : line);
  }));
}

/** Where to see how the work of an agent grows with its depth: an analysis draws it. @param {Report} facts */
function growthLinks({ agents, game }) {
  const deepening = agents.filter((each) => /^(alphabeta|minimax)\b/.test(each));
  if (!deepening.length) return null;
  return h("p", { class: "row growth-links" }, h("span", { class: "quiet" }, say("arena.growth")), deepening.map((agent) =>
    link(addressOf("analyse", { start: game, moves: [], players: [agent], seconds: 2 }, game), contestant(agent))));
}

/** @param {string} key @param {...Child} body */
function sheet(key, ...body) {
  return h("section", { class: "sheet", "data-sheet": key.split(".")[1] }, h("h2", {}, say(key)), body);
}

/** @param {Report} facts */
function lastGames({ last, game: spec }) {
  if (!last.length) return null;
  return sheet("arena.last_games", h("ul", { class: "last-games" }, last.map((game) => {
    const picture = h("div", { class: "mini board", "aria-hidden": "true" }, game.svg && h(Drawing, { text: game.svg }));
    return h("li", { key: game.number }, link(addressOfGame(game, spec), [picture, told(game)]));
  })));
}

/** Where a game is seen again. @param {PlayedGame} game @param {string} spec */
function addressOfGame({ start, moves }, spec) {
  return addressOf("analyse", { start, moves: moves.split(" ").filter(Boolean), players: [], seconds: 2 }, spec);
}

/** Who played a game, and how it ended. @param {PlayedGame} game */
function told({ agents, scores, end }) {
  return [h("span", {}, agents.map(contestant).join(" – ")), h("span", { class: "quiet" }, `${scores.map(count).join("–")}, ${say(`end.${end}`)}`)];
}

/** @typedef {{report: Report, between: string[], choose: (one: string, other: string) => void}} AllGamesProps */

/** All games, or those of two agents, in their order. @extends {Part<AllGamesProps>} */
class AllGames extends Part {
  /** @type {PlayedGame[]} */
  games = [];
  total = 0;

  loading = false;
  seen = 0; // so many games were over when it was asked last

  componentDidMount() { this.more(); }

  /** Games that have ended meanwhile follow by themselves, where all others are shown. */
  componentDidUpdate() { if (this.seen !== this.props.report.games && this.games.length === this.total) this.more(); }

  /** The next page. */
  async more() {
    if (this.loading) return;
    this.loading = true;
    this.seen = this.props.report.games;
    await this.attempt(async () => {
      const { report: { id }, between: [one, other] } = this.props;
      const page = await tournamentGames(id, { one, other, after: this.games.length });
      this.loading = false;
      this.games = [...this.games, ...page.games];
      this.total = page.total;
      this.update();
    });
    this.loading = false;
  }

  /** @param {AllGamesProps} props */
  render({ report: { agents, game: spec }, between: [one, other], choose }) {
    const { games, total } = this;
    const options = [["", say("arena.everybody")], ...[...new Set(agents)].map((each) => [each, contestant(each)])];
    return h("section", { class: "sheet", "data-sheet": "all_games" }, h("h2", {}, say("arena.all_games")),
      h("div", { class: "pair" },
        labelled(say("arena.games_one"), select(one, options, (agent) => choose(agent, other))),
        labelled(say("arena.games_other"), select(other, options, (agent) => choose(one, agent)))),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("p", { class: "quiet", role: "status" }, say("arena.games_found", { count: total })),
      h("ol", { class: "all-games" }, games.map((game) => h("li", { key: game.number }, link(addressOfGame(game, spec), [`${game.number + 1}. `, told(game)])))),
      games.length < total && tool("arena.games_more", () => this.more()));
  }
}
