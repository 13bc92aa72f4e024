// @ts-check
// Details of a search: its tree, playouts and growth, the climb of a hill climber, generations, links of tiles.

import { traceOf } from "../api.js";
import { count, decimal, rounded, say, sayAll, sayMessage, signed } from "../language.js";
import { Searcher } from "../search.js";
import { change, settings } from "../settings.js";
import { SIGNS, depthChart, lineChart } from "../values.js";
import { button, columns } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { Search } from "../search.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { BoardFacts as Board, Feature } from "../wire.d.ts" */
/** @import { SearchEvent } from "../events.d.ts" */
/** @import { Stage } from "./why.js" */
/** @import { Point } from "../values.js" */

export const MOST_PLIES = 12; // of a line that is written out
const COUNTING = 10; // seconds to count what minimax looks at
const LEAST = 3; // points of a curve: a line through two of them fits always
const BEAT = { generation: 400, step: 700 }; // milliseconds of a replay

/**
 * Return a line of play as text; as a button that previews it if the board can show that.
 * @param {string[]} line
 * @param {Stage} stage
 * @param {string} [text]
 */
export function lineOf(line, { preview }, text = line.slice(0, MOST_PLIES).join(" ")) {
  if (!preview || !text) return h("span", { class: "line quiet" }, text);
  const [show, hide] = [() => preview(line), () => preview([])];
  return h("button", {
      type: "button",
      class: "line quiet plain",
      onfocus: show,
      onblur: hide,
      onpointerenter: show,
      onpointerleave: hide,
    },
    text,
  );
}

/**
 * Return the details of a finished search.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 */
export function details(search, board, stage) {
  const key = String(search.began); // nothing that was opened or asked for belongs to another search
  return [
    trace(search, board, stage),
    climb(search),
    generations(search, stage),
    playouts(search, stage),
    growth(search),
    branching(search),
    search.agent.startsWith("alphabeta") &&
      search.root?.depth &&
      h(Measured, { key: `measured ${key}`, search, depth: search.root.depth }),
    search.nodes.length > 0 && h(TreeBox, {
        key: `tree ${key}`,
        nodes: search.nodes,
        unfolded: settings.tree ?? stage.unfolded ?? false,
      }),
  ];
}

/**
 * Return how the link of two tiles is found, turn by turn; the steps can be drawn on the board.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 */
function trace(search, board, { paint }) {
  const { best, position, path } = search;
  return [
    path && h("p", {}, sayMessage(path.says)),
    paint &&
      best &&
      board.spots_in_a_move === 2 &&
      position === board.position &&
      h(Trace, { key: `${position} ${best}`, position, move: best, paint }),
  ];
}

/** Steps that can be shown one by one, or played. @template [P={}] @extends {Component<P>} */
class Replay extends Component {
  at = -1; // which one is looked at
  timer = 0;

  componentWillUnmount() { clearTimeout(this.timer); }

  /** @param {number} place */
  show(place) {
    clearTimeout(this.timer);
    this.at = place;
    this.forceUpdate();
  }

  /**
   * Play from a step on.
   * @param {number} place
   * @param {number} count
   * @param {number} pause In milliseconds.
   */
  play(place, count, pause) {
    if (place >= count) return;
    this.show(place);
    this.timer = window.setTimeout(() => this.play(place + 1, count, pause), pause);
  }
}

/** @typedef {{position: string, move: string, paint: (svg: string) => void}} TraceProps */

/** A button for each step, and one that plays them all. @extends {Replay<TraceProps>} */
class Trace extends Replay {
  /** @type {Feature[] | null} */
  steps = null;

  async ask() {
    this.steps = await traceOf(this.props.position, this.props.move).catch(() => []);
    this.forceUpdate();
  }

  /** @param {number} place -1: nothing is shown. */
  show(place) {
    this.props.paint(
      (this.steps ?? [])
        .slice(0, place + 1)
        .map((each) => each.svg)
        .join(""),
    );
    super.show(place);
  }

