// @ts-check
// The board: the server's drawing, with a button over every spot that can be pointed at; larger where they are too fine
// for a finger. It knows no game: what may be played, where it lies and what it does comes with the position.

import { known, say } from "./language.js";
import { Group, announce, attributesOf, button, focusOn, parsed, tool } from "./ui.js";
import { Component, createRef, h } from "./vendor/preact.mjs";
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { MoveFacts as Choice } from "./wire.d.ts" */
/** @import { BoardFacts } from "./wire.d.ts" */
/** @typedef {"name" | "position" | "svg" | "spots" | "legal" | "spots_in_a_move"} DrawnFacts */
/**
 * @typedef {Pick<BoardFacts, DrawnFacts> & {moves?: string[], turns?: number[], turn?: number,
 * upright?: boolean}} Drawn
 */
/**
 * @typedef {{x: number, y: number, width: number, height: number, slanted: boolean, outline?: string}} Area
 * The outline is the CSS polygon of a spot that is no rectangle.
 */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});
const MOMENT = 400; // milliseconds
const SETTLED = 300; // milliseconds after which a tap is meant for the move that was drawn last
const TARGET = 44; // pixels that a finger needs
const [ZOOM_STEP, MOST_ZOOM] = [1.5, 4];
const NEARLY = 1.1; // a level that is not offered where its buttons would take the room of the board
const EMPTY = "."; // how the board in characters shows a place with nothing on it

/**
 * @typedef {object} BoardProps
 * @property {Drawn} board
 * @property {string} label
 * @property {boolean} live True if a move can be made.
 * @property {(move: string) => unknown} pick Called with the move that was picked.
 * @property {(choice: Choice | undefined) => void} [previewed] Called with the legal move under the pointer.
 * @property {boolean} [cells] Spots are cells, not moves.
 * @property {Child[]} [layers] Layers over the drawing, the lowest first.
 * @property {boolean} [turned] Seen from the other seat.
 * @property {boolean} [veiled] The pieces are hidden.
 * @property {boolean} [ghost] The position is not that of the game.
 * @property {boolean} [brief] The link between two tiles is shown for a moment only.
 * @property {boolean} [alike] Point out what could make a pair with the first spot.
 */

/** Return whether a board can be turned for the other seat. @param {Drawn} board */
export function turnable({ svg, upright }) { return /data-(move|cell)=/.test(svg) && !upright; }

/**
 * Return a layer that highlights a legal move; null if it is not legal. The name of the layer is its reason.
 * @param {Drawn} board
 * @param {string} name
 * @param {string | null | undefined} move
 */
export function pointed(board, name, move) {
  const choice = board.legal.find((each) => each.m === move);
  return choice?.svg ? h(Group, { key: name, name: `layer ${name}`, text: choice.svg }) : null;
}

/**
 * Return a layer that shows the moves of a hint: an area that glows, or one move.
 * @param {Drawn} board
 * @param {string[]} moves
 */
export function hinted(board, moves) {
  if (moves.length === 1) return pointed(board, "hint", moves[0]);
  const glowing = board.legal.filter((each) => moves.includes(each.m)).map((each) => each.svg);
  return glowing.length ? h(Group, { key: "area", name: "layer area", text: glowing.join("") }) : null;
}

/**
 * Return the column that a digit names, 0 the tenth; undefined if it names none.
 * @param {Drawn} board
 * @param {string} key
 */
export function columnOf(board, key) {
  const name = key === "0" ? "10" : key;
  return /^[0-9]$/.test(key) && name in board.spots ? name : undefined;
}

/** Put the cursor on the board. */
export function focusBoard() { focusOn(".spot[tabindex='0']"); }

