// @ts-check
// One lesson: step by step, every step with a link of its own.

import { fill, h } from "../dom.js";
import { say } from "../language.js";
import { Ask } from "./ask.js";
import { Controls } from "./controls.js";
import { advance, allLessons, lessonOf, progressOf, rightOf } from "./lessons.js";
import { Stage } from "./stage.js";
import { sentence } from "./words.js";

/** @param {string} name @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function lessonScreen(name, url) {
  const [lesson, all] = await Promise.all([lessonOf(name), allLessons()]);
  const following = all[all.findIndex((each) => each.name === name) + 1]?.name;
  const view = new LessonView(lesson, following);
  view.show(Number(url.searchParams.get("step")) || 1);
  return { title: say(`lesson.${name}_title`), element: view.element, leave: () => view.controls.leave() };
}

class LessonView {
  /** @param {import("./lessons.js").Lesson} lesson @param {string | undefined} following */
  constructor(lesson, following) {
    this.lesson = lesson;
    this.following = following;
    /** @type {Ask | null} */
    this.ask = null;
    this.stage = new Stage(lesson, (move) => {
      this.stage.board.point("pointed", move);
      this.ask?.answer(move);
    });
    this.text = h("p", { class: "sentence", "aria-live": "polite" });
    this.below = h("div", { class: "below" });
    this.controls = new Controls(lesson.moments.length, (step) => this.show(step), () => !this.ask || this.ask.tries > 0);
    const title = say(`lesson.${lesson.name}_title`);
    this.element = h("div", { class: `lesson ${lesson.kind}` },
      h("h1", { class: "small" }, h("a", { href: "/learn", "data-link": "" }, say("learn.title")), ` › ${title}`),
      this.stage.element,
      h("div", { class: "lesson-said" }, this.text, this.below),
      this.stage.notes,
      this.controls.element);
  }

  /** @param {number} asked */
  show(asked) {
    const steps = this.lesson.moments.length;
    const step = Math.min(Math.max(Math.round(asked), 1), steps);
    const moment = this.lesson.moments[step - 1];
    const { question } = moment;
    this.ask = question && new Ask(question, (right) => this.#judge(step, right));
    this.stage.show(moment, question?.kind === "move");
    fill(this.text, sentence(moment.text));
    fill(this.below, this.ask?.element, step === steps && this.#end());
    this.controls.show(step);
    this.#remember(step);
  }

  /** @param {number} step @param {boolean} right */
  #judge(step, right) {
    const { right: before } = progressOf(this.lesson.name);
    if (!(step in before)) advance(this.lesson.name, { right: { ...before, [step]: right } });
  }

  /** @param {number} step */
  #remember(step) {
    const { name, moments } = this.lesson;
    const done = progressOf(name).done || step === moments.length;
    advance(name, { step, done });
    const address = `/learn/${name}?step=${step}`;
    if (location.pathname + location.search !== address) history.replaceState(history.state, "", address);
  }

  /** What was right, and where to go from here. */
  #end() {
    const { name, game, agent, questions } = this.lesson;
    const seats = agent ? `?${new URLSearchParams({ seats: `human|${agent}` })}` : "";
    return h("section", { class: "ask end", "aria-label": say("learn.finished") },
      h("p", {}, h("strong", {}, say("learn.finished")), " ", say("learn.score", { right: rightOf(name), questions })),
      h("div", { class: "row" },
        this.following && h("a", { class: "button", href: `/learn/${this.following}`, "data-link": "" }, say("learn.next_lesson", { title: say(`lesson.${this.following}_title`) })),
        h("a", { href: `/play/${game}${seats}`, "data-link": "" }, say(agent ? "learn.try_agent" : "learn.try_game", { agent, game: say(`game.${game}`) })),
        h("button", { type: "button", onclick: () => { advance(name, { right: {} }); this.show(1); } }, say("learn.again")),
        h("a", { href: "/learn", "data-link": "" }, say("learn.all"))));
  }
}
