// @ts-check
// The course to a paper: its stages in order, with what is done of them, which this browser keeps.

import { gameName, say } from "./language.js";
import { keep, read } from "./settings.js";
import { link } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { PaperFacts, Stage } from "./wire.d.ts" */
/** @typedef {(lesson: string) => boolean} Mastered Has a lesson been mastered? */
/** @typedef {Pick<PaperFacts, "number" | "game" | "course" | "runs">} Taught */

const PLACE = "papan.courses";

/** The section of papan that a stage leads to, such as "learn", and what is opened there. @param {Stage} stage */
function partsOf({ address }) { return address.split("?")[0].split("/").slice(1); }

/** Lessons tell themselves whether they are done, an experiment has a run that is over; whatever else there is has been opened.
 * @param {Taught} paper @param {Stage} stage @param {Mastered} mastered */
function isDone({ number, runs }, stage, mastered) {
  const [section, name] = partsOf(stage);
  if (section === "lab") return runs.some((each) => each.done === 1);
  return section === "learn" ? mastered(name) : Boolean(read(PLACE)[number]?.[stage.name]);
}

/** What a stage is called: a lesson by its title, everything else by its kind. @param {Stage} stage */
function titleOf(stage) {
  const [section, name] = partsOf(stage);
  return section === "learn" ? say(`lesson.${name}_title`) : say(`course.kind_${section}`);
}

/** @param {string} number @param {Stage} stage */
function opener(number, stage) {
  const all = read(PLACE);
  return { onclick: () => keep(PLACE, { ...all, [number]: { ...all[number], [stage.name]: true } }) };
}

/** How far one has come, and a way on. @param {Taught} paper @param {Mastered} mastered */
function standing(paper, mastered) {
  const { number, course } = paper;
  const left = course.filter((stage) => !isDone(paper, stage, mastered));
  const [next = course[0]] = left;
  const text = left.length ? say("course.next", { stage: titleOf(next) }) : say("course.again");
  return [
    h("progress", { max: course.length, value: course.length - left.length, "aria-label": say("course.own") }),
    h("p", { class: "row" }, h("span", { class: "quiet" }, say("course.done", { done: course.length - left.length, all: course.length })),
      link(next.address, text, { class: "button", "data-next": "", ...opener(number, next) })),
  ];
}

/** How far one has come, and the stages behind a fold. @param {Taught} paper @param {Mastered} mastered */
export function courseOf(paper, mastered) {
  const { number, course } = paper;
  return [standing(paper, mastered), h("details", { class: "stages" }, h("summary", {}, say("course.stages")), h("ol", { class: "course" }, course.map((stage) => {
    const done = isDone(paper, stage, mastered);
    return h("li", { key: stage.name, "data-stage": stage.name, "data-done": String(done) },
      done && h("span", { class: "sign", role: "img", "aria-label": say("course.finished") }, "✓"),
      link(stage.address, titleOf(stage), opener(number, stage)),
      h("small", { class: "quiet" }, say(`course.${number}_${stage.name}`)));
  })))];
}

/** The courses of all papers. @param {Taught[]} papers @param {Mastered} mastered */
export function coursesOf(papers, mastered) {
  return h("ul", { class: "courses" }, papers.map((paper) => {
    return h("li", { "data-course": paper.number },
      h("h3", {}, link(`/lab/${paper.number}`, say("course.of", { game: gameName(paper.game), number: paper.number }))), courseOf(paper, mastered));
  }));
}
