// @ts-check
// Where everything stands on the screen of an analysis: the board or its editor, and the panels beside it.

import { fill, h } from "../dom.js";
import { gameTitle, say } from "../language.js";
import { panelsOf } from "../panels.js";
import { labelled } from "../picker.js";
import { go } from "../router.js";

/** @typedef {{sight: HTMLElement, values: HTMLElement[], moves: HTMLElement[], board: HTMLElement[]}} Parts */

export class Desk {
  /** @param {"analyse" | "solve"} screen @param {Parts} parts */
  constructor(screen, parts) {
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("web.tools") });
    this.size = h("select", { onchange: () => go(`/${screen}/${encodeURIComponent(this.size.value)}`) });
    this.shown = h("div", { class: "shown" }, parts.sight, this.status, this.problem, this.tools);
    const title = h("h1", { class: "small" }, say(screen === "solve" ? "web.solve" : "web.analyse"), " ", labelled(say("web.game_size"), this.size));
    this.stage = h("div", { class: "stage" }, title, this.shown);
    this.element = h("div", { class: "table-screen analyse-screen" }, this.stage, panelsOf([
      { key: "web.panel_values", body: h("div", {}, parts.values) },
      { key: "web.panel_moves", body: h("div", {}, parts.moves) },
      { key: "web.panel_board", body: h("div", {}, parts.board) },
    ]));
  }

  /** The games and sizes to go to.
   * @param {string} here @param {string[]} specs */
  offer(here, specs) {
    fill(this.size, [...new Set([here, ...specs])].map((spec) => h("option", { value: spec }, gameTitle(spec))));
    this.size.value = here;
  }

  /** Show something in place of the board, or the board again.
   * @param {HTMLElement | null} other */
  replace(other) {
    this.stage.lastElementChild?.replaceWith(other ?? this.shown);
  }

  /** Is the board itself shown? */
  get open() {
    return this.stage.lastElementChild === this.shown;
  }
}
