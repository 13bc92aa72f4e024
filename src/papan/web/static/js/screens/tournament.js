// @ts-check
// One tournament: how it goes while it runs, and what it has shown, in words, tables and bars.

import { deleteTournament, steerTournament, tournament, tournamentFile, tournamentGames } from "../api.js";
import { copy } from "../files.js";
import { algorithmTitle, count, gameTitle, known, language, percent, say, separator, signed } from "../language.js";
import { GameList, replayOf } from "../panels/game_list.js";
import { go } from "../router.js";
import { addressOf } from "../saved_game.js";
import {
  Drawing,
  Part,
  announce,
  button,
  columns,
  confirmed,
  helpLink,
  link,
  repeatedly,
  scrolling,
  tool,
} from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { ContestantFacts as Contestant, IntervalFacts as Interval, PlayedGame, Score } from "../wire.d.ts" */
/** @import { SprtFacts as Sprt, TournamentFacts as Tournament, TournamentReport as Report } from "../wire.d.ts" */
/** @import { TournamentResult as Contest } from "../wire.d.ts" */
/** @typedef {{report: Report, signal: AbortSignal}} Props */

const LIVE = ["running", "waiting"];
const FILES = [
  ["games.jsonl", "arena.file_games"],
  ["table.csv", "arena.file_csv"],
  ["report.json", "arena.file_json"],
  ["table.md", "arena.file_markdown"],
];
const [WIDE, HIGH] = [200, 24]; // of a bar
const MARGIN = 1.08;

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Screen>}
 */
export async function tournamentScreen(id, signal) {
  const report = await tournament(id);
  return {
    title: `${say("arena.title")}: ${report.title || gameTitle(report.game)}`,
    view: h(TournamentPage, { report, signal }),
  };
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
    if (await confirmed(say("arena.delete_sure"), say("arena.delete")))
      await this.act(async () => {
        await deleteTournament(id);
        await go("/arena");
      });
  }

  /** List the games of two agents; an empty name stands for all. @param {string} one @param {string} other */
  listGames(one, other) {
    this.between = [one, other];
    this.forceUpdate(() => document.querySelector("[data-sheet=all_games]")?.scrollIntoView());
  }

  async copy() {
    this.copied = say((await copy(this.report.command)) ? "arena.copied" : "arena.copy_by_hand");
    this.forceUpdate();
  }

  render() {
    const {
      report: { id, state, why, title, game, games, agents, planned, yours, command },
    } = this;
    return h("article", { class: "arena report", "data-id": id, "data-state": state },
      h("p", { class: "way-back" }, link("/arena", `← ${say("arena.all")}`)),
      h("h1", {}, title || gameTitle(game)),
      h("p", { class: "quiet" }, title && `${gameTitle(game)} · `, settled(this.report)),
      helpLink("statistics", "help.about_statistics"),
      h("div", { class: "course" },
        h("p", { class: "standing" }, standing(this.report)),
        h("progress", {
          "aria-label": say("arena.progress_label"),
          max: planned,
          value: state === "done" ? planned : games,
        }),
        h("div", { class: "row steering" },
          yours && [
            LIVE.includes(state) && tool("arena.pause", () => this.act(() => steerTournament(id, "pause"))),
            ["paused", "failed"].includes(state) &&
              tool("arena.go_on", () => this.act(() => steerTournament(id, "go-on")), { class: "primary" }),
          ],
          tool("arena.print", () => print()),
          yours && tool("arena.delete", () => this.dismiss()),
        ),
        h("p", { role: "alert", class: "bad" }, this.problem || (why && say(why.key, why.values))),
      ),
      h("div", { class: "sheets" },
        sheets(this.report, (one, other) => this.listGames(one, other)),
      ),
      games > 0 &&
        h(GameList, {
          key: this.between.join(),
          sheet: "all_games",
          over: games,
          players: [...new Set(agents)].map((each) => [each, contestant(each)]),
          between: this.between,
          choose: (one, other) => this.listGames(one, other),
          load: (wanted) => tournamentGames(id, wanted),
          line: playersOf,
          spec: () => game,
        }),
      sheet(
        "arena.take_home",
        h("div", { class: "row files" },
          FILES.map(([form, key]) =>
            h("a", { class: "quiet-button", href: tournamentFile(id, form, language()), download: "" }, say(key)),
          ),
        ),
        h("p", { class: "quiet" }, say("arena.command")),
        h("pre", { tabindex: 0 }, h("code", {}, command)),
        h("div", { class: "row" },
          tool("arena.copy", () => this.copy()),
          h("span", { class: "quiet", role: "status" }, this.copied),
        ),
      ),
    );
  }
}

