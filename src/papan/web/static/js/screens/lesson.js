// @ts-check
// One lesson: step by step, with questions, and every step with a link of its own.

import { boardOf, lesson as lessonOf, lessons, readMove } from "../api.js";
import { Board, pointed } from "../board.js";
import { agentTitle, known, language, say, trouble } from "../language.js";
import { Learning } from "../learning.js";
import {
  advance, askAgain, isDue, judge, mastered, nextLesson, openOf, progressOf, wayInto,
} from "../progress.js";
import { save, read } from "../settings.js";
import { Group, button, columns, forPage, form, link, listKeys, presses, select, tool } from "../ui.js";
import { labelsOf, lineChart } from "../values.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { BoardFacts, LessonFacts, LessonStep as Moment, Node as LessonNode, Question } from "../wire.d.ts" */
/** @import { Message, WholeLesson as Lesson } from "../wire.d.ts" */
/** @typedef {string | number} Shown */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {{lesson: Lesson, all: LessonFacts[], step: number, again: boolean, signal: AbortSignal}} LessonProps */

const PLACE = "papan.learn.speed";
const SPEEDS = /** @type {Record<string, number>} */ ({ slow: 5000, usual: 2500, quick: 1000 });
const PACE = 900; // milliseconds between the moves that refute a wrong one
const MOST_PLAYED = 12; // of those moves
const [WIDTH, ROW, HALF, HIGH] = [340, 62, 24, 15]; // of a tree and its nodes
const BESIDE = 24; // room for the window of the last node
const MARKS = /** @type {Record<string, string>} */ ({ cut: "✂", known: "⌂" });
const SHARE = /^[\d.]+\/\d+$/; // wins and visits, such as 1.5/3
const STROKES = ["—", "– –", "····"]; // of the first curve, the second, the third
const CURVES = ["best", "mean", "worst"]; // which look like those strokes
const KEYS = /** @type {Record<string, "back" | "next" | "first" | "last">} */ ({
  ArrowLeft: "back",
  ArrowRight: "next",
  Home: "first",
  End: "last",
});

/**
 * @param {string} name
 * @param {URL} url
 * @param {AbortSignal} signal
 * @returns {Promise<Screen>}
 */
export async function lessonScreen(name, url, signal) {
  const all = await lessons();
  if (!all.some((each) => each.name === name)) return missing(name);
  const lesson = await lessonOf(name);
  const again = isDue(lesson) && !url.searchParams.has("step");
  if (again) askAgain(lesson);
  const step = url.searchParams.has("step") ? Number(url.searchParams.get("step")) || 1 : left(lesson);
  return { title: say(`lesson.${name}_title`), view: h(LessonPage, { lesson, all, step, again, signal }) };
}

/** @param {string} name @returns {Screen} */
function missing(name) {
  return {
    title: say("learn.title"),
    view: h("div", { class: "lost" },
      h("h1", {}, say("learn.title")),
      h("p", { role: "alert" }, say("learn.no_such", { name })),
      link("/learn", say("learn.all"), { class: "button" }),
    ),
  };
}

/**
 * Return the step to go on with: the last one, or at the end the first with an open question.
 * @param {Lesson} lesson
 */
function left(lesson) {
  const { step } = progressOf(lesson.name);
  return step < lesson.moments.length ? step : (openSteps(lesson)[0] ?? 1);
}

