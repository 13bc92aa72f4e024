// @ts-check
// Why a move: what an agent has told while it thought, in words, numbers and pictures.

import { lineChart } from "./charts.js";
import { fill, h } from "./dom.js";
import { SIGNS, agentTitle, count, known, player, say, signed, worth } from "./language.js";
import { treeView } from "./tree.js";

/** @typedef {import("./thinking.js").Story} Story */
/** @typedef {import("./api.js").Board} Board */
/** @typedef {import("./api.js").MoveValue} MoveValue */

const PAUSE = 100; // milliseconds between two pictures of a search
const MOST_PLIES = 12;

export class WhyPanel {
  /** @param {(move: string | null) => void} point Points a move out on the board.
   * @param {(line: string[]) => void} [preview] Shows where a line leads; an empty one ends it. */
  constructor(point, preview) {
    this.point = point;
    this.preview = preview;
    this.head = h("div", { class: "why-head" });
    this.verdict = h("p", { class: "verdict" });
    this.work = h("p", { class: "work quiet" });
    this.values = h("div", { class: "values" });
    this.more = h("div", { class: "why-more" });
    this.element = h("div", { class: "why" }, this.head, this.verdict, this.work, this.values, this.more);
    this.complete = ""; // which story is shown to its end, on which board: it needs no second drawing
    this.drawn = 0;
    this.timer = 0;
    this.clear();
  }

  clear() {
    this.complete = "";
    clearTimeout(this.timer);
    fill(this.head, h("p", { class: "quiet" }, say("screen.no_thoughts")));
    for (const part of [this.verdict, this.work, this.values, this.more]) fill(part);
  }

  /** Show what a search has told so far, but not more often than an eye can follow.
   * @param {Story} story @param {Board} board */
  show(story, board) {
    if (story.analysis && this.complete === `${board.position} ${story.began}`) return;
    clearTimeout(this.timer);
    const wait = story.analysis || story.error ? 0 : this.drawn + PAUSE - performance.now();
    if (wait <= 0) this.#draw(story, board);
    else this.timer = window.setTimeout(() => this.#draw(story, board), wait);
  }

  /** @param {Story} story @param {Board} board */
  #draw(story, board) {
    this.drawn = performance.now();
    this.complete = story.analysis ? `${board.position} ${story.began}` : "";
    fill(this.head, heading(story));
    fill(this.verdict, verdictOf(story, board));
    fill(this.work, workOf(story));
    fill(this.values, this.#table(story, board));
    if (!story.analysis && !story.generations.length) fill(this.more, budget(story));
    else fill(this.more, reasons(story), path(story), generations(story), climbs(story), tree(story));
  }

  /** @param {Story} story @param {Board} board */
  #table(story, board) {
    const values = story.values;
    if (!values.length || story.position !== board.position) return this.#past(story, values, board);
    const known = new Set(values.map((each) => each.m));
    const others = board.legal.filter((each) => !known.has(each.m)).map((each) => this.#unknown(each.m));
    return this.#list(story, values, board, others);
  }

  /** What moves were worth in a position that is not on the board any more.
   * @param {Story} story @param {MoveValue[]} values @param {Board} board */
  #past(story, values, board) {
    return values.length ? this.#list(story, values, board, []) : null;
  }