  /** @param {TraceProps} props */
  render({ move }) {
    const { steps, at } = this;
    if (!steps)
      return h("div", { class: "trace" },
        button(say("web.trace", { move }), () => this.ask()),
      );
    return h("div", { class: "trace" },
      h("h4", {}, say("web.trace_steps")),
      h("div", { class: "row" },
        steps.map((_, place) =>
          button(String(place), () => this.show(place), { "data-step": place, "aria-pressed": String(place === at) }),
        ),
        button(say("web.replay_steps"), () => this.play(0, steps.length, BEAT.step)),
        button(say("web.hide"), () => this.show(-1), { class: "plain" }),
      ),
      h("p", { class: "quiet", role: "status" }, steps[at] && say(steps[at].key, steps[at].values)),
    );
  }
}

/** Return the course of hill climbing: where it began, what it accepted, where it ended. @param {Search} search */
function climb({ climbs, root, analysis }) {
  if (!climbs.length) return null;
  const here = root?.here;
  const heights = [...(here === undefined ? [] : [here]), ...climbs.map((each) => each.v)];
  return [
    h("h4", {}, say("web.climb")),
    lineChart(say("web.objective"), [{ name: say("web.objective"), kind: "best", points: heights }]),
    h("p", {}, analysis && sayAll(analysis.explanation.climb)),
    h("ol", { class: "climbs" },
      climbs.map((each) => h("li", {}, each.m && h("b", {}, `${each.m} `), sayMessage(each.says))),
    ),
  ];
}

/** Return the population of a genetic agent, generation by generation. @param {Search} search @param {Stage} stage */
export function generations(search, stage) {
  const { generations: all, began } = search;
  return all.length > 0 && h(Generations, { key: `generations ${began}`, all, stage });
}

/** @typedef {{all: SearchEvent[], stage: Stage}} GenerationsProps */

/** @extends {Replay<GenerationsProps>} */
class Generations extends Replay {
  /** @param {GenerationsProps} props */
  render({ all, stage }) {
    const last = all.length - 1;
    const at = this.at < 0 ? last : this.at; // the last one, unless another was chosen
    const series = (/** @type {string} */ kind, /** @type {string} */ key) => ({
      name: say(key),
      kind,
      points: all.map((each) => each[kind]),
    });
    return [
      h("h4", {}, say("web.generations")),
      lineChart(say("web.fitness"), [
        series("best", "web.fitness_best"),
        series("mean", "web.fitness_mean"),
        series("worst", "web.fitness_worst"),
      ]),
      h("div", { class: "row replay" },
        h("input", {
          type: "range",
          min: 0,
          max: last,
          value: at,
          "aria-label": say("web.generation_slider"),
          oninput: (event) => this.show(Number(event.currentTarget.value)),
        }),
        button(say("web.replay_steps"), () => this.play(0, all.length, BEAT.generation)),
      ),
      h("div", { class: "generation" }, generation(all[at], stage)),
    ];
  }
}

/**
 * Return one generation: its fitness and diversity, its best individual, and all of them.
 * @param {SearchEvent} each
 * @param {Stage} stage
 */
function generation(each, stage) {
  const rows = (each.population ?? []).map((/** @type {any} */ one) =>
    h("tr", {},
      h("td", {}, one.fitness),
      h("td", {}, signed(one.v)),
      h("td", {}, lineOf(one.line, stage, one.line.slice(0, 6).join(" "))),
    ),
  );
  return [
    h("p", {},
      sayMessage(each.says),
      ` ${say("web.diversity", { share: Math.round(each.div * 100) })}`,
      each.swaps !== undefined && ` ${say("web.crossovers", { swaps: each.swaps })}`,
    ),
    lineOf(each.line, stage),
    h("div", { class: "population", tabindex: 0, role: "group", "aria-label": say("web.population") },
      h("table", {}, columns(["web.fitness", "web.margin", "web.line"].map((key) => say(key))), h("tbody", {}, rows)),
    ),
  ];
}

/** Return facts about playouts: the last one, and how the tree grew. @param {Search} search @param {Stage} stage */
function playouts({ root, growth: reports }, stage) {
  if (!root?.sample) return null;
  const steps = Math.ceil(reports.length / 60);
  const points = reports
    .filter((_, place) => place % steps === 0 || place === reports.length - 1)
    .map((each) => each.depth);
  return [
    h("h4", {}, say("web.playouts")),
    points.length > 1 && lineChart(say("web.tree_growth"), [{ name: say("web.tree_growth"), kind: "best", points }]),
    h("p", { class: "quiet" }, say("web.tree_deepest", { depth: root.depth ?? 0 })),
    h("p", {}, `${say("web.playout")} `, lineOf(root.sample, stage)),
  ];
}