/** @extends {Component<BoardProps>} */
export class Board extends Component {
  element = createRef();
  /** @type {Drawn | null} */
  shown = null;
  /** @type {Map<string, Area>} */
  areas = new Map();
  size = [1, 1];
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {SVGElement[]} */
  nodes = [];
  /** @type {Map<string, SVGElement>} The parts of the drawing by their markup. */
  parts = new Map();
  /** @type {SVGElement[]} */
  gone = []; // what the last move took off the board, on its way out
  /** @type {string | null} */
  first = null; // the first spot of a pair
  current = ""; // the spot that the arrow keys have reached
  /** @type {string | null} */
  preview = null; // the move that is looked at
  /** @type {string | null} */
  made = null; // the move that was picked, until the server has drawn it
  faded = this.props.brief ?? false;
  focused = false;
  timer = 0;

  componentDidUpdate() {
    for (const each of this.element.current.querySelectorAll(".piece[data-at]"))
      each.classList.toggle("picked", placeOf(each) === this.first);
    const lost = this.focused && !this.element.current.contains(document.activeElement);
    if (lost) this.#focus(this.current); // the spot that had the focus is gone
  }

  componentWillUnmount() { clearTimeout(this.timer); }

  /** Show another position. @param {BoardProps} props */
  #take({ board, cells = false, live, brief }) {
    const before = this.shown;
    const picked = this.first && before?.spots[this.first] === board.spots[this.first] ? this.first : null;
    this.first = live ? picked : null; // a fast player has picked the next tile already
    this.shown = board;
    this.made = null;
    const moved = before !== null && (board.moves?.length ?? 0) > (before.moves?.length ?? 0);
    if (before?.svg !== board.svg) {
      const svg = parsed(board.svg);
      const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
      this.size = [width, height];
      this.areas = areasOf(svg, cells);
      this.attributes = attributesOf(svg);
      this.#draw(/** @type {any} */ ([...svg.children]), moved ? board.moves?.at(-1) : undefined);
    }
    if (!this.areas.has(this.current)) this.current = [...this.areas.keys()][0] ?? "";
    if (moved && (brief || this.gone.length)) this.#flash();
    if (moved && board.turns?.at(-1) !== board.turn) TAPS.wait();
  }

  /**
   * Keep the parts of the drawing that stay the same: what moves goes on. What a move has brought is marked,
   * what it has taken off the board is seen for a moment more.
   * @param {SVGElement[]} drawn
   * @param {string | undefined} move
   */
  #draw(drawn, move) {
    const before = this.parts;
    const writer = new XMLSerializer();
    const parts = drawn.map((each) => ({ markup: writer.serializeToString(each), each }));
    this.nodes = parts.map(({ markup, each }) => before.get(markup) ?? each);
    this.parts = new Map(parts.map(({ markup }, place) => [markup, this.nodes[place]]));
    const left = [...before].flatMap(([markup, each]) => (this.parts.has(markup) ? [] : [each]));
    const places = new Set(left.map(placeOf));
    this.gone = move ? left.filter((each) => move.match(/[a-z]+\d+/g)?.includes(placeOf(each))) : [];
    for (const each of this.gone) each.classList.add("gone");
    if (move)
      drawn.filter((each) => this.nodes.includes(each)).forEach((each) => markFresh(each, places.has(placeOf(each))));
  }

  /** Show how the last two tiles were linked, but only for a moment. */
  #flash() {
    clearTimeout(this.timer);
    this.faded = false;
    this.timer = window.setTimeout(() => {
      this.faded = true;
      this.gone = [];
      this.forceUpdate();
    }, MOMENT);
  }

  /** @param {BoardProps} props */
  render(props) {
    const { board, label, live, layers = [], turned, veiled = false, ghost, pick } = props;
    this.focused = this.element.current?.contains(document.activeElement) ?? false;
    if (board !== this.shown) this.#take(props);
    const [width, height] = this.size;
    const areas = [...this.areas.values()];
    const states = {
      board: true,
      live,
      turned: turned && turnable(board),
      veiled,
      ghost,
      faded: this.faded,
      unpointed: !this.areas.size,
      fine: board.spots_in_a_move === 2 || areas.some((each) => each.slanted), // small labels
      [`seat-${board.turn ?? 0}`]: true,
    };
    return h("div", {
        class: Object.entries(states)
          .flatMap(([name, on]) => (on ? [name] : []))
          .join(" "),
        role: "group",
        "aria-label": label,
        "data-game": board.name,
        inert: veiled,
        style: { "--ratio": String(width / height), "--widest": `${3 * width}px` },
        ref: this.element,
        onkeydown: this.key,
      },
      h("svg", { ...this.attributes, "aria-hidden": "true" },
        h(Group, { name: "drawing", nodes: this.nodes }),
        h(Group, { name: "leaving", nodes: this.gone }),
        pointed(board, "preview", this.made ?? (live ? this.preview : null)),
        layers,
      ),
      [...this.areas].map(([name, area]) => this.#spot(name, area)),
      !this.areas.size &&
        h("div", { class: "move-names", role: "group", "aria-label": say("lab.moves") },
          live && board.legal.map(({ m }) => button(m, () => pick(m), { key: m, "data-move": m })),
        ),
    );
  }

  /**
   * Make a move; it is seen at once, as it was when it was looked at, and not only when the server has answered.
   * @param {string} move
   */
  async #make(move) {
    const { live, pick } = this.props;
    this.made = live ? move : null;
    TAPS.wait();
    this.forceUpdate();
    try {
      await pick(move);
    } finally {
      this.made = null;
      this.forceUpdate();
    }
  }

  /** Return a button over the area of a spot in the drawing. @param {string} name @param {Area} area */
  #spot(name, area) {
    const { spots } = this.props.board;
    const [width, height] = this.size;
    const alike =
      this.props.alike && this.first && this.first !== name && spots[this.first] && spots[this.first] === spots[name];
    return h("button", {
      type: "button",
      key: name,
      "data-spot": name,
      class: `spot${area.slanted ? " slanted" : ""}${area.outline ? " cut" : ""}${alike ? " alike" : ""}`,
      tabindex: name === this.current ? 0 : -1,
      "aria-label": describe(this.props.board.name, name, spots[name] ?? ""),
      "aria-pressed": name === this.first ? "true" : null,
      style: {
        left: `${(area.x / width) * 100}%`,
        top: `${(area.y / height) * 100}%`,
        width: `${(area.width / width) * 100}%`,
        height: `${(area.height / height) * 100}%`,
        clipPath: area.outline ?? "",
      },
      onclick: (event) => {
        if (this.props.board.spots_in_a_move === 2 || TAPS.count(event)) this.#choose(name);
      },
      onfocus: () => {
        this.current = name;
        this.#look(name);
      },
      onblur: () => this.#look(null),
      onpointerenter: () => this.#look(name),
      onpointerleave: () => this.#look(null),
    });
  }

  /** @param {string | null} spot */
  #look(spot) {
    const { board, previewed } = this.props;
    const move = spot && board.spots_in_a_move === 2 && this.first ? this.#pair(this.first, spot) : spot;
    this.preview = move;
    this.forceUpdate();
    previewed?.(board.legal.find((each) => each.m === move));
  }

  /**
   * Return the name of the legal move of two spots, in whichever order they were picked.
   * @param {string} first
   * @param {string} second
   */
  #pair(first, second) {
    const named = [first + second, second + first];
    return this.props.board.legal.find((each) => named.includes(each.m))?.m ?? first + second;
  }

  /** @param {string} name */
  #choose(name) {
    const { board, live } = this.props;
    if (!live || board.spots_in_a_move !== 2) this.#make(name);
    else if (this.first === name) this.#mark(null);
    else if (this.first) this.#chooseSecond(this.first, name);
    else if (board.spots[name] !== EMPTY) {
      this.#mark(name);
      announce(say("web.picked_first", { spot: name }));
    }
  }

  /**
   * Make the move of two picked tiles; if they do not fit, the second becomes the first of another pair.
   * @param {string} first
   * @param {string} second
   */
  #chooseSecond(first, second) {
    const { board } = this.props;
    const move = this.#pair(first, second);
    const fits = board.legal.some((each) => each.m === move) || board.spots[second] === EMPTY;
    this.#mark(fits ? null : second);
    this.#make(move);
  }

  /** @param {string | null} name */
  #mark(name) {
    this.first = name;
    this.forceUpdate();
  }

  /** @param {string} name */
  #focus(name) {
    focusOn(`[data-spot="${CSS.escape(name)}"]`, this.element.current, { preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { board, turned } = this.props;
    const direction = ARROWS[event.key];
    const column = columnOf(board, event.key);
    if (direction) {
      const sign = turned && turnable(board) ? -1 : 1;
      const next = beside(this.areas, this.current, [sign * direction[0], sign * direction[1]]);
      if (next) this.#focus(next);
      event.preventDefault();
    } else if (event.key === "Escape" && this.first) this.#mark(null);
    else if (column && this.areas.has(column)) this.#make(column);
    else return;
    event.stopPropagation();
  };
}

