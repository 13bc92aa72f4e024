// @ts-check
// Help for the person to move: a hint that stays, and what every move is worth.

import { announce, fill } from "../dom.js";
import { player, say, trouble } from "../language.js";
import { settings } from "../settings.js";
import { Thinker } from "../thinking.js";
import { sentence } from "./words.js";

const ADVISER = "level:5";
const SECONDS = 2;

export class Advice {
  /** @param {import("./screen.js").PlayScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.hinting = false;
    this.thinker = new Thinker((story) => this.#heard(story));
  }

  stop() {
    this.thinker.stop();
  }

  /** Switch hints on or off; they stay as chosen.
   * @param {boolean} on */
  hint(on) {
    this.hinting = on;
    this.stop();
    this.screen.view.point("hint", null);
    this.screen.showTools();
    if (on && this.screen.table.personToMove) this.ask();
  }

  /** The thoughts behind the last move, and the bar where it is wanted. */
  showPast() {
    const { table, why, bar, frame, turns } = this.screen;
    const story = turns.stories.get(table.moves.slice(0, -1).join(" "));
    if (story) why.show(story, table.board);
    else why.clear();
    frame.middle.className = settings.values ? "with-eval" : "without-eval";
    bar.element.hidden = !settings.values;
    bar.show(table.board, undefined);
  }

  /** Think about the position, if a hint or values are wanted. */
  async ask() {
    const { screen } = this;
    const { table } = screen;
    screen.showTools();
    if (screen.turns.paused || (!this.hinting && !settings.values)) return;
    const agent = settings.values && table.board.solver ? "solver" : ADVISER;
    const thought = { start: table.start, moves: table.moves.join(" "), agent, seconds: SECONDS, all_moves: settings.values };
    const board = table.board;
    if (this.hinting) fill(screen.frame.status, `${sentence(screen)} ${say("web.thinking")}`);
    const story = await this.thinker.think(thought, board).catch((error) => void screen.complain(trouble(error)));
    if (!this.thinker.busy && table.board === board && !screen.left) fill(screen.frame.status, sentence(screen));
    if (!story?.analysis || screen.left || table.board !== board) return;
    screen.why.show(story, board);
    if (!this.hinting) return;
    screen.view.point("hint", story.analysis.move);
    fill(screen.frame.status, `${sentence(screen)} ${say("play.hint", { move: story.analysis.move })}`);
  }

  /** See the board and the values from the other seat. */
  flip() {
    const { bar, table, view } = this.screen;
    bar.seat = 1 - bar.seat;
    view.turn();
    bar.show(table.board, this.story);
    announce(say("web.flipped", { player: player(bar.seat, table.board.seats) }));
  }

  /** Values, as they come.
   * @param {import("../thinking.js").Story} story */
  #heard(story) {
    this.story = story;
    if (this.screen.left || !settings.values) return;
    this.screen.view.showValues(story);
    this.screen.bar.show(this.screen.table.board, story);
  }

  /** @type {import("../thinking.js").Story | undefined} */
  story;
}
