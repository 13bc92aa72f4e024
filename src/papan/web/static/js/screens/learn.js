// @ts-check
// Learn: the list of lessons with how far one has come, which this browser keeps.

import { games, lessons, papers } from "../api.js";
import { coursesOf } from "../course.js";
import { gameName, say } from "../language.js";
import { keep, read } from "../settings.js";
import { helpLink, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Opener } from "../router.js" */
/** @import { LessonFacts } from "../wire.d.ts" */
/** @typedef {{step: number, done: boolean, right: Record<string, boolean>}} Progress */

const PLACE = "papan.learn";

/** @type {Opener} */
export async function learn(url, signal) {
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  if (name) return (await import("./lesson.js")).lessonScreen(name, url, signal);
  const [all, boards, taught] = await Promise.all([lessons(), games(), papers()]);
  const cards = (/** @type {"game" | "algorithm"} */ kind) => h("ul", { class: "lesson-list" }, all.filter((each) => each.kind === kind).map(card));
  return { title: say("learn.title"), view: h("div", { class: "learn" },
    h("h1", {}, say("learn.title")),
    h("p", { class: "quiet lead" }, say("learn.lead"), " ", helpLink("lessons", "help.about_lessons")),
    h("h2", {}, say("course.title")), h("p", { class: "quiet lead" }, say("course.lead")), coursesOf(taught, (name) => progressOf(name).done),
    h("h2", {}, say("learn.games")), cards("game"),
    h("h2", {}, say("learn.algorithms")), cards("algorithm"),
    h("h2", {}, say("learn.own_title")),
    h("p", { class: "quiet lead" }, say("learn.own_about")),
    h("div", { class: "row" }, boards.map(({ name }) => link(`/analyse/${name}?variants=`, gameName(name), { class: "button" }))),
    h("p", { class: "quiet" }, say("learn.keys"))) };
}

/** @param {LessonFacts} lesson */
function card({ name, steps, questions }) {
  const { step, done } = progressOf(name);
  const state = done ? say("learn.done") : step > 1 ? say("learn.begun", { step, steps }) : "";
  return h("li", { "data-lesson": name },
    link(done || step === 1 ? `/learn/${name}` : `/learn/${name}?step=${step}`, [
      h("strong", {}, say(`lesson.${name}_title`)),
      h("span", { class: "quiet" }, say(`lesson.${name}_about`)),
      h("small", { class: "quiet" }, say("learn.steps", { steps, questions }),
        state && h("span", { class: "state" }, ` · ${done ? "✓ " : ""}${state}`),
        done && ` · ${say("learn.score", { right: rightOf(name), questions })}`)]));
}

/** @param {string} name @returns {Progress} */
export function progressOf(name) {
  const { step = 1, done = false, right = {} } = read(PLACE)[name] ?? {};
  return { step, done, right };
}

/** @param {string} name @param {Partial<Progress>} changes */
export function advance(name, changes) { keep(PLACE, { ...read(PLACE), [name]: { ...progressOf(name), ...changes } }); }

/** How many questions were answered right at the first try. @param {string} name */
export function rightOf(name) { return Object.values(progressOf(name).right).filter(Boolean).length; }
