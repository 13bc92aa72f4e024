// @ts-check
// Greedy agents: each rule in its order, and which of them fired for which move.

import { h } from "../dom.js";
import { say, signed } from "../language.js";

/** @typedef {import("../thinking.js").Story} Story */

/** @param {Story} story @param {import("../why.js").Stage} stage */
export function reasons(story, stage) {
  if (!story.reasons.length) return null;
  const rows = story.reasons.map((each) =>
    h("li", {
        class: each.m === story.best ? "best" : "", "data-rule": each.rule,
        onpointerenter: () => stage.point(each.m), onpointerleave: () => stage.point(null),
      },
      h("b", {}, each.m), " ", say(each.rule),
      each.line ? ` (${say(each.line)})` : "", " ",
      typeof each.v === "number" ? h("span", { class: "number" }, signed(each.v)) : ""));
  return [rules(story), h("h4", {}, say("web.reasons")), h("ul", { class: "reasons" }, rows)];
}

/** All rules, the weightiest first; those that fired for the move that was chosen are marked.
 * @param {Story} story */
function rules(story) {
  const told = story.root?.rules ?? [];
  if (!told.length) return null;
  const fired = new Set(story.reasons.filter((each) => each.m === story.best).map((each) => each.rule));
  const rows = [...told].sort((one, other) => other.v - one.v).map((each) =>
    h("li", { class: fired.has(each.rule) ? "best" : "", "data-rule-in-order": each.rule },
      h("span", { class: "number" }, signed(each.v)), " ", say(each.rule), fired.has(each.rule) ? ` ✓ ${say("web.fired")}` : ""));
  return [h("h4", {}, say("web.rules")), h("ol", { class: "rules" }, rows)];
}
