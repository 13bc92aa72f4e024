// @ts-check
// How far somebody has come in the lessons and with the puzzles, kept in this browser alone.

import { Refusal, boardOf, dailyPuzzle, lessons, puzzleNamed } from "./api.js";
import { gameName, say } from "./language.js";
import { keep, read } from "./settings.js";
import { Drawing, awaited, link } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { LessonFacts, PuzzleFacts } from "./wire.d.ts" */
/** @typedef {{step: number, when: number, right: Record<string, boolean>}} LessonProgress
 * Where it was left and when; of each question that was answered, by its name, whether a first answer to it was right.
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
 */

const [LESSONS, PUZZLES] = ["papan.learn", "papan.puzzles"]; // where the browser keeps it
const UNSETTLED = 20; // for so many puzzles a rating moves by up to 40 points, then by up to 20
const DAYS = [1, 3, 7, 16]; // after how many days a puzzle that was missed comes back
const MOST_SEEN = 100;
const DAY = 86_400_000; // milliseconds

// Lessons: where they were left, and what was answered right.

/** @param {string} name @returns {LessonProgress} */
export function progressOf(name) {
  const { step = 1, when = 0, right = {} } = read(LESSONS)[name] ?? {};
  return { step, when, right };
}

/** @param {string} name @param {Partial<LessonProgress>} changes */
export function advance(name, changes) {
  keep(LESSONS, { ...read(LESSONS), [name]: { ...progressOf(name), ...changes } });
}

/** Keep the first answer that was given when a question came up: what was missed is made good by a right one later.
 * @param {string} name
 * @param {string} question
 * @param {boolean} correct
 */
export function judge(name, question, correct) {
  const { right } = progressOf(name);
  advance(name, { right: { ...right, [question]: correct || right[question] === true } });
}

/** The questions that were never answered right. @param {LessonFacts} lesson */
export function openOf({ name, questions }) {
  const { right } = progressOf(name);
  return questions.filter((each) => !right[each]);
}

/** @param {LessonFacts} lesson */
export function mastered(lesson) { return openOf(lesson).length === 0; }

/** Which lessons are mastered, by their names. @param {LessonFacts[]} all @returns {(name: string) => boolean} */
export function masteredIn(all) {
  return (name) => all.some((each) => each.name === name && mastered(each));
}

/** @param {LessonFacts} lesson */
export function begun({ name }) {
  const { step, right } = progressOf(name);
  return step > 1 || Object.keys(right).length > 0;
}

/** What to take next: the lesson that was left last, if it is not mastered, else the first one after it that is not.
 * @param {LessonFacts[]} all
 * @param {string} [after] Not this one, but what follows it.
 */
export function nextLesson(all, after) {
  const [left] = all.filter(begun).sort((one, other) => progressOf(other.name).when - progressOf(one.name).when);
  const from = all.findIndex(({ name }) => name === (after ?? left?.name)) + (after ? 1 : 0);
  return [...all.slice(Math.max(from, 0)), ...all].find((each) => each.name !== after && !mastered(each));
}

/** The way into a lesson: go on where it was left. @param {LessonFacts} lesson @param {Record<string, any>} [more] */
export function wayInto(lesson, more) {
  const title = say(`lesson.${lesson.name}_title`);
  return link(`/learn/${lesson.name}`, say(begun(lesson) ? "learn.go_on" : "learn.begin", { title }), {
    class: "button",
    ...more,
  });
}

/** On the first page: the lesson to take next, and how many are mastered. */
export function lessonsCard() {
  return awaited(lessons, (all = []) => {
    const next = nextLesson(all);
    return h("section", { class: "card", "aria-label": say("learn.title") },
      h("h2", {}, say("learn.title")),
      h("p", { class: "quiet" },
        all.length > 0 && say("learn.mastered_count", { count: all.filter(mastered).length, all: all.length }),
      ),
      h("p", {}, next && say(`lesson.${next.name}_about`)),
      h("p", { class: "lesson-row" }, next && wayInto(next), link("/learn", say("learn.all"))),
    );
  });
}

// Puzzles: a rating, streaks, what comes back.

/** The date, the same for everyone. @param {number} [later] In so many days. */
export function today(later = 0) {
  return new Date(Date.now() + later * DAY).toISOString().slice(0, 10);
}

/** @returns {PuzzleProgress} */
export function progress() {
  return { rating: 1000, tried: 0, streak: 0, days: 0, last_day: "", missed: {}, seen: [], ...read(PUZZLES) };
}

/** What is to be repeated, the oldest first. @param {PuzzleProgress} kept */
export function due({ missed }) {
  return Object.entries(missed)
    .filter(([, [, day]]) => day <= today())
    .sort(([, [, one]], [, [, other]]) => (one < other ? -1 : 1))
    .map(([name]) => name);
}

/** One of those to be repeated; null where the server no longer has it: then it is no more to be repeated.
 * @param {string} name
 * @returns {Promise<PuzzleFacts | null>}
 */
export async function missedPuzzle(name) {
  try {
    return await puzzleNamed(name);
  } catch (error) {
    const { [name]: gone, ...missed } = progress().missed;
    if (error instanceof Refusal && [404, 422].includes(error.status)) keep(PUZZLES, { ...progress(), missed });
    return null;
  }
}

/** Keep the first answer to a puzzle. @param {PuzzleFacts} puzzle @param {boolean} solved */
export function judged({ name, rating }, solved) {
  const kept = progress();
  const expected = 1 / (1 + 10 ** ((rating - kept.rating) / 400));
  const step = kept.tried < UNSETTLED ? 40 : 20;
  keep(PUZZLES, {
    ...kept,
    rating: kept.rating + step * (Number(solved) - expected),
    tried: kept.tried + 1,
    streak: solved ? kept.streak + 1 : 0,
    missed: repetitions(name, solved, kept.missed),
    seen: [...kept.seen.filter((each) => each !== name), name].slice(-MOST_SEEN),
  });
}

/** The boxes of a Leitner system: one further when solved, back to the first when missed.
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

/** The puzzle of the day is solved. */
export function judgedDaily() {
  const kept = progress();
  if (kept.last_day !== today())
    keep(PUZZLES, { ...kept, days: kept.last_day === today(-1) ? kept.days + 1 : 1, last_day: today() });
}

/** A board as it is drawn, as soon as the server has done so. @param {string} start @param {string[]} [moves] */
export function picture(start, moves = []) {
  return awaited(
    () => boardOf(start, moves),
    (board) => board && h(Drawing, { text: board.svg }),
    start,
  );
}

/** A way to the puzzle of the day, with its board. */
export function dailyCard() {
  return awaited(
    () => dailyPuzzle(today()),
    (puzzle) => {
      const { days, last_day } = progress();
      const done = last_day === today();
      const theme = puzzle ? `${gameName(puzzle.game)} · ${say(`puzzle.theme_${puzzle.theme}`)}` : "";
      return h("section", { class: "daily", "aria-label": say("puzzle.daily") },
        h("div", { class: "mini board", "aria-hidden": "true", "data-game": puzzle?.game },
          puzzle && picture(puzzle.text),
        ),
        h("div", {},
          h("h2", {}, say("puzzle.daily")),
          h("p", { class: "quiet" }, theme),
          h("p", { class: "row" },
            link("/puzzles/today", say(done ? "puzzle.look_again" : "puzzle.solve"), { class: "button" }),
            link("/puzzles", say("puzzle.more")),
            days > 0 && h("span", { class: "quiet" }, say("puzzle.days", { days })),
          ),
        ),
      );
    },
  );
}
