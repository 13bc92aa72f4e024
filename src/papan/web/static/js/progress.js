// @ts-check
// Progress in the lessons and with the puzzles, saved in this browser alone.

import { Refusal, boardOf, dailyPuzzle, lessons, puzzleNamed } from "./api.js";
import { gameName, say } from "./language.js";
import { save, read } from "./settings.js";
import { Drawing, awaited, link } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { LessonFacts, PuzzleFacts } from "./wire.d.ts" */
/**
 * @typedef {object} LessonProgress
 * @property {number} step The last one.
 * @property {number} when
 * @property {Record<string, boolean>} right For each answered question whether a first answer to it was right.
 * @property {string[]} seen The questions that were shown.
 * @property {[number, string]} [again] A lesson that was mastered: how often it was since, and the day on which its
 *   questions come back.
 */

/**
 * @typedef {object} PuzzleProgress The twin of `Progress` in the package of puzzles.
 * @property {number} rating
 * @property {number} tried
 * @property {number} streak Solved in a row.
 * @property {number} days Days in a row on which the puzzle of the day was solved.
 * @property {string} last_day
 * @property {Record<string, [number, string]>} missed Puzzles to repeat, by name: how often each was solved since,
 *   and the day on which it comes back. Of a puzzle that was made on demand the name is its whole text.
 * @property {string[]} seen The last ones, which are not asked again soon.
 * @property {Record<string, number>} games Puzzles tried of each game.
 */

const [LESSONS, PUZZLES] = ["papan.learn", "papan.puzzles"]; // keys of the browser's storage
const UNSETTLED = 20; // puzzles in which a rating moves by up to 40 points; later by up to 20
const [EASIEST, CLIMB] = [400, 10]; // the first UNSETTLED puzzles of a game climb from the easiest on
const DAYS = [1, 3, 7, 16]; // after how many days a puzzle that was missed comes back
const LESSON_DAYS = [3, 10, 30, 90]; // after how many days the questions of a mastered lesson come back
const MOST_SEEN = 100;
const DAY = 86_400_000; // milliseconds

// Lessons: the last step, and the questions answered right.

/** @param {string} name @returns {LessonProgress} */
export function progressOf(name) {
  const { step = 1, when = 0, right = {}, seen = [], again } = read(LESSONS)[name] ?? {};
  return { step, when, right, seen, again };
}

/** @param {string} name @param {Partial<LessonProgress>} changes */
export function advance(name, changes) {
  save(LESSONS, { ...read(LESSONS), [name]: { ...progressOf(name), ...changes } });
}

/**
 * Save the first answer to a question; a later right one replaces a wrong one. With the last open question the
 * lesson is mastered, and comes back after some days.
 * @param {LessonFacts} lesson
 * @param {string} question
 * @param {boolean} correct
 */
export function judge(lesson, question, correct) {
  const { name, questions } = lesson;
  const before = progressOf(name);
  const right = { ...before.right, [question]: correct || before.right[question] === true };
  const [times, day] = before.again ?? [-1, ""];
  const all = questions.every((each) => right[each]);
  const next = Math.min(times + 1, LESSON_DAYS.length - 1);
  /** @type {LessonProgress["again"]} */
  const again = all && !mastered(lesson) ? [next, today(LESSON_DAYS[next])] : [correct ? times : -1, day];
  advance(name, { right, ...(all || before.again ? { again } : {}) });
}

/** Return whether the questions of a mastered lesson are due again today. @param {LessonFacts} lesson */
export function isDue(lesson) {
  const { again } = progressOf(lesson.name);
  return mastered(lesson) && again !== undefined && again[1] <= today();
}

/** Ask the questions of a mastered lesson again. @param {LessonFacts} lesson */
export function askAgain({ name, steps }) { advance(name, { right: {}, step: steps }); }

/** Return the questions that were never answered right. @param {LessonFacts} lesson */
export function openOf({ name, questions }) {
  const { right } = progressOf(name);
  return questions.filter((each) => !right[each]);
}

/** @param {LessonFacts} lesson */
export function mastered(lesson) { return openOf(lesson).length === 0; }

/**
 * Return a function that says whether the lesson of a name is mastered.
 * @param {LessonFacts[]} all
 * @returns {(name: string) => boolean}
 */
export function masteredIn(all) {
  return (name) => all.some((each) => each.name === name && mastered(each));
}

/** @param {LessonFacts} lesson */
export function begun({ name }) {
  const { step, right } = progressOf(name);
  return step > 1 || Object.keys(right).length > 0;
}

/**
 * Return the lesson to take next: one whose questions come back today, the one that was left last, or else the first
 * after it that is not mastered.
 * @param {LessonFacts[]} all
 * @param {string} [after] The lesson that was just taken.
 */
