// @ts-check
// Tree searches: how wide they are, what pruning saves, how a tree of playouts grew, and the tree itself.

import { lineChart } from "../charts.js";
import { fill, h } from "../dom.js";
import { count, rounded, say } from "../language.js";
import { Thinker } from "../thinking.js";
import { treeView } from "../tree.js";
import { lineOf } from "./lines.js";

/** @typedef {import("../thinking.js").Story} Story */

const PATIENCE = 10; // seconds to count what minimax looks at

/** How many branches a node has: those that are told of, and by the count of all nodes.
 * @param {Story} story */
export function branching(story) {
  const inner = new Map();
  for (const node of story.nodes) if (node.up !== null) inner.set(node.up, (inner.get(node.up) ?? 0) + 1);
  const depth = story.root?.depth;
  if (!inner.size || !depth || story.root?.sample) return null;
  const mean = [...inner.values()].reduce((sum, each) => sum + each, 0) / inner.size;
  const effective = (story.analysis?.nodes ?? 1) ** (1 / depth);
  return h("p", { class: "branching quiet" }, say("web.branching", { mean: rounded(mean, 1), effective: rounded(effective, 2), depth }));
}

/** A button that counts what minimax would have looked at: measured, not guessed.
 * @param {Story} story */
export function measured(story) {
  const depth = story.root?.depth;
  if (!story.agent.startsWith("alphabeta") || !depth || !story.analysis) return null;
  const nodes = story.analysis.nodes;
  const place = h("div", { class: "measured" });
  const run = async () => {
    fill(place, h("p", { class: "quiet" }, say("web.thinking")));
    const thought = { start: story.position, moves: "", agent: `minimax:depth=${depth}`, seconds: PATIENCE };
    const board = /** @type {any} */ ({ position: story.position, turn: story.turn });
    const other = await new Thinker(() => {}).think(thought, board).catch(() => null);
    const found = other?.analysis;
    if (!found) return fill(place, h("p", { class: "bad" }, say("web.failed")));
    const whole = found.why !== "time" && found.why !== "nodes";
    const values = { depth, minimax: count(found.nodes), nodes: count(nodes), share: rounded((100 * nodes) / found.nodes, 1), seconds: PATIENCE };
    fill(place, h("p", { "data-minimax": found.nodes }, say(whole ? "web.saved" : "web.saved_more", values)));
  };
  fill(place, h("button", { type: "button", onclick: run }, say("web.measure", { depth })));
  return place;
}

/** Playouts: the last one, and how the tree grew.
 * @param {Story} story @param {import("../why.js").Stage} stage */
export function playouts(story, stage) {
  const sample = story.root?.sample;
  if (!sample) return null;
  const steps = Math.ceil(story.growth.length / 60);
  const points = story.growth.filter((_, place) => place % steps === 0 || place === story.growth.length - 1).map((each) => each.depth);
  return [
    h("h4", {}, say("web.playouts")),
    points.length > 1 ? lineChart(say("web.tree_growth"), [{ name: say("web.tree_growth"), kind: "best", points }]) : null,
    h("p", { class: "quiet" }, say("web.tree_deepest", { depth: story.root?.depth ?? 0 })),
    h("p", {}, `${say("web.playout")} `, lineOf(sample, stage)),
  ];
}

/** The part of the tree that was told of, drawn when it is opened.
 * @param {Story} story */
export function tree(story) {
  if (!story.nodes.length) return null;
  const holder = h("div", {});
  const details = h("details", { class: "tree-box", ontoggle: () => {
    if (details.open && !holder.firstChild) fill(holder, treeView(story.nodes));
  } }, h("summary", {}, say("web.tree", { nodes: count(story.nodes.length) })), holder);
  return details;
}
