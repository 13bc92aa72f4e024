// A finished game: its review, the values ply by ply, and how it compares with those before it.

import { takeTexts } from "/static/js/language.js";
import { EndCard, Review, ValueHistory, actions, resultOf, wordsOf } from "/static/js/panels/review.js";
import { saveGame } from "/static/js/saved_game.js";
import { drawn, equal, test, textOf } from "./asserts.js";
import { h } from "/static/js/vendor/preact.mjs";

const SAID = { key: "said", values: {} };

/** @param {number} ply @param {object} [more] @returns {any} */
const verdict = (ply, more = {}) => ({
  ply,
  seat: ply % 2,
  move: `m${ply}`,
  kind: "lost",
  sure: "exact",
  obvious: false,
  plan: [],
  refutation: [],
  ends: [],
  said: [SAID],
  lesson: "",
  value: null,
  proved: false,
  ...more,
});

/** @param {...any} verdicts */
function reviewed(...verdicts) {
  const jumps = /** @type {number[]} */ ([]);
  const screen = {
    game: { board: { seats: 2 }, moves: [], hints: [] },
    steps: { jump: (/** @type {number} */ ply) => jumps.push(ply) },
    player: { line: null },
    update: () => {},
  };
  const review = new Review(/** @type {any} */ (screen), ["human", "random"], []);
  Object.assign(review, { verdicts, total: verdicts.length, counts: [{}, {}] });
  return { review, jumps };
}

test("mistakes are the moves about which something is said, of both players or one", () => {
  const { review } = reviewed(verdict(0), verdict(1), verdict(2, { said: [] }), verdict(3));
  const shown = [null, 0, 1].map((whose) => Object.assign(review, { whose }).mistakes.map((each) => each.ply));
  equal(shown, [[0, 1, 3], [0], [1, 3]]);
});

test("a mistake is shown on the position in which it was made, and only there", () => {
  const { review, jumps } = reviewed(verdict(0), verdict(3));
  review.show(review.verdicts[1]);
  equal([jumps, review.at(3)?.ply, review.at(2), review.at(4)], [[3], 3, null, null]);
});

test("a value of a position is that of its verdict, as the first seat sees it", () => {
  const { review } = reviewed(verdict(0, { value: -2, proved: true }), verdict(1, { value: 0 }), verdict(2));
  equal([0, 1, 2, 3].map((ply) => review.valueAt(ply)), [
    { value: { v: -2, k: "exact" }, turn: 0 },
    { value: { v: 0, k: "estimate" }, turn: 0 },
    null,
    null,
  ]);
});

test("who moved is known once all moves are judged", () => {
  const { review } = reviewed(verdict(0), verdict(1));
  equal(review.turns, [0, 1]);
  equal(review.running, false);
  review.counts = [];
  equal([review.turns === undefined, review.running], [true, true]);
  review.problem = "lost";
  equal(review.running, false);
});

test("what follows another move is forgotten, what is wrong with the moves before it stays", () => {
  const { review } = reviewed(verdict(0), verdict(1));
  for (const ply of [0, 1, 2]) review.notes.set(ply, { sign: "?", text: "" });
  review.shown = review.verdicts[0];
  review.forget(1);
  equal([[...review.notes.keys()], review.verdicts, review.total, review.shown, review.counts], [[0], [], 0, null, []]);
});

test("the words of a verdict name who moved as player, the other as rival, numbers in the page's language", () => {
  takeTexts({ lost: "{player} gave {points} to {rival}" }, "id");
  const said = [{ key: "lost", values: { points: 1.5 } }];
  equal([0, 1].map((seat) => wordsOf(verdict(0, { seat, said }), ["Ani", "Budi"])), [
    "Ani gave 1,5 to Budi",
    "Budi gave 1,5 to Ani",
  ]);
});

test("the card counts mistakes and moves from one, and only an obvious mistake is a blunder", () => {
  takeTexts({ "web.review_number": "{number} of {count}: {ply}. {move}" }, "en");
  const { review } = reviewed(verdict(4), verdict(7, { obvious: true }));
  const cards = review.verdicts.map((each) => textOf(Object.assign(review, { shown: each }).card()));
  equal(cards.map((each) => [/\d of \d: \d\. m\d/.exec(each)?.[0], each.includes("review.blunder")]), [
    ["1 of 2: 5. m4", false],
    ["2 of 2: 8. m7", true],
  ]);
  const buttons = (/** @type {any} */ shown) =>
    [...drawn(Object.assign(review, { shown }).card()).querySelectorAll("button")].map((each) => each.disabled).slice(1, 3);
  equal(review.verdicts.map((each) => /** @type {any} */ (drawn(Object.assign(review, { shown: each }).card())
    .querySelector("[data-tool='web.review_previous']")).disabled), [true, false]);
  equal(buttons(review.verdicts[1]).length, 2);
});

test("the value of a ply is kept as the first seat sees it, and one player's as it is", () => {
  const history = new ValueHistory();
  const found = (/** @type {object} */ more) => /** @type {any} */ ({ analysis: { value: 3, turn: 1, exact: true, ...more } });
  history.note(0, found({ turn: 0 }), 2);
  history.note(1, found({ exact: false }), 2);
  history.note(2, found({}), 1);
  history.note(3, found({ value: null }), 2);
  equal([history.values, history.guessed], [[3, -3, 3], [false, true, false]]);
  history.forget(1);
  equal(history.values, [3, -3]);
  history.forget(5);
  equal(history.values, [3, -3]);
});

test("a curve of values begins with the second one", () => {
  const history = new ValueHistory();
  const circles = () => drawn(history.chart(0, () => {})).querySelectorAll("circle").length;
  history.values[0] = 1;
  equal(circles(), 0);
  history.values[4] = 2;
  equal(circles(), 2);
});

