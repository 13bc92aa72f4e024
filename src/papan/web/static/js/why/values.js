// @ts-check
// Every move with its value: of what kind it is, for whom, how much work is behind it, and what follows.

import { h } from "../dom.js";
import { SIGNS, agentTitle, count, look, player, say, signed, worth } from "../language.js";
import { MOST_PLIES, lineOf } from "./lines.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../api.js").Board} Board */
/** @typedef {import("../api.js").MoveValue} MoveValue */
/** @typedef {import("../why.js").Stage} Stage */

/** The list of moves; those that nothing is known of come last, unless the board shows another position.
 * @param {Story} story @param {Board} board @param {Stage} stage */
export function valueList(story, board, stage) {
  const { values } = story;
  if (!values.length) return null;
  const known = new Set(values.map((each) => each.m));
  const others = story.position === board.position ? board.legal.filter((each) => !known.has(each.m)) : [];
  const most = Math.max(...values.map((each) => each.n), 1);
  return [
    h("p", { class: "quiet" }, say("web.values_for", { player: player(story.turn, board.seats) })),
    h("ul", { class: "value-list" }, values.map((each) => row(each, story, most, stage)), others.map((each) => unknown(each.m))),
    h("p", { class: "legend quiet" }, legend(values, story)),
  ];
}

/** What the signs in front of these values mean.
 * @param {MoveValue[]} values @param {Story} story */
function legend(values, story) {
  const kinds = new Map(values.map((each) => [each.k, each]));
  const words = Object.keys(SIGNS).flatMap((kind) => kinds.get(/** @type {keyof typeof SIGNS} */ (kind)) ?? []);
  return words.flatMap((each, place) => [place ? " · " : "", h("span", { class: `badge ${look(each)}` }, SIGNS[each.k]), ` ${kindOf(each, story)}`]);
}

/** @param {string} move */
function unknown(move) {
  return h("li", { "data-move": move, "data-kind": "unknown" },
    h("b", { class: "move" }, move), h("span", { class: "badge unknown" }, say("web.unknown")));
}

/** @param {MoveValue} value @param {Story} story @param {number} most @param {Stage} stage */
function row(value, story, most, stage) {
  const best = value.m === story.best;
  const line = value.pv ?? [];
  return h("li", {
      class: best ? "best" : "",
      "data-move": value.m,
      "data-kind": value.k,
      "data-nodes": value.n,
      "data-value": value.v,
      onpointerenter: () => stage.point(value.m),
      onpointerleave: () => stage.point(null),
    },
    h("b", { class: "move" }, value.m, best ? h("span", { class: "star", title: say("web.best") }, " ★") : ""),
    h("span", { class: `badge ${look(value)}`, title: kindOf(value, story) }, worth(value), h("span", { class: "unseen" }, ` (${kindOf(value, story)})`)),
    value.k === "visits" ? h("meter", { min: 0, max: 1, value: value.v, "aria-hidden": "true" }) : h("span", { class: "effort quiet", title: say("web.nodes", { nodes: count(value.n) }) }, effort(value, story, most)),
    lineOf(line, stage, line.slice(1, MOST_PLIES + 1).join(" ")),
    h("span", { class: "terms quiet" }, terms(value)));
}

/** What a value means; a random agent's shares are chances.
 * @param {MoveValue} value @param {Story} story */
function kindOf(value, story) {
  return agentTitle(story.agent).startsWith("random") ? say("web.chance") : say(`kind.${value.k}`);
}

/** How soon the game ends, or how much work it took to find that out.
 * @param {MoveValue} value @param {Story} story @param {number} most */
function effort(value, story, most) {
  const plies = story.analysis?.facts?.distances?.[value.m];
  if (plies !== undefined && value.k === "exact") return say(value.v > 0 ? "web.win_in" : value.v < 0 ? "web.loss_in" : "web.draw_in", { plies });
  const score = story.scores[value.m];
  if (score !== undefined) return say("web.score_of", { score: signed(score) });
  if (story.generations.length) return say("web.individuals", { number: count(value.n) });
  return most > 1 ? count(value.n) : "";
}

/** What a value is made of.
 * @param {MoveValue} value */
function terms(value) {
  if (value.ucb !== undefined && value.ucb !== null && value.w !== undefined && value.w !== null) {
    const [wins, bonus] = [value.w, value.ucb - value.w];
    return say("web.ucb", { visits: count(value.n), wins: Math.round(100 * wins), win: fixed(wins), bonus: fixed(bonus), sum: fixed(value.ucb) });
  }
  if (value.terms?.length) return `${value.terms.map(signed).join(" ")} = ${signed(value.v)}`;
  return value.chain === undefined ? "" : say("web.chain_value", { value: value.chain });
}

/** @param {number} amount */
function fixed(amount) {
  return signed(Math.round(amount * 100) / 100).replace(/^\+/, "");
}
