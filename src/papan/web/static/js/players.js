// @ts-check
// The players at the board: a face, a name, the score, and a clock with minutes for each player and an increment
// for each move; it runs only on the player's turn.

import { minutes, say, signed } from "./language.js";
import { PERSON } from "./saved_game.js";
import { Component, h } from "./vendor/preact.mjs";
/** @import { ClockFacts } from "./saved_game.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { BoardFacts as Board, RoomClock } from "./wire.d.ts" */

const PUZZLE_MINUTES = 5;
const SOON = 10; // seconds below which tenths are shown

/** Return the level that a spec names; 0 for people and algorithms. @param {string} spec */
export function levelOf(spec) {
  return Number(/^level:(\d)/.exec(spec)?.[1] ?? (spec === "level" ? 3 : 0));
}

/** Return the description of an opponent, half a sentence; empty for people and algorithms. @param {string} spec */
export function aboutOf(spec) {
  const level = levelOf(spec);
  return level ? say("web.opponent_is", { level, what: say(`web.opponent_${level}_is`) }) : "";
}

/**
 * Return a round face; its colour is that of the seat.
 * @param {{spec: string, seat?: number, alone?: boolean}} props
 */
export function Face({ spec, seat = 1, alone = false }) {
  const level = levelOf(spec);
  const drawn = level
    ? ANIMALS[level - 1]()
    : spec === PERSON && !alone
      ? marks(seat)
      : spec === PERSON
        ? person()
        : machine();
  return h(
    "svg",
    { class: `face-of seat-${seat}${spec === PERSON ? " person" : ""}`, viewBox: "0 0 44 44", "aria-hidden": "true" },
    h("circle", { class: "ground", cx: 22, cy: 22, r: 22 }),
    drawn,
  );
}

/**
 * @param {string} d
 * @param {string} fill
 * @param {Record<string, any>} [more]
 */
const shape = (d, fill, more = {}) => h("path", { d, fill, ...more });

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} fill
 */
const dot = (x, y, r, fill) => h("circle", { cx: x, cy: y, r, fill });

/**
 * @param {number} x
 * @param {number} y
 * @param {number} rx
 * @param {number} ry
 * @param {string} fill
 * @param {number} [turn]
 */
const oval = (x, y, rx, ry, fill, turn = 0) =>
  h("ellipse", { cx: x, cy: y, rx, ry, fill, transform: `rotate(${turn} ${x} ${y})` });

/**
 * @param {string} d
 * @param {string} stroke
 * @param {number} width
 */
