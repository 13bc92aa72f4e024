// Progress in lessons and puzzles, saved in this browser.

import { takeTexts } from "/static/js/language.js";
import * as progress from "/static/js/progress.js";
import { equal, test } from "./asserts.js";

/**
 * @param {string} name
 * @param {string[]} [questions]
 * @returns {any}
 */
const lesson = (name, questions = ["q1", "q2"]) => ({ name, questions });

/**
 * @param {string} name
 * @param {number} [rating]
 * @returns {any}
 */
const puzzle = (name, rating = 600) => ({ name, rating, game: "dots" });

test("a lesson begins at its first step", () => {
  const { step, when, right, seen, again } = progress.progressOf("minimax");
  equal([step, when, right, seen, again === undefined], [1, 0, {}, [], true]);
});

test("a question that was answered right stays so", () => {
  progress.judge(lesson("minimax"), "q1", true);
  progress.judge(lesson("minimax"), "q1", false);
  equal(progress.openOf(lesson("minimax")), ["q2"]);
});

test("a wrong answer is made good by a right one later", () => {
  progress.judge(lesson("minimax"), "q1", false);
  equal(progress.openOf(lesson("minimax")), ["q1", "q2"]);
  progress.judge(lesson("minimax"), "q1", true);
  equal(progress.openOf(lesson("minimax")), ["q2"]);
});

test("the questions of a mastered lesson come back after days, and later each time", () => {
  const [taken, days] = [lesson("minimax"), /** @type {string[]} */ ([])];
  for (const right of [true, true, false, true]) {
    if (days.length) progress.askAgain({ ...taken, steps: 9 });
    progress.judge(taken, "q1", right);
    progress.judge(taken, "q1", true);
    equal(progress.mastered(taken), false);
    progress.judge(taken, "q2", true);
    const { again = [0, ""] } = progress.progressOf("minimax");
    days.push(again[1]);
    equal(progress.isDue(taken), false);
    progress.advance("minimax", { again: [again[0], progress.today(-1)] });
    equal([progress.isDue(taken), progress.nextLesson([lesson("other"), taken])?.name], [true, "minimax"]);
  }
  equal(days, [3, 10, 3, 10].map((each) => progress.today(each)));
});

test("a lesson is mastered when every question was answered right", () => {
  progress.judge(lesson("minimax"), "q1", true);
  equal(progress.mastered(lesson("minimax")), false);
  progress.judge(lesson("minimax"), "q2", true);
  equal([progress.mastered(lesson("minimax")), progress.masteredIn([lesson("minimax")])("minimax")], [true, true]);
});

test("the next lesson is the one that was left last", () => {
  const all = ["one", "two", "three"].map((name) => lesson(name));
  equal(progress.nextLesson(all)?.name, "one");
  progress.advance("three", { step: 4, when: 1 });
  progress.advance("two", { step: 2, when: 2 });
  equal(progress.nextLesson(all)?.name, "two");
});

test("after a lesson comes the first that is not mastered, from the beginning again at the end", () => {
  const all = [lesson("one"), lesson("two", []), lesson("three")];
  equal([progress.nextLesson(all, "one")?.name, progress.nextLesson(all, "three")?.name], ["three", "one"]);
});

test("a rating begins at 600 and moves by up to 40 points at first", () => {
  equal(progress.judged(puzzle("a"), true), 20);
  equal(progress.progress().rating, 620);
  equal(progress.judged(puzzle("b", 620), false), -20);
  equal(progress.progress().rating, 600);
});

test("the first twenty puzzles of a game climb from the easiest on", () => {
  const saved = { ...progress.progress(), rating: 1200, tried: 30, games: { dots: 2, onet: 20 } };
  equal(progress.nextRating(saved, "connect4"), 400);
  equal(progress.nextRating(saved, "dots"), 420);
  equal(progress.nextRating(saved, "onet"), 1200);
  equal(progress.nextRating(saved, ""), 1200);
  equal(progress.nextRating({ ...saved, rating: 410 }, "dots"), 410);
});

test("a settled rating moves by up to 20 points", () => {
  for (let place = 0; place < 20; place += 1)
    progress.judged(puzzle(`p${place}`, progress.progress().rating), place % 2 === 0);
  const { rating } = progress.progress();
  progress.judged(puzzle("next", rating), true);
  equal(Math.round(progress.progress().rating - rating), 10);
});

test("a streak counts puzzles solved in a row", () => {
  progress.judged(puzzle("a"), true);
  progress.judged(puzzle("b"), true);
  equal(progress.progress().streak, 2);
  progress.judged(puzzle("c"), false);
  equal(progress.progress().streak, 0);
});

