// @ts-check
// The board of an analysis and all that is laid over it: values, the best move, lines to come.

import { BoardView } from "../board.js";
import { announce, h } from "../dom.js";
import { EvalBar } from "../evalbar.js";
import { gameTitle, player, say } from "../language.js";
import { change, settings } from "../settings.js";
import { Ghost } from "./ghost.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../table.js").Table} Table */

const PAUSE = 80; // milliseconds: a wheel turns faster than anybody can follow

export class Sight {
  /** @param {{move: (move: string) => void, step: (plies: number) => boolean}} screen *step* says whether it could. */
  constructor(screen) {
    this.view = new BoardView(screen.move);
    this.bar = new EvalBar();
    this.ghost = new Ghost(this.view);
    this.arrow = true;
    let turned = 0;
    this.view.element.addEventListener("wheel", (event) => {
      if (event.ctrlKey || !event.deltaY) return;
      if (event.timeStamp - turned < PAUSE) event.preventDefault();
      else if (screen.step(Math.sign(event.deltaY))) {
        turned = event.timeStamp;
        event.preventDefault();
      }
    }, { passive: false });
    this.element = h("div", { class: "with-eval" }, this.bar.element, this.view.element);
  }

  /** Show the position itself.
   * @param {Table} table */
  position({ board }) {
    this.ghost.hide();
    this.view.show(board, { label: gameTitle(board.game), live: board.end === "open" });
    this.view.showFeatures(settings.features);
  }

  /** Show what is known of it, which is nothing where there is no story.
   * @param {Table} table @param {Story | undefined} story */
  values(table, story) {
    this.bar.show(table.board, story);
    if (this.ghost.shown) return;
    this.view.showValues(story);
    this.view.point("hint", this.arrow && story ? story.best : null);
    if (story?.analysis) this.ghost.number(table, settings.ahead ? story.analysis.line : []);
  }

  /** See the board and the values as the other side does.
   * @param {Table} table @param {Story | undefined} story */
  flip({ board }, story) {
    this.bar.seat = board.seats === 1 ? 0 : 1 - this.bar.seat;
    this.view.turn();
    this.bar.show(board, story);
    announce(say("web.flipped", { player: player(this.bar.seat, board.seats) }));
  }

  /** @param {Table} table @param {Story | undefined} story */
  toggleArrow(table, story) {
    this.arrow = !this.arrow;
    this.values(table, story);
  }

  /** @param {Table} table @param {Story | undefined} story */
  toggleAhead(table, story) {
    change({ ahead: !settings.ahead });
    this.values(table, story);
  }
}