/** Return the numbers (from 1) of the steps whose questions were never answered right. @param {Lesson} lesson */
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
    this.timer = 0; // of the next step, while the lesson plays
    this.step = 1;
    /** @type {Answers | null} */
    this.answers = null;
    /** @type {string | null} */
    this.pointed = null; // the move that was chosen on the board
    /** @type {{line: string[], board: BoardFacts | null} | null} */
    this.refuted = null; // what comes of a wrong move, as far as it is played out
    this.repeating = props.again; // only what is open is asked
    this.speed = read(PLACE).speed in SPEEDS ? read(PLACE).speed : "usual";
    this.show(props.step);
    document.addEventListener("keydown", (event) => this.key(event), { signal: props.signal });
    listKeys(lessonKeys, props.signal);
    props.signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  get steps() { return this.props.lesson.moments.length; }

  get moment() { return this.props.lesson.moments[this.step - 1]; }

  /** Return the name of the question of a step, by which its answer is stored. @param {number} step */
  #question(step) {
    const { questions, moments } = this.props.lesson;
    return questions[moments.slice(0, step - 1).filter(({ question }) => question).length];
  }

  /** Go to a step; a question on the way that was never shown comes first. @param {number} step */
  go(step) {
    const { name, moments } = this.props.lesson;
    const { seen } = progressOf(name);
    const unseen = moments
      .map(({ question }, place) => (question ? place + 1 : 0))
      .find((each) => each > this.step && each < step && !seen.includes(this.#question(each)));
    this.pause();
    this.show(unseen ?? step);
    if (unseen) this.answers?.tell(say("learn.first_question"));
  }

  /** @param {number} asked */
  show(asked) {
    this.step = Math.min(Math.max(Math.round(asked), 1), this.steps);
    const { question } = this.moment;
    this.answers =
      question &&
      new Answers(
        question,
        (right) => judge(this.props.lesson, this.#question(this.step), right),
        () => this.forceUpdate(),
        (move) => this.#whyNot(move),
      );
    this.pointed = this.refuted = null;
    this.#remember();
    this.forceUpdate();
  }

  #remember() {
    const { name } = this.props.lesson;
    const seen = new Set(progressOf(name).seen);
    if (this.moment.question) seen.add(this.#question(this.step));
    advance(name, { step: this.step, when: Date.now(), seen: [...seen] });
    const address = `/learn/${name}?step=${this.step}`;
    if (location.pathname + location.search !== address) history.replaceState(history.state, "", address);
  }

  // Back, next, play: nothing moves before it is asked to.

  /** @param {"back" | "next" | "first" | "last"} where */
  move(where) {
    const step = { back: this.step - 1, next: this.step + 1, first: 1, last: this.steps }[where];
    this.pause();
    if (step >= 1 && step <= this.steps) this.go(step);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.forceUpdate();
  }

  /** Play the lesson step by step; stops at a question without an answer. */
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
    this.refuted = null; // the board shows this answer, not what came of the last one
    this.answers?.answer(move);
    if (this.moment.question?.replies[move]) this.#refute(move);
    this.forceUpdate();
  }

  /** Return why a move is not possible on the board of this step. @param {string} move */
  async #whyNot(move) {
    const { boards } = this.props.lesson;
    try {
      const { problem } = await readMove(boards[this.moment.board ?? 0].position, [], move);
      return problem ? say(problem.key, problem.values) : say("error.not_possible", { move });
    } catch (error) {
      return trouble(error);
    }
  }

  /** Play the refutation of a wrong move on the board. @param {string} move */
  async #refute(move) {
    const {
      lesson: { boards },
      signal,
    } = this.props;
    const line = [move, ...(this.moment.question?.refutations[move] ?? [])].slice(0, MOST_PLAYED);
    const refuted = (this.refuted = {
      line: /** @type {string[]} */ ([]),
      board: /** @type {BoardFacts | null} */ (null),
    });
    const start = boards[this.moment.board ?? 0].position;
    try {
      for (const [place, each] of line.entries()) {
        const after = await boardOf(start, line.slice(0, place + 1));
        if (place)
          await new Promise((next) => {
            setTimeout(next, PACE);
          });
        if (this.refuted !== refuted || signal.aborted) return;
        refuted.board = after;
        refuted.line.push(each);
        this.forceUpdate();
      }
    } catch (error) {
      if (this.refuted === refuted) this.answers?.tell(trouble(error));
    }
  }

  /** Show the answer, on the board as well. */
  #reveal() {
    const { question } = this.moment;
    this.refuted = null;
    this.pointed = question?.kind === "move" ? String(question.answers[0]) : null;
    this.answers?.reveal();
  }

  /** Go to the next open question; after the last one to the end. */
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
      h("div", { class: "lesson-stage" },
        board(lesson, moment, this.pointed, (move) => this.pick(move), this.refuted?.board),
        tree(moment),
      ),
      h("div", { class: "lesson-said" },
        h("p", { class: "sentence", "aria-live": "polite" }, sentence(moment.text)),
        h("div", { class: "below" },
          (step === 1 || step === this.steps) && quote(lesson.name),
          this.answers?.view(step, this.#afterwards()),
          step === this.steps && this.#end(),
        ),
      ),
      notes(lesson, moment),
      this.#controls(),
    );
    return lesson.agent.startsWith("learned")
      ? h("div", {}, page, h(Learning, { game: lesson.game, signal: this.props.signal }))
      : page;
  }

  /** Return the choice of a chapter; nothing if there is only one. */
  #chapters() {
    const chapters = this.props.lesson.moments.flatMap(({ chapter }, place) =>
      chapter ? [{ step: place + 1, title: sentence(chapter) }] : [],
    );
    if (chapters.length < 2) return null;
    const here = chapters.findLast(({ step }) => step <= this.step) ?? chapters[0];
    const named = chapters.map(({ step, title }, place) => [String(step), `${place + 1}. ${title}`]);
    return select(String(here.step), named, (step) => this.go(Number(step)), {
      class: "chapters",
      "aria-label": say("learn.chapter"),
    });
  }

  /** Return the tools after an answer: look at the question again, see the answer, or go to the next open one. */
  #afterwards() {
    const { refuted, answers } = this;
    if (answers?.tries && !answers.settled) {
      return h("div", { class: "row" },
        refuted?.board && [
          h("span", { class: "played-out", role: "status" }, say("learn.played_out", { line: refuted.line.join(" ") })),
          tool("learn.try_again", () => {
            this.refuted = this.pointed = null;
            this.forceUpdate();
          }),
        ],
        tool("learn.show_answer", () => this.#reveal()),
      );
    }
    if (!this.repeating || !this.answers?.right) return null;
    return h("div", { class: "row" },
      tool(mastered(this.props.lesson) ? "learn.to_end" : "learn.next_open", () => this.askOpen(), {
        class: "primary",
      }),
    );
  }

  #controls() {
    const { step, steps } = this;
    const open = this.answers && !this.answers.settled;
    const speeds = Object.keys(SPEEDS).map((name) => [name, say(`learn.${name}`)]);
    return h("div", { class: "lesson-controls" },
      h("div", { class: "row" },
        button(say("learn.back"), () => this.move("back"), { "data-go": "back", disabled: step === 1 }),
        button(say(this.timer ? "learn.pause" : "learn.play"), () => this.toggle(), {
          "data-go": "play",
          disabled: step === steps,
        }),
        button(say(open ? "learn.skip" : "learn.next"), () => this.move("next"), {
          class: open ? "" : "primary",
          "data-go": "next",
          disabled: step === steps,
        }),
        select(
          this.speed,
          speeds,
          (speed) => {
            this.speed = speed;
            save(PLACE, { speed });
          },
          { "aria-label": say("learn.speed") },
        ),
      ),
      h("div", { class: "reach" },
        this.#chapters(),
        h("input", {
          type: "range",
          min: 1,
          max: steps,
          value: step,
          "aria-label": say("learn.slider"),
          "aria-valuetext": say("learn.step_of", { step, steps }),
          oninput: (event) => this.go(Number(event.currentTarget.value)),
        }),
        h("span", { class: "count number" }, `${step} / ${steps}`),
      ),
    );
  }

  /** Return the end of a lesson: what was right, what is open, and links to continue. */
  #end() {
    const { lesson, all } = this.props;
    const { name, game, agent, questions } = lesson;
    const open = openOf(lesson).length;
    const { again } = progressOf(name);
    const following = nextLesson(all, name);
    const seats = agent ? `?${new URLSearchParams({ seats: `human|${agent}` })}` : "";
    return h("section", {
        class: `ask end ${open ? "" : "mastered"}`,
        "aria-label": say("learn.score", { right: questions.length - open, questions: questions.length }),
      },
      h("p", {},
        h("strong", {}, open ? say("learn.not_mastered") : `✓ ${say("learn.is_mastered")}`),
        " ",
        say("learn.score", { right: questions.length - open, questions: questions.length }),
        !open && again && ` ${say("learn.comes_back", { day: day(again[1]) })}`,
      ),
      h("div", { class: "row" },
        open > 0 && tool("learn.open", () => this.askOpen(), { class: "primary" }),
        following && wayInto(following, { class: open ? "" : "button" }),
        link(
          `/play/${game}${seats}`,
          say(agent ? "learn.try_agent" : "learn.try_game", {
            agent: agentTitle(/^level:/.test(agent) ? agent : agent.split(":")[0]),
            game: say(`game.${game}`),
          }),
        ),
        button(say("learn.again"), () => {
          this.repeating = false;
          this.show(1);
        }),
        link("/learn", say("learn.all")),
      ),
    );
  }
}

