// @ts-check
// Clocks, and the players who play against them: minutes for each and an increment for each move; they run
// only while somebody thinks.

import { PERSON } from "./game_link.js";
import { say, signed } from "./language.js";
import { Face, aboutOf } from "./opponents.js";
import { Component, h } from "./vendor/preact.mjs";
/** @import { ClockFacts } from "./game_link.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { Board, RoomClock } from "./wire.d.ts" */

const PUZZLE_MINUTES = 5;
const SOON = 10; // seconds below which tenths are shown

export class Clocks {
  /** @param {number} seats @param {ClockFacts | null | undefined} facts @param {(seat: number) => void} [over] Whose time is up. */
  constructor(seats, facts, over = () => {}) {
    this.over = over;
    this.on = Boolean(facts);
    this.minutes = facts?.minutes ?? PUZZLE_MINUTES;
    this.increment = facts?.increment ?? 0;
    this.left = Array.from({ length: seats }, (_, seat) => facts?.left[seat] ?? this.minutes * 60);
    /** @type {Set<ClockFace>} */
    this.faces = new Set();
    /** @type {Map<number, number[]>} What was left before each move. */
    this.marks = new Map();
    this.timer = 0;
    this.seat = 0;
    this.last = 0;
  }

  /** What a link says of these clocks. @returns {ClockFacts | null} */
  get facts() { return this.on ? { minutes: this.minutes, increment: this.increment, left: this.left } : null; }

  /** What a server that keeps the time says of it. @param {RoomClock | null} clock */
  follow(clock) {
    this.hold();
    this.on = clock !== null;
    if (clock) this.left = clock.left.slice();
    if (clock && clock.running !== null) this.run(clock.running);
  }

  /** Play against the clock, or freely; the time that is left stays as it is. @param {boolean} on */
  turn(on) {
    this.hold();
    this.on = on;
  }

  /** Let the time of a seat run. @param {number} seat */
  run(seat) {
    this.hold();
    if (!this.on) return;
    this.seat = seat;
    this.last = performance.now();
    this.timer = window.setInterval(() => this.#tick(), 100);
    this.#show();
  }

  /** Let no time run. */
  hold() {
    if (this.timer) this.#count();
    clearInterval(this.timer);
    this.timer = 0;
    this.#show();
  }

  /** Remember what is left before a move. @param {number} ply */
  mark(ply) { this.marks.set(ply, this.left.slice()); }

  /** A seat has moved: it gets its increment. @param {number} seat */
  press(seat) {
    this.hold();
    if (this.on) this.left[seat] += this.increment;
  }

  /** A move was taken back, and with it the time that it took. @param {number} ply */
  back(ply) {
    this.hold();
    this.left = this.marks.get(ply)?.slice() ?? this.left;
  }

  /** How long an agent may think, so that its time lasts for many moves. @param {number} seat @param {number} wanted */
  budget(seat, wanted) {
    if (!this.on) return wanted;
    return Math.max(0.05, Math.min(wanted, this.left[seat] / 25 + 0.7 * this.increment, this.left[seat] / 3));
  }

  #count() {
    const now = performance.now();
    this.left[this.seat] = Math.max(0, this.left[this.seat] - (now - this.last) / 1000);
    this.last = now;
  }

  #tick() {
    this.#count();
    this.#show();
    if (this.left[this.seat] > 0) return;
    this.hold();
    this.over(this.seat);
  }

  #show() { for (const face of this.faces) face.forceUpdate(); }
}

/** @typedef {{clocks: Clocks, seat: number}} FaceProps */

/** What one player sees of the clocks; it alone is drawn anew when they tick. @extends {Component<FaceProps>} */
class ClockFace extends Component {
  componentDidMount() { this.props.clocks.faces.add(this); }

  componentWillUnmount() { this.props.clocks.faces.delete(this); }

  /** @param {FaceProps} props */
  render({ clocks, seat }) {
    const left = clocks.left[seat];
    const running = clocks.timer !== 0 && seat === clocks.seat;
    return h("span", { class: `clock${running ? " running" : ""}${left < SOON ? " soon" : ""}`, role: "timer", "aria-label": say("web.clock_left"), hidden: !clocks.on },
      timeText(left));
  }
}

/** Who plays: the mark of each player, the score where scores count, and the time that is left.
 * @param {object} props
 * @param {Board} props.board
 * @param {boolean} props.over
 * @param {number | null} props.winner
 * @param {Clocks} props.clocks
 * @param {(seat: number) => Child} props.who
 * @param {string[]} [props.players] People and agents, by seat; nobody named is a person.
 * @param {number[]} [props.gains] What a move would change at once; where scores count only who wins, nothing is told. */
export function Players({ board, over, winner, clocks, who, players = [], gains = [] }) {
  const alone = board.seats === 1;
  return h("div", { class: "players" }, board.scores.map((score, seat) => {
    const gain = board.most === 1 || alone ? 0 : gains[seat];
    return h("div", { class: `player seat-${seat}${!over && board.turn === seat ? " turn" : ""}${winner === seat ? " winner" : ""}`, "data-seat": seat },
      h(Face, { spec: players[seat] ?? PERSON, seat, alone }),
      !alone && h("span", { class: "mark", "aria-hidden": "true" }, "✕◯"[seat]),
      h("span", { class: "names" },
        h("span", { class: "who" }, who(seat)),
        h("small", {}, aboutOf(players[seat] ?? PERSON) || (!alone && who(seat) !== say(`web.seat_${seat + 1}`) && say(`web.seat_${seat + 1}`)))),
      h(ClockFace, { clocks, seat }),
      board.most !== 1 && h("span", { class: "score", "data-score": score },
        h("span", { class: gain < 0 ? "gain bad" : "gain", "aria-hidden": "true" }, gain ? signed(gain) : ""),
        String(score), alone && board.most && ` / ${board.most}`));
  }));
}

/** Minutes and seconds; tenths where every one counts. @param {number} left */
function timeText(left) {
  if (left < SOON) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
