// @ts-check
// The bar at the top of every screen: where to go, the language and the theme.

import { fill, h } from "./dom.js";
import { language, say, speak } from "./language.js";
import { applyTheme, change, settings } from "./settings.js";

/** Every screen with a link of its own, and the text of the link. */
const PLACES = [
  ["/", "screen.play"],
  ["/watch/connect4", "web.watch"],
  ["/analyse/connect4", "web.analyse"],
  ["/solve/connect4", "web.solve"],
  ["/learn", "learn.title"],
  ["/arena", "arena.title"],
  ["/lab", "web.lab"],
  ["/bots", "web.bots"],
];

/** @param {() => void} again Shows the screen anew. */
export function showTop(again) {
  const top = document.getElementById("top");
  if (!top) return;
  const other = language() === "id" ? "en" : "id";
  const dark = isDark();
  fill(top,
    h("a", { class: "skip", href: "#main" }, say("web.skip")),
    h("a", { class: "brand", href: "/", "data-link": "", "aria-label": "papan" }, h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }), h("span", {}, "papan")),
    h("nav", { "aria-label": say("web.menu"), id: "places" },
      PLACES.map(([href, key]) => h("a", { href, "data-link": "", "aria-current": isHere(href) ? "page" : undefined }, say(key)))),
    h("div", { class: "choices" },
      menuButton(),
      h("button", {
        type: "button", class: "plain", id: "theme", "aria-pressed": String(dark),
        onclick: () => { change({ theme: isDark() ? "light" : "dark" }); applyTheme(); showTop(again); document.getElementById("theme")?.focus(); },
      }, say("web.dark")),
      h("button", {
        type: "button", class: "plain", id: "language", lang: other,
        onclick: async () => { await speak(other); again(); document.getElementById("language")?.focus(); },
      }, other === "id" ? "Indonesia" : "English")));
}

/** On a phone the links wait behind a button; going anywhere shows the bar anew, and so closes them. */
function menuButton() {
  const button = h("button", { type: "button", class: "plain menu-button", "aria-expanded": "false", "aria-controls": "places", onclick: () => {
    const open = document.getElementById("places")?.classList.toggle("open") ?? false;
    button.setAttribute("aria-expanded", String(open));
  } }, say("web.menu"));
  return button;
}

/** @param {string} href */
function isHere(href) {
  return href.split("/")[1] === location.pathname.split("/")[1] || (href === "/" && location.pathname.startsWith("/play/"));
}

function isDark() {
  if (settings.theme !== "system") return settings.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
