// @ts-check
// Connect 4 where there is no server: the twin of its rules and drawing.

import { EMPTY, LinePosition, MARKS, readMarks } from "../../web/static/js/offline/marks.js";
import { COLOURS, EDGE, Grid, UNIT, columnName, cross, gold, label } from "../../web/static/js/offline/picture.js";
import { letters, nought, piece, range, rowName, sheetOf, solid, tag } from "../../web/static/js/offline/picture.js";
/** @import { OfflineGame, Ply } from "../../web/static/js/offline/position.js" */

const DISC = 25; // the radius of a disc and of the hole before it
const RIM = 10; // width of the frame beyond the cells
const [LEAST_SIDE, MOST_ROWS, MOST_COLUMNS] = [4, 8, 10];

class Connect4 extends LinePosition {
  possible() { return this.#columns.filter((column) => this.cells[column] === EMPTY).map(moveName); }

  get #columns() { return range(this.grid.columns); }

  /** The cell where a stone of a move comes to rest. @param {string} move */
  cellOf(move) {
    const { columns, rows } = this.grid;
    const cells = range(rows).map((row) => row * columns + Number(move) - 1);
    return cells.findLast((cell) => this.cells[cell] === EMPTY) ?? -1;
  }

  /** @param {string} text */
  moveOf(text) { return this.#columns.map(moveName).find((each) => each === text); }

  /** @param {string} column */
  whyNot(column) { return { key: "connect4.column_full", values: { column } }; }

  picture() { return this.grid.picture(this.cells, this.#columns.map(moveName)); }

  /** Where the picture shows each column, from its number to the bottom. */
  spots() {
    const { rows, columns } = this.grid;
    const width = String(columns).length;
    return Object.fromEntries(
      this.#columns.map((column) => [
        moveName(column),
        range(rows + 1).flatMap((row) =>
          range(width).map((offset) => /** @type {[number, number]} */ ([row, 2 + column * (width + 1) + offset])),
        ),
      ]),
    );
  }

  /** @param {string} move */
  highlight(move) { return this.grid.ring(this.cellOf(move), UNIT / 2); }

  /** @param {Ply[]} played */
  svg(played) {
    const { cells, grid } = this;
    const last = played.length ? this.#top(Number(played[played.length - 1].move) - 1) : null;
    const won = [...new Set(this.wonLines.flat())].sort((one, other) => one - other);
    const parts = [...names(grid), ...behind(grid)];
    cells.forEach((mark, cell) => {
      if (mark !== EMPTY) parts.push(disc(grid, cell, MARKS.indexOf(mark)));
    });
    parts.push(front(grid));
    for (const cell of range(grid.size)) {
      const name = cell === last ? "cell last" : "cell";
      parts.push(grid.square(cell, { class: name, "data-move": moveName(cell % grid.columns) }));
    }
    for (const cell of won) parts.push(frame(grid, cell, "won"));
    if (last !== null && !won.length) parts.push(frame(grid, last, "latest"));
    const [width, height] = [2 * EDGE + grid.columns * UNIT, 2 * EDGE + grid.rows * UNIT];
    return sheetOf(width, height, this.text, this.picture(), parts);
  }

  /** The highest stone of a column: the one that was dropped there last. @param {number} column */
  #top(column) {
    const { columns, rows } = this.grid;
    return range(rows).map((row) => row * columns + column).find((cell) => this.cells[cell] !== EMPTY) ?? null;
  }

  /** The empty cells that complete a four, in odd rows and in even ones. */
  features() {
    const { grid } = this;
    return [0, 1].flatMap((seat) =>
      this.#threats(seat).map((cell) => {
        const kind = (grid.rows - 1 - grid.place(cell)[0]) % 2 ? "even" : "odd";
        const values = { cell: grid.names[cell], seat: seat + 1 };
        return { key: `connect4.${kind}_threat`, values, svg: mark(grid, cell, seat) };
      }),
    );
  }

  /** The empty cells that complete a four of a seat; none once the game is over. @param {number} seat */
  #threats(seat) {
    if (!this.moves().length) return [];
    const missing = this.lines.map((four) => four.filter((cell) => this.cells[cell] !== MARKS[seat]));
    const completing = new Set(missing.flatMap((cells) => (cells.length === 1 ? cells : [])));
    return this.empty.filter((cell) => completing.has(cell));
  }
}

/** @param {number} column */
const moveName = (column) => String(column + 1);