/** Distinguishes intended taps from the second one of a double tap, which comes when the reply is just drawn. */
class Taps {
  #from = 0; // when taps count again, as performance.now() tells the time

  /** Ignore taps for a moment, because a move was made, or drawn. */
  wait() { this.#from = performance.now() + SETTLED; }

  /** Return whether a click counts; keys and single clicks of a mouse always do. @param {PointerEvent} event */
  count({ pointerType, detail }) {
    return !(pointerType === "touch" || detail > 1) || performance.now() >= this.#from;
  }
}

const TAPS = new Taps(); // of whoever is at this screen

/** Return where on the board a piece lies; an empty text for other parts. @param {Element} part */
const placeOf = (part) => part.getAttribute("data-at") ?? "";

/**
 * Mark a part as new: in place of another one, or fallen from above.
 * @param {SVGElement} part
 * @param {boolean} over
 */
function markFresh(part, over) {
  part.classList.add("fresh");
  part.classList.toggle("over", over && part.hasAttribute("data-at"));
  part.style.setProperty("--drop", `-${part.getAttribute("data-drop") ?? 0}px`);
}

/**
 * Return the description of a spot: empty, a line, stones, or a tile, by its name if the game's texts have one.
 * @param {string} game
 * @param {string} spot
 * @param {string} shown What the board in characters shows there.
 */
function describe(game, spot, shown) {
  const content = shown.replace(/\s/g, "").replace(/^\d+(?=[.xo])/, ""); // a column begins with its number
  const stones = [...content].filter((letter) => letter !== ".");
  if (!stones.length) return say("web.spot_empty", { spot });
  if (/^[-|]+$/.test(content)) return say("web.spot_drawn", { spot });
  const key = `${game}.tile_${content}`;
  const tile = /^\d+$/.test(content) && (known(key) ? `${say(key)} (${content})` : content);
  return say("web.spot_holds", { spot, content: tile || stones.reverse().join(" ").toUpperCase() });
}

/** @param {Area} area @returns {[number, number]} */
const middle = (area) => [area.x + area.width / 2, area.y + area.height / 2];

/**
 * Return the areas of the spots of a drawing: cells as squares, columns as all their cells, lines as diamonds
 * that share the room between them.
 * @param {SVGSVGElement} svg
 * @param {boolean} cells Name cells, not the moves they belong to.
 * @returns {Map<string, Area>}
 */
function areasOf(svg, cells) {
  const areas = new Map();
  for (const part of svg.querySelectorAll("[data-move], [data-cell]")) {
    const [move, cell] = [part.getAttribute("data-move"), part.getAttribute("data-cell")];
    const name = (cells ? (cell ?? move) : (move ?? cell)) ?? "";
    areas.set(name, areas.has(name) ? union(areas.get(name), areaOf(part)) : areaOf(part));
  }
  return areas;
}

/** @param {Element} part @param {string[]} names */
const numbers = (part, ...names) => names.map((name) => Number(part.getAttribute(name)));

/**
 * Return the area of a part of the drawing: a square for a cell, a diamond for a line, a polygon as it is.
 * @param {Element} part
 * @returns {Area}
 */
function areaOf(part) {
  if (part.tagName === "line") {
    const [x1, y1, x2, y2] = numbers(part, "x1", "y1", "x2", "y2");
    const length = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
    return { x: (x1 + x2 - length) / 2, y: (y1 + y2 - length) / 2, width: length, height: length, slanted: true };
  }
  if (part.tagName === "polygon") return polygonArea(part.getAttribute("points") ?? "");
  if (part.tagName === "circle") {
    const [cx, cy, r] = numbers(part, "cx", "cy", "r");
    return { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, slanted: false };
  }
  const [x, y, width, height] = numbers(part, "x", "y", "width", "height");
  return { x, y, width, height, slanted: false };
}

/** @param {string} points The corners, as SVG writes them. @returns {Area} */
function polygonArea(points) {
  const all = (points.match(/[-+.\de]+/g) ?? []).map(Number);
  const [across, down] = [0, 1].map((odd) => all.filter((_, place) => place % 2 === odd));
  const [x, y] = [Math.min(...across), Math.min(...down)];
  const [width, height] = [Math.max(...across) - x, Math.max(...down) - y];
  const corners = across.map((each, i) => `${((each - x) / width) * 100}% ${((down[i] - y) / height) * 100}%`);
  return { x, y, width, height, slanted: false, outline: `polygon(${corners.join(", ")})` };
}

/**
 * @param {Area} one
 * @param {Area} other
 * @returns {Area}
 */
function union(one, other) {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y, slanted: one.slanted };
}

