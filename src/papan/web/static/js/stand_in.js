// @ts-check
// Answers requests while the server is gone, from what was kept before: boards by the scripts of the games, starts,
// and puzzles with their answers. What it cannot answer exactly, it does not answer.

import { games, offlineKit } from "./api.js";
import { GAMES } from "./games/all.js";
import { boardFacts, reached } from "./offline/position.js";
import { myGames } from "./saved_game.js";
/** @import { OfflineGame, Position } from "./offline/position.js" */
/** @import { OfflineKit, OfflinePuzzle, PuzzleCount, PuzzleFacts } from "./wire.d.ts" */

/** Load what is needed to answer later. */
export async function prepare() { await Promise.all([offlineKit(), games()]); }

/**
 * Return the answer to a request as the server would give it; undefined where only the server can.
 * @param {string} path
 * @param {any} [body]
 * @returns {Promise<any>}
 */
export async function answer(path, body) {
  const { pathname, searchParams } = new URL(path, location.origin);
  const words = decodeURIComponent(pathname).split("/").slice(1);
  try {
    const kit = await offlineKit();
    if (words[0] === "puzzles") return words[1] ? puzzleAnswer(kit, words[1], searchParams) : counts(kit.puzzles);
    if (words[0] === "agents") return []; // nobody but people plays
    if (words[0] === "deal") return await dealt(kit, body.game);
    const line = await lineOf(kit, body);
    if (words[0] === "board") return boardFacts(line.plies, line.position, kit.games[line.position.game.name]);
    if (words[0] === "move") return reading(line.position, body.move);
  } catch {
    // There is no such board, or nothing was kept.
  }
  return undefined;
}

/** The position after a line of moves. @param {OfflineKit} kit @param {{start: string, moves: string}} line */
async function lineOf(kit, { start, moves }) {
  return reached(await begun(kit, start), moves.split(" ").filter(Boolean));
}

/**
 * The position that a text means: a position, or a game whose start is known.
 * @param {OfflineKit} kit
 * @param {string} text
 */
async function begun(kit, text) {
  const [spec, ...fields] = text.split(" ");
  const game = await gameOf(spec);
  const script = GAMES[game.name];
  if (fields.length) return script.read(game, fields);
  const known = [...kit.games[game.name].deals, ...myGames().map(({ facts }) => facts.start)];
  const deal = known.find((each) => each.startsWith(`${game.spec} `));
  return deal ? script.read(game, deal.split(" ").slice(1)) : script.begin(game);
}

/**
 * A game in the size that a spec names; throws where it has no script.
 * @param {string} spec
 * @returns {Promise<OfflineGame>}
 */
async function gameOf(spec) {
  const [name, text = ""] = spec.split(/:(.*)/s);
  const facts = (await games()).find((each) => each.name === name);
  if (!facts || !(name in GAMES)) throw new Error(`no script: ${spec}`);
  /** @type {Record<string, any>} */
  const options = Object.fromEntries(facts.options.map((each) => [each.name, each.default]));
  for (const [place, word] of text.split(",").filter(Boolean).entries()) {
    const [given, value = given] = word.split("=");
    const option = word.includes("=") ? facts.options.find((each) => each.name === given) : facts.options[place];
    const choices = option?.choices ?? [];
    const fits = choices.length ? choices.includes(value) : /^\d+$/.test(value);
    if (!option || !fits) throw new Error(`no game: ${spec}`);
    options[option.name] = choices.length ? value : Number(value);
  }
  const words = facts.options
    .filter((each) => !each.optional || options[each.name] !== each.default)
    .map((each) => (each.optional ? `${each.name}=${options[each.name]}` : String(options[each.name])));
  return { name, spec: [name, words.join(",")].filter(Boolean).join(":"), options, drawings: GAMES[name].drawings };
}

/**
 * The start of a game; where there is chance, one of those that were dealt before.
 * @param {OfflineKit} kit
 * @param {string} spec
 */
async function dealt(kit, spec) {
  const { deals } = kit.games[spec.split(":")[0]];
  const fitting = deals.filter((each) => each.split(" ")[0].replace(/,seed=\d+/, "") === spec);
  const start = fitting[Math.floor(Math.random() * fitting.length)]?.split(" ")[0] ?? spec;
  const position = await begun(kit, start);
  return { start: position.game.spec, board: boardFacts([], position, kit.games[position.game.name]) };
}

/** The legal move that a text means, or why it is none. @param {Position} position @param {string} text */
function reading(position, text) {
  const move = position.moveOf(text.trim().toLowerCase());
  const legal = position.moves();
  if (move && legal.includes(move)) return { name: move, problem: null };
  const over = !legal.length && !(position.scores().length === 1 && !position.cleared);
  const ended = { key: "error.game_over", values: { move: text, position: position.text } };
  const unknown = { key: "error.not_possible", values: { move: text } };
  const problem = !move ? unknown : over ? ended : position.whyNot(move);
  return { name: "", problem: { ...problem, message: "" } };
}

/** How many puzzles of each kind are kept. @param {OfflinePuzzle[]} puzzles @returns {PuzzleCount[]} */
function counts(puzzles) {
  /** @type {Map<string, PuzzleCount>} */
  const found = new Map();
  for (const { game, theme, difficulty } of puzzles) {
    const known = found.get(`${game} ${theme} ${difficulty}`) ?? { game, theme, difficulty, count: 0 };
    found.set(`${game} ${theme} ${difficulty}`, { ...known, count: known.count + 1 });
  }
  return [...found.values()];
}

/** What the routes of puzzles answer. @param {OfflineKit} kit @param {string} word @param {URLSearchParams} asked */
async function puzzleAnswer(kit, word, asked) {
  const named = (/** @type {string | null | undefined} */ name) => kit.puzzles.find((each) => each.name === name);
  if (word === "next") return shown(near(kit.puzzles, asked));
  if (word === "daily") return shown(named(kit.days[asked.get("day") ?? ""]));
  if (word !== "answer") return shown(named(word));
  const puzzle = named(asked.get("whole"));
  if (!puzzle) return undefined;
  const { position } = await lineOf(kit, { start: puzzle.text, moves: asked.get("moves") ?? "" });
  return puzzle.turns[position.text];
}

/** A puzzle without its answers. @param {OfflinePuzzle | undefined} puzzle @returns {PuzzleFacts | undefined} */
function shown(puzzle) {
  if (!puzzle) return undefined;
  const { name, game, theme, rating, text } = puzzle;
  return { name, game, theme, rating, text };
}

/**
 * The puzzle nearest to a rating, of those not seen lately if there are any.
 * @param {OfflinePuzzle[]} puzzles
 * @param {URLSearchParams} asked
 */
function near(puzzles, asked) {
  const [game, theme, rating] = ["game", "theme", "rating"].map((each) => asked.get(each) ?? "");
  const seen = (asked.get("seen") ?? "").split(",");
  const fitting = puzzles.filter((each) => (!game || each.game === game) && (!theme || each.theme === theme));
  const fresh = fitting.filter(({ name }) => !seen.includes(name));
  const distance = (/** @type {OfflinePuzzle} */ each) => Math.abs(each.rating - Number(rating));
  return (fresh.length ? fresh : fitting).toSorted((one, other) => distance(one) - distance(other))[0];
}
