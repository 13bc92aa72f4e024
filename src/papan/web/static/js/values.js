// @ts-check
// Values of positions and moves: as text, on the board, as a bar beside it, and as curves over time or depth.
// A proved value never looks like a guess, and everything is readable without colour, and by screen readers.

import { count, player, say, signed } from "./language.js";
import { meaning } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { Search } from "./search.js" */
/** @import { MoveValue, SearchEvent, Value } from "./events.d.ts" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */
/** @typedef {{value: Value, turn: number}} Known What a position is worth to a seat. */
/** @typedef {Pick<Search, "position" | "values" | "distances" | "best">} Found What is drawn of a search. */
/**
 * A curve; *guessed* says which points are not proved.
 * @typedef {{name: string, kind: string, points: (number | null)[], guessed?: boolean[]}} Series
 */
/** @typedef {{depth: number, nodes: number}} Point */

/** The sign of each kind of value: the first four are proofs, the others are guesses. */
export const SIGNS = {
  exact: "=",
  lower: "\u2265",
  upper: "\u2264",
  between: "\u2026",
  estimate: "\u2248",
  pruned: "\u2272",
  visits: "%",
};

const PROOFS = ["exact", "lower", "upper", "between"];
const EVEN = { won: 0.1, points: 0.75 }; // a smaller estimate is an even game, as in core/explain.py
const LONG = 4; // characters of a value that fit a cell in usual letters
const LARGEST = 27; // the radius of a shade
const [WIDTH, HEIGHT, EDGE] = [320, 120, 8]; // of a chart
const [TALL, LEFT, RIM] = [150, 46, 14]; // of one with its scale

/** Return the class of a value: "proved" or "guessed". @param {{k: string}} value */
export function look(value) { return PROOFS.includes(value.k) ? "proved" : "guessed"; }

/** Return whether a value is an upper bound, which is never drawn like a value. @param {{k: string}} value */
export function isBound(value) { return ["upper", "pruned"].includes(value.k); }

/**
 * Return the classes of a value: how certain it is, whether it is good or bad for who moves, and whether it is a bound.
 * @param {Value} value
 * @param {Pick<Board, "most"> & {seats?: number}} [board]
 */
export function looks(value, board) {
  return [look(value), outcome(value, board), isBound(value) ? "bound" : ""].filter(Boolean).join(" ");
}

/**
 * Return "good", "even" or "bad" by the sign of a value; nothing where a bound or a share does not tell.
 * @param {Value} value
 * @param {Pick<Board, "most"> & {seats?: number}} [board]
 */
function outcome({ v, k, to }, board) {
  if (k === "visits" || board?.seats === 1) return "";
  const slight = PROOFS.includes(k) ? 0 : board?.most === 1 ? EVEN.won : EVEN.points;
  const low = k === "upper" || k === "pruned" ? -Infinity : v;
  const high = k === "lower" ? Infinity : k === "between" ? (to ?? v) : v;
  if (low > slight) return "good";
  if (high < -slight) return "bad";
  return low >= -slight && high <= slight ? "even" : "";
}

/**
 * Return a value as text, with the sign of its kind in front.
 * @param {Value} value
 * @param {Pick<Board, "most">} [board]
 * @param {number | null} [plies] Plies to the end of the game.
 */
export function formatValue(value, board, plies) {
  if (value.k === "visits") return `${Math.round(value.v * 100)}%`;
  const text = numberOf(value, board, plies);
  return value.k === "between" ? text : `${SIGNS[value.k]} ${text}`;
}

/**
 * Return a value as text without its kind; in games without points a proof says who wins, and in how many moves.
 * @param {Value} value
 * @param {Pick<Board, "most">} [board]
 * @param {number | null} [plies]
 */
function numberOf(value, board, plies) {
  const moves = plies && value.k === "exact" ? Math.ceil(plies / 2) : "";
  const decided = board?.most === 1 && PROOFS.includes(value.k);
  const word = (/** @type {number} */ v) =>
    !decided
      ? signed(v)
      : v > 0
        ? say("web.short_win", { moves })
        : v < 0
          ? say("web.short_loss", { moves })
          : say("web.short_draw");
  return value.k === "between" ? `${word(value.v)} ${SIGNS.between} ${word(value.to ?? value.v)}` : word(value.v);
}

/**
 * Return a value in its frame; a dash if there is none.
 * @param {Value | null | undefined} value
 * @param {Pick<Board, "most">} [board]
 * @param {number | null} [plies]
 */
export function badge(value, board, plies) {
  return value
    ? meaning(formatValue(value, board, plies), `badge ${looks(value, board)}`, `means.${value.k}`)
    : "–";
}

/**
 * Return the value of an analysis; null if it has none.
 * @param {SearchEvent} analysis
 * @returns {Value | null}
 */
