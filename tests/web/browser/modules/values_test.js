// Values as text and on the board: what is proved never looks like what is guessed.

import * as values from "/static/js/values.js";
import { equal, test } from "./asserts.js";

const DECIDED = { most: 1 };
const POINTS = { most: 9 };

/** @param {object} [more] @returns {any} */
const board = (more = {}) => ({
  position: "here",
  seats: 2,
  most: 9,
  end: "open",
  scores: [0, 0],
  legal: [
    { m: "a1", at: [10, 20] },
    { m: "b1", at: [60, 20] },
  ],
  ...more,
});

/** @param {object} [more] @returns {any} */
const search = (more = {}) => ({
  position: "here",
  turn: 0,
  values: [],
  distances: {},
  best: null,
  analysis: null,
  ...more,
});

/** @param {object} props */
const bar = (props) => values.EvalBar(/** @type {any} */ ({ seat: 0, search: undefined, ...props })).props;

test("the sign in front of a value says how sure it is", () => {
  const kinds = ["exact", "lower", "upper", "estimate", "pruned"];
  equal(
    kinds.map((k) => values.formatValue({ v: 2, k }, POINTS)),
    ["= +2", "≥ +2", "≤ +2", "≈ +2", "≲ +2"],
  );
});

test("visits are a share", () => equal(values.formatValue({ v: 0.256, k: "visits" }), "26%"));

test("a value between two bounds has both", () => {
  equal(values.formatValue({ v: -1, k: "between", to: 3 }, POINTS), "\u22121 … +3");
});

test("where nobody wins by points, a proof says who wins and in how many moves of the winner", () => {
  equal(values.formatValue({ v: 1, k: "exact" }, DECIDED, 5), "= W3");
  equal(values.formatValue({ v: -1, k: "exact" }, DECIDED, 4), "= L2");
  equal(values.formatValue({ v: 0, k: "exact" }, DECIDED), "= D");
  equal(values.formatValue({ v: 0.5, k: "estimate" }, DECIDED), "≈ +0.5");
});

test("proofs look proved, all else looks guessed", () => {
  const kinds = ["exact", "lower", "upper", "between", "estimate", "pruned", "visits"];
  equal(
    kinds.map((k) => values.look({ k })),
    ["proved", "proved", "proved", "proved", "guessed", "guessed", "guessed"],
  );
});

test("an analysis is worth what it says, or nothing", () => {
  equal(values.valueOf({ t: "analysis", value: 2, exact: true }), { v: 2, k: "exact" });
  equal(values.valueOf({ t: "analysis", value: 2, exact: false }), { v: 2, k: "estimate" });
  equal(values.valueOf({ t: "analysis", value: null }), null);
});

test("a dash stands where there is no value", () => equal(values.badge(null), "–"));

test("values are written on the board where their moves lie, the best one marked", () => {
  const found = search({
    values: [
      { m: "a1", v: 1, k: "exact", n: 0 },
      { m: "zz", v: 0, k: "exact", n: 0 },
    ],
    best: "a1",
  });
  const labels = values.labelsOf(board(), found).props.children.filter(Boolean);
  equal(labels.length, 1);
  equal([labels[0].props["data-move"], /\bbest\b/.test(labels[0].props.class)], ["a1", true]);
});

test("nothing is shaded without visits", () => {
  equal(values.heatOf(board(), search({ values: [{ m: "a1", v: 1, k: "exact", n: 5 }] })), null);
});

test("shades are as dark as moves are visited, and do not overlap", () => {
  const found = search({
    values: [
      { m: "a1", v: 0.8, k: "visits", n: 8 },
      { m: "b1", v: 0.2, k: "visits", n: 2 },
    ],
  });
  const shades = values.heatOf(board(), found).props.children;
  equal(
    shades.map((/** @type {any} */ { props }) => [props["data-move"], props.opacity, props.r]),
    [
      ["a1", 0.75, 25],
      ["b1", 0.1875, 25],
    ],
  );
});

test("the bar shows a value from the chosen seat", () => {
  const known = { value: { v: 3, k: "lower" }, turn: 0 };
  equal([bar({ board: board(), known })["data-value"], bar({ board: board(), known, seat: 1 })["data-value"]], [3, -3]);
  equal(/≤/.test(bar({ board: board(), known, seat: 1 })["aria-label"]), true);
});

test("the bar never shows the value of another position", () => {
  const other = search({ position: "there", analysis: { value: 5, exact: true } });
  equal(bar({ board: board(), search: other })["data-value"], undefined);
});

test("the bar shows the margin of a finished game", () => {
  equal(bar({ board: board({ end: "win", scores: [5, 4] }) })["data-value"], 1);
});

test("y7: two bounds change places from the other seat", () => {
  const known = { value: { v: -1, k: "between", to: 3 }, turn: 0 };
  const [own, other] = [0, 1].map((seat) => bar({ board: board(), known, seat })["aria-label"]);
  equal([/\u22121 … \+3/.test(own), /\u22123 … \+1/.test(other)], [true, true]);
});
