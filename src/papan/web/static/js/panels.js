// @ts-check
// The panels beside a board: all at once where there is room, one at a time on a phone.

import { h } from "./dom.js";
import { say } from "./language.js";

/** @param {{key: string, body: HTMLElement}[]} panels */
export function panelsOf(panels) {
  const sections = panels.map(({ key, body }) =>
    h("section", { class: "panel", "aria-label": say(key) }, h("h2", {}, say(key)), body));
  const tabs = panels.map(({ key }, place) => h("button", { type: "button", onclick: () => choose(place) }, say(key)));
  /** @param {number} chosen */
  function choose(chosen) {
    sections.forEach((each, place) => each.classList.toggle("chosen", place === chosen));
    tabs.forEach((each, place) => each.setAttribute("aria-pressed", String(place === chosen)));
  }
  choose(0);
  return h("aside", { class: "side" }, h("div", { class: "tabs", role: "group", "aria-label": say("web.panels") }, tabs), sections);
}
