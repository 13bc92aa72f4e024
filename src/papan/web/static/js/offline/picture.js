// @ts-check
// Drawings as the server makes them, to the letter: the twin of core/drawing.py and of the boards in core/board.py.

/** @typedef {Record<string, string | number>} Attributes */

export const UNIT = 60; // the side of one cell
export const EDGE = 0.75 * UNIT; // the room for coordinates left of and above the cells

/** The colours of drawings, for whoever shows one without a style sheet. */
export const COLOURS = {
  paper: "#fbf7f0",
  raised: "#f6f0e6",
  surface: "#ffffff",
  ink: "#1d2230",
  quiet: "#585e6c",
  faint: "#cbbfad",
  slot: "#e9dfcf",
  first: "#2446a8",
  firstDeep: "#17307c",
  second: "#bd421c",
  secondDeep: "#8f2f11",
  last: "#fbe3a6",
  gold: "#e2a72e",
  goldEdge: "#6f4700",
  board: "#d5def7",
  boardDeep: "#a9bbea",
  rim: "#6d87cc",
  highlight: "#1b7045",
};

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (each) => ESCAPED[each]);

/** Write a number with at most six significant digits, as drawings have them. @param {number} value */
export const inShort = (value) => String(Number(value.toPrecision(6)));

/** Return an SVG element. @param {string} name @param {Attributes} attributes @param {string} [body] */
export function tag(name, attributes, body = "") {
  const words = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? inShort(value) : escaped(value)}"`,
  );
  const opening = `<${name}${words.join("")}`;
  return body ? `${opening}>${body}</${name}>` : `${opening}/>`;
}

/**
 * Return a text that is centred on a point.
 * @param {number} x @param {number} y @param {string} text @param {number} [size] @param {Attributes} [more]
 */
export function label(x, y, text, size = 16, more = {}) {
  const usual = {
    x,
    y,
    "font-size": size,
    "font-family": "system-ui, sans-serif",
    "text-anchor": "middle",
    "dominant-baseline": "central",
    fill: COLOURS.ink,
  };
  return tag("text", { ...usual, ...more }, escaped(text));
}

/**
 * Return a whole SVG document.
 * @param {number} width @param {number} height @param {string} title @param {string} description @param {string[]} body
 */
export function sheetOf(width, height, title, description, body) {
  const words = tag("title", {}, escaped(title)) + tag("desc", {}, escaped(description));
  const paper = tag("rect", { width, height, fill: COLOURS.paper, class: "paper" });
  const size = { viewBox: `0 0 ${inShort(width)} ${inShort(height)}`, width, height };
  const frame = { xmlns: "http://www.w3.org/2000/svg", ...size, role: "img", class: "papan-board" };
  return tag("svg", frame, [words, paper, ...body].join(""));
}

/** Return the name of a column: a to z, then aa, ab and so on. @param {number} column @returns {string} */
export function letters(column) {
  const before = Math.floor(column / 26);
  return (before ? letters(before - 1) : "") + String.fromCharCode(97 + (column % 26));
}

/** The numbers from 0 up to a count. @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, each) => each);

/** A rectangle of cells, numbered row by row from 0 at the top left: the twin of `Grid` in Python. */
export class Grid {
  /** @param {number} rows @param {number} columns @param {boolean} [fromBelow] Rows are named from below. */
  constructor(rows, columns, fromBelow = false) {
    this.rows = rows;
    this.columns = columns;
    this.fromBelow = fromBelow;
    this.size = rows * columns;
    this.names = range(this.size).map((cell) => letters(cell % columns) + this.rowName(Math.floor(cell / columns)));
  }

  /** @param {number} row */
  rowName(row) { return String(this.fromBelow ? this.rows - row : row + 1); }

  /** @param {number} cell @returns {[number, number]} */
  place(cell) { return [Math.floor(cell / this.columns), cell % this.columns]; }