/** Return the plan of the tournament, as sentences. @param {Report} facts */
function settled({ order, agents }) {
  const { seconds, nodes } = order.limit;
  const budget = seconds
    ? say("arena.granted_seconds", { count: count(seconds) })
    : nodes >= 1e9
      ? say("arena.granted_depth")
      : say("arena.granted_nodes", { count: count(nodes) });
  const parts = [
    say("arena.agents_count", { count: agents.length }),
    say("arena.pairs_count", { count: count(order.pairs) }),
    budget,
    say("arena.opening_count", { count: order.opening }),
    say("arena.seed_is", { seed: order.seed }),
  ];
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

/**
 * Return why games were lost by an agent's own fault: an agent that fails is not weak.
 * @param {Report["contest"]} contest
 */
function faults({ agents }) {
  const found = agents.flatMap(({ agent, faults: all }) => all.map((each) => ({ agent, ...each })));
  if (!found.length) return null;
  return h("ul", { class: "faults" },
    found.map(({ agent, kind, reason, games, output, cause }) => {
      const line = say("match.forfeited", {
        agent: contestant(agent),
        games: count(games),
        kind: say(`end.${kind}`),
        reason: cause.key && known(cause.key) ? say(cause.key, cause) : reason,
      });
      return h("li", {}, output ? h("details", {}, h("summary", {}, line), h("pre", { tabindex: 0 }, output)) : line);
    }),
  );
}

/** Return links to analyses that draw how the nodes of an agent grow with its depth. @param {Report} facts */
function growthLinks({ agents, game }) {
  const deepening = agents.filter((each) => /^(alphabeta|minimax)\b/.test(each));
  if (!deepening.length) return null;
  return h("p", { class: "row growth-links" },
    h("span", { class: "quiet" }, say("arena.growth")),
    deepening.map((agent) =>
      link(addressOf("analyse", { start: game, moves: [], players: [agent], seconds: 2 }, game), contestant(agent)),
    ),
  );
}

/** @param {string} key @param {...Child} body */
function sheet(key, ...body) {
  return h("section", { class: "sheet", "data-sheet": key.split(".")[1] }, h("h2", {}, say(key)), body);
}

/** @param {Report} facts */
function lastGames({ last, game: spec }) {
  if (!last.length) return null;
  return sheet(
    "arena.last_games",
    h("ul", { class: "last-games" },
      last.map((game) => {
        const picture = h("div", { class: "mini board", "aria-hidden": "true" },
          game.svg && h(Drawing, { text: game.svg }),
        );
        return h("li", { key: game.number }, link(replayOf(game, spec), [picture, playersOf(game)]));
      }),
    ),
  );
}

/** Return the players of a game and its end, as text. @param {PlayedGame} game */
function playersOf({ agents, scores, end }) {
  return [
    h("span", {}, agents.map(contestant).join(" – ")),
    h("span", { class: "quiet" }, `${scores.map(count).join("–")}, ${say(`end.${end}`)}`),
  ];
}

/** Return the name of an agent: of a level, or an algorithm with its settings. @param {string} name */
export function contestant(name) {
  return /^level:\d$/.test(name) ? say(`web.level_${name.slice(-1)}`) : algorithmTitle(name);
}

/**
 * Return an Elo and both ends of its interval in whole points; only the known end if there is one. The plus-minus sign
 * is for intervals whose two sides are equal.
 * @param {Interval | null} elo
 */
export function eloText(elo) {
  if (!elo) return "–";
  const { value, low, high } = elo;
  if (value !== null && low !== null && high !== null) {
    const [below, above] = [Math.round(value - low), Math.round(high - value)];
    const both = [low, high].map((each) => signed(Math.round(each))).join(separator());
    const ends = below === above ? `± ${above}` : `[${both}]`;
    return `${signed(Math.round(value))} ${ends}`;
  }
  if (low !== null) return `≥ ${signed(Math.round(low))}`;
  if (high !== null) return `≤ ${signed(Math.round(high))}`;
  return "?";
}

/** @param {Score} score */
const scoreText = ({ wins, draws, losses }) => `+${wins} =${draws} −${losses}`;

/** Return a number with three significant digits. @param {number} amount */
const short = (amount) => count(Number(amount.toPrecision(3)));

/** Return seconds in words. @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return say("arena.seconds", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return say("arena.minutes", { count: Math.round(seconds / 60) });
  return say("arena.hours", { count: short(seconds / 3600) });
}

/**
 * Return the state of a tournament as a sentence.
 * @param {Tournament & {pace?: number | null, contest?: Contest}} facts
 */
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

/**
 * Return a table whose second column names the row.
 * @param {string} title
 * @param {string[]} headings
 * @param {Child[][]} rows
 * @param {string} kind
 */
function results(title, headings, rows, kind) {
  return scrolling(
    title,
    `results ${kind}`,
    columns(headings),
    h("tbody", {},
      rows.map((row) =>
        h("tr", {},
          row.map((cell, place) => (place === 1 ? h("th", { scope: "row" }, cell) : h("td", {}, cell))),
        ),
      ),
    ),
  );
}

/**
 * @param {Contestant[]} agents
 * @param {(agent: Contestant, place: number) => Child[]} cells
 * @returns {Child[][]}
 */
function lines(agents, cells) {
  return agents.map((each, place) => [String(place + 1), contestant(each.agent), ...cells(each, place)]);
}

/** @param {string[]} keys */
const headings = (...keys) => ["#", say("tournament.column_agent"), ...keys.map((key) => say(key))];

/** @param {Contest} contest */
function ranking({ agents }) {
  const names = headings(
    "tournament.column_rating",
    "tournament.column_points",
    "tournament.column_wins",
    "tournament.column_draws",
    "tournament.column_losses",
    "tournament.column_forfeits",
  );
  return results(
    say("arena.ranking"),
    names,
    lines(agents, (each) => [
      eloText(each.elo),
      `${count(each.points)}/${count(each.games)}`,
      count(each.wins),
      count(each.draws),
      count(each.losses),
      forfeits(each),
    ]).map(([place, who, ...rest], line) => [
      place,
      [who, h("small", { class: "typed" }, h("code", {}, agents[line].agent))],
      ...rest,
    ]),
    "ranking",
  );
}

/** Return how often an agent lost by a fault of its own, by kind. @param {Contestant} agent */
function forfeits({ forfeits: kinds }) {
  return (
    Object.entries(kinds)
      .map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`)
      .join(", ") || "0"
  );
}

/**
 * Return the cross-table: won, drawn, lost; a cell opens the games of its two agents.
 * @param {Contest} contest
 * @param {(one: string, other: string) => unknown} open
 */
function crossTable({ agents, encounters }, open) {
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
    return text === "·"
      ? text
      : button(text, () => open(one.agent, other.agent), {
          class: "plain",
          "aria-label": `${text}: ${say("arena.games_of", names)}`,
        });
  };
  return results(
    say("arena.cross_table"),
    [...headings(), ...places(agents)],
    lines(agents, (one) => agents.map((other) => cell(one, other))),
    "cross",
  );
}

/** Return the table of the probability that each agent is stronger than each other one. @param {Contest} contest */
function superiorityTable({ agents, superiority }) {
  return results(
    say("arena.superiority"),
    [...headings(), ...places(agents)],
    lines(agents, (_, place) => superiority[place].map((chance) => (chance === null ? "·" : percent(chance, 1)))),
    "cross",
  );
}

/** @param {Contestant[]} agents */
const places = (agents) => agents.map((_, place) => String(place + 1));

/** Return the table of the advantage of the first seat. @param {Contest} contest */
function seatTable({ agents }) {
  return results(
    say("arena.seats"),
    headings("arena.first_seat", "arena.second_seat"),
    lines(agents, (each) => each.seats.map(scoreText)),
    "seats",
  );
}

/** Return the table of each agent's work for a move: nodes, seconds. @param {Report} report */
function costTable({ contest, efforts }) {
  /** @param {string} agent @returns {string[]} */
  const cells = (agent) => {
    const spent = efforts.find((each) => each.agent === agent);
    return [spent?.nodes, spent?.milliseconds].flatMap((each) =>
      each ? [short(each.median), short(each.p95)] : ["–", "–"],
    );
  };
  return results(
    say("arena.cost"),
    headings("arena.nodes_median", "arena.nodes_p95", "arena.ms_median", "arena.ms_p95"),
    lines(contest.agents, (each) => cells(each.agent)),
    "cost",
  );
}

/** Return how the games ended, and how many pairs are repetitions, as text. @param {Contest} contest */
export function endings({ endings: kinds, encounters }) {
  const text = Object.entries(kinds)
    .map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`)
    .join(", ");
  const counts = encounters
    .flatMap(({ first, second, distinct, games, pentanomial }) => {
      const pairs = pentanomial ? games / 2 : games;
      return distinct < pairs
        ? [`${contestant(first)} - ${contestant(second)} ${count(distinct)}/${count(pairs)}`]
        : [];
    })
    .join(", ");
  return [
    h("p", { class: "quiet" }, say("tournament.endings", { endings: text || "–" })),
    counts ? h("p", {}, say("tournament.repeated", { counts })) : null,
  ];
}

/** Return the Elo of every agent: a bar from the mean of all, and its 95 % interval. @param {Contestant[]} agents */
export function eloBars(agents) {
  const rated = agents.filter((each) => each.elo);
  const ends = rated.flatMap(({ elo }) => [elo?.low, elo?.high, elo?.value]).filter((each) => typeof each === "number");
  const reach = MARGIN * Math.max(50, ...ends.map(Math.abs));
  /** @param {number} elo */
  const across = (elo) => WIDE / 2 + (Math.max(-reach, Math.min(reach, elo)) / reach) * (WIDE / 2);
  return h("ol", { class: "elo-bars" },
    rated.map((each, place) => {
      const elo = /** @type {Interval} */ (each.elo);
      const [low, high] = [across(elo.low ?? -reach), across(elo.high ?? reach)];
      const value = across(elo.value ?? (elo.low === null ? -reach : reach));
      const name = contestant(each.agent);
      const between = {
        low: elo.low === null ? "−∞" : signed(Math.round(elo.low)),
        high: elo.high === null ? "∞" : signed(Math.round(elo.high)),
      };
      const picture = h("svg", {
          viewBox: `0 0 ${WIDE} ${HIGH}`,
          preserveAspectRatio: "none",
          role: "img",
          "aria-label": say("arena.elo_between", { agent: name, elo: eloText(elo), ...between }),
        },
        h("line", { class: "mean", x1: WIDE / 2, x2: WIDE / 2, y1: 0, y2: HIGH }),
        h("rect", {
          class: "bar",
          x: Math.min(value, WIDE / 2),
          width: Math.max(0.5, Math.abs(value - WIDE / 2)),
          y: 5,
          height: HIGH - 10,
        }),
        h("line", { class: "error-bar", x1: low, x2: high, y1: HIGH / 2, y2: HIGH / 2 }),
        [elo.low === null ? null : low, elo.high === null ? null : high].map(
          (end) =>
            end !== null && h("line", { class: "error-bar", x1: end, x2: end, y1: HIGH / 2 - 5, y2: HIGH / 2 + 5 }),
        ),
      );
      return h("li", {},
        h("span", { class: "who" }, `${place + 1}. ${name}`),
        picture,
        h("span", { class: "number" }, eloText(elo)),
      );
    }),
  );
}

/** Return the log-likelihood ratio of a sequential test between its two bounds, as a bar. @param {Sprt} sprt */
function ratioBar({ llr, bounds: [low, high], verdict }) {
  /** @param {number} ratio */
  const across = (ratio) => ((Math.max(low, Math.min(high, ratio)) - low) / (high - low)) * WIDE;
  const [zero, here] = [across(0), across(llr)];
  const numbers = { llr: signed(llr), low: signed(low), high: signed(high) };
  return h("div", { class: "ratio" },
    h("svg", {
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": say("arena.llr", numbers),
      },
      h("rect", { class: "field", x: 0, y: 5, width: WIDE, height: HIGH - 10 }),
      h("rect", {
        class: `bar ${llr < 0 ? "against" : ""}`,
        x: Math.min(zero, here),
        width: Math.max(0.5, Math.abs(here - zero)),
        y: 5,
        height: HIGH - 10,
      }),
      h("line", { class: "mean", x1: zero, x2: zero, y1: 0, y2: HIGH }),
    ),
    h("div", { class: "ends" },
      h("span", {}, `H0 ${numbers.low}`),
      h("span", { class: "number" }, say("arena.llr_short", numbers)),
      h("span", {}, `H1 ${numbers.high}`),
    ),
    h("p", {}, say(`arena.verdict_${verdict}`)),
  );
}
