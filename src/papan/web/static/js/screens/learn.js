// @ts-check
// Learn: the list of lessons with how far one has come, or one of them.

import { h } from "../dom.js";
import { say } from "../language.js";
import { lessonScreen } from "../learn/lesson.js";
import { allLessons, progressOf, rightOf } from "../learn/lessons.js";

/** @typedef {import("../learn/lessons.js").LessonFacts} LessonFacts */

/** @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function learn(url) {
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  return name ? lessonScreen(name, url) : list(await allLessons());
}

/** @param {LessonFacts[]} lessons @returns {import("../router.js").Screen} */
function list(lessons) {
  /** @param {"game" | "algorithm"} kind */
  const cards = (kind) => h("ul", { class: "lesson-list" }, lessons.filter((each) => each.kind === kind).map(card));
  return {
    title: say("learn.title"),
    element: h("div", { class: "learn" },
      h("h1", {}, say("learn.title")),
      h("p", { class: "quiet lead" }, say("learn.lead")),
      h("h2", {}, say("learn.games")), cards("game"),
      h("h2", {}, say("learn.algorithms")), cards("algorithm"),
      h("p", { class: "quiet" }, say("learn.keys"))),
  };
}

/** @param {LessonFacts} lesson */
function card({ name, steps, questions }) {
  const { step, done } = progressOf(name);
  const state = done ? say("learn.done") : step > 1 ? say("learn.begun", { step, steps }) : "";
  const address = done || step === 1 ? `/learn/${name}` : `/learn/${name}?step=${step}`;
  return h("li", { "data-lesson": name },
    h("a", { href: address, "data-link": "" },
      h("strong", {}, say(`lesson.${name}_title`)),
      h("span", { class: "quiet" }, say(`lesson.${name}_about`)),
      h("small", { class: "quiet" }, say("learn.steps", { steps, questions }),
        state && h("span", { class: "state" }, ` · ${done ? "✓ " : ""}${state}`),
        done && ` · ${say("learn.score", { right: rightOf(name), questions })}`)));
}
