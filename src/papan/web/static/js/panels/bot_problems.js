// @ts-check
// What is wrong with a bot: the reason, its line, the position on the board, and what the bot printed.

import { boardOf } from "../api.js";
import { say, sayMessage } from "../language.js";
import { addressOf } from "../saved_game.js";
import { Drawing, awaited, button, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { BotProblem } from "../events.d.ts" */

/**
 * The problems of a bot, the first one first.
 * @param {object} props
 * @param {BotProblem[]} props.problems
 * @param {(line: number) => void} [props.jump] Shows a line of its file.
 */
export function BotProblems({ problems, jump }) {
  const [first, ...others] = problems.map((each, place) => h("li", { key: place }, problem(each, jump)));
  return [
    h("ol", { class: "bot-problems" }, first),
    others.length > 0 &&
      h("details", { class: "more-problems" },
        h("summary", {}, say("workshop.more_problems", { count: others.length })),
        h("ol", { class: "bot-problems" }, others),
      ),
  ];
}

/** @param {BotProblem} facts @param {((line: number) => void) | undefined} jump */
function problem({ kind, why, line, position, output }, jump) {
  const title = say("workshop.at_line", { line: line ?? 0 });
  return [
    h("h3", {}, say(`end.${kind}`), line !== null && [" · ", jump ? button(title, () => jump(line)) : title]),
    h("p", { class: "bad" }, sayMessage(why)),
    position && failing(position),
    output && h("pre", { tabindex: 0, role: "region", "aria-label": say("workshop.printed") }, output),
  ];
}

/** The position in which it failed, and the way to its analysis. @param {string} position */
function failing(position) {
  const [game] = position.split(" ");
  const address = addressOf("analyse", { start: position, moves: [], players: [], seconds: 2 }, game);
  return h("figure", { class: "failing" },
    awaited(
      () => boardOf(position, []),
      (board) => board && h("div", { class: "board small" }, h(Drawing, { text: board.svg })),
      position,
    ),
    h("figcaption", {}, h("code", {}, position), " ", link(address, say("web.analyse"), { class: "link" })),
  );
}

/** The problems that belong beside a line, one for each line. @param {BotProblem[]} problems */
export function lineMarks(problems) {
  /** @type {Map<number, string>} */
  const found = new Map();
  for (const { line, why, output } of problems) if (line && !found.has(line)) found.set(line, lastWords(output, why));
  return [...found].map(([line, text]) => ({ line, text }));
}

/**
 * What an error says of itself: the last line of a traceback, else the reason.
 * @param {string} output
 * @param {BotProblem["why"]} why
 */
function lastWords(output, why) {
  const error = /^\S*(?:Error|Exception|error):?.*$/m;
  return error.exec(output)?.[0] ?? sayMessage(why);
}
