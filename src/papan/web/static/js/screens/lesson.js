// @ts-check
// One lesson: step by step, with questions, and every step with a link of its own.

import { boardOf, lesson as lessonOf, lessons } from "../api.js";
import { agentTitle, known, say, trouble } from "../language.js";
import { Learning } from "../learning.js";
import { board, notes, sentence, shown, tree } from "../lesson_parts.js";
import { advance, judge, mastered, nextLesson, openOf, progressOf, wayInto } from "../lesson_progress.js";
import { keep, read } from "../settings.js";
import { forPage, form, link, presses, select, tool } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { Board, LessonFacts, WholeLesson as Lesson, Question } from "../wire.d.ts" */
/** @typedef {string | number} Shown */
/** @typedef {{lesson: Lesson, all: LessonFacts[], step: number, signal: AbortSignal}} LessonProps */

const PLACE = "papan.learn.speed";
const SPEEDS = /** @type {Record<string, number>} */ ({ slow: 5000, usual: 2500, quick: 1000 });
const PACE = 900; // milliseconds between the moves that refute a wrong one
const MOST_PLAYED = 12; // of those moves
const KEYS = /** @type {Record<string, "back" | "next" | "first" | "last">} */ ({ ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" });

/** @param {string} name @param {URL} url @param {AbortSignal} signal @returns {Promise<Screen>} */
export async function lessonScreen(name, url, signal) {
  const all = await lessons();
  if (!all.some((each) => each.name === name)) return missing(name);
  const lesson = await lessonOf(name);
  const step = url.searchParams.has("step") ? Number(url.searchParams.get("step")) || 1 : left(lesson);
  return { title: say(`lesson.${name}_title`), view: h(LessonPage, { lesson, all, step, signal }) };
}

/** @param {string} name @returns {Screen} */
function missing(name) {
  return { title: say("learn.title"), view: h("div", { class: "lost" },
    h("h1", {}, say("learn.title")), h("p", { role: "alert" }, say("learn.no_such", { name })), link("/learn", say("learn.all"), { class: "button" })) };
}

/** Where to go on: where it was left, at its end with what is open. @param {Lesson} lesson */
function left(lesson) {
  const { step } = progressOf(lesson.name);
  return step < lesson.moments.length ? step : openSteps(lesson)[0] ?? 1;
}

/** The steps whose questions were never answered right. @param {Lesson} lesson */
function openSteps(lesson) {
  const asked = lesson.moments.flatMap(({ question }, place) => (question ? [place + 1] : []));
  const open = openOf(lesson);
  return asked.filter((_, place) => open.includes(lesson.questions[place]));
}

/** @extends {Component<LessonProps>} */
class LessonPage extends Component {
  /** @param {LessonProps} props */
  constructor(props) {
    super(props);
    this.timer = 0; // of the next step, where they come by themselves
    this.step = 1;
    /** @type {Answers | null} */
    this.answers = null;
    /** @type {string | null} */
    this.pointed = null; // the move that was chosen on the board
    /** @type {{line: string[], board: Board | null} | null} */
    this.refuted = null; // what comes of a wrong move, as far as it is played out
    this.repeating = false; // only what is open is asked
    this.speed = read(PLACE).speed in SPEEDS ? read(PLACE).speed : "usual";
    this.show(props.step);
    document.addEventListener("keydown", (event) => this.key(event), { signal: props.signal });
    props.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  get steps() { return this.props.lesson.moments.length; }

  get moment() { return this.props.lesson.moments[this.step - 1]; }

  /** @param {number} asked */
  show(asked) {
    this.step = Math.min(Math.max(Math.round(asked), 1), this.steps);
    const { question } = this.moment;
    this.answers = question && new Answers(question, (right) => this.#judge(right), () => this.forceUpdate());
    this.pointed = null;
    this.refuted = null;
    this.#remember();
    this.forceUpdate();
  }

  /** @param {boolean} right Was the first answer? */
  #judge(right) {
    const { name, questions, moments } = this.props.lesson;
    judge(name, questions[moments.slice(0, this.step - 1).filter(({ question }) => question).length], right);
  }

  #remember() {
    const { name } = this.props.lesson;
    advance(name, { step: this.step, when: Date.now() });
    const address = `/learn/${name}?step=${this.step}`;
    if (location.pathname + location.search !== address) history.replaceState(history.state, "", address);
  }

  // Back, next, play: nothing moves before it is asked to.

  /** @param {"back" | "next" | "first" | "last"} where */
  move(where) {
    const step = { back: this.step - 1, next: this.step + 1, first: 1, last: this.steps }[where];
    this.pause();
    if (step >= 1 && step <= this.steps) this.show(step);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.forceUpdate();
  }

  /** Let the next step come by itself; after a question it waits for an answer. */
  play() {
    if (this.step === this.steps || this.answers?.tries === 0) return this.pause();
    this.timer = window.setTimeout(() => {
      this.show(this.step + 1);
      this.play();
    }, SPEEDS[this.speed]);
    this.forceUpdate();
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!forPage(event) || presses(event)) return;
    if (KEYS[event.key]) this.move(KEYS[event.key]);
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }

  /** @param {string} move */
  pick(move) {
    this.pointed = move;
    this.answers?.answer(move);
    if (this.moment.question?.replies[move]) this.#refute(move);
    this.forceUpdate();
  }

  /** Play out on the board what comes of a wrong move. @param {string} move */
  async #refute(move) {
    const { lesson: { boards }, signal } = this.props;
    const line = [move, ...this.moment.question?.refutations[move] ?? []].slice(0, MOST_PLAYED);
    const refuted = (this.refuted = { line: /** @type {string[]} */ ([]), board: /** @type {Board | null} */ (null) });
    const start = boards[this.moment.board ?? 0].position;
    try {
      for (const [place, each] of line.entries()) {
        const after = await boardOf(start, line.slice(0, place + 1));
        if (place) await new Promise((next) => { setTimeout(next, PACE); });
        if (this.refuted !== refuted || signal.aborted) return;
        refuted.board = after;
        refuted.line.push(each);
        this.forceUpdate();
      }
    } catch (error) {
      if (this.refuted === refuted) this.answers?.tell(trouble(error));
    }
  }

  /** Back to the question. */
  tryAgain() {
    this.refuted = null;
    this.pointed = null;
    this.forceUpdate();
  }

  /** Ask what is open, one after the other; then comes the end. */
  askOpen() {
    this.repeating = true;
    const open = openSteps(this.props.lesson);
    this.show(open.find((step) => step > this.step) ?? open[0] ?? this.steps);
  }

  /** @param {LessonProps} props */
  render({ lesson }) {
    const { moment, step } = this;
    const page = h("div", { class: `lesson ${lesson.kind}` },
      h("h1", { class: "small" }, link("/learn", say("learn.title")), ` › ${say(`lesson.${lesson.name}_title`)}`),
      h("div", { class: "lesson-stage" }, board(lesson, moment, this.pointed, (move) => this.pick(move), this.refuted?.board), tree(moment)),
      h("div", { class: "lesson-said" },
        h("p", { class: "sentence", "aria-live": "polite" }, sentence(moment.text)),
        h("div", { class: "below" }, (step === 1 || step === this.steps) && quote(lesson.name), this.answers?.view(step, this.#afterwards()), step === this.steps && this.#end())),
      notes(lesson, moment),
      this.#controls());
    return lesson.agent.startsWith("learned") ? h("div", {}, page, h(Learning, { game: lesson.game, signal: this.props.signal })) : page;
  }

  /** What can be done after an answer: look at the question again, or go to the next one that is open. */
  #afterwards() {
    const { refuted } = this;
    if (refuted?.board) {
      return h("div", { class: "row" }, h("span", { class: "played-out", role: "status" }, say("learn.played_out", { line: refuted.line.join(" ") })),
        tool("learn.try_again", () => this.tryAgain()));
    }
    if (!this.repeating || !this.answers?.right) return null;
    return h("div", { class: "row" }, tool(mastered(this.props.lesson) ? "learn.to_end" : "learn.next_open", () => this.askOpen(), { class: "primary" }));
  }

  #controls() {
    const { step, steps } = this;
    const speeds = Object.keys(SPEEDS).map((name) => [name, say(`learn.${name}`)]);
    return h("div", { class: "lesson-controls" },
      h("div", { class: "row" },
        h("button", { type: "button", "data-go": "back", disabled: step === 1, onclick: () => this.move("back") }, say("learn.back")),
        h("button", { type: "button", "data-go": "play", disabled: step === steps, onclick: () => this.toggle() }, say(this.timer ? "learn.pause" : "learn.play")),
        h("button", { type: "button", class: "primary", "data-go": "next", disabled: step === steps, onclick: () => this.move("next") }, say("learn.next")),
        select(this.speed, speeds, (speed) => { this.speed = speed; keep(PLACE, { speed }); }, { "aria-label": say("learn.speed") })),
      h("div", { class: "reach" },
        h("input", { type: "range", min: 1, max: steps, value: step, "aria-label": say("learn.slider"), "aria-valuetext": say("learn.step_of", { step, steps }),
          oninput: (event) => { this.pause(); this.show(Number(event.currentTarget.value)); } }),
        h("span", { class: "count number" }, `${step} / ${steps}`)));
  }

  /** What was right, what is open, and where to go from here. */
  #end() {
    const { lesson, all } = this.props;
    const { name, game, agent, questions } = lesson;
    const open = openOf(lesson).length;
    const following = nextLesson(all, name);
    const seats = agent ? `?${new URLSearchParams({ seats: `human|${agent}` })}` : "";
    return h("section", { class: `ask end ${open ? "" : "mastered"}`, "aria-label": say("learn.score", { right: questions.length - open, questions: questions.length }) },
      h("p", {}, h("strong", {}, open ? say("learn.not_mastered") : `✓ ${say("learn.is_mastered")}`), " ",
        say("learn.score", { right: questions.length - open, questions: questions.length })),
      h("div", { class: "row" },
        open > 0 && tool("learn.open", () => this.askOpen(), { class: "primary" }),
        following && wayInto(following, { class: open ? "" : "button" }),
        link(`/play/${game}${seats}`, say(agent ? "learn.try_agent" : "learn.try_game", { agent: agentTitle(agent.split(":")[0]), game: say(`game.${game}`) })),
        h("button", { type: "button", onclick: () => { this.repeating = false; this.show(1); } }, say("learn.again")),
        link("/learn", say("learn.all"))));
  }
}

/** What the paper says of it, with the way there. @param {string} name */
function quote(name) {
  if (!known(`quote.${name}`)) return null;
  const text = say(`quote.${name}`);
  const [number] = /\d{3}(?=[^()]*\)$)/.exec(text) ?? [""];
  return h("blockquote", { class: "quiet" }, h("p", {}, link(`/lab/${number}`, text)));
}

