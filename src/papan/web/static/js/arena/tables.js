// @ts-check
// The tables of a report: ranking, cross-table, superiority, seats, what moves cost.

import { h } from "../dom.js";
import { count, language, say } from "../language.js";
import { contestant, eloText, scoreText, short } from "./facts.js";

/** @typedef {import("./facts.js").Report} Report */
/** @typedef {import("./facts.js").Contest} Contest */
/** @typedef {import("./facts.js").Contestant} Contestant */

/** A table that scrolls by itself where it is too wide; the second column names the line.
 * @param {string} title @param {string[]} headings @param {string[][]} rows @param {string} kind */
function table(title, headings, rows, kind) {
  return h("div", { class: "scroll", role: "region", "aria-label": title, tabindex: 0 },
    h("table", { class: `results ${kind}` },
      h("thead", {}, h("tr", {}, headings.map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) =>
        place === 1 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))))));
}

/** @param {Contestant[]} agents @param {(agent: Contestant, place: number) => string[]} cells @returns {string[][]} */
function lines(agents, cells) {
  return agents.map((each, place) => [String(place + 1), contestant(each.agent), ...cells(each, place)]);
}

/** @param {string[]} keys */
const headings = (...keys) => ["#", say("tournament.column_agent"), ...keys.map((key) => say(key))];

/** @param {Contest} contest */
export function ranking({ agents }) {
  const names = headings("tournament.column_rating", "tournament.column_points", "tournament.column_wins", "tournament.column_draws", "tournament.column_losses", "tournament.column_forfeits");
  return table(say("arena.ranking"), names, lines(agents, (each) => [
    eloText(each.elo), `${count(each.points)}/${count(each.games)}`, count(each.wins), count(each.draws), count(each.losses), forfeits(each),
  ]), "ranking");
}

/** How often an agent lost by its own fault, by kind.
 * @param {Contestant} agent */
function forfeits({ forfeits: kinds }) {
  return Object.entries(kinds).map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`).join(", ") || "0";
}

/** Everyone against everyone: won, drawn, lost.
 * @param {Contest} contest */
export function crossTable({ agents, encounters }) {
  /** @param {Contestant} one @param {Contestant} other */
  const cell = (one, other) => {
    const met = encounters.find((each) => each.first === one.agent && each.second === other.agent);
    if (met) return scoreText(met);
    const turned = encounters.find((each) => each.first === other.agent && each.second === one.agent);
    return turned ? scoreText({ wins: turned.losses, draws: turned.draws, losses: turned.wins }) : "·";
  };
  return table(say("arena.cross_table"), [...headings(), ...places(agents)],
    lines(agents, (one) => agents.map((other) => cell(one, other))), "cross");
}

/** How likely each is stronger than each other.
 * @param {Contest} contest */
export function superiorityTable({ agents, superiority }) {
  return table(say("arena.superiority"), [...headings(), ...places(agents)],
    lines(agents, (_, place) => superiority[place].map((chance) => (chance === null ? "·" : percent(chance)))), "cross");
}

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(language(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);

/** @param {Contestant[]} agents */
const places = (agents) => agents.map((_, place) => String(place + 1));

/** What the right to begin is worth.
 * @param {Contest} contest */
export function seatTable({ agents }) {
  return table(say("arena.seats"), headings("arena.first_seat", "arena.second_seat"),
    lines(agents, (each) => each.seats.map(scoreText)), "seats");
}

/** What a move costs.
 * @param {Report} report */
export function costTable({ contest, efforts }) {
  /** @param {string} agent @returns {string[]} */
  const cells = (agent) => {
    const spent = efforts.find((each) => each.agent === agent);
    return [spent?.nodes, spent?.milliseconds].flatMap((each) => (each ? [short(each.median), short(each.p95)] : ["–", "–"]));
  };
  return table(say("arena.cost"), headings("arena.nodes_median", "arena.nodes_p95", "arena.ms_median", "arena.ms_p95"),
    lines(contest.agents, (each) => cells(each.agent)), "cost");
}

/** How the games ended.
 * @param {Contest} contest */
export function endings({ endings: kinds }) {
  const text = Object.entries(kinds).map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`).join(", ");
  return h("p", { class: "quiet" }, say("tournament.endings", { endings: text || "–" }));
}
