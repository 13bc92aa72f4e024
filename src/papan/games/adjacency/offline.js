// @ts-check
// Adjacency where there is no server: the twin of its rules and drawing.

import { EMPTY, MARKS, MarkPosition, countOf } from "../../web/static/js/offline/marks.js";
import { COLOURS, Grid, UNIT, gold, piece, range, solid, tag, tray } from "../../web/static/js/offline/picture.js";
/** @import { OfflineGame, Ply } from "../../web/static/js/offline/position.js" */

const TILE = UNIT * 0.43; // half the side of a tile
const ROUNDING = 9;
const [SMALLEST, LARGEST, MARKS_AT_START] = [4, 15, 8];

class Adjacency extends MarkPosition {
  get #pliesLeft() { return 2 * this.game.options.rounds - (this.grid.size - this.empty.length - MARKS_AT_START); }

  moves() { return this.#pliesLeft ? super.moves() : []; }

  /** The cells whose marks a move would turn. @param {string} move */
  #turned(move) {
    return this.grid.beside(this.cellOf(move)).filter((cell) => this.cells[cell] === MARKS[1 - this.turn]);
  }

  /** @param {string} move */
  marked(move) {
    const gained = [this.cellOf(move), ...this.#turned(move)];
    return this.cells.map((each, cell) => (gained.includes(cell) ? MARKS[this.turn] : each));
  }

  scores() { return [...MARKS].map((mark) => countOf(this.cells, mark)); }

  features() {
    const values = { rounds: Math.floor((this.#pliesLeft + 1) / 2) };
    return [{ key: "adjacency.rounds_left", values, svg: "" }];
  }

  /** @param {Ply[]} played */
  svg(played) {
    const { cells, grid } = this;
    const latest = played.at(-1);
    const parts = [tray(grid.columns * UNIT, grid.rows * UNIT)];
    cells.forEach((mark, cell) => {
      const [x, y] = grid.centre(cell);
      const slot = { x: x - TILE, y: y - TILE, width: 2 * TILE, height: 2 * TILE };
      parts.push(tag("rect", { ...slot, rx: ROUNDING, fill: COLOURS.slot, class: "slot" }));
      parts.push(grid.square(cell, grid.names[cell] === latest?.move ? { class: "cell last" } : {}));
      if (mark !== EMPTY)
        parts.push(piece(grid.names[cell], solid(x, y, MARKS.indexOf(mark), TILE, ROUNDING), "tile"));
    });
    if (latest) {
      const before = /** @type {Adjacency} */ (latest.before);
      parts.push(gold(...grid.centre(this.cellOf(latest.move)), TILE, ROUNDING, "latest"));
      parts.push(...before.#turned(latest.move).map((cell) => turning(grid, cell, COLOURS.quiet, "turned")));
    }
    return grid.sheet(this.text, this.picture(), parts);
  }

  /** A frame around the cell of a move, and around every mark that it would turn. @param {string} move */
  highlight(move) {
    const turns = this.#turned(move).map((cell) => turning(this.grid, cell, COLOURS.highlight, "turns"));
    return super.highlight(move) + turns.join("");
  }
}

/** A dotted frame around a mark that changes hands. */
function turning(/** @type {Grid} */ grid, /** @type {number} */ cell, /** @type {string} */ stroke, name = "") {
  const [x, y] = grid.corner(cell);
  const shape = { x: x + 5, y: y + 5, width: UNIT - 10, height: UNIT - 10, fill: "none" };
  const pen = { stroke, "stroke-width": 4, "stroke-dasharray": "1 7", "stroke-linecap": "round" };
  return tag("rect", { ...shape, ...pen, class: name });
}

/** @param {OfflineGame} game */
function gridOf({ spec, options: { rows, columns, rounds } }) {
  const grid = new Grid(rows, columns);
  const fits = Math.min(rows, columns) >= SMALLEST && Math.max(rows, columns) <= LARGEST;
  if (!fits || rounds < 1 || rounds > Math.floor((grid.size - MARKS_AT_START) / 2)) throw new Error(`no size: ${spec}`);
  return grid;
}

/** @param {OfflineGame} game */
export function begin(game) {
  const grid = gridOf(game);
  const { rows, columns, first } = game.options;
  const cells = range(grid.size).map((cell) => {
    const [row, column] = grid.place(cell);
    if (row >= rows - 2 && column < 2) return "x";
    return row < 2 && column >= columns - 2 ? "o" : EMPTY;
  });
  return new Adjacency(game, grid, cells, MARKS.indexOf(first));
}

/** @param {OfflineGame} game @param {string[]} fields */
export function read(game, [text, turn]) {
  const grid = gridOf(game);
  const cells = [...text.replaceAll("/", "")];
  const marks = grid.size - countOf(cells, EMPTY) - MARKS_AT_START;
  const fits = cells.length === grid.size && grid.text(cells) === text && /^[xo.]*$/.test(cells.join(""));
  const reachable = marks >= 0 && marks <= 2 * game.options.rounds;
  if (!fits || !reachable || !["x", "o"].includes(turn)) throw new Error(`not reachable: ${text} ${turn}`);
  return new Adjacency(game, grid, cells, MARKS.indexOf(turn));
}