export function valueOf(analysis) {
  return analysis.value === null ? null : { v: analysis.value, k: analysis.exact ? "exact" : "estimate" };
}

/**
 * Return a layer with the value of each move; null if there is none.
 * @param {Pick<Board, "legal" | "most">} board
 * @param {Found} found
 */
export function labelsOf(board, found) {
  const places = placesOf(board);
  const labels = found.values.map((value) => label(value, places.get(value.m), board, found));
  return labels.some(Boolean) ? h("g", { class: "labels", key: "labels" }, labels) : null;
}

/** @param {Pick<Board, "legal">} board */
function placesOf(board) { return new Map(board.legal.map((choice) => [choice.m, choice.at])); }

/**
 * Return a value on the board: a proved one needs no sign, nor do the points that a lesson counts.
 * @param {MoveValue} value
 * @param {[number, number] | null | undefined} at
 * @param {Pick<Board, "most">} board
 * @param {Found} found
 */
function label(value, at, board, { distances, best }) {
  if (!at) return null;
  const [x, y] = at;
  const plain = value.k === "exact" || /** @type {string} */ (value.k) === "points";
  const text = plain ? numberOf(value, board, distances[value.m]) : formatValue(value, board);
  const long = text.length > LONG;
  const shown = looks(value, board);
  const rx = shown.includes("bad") ? 3 : 12; // a loss has corners: its shape tells it without colour
  const width = long ? 10 + 6.5 * text.length : 13 + 9 * text.length;
  return h("g", {
      key: value.m,
      class: `move-value${long ? " long" : ""}${value.m === best ? " best" : ""} ${shown}`,
      "data-move": value.m,
    },
    h("rect", { x: x - width / 2, y: y - 12, width, height: 24, rx }),
    h("text", { x, y: y + 1, "text-anchor": "middle", "dominant-baseline": "central" }, text),
  );
}

/**
 * Return a layer that shades each move by how often a search has visited it; proved moves are shaded, too.
 * @param {Pick<Board, "legal">} board
 * @param {Found} found
 */
export function heatOf(board, { values }) {
  if (!values.some((each) => each.k === "visits")) return null;
  const places = placesOf(board);
  const visited = values.flatMap(({ m, n }) => {
    const at = places.get(m);
    return at && n > 0 ? [{ m, n, at }] : [];
  });
  const most = Math.max(...visited.map((each) => each.n));
  const gaps = visited.flatMap(({ at: [x, y] }, place) =>
    visited.slice(place + 1).map(({ at: [left, top] }) => Math.hypot(left - x, top - y)),
  );
  const halves = gaps.filter((each) => each > 0).map((each) => each / 2);
  const r = Math.min(LARGEST, ...halves); // no shade covers another one
  return h("g", { class: "layer heat", key: "heat" },
    visited.map(({ m, n, at }) =>
      h("circle", { key: m, class: "shade", cx: at[0], cy: at[1], r, opacity: (0.75 * n) / most, "data-move": m }),
    ),
  );
}

/**
 * Return the bar beside the board: the value of the shown position, as a number and as a height.
 * @param {object} props
 * @param {Board} props.board
 * @param {Search | undefined} props.search
 * @param {number} props.seat Whose point of view it shows.
 * @param {Known | null} [props.known] The value where there is no search.
 */
export function EvalBar({ board, search, seat, known = null }) {
  const found = search && search.position === board.position ? valueSoFar(search) : (finalValue(board) ?? known);
  const value = found && (board.seats === 1 || seat === found.turn ? found.value : opposite(found.value));
  const first = value && (board.seats === 1 || seat === 0 ? value.v : -value.v);
  const plies = search?.position === board.position ? search?.analysis?.distance : undefined;
  const text = value
    ? say(board.seats === 1 ? "web.eval_alone" : "web.eval", {
        value: formatValue(value, board, plies),
        player: player(seat, board.seats),
        kind: say(`kind.${value.k}`),
      })
    : say("web.eval_none");
  return h(
    "div",
    { class: `eval ${value ? look(value) : ""}`.trim(), role: "img", "aria-label": text, "data-value": value?.v },
    h("div", { class: "eval-part", style: { "--share": `${first === null ? 50 : share(first, board)}%` } }),
    h("span", { class: "eval-number" }, value ? formatValue(value, board, plies) : "…"),
  );
}

/** Return a value from the point of view of the other seat. @param {Value} value @returns {Value} */
function opposite({ v, k, to }) {
  if (k === "between") return { v: -(to ?? v), k, to: -v };
  return { v: -v, k: k === "lower" ? "upper" : k === "upper" ? "lower" : k };
}

/** @param {Search} search @returns {Known | null} */
function valueSoFar(search) {
  const done = search.analysis;
  const value = done && valueOf(done);
  if (value) return { value, turn: search.turn };
  if (done) return null; // the value of a move need not be a margin
  const best = search.values.find((each) => each.m === search.best);
  return best && best.k !== "visits" ? { value: best, turn: search.turn } : null;
}

