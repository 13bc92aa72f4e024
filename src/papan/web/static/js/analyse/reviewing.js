// @ts-check
// The review of a game: per player how many moves were optimal, lost value or changed the result.

import { fill, h } from "../dom.js";
import { player, say, signed, trouble } from "../language.js";
import { labelled } from "../picker.js";
import { review, summary, verdictText } from "../review.js";
import { change, settings } from "../settings.js";

/** @typedef {import("../review.js").Verdict} Verdict */

export class ReviewPanel {
  /** @param {{go: (ply: number) => void, told: (ply: number, story: import("../thinking.js").Story) => void}} screen */
  constructor(screen) {
    this.screen = screen;
    this.element = h("div", { class: "reviewed" });
    /** @type {Map<number, string>} */
    this.notes = new Map(); // what is wrong with a ply, in words
    /** @type {Verdict[]} */
    this.verdicts = [];
    this.seats = 2;
  }

  stop() {
    this.controller?.abort();
  }

  /** What is known of plies that are not the same any more.
   * @param {number} ply */
  forget(ply) {
    this.stop();
    for (const each of this.notes.keys()) if (each >= ply) this.notes.delete(each);
    fill(this.element);
  }

  /** Judge every move; the verdicts appear as they come.
   * @param {string} start @param {string[]} line @param {number} seats */
  async run(start, line, seats) {
    this.stop();
    const controller = new AbortController();
    this.controller = controller;
    this.verdicts = [];
    this.seats = seats;
    this.notes.clear();
    const status = h("p", { class: "quiet", role: "status" }, say("web.reviewing"));
    const [table, list] = [h("div", {}), h("ul", { class: "verdicts" })];
    const show = () => {
      fill(table, this.#table());
      fill(list, this.#list());
    };
    fill(this.element, h("h4", {}, say("web.review")), status, table, this.#whose(show), list);
    try {
      for await (const verdict of review(start, line, controller.signal, this.screen.told)) {
        this.verdicts.push(verdict);
        if (verdict.kind !== "optimal") this.notes.set(verdict.ply, verdictText(verdict, seats));
        show();
      }
      const all = summary(this.verdicts);
      fill(status, say("web.reviewed", { judged: all.judged, best: all.optimal }),
        all.open ? ` ${say("web.review_unknown", { moves: all.open })}` : "", all.guessed ? ` ${say("web.review_guessed", { moves: all.guessed })}` : "");
    } catch (error) {
      if (!controller.signal.aborted) fill(status, trouble(error));
    }
  }

  /** A column for each player: it fits on a phone in every language. */
  #table() {
    const seats = Array.from({ length: this.seats }, (_, seat) => summary(this.verdicts.filter((each) => each.seat === seat)));
    const names = seats.map((sums, seat) =>
      h("th", { scope: "col", "data-seat": seat, "data-optimal": sums.optimal, "data-changed": sums.changed, "data-accuracy": sums.accuracy }, player(seat, this.seats)));
    /** @param {string} key @param {(sums: typeof seats[0]) => string | number} tell */
    const row = (key, tell) => h("tr", {}, h("th", { scope: "row" }, say(key)), seats.map((sums) => h("td", {}, tell(sums))));
    return h("table", { class: "summary" }, h("thead", {}, h("tr", {}, h("td", {}), names)), h("tbody", {},
      row("web.review_optimal", (sums) => sums.optimal),
      row("web.review_lossy", (sums) => sums.lost),
      row("web.review_turned", (sums) => sums.changed),
      row("web.review_total", (sums) => (sums.total ? signed(-sums.total) : "0")),
      row("web.accuracy", (sums) => (sums.accuracy === null ? "–" : `${sums.accuracy} %`))));
  }

  /** Whose moves are listed: mine, for whoever I am.
   * @param {() => void} show */
  #whose(show) {
    if (this.seats === 1) return null;
    const choices = [["both", say("web.mine_both")], ["1", say("web.mine_only", { player: player(0, 2) })], ["2", say("web.mine_only", { player: player(1, 2) })]];
    const select = h("select", { class: "mine", value: settings.mine, onchange: () => {
      change({ mine: /** @type {"both" | "1" | "2"} */ (select.value) });
      show();
    } }, choices.map(([value, text]) => h("option", { value }, text)));
    return labelled(say("web.mine"), select);
  }

  #list() {
    const mine = (/** @type {Verdict} */ each) => this.seats === 1 || settings.mine === "both" || settings.mine === String(each.seat + 1);
    return this.verdicts.filter((each) => each.kind !== "optimal" && mine(each)).map((each) =>
      h("li", { class: each.kind, "data-ply": each.ply },
        h("button", { type: "button", class: "plain", onclick: () => this.screen.go(each.ply) }, `${each.ply + 1}. ${verdictText(each, this.seats)}`)));
  }

  /** @type {AbortController | undefined} */
  controller;
}