/**
 * Return the name of the nearest spot in a direction; undefined if there is none.
 * @param {Map<string, Area>} areas
 * @param {string} from
 * @param {[number, number]} direction
 */
function beside(areas, from, [across, down]) {
  const here = areas.get(from);
  if (!here) return undefined;
  const [x, y] = middle(here);
  let best;
  let nearest = Infinity;
  for (const [name, area] of areas) {
    const [dx, dy] = [middle(area)[0] - x, middle(area)[1] - y];
    const ahead = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    if (ahead > 1 && ahead >= aside && ahead + 2 * aside < nearest) {
      nearest = ahead + 2 * aside;
      best = name;
    }
  }
  return best;
}

/** Return the distance between two fingers, in pixels. @param {TouchList} touches */
const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** Return whether this is a phone that is held sideways. */
const lying = () => matchMedia("(max-height: 520px) and (orientation: landscape)").matches;

/** @typedef {{board: Child}} ZoomProps */

/**
 * The window in which the board lies: as large as the whole board is, so that nothing around it moves.
 * @extends {Component<ZoomProps>}
 */
export class Zoom extends Component {
  place = createRef();
  level = 1;
  needed = 1; // the level at which every spot is large enough
  /** @type {{apart: number, level: number} | null} */
  pinch = null;

