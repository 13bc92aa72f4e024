// @ts-check
// A line of play as text; where that can be shown, a button that does while it is pressed or looked at.

import { h } from "../dom.js";

export const MOST_PLIES = 12;

/** @param {string[]} line @param {import("../why.js").Stage} stage @param {string} [text] */
export function lineOf(line, stage, text = line.slice(0, MOST_PLIES).join(" ")) {
  const { preview } = stage;
  if (!preview || !text) return h("span", { class: "line quiet" }, text);
  const [show, hide] = [() => preview(line), () => preview([])];
  return h("button", { type: "button", class: "line quiet plain", onfocus: show, onblur: hide, onpointerenter: show, onpointerleave: hide }, text);
}