/** Return the keys of a lesson, for its help. @returns {[string, string][]} */
const lessonKeys = () => [
  ["← →", say("learn.key_step")],
  ["Home End", say("learn.key_ends")],
  ["Space", say("learn.key_play")],
];

/** Return a day in words. @param {string} date YYYY-MM-DD */
function day(date) {
  const [year, month, number] = date.split("-").map(Number);
  return new Intl.DateTimeFormat(language(), { dateStyle: "long" }).format(new Date(year, month - 1, number));
}

/** Return a quotation from the paper, with a link to it. @param {string} name */
function quote(name) {
  if (!known(`quote.${name}`)) return null;
  const text = say(`quote.${name}`);
  const [number] = /\d{3}(?=[^()]*\)$)/.exec(text) ?? [""];
  return h("blockquote", { class: "quiet" }, h("p", {}, link(`/lab/${number}`, text)));
}

/** A question before the next step: answered at once, as often as one likes, at no cost. */
class Answers {
  /**
   * @param {Question} question
   * @param {(right: boolean) => void} judged Called with whether the first answer is right.
   * @param {() => void} update
   * @param {(move: string) => Promise<string>} whyNot Returns why a move is not possible.
   */
  constructor(question, judged, update, whyNot) {
    this.question = question;
    this.judged = judged;
    this.update = update;
    this.whyNot = whyNot;
    this.tries = 0;
    this.hints = 0;
    /** @type {Shown | null} */
    this.last = null;
    this.right = false;
    this.revealed = false;
    /** @type {string[]} */
    this.explained = []; // why the last answer is wrong, with the right one
    this.feedback = "";
  }

