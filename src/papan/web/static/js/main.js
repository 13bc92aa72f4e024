// @ts-check
// Starts the app: loads the texts, shows the screen, then watches the server: whether it compiles, and answers.

import { BACK, GONE, health } from "./api.js";
import { allTexts, loadTexts, say } from "./language.js";
import { show } from "./router.js";
import { h, render } from "./vendor/preact.mjs";

const EVERY = 1000; // milliseconds between two looks

let waiting = false; // for a server that is gone

addEventListener(GONE, awaitServer);
start();

async function start() {
  await loadTexts();
  await show();
  await allTexts().catch(() => {});
  await watchCompiler();
  // Where none is allowed, only what is shown without a server is missing.
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}

/** Show that the server is gone, and ask until it is back; then send the event BACK. */
async function awaitServer() {
  const line = document.getElementById("gone");
  if (waiting || !line) return;
  waiting = true;
  line.textContent = say("web.gone");
  line.hidden = false;
  do await new Promise((resolve) => setTimeout(resolve, EVERY));
  while (!(await health().catch(() => null)));
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