export function nextLesson(all, after) {
  const again = all.find((each) => each.name !== after && isDue(each));
  if (again) return again;
  const [left] = all.filter(begun).sort((one, other) => progressOf(other.name).when - progressOf(one.name).when);
  const from = all.findIndex(({ name }) => name === (after ?? left?.name)) + (after ? 1 : 0);
  return [...all.slice(Math.max(from, 0)), ...all].find((each) => each.name !== after && !mastered(each));
}

/**
 * Return a link that begins a lesson, or continues it.
 * @param {LessonFacts} lesson
 * @param {Record<string, any>} [more]
 */
export function wayInto(lesson, more) {
  const title = say(`lesson.${lesson.name}_title`);
  const key = isDue(lesson) ? "learn.refresh" : begun(lesson) ? "learn.go_on" : "learn.begin";
  return link(`/learn/${lesson.name}`, say(key, { title }), {
    class: "button",
    ...more,
  });
}

// Puzzles: rating, streaks, and repetitions.

/** Return the date in UTC as YYYY-MM-DD. @param {number} [later] Days from now. */
export function today(later = 0) {
  return new Date(Date.now() + later * DAY).toISOString().slice(0, 10);
}

/** @returns {PuzzleProgress} */
export function progress() {
  const none = { rating: 600, tried: 0, streak: 0, days: 0, last_day: "", missed: {}, seen: [], games: {} };
  return { ...none, ...read(PUZZLES) };
}

/**
 * Return the rating of the next puzzle of a game, "" for any: the first twenty climb slowly.
 * @param {PuzzleProgress} saved
 * @param {string} game
 */
export function nextRating({ rating, tried, games }, game) {
  const before = game ? games[game] ?? 0 : tried;
  return before < UNSETTLED ? Math.min(rating, EASIEST + CLIMB * before) : rating;
}

/** Return the names of puzzles to repeat today, the oldest first. @param {PuzzleProgress} saved */
export function due({ missed }) {
  return Object.entries(missed)
    .filter(([, [, day]]) => day <= today())
    .sort(([, [, one]], [, [, other]]) => (one < other ? -1 : 1))
    .map(([name]) => name);
}

/**
 * Load a puzzle to repeat; null if the server no longer has it: then it is not repeated again.
 * @param {string} name
 * @returns {Promise<PuzzleFacts | null>}
 */
export async function missedPuzzle(name) {
  try {
    return await puzzleNamed(name);
  } catch (error) {
    const { [name]: gone, ...missed } = progress().missed;
    if (error instanceof Refusal && [404, 422].includes(error.status)) save(PUZZLES, { ...progress(), missed });
    return null;
  }
}

/**
 * Save the first answer to a puzzle: rating, streak, and when it comes back; return the points it brings.
 * @param {PuzzleFacts} puzzle
 * @param {boolean} solved
 */
export function judged({ name, game, rating }, solved) {
  const saved = progress();
  const expected = 1 / (1 + 10 ** ((rating - saved.rating) / 400));
  const step = saved.tried < UNSETTLED ? 40 : 20;
  save(PUZZLES, {
    ...saved,
    rating: saved.rating + step * (Number(solved) - expected),
    tried: saved.tried + 1,
    streak: solved ? saved.streak + 1 : 0,
    missed: repetitions(name, solved, saved.missed),
    seen: [...saved.seen.filter((each) => each !== name), name].slice(-MOST_SEEN),
    games: { ...saved.games, [game]: (saved.games[game] ?? 0) + 1 },
  });
  return Math.round(progress().rating) - Math.round(saved.rating);
}

/**
 * Return the puzzles to repeat, as boxes of a Leitner system: one further if solved, back to the first if missed.
 * @param {string} name
 * @param {boolean} solved
 * @param {PuzzleProgress["missed"]} missed
 * @returns {PuzzleProgress["missed"]}
 */
function repetitions(name, solved, { [name]: before, ...others }) {
  const box = solved && before ? before[0] + 1 : 0;
  const back = (!solved || box > 0) && box < DAYS.length;
  return back ? { ...others, [name]: [box, today(DAYS[box])] } : others;
}

/** Count the puzzle of the day as solved. */
export function judgedDaily() {
  const saved = progress();
  if (saved.last_day !== today())
    save(PUZZLES, { ...saved, days: saved.last_day === today(-1) ? saved.days + 1 : 1, last_day: today() });
}

/**
 * Return the drawing of a position, shown when the server has sent it.
 * @param {string} start
 * @param {string[]} [moves]
 */
export function picture(start, moves = []) {
  return awaited(
    () => boardOf(start, moves),
    (board) => board && h(Drawing, { text: board.svg }),
    start,
  );
}
