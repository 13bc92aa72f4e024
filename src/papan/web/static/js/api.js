// @ts-check
// Questions to the server, and searches as streams of events.

/**
 * @typedef {{m: string, at: [number, number] | null, svg: string, gains: number[]}} Choice
 * @typedef {{key: string, values: Record<string, unknown>, svg: string}} Feature
 * @typedef {object} Board
 * @property {string} game
 * @property {string} name
 * @property {number} seats
 * @property {string} start
 * @property {string} position
 * @property {string[]} moves
 * @property {number[]} turns
 * @property {([number, number] | null)[]} places Where each move went.
 * @property {number} turn
 * @property {number[]} scores
 * @property {number | null} most
 * @property {string} end
 * @property {number | null} winner
 * @property {string} svg
 * @property {Record<string, string>} spots
 * @property {Choice[]} legal
 * @property {Feature[]} features
 * @property {number} spots_in_a_move
 * @property {boolean} solver
 * @property {boolean} shuffles
 *
 * @typedef {"exact" | "lower" | "upper" | "between"} Proof
 * @typedef {Proof | "estimate" | "pruned" | "visits"} Kind
 * @typedef {{v: number, k: Kind, to?: number}} Worth *to*: the other end of what is proved to lie between two.
 * @typedef {{m: string, v: number, k: Kind, to?: number, n: number, pv?: string[], w?: number | null, ucb?: number | null, chain?: number, terms?: number[]}} MoveValue
 * @typedef {Pick<Board, "name" | "position" | "svg" | "spots" | "legal" | "features" | "spots_in_a_move">} Drawn What a board view needs.
 * @typedef {{content: string, svg: string}} Piece
 * @typedef {{name: string, value: number, least: number, most: number}} Dial
 * @typedef {{position: string, game: string, name: string, seats: number, turn: number, svg: string, spots: Record<string, string>, pieces: Piece[], dials: Dial[], problem: {key: string, values: Record<string, unknown>} | null}} Sketch
 * @typedef {{position: string, spot?: string, content?: string, turn?: number, dial?: string, value?: number, clear?: boolean}} Change
 * @typedef {{name: string, kind: string, default: any, choices: string[], optional: boolean}} Setting
 * @typedef {{name: string, about: string, spec: string, seats: number, presets: string[], options: Setting[]}} GameFacts
 * @typedef {{name: string, about: string, settings: Setting[], names: string[]}} AgentFacts
 * @typedef {{start: string, moves: string, agents: string[], end: string, blame: number | null, reason: string}} Reopened
 * @typedef {{t: string, [key: string]: any}} ThoughtEvent
 * @typedef {{start: string, moves: string, agent: string, seconds: number, all_moves?: boolean, nodes?: number, purpose?: "game" | "analysis"}} Thought
 */

/** What the server refuses, with the reason as a key of the catalogue. */
export class Refusal extends Error {
  /** @param {number} status @param {string} key @param {Record<string, unknown>} values */
  constructor(status, key, values) {
    super(key);
    this.status = status;
    this.key = key;
    this.values = values;
  }
}

/** @param {Response} response @returns {Promise<Refusal>} */
async function refusal(response) {
  const facts = await response.json().catch(() => ({}));
  return new Refusal(response.status, facts.key ?? "web.failed", facts.values ?? {});
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new Refusal(0, "web.offline", {});
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** @param {string} path @returns {Promise<any>} */
export async function fetchJson(path) {
  return (await ask(path)).json();
}

/** @param {string} path @returns {Promise<string>} */
export async function fetchText(path) {
  return (await ask(path)).text();
}

/** @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export function post(path, body, signal) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** @param {string} path */
export function erase(path) {
  return ask(path, { method: "DELETE" });
}

/** The position that moves lead to.
 * @param {string} start @param {string[]} moves @returns {Promise<Board>} */
export async function boardOf(start, moves) {
  return (await post("/api/v1/board", { start, moves: moves.join(" ") })).json();
}

/** A board that is being set up, after a change.
 * @param {Change} change @returns {Promise<Sketch>} */
export async function edited(change) {
  return (await post("/api/v1/edit", change)).json();
}

/** The game so far as a picture that moves.
 * @param {string} start @param {string[]} moves @returns {Promise<string>} */
export async function filmOf(start, moves) {
  return (await post("/api/v1/film", { start, moves: moves.join(" ") })).text();
}

/** The steps in which a move is found.
 * @param {string} position @param {string} move @returns {Promise<Feature[]>} */
export async function traceOf(position, move) {
  return (await post("/api/v1/trace", { start: position, move })).json();
}

/** @type {Promise<GameFacts[]> | undefined} */
let allGames;

/** @returns {Promise<GameFacts[]>} */
export function games() {
  allGames ??= fetchJson("/api/v1/games");
  return allGames;
}

/** @param {string} game @returns {Promise<AgentFacts[]>} */
export function agents(game) {
  return fetchJson(`/api/v1/agents?game=${encodeURIComponent(game)}`);
}

/** @param {string} game @param {number} seed @returns {Promise<string>} */
export async function deal(game, seed) {
  return (await (await post("/api/v1/deal", { game, seed })).json()).start;
}

/** @param {string} start @param {string[]} moves @param {number} seed @returns {Promise<string>} */
export async function shuffle(start, moves, seed) {
  return (await (await post("/api/v1/shuffle", { start, moves: moves.join(" "), seed })).json()).start;
}

/** @param {string} record @returns {Promise<Reopened>} */
export async function reopen(record) {
  return (await post("/api/v1/record", { record })).json();
}

/** The events of a search, as they come; aborting the signal ends the search.
 * @param {Thought} thought @param {AbortSignal} signal @returns {AsyncGenerator<ThoughtEvent>} */
export async function* think(thought, signal) {
  const response = await post("/api/v1/think", thought, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

/** Ask a search for its best move so far.
 * @param {string} id */
export async function hurry(id) {
  await post(`/api/v1/think/${encodeURIComponent(id)}/stop`, {}).catch(() => {});
}
