// @ts-check
// The buttons below the board of an analysis.

import { h } from "../dom.js";
import { say } from "../language.js";
import { refill, tool } from "../tools.js";
import { compare, playBest, playFromHere, review, takeAway } from "./actions.js";
import { help } from "./keys.js";

/** @param {HTMLElement} place @param {import("./screen.js").AnalyseScreen} screen */
export function showTools(place, screen) {
  const { table } = screen;
  const at = table.moves.length;
  /** A choice in the menu, which closes with it. @param {string} key @param {() => void} act @param {Record<string, any>} [facts] */
  const item = (key, act, facts) => tool(key, () => {
    const details = place.querySelector("details");
    if (details) details.open = false;
    details?.querySelector("summary")?.focus();
    act();
  }, facts);
  refill(place,
    tool("web.first", () => screen.walk.go(0), { disabled: !at }, "⇤"),
    tool("web.back", () => screen.walk.step(-1), { disabled: !at }, "←"),
    tool("web.forward", () => screen.walk.step(1), { disabled: !table.undone.length }, "→"),
    tool("web.last", () => screen.walk.go(screen.walk.line.length), { disabled: !table.undone.length }, "⇥"),
    tool("web.engine_on", () => screen.toggle(), { "aria-pressed": String(screen.search.running), class: "primary" }),
    tool("web.play_best", () => playBest(screen), { disabled: !screen.story?.best }),
    h("details", { class: "more" }, h("summary", { "data-tool": "web.more" }, say("web.more")), h("div", { class: "menu" },
      item("web.editor", () => screen.edit()),
      item("web.review", () => review(screen), { disabled: !screen.walk.line.length }),
      item("web.compare", () => compare(screen), { disabled: table.board.end !== "open" }),
      item("web.flip", () => screen.sight.flip(table, screen.story)),
      item("web.play_from_here", () => playFromHere(screen)),
      item("web.export", () => takeAway(screen)),
      item("web.help", () => help()))));
}