  /** True once the right answer was given, or shown. */
  get settled() { return this.right || this.revealed; }

  /** @param {Shown} answer */
  answer(answer) {
    const { kind, answers, replies, otherwise } = this.question;
    const right = answers.includes(answer);
    const reply = replies[String(answer)] ?? (kind === "number" && otherwise ? [otherwise] : []);
    if (kind === "move" && !right && !reply.length) {
      const { tries } = this;
      this.whyNot(String(answer)).then((text) => {
        if (this.tries === tries) this.tell(text); // nothing was answered meanwhile
      });
      return;
    }
    this.tries += 1;
    if (this.tries === 1) this.judged(right && this.hints === 0);
    this.last = answer;
    this.right = right;
    this.explained = reply.map(sentence);
    const words = [...this.explained.map((text) => this.#masked(text)), say("learn.wrong")];
    this.tell(right ? `✓ ${say("learn.right")}` : `✗ ${words.join(" ")}`);
  }

  /** Show the right answer, and why the last one is wrong. */
  reveal() {
    this.revealed = true;
    const answer = this.question.answers.map(shown).join(", ");
    this.tell([say("learn.answer_is", { answer }), ...this.explained].join(" "));
  }

  /** Return a sentence with the right answer hidden in it; of choices nothing is hidden. @param {string} text */
  #masked(text) {
    const { kind, answers } = this.question;
    if (kind === "choice") return text;
    const names = answers.map((each) => shown(each).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return text.replace(new RegExp(`(?<![\\w−])(${names.join("|")})(?!\\w)`, "g"), "…");
  }

  /** @param {string} feedback */
  tell(feedback) {
    this.feedback = feedback;
    this.update();
    setTimeout(() => {
      const above = [".ask > :last-child", ".ask .feedback"]; // the bar at the bottom; last what matters most
      for (const each of above) document.querySelector(each)?.scrollIntoView({ block: "nearest" });
    });
  }

  /** @param {number} key The step. @param {Child} afterwards */
  view(key, afterwards) {
    const { text, hints } = this.question;
    const judged = !this.tries ? "" : this.right ? "right" : "wrong";
    return h("section", { key, class: `ask ${judged}`, "aria-label": say("learn.question") },
      h("p", { class: "asked" }, sentence(text)),
      this.#form(),
      h("ul", { class: "hints" },
        hints.slice(0, this.hints).map((hint) => h("li", {}, sentence(hint))),
      ),
      h("p", { class: this.right ? "feedback good" : "feedback", role: "status" }, this.feedback),
      afterwards,
    );
  }

  #form() {
    const { kind, choices, hints } = this.question;
    if (kind === "number") return this.#number();
    return h("div", { class: "row" },
      kind === "move"
        ? button(
            say("learn.hint"),
            () => {
              this.hints += 1;
              this.update();
            },
            { disabled: this.hints >= hints.length },
          )
        : choices.map((choice) =>
            button(shown(choice), () => this.answer(choice), {
              "data-choice": choice,
              "aria-pressed": choice === this.last ? "true" : null,
            }),
          ),
    );
  }

  #number() {
    const send = (/** @type {any} */ [{ value }]) =>
      value.trim() === "" ? this.tell(say("learn.number_needed")) : this.answer(Number(value));
    return form(
      { class: "row", novalidate: true },
      send,
      h("input", { type: "number", step: "any", "aria-label": say("learn.answer") }),
      h("button", { type: "submit" }, say("learn.check")),
    );
  }
}

