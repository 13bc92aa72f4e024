// @ts-check
// Questions about rooms. The seat itself is proved by a cookie that no script can read.

import { fetchJson, post } from "../api.js";

/**
 * @typedef {"takeback" | "rematch"} Wish
 * @typedef {{seconds: number, increment: number, left: [number, number], running: number | null}} Clocks
 * @typedef {object} Standing
 * @property {[boolean, boolean]} taken
 * @property {[boolean, boolean]} present
 * @property {number} spectators
 * @property {string} end
 * @property {number | null} winner
 * @property {number | null} blame
 * @property {{what: Wish, seat: number} | null} asks
 * @property {Clocks | null} clock
 * @property {number} games
 *
 * @typedef {{name: string, seat: number | null, room: Standing, board: import("../api.js").Board}} State
 * @typedef {{start: string, seat: string, clock: {minutes: number, increment: number} | null}} NewRoom
 */

/** @param {string} code */
const path = (code) => `/api/v1/rooms/${encodeURIComponent(code)}`;

/** @param {string} code @returns {Promise<State>} */
export function lookInto(code) {
  return fetchJson(path(code));
}

/** Make a room; its code.
 * @param {NewRoom} wanted @returns {Promise<string>} */
export async function makeRoom(wanted) {
  return (await (await post("/api/v1/rooms", wanted)).json()).name;
}

/** Take the free seat.
 * @param {string} code */
export async function sitDown(code) {
  await post(`${path(code)}/seat`, {});
}

/** Where a room speaks.
 * @param {string} code */
export function socketOf(code) {
  const url = new URL(`${path(code)}/live`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url);
}
