// @ts-check
// Dots and Boxes where there is no server: the twin of its rules, its drawing and its chains.

import { COLOURS, EDGE, Grid, UNIT, cross, inShort, label } from "../../web/static/js/offline/picture.js";
import { letters, nought, piece, range, sheetOf, tag, tray } from "../../web/static/js/offline/picture.js";
/** @import { Attributes } from "../../web/static/js/offline/picture.js" */
/** @import { OfflineGame, Ply, Position } from "../../web/static/js/offline/position.js" */
/** @import { Feature } from "../../web/static/js/wire.d.ts" */

const LARGEST = 25; // boxes in a row
const LONG_CHAIN = 3;
const [DOT, HIT, TAKEN] = [6.5, 26, "*"];
const SIDES = ["top", "left", "right", "bottom"];
/** @type {Record<string, string>} */
const DASHES = { safe: "1 9", half: "10 6", hard: "3 5", offer: "16 4" };

/** A board of so many boxes: lines and boxes are numbered row by row, first all lines across, then all down. */
class DotsBoard {
  /** @param {number} rows @param {number} columns */
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.dots = new Grid(rows + 1, columns + 1);
    this.boxes = new Grid(rows, columns);
    const dots = range(this.dots.size);
    const across = dots.filter((dot) => dot % (columns + 1) < columns).map((dot) => [dot, dot + 1]);
    const down = dots.filter((dot) => dot < rows * (columns + 1)).map((dot) => [dot, dot + columns + 1]);
    this.lines = [...across, ...down];
    this.names = this.lines.map(([first, second]) => this.dots.names[first] + this.dots.names[second]);
    /** The four lines around each box: top, left, right, bottom. */
    this.sides = range(rows * columns).map((box) => {
      const left = across.length + box + Math.floor(box / columns);
      return [box, left, left + 1, box + columns];
    });
    /** The one or two boxes that each line is a side of. */
    this.beside = this.lines.map((_, line) =>
      range(this.sides.length).filter((box) => this.sides[box].includes(line)),
    );
  }

  /** A line from dot to dot. @param {number} line @param {Attributes} attributes */
  stroke(line, attributes) {
    const [[x1, y1], [x2, y2]] = this.lines[line].map((dot) => this.dots.corner(dot));
    return tag("line", { x1, y1, x2, y2, ...attributes });
  }
}

/** @type {Map<string, DotsBoard>} */
const BOARDS = new Map();

/**
 * @typedef {{boxes: number[], lines: number[], shape: "open" | "half-open" | "closed" | "loop"}} Chain
 * @typedef {Map<number, [number, number | null][]>} Links The undrawn lines of each box in a chain, each with the box
 *   in a chain on its other side.
 */

/** @implements {Position} */
class Dots {
  /**
   * @param {OfflineGame} game
   * @param {DotsBoard} board
   * @param {boolean[]} drawn For each line whether it is.
   * @param {number} turn
   * @param {number[]} owned Boxes of each seat.
   */
  constructor(game, board, drawn, turn, owned) {
    this.game = game;
    this.board = board;
    this.drawn = drawn;
    this.turn = turn;
    this.owned = owned;
    this.most = board.sides.length;
  }

  get text() {
    const lines = this.drawn.map((each) => (each ? "1" : "0")).join("");
    return `${this.game.spec} ${lines} ${this.turn + 1} ${this.owned.join("-")}`;
  }

  get undrawn() { return range(this.drawn.length).filter((line) => !this.drawn[line]); }

  moves() { return this.undrawn.map((line) => this.board.names[line]); }

  /** @param {string} move */
  #line(move) { return this.board.names.indexOf(move); }

  /** @param {string} move */
  child(move) {
    const { board, game, turn, owned } = this;
    const line = this.#line(move);
    const drawn = this.drawn.with(line, true);
    const won = board.beside[line].filter((box) => board.sides[box].every((side) => drawn[side])).length;
    return new Dots(game, board, drawn, won ? turn : 1 - turn, owned.with(turn, owned[turn] + won));
  }

  scores() { return this.owned; }

  /** @param {string} text The name of a line, from either dot. */
  moveOf(text) {
    const other = text.replace(/^([a-z]+\d+)([a-z]+\d+)$/, "$2$1");
    return this.board.names.find((each) => each === text || each === other);
  }

  /** @param {string} line */
  whyNot(line) { return { key: "dots.already_drawn", values: { line } }; }

  /** The boxes that are complete. */
  get complete() {
    return range(this.board.sides.length).filter((box) => this.board.sides[box].every((line) => this.drawn[line]));
  }