  /** The cells above, left, right and below of a cell. @param {number} cell */
  beside(cell) {
    const [row, column] = this.place(cell);
    return [[-1, 0], [0, -1], [0, 1], [1, 0]]
      .map(([down, right]) => [row + down, column + right])
      .filter(([down, right]) => down >= 0 && down < this.rows && right >= 0 && right < this.columns)
      .map(([down, right]) => down * this.columns + right);
  }

  /** The ways to turn or mirror the board: each the cell that every cell is moved to. */
  get images() {
    const rows = range(this.rows).map((row) => range(this.columns).map((column) => row * this.columns + column));
    const flipped = this.fromBelow ? [rows] : [rows, rows.toReversed()];
    const ways = flipped.flatMap((way) => [way, way.map((row) => row.toReversed())]);
    const square = this.rows === this.columns && !this.fromBelow;
    const turned = square ? ways.map((way) => way[0].map((_, column) => way.map((row) => row[column]))) : [];
    return [...ways, ...turned].map((way) => way.flat());
  }

  /** The text of a board: the words of its cells row by row. @param {string[]} cells @param {string} [between] */
  text(cells, between = "") {
    return range(this.rows)
      .map((row) => cells.slice(row * this.columns, (row + 1) * this.columns).join(between))
      .join("/");
  }

  /** @param {string[]} cells @param {string[]} [heads] Words above the columns, whose letters are below then. */
  picture(cells, heads = []) {
    const names = range(this.columns).map(letters);
    const [margin, width] = this.#measures([...heads, ...cells]);
    const lines = [["", ...(heads.length ? heads : names)]];
    for (const row of range(this.rows))
      lines.push([this.rowName(row), ...cells.slice(row * this.columns, (row + 1) * this.columns)]);
    if (heads.length) lines.push(["", ...names]);
    return lines
      .map(([name, ...words]) => name.padStart(margin) + words.map((word) => ` ${word.padStart(width)}`).join(""))
      .join("\n");
  }

  /**
   * Where `picture` shows each cell: the row and column of its characters.
   * @param {string[]} cells
   * @returns {Places}
   */
  spots(cells) {
    const [margin, width] = this.#measures(cells);
    return Object.fromEntries(
      this.names.map((name, cell) => {
        const [row, column] = this.place(cell);
        const first = margin + column * (width + 1) + 1;
        return [name, range(width).map((offset) => [row + 1, first + offset])];
      }),
    );
  }

  /** The widths, in characters, of the row numbers and of one cell. @param {string[]} words */
  #measures(words) {
    const widest = Math.max(...[letters(this.columns - 1), ...words].map((each) => each.length));
    return [String(this.rows).length, widest];
  }

  /** The top left point of a cell. @param {number} cell @returns {[number, number]} */
  corner(cell) {
    const [row, column] = this.place(cell);
    return [EDGE + column * UNIT, EDGE + row * UNIT];
  }

  /** The middle of a cell. @param {number} cell @returns {[number, number]} */
  centre(cell) {
    const [x, y] = this.corner(cell);
    return [x + UNIT / 2, y + UNIT / 2];
  }

  /** The frame of a cell; pages make it a button. @param {number} cell @param {Attributes} [more] */
  square(cell, more = {}) {
    const [x, y] = this.corner(cell);
    const shape = { x, y, width: UNIT, height: UNIT, "data-cell": this.names[cell] };
    return tag("rect", { ...shape, fill: "none", class: "cell", ...more });
  }

  /** A dashed frame that points out a cell. @param {number} cell @param {number} [rounding] */
  ring(cell, rounding = 8) {
    const [x, y] = this.corner(cell);
    const shape = { x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: rounding };
    const pen = { stroke: COLOURS.highlight, "stroke-width": 4, "stroke-dasharray": "8 5" };
    return tag("rect", { ...shape, fill: "none", ...pen, class: "highlight" });
  }

  get letterSize() { return Math.min(26, ((Math.max(this.rows, this.columns) + 1) * UNIT) / 30); }

  /** The names of columns and rows. @param {number} at @param {number} size @param {number} [shift] In cells. */
  coordinates(at, size, shift = 0) {
    const place = (/** @type {number} */ each) => EDGE + (each + shift) * UNIT;
    const columns = range(this.columns).map((each) => columnName(place(each), at, letters(each), size));
    const rows = range(this.rows).map((each) => rowName(at, place(each), this.rowName(each), size));
    return [...columns, ...rows];
  }

  /** The whole drawing of a board. @param {string} title @param {string} description @param {string[]} parts */
  sheet(title, description, parts) {
    const names = this.coordinates(EDGE / 2, this.letterSize, 0.5);
    const height = EDGE + this.rows * UNIT + EDGE / 3;
    return sheetOf(2 * EDGE + this.columns * UNIT, height, title, description, [...parts, ...names]);
  }
}

