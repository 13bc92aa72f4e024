// @ts-check
// One tournament: how it goes while it runs, and what it has shown.

import { Refusal } from "../api.js";
import { confirmed } from "../dialogs.js";
import { announce, drawing, fill, h } from "../dom.js";
import { copy } from "../files.js";
import { count, gameTitle, say } from "../language.js";
import { go } from "../router.js";
import { addressOf } from "../table.js";
import { tool } from "../tools.js";
import { eloBars, ratioBar } from "./bars.js";
import { contestant, fileOf, remove, repeatedly, report, standing, steer } from "./facts.js";
import { costTable, crossTable, endings, ranking, seatTable, superiorityTable } from "./tables.js";

/** @typedef {import("./facts.js").Report} Report */
/** @typedef {import("./facts.js").Contest} Contest */

const LIVE = ["running", "waiting"];

/** @param {string} id @returns {Promise<import("../router.js").Screen>} */
export async function tournamentScreen(id) {
  let facts = await report(id);
  const status = h("p", { class: "standing" });
  const bar = h("progress", { "aria-label": say("arena.progress_label") });
  const tools = h("div", { class: "row steering" });
  const problem = h("p", { role: "alert", class: "bad" });
  const results = h("div", { class: "sheets" });
  const title = gameTitle(facts.game);
  const element = h("article", { class: "arena report", "data-id": id },
    h("p", { class: "way-back" }, h("a", { href: "/arena", "data-link": "" }, `← ${say("arena.all")}`)),
    h("h1", {}, title),
    h("p", { class: "quiet" }, settled(facts)),
    h("div", { class: "course" }, status, bar, tools, problem),
    results,
    takeHome(facts));

  let drawn = "";
  const show = () => {
    fill(status, standing(facts));
    bar.max = facts.planned;
    bar.value = facts.state === "done" ? facts.planned : facts.games;
    element.dataset.state = facts.state;
    fill(problem, facts.why ? say(facts.why.key, facts.why.values) : "");
    showTools();
    const mark = `${facts.seen} ${facts.state}`;
    if (mark !== drawn) redraw(results, sheets(facts));
    drawn = mark;
  };
  const showTools = () => {
    const wanted = facts.yours ? facts.state : "";
    if (tools.dataset.state === wanted) return; // the focus stays where it is
    tools.dataset.state = wanted;
    fill(tools,
      facts.yours && LIVE.includes(facts.state) && tool("arena.pause", () => act(() => steer(id, "pause"))),
      facts.yours && ["paused", "failed"].includes(facts.state) && tool("arena.go_on", () => act(() => steer(id, "go-on")), { class: "primary" }),
      tool("arena.print", () => print()),
      facts.yours && tool("arena.delete", dismiss));
  };
  const refresh = async () => {
    try {
      const before = facts.state;
      facts = await report(id);
      if (facts.state !== before) announce(standing(facts));
      show();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fill(problem, say(error.key, error.values)); // the server may come back
    }
    return LIVE.includes(facts.state) ? 1 : 5;
  };
  const turns = repeatedly(refresh);
  /** @param {() => Promise<unknown>} what */
  const act = async (what) => {
    try {
      await what();
      turns.now();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fill(problem, say(error.key, error.values));
    }
  };
  const dismiss = async () => {
    if (await confirmed(say("arena.delete_sure"), say("arena.delete"))) await act(async () => { await remove(id); turns.stop(); await go("/arena"); });
  };
  show();
  return { title: `${say("arena.title")}: ${title}`, element, leave: turns.stop };
}

/** Put new children in; whoever has scrolled or is in the middle of something stays there.
 * @param {HTMLElement} box @param {(Node | false | null)[]} children */
function redraw(box, children) {
  const stops = () => /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".scroll, a")]);
  const scrolled = stops().map((each) => each.scrollLeft);
  const focused = stops().findIndex((each) => each === document.activeElement);
  fill(box, children);
  stops().forEach((each, place) => { each.scrollLeft = scrolled[place] ?? 0; });
  if (focused >= 0) stops()[focused]?.focus({ preventScroll: true });
}

/** What was decided before the first game.
 * @param {Report} facts */
