// @ts-check
// The connection to a room: it comes back by itself, and then brings the whole state with it.

import { Refusal, room, roomSocket } from "./api.js";
/** @import { RoomState as Room } from "./wire.d.ts" */

/**
 * @typedef {object} Listener
 * @property {(news: Partial<Room>) => void} changed Everything, or all but the board.
 * @property {(key: string, values: Record<string, unknown>) => void} refused
 * @property {(key: string | null) => void} connected Why there is no connection; null: there is one.
 */

const DELAYS = [300, 1000, 2000, 4000, 8000, 15_000];
const PING = 15_000;
const ANSWER_WITHIN = 10_000;
const CROWDED = 1013;

export class RoomLink {
  /** @param {string} code @param {Listener} listener */
  constructor(code, listener) {
    this.code = code;
    this.listener = listener;
    this.tries = 0;
    this.left = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {number | undefined} */
    this.timer = undefined; // for the next try, or the next ping
    this.hurry = () => { if (!this.socket && document.visibilityState === "visible") this.#retry(0); };
    this.drop = () => this.#lost("room.trying");
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** Connect, or connect anew: after taking a seat, so that the server sees who has come. */
  open() {
    this.#forget();
    const socket = roomSocket(this.code);
    this.socket = socket;
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event.code === CROWDED ? "room.crowded" : "room.trying");
    this.#watch();
  }

  /** Send something, now or once the line is up; false where nobody hears it. @param {Record<string, unknown>} message */
  send(message) {
    const { socket } = this;
    const text = JSON.stringify(message);
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    else if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.send(text));
    else return false;
    return true;
  }

  close() {
    this.left = true;
    this.#forget();
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.hurry);
  }

  /** @param {any} message */
  #hear(message) {
    this.tries = 0;
    this.#watch();
    if (message.t === "refused") this.listener.refused(message.key, message.values);
    else if (message.t !== "pong") {
      this.listener.connected(null);
      this.listener.changed(message);
    }
  }

  /** Ask now and then whether the server still listens: a dead line does not close by itself. */
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
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // sooner is an error
    else socket.close();
  }

  /** @param {string} why */
  #lost(why) {
    if (this.left) return;
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

  /** Look first: only that tells a room that is gone from a server that is away. */
  async #return() {
    try {
      const state = await room(this.code);
      if (this.left || this.socket) return;
      this.listener.changed(state);
      this.open();
    } catch (error) {
      if (this.left) return;
      if (error instanceof Refusal && error.status === 404) this.listener.connected("room.gone");
      else this.#lost("room.trying");
    }
  }
}