/** A question before the next step: answered at once, as often as one likes, at no cost. */
class Answers {
  /** @param {Question} question @param {(right: boolean) => void} judged Hears of the first answer. @param {() => void} update */
  constructor(question, judged, update) {
    this.question = question;
    this.judged = judged;
    this.update = update;
    this.tries = 0;
    this.hints = 0;
    /** @type {Shown | null} */
    this.last = null;
    this.right = false;
    this.feedback = "";
  }

  /** @param {Shown} answer */
  answer(answer) {
    const { kind, answers, replies, otherwise } = this.question;
    const right = answers.includes(answer);
    const reply = replies[String(answer)] ?? (kind === "number" && otherwise ? [otherwise] : []);
    if (kind === "move" && !right && !reply.length) return this.tell(say("error.not_possible", { move: answer }));
    this.tries += 1;
    if (this.tries === 1) this.judged(right && this.hints === 0);
    this.last = answer;
    this.right = right;
    this.tell(right ? `✓ ${say("learn.right")}` : `✗ ${[...reply.map(sentence), say("learn.wrong")].join(" ")}`);
  }

  /** @param {string} feedback */
  tell(feedback) {
    this.feedback = feedback;
    this.update();
    setTimeout(() => document.querySelector(".ask .feedback")?.scrollIntoView({ block: "nearest" })); // above the bar at the bottom
  }