// What a step shows: the board, the tree, the pseudo-code, the variables, a table, a curve.

/** Return a value as text for people, a key as its text. @param {Shown} value */
function shown(value) {
  if (typeof value === "string")
    return SHARE.test(value)
      ? value
          .split("/")
          .map((part) => number(Number(part)))
          .join("/")
      : say(value);
  return number(value);
}

/** @param {number} value */
function number(value) {
  const text = new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(Math.abs(value));
  return value < 0 ? `\u2212${text}` : text;
}

/** @param {Message} text */
function sentence({ key, values }) {
  return say(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)])));
}

/**
 * Return the board of a step; if a move is asked for, one may be chosen on it.
 * @param {Lesson} lesson
 * @param {Moment} moment
 * @param {string | null} move The one that was chosen.
 * @param {(move: string) => void} pick
 * @param {BoardFacts | null} [played] What comes of it, in place of the board of the step.
 */
function board({ boards, variants }, moment, move, pick, played) {
  if (played) return [h(Board, { board: still(played), label: say("learn.board"), live: false, pick })];
  const shownBoard = boards[moment.board ?? 0];
  const live = moment.question?.kind === "move";
  const compared = new URLSearchParams({ pos: shownBoard.position, variants: variants.join("|") });
  const values = Object.entries(moment.values).map(([m, v]) => ({ m, v, k: moment.proved ? "exact" : "points", n: 0 }));
  return [
    h(Board, {
      board: live ? shownBoard : still(shownBoard),
      label: say("learn.board"),
      live,
      pick,
      layers: [
        moment.drawing && h(Group, { key: "lesson", name: "layer lesson-layer", text: moment.drawing }),
        live && pointed(shownBoard, "pointed", move),
        labelsOf(shownBoard, {
          position: shownBoard.position,
          values: /** @type {any} */ (values),
          distances: {},
          best: moment.best,
        }),
      ],
    }),
    h("p", { class: "analyse-link", hidden: !shownBoard.legal.length },
      link(`/analyse/${shownBoard.name}?${new URLSearchParams({ pos: shownBoard.position })}`, say("learn.analyse")),
      variants.length > 0 &&
        link(`/analyse/${shownBoard.name}?${compared}`, say("learn.own"), { "data-own": "" }),
    ),
  ];
}