  resized = () => {
    this.#show(1, 0, 0);
    this.#measure();
  };

  componentDidMount() {
    addEventListener("resize", this.resized);
    // Not passive: the page would be zoomed as well.
    this.place.current.addEventListener("touchmove", this.touchMove, { passive: false });
    this.#measure();
  }

  componentDidUpdate() { this.#measure(); }

  componentWillUnmount() { removeEventListener("resize", this.resized); }

  get board() { return /** @type {HTMLElement} */ (this.place.current.querySelector(".board")); }

  /**
   * Measure how much larger the smallest spot must be for a finger, unless the board is enlarged already.
   * A spot counts by the root of its area: a column is narrow, but long enough to be hit.
   */
  #measure() {
    if (this.level > 1 || !navigator.maxTouchPoints) return;
    const spots = [...this.place.current.querySelectorAll(".spot")].slice(0, 400);
    const smallest = Math.min(
      ...spots.map((each) => each.getBoundingClientRect()).map(({ width, height }) => Math.sqrt(width * height)),
    );
    const needed = spots.length && smallest > 0 ? Math.min(MOST_ZOOM, Math.max(1, TARGET / smallest)) : 1;
    if (Math.abs(needed - this.needed) < 0.01) return;
    this.needed = needed;
    this.forceUpdate();
  }

