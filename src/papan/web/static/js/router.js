// @ts-check
// From the address to the screen that it asks for.

import { Refusal } from "./api.js";
import { fill, h } from "./dom.js";
import { say } from "./language.js";
import { showTop } from "./top.js";

/** @typedef {{element: HTMLElement, title: string, leave?: () => void}} Screen */
/** @typedef {(url: URL) => Promise<Screen>} Opener */

/** @type {Record<string, () => Promise<Opener>>} */
const SCREENS = {
  "": async () => (await import("./screens/home.js")).home,
  play: async () => (await import("./screens/play.js")).play,
  watch: async () => (await import("./screens/play.js")).watch,
  analyse: async () => (await import("./screens/analyse.js")).analyse,
  room: async () => (await import("./screens/room.js")).room,
  lab: async () => (await import("./screens/lab.js")).lab,
  bots: async () => (await import("./screens/bots.js")).bots,
  learn: async () => (await import("./screens/learn.js")).learn,
  solve: async () => (await import("./screens/analyse.js")).solve,
  arena: async () => (await import("./screens/arena.js")).arena,
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {Screen | null} */
let current = null;
let visits = 0;

/** Show the screen of the address. */
export async function show() {
  const visit = (visits += 1);
  current?.leave?.();
  current = null;
  const url = new URL(location.href);
  const opener = SCREENS[url.pathname.split("/")[1]];
  const screen = await (opener ? open(opener, url) : lost("web.lost"));
  if (visit !== visits) {
    screen.leave?.(); // another one was asked for meanwhile
    return;
  }
  current = screen;
  document.title = `${screen.title} · papan`;
  showTop(show);
  fill(main, screen.element);
}

/** @param {() => Promise<Opener>} opener @param {URL} url @returns {Promise<Screen>} */
async function open(opener, url) {
  try {
    return await (await opener())(url);
  } catch (error) {
    if (error instanceof Refusal) return lost(error.key, error.values);
    throw error;
  }
}

/** A page that says what is wrong, and the way back.
 * @param {string} key @param {Record<string, unknown>} [values] @returns {Screen} */
function lost(key, values) {
  const text = h("p", { role: "alert" }, say(key, values));
  const back = h("a", { class: "button", href: "/", "data-link": "" }, say("screen.other_game"));
  return { title: say("web.problem"), element: h("div", { class: "lost" }, h("h1", {}, say("web.problem")), text, back) };
}

/** Go to another address of this app.
 * @param {string} address */
export async function go(address) {
  history.pushState(null, "", address);
  await show();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[data-link]") : null;
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
});
addEventListener("popstate", show);
