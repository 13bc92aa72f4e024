// @ts-check
// A position or moves as text: shown, typed, pasted.

import { boardOf, games } from "../api.js";
import { h } from "../dom.js";
import { say } from "../language.js";

export class Paste {
  /** @param {(words: string) => void} show */
  constructor(show) {
    this.field = h("textarea", { rows: 2, spellcheck: "false", id: "pos" });
    this.element = h("form", { class: "paste", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      show(this.field.value.trim());
    } }, h("label", { for: "pos" }, say("web.paste")), this.field, h("button", { type: "submit" }, say("web.show")));
  }
}

/** What words mean: a position, a game, or moves of the game at hand; raises what the server says.
 * @param {string} words @param {string} game */
export async function readPaste(words, game) {
  const named = /[:\s]/.test(words) && /^[a-z]+\d?(:|\s|$)/.test(words) && (await games()).some((each) => words.startsWith(each.name));
  const alone = (await games()).some((each) => each.name === words);
  const [start, moves] = named || alone ? [words, []] : [game, words.split(/\s+/)];
  return { start, board: await boardOf(start, moves) };
}