/** @type {WeakMap<BoardFacts, BoardFacts>} */
const stills = new WeakMap();

/** Return properties of a board that shows no move before it is made. @param {BoardFacts} live */
function still(live) {
  const known = stills.get(live) ?? { ...live, legal: live.legal.map((each) => ({ ...each, svg: "" })) };
  stills.set(live, known);
  return known;
}

/**
 * Return the drawing of the tree around the current node: the path to it, and the branches off that path.
 * @param {Moment} moment
 */
function tree({ tree: nodes, current }) {
  const counted = nodes.some(({ text }) => SHARE.test(String(text)));
  return h("div", { class: "lesson-tree" },
    nodes.length > 0 && [
      branches(nodes, current),
      h("p", { class: "quiet" }, say(counted ? "learn.tree_key_games" : "learn.tree_key")),
    ],
  );
}

/** @param {LessonNode[]} nodes @param {number | null} current */
function branches(nodes, current) {
  const byId = new Map(nodes.map((node) => [node.number, node]));
  const way = wayTo(current, byId);
  const places = placesOf(nodes, byId);
  const height = HIGH * 2 + ROW * Math.max(...nodes.map((node) => depth(node, byId))) + 12;
  const names = way
    .map((id) => byId.get(id)?.move)
    .filter(Boolean)
    .join(" → ");
  return h("svg", {
      class: "branches",
      viewBox: `0 0 ${WIDTH + (nodes.some((node) => node.window) ? BESIDE : 0)} ${height}`,
      role: "img",
      "aria-label": `${say("learn.tree")} ${names}`.trim(),
    },
    nodes.map((node) => edge(node, places, way)),
    nodes.map((node) => knot(node, places, node.number === current)),
  );
}

/** @param {number | null} current @param {Map<number, LessonNode>} byId */
function wayTo(current, byId) {
  const way = [];
  for (let id = current; id !== null; id = byId.get(id)?.up ?? null) way.unshift(id);
  return way;
}

/**
 * @param {LessonNode} node
 * @param {Map<number, LessonNode>} byId
 * @returns {number}
 */
function depth(node, byId) {
  const up = node.up === null ? undefined : byId.get(node.up);
  return up ? depth(up, byId) + 1 : 0;
}

/**
 * Return the place of each node: each row has the children of one node, side by side.
 * @param {LessonNode[]} nodes
 * @param {Map<number, LessonNode>} byId
 * @returns {Map<number, Place>}
 */
function placesOf(nodes, byId) {
  const places = new Map();
  for (const node of nodes) {
    const row = nodes.filter((each) => each.up === node.up);
    const x = (WIDTH * (row.indexOf(node) + 0.5)) / row.length;
    places.set(node.number, { x, y: HIGH + 6 + ROW * depth(node, byId) });
  }
  return places;
}

/**
 * @param {LessonNode} node
 * @param {Map<number, Place>} places
 * @param {number[]} way
 */
function edge(node, places, way) {
  const to = places.get(node.number);
  const from = node.up === null ? undefined : places.get(node.up);
  if (!from || !to) return null;
  const [x, y] = [(from.x + 2 * to.x) / 3, (from.y + 2 * to.y) / 3];
  const left = to.x < from.x; // on the side to which the line leads down: there it does not cross its name
  return h("g", { class: way.includes(node.number) ? "edge on-way" : "edge" },
    h("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    h("text", { class: "edge-name", x: left ? x - 5 : x + 5, y: y - 2, "text-anchor": left ? "end" : "start" },
      node.move,
    ),
  );
}

