// @ts-check
// Where everything stands at a table: players, board, tools, and the panels beside them.

import { fill, h } from "../dom.js";
import { featuresOf } from "../features.js";
import { gameTitle, say } from "../language.js";
import { panelsOf } from "../panels.js";
import { change, settings } from "../settings.js";

const COUNTED = ["adjacency.rounds_left", "onet.left"]; // what players want to see all the time

export class Frame {
  /** @param {import("./screen.js").PlayScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.players = h("div", { class: "players" });
    this.counter = h("p", { class: "counter" });
    this.facts = h("div", { class: "features" });
    this.moves = h("div", { class: "moves" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("web.tools") });
    this.middle = h("div", {}, screen.bar.element, screen.view.element);
    this.element = h("div", { class: "table-screen" },
      h("div", { class: "stage" }, h("h1", { class: "unseen" }, gameTitle(screen.table.board.game)),
        this.players, this.counter, this.middle, this.status, this.problem, screen.puzzle.element, this.tools),
      panelsOf([
        { key: "web.panel_why", body: screen.why.element },
        { key: "web.panel_moves", body: h("div", {}, this.moves, this.#typing()) },
        { key: "web.panel_board", body: this.facts },
      ]));
  }

  /** A field for those who would rather type. */
  #typing() {
    const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", id: "typed", size: 8 });
    const form = h("form", { class: "typing", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const move = field.value.trim();
      field.value = "";
      if (move) this.screen.picked(move);
    } }, h("label", { for: "typed" }, say("web.type_move")), field, h("button", { type: "submit" }, say("web.enter")));
    form.hidden = !this.screen.table.hasPerson;
    return form;
  }

  /** What experts see, the seed and the notation. */
  showFacts() {
    const { table, view, puzzle } = this.screen;
    const { board } = table;
    const seed = /seed=(\d+)/.exec(`${table.start} ${table.seats.join(" ")}`)?.[1];
    fill(this.counter, puzzle.facts(), board.features.filter((each) => COUNTED.includes(each.key)).map((each) => h("span", {}, say(each.key, each.values))));
    fill(this.facts,
      table.hasPerson && this.#valuesBox(),
      featuresOf(board, view),
      h("p", { class: "quiet seed" }, seed ? say("play.seed", { seed }) : say("web.no_seed")),
      h("p", { class: "quiet notation" }, h("code", {}, board.position)));
  }

  #valuesBox() {
    const box = h("input", { type: "checkbox", checked: settings.values, id: "values", onchange: () => {
      change({ values: box.checked });
      this.screen.show();
      this.screen.turns.next();
      document.getElementById("values")?.focus();
    } });
    return h("div", {}, h("label", { class: "check" }, box, ` ${say("web.show_values")}`));
  }
}
