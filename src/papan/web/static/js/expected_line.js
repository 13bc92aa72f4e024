// @ts-check
// Lines of moves to come: a line shown at its end, and the expected one as numbers on the board.

import { boardOf } from "./api.js";
import { settings } from "./settings.js";
import { h } from "./vendor/preact.mjs";
/** @import { AnalyseScreen } from "./screens/analyse.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */

const MOST_NUMBERS = 30; // of moves to come, on the board

export class ExpectedLine {
  /** @type {string[]} */
  previewed = []; // the line that is shown, or asked for
  /** @type {Board | null} */
  end = null; // where it leads
  /** @type {Board | null} */
  #ahead = null; // the expected line, played to its end

  /** @param {AnalyseScreen} screen */
  constructor(screen) { this.screen = screen; }

  /** Show where a line leads; an empty one shows the position again. @param {string[]} line */
  async preview(line) {
    const { game, view } = this.screen;
    const { start, moves } = game;
    this.hide();
    this.previewed = line;
    view.update();
    const board = line.length ? await boardOf(start, [...moves, ...line]).catch(() => null) : null;
    if (this.previewed !== line) return; // another line was asked for meanwhile
    this.end = board;
    view.update();
  }

  hide() {
    this.previewed = [];
    this.end = null;
  }

  /** Ask for the end of the expected line, to number its moves on the board. */
  async number() {
    const { game, view, engine } = this.screen;
    const { start, moves, board } = game;
    const line = settings.ahead ? (engine.current?.analysis?.line ?? []) : [];
    const ahead = line.length ? await boardOf(start, [...moves, ...line]).catch(() => null) : null;
    if (game.board !== board || (ahead && !settings.ahead)) return;
    this.#ahead = ahead;
    view.update();
  }

  /** Return a layer with the numbers of the previewed line, or else of the expected one. */
  numbers() {
    const board = this.end ?? this.#ahead;
    return board && numbers(board, this.screen.game.moves.length);
  }
}

/**
 * Return a layer with the moves of a board from a ply on, each with its number in the shape and colour of its seat.
 * @param {Board} board
 * @param {number} from
 */
function numbers({ moves, places, turns }, from) {
  const marks = moves.slice(from, from + MOST_NUMBERS).map((_, place) => {
    const at = places[from + place];
    return (
      at &&
      h("g", { class: `ahead seat-${turns[from + place]}`, "data-number": place + 1 },
        h("circle", { cx: at[0], cy: at[1], r: 15 }),
        h("text", { x: at[0], y: at[1] + 1, "text-anchor": "middle", "dominant-baseline": "central" },
          String(place + 1),
        ),
      )
    );
  });
  return h("g", { class: "layer numbers", key: "numbers" }, marks.reverse());
}
