// @ts-check
// What a step shows: the board, the tree, the pseudo-code, the variables, a table, a curve.

import { BoardView } from "../board.js";
import { lineChart } from "../charts.js";
import { fill, group, h } from "../dom.js";
import { say } from "../language.js";
import { branchesOf } from "./branches.js";
import { shown } from "./words.js";

/** @typedef {import("./lessons.js").Moment} Moment */
/** @typedef {import("./lessons.js").Lesson} Lesson */

export class Stage {
  /** @param {Lesson} lesson @param {(move: string) => void} pick */
  constructor(lesson, pick) {
    this.lesson = lesson;
    this.board = new BoardView(pick);
    this.tree = h("div", { class: "lesson-tree" });
    this.link = h("a", { class: "analyse-link", "data-link": "" }, say("learn.analyse"));
    this.element = h("div", { class: "lesson-stage" }, this.board.element, this.link, this.tree);
    this.code = codeOf(lesson);
    this.facts = h("div", { class: "lesson-facts" });
    this.notes = h("div", { class: "lesson-notes" }, this.code, this.facts);
  }

  /** @param {Moment} moment @param {boolean} live May a move be chosen on the board? */
  show(moment, live) {
    this.#showBoard(moment, live);
    fill(this.tree, moment.tree.length > 0 && [branchesOf(moment.tree, moment.current), h("p", { class: "quiet" }, say("learn.tree_key"))]);
    for (const line of this.code?.querySelectorAll("[data-line]") ?? []) {
      if (line.getAttribute("data-line") === moment.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    fill(this.facts, variablesOf(moment), tableOf(moment), curvesOf(moment));
  }

  /** @param {Moment} moment @param {boolean} live */
  #showBoard(moment, live) {
    const board = this.lesson.boards[moment.board ?? 0];
    const legal = live ? board.legal : board.legal.map((each) => ({ ...each, svg: "" }));
    this.board.show({ ...board, legal }, { label: say("learn.board"), live });
    if (moment.drawing) this.board.svg?.append(group(moment.drawing, "layer lesson-layer"));
    const values = Object.entries(moment.values).map(([m, v]) => ({ m, v, k: moment.proved ? "exact" : "points", n: 0 }));
    this.board.showValues(/** @type {any} */ ({ position: board.position, values, scores: {}, best: moment.best }));
    this.link.setAttribute("href", `/analyse/${board.name}?${new URLSearchParams({ pos: board.position })}`);
    this.link.hidden = !board.legal.length;
  }
}

/** @param {Lesson} lesson */
function codeOf(lesson) {
  if (!lesson.lines.length) return null;
  const lines = say(`lesson.${lesson.name}_code`).split("\n");
  return h("section", { class: "panel chosen code", "aria-label": say("learn.code") },
    h("h2", {}, say("learn.code")),
    h("ol", {}, lines.map((text, place) => {
      const indent = text.length - text.trimStart().length;
      return h("li", { "data-line": lesson.lines[place], class: `indent-${indent / 2}` }, text.trim());
    })));
}

/** @param {Moment} moment */
function variablesOf(moment) {
  const entries = Object.entries(moment.variables);
  if (!entries.length) return null;
  return h("section", { class: "panel chosen", "aria-label": say("learn.variables") },
    h("h2", {}, say("learn.variables")),
    h("dl", { class: "variables" }, entries.map(([name, value]) =>
      h("div", {}, h("dt", {}, say(`lesson.var_${name}`)), h("dd", { class: "number", "data-variable": name }, shown(value))))));
}

/** @param {Moment} moment */
function tableOf({ table }) {
  if (!table) return null;
  return h("section", { class: "panel chosen", "aria-label": say("learn.facts") },
    h("table", {},
      h("thead", {}, h("tr", {}, table.head.map((key) => h("th", { scope: "col" }, say(key))))),
      h("tbody", {}, table.rows.map((row, place) =>
        h("tr", { class: place === table.marked ? "marked" : undefined }, row.map((cell) => h("td", {}, shown(cell))))))));
}

/** @param {Moment} moment */
function curvesOf({ curves }) {
  const series = Object.entries(curves).map(([kind, points]) => ({ name: say(`lesson.curve_${kind}`), kind, points }));
  if (!series.length) return null;
  return h("section", { class: "panel chosen", "aria-label": say("learn.curve") },
    h("h2", {}, say("learn.curve")), lineChart(say("learn.curve"), series));
}