/**
 * Return a chart of the nodes by depth, and their growth factor; null for playouts, whose depth is another thing.
 * @param {Search} search
 */
function growth({ growth: reports, root }) {
  const last = new Map(reports.map(({ depth, nodes }) => [depth, nodes])); // when it was done with a depth
  const points = [...last]
    .map(([depth, nodes]) => ({ depth, nodes }))
    .filter((each) => each.nodes > 0)
    .sort((one, other) => one.depth - other.depth);
  if (points.length < LEAST || root?.sample) return null;
  const factor = decimal(Math.exp(slope(points)).toFixed(2));
  return h("div", { class: "growth" },
    h("h4", {}, say("web.growth")),
    depthChart(points),
    h("p", { class: "quiet" },
      say("web.growth_fit", { factor, from: points[0].depth, to: points[points.length - 1].depth }),
    ),
  );
}

/** Return the slope of the least-squares line through the logarithms of nodes, by depth. @param {Point[]} points */
function slope(points) {
  const mean = (/** @type {number[]} */ all) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const [across, up] = [mean(points.map((each) => each.depth)), mean(points.map((each) => Math.log(each.nodes)))];
  const shared = points.map((each) => (each.depth - across) * (Math.log(each.nodes) - up));
  return mean(shared) / mean(points.map((each) => (each.depth - across) ** 2));
}

/**
 * Return the mean number of branches: of the reported nodes, and by the count of all nodes; null if unknown.
 * @param {Search} search
 */
function branching({ nodes, root, analysis }) {
  const inner = new Map();
  for (const node of nodes) if (node.up !== null) inner.set(node.up, (inner.get(node.up) ?? 0) + 1);
  const depth = root?.depth;
  if (!inner.size || !depth || root?.sample) return null;
  const mean = [...inner.values()].reduce((sum, each) => sum + each, 0) / inner.size;
  const effective = (analysis?.nodes ?? 1) ** (1 / depth);
  return h("p", { class: "branching quiet" },
    say("web.branching", { mean: rounded(mean, 1), effective: rounded(effective, 2), depth }),
  );
}

/** @typedef {{search: Search, depth: number}} MeasuredProps */

/**
 * A button that counts the nodes of minimax by running it.
 * @extends {Component<MeasuredProps>}
 */
class Measured extends Component {
  /** @type {Child} */
  answer = null;

  async run() {
    const { search, depth } = this.props;
    this.answer = h("p", { class: "quiet" }, say("web.thinking"));
    this.forceUpdate();
    const request = { start: search.position, moves: "", agent: `minimax:depth=${depth}`, seconds: COUNTING };
    const found = (await new Searcher().run(request, search).catch(() => null))?.analysis;
    this.answer = found ? this.#compare(found) : h("p", { class: "bad" }, say("web.failed"));
    this.forceUpdate();
  }

  /** @param {SearchEvent} found */
  #compare(found) {
    const { search, depth } = this.props;
    const nodes = search.analysis?.nodes;
    const values = {
      depth,
      minimax: count(found.nodes),
      nodes: count(nodes),
      share: rounded((100 * nodes) / found.nodes, 1),
      seconds: COUNTING,
    };
    return h("p", { "data-minimax": found.nodes },
      say(["time", "nodes"].includes(found.why) ? "web.saved_more" : "web.saved", values),
    );
  }

  /** @param {MeasuredProps} props */
  render({ depth }) {
    return h("div", { class: "measured" }, this.answer ?? button(say("web.measure", { depth }), () => this.run()));
  }
}

/** @typedef {{nodes: SearchEvent[], unfolded: boolean}} TreeProps */

/** The part of the tree that was reported, drawn when it is opened. @extends {Component<TreeProps>} */
class TreeBox extends Component {
  /** @type {Child} */
  tree = null;

  /** @param {TreeProps} props */
  render({ nodes, unfolded }) {
    if (unfolded) this.tree ??= treeOf(nodes);
    return h("details", {
        class: "tree-box",
        open: unfolded,
        ontoggle: (event) => {
          const { open } = event.currentTarget;
          if (open !== unfolded) change({ tree: open }); // the tree of the next move is shown alike
          this.tree ??= treeOf(nodes);
          this.forceUpdate();
        },
      },
      h("summary", {}, say("web.tree", { nodes: count(nodes.length) })),
      h("div", {}, this.tree),
    );
  }
}