function settled({ order, agents }) {
  const { seconds, nodes } = order.limit;
  const budget = seconds ? say("arena.granted_seconds", { count: count(seconds) }) : nodes >= 1e9 ? say("arena.granted_depth") : say("arena.granted_nodes", { count: count(nodes) });
  const parts = [say("arena.agents_count", { count: agents.length }), say("arena.pairs_count", { count: count(order.pairs) }), budget,
    say("arena.opening_count", { count: order.opening }), say("arena.seed_is", { seed: order.seed })];
  return parts.join(" · ");
}

/** @param {Report} facts */
function sheets(facts) {
  const { contest } = facts;
  if (!contest.games) return [h("p", { class: "quiet" }, say("arena.no_games")), lastGames(facts)];
  return [
    sheet("arena.strength", eloBars(contest.agents), h("p", { class: "quiet" }, say("arena.strength_about"))),
    contest.sprt && sheet("arena.sprt", ratioBar(contest.sprt)),
    sheet("arena.ranking", ranking(contest), endings(contest), faults(contest)),
    contest.agents.length > 2 && sheet("arena.cross_table", crossTable(contest)),
    sheet("arena.superiority", superiorityTable(contest)),
    contest.agents[0].seats.length > 0 && sheet("arena.seats", seatTable(contest)),
    sheet("arena.cost", costTable(facts), growthLinks(facts)),
    lastGames(facts),
  ];
}

/** Why games were lost by an agent's own fault: one that fails is not weak.
 * @param {Contest} contest */
function faults({ agents }) {
  const found = agents.flatMap(({ agent, faults: all }) => all.map((each) => ({ agent, ...each })));
  if (!found.length) return null;
  return h("ul", { class: "faults" }, found.map(({ agent, kind, reason, games, output }) => {
    const line = say("match.forfeited", { agent: contestant(agent), games: count(games), kind: say(`end.${kind}`), reason });
    return h("li", {}, output ? h("details", {}, h("summary", {}, line), h("pre", { tabindex: 0 }, output)) : line);
  }));
}

/** Where to see how the work of an agent grows with its depth: an analysis draws it.
 * @param {Report} facts */
function growthLinks({ agents, game }) {
  const deepening = agents.filter((each) => /^(alphabeta|minimax)\b/.test(each));
  if (!deepening.length) return null;
  return h("p", { class: "row growth-links" }, h("span", { class: "quiet" }, say("arena.growth")), deepening.map((agent) =>
    h("a", { href: addressOf("analyse", { start: game, moves: [], seats: [agent], seconds: 2 }, game), "data-link": "" }, contestant(agent))));
}

/** @param {string} key @param {...(Node | false | null)} body */
function sheet(key, ...body) {
  return h("section", { class: "sheet", "data-sheet": key.split(".")[1] }, h("h2", {}, say(key)), body);
}

/** @param {Report} facts */
function lastGames({ last, game: spec }) {
  if (!last.length) return null;
  return sheet("arena.last_games", h("ul", { class: "last-games" }, last.map((game) => {
    const names = game.agents.map(contestant);
    const result = `${game.scores.map(count).join("–")}, ${say(`end.${game.end}`)}`;
    const address = addressOf("analyse", { start: game.start, moves: game.moves.split(" ").filter(Boolean), seats: [], seconds: 2 }, spec);
    const picture = h("div", { class: "mini board", "aria-hidden": "true" }, game.svg && drawing(game.svg));
    return h("li", {}, h("a", { href: address, "data-link": "" }, picture, h("span", {}, names.join(" – ")), h("span", { class: "quiet" }, result)));
  })));
}

/** @param {Report} facts */
function takeHome({ id, command }) {
  const told = h("span", { class: "quiet", role: "status" });
  const copied = async () => fill(told, say((await copy(command)) ? "arena.copied" : "arena.copy_by_hand"));
  const files = [["games.jsonl", "arena.file_games"], ["table.csv", "arena.file_csv"], ["report.json", "arena.file_json"], ["table.tex", "arena.file_latex"]];
  return sheet("arena.take_home",
    h("div", { class: "row files" }, files.map(([form, key]) => h("a", { class: "quiet-button", href: fileOf(id, form), download: "" }, say(key)))),
    h("p", { class: "quiet" }, say("arena.command")),
    h("pre", { tabindex: 0 }, h("code", {}, command)),
    h("div", { class: "row" }, tool("arena.copy", copied), told));
}
