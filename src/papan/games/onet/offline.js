// @ts-check
// Onet where there is no server: the twin of its rules, links and drawing. Boards are dealt by the server alone.

import { COLOURS, EDGE, Grid, LIT, UNIT, inShort } from "../../web/static/js/offline/picture.js";
import { label, piece, range, tag, tray } from "../../web/static/js/offline/picture.js";
/** @import { OfflineGame, Ply, Position } from "../../web/static/js/offline/position.js" */
/** @typedef {[number, number]} Point Row and column; -1 and the size of the board are just outside. */

const [MOST_ROWS, MOST_COLUMNS, MOST_KINDS] = [16, 30, 999];
const OUTSIDE = 8; // distance from the edge of a line that leaves the board
const INK = "#22252b";
const FRAMES = ["none", "7 4", "1 4.5", "18 5"]; // the strokes around further kinds with the same motif, as dashes

/** @implements {Position} */
class Onet {
  turn = 0;

  /** @param {OfflineGame} game @param {Grid} grid @param {number[]} tiles Of each cell; 0: none. */
  constructor(game, grid, tiles) {
    this.game = game;
    this.grid = grid;
    this.tiles = tiles;
    this.most = grid.size;
  }

  get text() { return `${this.game.spec} ${this.grid.text(this.tiles.map(String), ",")}`; }

  get cleared() { return this.tiles.every((tile) => !tile); }

  moves() {
    const { grid, tiles } = this;
    const cells = range(grid.size).filter((cell) => tiles[cell]);
    return cells.flatMap((first) =>
      cells
        .filter((second) => second > first && tiles[first] === tiles[second] && this.#joins(first, second))
        .map((second) => grid.names[first] + grid.names[second]),
    );
  }

  /** The two cells of a move. @param {string} move @returns {[number, number]} */
  #cells(move) {
    const [first, second] = move.match(/[a-z]+\d+/g) ?? [];
    return [this.grid.names.indexOf(first ?? ""), this.grid.names.indexOf(second ?? "")];
  }

  /** @param {string} text Two cells, in either order. */
  moveOf(text) {
    if (!/^[a-z]+\d+[a-z]+\d+$/.test(text)) return undefined;
    const [first, second] = this.#cells(text).sort((one, other) => one - other);
    return first < 0 ? undefined : this.grid.names[first] + this.grid.names[second];
  }

  /** @param {string} move */
  child(move) {
    const [first, second] = this.#cells(move);
    const left = this.tiles.with(first, 0).with(second, 0);
    return new Onet(this.game, this.grid, fallen(left, this.grid, this.game.options.gravity));
  }

  scores() { return [this.tiles.filter((tile) => !tile).length]; }

  /** @param {string} move */
  whyNot(move) { return { key: this.#reason(...this.#cells(move)), values: { move } }; }

  /** @param {number} first @param {number} second */
  #reason(first, second) {
    const [tile, other] = [this.tiles[first], this.tiles[second]];
    if (first === second) return "onet.same_tile";
    if (!tile || !other) return "onet.empty_cell";
    if (tile !== other) return "onet.different_tiles";
    return this.#reaches(first, second) ? "onet.too_many_turns" : "onet.blocked";
  }

  /** Whether something stands on a point. @param {number} row @param {number} column */
  #taken(row, column) {
    const { rows, columns } = this.grid;
    return row >= 0 && row < rows && column >= 0 && column < columns && this.tiles[row * columns + column] > 0;
  }