const line = (d, stroke, width) =>
  h("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });

const INK = "#2a2118";

/** @param {number} seat */
const marks = (seat) =>
  seat
    ? h("circle", { class: "sign", cx: 22, cy: 22, r: 8.5 })
    : h("path", { class: "sign", d: "M14 14l16 16M30 14L14 30" });

const person = () => [
  h("circle", { class: "sign", cx: 22, cy: 17, r: 5.5 }),
  h("path", { class: "sign", d: "M12 33c1-7 5-9 10-9s9 2 10 9" }),
];

const machine = () => [
  h("path", { class: "sign", d: "M22 9v5M14 16h16v14H14z" }),
  h("path", { class: "sign", d: "M19 22v2M25 22v2" }),
];

/** From the first level to the fifth: kukang, bekantan, kancil, garuda, komodo. @type {(() => Child)[]} */
const ANIMALS = [
  () => [
    dot(11, 14, 4.5, "#c9a06c"),
    dot(33, 14, 4.5, "#c9a06c"),
    oval(22, 23, 13.5, 13, "#f4e2c4"),
    shape("M20.5 10h3l-.6 13h-1.8z", "#8d5f38"),
    oval(15.5, 22, 5, 6.5, "#8d5f38", 18),
    oval(28.5, 22, 5, 6.5, "#8d5f38", -18),
    dot(16, 22.5, 3.2, "#fff8ea"),
    dot(28, 22.5, 3.2, "#fff8ea"),
    dot(16, 23.4, 1.7, INK),
    dot(28, 23.4, 1.7, INK),
    line("M12.6 21.4h6.8M24.6 21.4h6.8", "#8d5f38", 2),
    oval(22, 28.5, 2, 1.5, INK),
    line("M19.5 32q2.5 1.6 5 0", INK, 1.3),
  ],
  () => [
    dot(9.5, 22, 3.2, "#e8b184"),
    dot(34.5, 22, 3.2, "#e8b184"),
    oval(22, 21, 12.5, 13, "#b5602c"),
    shape("M12 20c1-5 5-5 10-3 5-2 9-2 10 3 1 8-3 15-10 15s-11-7-10-15z", "#f3c79c"),
    dot(17, 20, 1.9, INK),
    dot(27, 20, 1.9, INK),
    shape("M20 20h4c2 5 3 9 2 11-1 2.4-7 2.4-8 0-1-2 0-6 2-11z", "#dd8a5b"),
    line("M19.8 30.2h.1M24.2 30.2h.1", INK, 1.8),
    line("M18.5 35q3.5 1.2 7 0", INK, 1.3),
  ],
  () => [
    oval(10.5, 14, 3.6, 7, "#b9773f", -38),
    oval(33.5, 14, 3.6, 7, "#b9773f", 38),
    oval(10.9, 14.4, 1.8, 4.6, "#f3d3ae", -38),
    oval(33.1, 14.4, 1.8, 4.6, "#f3d3ae", 38),
    shape("M12 19c0-6 4-9 10-9s10 3 10 9c0 5-4 8-5 13-.8 4-9.2 4-10 0-1-5-5-8-5-13z", "#d29455"),
    shape("M18 27h8l-.8 6c-.6 3-5.8 3-6.4 0z", "#fbeedb"),
    dot(16.5, 20.5, 3, INK),
    dot(27.5, 20.5, 3, INK),
    dot(17.5, 19.5, 1, "#fff"),
    dot(28.5, 19.5, 1, "#fff"),
    oval(22, 29, 2.6, 1.9, INK),
  ],
  () => [
    shape("M22 5c1.5 2 2 4 1.5 6M16 7c2 1 3.5 3 4 5M28 7c-2 1-3.5 3-4 5", "none", {
      stroke: "#f2c154",
      "stroke-width": 2.4,
      "stroke-linecap": "round",
    }),
    shape("M8 29c3-13 8-18 14-18s11 5 14 18c-4-3.5-9-5-14-5s-10 1.5-14 5z", "#fffaf0"),
    line("M14 17.5l5 2.2M30 17.5l-5 2.2", "#7a3014", 1.8),
    dot(17.5, 21.5, 2.3, "#7a3014"),
    dot(26.5, 21.5, 2.3, "#7a3014"),
    shape("M18.5 25.5h7c0 5-1.5 8-3.5 10.5-2-2.5-3.5-5.5-3.5-10.5z", "#f2c154"),
    line("M22 28v3", "#a86f00", 1.3),
  ],
  () => [
    line("M22 33v5M22 38l-3 3M22 38l3 3", "#f2c154", 2),
    shape("M11 15c2-6 6-7 11-7s9 1 11 7c1 4-1 8-3 11-2 4-4 8-8 8s-6-4-8-8c-2-3-4-7-3-11z", "#8fa06c"),
    shape("M15 25c2-3 12-3 14 0-1 5-4 8-7 8s-6-3-7-8z", "#b5c292"),
    dot(15, 17, 3.6, "#f6e39a"),
    dot(29, 17, 3.6, "#f6e39a"),
    oval(15, 17, 1.1, 3, INK),
    oval(29, 17, 1.1, 3, INK),
    dot(20, 26.5, 1, INK),
    dot(24, 26.5, 1, INK),
    line("M17 30q5 2 10 0", "#5c6b3e", 1.4),
    line("M18 12h.1M22 11h.1M26 12h.1M20 15h.1M24 15h.1", "#5c6b3e", 2),
  ],
];

export class Clocks {
  /**
   * @param {number} seats
   * @param {ClockFacts | null | undefined} facts
   * @param {(seat: number) => void} [over] Called with the seat whose time is up.
   */
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

  /** The clocks as an address has them. @returns {ClockFacts | null} */
  get facts() {
    return this.on ? { minutes: this.minutes, increment: this.increment, left: this.left } : null;
  }

  /** Show the clocks of a server. @param {RoomClock | null} clock */
  follow(clock) {
    this.hold();
    this.on = clock !== null;
    if (clock) this.left = clock.left.slice();
    if (clock && clock.running !== null) this.run(clock.running);
  }

  /** Switch the clocks on or off; the time that is left is unchanged. @param {boolean} on */
  turn(on) {
    this.hold();
    this.on = on;
  }

  /** Start the clock of a seat. @param {number} seat */
  run(seat) {
    this.hold();
    if (!this.on) return;
    this.seat = seat;
    this.last = performance.now();
    this.timer = window.setInterval(() => this.#tick(), 100);
    this.#show();
  }

  /** Stop all clocks. */
  hold() {
    if (this.timer) this.#count();
    clearInterval(this.timer);
    this.timer = 0;
    this.#show();
  }

  /** Store the time that is left before a move. @param {number} ply */
  mark(ply) { this.marks.set(ply, this.left.slice()); }

  /** Stop the clock of a seat that has moved, and add its increment. @param {number} seat */
  press(seat) {
    this.hold();
    if (this.on) this.left[seat] += this.increment;
  }

  /** Restore the time before a move that was taken back. @param {number} ply */
  back(ply) {
    this.hold();
    this.left = this.marks.get(ply)?.slice() ?? this.left;
  }

  /**
   * Return the seconds that an agent may think, so that its time lasts for many moves.
   * @param {number} seat
   * @param {number} wanted
   */
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

/** The clock of one player; it alone is redrawn when it ticks. @extends {Component<FaceProps>} */
class ClockFace extends Component {
  componentDidMount() { this.props.clocks.faces.add(this); }

  componentWillUnmount() { this.props.clocks.faces.delete(this); }

  /** @param {FaceProps} props */
  render({ clocks, seat }) {
    const left = clocks.left[seat];
    const running = clocks.timer !== 0 && seat === clocks.seat;
    return h("span", {
        class: `clock${running ? " running" : ""}${left < SOON ? " soon" : ""}`,
        role: "timer",
        "aria-label": say("web.clock_left"),
        hidden: !clocks.on,
      },
      timeText(left),
    );
  }
}

/**
 * Return the players: the mark of each, the score where scores count, and the time that is left.
 * @param {object} props
 * @param {Board} props.board
 * @param {boolean} props.over
 * @param {number | null} props.winner
 * @param {Clocks} props.clocks
 * @param {(seat: number) => Child} props.who
 * @param {string[]} [props.players] People and agents, by seat; a person by default.
 * @param {number[]} [props.gains] What a move would add to each score at once; not shown where scores only say who won.
 */
export function Players({ board, over, winner, clocks, who, players = [], gains = [] }) {
  const alone = board.seats === 1;
  return h("div", { class: "players" },
    board.scores.map((score, seat) => {
      const gain = board.most === 1 || alone ? 0 : gains[seat];
      return h("div", {
          class: `player seat-${seat}${!over && board.turn === seat ? " turn" : ""}${winner === seat ? " winner" : ""}`,
          "data-seat": seat,
        },
        h(Face, { spec: players[seat] ?? PERSON, seat, alone }),
        !alone && h("span", { class: "mark", "aria-hidden": "true" }, "✕◯"[seat]),
        h("span", { class: "names" },
          h("span", { class: "who" }, who(seat)),
          h("small", {},
            aboutOf(players[seat] ?? PERSON) ||
              (!alone && who(seat) !== say(`web.seat_${seat + 1}`) && say(`web.seat_${seat + 1}`)),
          ),
        ),
        h(ClockFace, { clocks, seat }),
        board.most !== 1 &&
          h("span", { class: "score", "data-score": score },
            h("span", { class: gain < 0 ? "gain bad" : "gain", "aria-hidden": "true" }, gain ? signed(gain) : ""),
            String(score),
            alone && board.most && ` / ${board.most}`,
          ),
      );
    }),
  );
}

/** Return seconds as minutes and seconds; with tenths when little is left. @param {number} left */
function timeText(left) {
  if (left < SOON) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  return minutes(Math.ceil(left));
}
