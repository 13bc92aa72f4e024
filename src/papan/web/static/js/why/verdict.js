// @ts-check
// What a search has found out, how sure that is, and what it took.

import { h } from "../dom.js";
import { agentTitle, count, known, player, rounded, say, signed, whole, worth } from "../language.js";
import { MOST_PLIES } from "./lines.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../api.js").Board} Board */

/** Who thinks, with all that decides how.
 * @param {Story} story */
export function heading(story) {
  const name = story.agent.split(":")[0];
  const about = known(`agent.${name}`) ? say(`agent.${name}`) : "";
  const seed = story.start?.seed;
  return [
    h("h3", {}, agentTitle(story.agent)),
    h("p", { class: "quiet" }, about, seed === null || seed === undefined ? "" : ` ${say("play.seed", { seed })}.`, settings(story)),
  ];
}

/** The switches of a search, such as ordering on or off.
 * @param {Story} story */
function settings(story) {
  const told = Object.entries(story.start?.params ?? {});
  const switches = told.filter(([name, value]) => typeof value === "boolean" && known(`web.setting_${name}`));
  const words = switches.map(([name, value]) => `${say(`web.setting_${name}`)}: ${say(value ? "web.choice_true" : "web.choice_false")}`);
  return words.length ? h("span", { class: "switches" }, ` ${words.join(", ")}.`) : "";
}

/** What the search has found out, in one sentence.
 * @param {Story} story @param {Board} board */
export function verdictOf(story, board) {
  if (story.error) return h("strong", { class: "bad" }, say(story.error.key, story.error.values));
  const found = story.analysis;
  if (!found) return say("web.thinking");
  return [
    h("strong", { "data-proof": found.exact ? "exact" : "none" }, proof(found, board).join(" ")),
    found.line.length ? h("span", { class: "expected" }, say("analyse.line", { line: found.line.slice(0, MOST_PLIES).join(" ") })) : null,
  ];
}

/** @param {import("../api.js").ThoughtEvent} found @param {Board} board @returns {string[]} */
function proof(found, board) {
  const who = player(found.turn, board.seats);
  if (typeof found.facts.solvable === "boolean") return [say(found.facts.solvable ? "solve.solvable" : "solve.unsolvable")];
  if (found.exact && found.value !== null) {
    return [
      say(outcomeKey(found.value, board), { value: signed(found.value), player: who }),
      found.distance === null ? "" : `${say("analyse.distance", { plies: found.distance })}.`,
      typeof found.facts.score === "number" ? say("web.score", { score: signed(found.facts.score) }) : "",
    ].filter(Boolean);
  }
  const value = whole(found);
  const guess = value === null ? [] : [say("web.guess", { value: worth(value), player: who })];
  return guess.length && !found.bounds ? guess : [...guess, bounded(found, board, who)]; // who gives no bounds never set out to prove
}

/** What is proved where the value is not.
 * @param {import("../api.js").ThoughtEvent} found @param {Board} board @param {string} who */
function bounded({ bounds, why }, board, who) {
  const [least, most] = [board.seats === 1 ? 0 : -(board.most ?? Infinity), board.most ?? Infinity];
  const low = bounds?.[0] ?? least;
  const high = bounds?.[1] ?? most;
  if (low > least && high < most) return say("solve.bounds", { low: signed(low), high: signed(high), player: who });
  if (low > least) return say("web.at_least", { value: signed(low), player: who });
  if (high < most) return say("web.at_most", { value: signed(high), player: who });
  return say(why === "time" || why === "nodes" ? "web.nothing_proved" : "web.not_proved");
}

/** @param {number} value @param {Board} board */
function outcomeKey(value, board) {
  if (board.most !== 1) return "solve.exact";
  return value > 0 ? "web.wins" : value < 0 ? "web.loses" : "web.draws";
}

/** How far the search came, how fast, and why it stopped.
 * @param {Story} story */
export function workOf(story) {
  const news = story.root;
  const last = story.analysis;
  if (!news && !last) return "";
  const nodes = last?.nodes ?? news?.nodes ?? 0;
  const milliseconds = last?.ms ?? news?.ms ?? 0;
  const parts = [
    news?.depth ? say("screen.depth", { depth: news.depth }) : "",
    h("span", { class: "nodes", "data-nodes": nodes }, say("web.nodes", { nodes: count(nodes) })),
    milliseconds ? say("web.speed", { speed: count(Math.round((nodes / milliseconds) * 1000)) }) : "",
    say("web.seconds", { seconds: rounded(milliseconds / 1000, 2) }),
    news?.pruned === undefined ? "" : h("span", { class: "pruned", "data-pruned": news.pruned }, say("web.pruned", { pruned: count(news.pruned) })),
    news?.tt ? say("web.table_hits", { share: Math.round(news.tt.hit * 100) }) : "",
    news?.tt?.size ? say("web.table_entries", { entries: count(news.tt.size) }) : "",
    last ? say(`why.${last.why}`) : "",
  ];
  return parts.filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part]));
}

/** What a solver adds to its proof: book, table, who is in control, why a board is lost.
 * @param {Story} story @param {Board} board */
export function knowledge(story, board) {
  const facts = story.analysis?.facts ?? {};
  const lines = [
    typeof facts.book === "boolean" ? say(facts.book ? "web.book_hit" : "web.book_miss") : "",
    facts.table ? say("web.table_size", { size: size(facts.table) }) : "",
    facts.control ? say("web.control", { player: player(facts.control - 1, board.seats) }) : "",
    facts.double_cross?.length ? say("web.double_cross", { lines: facts.double_cross.join(" ") }) : "",
    facts.certificate?.why === "odd" ? say("web.proof_odd", { tiles: facts.certificate.tiles.join(" ") }) : "",
    facts.certificate?.why === "blocked" ? say("web.proof_blocked") : "",
    facts.solvable === null ? say("web.solvable_open") : "",
  ].filter(Boolean);
  return lines.length ? h("ul", { class: "knowledge quiet" }, lines.map((each) => h("li", {}, each))) : null;
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 2 ** 20 ? `${count(Math.round(bytes / 2 ** 10))} kB` : `${count(Math.round(bytes / 2 ** 20))} MB`;
}
