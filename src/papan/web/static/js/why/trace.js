// @ts-check
// How the line between two tiles is found, turn by turn: drawn on the board when asked for.

import { traceOf } from "../api.js";
import { fill, h } from "../dom.js";
import { say } from "../language.js";

const BEAT = 700; // milliseconds between two steps of a replay

/** @param {import("../thinking.js").Story} story @param {import("../api.js").Board} board
 * @param {import("../why.js").Stage} stage */
export function trace(story, board, stage) {
  const { best } = story;
  const told = story.path && h("p", {}, say("screen.path", { turns: story.path.turns, visited: story.path.visited }));
  const { paint } = stage;
  if (!paint || !best || board.spots_in_a_move !== 2 || story.position !== board.position) return told;
  const steps = h("div", { class: "trace" });
  const ask = async () => {
    const found = await traceOf(story.position, best).catch(() => []);
    fill(steps, stepper(found, paint));
  };
  fill(steps, h("button", { type: "button", onclick: ask }, say("web.trace", { move: best })));
  return [told, steps];
}

/** A button for each step, and one that plays them all.
 * @param {import("../api.js").Feature[]} found @param {(svg: string) => void} paint */
function stepper(found, paint) {
  const words = h("p", { class: "quiet", role: "status" });
  const buttons = found.map((each, place) => h("button", { type: "button", "data-step": place, onclick: () => show(place) }, String(place)));
  /** @param {number} place */
  function show(place) {
    buttons.forEach((each, other) => each.setAttribute("aria-pressed", String(other === place)));
    paint(found.slice(0, place + 1).map((each) => each.svg).join(""));
    fill(words, say(found[place].key, found[place].values));
  }
  /** @param {number} place */
  function play(place) {
    if (place >= found.length || !words.isConnected) return;
    show(place);
    setTimeout(() => play(place + 1), BEAT);
  }
  const hide = () => {
    buttons.forEach((each) => each.setAttribute("aria-pressed", "false"));
    paint("");
    fill(words);
  };
  return [
    h("h4", {}, say("web.trace_steps")),
    h("div", { class: "row" }, buttons, h("button", { type: "button", onclick: () => play(0) }, say("web.replay_steps")), h("button", { type: "button", class: "plain", onclick: hide }, say("web.hide"))),
    words,
  ];
}
