// @ts-check
// The bar at the top of every screen: where to go, the language and the theme.

import { fill, h } from "./dom.js";
import { language, say, speak } from "./language.js";
import { applyTheme, change, settings } from "./settings.js";

/** @param {() => void} again Shows the screen anew. */
export function showTop(again) {
  const top = document.getElementById("top");
  if (!top) return;
  const other = language() === "id" ? "en" : "id";
  const dark = isDark();
  fill(top,
    h("a", { class: "skip", href: "#main" }, say("web.skip")),
    h("a", { class: "brand", href: "/", "data-link": "" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "papan")),
    h("nav", { "aria-label": say("web.menu") },
      h("a", { href: "/", "data-link": "" }, say("screen.play")),
      h("a", { href: "/watch/connect4", "data-link": "" }, say("web.watch")),
      h("a", { href: "/analyse/connect4", "data-link": "" }, say("web.analyse")),
      h("a", { href: "/solve/connect4", "data-link": "" }, say("web.solve"))),
    h("div", { class: "choices" },
      h("button", {
        type: "button", class: "plain", id: "theme", "aria-pressed": String(dark),
        onclick: () => { change({ theme: isDark() ? "light" : "dark" }); applyTheme(); showTop(again); document.getElementById("theme")?.focus(); },
      }, say("web.dark")),
      h("button", {
        type: "button", class: "plain", id: "language", lang: other,
        onclick: async () => { await speak(other); again(); document.getElementById("language")?.focus(); },
      }, other === "id" ? "Indonesia" : "English")));
}

function isDark() {
  if (settings.theme !== "system") return settings.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
