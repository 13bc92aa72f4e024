// @ts-check
// What a tournament has shown, in words, tables and bars.

import { algorithmTitle, count, language, say, signed } from "./language.js";
import { scrolling } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { TournamentResult as Contest, ContestantFacts as Contestant, IntervalFacts as Interval, Score, SprtFacts as Sprt, TournamentFacts as Tournament, TournamentReport } from "./wire.d.ts" */

const [WIDE, HIGH] = [200, 24]; // of a bar
const MARGIN = 1.08;

/** Who plays: levels by their names, algorithms with everything that was set. @param {string} name */
export function contestant(name) { return /^level:\d$/.test(name) ? say(`web.level_${name.slice(-1)}`) : algorithmTitle(name); }

/** An Elo and both ends of its interval in whole points; only the end that is known where there is one.
 * The plus-minus sign is for intervals whose two sides are equal.
 * @param {Interval | null} elo */
export function eloText(elo) {
  if (!elo) return "–";
  const { value, low, high } = elo;
  if (value !== null && low !== null && high !== null) {
    const [below, above] = [Math.round(value - low), Math.round(high - value)];
    const ends = below === above ? `± ${above}` : `[${signed(Math.round(low))}, ${signed(Math.round(high))}]`;
    return `${signed(Math.round(value))} ${ends}`;
  }
  if (low !== null) return `≥ ${signed(Math.round(low))}`;
  if (high !== null) return `≤ ${signed(Math.round(high))}`;
  return "?";
}

/** @param {Score} score */
const scoreText = ({ wins, draws, losses }) => `+${wins} =${draws} −${losses}`;

/** A number with few digits. @param {number} amount */
const short = (amount) => count(Number(amount.toPrecision(3)));

/** Seconds as people say them. @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return say("arena.seconds", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return say("arena.minutes", { count: Math.round(seconds / 60) });
  return say("arena.hours", { count: short(seconds / 3600) });
}

/** How a tournament stands, in one sentence. @param {Tournament & {pace?: number | null, contest?: Contest}} facts */
export function standing(facts) {
  const { state, games, planned } = facts;
  const parts = [say(`arena.state_${state}`), say("arena.progress", { games: count(games), planned: count(planned) })];
  if (state === "running" && facts.pace) {
    parts.push(say("arena.pace", { pace: short(facts.pace) }));
    if (games < planned) parts.push(say("arena.left", { time: duration((planned - games) / facts.pace) }));
  }
  if (state === "done" && facts.contest?.ending) parts.push(say(`tournament.why_${facts.contest.ending}`));
  return parts.join(" · ");
}

/** A table whose second column names the line. @param {string} title @param {string[]} headings @param {Child[][]} rows @param {string} kind */
function results(title, headings, rows, kind) {
  return scrolling(title, `results ${kind}`,
    h("thead", {}, h("tr", {}, headings.map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) => (place === 1 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))))));
}

/** @param {Contestant[]} agents @param {(agent: Contestant, place: number) => Child[]} cells @returns {Child[][]} */
function lines(agents, cells) {
  return agents.map((each, place) => [String(place + 1), contestant(each.agent), ...cells(each, place)]);
}

/** @param {string[]} keys */
const headings = (...keys) => ["#", say("tournament.column_agent"), ...keys.map((key) => say(key))];

/** @param {Contest} contest */
export function ranking({ agents }) {
  const names = headings("tournament.column_rating", "tournament.column_points", "tournament.column_wins", "tournament.column_draws", "tournament.column_losses", "tournament.column_forfeits");
  return results(say("arena.ranking"), names, lines(agents, (each) => [
    eloText(each.elo), `${count(each.points)}/${count(each.games)}`, count(each.wins), count(each.draws), count(each.losses), forfeits(each),
  ]).map(([place, who, ...rest], line) => [place, [who, h("small", { class: "typed" }, h("code", {}, agents[line].agent))], ...rest]), "ranking");
}

