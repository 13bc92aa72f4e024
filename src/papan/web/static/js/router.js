// @ts-check
// Shows the screen of an address, and the bar at the top of every screen.

import { BACK, Refusal, health } from "./api.js";
import { allTexts, language, say, speak } from "./language.js";
import { PLACES, isHere, screenName, wayBack } from "./places.js";
import { applyTheme, change, isDark } from "./settings.js";
import { button, closeDialogs, forPage, link, listedKeys, openHelp, present } from "./ui.js";
import { Fragment, h, render } from "./vendor/preact.mjs";
/** @import { Child } from "./vendor/preact.mjs" */
/** @typedef {{title: string, view: Child}} Screen */
/**
 * Opens a screen; the signal is aborted when it is left.
 * @typedef {(url: URL, signal: AbortSignal) => Promise<Screen>} Opener
 */

/** The screens, each loaded when it is opened. @type {Record<string, () => Promise<Opener>>} */
const SCREENS = {
  "": async () => (await import("./screens/home.js")).home,
  play: async () => (await import("./screens/play.js")).play,
  watch: async () => (await import("./screens/play.js")).watch,
  analyse: async () => (await import("./screens/analyse.js")).analyse,
  solve: async () => (await import("./screens/analyse.js")).solve,
  room: async () => (await import("./screens/room.js")).room,
  puzzles: async () => (await import("./screens/puzzles.js")).puzzles,
  learn: async () => (await import("./screens/learn.js")).learn,
  arena: async () => (await import("./screens/arena.js")).arena,
  lab: async () => (await import("./screens/lab.js")).lab,
  bots: async () => (await import("./screens/bots.js")).bots,
  class: async () => (await import("./screens/class.js")).classes,
  "hand-in": async () => (await import("./screens/hand_in.js")).handInScreen,
  games: async () => (await import("./screens/mine.js")).mine,
  help: async () => (await import("./screens/help.js")).help,
  about: async () => (await import("./screens/help.js")).about,
};

const EARLY = ["", "play", "watch"]; // screens whose texts come with the document

const top = /** @type {HTMLElement} */ (document.getElementById("top"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
let visit = new AbortController();
let visits = 0;
let menu = false; // on a phone the links are behind a button

/** Show the screen of an address, and make it this page's once it can be shown. @param {string} [address] */
export async function show(address) {
  visit.abort();
  const { signal } = (visit = new AbortController());
  const url = new URL(address ?? location.href, location.href);
  const opener = SCREENS[screenName(url.pathname)];
  const found = await (opener ? open(opener, url, signal) : lost(url, "web.lost"));
  if (signal.aborted) return; // another one was asked for meanwhile
  if (!found) addEventListener(BACK, () => (address ? go(address) : show()), { signal, once: true });
  const screen = found ?? (visits ? null : lost({ pathname: "" }, "web.needs_server"));
  if (!screen) return; // the last one stays until the server is back
  if (address) history.pushState(null, "", address);
  document.title = `${screen.title} · papan`;
  menu = false;
  closeDialogs();
  showTop();
  visits += 1; // a new key: no component of the last screen is reused
  render(h(Fragment, { key: visits }, screen.view), main);
}

/**
 * A screen; none where the server is gone.
 * @param {() => Promise<Opener>} opener
 * @param {URL} url
 * @param {AbortSignal} signal
 * @returns {Promise<Screen | null>}
 */
async function open(opener, url, signal) {
  try {
    const [screen] = await Promise.all([
      opener().catch(() => outdated(url)),
      EARLY.includes(screenName(url.pathname)) || allTexts(),
    ]);
    return screen && (await screen(url, signal));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.status ? lost(url, error.key, error.values) : null;
  }
}

/**
 * Handle a script that could not be loaded: the server is gone, or has another version of it by now.
 * @param {URL} url
 * @returns {Promise<Opener | null>}
 */
async function outdated(url) {
  await health();
  const [opened] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (url.href !== location.href) location.assign(url);
  else if (opened.type !== "reload")
    location.reload(); // a browser does not request a failed module again
  else return async () => lost(url, "web.incomplete");
  return null;
}

/**
 * A page that shows an error, with a link back to the list of such pages, or to the games.
 * @param {Pick<URL, "pathname">} url
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {Screen}
 */
function lost({ pathname }, key, values) {
  const [href, place] = wayBack(pathname);
  return {
    title: say("web.problem"),
    view: h("div", { class: "lost" },
      h("h1", {}, say("web.problem")),
      h("p", { role: "alert" }, say(key, values)),
      link(href, say(place), { class: "button" }),
    ),
  };
}

/** Go to another address of this app. @param {string} address */
export async function go(address) {
  await show(address);
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

function showTop() {
  const other = language() === "id" ? "en" : "id";
  render(
    [
      h("a", { class: "skip", href: "#main" }, say("web.skip")),
      link(
        "/",
        [
          h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }),
          h("span", {}, "papan"),
        ],
        { class: "brand", "aria-label": "papan" },
      ),
      h("nav", { "aria-label": say("web.menu"), id: "places", class: menu ? "open" : null },
        PLACES.map(([href, key]) =>
          link(href, say(key), { "aria-current": isHere(href, location.pathname) ? "page" : null }),
        ),
      ),
      h("div", { class: "choices" },
        h("button", {
            type: "button",
            class: "plain menu-button",
            "aria-expanded": String(menu),
            "aria-controls": "places",
            onclick: () => {
              menu = !menu;
              showTop();
            },
          },
          say("web.menu"),
        ),
        h("button", {
            type: "button",
            class: "plain",
            id: "theme",
            "aria-pressed": String(isDark()),
            onclick: () => {
              change({ theme: isDark() ? "light" : "dark" });
              applyTheme();
              showTop();
            },
          },
          say("web.dark"),
        ),
        h("button", {
            type: "button",
            class: "plain",
            id: "language",
            lang: other,
            onclick: async () => {
              await speak(other);
              await show();
            },
          },
          other === "id" ? "Indonesia" : "English",
        ),
        button("?", help, { class: "plain", id: "help", "aria-label": say("help.title"), title: say("help.title") }),
      ),
    ],
    top,
  );
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const found = event.target instanceof Element ? event.target.closest("a[data-link]") : null;
  if (!found) return;
  event.preventDefault();
  go(found.getAttribute("href") ?? "/");
});
document.addEventListener("pointerdown", ({ target }) => {
  if (menu && target instanceof Node && !top.contains(target)) closeMenu();
});
document.addEventListener("keydown", ({ key }) => {
  if (menu && key === "Escape") closeMenu();
});
addEventListener("popstate", () => show());

addEventListener("keydown", (event) => {
  // after the screen, which may have handled the key
  const { key, defaultPrevented } = event;
  if (defaultPrevented || !forPage(event)) return;
  if (key === "?") help();
  else if (key.toLowerCase() === "p") present(say("web.present_leave"));
  else if (key === "Escape") present();
});

function closeMenu() {
  menu = false;
  showTop();
}

/** Open the dialog of keys: that of the screen, if it has one. */
function help() {
  const own = document.querySelector("main [data-tool='web.help']");
  if (own instanceof HTMLElement) own.click();
  else openHelp([...listedKeys(), ["?", say("web.key_help")]]);
}