  /**
   * The first and the last column that a line along its row reaches from a cell.
   * @param {Point} point
   * @returns {Point}
   */
  #across([row, column]) {
    let [low, high] = [column, column];
    while (low > -1 && !this.#taken(row, low - 1)) low -= 1;
    while (high < this.grid.columns && !this.#taken(row, high + 1)) high += 1;
    return [low, high];
  }

  /** The first and the last row that a line along its column reaches. @param {Point} point @returns {Point} */
  #down([row, column]) {
    let [low, high] = [row, row];
    while (low > -1 && !this.#taken(low - 1, column)) low -= 1;
    while (high < this.grid.rows && !this.#taken(high + 1, column)) high += 1;
    return [low, high];
  }

  /** The columns that could be the middle of a line. @param {Point} start @param {Point} end */
  #commonColumns(start, end) {
    const free = (/** @type {number} */ column) => between(start[0], end[0]).every((row) => !this.#taken(row, column));
    return common(this.#across(start), this.#across(end)).filter(free);
  }

  /** The rows that could be the middle of a line. @param {Point} start @param {Point} end */
  #commonRows(start, end) {
    const free = (/** @type {number} */ row) => between(start[1], end[1]).every((column) => !this.#taken(row, column));
    return common(this.#down(start), this.#down(end)).filter(free);
  }

  /** @param {number} first @param {number} second */
  #joins(first, second) {
    const [start, end] = [this.grid.place(first), this.grid.place(second)];
    return this.#commonColumns(start, end).length > 0 || this.#commonRows(start, end).length > 0;
  }

  /** The ends and corners of the line with the fewest turns, the shortest of them. @param {string} move */
  #path(move) {
    const [start, end] = this.#cells(move).map((cell) => this.grid.place(cell));
    /** @type {Point[][]} */
    const ways = [
      ...this.#commonColumns(start, end).map((column) => [start, [start[0], column], [end[0], column], end]),
      ...this.#commonRows(start, end).map((row) => [start, [row, start[1]], [row, end[1]], end]),
    ].map((way) => corners(/** @type {Point[]} */ (way)));
    return ways.reduce((best, way) =>
      way.length < best.length || (way.length === best.length && lengthOf(way) < lengthOf(best)) ? way : best,
    );
  }

  /**
   * Whether any line leads from one cell to the other, with any number of turns.
   * @param {number} first
   * @param {number} second
   */
  #reaches(first, second) {
    const { rows, columns } = this.grid;
    const near = (/** @type {Point} */ [row, column]) =>
      [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]];
    const known = new Set();
    const waiting = [this.grid.place(first)];
    for (const point of waiting)
      for (const [row, column] of near(point)) {
        const inside = row >= -1 && row <= rows && column >= -1 && column <= columns;
        if (!inside || this.#taken(row, column) || known.has(`${row} ${column}`)) continue;
        known.add(`${row} ${column}`);
        waiting.push([row, column]);
      }
    return near(this.grid.place(second)).some(([row, column]) => known.has(`${row} ${column}`));
  }

  get #words() { return this.tiles.map((tile) => String(tile || ".")); }

  picture() { return this.grid.picture(this.#words); }

  spots() { return this.grid.spots(this.#words); }

  /** @param {Ply[]} played */
  svg(played) {
    const { grid } = this;
    const latest = played.at(-1);
    const last = latest ? this.#cells(latest.move) : [-1];
    const parts = [tray(grid.columns * UNIT, grid.rows * UNIT, OUTSIDE + 4)];
    for (const cell of range(grid.size)) parts.push(this.#cell(cell, last.includes(cell)));
    if (latest) parts.push(/** @type {Onet} */ (latest.before).#line(latest.move, "last"));
    return grid.sheet(this.text, this.picture(), parts);
  }

  /** A tile with its motif, or an empty cell. @param {number} cell @param {boolean} last */
  #cell(cell, last) {
    const { grid } = this;
    const tile = this.tiles[cell];
    if (!tile) return grid.square(cell, last ? LIT : {});
    const [x, y] = grid.centre(cell);
    const body = plate(x, y) + motif(motifsOf(this.game), tile, x, y - 1, 20);
    return grid.square(cell, { class: "cell tile" }) + piece(grid.names[cell], body);
  }

  /** The line that links two tiles, a dot on each corner. @param {string} move @param {"last" | "highlight"} name */
  #line(move, name) {
    const points = this.#path(move).map((point) => this.#pointOf(point));
    const colour = name === "last" ? COLOURS.gold : COLOURS.highlight;
    const pen = { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", pathLength: 1 };
    const line = { points: points.map((point) => point.map(inShort).join(",")).join(" "), ...pen };
    const edge = { stroke: COLOURS.goldEdge, "stroke-width": 9, class: "gold-edge" };
    const drawn = tag("polyline", { ...line, stroke: colour, "stroke-width": 6, class: `path ${name}` });
    const body = (name === "last" ? tag("polyline", { ...line, ...edge }) : "") + drawn;
    const dots = points.slice(1, -1).map(([cx, cy]) => tag("circle", { cx, cy, r: 5, fill: colour, class: "corner" }));
    return tag("g", { class: `link ${name}-link`, "pointer-events": "none" }, body + dots.join(""));
  }

  /** Where a point of a line is drawn; outside the board it stays close to the edge. @param {Point} point */
  #pointOf([row, column]) {
    const along = (/** @type {number} */ place, /** @type {number} */ size) => {
      if (place >= 0 && place < size) return EDGE + (place + 0.5) * UNIT;
      return EDGE + (place < 0 ? -OUTSIDE : size * UNIT + OUTSIDE);
    };
    return [along(column, this.grid.columns), along(row, this.grid.rows)];
  }

  /** @param {string} move */
  highlight(move) {
    const rings = this.#cells(move).map((cell) => this.grid.ring(cell));
    return rings.join("") + this.#line(move, "highlight");
  }

  /** @param {string} move @returns {[number, number]} */
  labelPoint(move) {
    const [x, y] = this.grid.centre(this.#cells(move)[0]);
    return [x, y - 22];
  }

  features() {
    const values = { tiles: this.tiles.filter(Boolean).length, pairs: this.moves().length };
    return [{ key: "onet.left", values, svg: "" }];
  }
}

/** The numbers of two spans that both have. @param {Point} one @param {Point} other */
function common([low, high], [least, most]) {
  const first = Math.max(low, least);
  return range(Math.max(0, Math.min(high, most) - first + 1)).map((each) => first + each);
}

/** The numbers strictly between two. @param {number} one @param {number} other */
function between(one, other) {
  const first = Math.min(one, other) + 1;
  return range(Math.max(0, Math.max(one, other) - first)).map((each) => first + each);
}

/** The ends of a line and the points where it really turns. @param {Point[]} points */
function corners(points) {
  const line = points.filter((point, each) => each === points.length - 1 || point.join() !== points[each + 1].join());
  const turns = line.slice(1, -1).filter((here, each) => {
    const [before, after] = [line[each], line[each + 2]];
    return [0, 1].every((side) => before[side] !== here[side] || here[side] !== after[side]);
  });
  return [points[0], ...turns, points[points.length - 1]];
}

/** The number of cells from one end of a line to the other. @param {Point[]} points */
function lengthOf(points) {
  return points.slice(1).reduce((sum, [row, column], each) => {
    const [above, left] = points[each];
    return sum + Math.abs(row - above) + Math.abs(column - left);
  }, 0);
}

/**
 * The tiles after they have moved into the holes.
 * @param {number[]} tiles
 * @param {Grid} grid
 * @param {string} gravity
 */
function fallen(tiles, grid, gravity) {
  if (gravity === "none") return tiles;
  const moved = tiles.map(() => 0);
  for (const path of pathsOf(grid, gravity)) {
    const pile = path.map((cell) => tiles[cell]).filter(Boolean);
    pile.forEach((tile, each) => {
      moved[path[each]] = tile;
    });
  }
  return moved;
}

/** The cells that tiles move along, from where they pile up. @param {Grid} grid @param {string} gravity */
function pathsOf({ rows, columns }, gravity) {
  const along = ["left", "right", "sides", "centre"].includes(gravity);
  const lines = along
    ? range(rows).map((row) => range(columns).map((column) => row * columns + column))
    : range(columns).map((column) => range(rows).map((row) => row * columns + column));
  return lines.flatMap((line) => {
    const [before, after] = [line.slice(0, line.length >> 1), line.slice(line.length >> 1)];
    if (gravity === "left" || gravity === "up") return [line];
    if (gravity === "right" || gravity === "down") return [line.toReversed()];
    if (gravity === "sides" || gravity === "poles") return [before, after.toReversed()];
    return [before.toReversed(), after];
  });
}

/** The tile itself: a face with a thick lower edge. @param {number} x @param {number} y */
function plate(x, y) {
  const shape = { x: x - 28, width: 56, rx: 9, "pointer-events": "none" };
  const under = tag("rect", { y: y - 26, height: 55, fill: "#cbbf9f", class: "under", ...shape });
  const face = { y: y - 28, height: 54, fill: "#fffdf5", stroke: "#cbbf9f", class: "face" };
  return under + tag("rect", { ...face, ...shape });
}

/** @type {string[]} */
let motifs = [];

/** What is drawn on tiles. @param {OfflineGame} game */
function motifsOf({ drawings }) {
  if (!motifs.length) {
    const drawn = drawings["motifs.svg"].matchAll(/<g id="[^>]*>(.*?)\n<\/g>/gs);
    motifs = [...drawn].map(([, body]) => body.replace(/\n */g, ""));
  }
  return motifs;
}

/**
 * The drawing for a kind of tile.
 * @param {string[]} all
 * @param {number} kind
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
function motif(all, kind, x, y, reach) {
  const [turn, place] = [Math.floor((kind - 1) / all.length), (kind - 1) % all.length];
  const size = (reach / 10) * (turn ? 0.7 : 1);
  const transform = `translate(${inShort(x)} ${inShort(y)}) scale(${inShort(size)})`;
  let drawn = tag("g", { transform }, all[place]);
  if (turn) {
    const pen = { fill: "none", stroke: INK, "stroke-width": 2, "stroke-linecap": "round" };
    const dashes = FRAMES[(turn - 1) % FRAMES.length];
    drawn += tag("circle", { cx: x, cy: y, r: reach, ...pen, "stroke-dasharray": dashes });
    drawn += label(x + reach, y + reach, String(kind), 10, { class: "number" });
  }
  return tag("g", { class: "motif", "pointer-events": "none" }, drawn);
}

/** Only the server deals: a board is known by its tiles. @param {OfflineGame} game @returns {Position} */
export function begin({ spec }) { throw new Error(`nobody has dealt ${spec}`); }

/** @param {OfflineGame} game @param {string[]} fields */
export function read(game, [text]) {
  const { rows, columns, kinds, rule } = game.options;
  const grid = new Grid(rows, columns);
  const words = text.split("/").flatMap((row) => row.split(","));
  const size = Math.min(rows, columns) >= 1 && rows <= MOST_ROWS && columns <= MOST_COLUMNS && grid.size >= 2;
  const whole = grid.text(words, ",") === text && words.length === grid.size;
  const fits = whole && words.every((each) => /^\d{1,3}$/.test(each));
  if (!size || !fits || kinds < 1 || kinds > MOST_KINDS || rule !== "onet") throw new Error(`no board: ${text}`);
  return new Onet(game, grid, words.map(Number));
}
