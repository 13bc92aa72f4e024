// Clocks, and what is known of players by their specs.

import { Clocks, Players, aboutOf, levelOf } from "/static/js/players.js";
import { drawn, equal, test } from "./asserts.js";

const FACTS = { minutes: 5, increment: 3, left: [100, 200] };

test("clocks continue with what is left, or begin with all of it", () => {
  equal(
    [new Clocks(2, FACTS).left, new Clocks(2, { ...FACTS, left: [] }).left],
    [
      [100, 200],
      [300, 300],
    ],
  );
});

test("a move adds the increment to its own clock", () => {
  const clocks = new Clocks(2, FACTS);
  clocks.press(1);
  equal(clocks.left, [100, 203]);
});

test("without clocks a move adds nothing", () => {
  const clocks = new Clocks(2, null);
  clocks.press(0);
  equal([clocks.left, clocks.facts], [[300, 300], null]);
});

test("a move that is taken back gives its time back", () => {
  const clocks = new Clocks(2, FACTS);
  clocks.mark(0);
  clocks.left[0] = 40;
  clocks.back(0);
  equal(clocks.left, [100, 200]);
});

test("an agent may think as long as is wanted without clocks, and a share of its time with them", () => {
  equal(new Clocks(2, null).budget(0, 9), 9);
  equal(new Clocks(2, FACTS).budget(0, 9), 100 / 25 + 0.7 * 3);
  equal(new Clocks(2, { ...FACTS, left: [0.6, 1] }).budget(0, 9), 0.6 / 3);
  equal(new Clocks(2, { ...FACTS, left: [0, 1] }).budget(0, 9), 0.05);
});

test("clocks follow those of a server", () => {
  const clocks = new Clocks(2, null);
  clocks.follow(/** @type {any} */ ({ left: [7, 8], running: null }));
  equal([clocks.on, clocks.left], [true, [7, 8]]);
  clocks.follow(null);
  equal(clocks.on, false);
});

test("a spec names its level", () => {
  equal(["level:4,seed=2", "level", "human", "minimax:depth=3"].map(levelOf), [4, 3, 0, 0]);
});

test("only levels have a description", () => equal([aboutOf("level:2") !== "", aboutOf("minimax")], [true, ""]));

/**
 * Let time pass as a test says.
 * @param {(pass: (seconds: number) => void) => void} act
 */
function timed(act) {
  const { now } = performance;
  let time = 1000;
  performance.now = () => time;
  try {
    act((seconds) => { time += 1000 * seconds; });
  } finally {
    performance.now = now;
  }
}

test("only the clock that runs loses time, until it is held, and none below zero", () =>
  timed((pass) => {
    const clocks = new Clocks(2, FACTS);
    pass(3);
    clocks.run(1);
    pass(5);
    clocks.hold();
    pass(7);
    equal(clocks.left, [100, 195]);
    clocks.run(0);
    pass(2);
    clocks.run(1);
    pass(1);
    clocks.press(1);
    equal(clocks.left, [98, 197]);
    clocks.run(0);
    pass(999);
    clocks.hold();
    equal([clocks.left, clocks.timer], [[0, 197], 0]);
  }));

test("clocks that are off do not run", () =>
  timed((pass) => {
    const clocks = new Clocks(1, null);
    clocks.run(0);
    pass(9);
    clocks.hold();
    equal([clocks.left, clocks.on], [[300], false]);
    clocks.turn(true);
    clocks.run(0);
    pass(9);
    clocks.turn(false);
    equal([clocks.left, clocks.timer, clocks.facts], [[291], 0, null]);
  }));

test("a clock of a server goes on running here", () =>
  timed((pass) => {
    const clocks = new Clocks(2, null);
    clocks.follow(/** @type {any} */ ({ left: [70, 80], running: 1 }));
    pass(4);
    clocks.hold();
    equal(clocks.left, [70, 76]);
  }));

test("a seat whose time is up is told once", async () => {
  const over = /** @type {number[]} */ ([]);
  const clocks = new Clocks(2, { ...FACTS, left: [9, 0.01] }, (seat) => over.push(seat));
  clocks.run(1);
  await new Promise((done) => { setTimeout(done, 400); });
  equal([over, clocks.left, clocks.timer], [[1], [9, 0], 0]);
});

/** @param {object} [more] @returns {HTMLElement[]} */
function seats({ board = {}, left = [100, 200], ...more } = {}) {
  const clocks = new Clocks(2, { ...FACTS, left });
  const props = { over: false, winner: null, clocks, who: (/** @type {number} */ seat) => ["Ani", "Budi"][seat], ...more };
  const facts = { seats: 2, scores: [3, 4], most: 9, turn: 1, ...board };
  return [...drawn(Players(/** @type {any} */ ({ ...props, board: facts }))).querySelectorAll("[data-seat]")].map(
    (each) => /** @type {HTMLElement} */ (each),
  );
}

test("the seat to move and the winner are marked", () => {
  const marks = (/** @type {object} */ more) => seats(more).map((each) => each.className);
  equal(marks({}), ["player seat-0", "player seat-1 turn"]);
  equal(marks({ over: true, winner: 0 }), ["player seat-0 winner", "player seat-1"]);
});

test("the time that is left is rounded up to seconds, below ten down to tenths", () => {
  const times = (/** @type {number[]} */ left) =>
    seats({ left }).map((each) => [each.querySelector(".clock")?.textContent, each.querySelector(".soon") !== null]);
  equal(times([64.2, 10]), [["1:05", false], ["0:10", false]]);
  equal(times([9.99, 0.05]), [["0:09.9", true], ["0:00.0", true]]);
});

test("scores are shown where they count, with what a move would add", () => {
  const scores = (/** @type {object} */ more) => seats(more).map((each) => each.querySelector(".score")?.textContent);
  equal(scores({}), ["3", "4"]);
  equal(scores({ gains: [-1, 2] }), ["\u221213", "+24"]);
  equal(scores({ board: { most: 1 }, gains: [0, 1] }), [undefined, undefined]);
  equal(scores({ board: { seats: 1, scores: [3], most: 9 }, gains: [2] }), ["3 / 9"]);
  equal(seats({ gains: [-1, 2] }).map((each) => each.querySelector(".gain.bad") !== null), [true, false]);
});