/** @typedef {Map<number | null, SearchEvent[]>} Children */

/**
 * Return the search tree, drawn branch by branch when it is opened: never the whole of it at once.
 * @param {SearchEvent[]} nodes
 */
function treeOf(nodes) {
  /** @type {Children} */
  const children = new Map();
  for (const node of nodes) {
    const siblings = children.get(node.up);
    if (siblings) siblings.push(node);
    else children.set(node.up, [node]);
  }
  const root = children.get(null)?.[0] ?? rootOf(children);
  return (
    root &&
    h("div", { class: "tree" }, h("ul", {}, h(Branch, { node: root, below: children, chosen: true, open: true })))
  );
}

/**
 * Return the root of a search that reports only its children, round by round: that of the last round.
 * @param {Children} children
 * @returns {SearchEvent | null}
 */
function rootOf(children) {
  const below = [...new Map((children.get(0) ?? []).map((each) => [each.m, each])).values()];
  children.set(0, below);
  const values = below.map((each) => each.v).filter((each) => typeof each === "number");
  return below.length
    ? { t: "tree", id: 0, up: null, m: null, role: "max", v: values.length ? Math.max(...values) : null, s: "full" }
    : null;
}

/** @typedef {{node: SearchEvent, below: Children, chosen: boolean, open?: boolean}} BranchProps */

/** @extends {Component<BranchProps>} */
class Branch extends Component {
  open = this.props.open ?? false;

  /** @param {BranchProps} props */
  render({ node, below: children, chosen }) {
    const below = children.get(node.id) ?? [];
    const text = [
      h("b", {}, node.m ?? say("web.tree_root")),
      ` ${say(`web.tree_${node.role}`)} `,
      node.v !== null && node.v !== undefined && valueOfNode(node),
      node.n !== undefined && h("small", {}, ` ${say("web.visits", { visits: node.n })}`),
      node.tt && h("small", {}, ` ${say("web.tree_table")}`),
      node.s === "leaf" && node.n === undefined && h("small", {}, ` ${say("web.tree_leaf")}`),
    ];
    const name = `${node.s ?? ""}${chosen ? " chosen" : ""}`;
    if (!below.length) return h("li", { class: name }, text, reason(node));
    const favourite = chosenOf(node, below);
    return h("li", { class: name },
      button(
        text,
        () => {
          this.open = !this.open;
          this.forceUpdate();
        },
        { class: "twig", "aria-expanded": String(this.open) },
      ),
      reason(node),
      this.open &&
        h("ul", {},
          below.map((each) => h(Branch, { node: each, below: children, chosen: each === favourite })),
        ),
    );
  }
}

/**
 * Return the value of a node, with its sign in colour and shape; that of a cut node is a bound.
 * @param {SearchEvent} node
 */
function valueOfNode({ v, s, why }) {
  const kind = s === "cut" ? (why === "v>=b" ? "lower" : "upper") : "estimate";
  const name = `number badge guessed ${v > 0 ? "good" : v < 0 ? "bad" : "even"}${s === "cut" ? " bound" : ""}`;
  return h("span", { class: name }, s === "cut" ? `${SIGNS[kind]} ${signed(v)}` : signed(v));
}

/**
 * Return the child that gives a node its value: the first that is as good, or the most visited.
 * @param {SearchEvent} node
 * @param {SearchEvent[]} below
 */
function chosenOf(node, below) {
  if (below[0].n !== undefined) return below.reduce((best, each) => (each.n > best.n ? each : best));
  return below.find((each) => each.v === node.v);
}

/**
 * Return the window in which a node was searched, and why the search stopped there, as a sentence.
 * @param {SearchEvent} node
 */
function reason(node) {
  const [low, high] = [node.a, node.b].map((each) => (each === null || each === undefined ? null : signed(each)));
  if (node.s === "cut") {
    const [bound, key] = node.why === "v>=b" ? [high, "web.cut_high"] : [low, "web.cut_low"];
    return h("small", { class: "why" }, say(key, { value: signed(node.v), bound: bound ?? "?" }));
  }
  if (low === null && high === null) return null;
  return h("small", { class: "window" },
    say(low === null ? "web.window_below" : high === null ? "web.window_above" : "web.window", { low, high }),
  );
}
