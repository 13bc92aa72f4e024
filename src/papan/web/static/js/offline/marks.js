// @ts-check
// Games in which two seats mark the cells of a grid, and those of them that a line wins: twins of core/marks.py.

import { COLOURS, EDGE, Grid, LIT, UNIT, cross, nought, piece, range, tag, tray } from "./picture.js";
/** @import { OfflineGame, Ply, Position, Problem } from "./position.js" */
/** @import { Feature } from "../wire.d.ts" */

export const MARKS = "xo"; // the mark of each seat
export const EMPTY = ".";

/**
 * The cells of a board's text and the turn after it; throws where they are no position of two that move in turn.
 * @param {Grid} grid @param {string[]} fields @returns {[string[], number]}
 */
export function readMarks(grid, [text, turn]) {
  const cells = [...text.replaceAll("/", "")];
  const fits = grid.text(cells) === text && cells.length === grid.size && /^[xo.]*$/.test(cells.join(""));
  const lead = countOf(cells, "x") - countOf(cells, "o");
  if (!fits || lead !== MARKS.indexOf(turn)) throw new Error(`no position: ${text} ${turn}`);
  return [cells, MARKS.indexOf(turn)];
}

/** @param {string[]} cells @param {string} mark */
export const countOf = (cells, mark) => cells.filter((each) => each === mark).length;

/**
 * A board of x and o. By itself any empty cell may be marked, until none is left.
 * @implements {Position}
 */
export class MarkPosition {
  /** @type {number | null} */
  most = null;

  /** @param {OfflineGame} game @param {Grid} grid @param {string[]} cells @param {number} turn */
  constructor(game, grid, cells, turn) {
    this.game = game;
    this.grid = grid;
    this.cells = cells;
    this.turn = turn;
  }

  get text() { return `${this.game.spec} ${this.grid.text(this.cells)} ${MARKS[this.turn]}`; }

  /** The cells without a mark. */
  get empty() { return range(this.grid.size).filter((cell) => this.cells[cell] === EMPTY); }

  /** @returns {string[]} */
  moves() { return this.empty.map((cell) => this.grid.names[cell]); }

  /** The cell that a move marks. @param {string} move */
  cellOf(move) { return this.grid.names.indexOf(move); }

  /** The cells after a move. @param {string} move */
  marked(move) { return this.cells.with(this.cellOf(move), MARKS[this.turn]); }

  /** @param {string} move @returns {Position} */
  child(move) { return this.after(this.marked(move)); }

  /** The same game with other cells, where the other seat is to move. @param {string[]} cells @returns {this} */
  after(cells) {
    const kind = /** @type {any} */ (this.constructor);
    return new kind(this.game, this.grid, cells, 1 - this.turn);
  }

  scores() { return [0, 0]; }

  /** @param {string} text @returns {string | undefined} */
  moveOf(text) { return this.grid.names.find((each) => each === text); }

  /** @param {string} move @returns {Problem} */
  whyNot(move) { return { key: "error.cell_taken", values: { move } }; }

  picture() { return this.grid.picture(this.cells); }

  spots() { return this.grid.spots(this.cells); }

  /** @param {string} move @returns {[number, number]} */
  labelPoint(move) { return this.grid.centre(this.cellOf(move)); }

  /** @param {string} move */
  highlight(move) { return this.grid.ring(this.cellOf(move)); }

  /** @returns {Feature[]} */
  features() { return []; }

  /** @param {Ply[]} played */
  svg(played) {
    const { cells, grid } = this;
    const last = grid.names.indexOf(played.at(-1)?.move ?? "");
    const parts = [tray(grid.columns * UNIT, grid.rows * UNIT)];
    for (const cell of range(grid.size)) parts.push(grid.square(cell, cell === last ? LIT : {}));
    parts.push(this.#ruledLines());
    cells.forEach((mark, cell) => {
      if (mark === EMPTY) return;
      const drawn = (mark === "x" ? cross : nought)(...grid.centre(cell));
      parts.push(piece(grid.names[cell], drawn, "pen"));
    });
    return grid.sheet(this.text, this.picture(), [...parts, ...this.onTop()]);
  }

  /** What is drawn above the marks. @returns {string[]} */
  onTop() { return []; }

  /** The lines between the cells. */
  #ruledLines() {
    const { rows, columns } = this.grid;
    const down = range(columns).slice(1).map((x) => `M${EDGE + x * UNIT} ${EDGE + 4}v${rows * UNIT - 8}`);
    const across = range(rows).slice(1).map((y) => `M${EDGE + 4} ${EDGE + y * UNIT}h${columns * UNIT - 8}`);
    const pen = { stroke: COLOURS.faint, "stroke-width": 3, "stroke-linecap": "round" };
    return tag("path", { d: [...down, ...across].join(""), fill: "none", class: "rule", ...pen });
  }
}

/** A game that the first full line wins. */
export class LinePosition extends MarkPosition {
  most = 1;

  /** Every line that wins, as cells. @returns {number[][]} */
  get lines() { return linesOf(this.grid, this.length); }

  /** Cells of a line. @returns {number} */
  get length() { return 4; }

  /** The lines of the seat that moved last: only that seat can have won. */
  get wonLines() {
    const mark = MARKS[1 - this.turn];
    return this.lines.filter((line) => line.every((cell) => this.cells[cell] === mark));
  }

  /** @returns {string[]} */
  moves() { return this.wonLines.length ? [] : this.possible(); }

  /** The moves as long as nobody has won. @returns {string[]} */
  possible() { return super.moves(); }

  scores() {
    if (!this.wonLines.length) return [0, 0];
    return this.turn === 0 ? [0, 1] : [1, 0];
  }
}

/** @type {Map<string, number[][]>} */
const KNOWN = new Map();

/** The lines of a length on a grid, by their first cells; each along the row, the column, and both diagonals. */
function linesOf(/** @type {Grid} */ { rows, columns, size }, /** @type {number} */ length) {
  const key = `${rows},${columns},${length}`;
  if (!KNOWN.has(key)) KNOWN.set(key, range(size).flatMap((cell) => linesFrom(cell, rows, columns, length)));
  return KNOWN.get(key) ?? [];
}

/** @param {number} cell @param {number} rows @param {number} columns @param {number} length */
function linesFrom(cell, rows, columns, length) {
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  return [[0, 1], [1, 0], [1, 1], [1, -1]].flatMap(([down, right]) => {
    const last = [row + down * (length - 1), column + right * (length - 1)];
    const fits = last[0] < rows && last[1] >= 0 && last[1] < columns;
    return fits ? [range(length).map((each) => cell + each * (down * columns + right))] : [];
  });
}
