// @ts-check
// Starts the app: loads the texts, shows the screen, then watches the server: whether it compiles, and answers.

import { BACK, GONE, health, useStandIn } from "./api.js";
import { allTexts, loadTexts, say } from "./language.js";
import { show } from "./router.js";
import { h, render } from "./vendor/preact.mjs";

const EVERY = 1000; // milliseconds between two looks
const PATIENCE = 5000; // milliseconds that a look may take
const SETTLED = 3000; // milliseconds after which a first visit has all that it needs

let waiting = false; // for a server that is gone

addEventListener(GONE, awaitServer);
useStandIn(async (path, body) => (await standIn())?.answer(path, body));
start();

async function start() {
  await loadTexts();
  await show();
  await allTexts().catch(() => {});
  watchCompiler();
  await new Promise((resolve) => setTimeout(resolve, SETTLED));
  // Where none is allowed, pages that are open go on without the server, but none can be opened.
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  (await standIn())?.prepare().catch(() => {});
}

/** Load what answers while the server is gone; undefined if it did not come. */
function standIn() { return import("./stand_in.js").catch(() => undefined); }

/** Show that the server is gone, and ask until it is back; then send the event BACK. */
async function awaitServer() {
  const line = document.getElementById("gone");
  if (waiting || !line) return;
  waiting = true;
  line.textContent = say("web.gone");
  line.hidden = false;
  line.className = "";
  (await standIn())?.prepare().then(() => {
    line.textContent = say("web.gone_play");
    line.className = "going-on";
  }, () => {});
  do await new Promise((resolve) => setTimeout(resolve, EVERY));
  while (!(await health(AbortSignal.timeout(PATIENCE)).catch(() => null)));
  waiting = false;
  line.hidden = true;
  dispatchEvent(new Event(BACK));
}

/** Show how many searches are compiled, until all are; agents search with slower code meanwhile. */
async function watchCompiler() {
  const line = document.getElementById("compiling");
  for (;;) {
    const { status, compiling } = await health().catch(() => /** @type {Awaited<ReturnType<typeof health>>} */ ({}));
    if (!line || !(compiling || status === "starting")) break; // it knows only once it has started
    const [done, total] = compiling ?? [0, 0];
    render(
      [h("progress", { value: done, max: total, "aria-hidden": "true" }), say("web.compiling", { done, total })],
      line,
    );
    line.hidden = !compiling;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  if (line) line.hidden = true;
}