  /** @param {string} move */
  #unknown(move) {
    return h("li", { "data-move": move, "data-kind": "unknown" },
      h("b", { class: "move" }, move), h("span", { class: "badge unknown" }, say("web.unknown")));
  }

  /** @param {Story} story @param {MoveValue[]} values @param {Board} board @param {HTMLElement[]} others */
  #list(story, values, board, others) {
    const most = Math.max(...values.map((each) => each.n), 1);
    const rows = values.map((each) => this.#row(each, story, most));
    const who = player(story.turn, board.seats);
    return [
      h("p", { class: "quiet" }, say("web.values_for", { player: who })),
      h("ul", { class: "value-list" }, rows, others),
    ];
  }

  /** @param {MoveValue} value @param {Story} story @param {number} most */
  #row(value, story, most) {
    const line = (value.pv ?? []).slice(1, MOST_PLIES + 1).join(" ");
    const best = value.m === story.best;
    const score = story.scores[value.m];
    const effort = score === undefined ? (most > 1 ? count(value.n) : "") : say("web.score_of", { score: signed(score) });
    const bar = h("meter", { min: 0, max: 1, value: value.v, "aria-hidden": "true" });
    return h("li", {
        class: best ? "best" : "",
        "data-move": value.m,
        "data-kind": value.k,
        "data-nodes": value.n,
        "data-value": value.v,
        onpointerenter: () => this.point(value.m),
        onpointerleave: () => this.point(null),
      },
      h("b", { class: "move" }, value.m, best ? h("span", { class: "star", title: say("web.best") }, " ★") : ""),
      h("span", { class: `badge ${value.k}`, title: say(`kind.${value.k}`) }, worth(value)),
      value.k === "visits" ? bar : h("span", { class: "effort quiet" }, effort),
      this.#line(line, value.pv ?? []),
    );
  }

  /** The play expected; where that can be shown, a button that does while it is pressed or looked at.
   * @param {string} text @param {string[]} line */
  #line(text, line) {
    const { preview } = this;
    if (!preview || !text) return h("span", { class: "line quiet" }, text);
    const [show, hide] = [() => preview(line), () => preview([])];
    return h("button", { type: "button", class: "line quiet plain", onfocus: show, onblur: hide, onpointerenter: show, onpointerleave: hide }, text);
  }
}

/** @param {Story} story */
function heading(story) {
  const name = story.agent.split(":")[0];
  const about = known(`agent.${name}`) ? say(`agent.${name}`) : "";
  const seed = story.start?.seed;
  return [
    h("h3", {}, agentTitle(story.agent)),
    h("p", { class: "quiet" }, about, seed === null || seed === undefined ? "" : ` ${say("play.seed", { seed })}.`),
  ];
}

/** What the search has found out, in one sentence.
 * @param {Story} story @param {Board} board */
function verdictOf(story, board) {
  if (story.error) return h("strong", { class: "bad" }, say(story.error.key, story.error.values));
  const found = story.analysis;
  if (!found) return say("web.thinking");
  const who = player(found.turn, board.seats);
  const parts = [];
  if (typeof found.facts.solvable === "boolean") {
    parts.push(say(found.facts.solvable ? "solve.solvable" : "solve.unsolvable"));
  } else if (found.exact && found.value !== null) {
    parts.push(say(outcomeKey(found.value, board), { value: signed(found.value), player: who }));
    if (found.distance !== null) parts.push(say("analyse.distance", { plies: found.distance }));
    if (typeof found.facts.score === "number") parts.push(say("web.score", { score: signed(found.facts.score) }));
  } else {
    if (found.value !== null) {
      parts.push(say("web.guess", { value: `${SIGNS.estimate} ${signed(found.value)}`, player: who }));
    }
    const [low, high] = found.bounds ?? [null, null];
    if (low !== null && high !== null) {
      parts.push(say("solve.bounds", { low: signed(low), high: signed(high), player: who }));
    } else parts.push(say("web.not_proved"));
  }
  return [
    h("strong", { "data-proof": found.exact ? "exact" : "none" }, parts.join(" ")),
    found.line.length ? h("span", { class: "expected" }, say("analyse.line", { line: found.line.slice(0, MOST_PLIES).join(" ") })) : null,
  ];
}

/** @param {number} value @param {Board} board */
function outcomeKey(value, board) {
  if (board.most !== 1) return "solve.exact";
  return value > 0 ? "web.wins" : value < 0 ? "web.loses" : "web.draws";
}