test("a missed puzzle comes back after 1, 3, 7 and 16 days, then no more", () => {
  progress.judged(puzzle("a"), false);
  const days = [];
  for (let time = 0; time < 4; time += 1) {
    days.push(progress.progress().missed.a[1]);
    progress.judged(puzzle("a"), true);
  }
  equal([days, progress.progress().missed], [[1, 3, 7, 16].map(progress.today), {}]);
});

test("a puzzle that is missed again starts over", () => {
  progress.judged(puzzle("a"), false);
  progress.judged(puzzle("a"), true);
  progress.judged(puzzle("a"), false);
  equal(progress.progress().missed.a, [0, progress.today(1)]);
});

test("only what is due is repeated, the oldest first", () => {
  const missed = { late: [0, progress.today(1)], old: [1, progress.today(-5)], now: [0, progress.today()] };
  equal(progress.due(/** @type {any} */ ({ missed })), ["old", "now"]);
});

test("the puzzle of the day counts once a day, and days in a row", () => {
  localStorage.setItem("papan.puzzles", JSON.stringify({ days: 3, last_day: progress.today(-1) }));
  progress.judgedDaily();
  progress.judgedDaily();
  equal([progress.progress().days, progress.progress().last_day], [4, progress.today()]);
});

test("a day that was left out begins a new row", () => {
  localStorage.setItem("papan.puzzles", JSON.stringify({ days: 3, last_day: progress.today(-2) }));
  progress.judgedDaily();
  equal(progress.progress().days, 1);
});

test("the last hundred puzzles are remembered", () => {
  for (let place = 0; place < 105; place += 1) progress.judged(puzzle(`p${place}`), true);
  const { seen } = progress.progress();
  equal([seen.length, seen[0], seen.at(-1)], [100, "p5", "p104"]);
});

test("a puzzle that the server does not know is no more repeated", async () => {
  progress.judged(puzzle("no-such-puzzle"), false);
  equal([await progress.missedPuzzle("no-such-puzzle"), progress.progress().missed], [null, {}]);
});

test("a lesson has begun with its second step or its first answer", () => {
  equal(progress.begun(lesson("minimax")), false);
  progress.advance("minimax", { step: 2 });
  progress.judge(lesson("other"), "q1", false);
  equal([progress.begun(lesson("minimax")), progress.begun(lesson("other"))], [true, true]);
});

test("a link into a lesson begins it, continues it, or asks its questions again", () => {
  const key = () => progress.wayInto(lesson("zzz"), { "data-x": 1 }).props;
  takeTexts({}, "en");
  equal([key().href, key().children], ["/learn/zzz", "learn.begin"]);
  progress.advance("zzz", { step: 2 });
  equal(key().children, "learn.go_on");
  progress.advance("zzz", { right: { q1: true, q2: true }, again: [0, progress.today()] });
  equal(key().children, "learn.refresh");
});

test("a lesson that is not due again is over", () => {
  progress.advance("minimax", { right: { q1: true, q2: true }, again: [0, progress.today(1)] });
  equal([progress.isDue(lesson("minimax")), progress.nextLesson([lesson("minimax")])], [false, undefined]);
  progress.advance("minimax", { again: [0, progress.today()] });
  equal(progress.isDue(lesson("minimax")), true);
  equal(progress.nextLesson([lesson("minimax")], "minimax"), undefined);
});

test("questions that are asked again begin at the last step, all of them open", () => {
  progress.advance("minimax", { right: { q1: true, q2: true }, step: 3, when: 5 });
  progress.askAgain({ .../** @type {any} */ (lesson("minimax")), steps: 9 });
  const { step, right, when } = progress.progressOf("minimax");
  equal([step, right, when], [9, {}, 5]);
});

test("points are those of the Elo formula, to a harder puzzle more", () => {
  const rating = (/** @type {number} */ of, /** @type {boolean} */ solved) => {
    localStorage.clear();
    return [progress.judged(puzzle("a", of), solved), progress.progress().games.dots, progress.progress().tried];
  };
  equal(rating(1000, true), [36, 1, 1]); // 40 * (1 - 1 / 11)
  equal(rating(200, true), [4, 1, 1]);
  equal(rating(200, false), [-36, 1, 1]);
});

test("a puzzle that was never missed does not come back", () => {
  progress.judged(puzzle("a"), true);
  equal(progress.progress().missed, {});
});