/** @typedef {Record<string, [number, number][]>} Places */

/** The look of a cell on which something has just happened. */
export const LIT = { fill: COLOURS.last, rx: 12, class: "cell last lit" };

/** The first seat's mark. @param {number} x @param {number} y @param {number} [reach] */
export function cross(x, y, reach = UNIT * 0.28) {
  const [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach].map(inShort);
  const path = `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  const pen = { stroke: COLOURS.first, "stroke-width": 6, "stroke-linecap": "round" };
  return tag("path", { d: path, ...pen, pathLength: 1, class: "first" });
}

/** The second seat's mark. @param {number} x @param {number} y @param {number} [reach] */
export function nought(x, y, reach = UNIT * 0.29) {
  const pen = { fill: "none", stroke: COLOURS.second, "stroke-width": 6 };
  return tag("circle", { cx: x, cy: y, r: reach, ...pen, pathLength: 1, class: "second" });
}

/** A piece on a spot. @param {string} name @param {string} body @param {string} [kind] @param {Attributes} [more] */
export function piece(name, body, kind = "", more = {}) {
  return tag("g", { class: `piece ${kind}`.trimEnd(), "data-at": name, ...more }, body);
}

/**
 * A solid piece: a thick edge, a face, and the mark of its seat.
 * @param {number} x @param {number} y @param {number} seat @param {number} reach @param {number} rounding
 */
export function solid(x, y, seat, reach, rounding) {
  const name = seat ? "second" : "first";
  const shape = { x: x - reach, width: 2 * reach, height: 2 * reach, rx: rounding };
  const deep = { fill: seat ? COLOURS.secondDeep : COLOURS.firstDeep, class: `under-${name}` };
  const under = tag("rect", { y: y - reach + 3, ...deep, ...shape });
  const face = tag("rect", { y: y - reach, fill: COLOURS[name], class: `disc ${name}`, ...shape });
  const mark = (seat ? nought : cross)(x, y, reach * 0.44).replaceAll(COLOURS[name], COLOURS.surface);
  return under + face + mark;
}

/**
 * A golden frame.
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 * @param {number} rounding
 * @param {string} name
 */
export function gold(x, y, reach, rounding, name) {
  const size = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach, rx: rounding, fill: "none" };
  const edge = tag("rect", { stroke: COLOURS.goldEdge, "stroke-width": 8, class: "gold-edge", ...size });
  return edge + tag("rect", { stroke: COLOURS.gold, "stroke-width": 5, class: name, ...size });
}

/** The tray that the cells lie on. @param {number} width @param {number} height @param {number} [rim] */
export function tray(width, height, rim = 8) {
  const left = EDGE - rim;
  const size = { width: width + 2 * rim, height: height + 2 * rim, rx: 14 };
  return tag("rect", { x: left, y: left, ...size, fill: COLOURS.raised, class: "tray" });
}

/** @param {number} x @param {number} y @param {string} text @param {number} size @param {Attributes} [more] */
export function columnName(x, y, text, size, more = {}) {
  return label(x, y, text, size, { fill: COLOURS.quiet, class: "column-name", ...more });
}

/** @param {number} x @param {number} y @param {string} text @param {number} size */
export function rowName(x, y, text, size) {
  return label(x, y, text, size, { fill: COLOURS.quiet, class: "row-name" });
}