/** The numbers of columns above, their letters below, those of rows beside. @param {Grid} grid */
function names(grid) {
  const [left, size] = [EDGE * 0.4, grid.letterSize];
  const bottom = EDGE * 1.62 + grid.rows * UNIT;
  const columns = range(grid.columns).flatMap((column) => {
    const x = EDGE + (column + 0.5) * UNIT;
    return [
      columnName(x, left, moveName(column), size, { "font-weight": 700, fill: COLOURS.ink }),
      label(x, bottom, letters(column), size * 0.8, { fill: COLOURS.quiet }),
    ];
  });
  const rows = range(grid.rows).map((row) => rowName(left, EDGE + (row + 0.5) * UNIT, grid.rowName(row), size * 0.8));
  return [...columns, ...rows];
}

/** What is seen through the holes, and the foot of the frame. @param {Grid} grid */
function behind(grid) {
  const size = { width: grid.columns * UNIT + 2 * RIM, rx: 22 };
  const [left, height] = [EDGE - RIM, grid.rows * UNIT + 2 * RIM];
  const foot = { height, fill: COLOURS.boardDeep, class: "frame-deep" };
  const back = { height, fill: COLOURS.paper, class: "backing" };
  return [
    tag("rect", { x: left, y: left + 6, ...foot, ...size }),
    tag("rect", { x: left, y: left, ...back, ...size }),
  ];
}

/** The frame with its holes: discs fall behind it. @param {Grid} grid */
function front(grid) {
  const [left, r] = [EDGE - RIM, 22];
  const [across, down] = [grid.columns, grid.rows].map((count) => count * UNIT + 2 * RIM - 2 * r);
  const outline =
    `M${left + r} ${left}h${across}a${r} ${r} 0 0 1 ${r} ${r}v${down}a${r} ${r} 0 0 1 -${r} ${r}` +
    `h-${across}a${r} ${r} 0 0 1 -${r} -${r}v-${down}a${r} ${r} 0 0 1 ${r} -${r}z`;
  const holes = range(grid.size).map((cell) => hole(...grid.centre(cell)));
  const look = { fill: COLOURS.board, "fill-rule": "evenodd", class: "frame" };
  return tag("path", { d: outline + holes.join(""), ...look, stroke: COLOURS.rim, "stroke-width": 2 });
}

/** @param {number} x @param {number} y */
function hole(x, y) {
  const half = `a${DISC} ${DISC} 0 1 0`;
  return `M${x - DISC} ${y}${half} ${2 * DISC} 0${half}-${2 * DISC} 0z`;
}

/** @param {Grid} grid @param {number} cell @param {number} seat */
function disc(grid, cell, seat) {
  const body = solid(...grid.centre(cell), seat, DISC, DISC);
  return piece(grid.names[cell], body, "", { "data-drop": (grid.place(cell)[0] + 1) * UNIT });
}

/** A small mark of a seat in an empty cell. @param {Grid} grid @param {number} cell @param {number} seat */
function mark(grid, cell, seat) {
  const [x, y] = grid.centre(cell);
  return tag("g", { class: "threat" }, (seat ? nought : cross)(x + (seat - 0.5) * DISC, y, DISC / 4));
}

/** A golden ring around a stone. @param {Grid} grid @param {number} cell @param {string} name */
const frame = (grid, cell, name) => gold(...grid.centre(cell), DISC, DISC, name);

/** @param {OfflineGame} game */
function gridOf({ spec, options: { rows, columns } }) {
  const fits = Math.min(rows, columns) >= LEAST_SIDE && rows <= MOST_ROWS && columns <= MOST_COLUMNS;
  if (!fits) throw new Error(`no size: ${spec}`);
  return new Grid(rows, columns, true);
}

/** @param {OfflineGame} game */
export function begin(game) {
  const grid = gridOf(game);
  return new Connect4(game, grid, grid.names.map(() => EMPTY), 0);
}

/** @param {OfflineGame} game @param {string[]} fields */
export function read(game, fields) {
  const grid = gridOf(game);
  const [cells, turn] = readMarks(grid, fields);
  const floats = cells.some((each, cell) => each !== EMPTY && cells[cell + grid.columns] === EMPTY);
  const position = new Connect4(game, grid, cells, turn);
  if (floats || position.after(cells).wonLines.length) throw new Error(`not reachable: ${position.text}`);
  return position;
}
