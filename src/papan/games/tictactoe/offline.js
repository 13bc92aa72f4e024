// @ts-check
// Tic Tac Toe where there is no server: the twin of its rules and drawing.

import { LinePosition, MARKS, EMPTY, readMarks } from "../../web/static/js/offline/marks.js";
import { COLOURS, Grid, tag } from "../../web/static/js/offline/picture.js";
/** @import { OfflineGame } from "../../web/static/js/offline/position.js" */

const LARGEST = 15;

class TicTacToe extends LinePosition {
  get length() { return this.game.options.connect; }

  onTop() { return this.wonLines.map((line) => stroke(this.grid, line)); }

  /** How many of the legal moves differ: no symmetry turns one into the other. */
  features() {
    const { cells, grid } = this;
    const moves = this.moves().map((move) => this.cellOf(move));
    const symmetries = grid.images.filter((image) => image.every((from, to) => cells[from] === cells[to]));
    const distinct = new Set(moves.map((move) => Math.min(...symmetries.map((image) => image[move])))).size;
    const values = { moves: moves.length, distinct };
    return distinct < moves.length ? [{ key: "tictactoe.distinct", values, svg: "" }] : [];
  }
}

/** A golden stroke through a line that has won. @param {Grid} grid @param {number[]} line */
function stroke(grid, line) {
  const [[x1, y1], [x2, y2]] = [grid.centre(line[0]), grid.centre(line[line.length - 1])];
  const ends = { x1, y1, x2, y2, "stroke-linecap": "round", pathLength: 1 };
  const edge = { stroke: COLOURS.goldEdge, "stroke-width": 11, class: "won-edge" };
  const gold = { stroke: COLOURS.gold, "stroke-width": 7, class: "won" };
  return tag("line", { ...ends, ...edge }) + tag("line", { ...ends, ...gold });
}

/** @param {OfflineGame} game */
function gridOf({ spec, options: { rows, columns, connect } }) {
  const [shorter, longer] = [Math.min(rows, columns), Math.max(rows, columns)];
  if (!(shorter >= 1 && longer <= LARGEST && connect >= 3 && connect <= longer)) throw new Error(`no size: ${spec}`);
  return new Grid(rows, columns);
}

/** @param {OfflineGame} game */
export function begin(game) {
  const grid = gridOf(game);
  return new TicTacToe(game, grid, grid.names.map(() => EMPTY), 0);
}

/** @param {OfflineGame} game @param {string[]} fields */
export function read(game, fields) {
  const [cells, turn] = readMarks(gridOf(game), fields);
  const position = new TicTacToe(game, gridOf(game), cells, turn);
  if (position.after(cells).wonLines.length) throw new Error(`${MARKS[turn]} has won already`);
  return position;
}