  /**
   * Zoom the board to a level; the point of the window stays where it is.
   * @param {number} level
   * @param {number} x
   * @param {number} y
   */
  #show(level, x, y) {
    const { current: frame } = this.place;
    const grown = level / this.level;
    if (this.level === 1) {
      const { width, height } = this.board.getBoundingClientRect();
      frame.style.setProperty("--width", `${width}px`);
      frame.style.setProperty("--height", `${height}px`);
    }
    const [left, top] = [(frame.scrollLeft + x) * grown - x, (frame.scrollTop + y) * grown - y];
    this.level = level;
    frame.classList.toggle("larger", level > 1);
    frame.style.setProperty("--level", String(level));
    frame.scrollTo(left, top);
  }

  /** @param {number} level */
  #turnTo(level) {
    const { clientWidth, clientHeight } = this.place.current;
    this.#show(level < 1.05 ? 1 : Math.min(MOST_ZOOM, level), clientWidth / 2, clientHeight / 2);
    this.forceUpdate();
  }

  larger = () => this.#turnTo(this.level < this.needed ? Math.ceil(this.needed * 20) / 20 : this.level * ZOOM_STEP);

  smaller = () => this.#turnTo(this.level <= this.needed * 1.05 ? 1 : this.level / ZOOM_STEP);

  /** Begin to enlarge or shrink the board with two fingers. @param {TouchEvent} event */
  touchStart = ({ touches }) => {
    this.pinch = touches.length === 2 && this.needed > 1 ? { apart: distance(touches), level: this.level } : null;
  };

  /** @param {TouchEvent} event */
  touchMove = (event) => {
    if (event.touches.length !== 2 || !this.pinch) return;
    event.preventDefault();
    const [one, other] = event.touches;
    const apart = distance(event.touches);
    const { left, top } = this.place.current.getBoundingClientRect();
    const level = Math.min(MOST_ZOOM, Math.max(1, (this.pinch.level * apart) / this.pinch.apart));
    this.#show(level, (one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top);
  };

  touchEnd = () => {
    if (this.pinch) this.forceUpdate();
    this.pinch = null;
  };

  /** Scroll a spot that the keys have reached into the window. @param {FocusEvent} event */
  focused = ({ target }) => {
    if (this.level === 1 || !(target instanceof HTMLElement)) return;
    const { current: frame } = this.place;
    const [window, spot] = [frame.getBoundingClientRect(), target.getBoundingClientRect()];
    frame.scrollBy(
      Math.min(0, spot.left - window.left) + Math.max(0, spot.right - window.right),
      Math.min(0, spot.top - window.top) + Math.max(0, spot.bottom - window.bottom),
    );
  };

  /** @param {ZoomProps} props */
  render({ board }) {
    return h("div", { class: "zoomed" },
      h("div", {
          class: "zoom",
          ref: this.place,
          ontouchstart: this.touchStart,
          ontouchend: this.touchEnd,
          ontouchcancel: this.touchEnd,
          onfocusin: this.focused,
        },
        board,
      ),
      (this.needed > (lying() ? NEARLY : 1) || this.level > 1) &&
        h("div", { class: "zoom-tools", role: "group", "aria-label": say("web.zoom") },
          tool("web.zoom_out", this.smaller, { disabled: this.level === 1 }, "−"),
          tool("web.zoom_in", this.larger, { disabled: this.level >= MOST_ZOOM }, "+"),
        ),
    );
  }
}
