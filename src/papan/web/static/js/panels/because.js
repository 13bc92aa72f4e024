// @ts-check
// Why an agent made a move, in a sentence or two: what the move does, and what the agent expects of it.

import { agentTitle, count, say } from "../language.js";
/** @import { Search } from "../search.js" */
/** @import { Board } from "../wire.d.ts" */
/** @typedef {[key: string, values?: Record<string, unknown>]} Sentence The player is named in the first one alone. */

const [SLIGHT, CLEAR] = [0.1, 0.4]; // of a game that is won
const LEVEL = 0.75; // points: who is no further ahead is not ahead

/** The reason of a move that was found. @param {Search} search @param {Board} board @param {boolean} hint Is a person advised? */
export function because(search, board, hint) {
  const move = search.best;
  /** @type {(Sentence | null)[]} */
  const known = [hint ? ["because.would", { move }] : null, deed(search), expectation(search, board)];
  const sentences = known.filter((each) => each !== null);
  if (!sentences.length) sentences.push(["because.plain", { move }]);
  return sentences.map(([key, values], place) => say(key, { player: place ? say("because.it") : agentTitle(search.agent), ...values })).join(" ");
}

/** What the move does, as the agent's own rules say or as anybody sees. @param {Search} search @returns {Sentence | null} */
function deed({ agent, analysis, best, reasons, root }) {
  const own = reasons.filter((each) => each.m === best).map((each) => each.rule);
  const words = own.find((each) => each.startsWith('"')); // a user's program speaks for itself
  if (own.includes("level.careless")) return ["because.careless"];
  if (agent.startsWith("random")) return ["because.chance", { moves: count(root?.moves?.length ?? 0) }];
  if (words) return ["because.says", { words }];
  const rules = own.filter((each) => !each.endsWith("_none")).map((each) => say(each)).join(", ");
  const aim = rules || (analysis?.aim && say(analysis.aim.key, analysis.aim.values));
  return aim ? ["because.aim", { aim }] : null;
}

/** How the game will go on after it. @param {Search} search @param {Board} board @returns {Sentence | null} */
function expectation({ agent, analysis, best, reasons, root, generations, climbs, values }, board) {
  if (!analysis || analysis.aim?.key === "aim.wins" || agent.startsWith("random") || reasons.some((each) => each.m === best)) return null;
  const { exact, value, distance, facts } = analysis;
  if (typeof facts.solvable === "boolean") return [facts.solvable ? "solve.solvable" : "solve.unsolvable"];
  if (board.seats === 1) return null;
  if (exact && value !== null) return proved(value, distance, board);
  if (generations.length) return ["because.generations", { generations: generations.length, move: best }];
  if (climbs.length) return ["because.climb"];
  if (values.some((each) => each.k === "visits")) return ["because.playouts", { games: count(analysis.nodes), move: best }];
  if (value === null) return null;
  return [root?.depth ? "because.depth" : "because.expects", { depth: root?.depth, outlook: outlookOf(value, board) }];
}

/** @param {number} value @param {number | null} plies How soon the game ends. @param {Board} board @returns {Sentence} */
function proved(value, plies, board) {
  if (!value) return ["because.draw"];
  if (board.most !== 1) return [value > 0 ? "because.ahead" : "because.behind", { points: count(Math.abs(value)) }];
  const [soon, some] = value > 0 ? ["because.win", "because.won"] : ["because.loss", "because.lost"];
  return [plies ? soon : some, { moves: Math.ceil((plies ?? 0) / 2) }];
}

/** An estimate in words. @param {number} value @param {Board} board */
function outlookOf(value, board) {
  const size = Math.abs(value);
  if (size < (board.most === 1 ? SLIGHT : LEVEL)) return say("because.even");
  if (board.most !== 1) return say(value > 0 ? "because.points_ahead" : "because.points_behind", { points: count(Math.round(size)) });
  const [clear, slight] = value > 0 ? ["because.much_better", "because.better"] : ["because.much_worse", "because.worse"];
  return say(size > CLEAR ? clear : slight);
}
