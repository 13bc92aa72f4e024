// @ts-check
// The buttons below the board of an analysis.

import { fill, h } from "../dom.js";
import { say } from "../language.js";
import { compare, playBest, playFromHere, review, takeAway } from "./actions.js";
import { help } from "./keys.js";

/** @param {HTMLElement} place @param {import("./screen.js").AnalyseScreen} screen */
export function showTools(place, screen) {
  const { table } = screen;
  const at = table.moves.length;
  const more = place.querySelector("details")?.open ?? false;
  const focused = document.activeElement?.getAttribute("data-tool");
  /** A choice in the menu, which closes with it. @param {string} key @param {() => void} act @param {Record<string, any>} [facts] */
  const item = (key, act, facts) => button(key, () => {
    const details = place.querySelector("details");
    if (details) details.open = false;
    details?.querySelector("summary")?.focus();
    act();
  }, facts);
  fill(place,
    button("web.first", () => screen.walk.go(0), { disabled: !at }, "⇤"),
    button("web.back", () => screen.walk.step(-1), { disabled: !at }, "←"),
    button("web.forward", () => screen.walk.step(1), { disabled: !table.undone.length }, "→"),
    button("web.last", () => screen.walk.go(screen.walk.line.length), { disabled: !table.undone.length }, "⇥"),
    button("web.engine_on", () => screen.toggle(), { "aria-pressed": String(screen.search.running), class: "primary" }),
    button("web.play_best", () => playBest(screen), { disabled: !screen.story?.best }),
    h("details", { class: "more", open: more }, h("summary", { "data-tool": "web.more" }, say("web.more")), h("div", { class: "menu" },
      item("web.editor", () => screen.edit()),
      item("web.review", () => review(screen), { disabled: !screen.walk.line.length }),
      item("web.compare", () => compare(screen), { disabled: table.board.end !== "open" }),
      item("web.flip", () => screen.sight.flip(table, screen.story)),
      item("web.play_from_here", () => playFromHere(screen)),
      item("web.export", () => takeAway(screen)),
      item("web.help", () => help()))));
  const again = focused && place.querySelector(`[data-tool="${focused}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/** @param {string} key @param {() => void} act @param {Record<string, any>} [more] @param {string} [sign] */
function button(key, act, more = {}, sign = "") {
  const named = sign ? { "aria-label": say(key), title: say(key) } : {};
  return h("button", { type: "button", "data-tool": key, onclick: act, ...named, ...more }, sign || say(key));
}
