// @ts-check
// A position as the script of a game has it, and the facts of a board that a page is shown: twin of web/boards.py.

/** @import { Places } from "./picture.js" */
/** @import { BoardFacts, Feature, OfflineFacts } from "../wire.d.ts" */

/**
 * @typedef {{key: string, values: Record<string, unknown>}} Problem
 * @typedef {{before: Position, move: string}} Ply
 *
 * @typedef {object} OfflineGame A game in one of its sizes.
 * @property {string} name
 * @property {string} spec
 * @property {Record<string, any>} options
 * @property {Record<string, string>} drawings The SVG files in the folder of the game, by name.
 *
 * @typedef {object} Position A moment of play, with its drawing; nothing in it changes.
 * @property {OfflineGame} game
 * @property {string} text
 * @property {number} turn
 * @property {number | null} most The largest margin that the game can end with.
 * @property {boolean} [cleared] A game for one has reached its goal.
 * @property {() => string[]} moves The names of the legal moves, in the server's order; none once the game is over.
 * @property {(move: string) => Position} child The position after a legal move.
 * @property {() => number[]} scores
 * @property {(text: string) => string | undefined} moveOf The name of the move that a text means, legal or not.
 * @property {(move: string) => Problem} whyNot Why a move is not legal.
 * @property {() => string} picture The board in characters.
 * @property {() => Places} spots
 * @property {(played: Ply[]) => string} svg
 * @property {(move: string) => string} highlight
 * @property {(move: string) => [number, number]} labelPoint
 * @property {() => Feature[]} features
 *
 * @typedef {object} GameScript What the script of a game exports. Both functions throw where there is no such board.
 * @property {(game: OfflineGame) => Position} begin
 * @property {(game: OfflineGame, fields: string[]) => Position} read
 * @property {Record<string, string>} drawings
 */

/** The position after moves from a start, with every ply; throws at a move that is not legal. */
export function reached(/** @type {Position} */ start, /** @type {string[]} */ moves) {
  /** @type {Ply[]} */
  const plies = [];
  let position = start;
  for (const text of moves) {
    const move = position.moveOf(text);
    if (!move || !position.moves().includes(move)) throw new Error(`not legal: ${text}`);
    plies.push({ before: position, move });
    position = position.child(move);
  }
  return { plies, position };
}

/**
 * What a page needs to show a position that plies have led to.
 * @param {Ply[]} plies
 * @param {Position} position
 * @param {OfflineFacts} facts What is the same for every board of the game.
 * @returns {BoardFacts}
 */
export function boardFacts(plies, position, facts) {
  const { game } = position;
  const legal = position.moves();
  const scores = position.scores();
  const end = endOf(position, legal, scores, facts.seats);
  return {
    game: game.spec,
    name: game.name,
    seats: facts.seats,
    start: (plies[0]?.before ?? position).text,
    position: position.text,
    moves: plies.map(({ move }) => move),
    turns: plies.map(({ before }) => before.turn),
    places: plies.map(({ before, move }) => before.labelPoint(move)),
    turn: position.turn,
    scores,
    most: position.most,
    end,
    winner: ["win", "cleared"].includes(end) ? scores.indexOf(Math.max(...scores)) : null,
    svg: position.svg(plies),
    spots: spotTexts(position),
    legal: legal.map((move) => ({
      m: move,
      at: position.labelPoint(move),
      svg: position.highlight(move),
      gains: position.child(move).scores().map((after, seat) => after - scores[seat]),
    })),
    features: position.features(),
    spots_in_a_move: facts.spots_in_a_move,
    upright: facts.upright,
    counters: facts.counters,
    solver: facts.solved_sizes.includes(game.spec),
    shuffles: facts.shuffles,
  };
}

/** @param {Position} position @param {string[]} legal @param {number[]} scores @param {number} seats */
function endOf({ cleared }, legal, scores, seats) {
  if (legal.length) return "open";
  if (seats === 1) return cleared ? "cleared" : "stuck";
  return scores[0] === scores[1] ? "draw" : "win";
}

/** What the board in characters shows at each spot. @param {Position} position */
function spotTexts(position) {
  const rows = position.picture().split("\n");
  return Object.fromEntries(
    Object.entries(position.spots()).map(([name, places]) => [
      name,
      places.map(([row, column]) => rows[row]?.[column] ?? "").join("").trim(),
    ]),
  );
}
