// Clocks, and what is known of players by their specs.

import { Clocks, aboutOf, levelOf } from "/static/js/players.js";
import { equal, test } from "./asserts.js";

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