  picture() {
    const { dots, rows, columns } = this.board;
    const margin = String(dots.rows).length;
    const complete = new Set(this.complete);
    const lines = [`${" ".repeat(margin + 1)}${range(dots.columns).map(letters).join("   ")}`];
    for (const row of range(dots.rows)) {
      const across = range(columns).map((column) => (this.drawn[row * columns + column] ? "---+" : "   +"));
      lines.push(`${String(row + 1).padStart(margin)} +${across.join("")}`);
      if (row < rows) lines.push(" ".repeat(margin + 1) + this.#lineOfBoxes(row, complete));
    }
    return lines.map((line) => line.trimEnd()).join("\n");
  }

  /** @param {number} row @param {Set<number>} complete */
  #lineOfBoxes(row, complete) {
    const { columns, sides } = this.board;
    const boxes = range(columns).map((column) => row * columns + column);
    const cells = boxes.map((box) => `${this.drawn[sides[box][1]] ? "|" : " "} ${complete.has(box) ? TAKEN : " "} `);
    return cells.join("") + (this.drawn[sides[boxes[boxes.length - 1]][2]] ? "|" : "");
  }

  /** Where the picture shows each line: the characters between its dots. */
  spots() {
    const { dots, lines, names } = this.board;
    const first = String(dots.rows).length + 1;
    return Object.fromEntries(
      lines.map(([dot, other], line) => {
        const [row, column] = dots.place(dot);
        const [top, left] = [2 * row + 1, first + 4 * column];
        const across = [1, 2, 3].map((offset) => /** @type {[number, number]} */ ([top, left + offset]));
        return [names[line], other === dot + 1 ? across : [/** @type {[number, number]} */ ([top + 1, left])]];
      }),
    );
  }

