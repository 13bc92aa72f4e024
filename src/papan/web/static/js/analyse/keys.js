// @ts-check
// The keys of analysis, as in Lichess, and the page that lists them: one table for both.

import { openHelp } from "../dialogs.js";
import { forPage, presses } from "../keys.js";
import { say } from "../language.js";
import { compare, playBest, review, toggleFeatures, toggleGhost } from "./actions.js";

/** @typedef {import("./screen.js").AnalyseScreen} AnalyseScreen */

/** @type {{keys: string[], shown: string, text: string, act: (screen: AnalyseScreen) => void}[]} */
const KEYS = [
  { keys: ["ArrowLeft", "k"], shown: "← k", text: "web.back", act: (screen) => screen.walk.step(-1) },
  { keys: ["ArrowRight", "j"], shown: "→ j", text: "web.forward", act: (screen) => screen.walk.step(1) },
  { keys: ["ArrowUp", "Home", "0"], shown: "↑ Home 0", text: "web.first", act: (screen) => screen.walk.go(0) },
  { keys: ["ArrowDown", "End", "$"], shown: "↓ End $", text: "web.last", act: (screen) => screen.walk.go(screen.walk.line.length) },
  { keys: [" "], shown: "Space", text: "web.play_best", act: playBest },
  { keys: ["l"], shown: "l", text: "web.engine_on", act: (screen) => screen.toggle() },
  { keys: ["a"], shown: "a", text: "web.key_arrow", act: (screen) => screen.sight.toggleArrow(screen.table, screen.story) },
  { keys: ["x"], shown: "x", text: "web.key_line", act: toggleGhost },
  { keys: ["v"], shown: "v", text: "web.key_ahead", act: (screen) => screen.sight.toggleAhead(screen.table, screen.story) },
  { keys: ["e"], shown: "e", text: "web.key_experts", act: toggleFeatures },
  { keys: ["b"], shown: "b", text: "web.editor", act: (screen) => screen.edit() },
  { keys: ["c"], shown: "c", text: "web.compare", act: compare },
  { keys: ["f"], shown: "f", text: "web.flip", act: (screen) => screen.sight.flip(screen.table, screen.story) },
  { keys: ["z"], shown: "z", text: "web.review", act: review },
  { keys: ["?"], shown: "?", text: "web.help", act: () => help() },
];

export function help() {
  openHelp([...KEYS.map(({ shown, text }) => /** @type {[string, string]} */ ([shown, say(text)])), ["↕", say("web.key_wheel")]]);
}

/** Do what a key asks for, unless it belongs to a field, a button or a dialog.
 * @param {KeyboardEvent} event @param {AnalyseScreen} screen */
export function press(event, screen) {
  if (!forPage(event) || presses(event)) return;
  const found = KEYS.find(({ keys }) => keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found.act(screen);
}
