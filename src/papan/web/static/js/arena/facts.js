// @ts-check
// What the server says of tournaments, and how it is put into words.

import { erase, fetchJson, post } from "../api.js";
import { agentTitle, count, language, say, signed } from "../language.js";

/**
 * @typedef {"waiting" | "running" | "paused" | "done" | "failed"} State
 * @typedef {{value: number | null, low: number | null, high: number | null}} Interval
 * @typedef {{wins: number, draws: number, losses: number}} Score
 * @typedef {{median: number, p95: number}} Spread
 * @typedef {{kind: string, reason: string, games: number, output: string}} Fault
 * @typedef {Score & {agent: string, elo: Interval | null, games: number, points: number, seats: Score[], forfeits: Record<string, number>, faults: Fault[]}} Contestant
 * @typedef {Score & {first: string, second: string, elo: Interval, los: number}} Encounter
 * @typedef {{llr: number, bounds: [number, number], verdict: string}} Sprt
 * @typedef {{game: string, seed: number, games: number, planned: number, ending: string | null, agents: Contestant[],
 *   superiority: (number | null)[][], encounters: Encounter[], endings: Record<string, number>, sprt: Sprt | null}} Contest
 * @typedef {{number: number, agents: string[], start: string, moves: string, end: string, winner: number | null, scores: number[], svg: string}} LastGame
 * @typedef {{id: string, state: State, why: {key: string, values: Record<string, unknown>} | null, made: string, game: string,
 *   agents: string[], games: number, planned: number, yours: boolean}} Tournament
 * @typedef {Tournament & {seen: number, order: any, contest: Contest, efforts: {agent: string, nodes: Spread | null, milliseconds: Spread | null}[],
 *   pace: number | null, last: LastGame[], command: string}} Report
 */

const PLACE = "/api/v1/tournaments";

/** @returns {Promise<Tournament[]>} */
export const tournaments = () => fetchJson(PLACE);

/** @param {string} id @returns {Promise<Report>} */
export const report = (id) => fetchJson(`${PLACE}/${encodeURIComponent(id)}`);

/** @param {unknown} order @returns {Promise<Tournament>} */
export const begin = async (order) => (await post(PLACE, order)).json();

/** @param {string} id @param {"pause" | "go-on"} what */
export const steer = (id, what) => post(`${PLACE}/${id}/${what}`, {});

/** @param {string} id */
export const remove = (id) => erase(`${PLACE}/${id}`);

/** Where a file of a tournament is.
 * @param {string} id @param {string} form */
export const fileOf = (id, form) => `${PLACE}/${id}/files/${form}?language=${language()}`;

/** Who plays: levels by their names, algorithms with everything that was set.
 * @param {string} name */
export function contestant(name) {
  return /^level:\d$/.test(name) ? agentTitle(name) : name;
}

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
export const scoreText = ({ wins, draws, losses }) => `+${wins} =${draws} −${losses}`;

/** A number with few digits.
 * @param {number} amount */
export const short = (amount) => count(Number(amount.toPrecision(3)));

/** Seconds as people say them.
 * @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return say("arena.seconds", { count: Math.max(1, Math.round(seconds)) });
  if (seconds < 5400) return say("arena.minutes", { count: Math.round(seconds / 60) });
  return say("arena.hours", { count: short(seconds / 3600) });
}

/** How a tournament stands, in one sentence.
 * @param {Tournament & {pace?: number | null, contest?: Contest}} facts */
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

/** Ask again and again, as long as somebody looks.
 * @param {() => Promise<number>} work Says in how many seconds to come back.
 * @returns {{stop: () => void, now: () => void}} */
export function repeatedly(work) {
  let timer = 0;
  let stopped = false;
  const turn = async () => {
    clearTimeout(timer);
    const seconds = document.hidden ? 3 : await work();
    clearTimeout(timer);
    if (!stopped) timer = window.setTimeout(turn, seconds * 1000);
  };
  const seen = () => { if (!document.hidden && !stopped) turn(); };
  document.addEventListener("visibilitychange", seen);
  timer = window.setTimeout(turn, 1000);
  return {
    stop: () => { stopped = true; clearTimeout(timer); document.removeEventListener("visibilitychange", seen); },
    now: turn,
  };
}