  /** @param {Ply[]} played */
  svg(played) {
    const { board, drawn } = this;
    const { dots, rows, columns } = board;
    const latest = played.at(-1);
    const how = this.#completions(played);
    const parts = [tray(columns * UNIT, rows * UNIT, 20)];
    for (const box of this.complete) parts.push(boxOf(board, box, how.get(box)));
    if (latest) parts.push(halo(board, this.#line(latest.move)));
    for (const line of range(drawn.length)) parts.push((drawn[line] ? drawnLine : undrawnLine)(board, line));
    for (const dot of range(dots.size)) parts.push(peg(...dots.corner(dot)));
    parts.push(...dots.coordinates(EDGE / 4, new Grid(rows, columns).letterSize));
    const [width, height] = [columns, rows].map((count) => 2 * EDGE + count * UNIT);
    return sheetOf(width, height, this.text, this.picture(), parts);
  }

  /** The seat and the line that completed each box, as far as the plies tell. @param {Ply[]} played */
  #completions(played) {
    /** @type {Map<number, {seat: number, line: number}>} */
    const found = new Map();
    const left = [...this.drawn];
    for (const { before, move } of played.toReversed()) {
      const line = this.#line(move);
      for (const box of this.board.beside[line])
        if (this.board.sides[box].every((side) => left[side])) found.set(box, { seat: before.turn, line });
      left[line] = false;
    }
    return found;
  }

  /** @param {string} move */
  highlight(move) {
    const pen = { stroke: COLOURS.highlight, "stroke-width": 6, "stroke-dasharray": "8 5" };
    return this.board.stroke(this.#line(move), { ...pen, class: "highlight" });
  }

  /** @param {string} move @returns {[number, number]} */
  labelPoint(move) {
    const [[x1, y1], [x2, y2]] = this.board.lines[this.#line(move)].map((dot) => this.board.dots.corner(dot));
    return [(x1 + x2) / 2, (y1 + y2) / 2];
  }

  /** Chains and loops with their lengths, and what each kind of line gives away. */
  features() {
    const { board } = this;
    const found = this.#chains();
    const safe = this.undrawn.filter((line) =>
      board.beside[line].every((box) => board.sides[box].filter((side) => this.drawn[side]).length < 2),
    );
    return [
      ...found.map((chain) => feature(keyOf(chain), { boxes: chain.boxes.length }, outline(board, chain))),
      feature("dots.safe_lines", { lines: safe.length }, marks(board, safe, "safe")),
      ...handouts(board, found),
      ...offers(board, found),
      ...rule(board, found),
    ];
  }

  /** Every chain and loop, chains first. @returns {Chain[]} */
  #chains() {
    const links = this.#links();
    const ends = [...links.keys()].filter(
      (box) => (links.get(box) ?? []).filter(([, beyond]) => beyond !== null).length < 2,
    );
    /** @type {Chain[]} */
    const found = [];
    for (const start of [...ends, ...links.keys()]) {
      if (found.some(({ boxes }) => boxes.includes(start))) continue;
      const { boxes, lines } = follow(start, links);
      found.push({ boxes, lines, shape: ends.includes(start) ? shapeOf(boxes, links) : "loop" });
    }
    return found;
  }

  /** @returns {Links} */
  #links() {
    const { sides, beside } = this.board;
    const open = sides.map((lines) => lines.filter((line) => !this.drawn[line]));
    const members = range(sides.length).filter((box) => open[box].length === 1 || open[box].length === 2);
    const beyond = (/** @type {number} */ box, /** @type {number} */ line) =>
      beside[line].find((other) => other !== box && members.includes(other)) ?? null;
    return new Map(members.map((box) => [box, open[box].map((line) => [line, beyond(box, line)])]));
  }
}

/** The boxes and lines of a chain from one end to the other, or once around a loop. */
function follow(/** @type {number} */ start, /** @type {Links} */ links) {
  /** @type {number[]} */
  const boxes = [];
  /** @type {number[]} */
  const lines = [];
  /** @type {number | null} */
  let box = start;
  while (box !== null) {
    boxes.push(box);
    /** @type {number | null} */
    let onward = null;
    /** @type {[number, number | null][]} */
    const beside = links.get(box) ?? [];
    // The line that leads out of the chain comes first: only the last box may have it last.
    const ordered = [...beside.filter((each) => each[1] === null), ...beside.filter((each) => each[1] !== null)];
    for (const [line, beyond] of ordered) {
      if (lines.includes(line)) continue;
      lines.push(line);
      onward = beyond;
    }
    box = onward;
  }
  return { boxes, lines };
}

/** @param {number[]} boxes @param {Links} links */
function shapeOf(boxes, links) {
  const ready = boxes.filter((box) => links.get(box)?.length === 1).length;
  return ready === 2 ? "closed" : ready === 1 ? "half-open" : "open";
}

/** @param {Chain} chain */
function keyOf({ boxes, shape }) {
  if (shape === "loop") return "dots.loop";
  return boxes.length >= LONG_CHAIN ? "dots.long_chain" : "dots.short_chain";
}

/** @returns {Feature} */
function feature(/** @type {string} */ key, /** @type {Record<string, unknown>} */ values, svg = "") {
  return { key, values, svg };
}

/** The two ways to give a chain of two away. @param {DotsBoard} board @param {Chain[]} found */
function handouts(board, found) {
  const twos = found.filter(({ boxes, shape }) => boxes.length === 2 && shape === "open");
  return twos.flatMap(({ lines: [first, middle, last] }) => [
    feature("dots.hard_hearted", { line: board.names[middle] }, marks(board, [middle], "hard")),
    feature(
      "dots.half_hearted",
      { lines: `${board.names[first]} ${board.names[last]}` },
      marks(board, [first, last], "half"),
    ),
  ]);
}

/**
 * The lines that leave the last boxes of a chain or loop to the rival.
 * @param {DotsBoard} board
 * @param {Chain[]} found
 */
function offers(board, found) {
  return found.flatMap(({ boxes, lines, shape }) => {
    if (!(boxes.length === 2 && shape === "half-open") && !(boxes.length === 4 && shape === "closed")) return [];
    const inner = boxes.slice(1, 3);
    const line = lines.find((each) => {
      const beside = board.beside[each].filter((box) => boxes.includes(box));
      if (shape !== "closed") return beside.length === 1;
      return beside.length === 2 && inner.every((box) => beside.includes(box));
    });
    if (line === undefined) throw new Error("a chain without a line to offer");
    return [feature("dots.double_cross", { line: board.names[line] }, marks(board, [line], "offer"))];
  });
}

/** The seat that long chains favour. @param {DotsBoard} board @param {Chain[]} found */
function rule(board, found) {
  const chains = found.filter(({ boxes, shape }) => boxes.length >= LONG_CHAIN && shape !== "loop").length;
  const dots = board.dots.size;
  return chains ? [feature("dots.chain_rule", { dots, chains, seat: 1 + ((dots + chains) % 2) })] : [];
}

/**
 * Highlighted lines, each kind in its own dashes.
 * @param {DotsBoard} board
 * @param {number[]} lines
 * @param {string} name
 */
function marks(board, lines, name) {
  const stroke = ["safe", "offer"].includes(name) ? COLOURS.highlight : COLOURS.second;
  const pen = { stroke, "stroke-width": 5, "stroke-linecap": "round" };
  const look = { "stroke-dasharray": DASHES[name], class: `expert ${name}` };
  return lines.map((line) => board.stroke(line, { ...pen, ...look })).join("");
}

/** A thread through the middles of the boxes, with their number. @param {DotsBoard} board @param {Chain} chain */
function outline(board, { boxes, shape }) {
  const middles = boxes.map((box) => board.boxes.centre(box));
  const thread = shape === "loop" ? [...middles, middles[0]] : middles;
  const points = thread.map((point) => point.map(inShort).join(",")).join(" ");
  const stroke = COLOURS.highlight;
  const line = tag("polyline", { points, fill: "none", stroke, "stroke-width": 4, class: "thread" });
  const [x, y] = middles[0];
  const knot = tag("circle", { cx: x, cy: y, r: 12, fill: COLOURS.paper, stroke, "stroke-width": 3 });
  return tag("g", { class: "chain" }, line + knot + label(x, y, String(boxes.length), 14));
}

/** @param {DotsBoard} board @param {number} line */
function drawnLine(board, line) {
  const pen = { stroke: COLOURS.ink, "stroke-width": 7, "stroke-linecap": "round", pathLength: 1 };
  return board.stroke(line, { ...pen, class: "line", "data-move": board.names[line] });
}

/** An undrawn line, faint, with a wide area to click. @param {DotsBoard} board @param {number} line */
function undrawnLine(board, line) {
  const faint = board.stroke(line, { stroke: COLOURS.faint, "stroke-width": 2, "stroke-dasharray": "2 6" });
  const hit = { stroke: "transparent", "stroke-width": HIT, class: "hit", "data-move": board.names[line] };
  return faint + board.stroke(line, hit);
}

/** A golden glow around the line that was drawn last. @param {DotsBoard} board @param {number} line */
function halo(board, line) {
  const pen = { "stroke-linecap": "round", pathLength: 1 };
  const edge = { stroke: COLOURS.goldEdge, "stroke-width": 17, class: "gold-edge", ...pen };
  const glow = { stroke: COLOURS.gold, "stroke-width": 14, class: "last", ...pen };
  return board.stroke(line, edge) + board.stroke(line, glow);
}

/** A peg, with the light on it. @param {number} x @param {number} y */
function peg(x, y) {
  const light = { r: DOT * 0.3, fill: COLOURS.surface, "fill-opacity": 0.7 };
  return (
    tag("circle", { cx: x, cy: y, r: DOT, fill: COLOURS.ink, class: "dot" }) +
    tag("circle", { cx: x - 2, cy: y - 2, ...light })
  );
}

/**
 * A complete box in the colour and with the mark of its owner; grey where nobody knows who that is.
 * @param {DotsBoard} board
 * @param {number} box
 * @param {{seat: number, line: number} | undefined} how
 */
function boxOf(board, box, how) {
  const [[x, y], middle] = [board.boxes.corner(box), board.boxes.centre(box)];
  const name = how ? (how.seat ? "second" : "first") : "unknown";
  const size = { width: UNIT, height: UNIT, fill: how ? COLOURS[how.seat ? "second" : "first"] : COLOURS.faint };
  const square = tag("rect", { x, y, class: `box ${name}`, ...size, "fill-opacity": 0.22 });
  if (!how) return piece(board.boxes.names[box], square + label(...middle, TAKEN));
  const mark = (how.seat ? nought : cross)(...middle, UNIT * 0.18);
  return piece(board.boxes.names[box], square + mark, `from-${SIDES[board.sides[box].indexOf(how.line)]}`);
}

/** @param {OfflineGame} game */
function boardOf({ spec, options: { rows, columns } }) {
  if (Math.min(rows, columns) < 1 || Math.max(rows, columns) > LARGEST) throw new Error(`no size: ${spec}`);
  const board = BOARDS.get(spec) ?? new DotsBoard(rows, columns);
  BOARDS.set(spec, board);
  return board;
}

/** @param {OfflineGame} game */
export function begin(game) {
  const board = boardOf(game);
  return new Dots(game, board, board.lines.map(() => false), 0, [0, 0]);
}

/** @param {OfflineGame} game @param {string[]} fields */
export function read(game, [lines, turn, boxes]) {
  const board = boardOf(game);
  const drawn = [...lines].map((each) => each === "1");
  const owned = boxes.split("-").map(Number);
  const position = new Dots(game, board, drawn, Number(turn) - 1, owned);
  const fits = drawn.length === board.lines.length && /^[01]+$/.test(lines) && /^\d+-\d+$/.test(boxes);
  if (!fits || !["1", "2"].includes(turn) || owned[0] + owned[1] !== position.complete.length)
    throw new Error(`not reachable: ${lines} ${turn} ${boxes}`);
  return position;
}
