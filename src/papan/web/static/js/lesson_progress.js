// @ts-check
// How far somebody has come in the lessons, kept in this browser alone: where they were left, and what was answered right.

import { lessons } from "./api.js";
import { say } from "./language.js";
import { keep, read } from "./settings.js";
import { link } from "./ui.js";
import { Component, h } from "./vendor/preact.mjs";
/** @import { LessonFacts } from "./wire.d.ts" */
/** @typedef {{step: number, when: number, right: Record<string, boolean>}} Progress
 * Where it was left and when; of each question that was answered, by its name, whether a first answer to it was right. */

const PLACE = "papan.learn";

/** @param {string} name @returns {Progress} */
export function progressOf(name) {
  const { step = 1, when = 0, right = {} } = read(PLACE)[name] ?? {};
  return { step, when, right };
}

/** @param {string} name @param {Partial<Progress>} changes */
export function advance(name, changes) { keep(PLACE, { ...read(PLACE), [name]: { ...progressOf(name), ...changes } }); }

/** Keep the first answer that was given when a question came up: what was missed is made good by a right one later.
 * @param {string} name @param {string} question @param {boolean} correct */
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
export function masteredIn(all) { return (name) => all.some((each) => each.name === name && mastered(each)); }

/** @param {LessonFacts} lesson */
export function begun({ name }) {
  const { step, right } = progressOf(name);
  return step > 1 || Object.keys(right).length > 0;
}

/** What to take next: the lesson that was left last, if it is not mastered, else the first one after it that is not.
 * @param {LessonFacts[]} all @param {string} [after] Not this one, but what follows it. */
export function nextLesson(all, after) {
  const [left] = all.filter(begun).sort((one, other) => progressOf(other.name).when - progressOf(one.name).when);
  const from = all.findIndex(({ name }) => name === (after ?? left?.name)) + (after ? 1 : 0);
  return [...all.slice(Math.max(from, 0)), ...all].find((each) => each.name !== after && !mastered(each));
}

/** The way into a lesson: go on where it was left. @param {LessonFacts} lesson @param {Record<string, any>} [more] */
export function wayInto(lesson, more) {
  const title = say(`lesson.${lesson.name}_title`);
  return link(`/learn/${lesson.name}`, say(begun(lesson) ? "learn.go_on" : "learn.begin", { title }), { class: "button", ...more });
}

/** On the first page: the lesson to take next, and how many are mastered. */
export class LessonsCard extends Component {
  /** @type {LessonFacts[]} */
  all = [];

  async componentDidMount() {
    this.all = await lessons().catch(() => []);
    this.forceUpdate();
  }

  render() {
    const { all } = this;
    const next = nextLesson(all);
    return h("section", { class: "card", "aria-label": say("learn.title") },
      h("h2", {}, say("learn.title")),
      h("p", { class: "quiet" }, all.length > 0 && say("learn.mastered_count", { count: all.filter(mastered).length, all: all.length })),
      h("p", {}, next && say(`lesson.${next.name}_about`)),
      h("p", { class: "lesson-row" }, next && wayInto(next), link("/learn", say("learn.all"))));
  }
}