/** @param {object} facts @param {string} end @returns {any} */
const played = (facts, end) => ({ end, record: () => JSON.stringify(facts) });

/** @param {string} id @param {object} facts @param {number} seconds */
function keep(id, facts, seconds) {
  saveGame({ id, when: 1, address: "/play/x", record: JSON.stringify(facts), seconds });
}

const CLEARED = { game: "onet:4,4,seed=1", agents: ["human"], scores: [8], end: "cleared" };

test("a cleared board has three stars less one for each kind of aid, and the best time of its size", () => {
  keep("old", CLEARED, 40);
  keep("own", CLEARED, 5); // the game itself, saved already
  const result = (/** @type {number} */ seconds, /** @type {("hint" | "undo")[]} */ ...aids) =>
    resultOf(played(CLEARED, "cleared"), "own", seconds, new Set(aids));
  equal(result(30), { best: 30, record: true, stars: 3, row: 0 });
  equal(result(40, "hint"), { best: 40, record: false, stars: 2, row: 0 });
  equal(result(50, "hint", "undo"), { best: 40, record: false, stars: 1, row: 0 });
  localStorage.clear();
  equal(result(50), { best: 50, record: true, stars: 3, row: 0 });
});

test("a game against an opponent has no stars, but its wins in a row", () => {
  const won = { game: "dots:3,3", agents: ["human", "level:1"], scores: [2, 1], end: "win" };
  keep("old", won, 9);
  equal(resultOf(played(won, "win"), "new", 9, new Set()), { best: null, record: false, stars: 0, row: 2 });
});

/** @param {object} [more] @param {object} [board] @returns {any} */
const over = (more = {}, board = {}) => ({
  board: { seats: 2, scores: [5, 4], most: 9, name: "dots", ...board },
  players: ["human", "level:2"],
  names: [],
  moves: ["a", "b"],
  hints: [],
  you: 0,
  winner: 0,
  end: "win",
  called: (/** @type {number} */ seat) => ["Ani", "Budi"][seat],
  ...more,
});

/** @param {any} game @param {any} [result] @param {number} [spent] */
const card = (game, result, spent) => textOf(h(EndCard, { game, result, spent, next: null }));

test("the card at the end says who won, and how", () => {
  takeTexts({ "end.they_won": "{player} won", "end.how_scores": "{first} to {second}", "end.how_line": "line {move}" }, "en");
  equal(card(over()).startsWith("end.you_won5 to 4"), true);
  equal(card(over({ winner: 1 })).startsWith("Budi won5 to 4"), true);
  equal(card(over({ winner: null, end: "draw" }, { most: 1 })).startsWith("end.you_drewend.how_full"), true);
  equal(card(over({}, { most: 1 })).startsWith("end.you_wonline b"), true);
  equal(card(over({ end: "timeout" })).startsWith("end.you_wonend.how_timeout"), true);
  const alone = { seats: 1, scores: [8] };
  equal(card(over({ end: "cleared" }, alone)).startsWith("end.you_clearedend.how_cleared"), true);
  equal(card(over({ end: "stuck", winner: null }, alone)).startsWith("end.you_stuckweb.stuck"), true);
});

test("the card at the end shows stars, time, record, hints, and a row of two or more", () => {
  takeTexts({}, "en");
  const result = { best: 65, record: true, stars: 2, row: 2 };
  const element = drawn(h(EndCard, { game: over({ hints: [2, 1] }), result, spent: 70, next: null }));
  equal([...element.querySelectorAll(".star")].map((each) => each.classList.contains("lit")), [true, true, false]);
  const stats = [...element.querySelectorAll(".stats > div")].map((each) => [each.textContent, each.className]);
  equal(stats, [["2end.moves", ""], ["1:10end.time", ""], ["1:05end.record_new", "gold"], ["3end.hints", ""], ["2end.row", "gold"]]);
  const plain = drawn(h(EndCard, { game: over(), result: { best: null, record: false, stars: 0, row: 1 }, next: null }));
  equal([plain.querySelectorAll(".star").length, plain.querySelectorAll(".stats > div").length], [0, 2]);
});

/** @param {any} game @returns {(string | undefined)[]} */
function toolsAfter(game) {
  const tools = drawn(actions(/** @type {any} */ ({ game, puzzle: { ending: () => null }, navigation: {} })));
  return [...tools.querySelectorAll("button")].map((each) => each.dataset.tool);
}

test("after a win a stronger opponent is offered, if there is one", () => {
  const usual = ["web.review", "web.rematch"];
  equal(toolsAfter(over()), [...usual, "web.next_opponent"]);
  equal(toolsAfter(over({ winner: 1 })), usual);
  equal(toolsAfter(over({ winner: null })), usual);
  equal(toolsAfter(over({ players: ["human", "level:4"] })), [...usual, "web.next_opponent"]);
  equal(toolsAfter(over({ players: ["human", "level:5"] })), usual);
  equal(toolsAfter(over({ players: ["human", "random"] })), usual);
  equal(toolsAfter(over({ players: ["level:2", "human"], winner: 1, you: 1 })), [...usual, "web.next_opponent"]);
});

test("a game without a move is not reviewed, and a stuck board is not begun anew but shuffled", () => {
  equal(toolsAfter(over({ moves: [] })), ["web.rematch", "web.next_opponent"]);
  const alone = { seats: 1, scores: [8] };
  equal(toolsAfter(over({ players: ["human"], end: "cleared" }, alone)), ["web.review", "screen.again_alone"]);
  equal(toolsAfter(over({ players: ["human"], end: "stuck", winner: null }, alone)), ["web.review"]);
});
