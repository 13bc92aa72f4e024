// Watching two agents: how long a move waits, and which moves are turning points.

import { takeTexts } from "/static/js/language.js";
import { change } from "/static/js/settings.js";
import { pauseFor, turningPoint } from "/static/js/watching.js";
import { equal, test } from "./asserts.js";

/**
 * A search of a player whose best move has a value.
 * @param {number} v
 * @param {object} [more]
 * @returns {any}
 */
function search(v, { k = "estimate", exact = false, clauses = /** @type {object[]} */ ([]) } = {}) {
  const values = [{ m: "b1", v: 99, k }, { m: "a1", v, k }];
  return { best: "a1", values, analysis: { exact, explanation: { reason: { clauses } } } };
}

/** @param {string} text @returns {any} */
const clause = (text) => ({ kind: "goal", message: { key: text, values: {} } });

test("a chosen speed is a number of moves a second", () => {
  change({ speed: 4 });
  const pause = pauseFor(search(0, { clauses: [clause("x".repeat(500))] }));
  change({ speed: 0 });
  equal(pause, 250);
});

test("a move waits for a twentieth of a second for each letter of its reason, but for 1.5 seconds at least", () => {
  takeTexts({}, "en");
  const [short, long] = [[clause("x".repeat(30))], [clause("x".repeat(20)), clause("y".repeat(19))]];
  equal([pauseFor(), pauseFor(search(0, { clauses: short })), pauseFor(search(0, { clauses: long }))], [1500, 1500, 2000]);
});

test("a slip is a turning point before all else", () => {
  const slipped = search(9, { exact: true, clauses: [{ kind: "goal" }, { kind: "slip" }] });
  equal(turningPoint(slipped, search(-9), 9), "watch.slipped");
});

test("a value that is proved for the first time is a turning point", () => {
  const [guessed, proved] = [search(5), search(5, { exact: true })];
  equal(
    [turningPoint(proved, guessed, 9), turningPoint(proved, proved, 9), turningPoint(proved, undefined, 9)],
    ["watch.proved", "", ""],
  );
  equal(turningPoint(guessed, proved, 9), "");
});

test("a value swings where both sides of even are at least a fifth of all there is to win", () => {
  const swings = [[2, -2], [-2, 2], [1.9, -9], [9, -1.9], [2, 2], [-2, -9], [0, -9]];
  equal(
    swings.map(([now, then]) => turningPoint(search(now), search(then), 10)),
    ["watch.swung", "watch.swung", "", "", "", "", ""],
  );
  equal(turningPoint(search(9), undefined, 10), "");
});

test("a share of visits is even at one half", () => {
  const visits = (/** @type {number} */ v) => search(v, { k: "visits" });
  equal(
    [[0.625, 0.375], [0.59, 0.375], [0.9, 0.625]].map(([now, then]) => turningPoint(visits(now), visits(then), 10)),
    ["watch.swung", "", ""],
  );
});
