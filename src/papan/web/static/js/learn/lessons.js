// @ts-check
// The lessons: asked of the server once, and how far a person has come, kept in this browser.

import { fetchJson } from "../api.js";
import { keep, read } from "../settings.js";

/**
 * @typedef {import("./words.js").Shown} Shown
 * @typedef {import("./words.js").Sentence} Sentence
 * @typedef {{name: string, kind: "game" | "algorithm", game: string, agent: string, steps: number, questions: number}} LessonFacts
 * @typedef {{id: number, up: number | null, m: string, role: "max" | "min", text: Shown | null, state: string}} TreeNode
 * @typedef {{head: string[], rows: Shown[][], marked: number | null}} Facts
 * @typedef {{kind: "number" | "choice" | "move", text: Sentence, answers: Shown[], choices: Shown[], hints: Sentence[], replies: Record<string, Sentence>}} Question
 *
 * @typedef {object} Moment
 * @property {Sentence} text
 * @property {string} line
 * @property {Record<string, Shown>} variables
 * @property {number | null} board
 * @property {string[]} marks
 * @property {Record<string, number>} values
 * @property {boolean} proved Are the values proved, or what the lesson counts?
 * @property {string | null} best
 * @property {string} drawing
 * @property {TreeNode[]} tree
 * @property {number | null} current
 * @property {Facts | null} table
 * @property {Record<string, number[]>} curves
 * @property {Question | null} question
 *
 * @typedef {LessonFacts & {lines: string[], boards: import("../api.js").Board[], moments: Moment[]}} Lesson
 * @typedef {{step: number, done: boolean, right: Record<string, boolean>}} Progress
 */

const PLACE = "papan.learn";

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** @param {string} path @returns {Promise<any>} */
function once(path) {
  const answer = asked.get(path) ?? fetchJson(path);
  asked.set(path, answer);
  answer.catch(() => asked.delete(path));
  return answer;
}

/** @returns {Promise<LessonFacts[]>} */
export const allLessons = () => once("/api/v1/lessons");

/** @param {string} name @returns {Promise<Lesson>} */
export const lessonOf = (name) => once(`/api/v1/lessons/${encodeURIComponent(name)}`);

/** @param {string} name @returns {Progress} */
export function progressOf(name) {
  const { step = 1, done = false, right = {} } = read(PLACE)[name] ?? {};
  return { step, done, right };
}

/** @param {string} name @param {Partial<Progress>} changes */
export function advance(name, changes) {
  keep(PLACE, { ...read(PLACE), [name]: { ...progressOf(name), ...changes } });
}

/** How many questions were answered right at the first try.
 * @param {string} name */
export function rightOf(name) {
  return Object.values(progressOf(name).right).filter(Boolean).length;
}
