// @ts-check
// What a run of a bot has found: the verdict of a check, a game with what the bot printed, Elo with error bars.

import { count, megabytes, say } from "../language.js";
import { addressOf, reviewAddress } from "../saved_game.js";
import { contestant, eloBars, eloText } from "../screens/tournament.js";
import { Drawing, columns, link, scrolling } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { BotProblems } from "./bot_problems.js";
/** @import { BotAnswer } from "../events.d.ts" */
/** @import { BotRun } from "../bot_run.js" */

/**
 * @param {object} props
 * @param {BotRun} props.run
 * @param {(line: number) => void} props.jump Shows a line of the file.
 */
export function BotResults({ run, jump }) {
  const { answer, order } = run;
  return h("section", { class: "sheet bot-results", "data-run": order.run, "data-done": String(!run.running) },
    h("h2", {}, say(`workshop.${order.run}`)),
    h("p", { role: "status" }, standing(run)),
    run.running && run.total > 0 && h("progress", { max: run.total, value: run.done, "aria-hidden": "true" }),
    h("p", { role: "alert", class: "bad" }, run.problem),
    order.run === "watch" && run.svg && game(run),
    answer && order.run === "check" && checked(answer),
    answer?.strength && strength(answer.strength, order.name),
    answer && answer.problems.length > 0 && h(BotProblems, { problems: answer.problems, jump }),
  );
}

/** Say in one sentence how a run stands. @param {BotRun} run */
function standing({ running, answer, order, done, total, moves, problem }) {
  if (problem) return "";
  if (running && order.run === "watch" && moves.length) return say("workshop.move_made", { move: moves.length });
  if (running) return total ? say("workshop.progress", { done, total }) : say("workshop.starting");
  if (!answer || answer.stopped) return say("workshop.stopped");
  if (order.run === "check") return say(answer.fine ? "bot.fine" : "bot.not_fine");
  if (order.run === "rate") return answer.strength ? say("workshop.rated", { games: answer.strength.games }) : "";
  if (answer.end === undefined) return say("workshop.not_started");
  const how = answer.end === "win" ? "" : ` (${say(`end.${answer.end}`)})`; // that somebody won is said already
  const key = answer.winner === null ? "drawn" : answer.winner === answer.seat ? "won" : "lost";
  return say(`workshop.${key}`, { how });
}

/** The table of a check. @param {BotAnswer} answer */
function checked({ positions, repeated, changed = [], median, longest, memory }) {
  if (positions === undefined) return null;
  /** @param {number | null | undefined} each */
  const seconds = (each) => (each == null ? "–" : count(Number(each.toFixed(4))));
  const rows = [["bot.row_positions", count(positions)]];
  if (repeated) rows.push(["bot.row_same", say("bot.same", { same: repeated - changed.length, total: repeated })]);
  const times = { median: seconds(median), longest: seconds(longest) };
  if (median != null) rows.push(["bot.row_times", say("bot.times", times)]);
  if (memory) rows.push(["bot.row_memory", megabytes(memory)]);
  return [
    h("table", { class: "check-facts" },
      h("tbody", {}, rows.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, say(key)), h("td", {}, text)))),
    ),
    changed.map((position) => h("p", { key: position, class: "bad" }, say("bot.change", { position }))),
  ];
}

/** The game that is watched. @param {BotRun} run */
function game({ svg, moves, answer, order }) {
  const printed = moves.filter((each) => each.output);
  const line = { start: answer?.start ?? "", moves: (answer?.moves ?? "").split(" ").filter(Boolean), seconds: 2 };
  const address = reviewAddress({ ...line, players: [] }, order.game ?? "");
  return [
    h("div", { class: "board small" }, h(Drawing, { text: svg })),
    h("p", { class: "moves-made" }, moves.map((each) => each.move).join(" ")),
    answer?.start && h("p", {}, link(address, say("web.review"), { class: "link" })),
    printed.length > 0 &&
      h("details", { open: true },
        h("summary", {}, say("workshop.printed")),
        h("pre", { tabindex: 0, role: "region", "aria-label": say("workshop.printed") },
          printed.map((each) => `${each.number}. ${each.move}: ${each.output}`).join("\n"),
        ),
      ),
  ];
}

/**
 * Elo above the house levels, and each level by itself.
 * @param {NonNullable<BotAnswer["strength"]>} found
 * @param {string} name
 */
function strength({ elo, scores }, name) {
  return [
    h("p", { class: "elo-above" }, say("workshop.elo_above", { elo: eloText(elo) })),
    eloBars(/** @type {any} */ ([{ agent: `bot:${name}`, elo }])),
    scrolling(say("workshop.rate"), "results",
      columns([say("workshop.rival"), say("workshop.score"), say("workshop.elo_difference")]),
      h("tbody", {},
        scores.map((each) =>
          h("tr", {},
            h("th", { scope: "row" }, contestant(each.rival)),
            h("td", {}, `+${each.wins} =${each.draws} \u2212${each.losses}`),
            h("td", {}, eloText(each.elo)),
          ),
        ),
      ),
    ),
  ];
}

/** The address of a game between a person and a kept bot. @param {string} game @param {string} name */
export function playAddress(game, name) {
  return addressOf("play", { start: game, moves: [], players: ["human", `bot:${name}`], seconds: 2 }, game);
}

