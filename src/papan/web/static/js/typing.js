// @ts-check
// A field for those who would rather type a move than point at it.

import { h } from "./dom.js";
import { say } from "./language.js";

/** @param {(move: string) => void} pick What to do with the move. */
export function typingForm(pick) {
  const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", id: "typed", size: 8 });
  return h("form", { class: "typing", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const move = field.value.trim();
    field.value = "";
    if (move) pick(move);
  } }, h("label", { for: "typed" }, say("web.type_move")), field, h("button", { type: "submit" }, say("web.enter")));
}
