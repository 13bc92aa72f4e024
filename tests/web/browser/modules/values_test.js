// Values as text and on the board: what is proved never looks like what is guessed.

import * as values from "/static/js/values.js";
import { drawn, equal, test } from "./asserts.js";

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

/** @param {any} value @param {any} [of] */
const outcome = (value, of = POINTS) => values.looks(value, of).split(" ")[1] ?? "";

test("a proof is good, even or bad by its sign, an estimate only if it is no slight lead", () => {
  const kinds = (/** @type {string} */ k, /** @type {number[]} */ ...all) => all.map((v) => outcome({ v, k }));
  equal(kinds("exact", 1, 0, -1), ["good", "even", "bad"]);
  equal(kinds("estimate", 0.8, 0.75, -0.75, -0.8), ["good", "even", "even", "bad"]);
  equal([0.11, 0.1, -0.1, -0.11].map((v) => outcome({ v, k: "estimate" }, DECIDED)), ["good", "even", "even", "bad"]);
});

test("a bound tells an outcome only on its own side", () => {
  const looks = (/** @type {any} */ value) => values.looks(value, POINTS);
  equal([1, 0, -1].map((v) => looks({ v, k: "lower" })), ["proved good", "proved", "proved"]);
  equal([1, 0, -1].map((v) => looks({ v, k: "upper" })), ["proved bound", "proved bound", "proved bad bound"]);
  equal(looks({ v: -2, k: "pruned" }), "guessed bad bound");
  equal([[1, 3], [0, 0], [-1, 1], [-3, -1]].map(([v, to]) => looks({ v, k: "between", to })), [
    "proved good",
    "proved even",
    "proved",
    "proved bad",
  ]);
  equal([looks({ v: 0.9, k: "visits" }), values.looks({ v: 5, k: "exact" }, { most: 9, seats: 1 })], ["guessed", "proved"]);
});

/** @param {object} props @returns {any} */
const parts = (props) => bar(props).children;

test("the bar is as high as the share of the first seat, whoever looks", () => {
  const height = (/** @type {number} */ v, /** @type {object} */ of = {}, /** @type {number} */ seat = 0, turn = 0) =>
    parts({ board: board(of), known: { value: { v, k: "exact" }, turn }, seat })[0].props.style["--share"];
  equal([height(0), height(9), height(-9), height(4.5), height(99)], ["50%", "100%", "0%", "75%", "100%"]);
  equal([height(4.5, {}, 1), height(4.5, {}, 0, 1), height(4.5, {}, 1, 1)], ["75%", "25%", "25%"]);
  equal([height(3, { seats: 1, most: 12 }), height(-3, { seats: 1, most: 12 })], ["25%", "0%"]);
  equal(parts({ board: board() })[0].props.style["--share"], "50%");
});

test("the bar of a search shows its best move before its value is known, unless that is a share of visits", () => {
  const found = (/** @type {string} */ k) => search({ values: [{ m: "b1", v: 9, k }, { m: "a1", v: 2, k }], best: "a1", turn: 1 });
  equal([bar({ board: board(), search: found("estimate") })["data-value"]], [-2]);
  equal(bar({ board: board(), search: found("visits") })["data-value"], undefined);
  const ended = search({ analysis: { value: null }, values: [{ m: "a1", v: 2, k: "exact" }], best: "a1" });
  equal(bar({ board: board(), search: ended })["data-value"], undefined);
});

test("a curve covers zero and all its points, and can be clicked at each place", () => {
  const picked = /** @type {number[]} */ ([]);
  const chart = drawn(values.lineChart("t", [{ name: "n", kind: "best", points: [2, null, -2], guessed: [false, false, true] }], {
    pick: (place) => { picked.push(place); },
    at: 1,
  }));
  const circles = [...chart.querySelectorAll("circle")];
  equal(circles.map((each) => ["cx", "cy", "class", "data-place"].map((name) => each.getAttribute(name))), [
    ["8", "8", "point best", "0"],
    ["312", "112", "point best guessed", "2"],
  ]);
  equal([chart.querySelector(".zero")?.getAttribute("y1"), chart.querySelector(".at")?.getAttribute("x1")], ["60", "160"]);
  const places = [...chart.querySelectorAll(".pick")];
  places[1].dispatchEvent(new Event("click"));
  equal([places.length, picked, places[2].textContent], [3, [1], "2: \u22122"]);
});

test("nodes by depth are drawn on a logarithmic scale", () => {
  const chart = drawn(values.depthChart([{ depth: 1, nodes: 10 }, { depth: 3, nodes: 1000 }, { depth: 5, nodes: 100_000 }]));
  const places = [...chart.querySelectorAll("circle")].map((each) => ["cx", "cy"].map((name) => Number(each.getAttribute(name))));
  const [first, second, third] = places;
  equal([first[0], third[0], second[0] * 2], [46, 306, 46 + 306]);
  equal([Math.round(second[1] * 2), Math.round(third[1])], [Math.round(first[1] + third[1]), 14]);
  equal([...chart.querySelectorAll("text.label")].map((each) => each.textContent), ["1", "100", "10,000", "1", "5"]);
});

test("a value on the board needs no sign if it is proved, and a loss has corners", () => {
  const found = search({
    values: [{ m: "a1", v: -2, k: "exact", n: 0 }, { m: "b1", v: 12.25, k: "estimate", n: 0 }],
    best: "b1",
  });
  const [loss, guess] = values.labelsOf(board(), found).props.children;
  equal([loss, guess].map(({ props }) => [props.class, props.children[1].props.children, props.children[0].props.rx]), [
    ["move-value proved bad", "\u22122", 3],
    ["move-value long best guessed good", "\u2248 +12.25", 12],
  ]);
  equal([loss.props.children[0].props.x, loss.props.children[0].props.y], [10 - (13 + 18) / 2, 8]);
});