/**
 * @param {LessonNode} node
 * @param {Map<number, Place>} places
 * @param {boolean} here
 */
function knot(node, places, here) {
  const { x, y } = places.get(node.number) ?? { x: 0, y: 0 };
  const text = node.text === null ? "?" : shown(node.text);
  return h("g", { class: `knot ${node.role} ${node.state}${here ? " here" : ""}`, "data-node": node.number },
    h("rect", { x: x - HALF, y: y - HIGH, width: 2 * HALF, height: 2 * HIGH, rx: node.role === "max" ? 4 : HIGH }),
    h("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text),
    node.window?.map((bound, place) =>
      h("text", { class: "window", x: x + HALF + 4, y: place ? y + HIGH : y - 1 },
        `${"αβ"[place]} ${shown(bound)}`,
      ),
    ),
    MARKS[node.state] &&
      h("text", { class: "mark", x: x - HALF - 9, y, "text-anchor": "middle", "dominant-baseline": "central" },
        MARKS[node.state],
      ),
  );
}

/**
 * Return what stands beside the board: pseudo-code with the current line, variables, a table, a curve.
 * @param {Lesson} lesson
 * @param {Moment} moment
 */
function notes(lesson, moment) {
  return h("div", { class: "lesson-notes" },
    codeOf(lesson, moment.line),
    h("div", { class: "lesson-facts" }, variablesOf(moment), tableOf(moment), curvesOf(lesson, moment)),
  );
}

/** @param {Lesson} lesson @param {string} line */
function codeOf({ name, lines }, line) {
  if (!lines.length) return null;
  return h("section", { class: "panel chosen code", "aria-label": say("learn.code") },
    h("h2", {}, say("learn.code")),
    h("ol", {},
      say(`lesson.${name}_code`)
        .split("\n")
        .map((text, place) => {
          const indent = text.length - text.trimStart().length;
          return h("li", {
              "data-line": lines[place],
              class: `indent-${indent / 2}`,
              "aria-current": lines[place] === line ? "step" : null,
            },
            text.trim(),
          );
        }),
    ),
  );
}

/** @param {Moment} moment */
function variablesOf(moment) {
  const entries = Object.entries(moment.variables);
  if (!entries.length) return null;
  return h("section", { class: "panel chosen", "aria-label": say("learn.variables") },
    h("h2", {}, say("learn.variables")),
    h("dl", { class: "variables" },
      entries.map(([name, value]) =>
        h("div", {},
          h("dt", {}, say(`lesson.var_${name}`)),
          h("dd", { class: "number", "data-variable": name }, shown(value)),
        ),
      ),
    ),
  );
}

/** @param {Moment} moment */
function tableOf({ table }) {
  if (!table) return null;
  return h("section", { class: "panel chosen", tabindex: 0, "aria-label": say("learn.facts") },
    h("table", {},
      columns(table.head.map((key) => say(key))),
      h("tbody", {},
        table.rows.map((row, place) =>
          h("tr", { class: place === table.marked ? "marked" : undefined },
            row.map((cell) => h("td", {}, shown(cell))),
          ),
        ),
      ),
    ),
  );
}

/** @param {Lesson} lesson @param {Moment} moment */
function curvesOf({ name: lesson }, { curves }) {
  const series = Object.entries(curves).map(([name, points], place) => ({
    name: say(`lesson.curve_${name}`),
    kind: CURVES[place % CURVES.length],
    points,
  }));
  if (!series.length) return null;
  const title = say(`lesson.${lesson}_curves`);
  const legend = series.map(({ name }, place) => `${STROKES[place % STROKES.length]} ${name}`).join(" · ");
  return h("section", { class: "panel chosen", "aria-label": title },
    h("h2", {}, title),
    lineChart(title, series),
    h("p", { class: "legend quiet" }, legend),
  );
}