/**
 * Return the value of a finished game to the first seat; null for an open one.
 * @param {Board} board
 * @returns {Known | null}
 */
function finalValue(board) {
  if (board.end === "open") return null;
  const [first, second] = board.scores;
  return { value: { v: board.seats === 1 ? first : first - second, k: "exact" }, turn: 0 };
}

/** Return the share of the bar for the first seat, in percent. @param {number} value @param {Board} board */
function share(value, board) {
  const part = board.most ? value / board.most : Math.tanh(value / 12);
  return board.seats === 1 ? Math.max(0, part) * 100 : 50 + 50 * Math.max(-1, Math.min(1, part));
}

/**
 * Return a chart of several curves; if places can be picked, their whole height can be clicked.
 * @param {string} title
 * @param {Series[]} series
 * @param {{pick?: (place: number) => void, at?: number}} [options] *at*: the place to mark.
 */
export function lineChart(title, series, { pick, at } = {}) {
  const all = series.flatMap((each) => each.points).filter((each) => each !== null);
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 1)];
  const last = Math.max(1, ...series.map((each) => each.points.length - 1));
  const across = (/** @type {number} */ place) => EDGE + (place / last) * (WIDTH - 2 * EDGE);
  const down = (/** @type {number} */ value) =>
    HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const wide = (WIDTH - 2 * EDGE) / last;
  return h("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    h("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: down(0), y2: down(0) }),
    at !== undefined && h("line", { class: "at", x1: across(at), x2: across(at), y1: EDGE, y2: HEIGHT - EDGE }),
    series.map(({ name, kind, points, guessed }) => [
      h("polyline", {
          class: `series ${kind}`,
          points: points
            .flatMap((value, place) => (value === null ? [] : [`${across(place)},${down(value)}`]))
            .join(" "),
          fill: "none",
        },
        h("title", {}, name),
      ),
      points.map(
        (value, place) =>
          value !== null &&
          h("circle", {
              class: `point ${kind}${guessed?.[place] ? " guessed" : ""}`,
              cx: across(place),
              cy: down(value),
              r: pick ? 4 : 2,
              "data-place": place,
            },
            h("title", {}, `${name} ${place}: ${signed(value)}`),
          ),
      ),
    ]),
    pick &&
      Array.from({ length: last + 1 }, (_, place) =>
        h("rect", {
            class: "pick",
            x: across(place) - wide / 2,
            y: 0,
            width: wide,
            height: HEIGHT,
            "data-pick": place,
            onclick: () => pick(place),
          },
          h("title", {},
            `${place}: ${series
              .map((each) => each.points[place])
              .filter((each) => typeof each === "number")
              .map(signed)
              .join(" ")}`,
          ),
        ),
      ),
  );
}

/** Return a chart of the nodes of a search by depth, on a logarithmic scale. @param {Point[]} points */
export function depthChart(points) {
  const [first, last] = [points[0].depth, points[points.length - 1].depth];
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...points.map((each) => each.nodes)))));
  const across = (/** @type {number} */ depth) => LEFT + ((depth - first) / (last - first)) * (WIDTH - LEFT - RIM);
  const down = (/** @type {number} */ power) => TALL - 2 * RIM - (power / top) * (TALL - 3 * RIM);
  const every = Math.ceil(top / 4);
  const powers = Array.from({ length: Math.floor(top / every) + 1 }, (_, place) => place * every);
  const places = points.map((each) => [across(each.depth), down(Math.log10(each.nodes))]);
  const texts = points.map((each) => say("web.growth_point", { depth: each.depth, nodes: count(each.nodes) }));
  return h("svg", {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${TALL}`,
      role: "img",
      "aria-label": `${say("web.growth")}: ${texts.join(", ")}`,
    },
    powers.map((power) => [
      h("line", { class: "zero", x1: LEFT, x2: WIDTH - RIM, y1: down(power), y2: down(power) }),
      h("text", { class: "label", x: LEFT - 6, y: down(power), "text-anchor": "end", "dominant-baseline": "central" },
        power < 6 ? count(10 ** power) : `10^${power}`,
      ),
    ]),
    [first, last].map((depth) =>
      h("text", { class: "label", x: across(depth), y: TALL - 8, "text-anchor": "middle" }, depth),
    ),
    h("polyline", { class: "series best", points: places.map((each) => each.join(",")).join(" "), fill: "none" }),
    points.map((each, place) =>
      h("circle", {
          class: "point best",
          cx: places[place][0],
          cy: places[place][1],
          r: 3,
          "data-depth": each.depth,
          "data-nodes": each.nodes,
        },
        h("title", {}, texts[place]),
      ),
    ),
  );
}