/** @param {Story} story */
function workOf(story) {
  const news = story.root;
  const last = story.analysis;
  if (!news && !last) return "";
  const nodes = last?.nodes ?? news?.nodes ?? 0;
  const milliseconds = last?.ms ?? news?.ms ?? 0;
  const parts = [
    news?.depth ? say("screen.depth", { depth: news.depth }) : "",
    h("span", { class: "nodes", "data-nodes": nodes }, say("web.nodes", { nodes: count(nodes) })),
    milliseconds ? say("web.speed", { speed: count(Math.round((nodes / milliseconds) * 1000)) }) : "",
    say("web.seconds", { seconds: (milliseconds / 1000).toFixed(2) }),
    news?.pruned === undefined ? "" : h("span", { class: "pruned", "data-pruned": news.pruned }, say("web.pruned", { pruned: count(news.pruned) })),
    news?.tt ? say("web.table_hits", { share: Math.round(news.tt.hit * 100) }) : "",
    last ? say(`why.${last.why}`) : "",
  ];
  return parts.filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part]));
}

/** @param {Story} story */
function budget(story) {
  const used = (performance.now() - story.began) / 1000;
  const label = say("web.budget");
  return h("progress", { max: story.seconds, value: Math.min(used, story.seconds), "aria-label": label });
}

/** The rules that fired, move by move.
 * @param {Story} story */
function reasons(story) {
  if (!story.reasons.length) return null;
  const rows = story.reasons.map((each) =>
    h("li", { class: each.m === story.best ? "best" : "", "data-rule": each.rule },
      h("b", {}, each.m), " ", say(each.rule),
      each.line ? ` (${say(each.line)})` : "", " ",
      typeof each.v === "number" ? h("span", { class: "number" }, signed(each.v)) : ""));
  return [h("h4", {}, say("web.reasons")), h("ul", { class: "reasons" }, rows)];
}

/** @param {Story} story */
function path(story) {
  return story.path && h("p", {}, say("screen.path", { turns: story.path.turns, visited: story.path.visited }));
}

/** @param {Story} story */
function climbs(story) {
  if (!story.climbs.length) return null;
  const rows = story.climbs.map((each) => h("li", {}, say("screen.climb", { ...each, v: signed(each.v) })));
  return [h("h4", {}, say("web.climb")), h("ol", { class: "climbs" }, rows)];
}

/** The population, generation by generation.
 * @param {Story} story */
function generations(story) {
  const told = story.generations;
  if (!told.length) return null;
  const chart = lineChart(say("web.fitness"), [
    { name: say("web.fitness_best"), kind: "best", points: told.map((each) => each.best) },
    { name: say("web.fitness_mean"), kind: "mean", points: told.map((each) => each.mean) },
    { name: say("web.fitness_worst"), kind: "worst", points: told.map((each) => each.worst) },
  ]);
  const shown = h("div", { class: "generation" });
  const slider = h("input", {
    type: "range", min: 0, max: told.length - 1, value: told.length - 1, "aria-label": say("web.generation_slider"),
    oninput: () => draw(Number(slider.value)),
  });
  /** @param {number} place */
  function draw(place) {
    const each = told[place];
    fill(shown,
      h("p", {}, say("screen.generation", each), ` ${say("web.diversity", { share: Math.round(each.div * 100) })}`),
      h("p", { class: "line quiet" }, each.line.slice(0, MOST_PLIES).join(" ")),
      h("table", {}, h("thead", {}, h("tr", {}, ["web.fitness", "web.margin", "web.line"].map((key) => h("th", {}, say(key))))),
        h("tbody", {}, (each.population ?? []).slice(0, 10).map((/** @type {any} */ one) =>
          h("tr", {}, h("td", {}, one.fitness), h("td", {}, signed(one.v)), h("td", { class: "line" }, one.line.slice(0, 6).join(" ")))))));
  }
  draw(told.length - 1);
  return [h("h4", {}, say("web.generations")), chart, slider, shown];
}

/** @param {Story} story */
function tree(story) {
  if (!story.nodes.length || !story.analysis) return null;
  const holder = h("div", {});
  const details = h("details", { class: "tree-box", ontoggle: () => {
    if (details.open && !holder.firstChild) fill(holder, treeView(story.nodes));
  } }, h("summary", {}, say("web.tree", { nodes: count(story.nodes.length) })), holder);
  return details;
}
