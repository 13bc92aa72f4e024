// @ts-check
// A line of play on the board before anybody makes it: where it leads, and its moves in their order.

import { boardOf } from "../api.js";
import { s } from "../dom.js";
import { say } from "../language.js";

/** @typedef {import("../table.js").Table} Table */
/** @typedef {import("../board.js").BoardView} BoardView */

export class Ghost {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} */
    this.line = []; // the line whose end is on the board
    this.asked = 0;
  }

  get shown() {
    return this.line.length > 0;
  }

  /** Show where a line leads.
   * @param {Table} table @param {string[]} line @returns {Promise<boolean>} Whether it is shown now. */
  async show(table, line) {
    this.line = line;
    const asked = (this.asked += 1);
    const board = await boardOf(table.start, [...table.moves, ...line]);
    if (asked !== this.asked || !this.shown) return false; // it is over already
    this.view.element.classList.add("ghost");
    this.view.show(board, { label: say("web.ghost"), live: false });
    this.view.overlay("ahead", numbers(board, table.moves.length));
    return true;
  }

  /** The board shows the position again; whoever calls draws it. */
  hide() {
    this.line = [];
    this.asked += 1;
    this.view.element.classList.remove("ghost");
  }

  /** Number the moves of a line on the position that is on the board.
   * @param {Table} table @param {string[]} line */
  async number(table, line) {
    const { position } = table.board;
    const board = line.length ? await boardOf(table.start, [...table.moves, ...line]) : null;
    if (table.board.position !== position || this.shown) return;
    this.view.overlay("ahead", board && numbers(board, table.moves.length));
  }
}

/** The moves of a board from a ply on, each with its number in the shape and colour of who makes it.
 * @param {import("../api.js").Board} board @param {number} from */
function numbers(board, from) {
  const marks = board.moves.slice(from).map((_, place) => {
    const at = board.places[from + place];
    const seat = board.turns[from + place];
    return at && s("g", { class: `ahead seat-${seat}`, "data-number": place + 1 },
      s("circle", { cx: at[0], cy: at[1], r: 15 }),
      s("text", { x: at[0], y: at[1] + 1, "text-anchor": "middle", "dominant-baseline": "central" }, String(place + 1)));
  });
  return s("g", { class: "layer numbers" }, marks.slice(0, 30).reverse());
}
