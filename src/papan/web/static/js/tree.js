// @ts-check
// The search tree, opened branch by branch: never the whole of it at once.

import { h } from "./dom.js";
import { say, signed } from "./language.js";

/** @typedef {import("./api.js").ThoughtEvent} TreeNode */

/** @param {TreeNode[]} nodes */
export function treeView(nodes) {
  /** @type {Map<number | null, TreeNode[]>} */
  const children = new Map();
  for (const node of nodes) {
    const siblings = children.get(node.up) ?? [];
    siblings.push(node);
    children.set(node.up, siblings);
  }
  const root = children.get(null)?.[0];
  if (!root) return null;
  const first = branch(root, children);
  first.querySelector("button")?.click();
  return h("div", { class: "tree" }, h("ul", {}, first));
}

/** @param {TreeNode} node @param {Map<number | null, TreeNode[]>} children @returns {HTMLLIElement} */
function branch(node, children) {
  const below = children.get(node.id) ?? [];
  const text = [
    h("b", {}, node.m ?? say("web.tree_root")),
    ` ${say(`web.tree_${node.role}`)} `,
    node.v === null || node.v === undefined ? "" : h("span", { class: "number" }, signed(node.v)),
    node.n === undefined ? "" : h("small", {}, ` ${say("web.visits", { visits: node.n })}`),
    node.tt ? h("small", {}, ` ${say("web.tree_table")}`) : "",
  ];
  if (!below.length) return h("li", { class: node.s }, text, reason(node));
  const button = h("button", { type: "button", class: "twig", "aria-expanded": "false", onclick: toggle }, text);
  const item = h("li", { class: node.s }, button, reason(node));
  /** @type {HTMLUListElement | null} */
  let list = null;
  function toggle() {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    if (!list) {
      list = h("ul", {}, below.map((each) => branch(each, children)));
      item.append(list);
    }
    list.hidden = !open;
  }
  return item;
}

/** Why the search went no further here, in words.
 * @param {TreeNode} node */
function reason(node) {
  if (node.s !== "cut") return null;
  const bound = node.why === "v>=b" ? node.b : node.a;
  const key = node.why === "v>=b" ? "web.cut_high" : "web.cut_low";
  const values = { value: signed(node.v), bound: bound === null ? "?" : signed(bound) };
  return h("small", { class: "why" }, say(key, values));
}
