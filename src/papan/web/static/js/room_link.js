// @ts-check
// The connection to a room: reconnects after a loss, and then loads the whole state.

import { Refusal, room as roomOf, roomSocket } from "./api.js";
/** @import { RoomState as Room } from "./wire.d.ts" */

/**
 * @typedef {object} Listener
 * @property {(news: Partial<Room>) => void} changed The whole state, or all but the board.
 * @property {(key: string, values: Record<string, unknown>) => void} refused
 * @property {(key: string | null) => void} connected Why there is no connection; null if there is one.
 */

const DELAYS = [300, 1000, 2000, 4000, 8000, 15_000]; // milliseconds before each try to connect anew
const PING = 15_000; // milliseconds of silence before the server is asked for an answer
const ANSWER_WITHIN = 10_000; // milliseconds
const CROWDED = 1013; // a code of the server

export class RoomLink {
  tries = 0;
  /** @type {WebSocket | null} */
  socket = null;
  timer = 0; // for the next try, or the next ping

  /**
   * @param {string} code
   * @param {Listener} listener
   * @param {AbortSignal} signal Aborted when the room is left.
   */
  constructor(code, listener, signal) {
    this.code = code;
    this.listener = listener;
    this.signal = signal;
    const hurry = () => {
      if (!this.socket && document.visibilityState === "visible") this.#retry(0);
    };
    addEventListener("online", hurry, { signal });
    addEventListener("offline", () => this.#lost("room.trying"), { signal });
    document.addEventListener("visibilitychange", hurry, { signal });
    signal.addEventListener("abort", () => this.#forget());
  }

  /** Connect, or connect anew after taking a seat, so that the server sees the new player. */
  open() {
    this.#forget();
    const socket = roomSocket(this.code);
    this.socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event.code === CROWDED ? "room.crowded" : "room.trying");
    this.#watch();
  }

  /**
   * Send a message, now or once connected; return false without a connection.
   * @param {Record<string, unknown>} message
   */
  send(message) {
    const { socket } = this;
    const text = JSON.stringify(message);
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    else if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.send(text));
    else return false;
    return true;
  }

  /** @param {any} message */
  #receive(message) {
    this.tries = 0;
    this.#watch();
    if (message.t === "refused") this.listener.refused(message.key, message.values);
    else if (message.t !== "pong") {
      this.listener.connected(null);
      this.listener.changed(message);
    }
  }

  /** Ask for an answer after a silence: a dead connection does not close by itself. */
  #watch() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.send({ t: "ping" });
      this.timer = window.setTimeout(() => this.#lost("room.trying"), ANSWER_WITHIN);
    }, PING);
  }

  #forget() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    if (socket.readyState === WebSocket.CONNECTING)
      socket.onopen = () => socket.close(); // sooner is an error
    else socket.close();
  }

  /** @param {string} why */
  #lost(why) {
    if (this.signal.aborted) return;
    this.#forget();
    this.listener.connected(why);
    if (why === "room.crowded") this.tries = DELAYS.length;
    const delay = DELAYS[Math.min(this.tries, DELAYS.length - 1)];
    this.tries += 1;
    this.#retry(delay * (0.75 + Math.random() / 2)); // not all pages at the same moment
  }

  /** @param {number} delay */
  #retry(delay) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#return(), delay);
  }

  /** Ask for the state first: only that tells a room that is gone from a server that is away. */
  async #return() {
    try {
      const state = await roomOf(this.code);
      if (this.signal.aborted || this.socket) return;
      this.listener.changed(state);
      this.open();
    } catch (error) {
      if (this.signal.aborted) return;
      if (error instanceof Refusal && error.status === 404) this.listener.connected("room.gone");
      else this.#lost("room.trying");
    }
  }
}
