// @ts-check
// Learn: the list of lessons, the courses to the papers, what is done of both, and which one to take next.

import { games, lessons, papers } from "../api.js";
import { gameName, say } from "../language.js";
import { begun, isDue, mastered, masteredIn, nextLesson, openOf, progressOf, wayInto } from "../progress.js";
import { save, read } from "../settings.js";
import { helpLink, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Opener } from "../router.js" */
/** @import { LessonFacts, PaperFacts, Stage } from "../wire.d.ts" */
/** @typedef {(lesson: string) => boolean} Mastered Has a lesson been mastered? */
/** @typedef {Pick<PaperFacts, "number" | "game" | "course" | "runs">} Taught */

const COURSES = "papan.courses"; // key of the browser's storage: the stages that were opened

/** @type {Opener} */
export async function learn(url, signal) {
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  if (name) return (await import("./lesson.js")).lessonScreen(name, url, signal);
  const [all, boards, taught] = await Promise.all([lessons(), games(), papers()]);
  const next = nextLesson(all);
  const cards = (/** @type {"game" | "algorithm"} */ kind) =>
    h("ul", { class: "lesson-list" }, all.filter((each) => each.kind === kind).map(card));
  return {
    title: say("learn.title"),
    view: h("div", { class: "learn" },
      h("h1", {}, say("learn.title")),
      h("p", { class: "quiet lead" }, say("learn.lead"), " ", helpLink("lessons", "help.about_lessons")),
      h("p", { class: "row next-lesson" },
        next && wayInto(next),
        h("span", { class: "quiet" },
          say("learn.mastered_count", { count: all.filter(mastered).length, all: all.length }),
        ),
      ),
      h("h2", {}, say("course.title")),
      h("p", { class: "quiet lead" }, say("course.lead")),
      coursesOf(taught, masteredIn(all)),
      h("h2", {}, say("learn.games")),
      cards("game"),
      h("h2", {}, say("learn.algorithms")),
      cards("algorithm"),
      h("h2", {}, say("learn.own_title")),
      h("p", { class: "quiet lead" }, say("learn.own_about")),
      h("div", { class: "row" },
        boards.map(({ name }) => link(`/analyse/${name}?variants=`, gameName(name), { class: "button" })),
      ),
      h("p", { class: "quiet" }, say("learn.keys")),
    ),
  };
}

/** @param {LessonFacts} lesson */
function card(lesson) {
  const { name, steps, questions } = lesson;
  const right = questions.length - openOf(lesson).length;
  const state = mastered(lesson)
    ? `✓ ${say("learn.mastered")}${isDue(lesson) ? ` · ${say("learn.due")}` : ""}`
    : say("learn.score", { right, questions: questions.length });
  return h("li", { "data-lesson": name },
    link(`/learn/${name}`, [
      h("strong", {}, say(`lesson.${name}_title`)),
      h("span", { class: "quiet" }, say(`lesson.${name}_about`)),
      h("small", { class: "quiet" },
        begun(lesson)
          ? [
              h("span", { class: mastered(lesson) ? "state" : "" }, state),
              !mastered(lesson) && ` · ${say("learn.begun", { step: progressOf(name).step, steps })}`,
            ]
          : say("learn.steps", { steps, questions: questions.length }),
      ),
    ]),
  );
}

/**
 * Return the section of papan that a stage leads to, such as "learn", and what is opened there.
 * @param {Stage} stage
 */
function partsOf({ address }) { return address.split("?")[0].split("/").slice(1); }

/**
 * Return whether a step is done: a lesson is mastered, an experiment has a finished run, anything else was opened.
 * @param {Taught} paper
 * @param {Stage} stage
 * @param {Mastered} mastered
 */
function isDone({ number, runs }, stage, mastered) {
  const [section, name] = partsOf(stage);
  if (section === "lab") return runs.some((each) => each.done === 1);
  return section === "learn" ? mastered(name) : Boolean(read(COURSES)[number]?.[stage.name]);
}

/** Return the name of a stage: the title of a lesson, the kind of anything else. @param {Stage} stage */
function titleOf(stage) {
  const [section, name] = partsOf(stage);
  return section === "learn" ? say(`lesson.${name}_title`) : say(`course.kind_${section}`);
}

/** @param {string} number @param {Stage} stage */
function opener(number, stage) {
  const all = read(COURSES);
  return { onclick: () => save(COURSES, { ...all, [number]: { ...all[number], [stage.name]: true } }) };
}

/** Return the progress in a course, and a link to its next stage. @param {Taught} paper @param {Mastered} mastered */
function standing(paper, mastered) {
  const { number, course } = paper;
  const left = course.filter((stage) => !isDone(paper, stage, mastered));
  const [next = course[0]] = left;
  const text = left.length ? say("course.next", { stage: titleOf(next) }) : say("course.again");
  return [
    h("progress", { max: course.length, value: course.length - left.length, "aria-label": say("course.own") }),
    h("p", { class: "row" },
      h("span", { class: "quiet" }, say("course.done", { done: course.length - left.length, all: course.length })),
      link(next.address, text, { class: "button", "data-next": "", ...opener(number, next) }),
    ),
  ];
}

/** Return the progress in a course, and its stages in a fold. @param {Taught} paper @param {Mastered} mastered */
export function courseOf(paper, mastered) {
  const { number, course } = paper;
  return [
    standing(paper, mastered),
    h("details", { class: "stages" },
      h("summary", {}, say("course.stages")),
      h("ol", { class: "course" },
        course.map((stage) => {
          const done = isDone(paper, stage, mastered);
          return h("li", { key: stage.name, "data-stage": stage.name, "data-done": String(done) },
            done && h("span", { class: "sign", role: "img", "aria-label": say("course.finished") }, "✓"),
            link(stage.address, titleOf(stage), opener(number, stage)),
            h("small", { class: "quiet" }, say(`course.${number}_${stage.name}`)),
          );
        }),
      ),
    ),
  ];
}

/** Return the courses of all papers. @param {Taught[]} papers @param {Mastered} mastered */
function coursesOf(papers, mastered) {
  return h("ul", { class: "courses" },
    papers.map((paper) => {
      return h("li", { "data-course": paper.number },
        h("h3", {},
          link(`/lab/${paper.number}`, say("course.of", { game: gameName(paper.game), number: paper.number })),
        ),
        courseOf(paper, mastered),
      );
    }),
  );
}
