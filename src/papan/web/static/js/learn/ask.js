// @ts-check
// A question before the next step: answered at once, as often as one likes, at no cost.

import { fill, h } from "../dom.js";
import { say } from "../language.js";
import { sentence, shown } from "./words.js";

/** @typedef {import("./lessons.js").Question} Question */
/** @typedef {import("./words.js").Shown} Shown */

export class Ask {
  /** @param {Question} question @param {(right: boolean) => void} judged Hears of the first answer. */
  constructor(question, judged) {
    this.question = question;
    this.judged = judged;
    this.tries = 0;
    this.hints = 0;
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.hinted = h("ul", { class: "hints" });
    this.element = h("section", { class: "ask", "aria-label": say("learn.question") },
      h("p", { class: "asked" }, sentence(question.text)), this.#form(), this.hinted, this.feedback);
  }

  /** @param {Shown} answer */
  answer(answer) {
    const right = this.question.answers.includes(answer);
    const reply = this.question.replies[String(answer)];
    if (this.question.kind === "move" && !right && !reply) {
      fill(this.feedback, say("error.not_possible", { move: answer }));
      return;
    }
    this.tries += 1;
    if (this.tries === 1) this.judged(right && this.hints === 0);
    this.feedback.classList.toggle("good", right);
    fill(this.feedback, right ? `✓ ${say("learn.right")}` : `✗ ${reply ? `${sentence(reply)} ` : ""}${say("learn.wrong")}`);
    for (const button of this.element.querySelectorAll("button[data-choice]")) {
      if (button.getAttribute("data-choice") === String(answer)) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
    }
  }

  #form() {
    if (this.question.kind === "number") return this.#number();
    if (this.question.kind === "move") return this.#hint();
    return h("div", { class: "row" }, this.question.choices.map((choice) =>
      h("button", { type: "button", "data-choice": choice, onclick: () => this.answer(choice) }, shown(choice))));
  }

  #number() {
    const field = h("input", { type: "number", step: "any", required: true, "aria-label": say("learn.answer") });
    return h("form", { class: "row", novalidate: true, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (field.value.trim() === "") fill(this.feedback, say("learn.number_needed"));
      else this.answer(Number(field.value));
    } }, field, h("button", { type: "submit" }, say("learn.check")));
  }

  #hint() {
    const button = h("button", { type: "button", onclick: () => {
      this.hinted.append(h("li", {}, sentence(this.question.hints[this.hints])));
      this.hints += 1;
      button.disabled = this.hints >= this.question.hints.length;
    } }, say("learn.hint"));
    return h("div", { class: "row" }, button);
  }
}
