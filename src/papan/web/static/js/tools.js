// @ts-check
// Buttons of a screen, known by the key of their text.

import { fill, h } from "./dom.js";
import { say } from "./language.js";

/** A button; a sign may stand for its text.
 * @param {string} key @param {() => unknown} act @param {Record<string, any>} [more] @param {string} [sign] */
export function tool(key, act, more = {}, sign = "") {
  const named = sign ? { "aria-label": say(key), title: say(key) } : {};
  return h("button", { type: "button", "data-tool": key, onclick: act, ...named, ...more }, sign || say(key));
}

/** Put buttons in place of others; the one that had the focus keeps it, and a menu that is open stays open.
 * @param {HTMLElement} place @param {...import("./dom.js").Child} children */
export function refill(place, ...children) {
  const focused = place.contains(document.activeElement) && document.activeElement?.getAttribute("data-tool");
  const open = place.querySelector("details")?.open ?? false;
  fill(place, children);
  place.querySelector("details")?.toggleAttribute("open", open);
  const again = focused && place.querySelector(`[data-tool="${focused}"]`);
  if (again instanceof HTMLElement) again.focus();
}