/** How often an agent lost by its own fault, by kind. @param {Contestant} agent */
function forfeits({ forfeits: kinds }) {
  return Object.entries(kinds).map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`).join(", ") || "0";
}

/** Everyone against everyone: won, drawn, lost; a cell opens the games of its two.
 * @param {Contest} contest @param {(one: string, other: string) => unknown} open */
export function crossTable({ agents, encounters }, open) {
  /** @param {Contestant} one @param {Contestant} other */
  const score = (one, other) => {
    const met = encounters.find((each) => each.first === one.agent && each.second === other.agent);
    if (met) return scoreText(met);
    const turned = encounters.find((each) => each.first === other.agent && each.second === one.agent);
    return turned ? scoreText({ wins: turned.losses, draws: turned.draws, losses: turned.wins }) : "·";
  };
  /** @param {Contestant} one @param {Contestant} other */
  const cell = (one, other) => {
    const [text, names] = [score(one, other), { one: contestant(one.agent), other: contestant(other.agent) }];
    return text === "·" ? text : h("button", { type: "button", class: "plain", "aria-label": `${text}: ${say("arena.games_of", names)}`, onclick: () => open(one.agent, other.agent) }, text);
  };
  return results(say("arena.cross_table"), [...headings(), ...places(agents)],
    lines(agents, (one) => agents.map((other) => cell(one, other))), "cross");
}

/** How likely each is stronger than each other. @param {Contest} contest */
export function superiorityTable({ agents, superiority }) {
  return results(say("arena.superiority"), [...headings(), ...places(agents)],
    lines(agents, (_, place) => superiority[place].map((chance) => (chance === null ? "·" : percent(chance)))), "cross");
}

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(language(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);

/** @param {Contestant[]} agents */
const places = (agents) => agents.map((_, place) => String(place + 1));

/** What the right to begin is worth. @param {Contest} contest */
export function seatTable({ agents }) {
  return results(say("arena.seats"), headings("arena.first_seat", "arena.second_seat"),
    lines(agents, (each) => each.seats.map(scoreText)), "seats");
}

/** What a move costs. @param {TournamentReport} report */
export function costTable({ contest, efforts }) {
  /** @param {string} agent @returns {string[]} */
  const cells = (agent) => {
    const spent = efforts.find((each) => each.agent === agent);
    return [spent?.nodes, spent?.milliseconds].flatMap((each) => (each ? [short(each.median), short(each.p95)] : ["–", "–"]));
  };
  return results(say("arena.cost"), headings("arena.nodes_median", "arena.nodes_p95", "arena.ms_median", "arena.ms_p95"),
    lines(contest.agents, (each) => cells(each.agent)), "cost");
}

/** How the games ended, and where pairs repeat each other. @param {Contest} contest */
export function endings({ endings: kinds, encounters }) {
  const text = Object.entries(kinds).map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`).join(", ");
  const counts = encounters.flatMap(({ first, second, distinct, games, pentanomial }) => {
    const pairs = pentanomial ? games / 2 : games;
    return distinct < pairs ? [`${contestant(first)} - ${contestant(second)} ${count(distinct)}/${count(pairs)}`] : [];
  }).join(", ");
  return [
    h("p", { class: "quiet" }, say("tournament.endings", { endings: text || "–" })),
    counts ? h("p", {}, say("tournament.repeated", { counts })) : null,
  ];
}

/** @param {number | null} bound @param {number} otherwise */
const known = (bound, otherwise) => (bound === null ? otherwise : bound);

/** The Elo of every agent: a bar from the mean of all, and its 95 % interval. @param {Contestant[]} agents */
export function eloBars(agents) {
  const rated = agents.filter((each) => each.elo);
  const ends = rated.flatMap(({ elo }) => [elo?.low, elo?.high, elo?.value]).filter((each) => typeof each === "number");
  const reach = MARGIN * Math.max(50, ...ends.map(Math.abs));
  /** @param {number} elo */
  const across = (elo) => WIDE / 2 + (Math.max(-reach, Math.min(reach, elo)) / reach) * (WIDE / 2);
  return h("ol", { class: "elo-bars" }, rated.map((each, place) => {
    const elo = /** @type {Interval} */ (each.elo);
    const [low, high] = [across(known(elo.low, -reach)), across(known(elo.high, reach))];
    const value = across(known(elo.value, elo.low === null ? -reach : reach));
    const name = contestant(each.agent);
    const between = { low: elo.low === null ? "−∞" : signed(Math.round(elo.low)), high: elo.high === null ? "∞" : signed(Math.round(elo.high)) };
    const picture = h("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": say("arena.elo_between", { agent: name, elo: eloText(elo), ...between }) },
      h("line", { class: "mean", x1: WIDE / 2, x2: WIDE / 2, y1: 0, y2: HIGH }),
      h("rect", { class: "bar", x: Math.min(value, WIDE / 2), width: Math.max(0.5, Math.abs(value - WIDE / 2)), y: 5, height: HIGH - 10 }),
      h("line", { class: "error-bar", x1: low, x2: high, y1: HIGH / 2, y2: HIGH / 2 }),
      [elo.low === null ? null : low, elo.high === null ? null : high].map((end) =>
        end !== null && h("line", { class: "error-bar", x1: end, x2: end, y1: HIGH / 2 - 5, y2: HIGH / 2 + 5 })));
    return h("li", {}, h("span", { class: "who" }, `${place + 1}. ${name}`), picture, h("span", { class: "number" }, eloText(elo)));
  }));
}

/** How far a sequential test is from either verdict. @param {Sprt} sprt */
export function ratioBar({ llr, bounds: [low, high], verdict }) {
  /** @param {number} ratio */
  const across = (ratio) => ((Math.max(low, Math.min(high, ratio)) - low) / (high - low)) * WIDE;
  const [zero, here] = [across(0), across(llr)];
  const numbers = { llr: signed(llr), low: signed(low), high: signed(high) };
  return h("div", { class: "ratio" },
    h("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": say("arena.llr", numbers) },
      h("rect", { class: "field", x: 0, y: 5, width: WIDE, height: HIGH - 10 }),
      h("rect", { class: `bar ${llr < 0 ? "against" : ""}`, x: Math.min(zero, here), width: Math.max(0.5, Math.abs(here - zero)), y: 5, height: HIGH - 10 }),
      h("line", { class: "mean", x1: zero, x2: zero, y1: 0, y2: HIGH })),
    h("div", { class: "ends" },
      h("span", {}, `H0 ${numbers.low}`), h("span", { class: "number" }, say("arena.llr_short", numbers)), h("span", {}, `H1 ${numbers.high}`)),
    h("p", {}, say(`arena.verdict_${verdict}`)));
}
