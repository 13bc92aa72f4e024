// @ts-check
// Learn: the list of lessons, what is mastered, and which one to take next.

import { games, lessons, papers } from "../api.js";
import { coursesOf } from "../course.js";
import { gameName, say } from "../language.js";
import { begun, mastered, masteredIn, nextLesson, openOf, progressOf, wayInto } from "../lesson_progress.js";
import { helpLink, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Opener } from "../router.js" */
/** @import { LessonFacts } from "../wire.d.ts" */

/** @type {Opener} */
export async function learn(url, signal) {
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  if (name) return (await import("./lesson.js")).lessonScreen(name, url, signal);
  const [all, boards, taught] = await Promise.all([lessons(), games(), papers()]);
  const next = nextLesson(all);
  const cards = (/** @type {"game" | "algorithm"} */ kind) => h("ul", { class: "lesson-list" }, all.filter((each) => each.kind === kind).map(card));
  return { title: say("learn.title"), view: h("div", { class: "learn" },
    h("h1", {}, say("learn.title")),
    h("p", { class: "quiet lead" }, say("learn.lead"), " ", helpLink("lessons", "help.about_lessons")),
    h("p", { class: "row next-lesson" }, next && wayInto(next),
      h("span", { class: "quiet" }, say("learn.mastered_count", { count: all.filter(mastered).length, all: all.length }))),
    h("h2", {}, say("course.title")), h("p", { class: "quiet lead" }, say("course.lead")), coursesOf(taught, masteredIn(all)),
    h("h2", {}, say("learn.games")), cards("game"),
    h("h2", {}, say("learn.algorithms")), cards("algorithm"),
    h("h2", {}, say("learn.own_title")),
    h("p", { class: "quiet lead" }, say("learn.own_about")),
    h("div", { class: "row" }, boards.map(({ name }) => link(`/analyse/${name}?variants=`, gameName(name), { class: "button" }))),
    h("p", { class: "quiet" }, say("learn.keys"))) };
}

/** @param {LessonFacts} lesson */
function card(lesson) {
  const { name, steps, questions } = lesson;
  const right = questions.length - openOf(lesson).length;
  const state = mastered(lesson) ? `✓ ${say("learn.mastered")}` : say("learn.score", { right, questions: questions.length });
  return h("li", { "data-lesson": name },
    link(`/learn/${name}`, [
      h("strong", {}, say(`lesson.${name}_title`)),
      h("span", { class: "quiet" }, say(`lesson.${name}_about`)),
      h("small", { class: "quiet" }, begun(lesson)
        ? [h("span", { class: mastered(lesson) ? "state" : "" }, state), !mastered(lesson) && ` · ${say("learn.begun", { step: progressOf(name).step, steps })}`]
        : say("learn.steps", { steps, questions: questions.length }))]));
}