  /** @param {number} key The step. @param {Child} afterwards */
  view(key, afterwards) {
    const { text, hints } = this.question;
    const judged = !this.tries ? "" : this.right ? "right" : "wrong";
    return h("section", { key, class: `ask ${judged}`, "aria-label": say("learn.question") },
      h("p", { class: "asked" }, sentence(text)), this.#form(), afterwards,
      h("ul", { class: "hints" }, hints.slice(0, this.hints).map((hint) => h("li", {}, sentence(hint)))),
      h("p", { class: this.right ? "feedback good" : "feedback", role: "status" }, this.feedback));
  }

  #form() {
    const { kind, choices, hints } = this.question;
    if (kind === "number") return this.#number();
    return h("div", { class: "row" }, kind === "move"
      ? h("button", { type: "button", disabled: this.hints >= hints.length, onclick: () => { this.hints += 1; this.update(); } }, say("learn.hint"))
      : choices.map((choice) => h("button", { type: "button", "data-choice": choice, "aria-pressed": choice === this.last ? "true" : null, onclick: () => this.answer(choice) }, shown(choice))));
  }

  #number() {
    const send = (/** @type {any} */ [{ value }]) => (value.trim() === "" ? this.tell(say("learn.number_needed")) : this.answer(Number(value)));
    return form({ class: "row", novalidate: true }, send,
      h("input", { type: "number", step: "any", "aria-label": say("learn.answer") }), h("button", { type: "submit" }, say("learn.check")));
  }
}
