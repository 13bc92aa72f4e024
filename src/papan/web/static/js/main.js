// @ts-check
// The beginning: the texts, then the screen, then how the server is: how far it has compiled, and whether it is there.

import { BACK, GONE, health } from "./api.js";
import { loadTexts, say } from "./language.js";
import { show } from "./router.js";
import { h, render } from "./vendor/preact.mjs";

const EVERY = 1000; // milliseconds between two looks

let waiting = false; // for a server that is gone

addEventListener(GONE, awaitServer);
await loadTexts();
await show();
await watchCompiler();
// Where none is allowed, only the page for a server that is gone is missing.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

/** Say that the server is gone, and ask until it is back: then what was refused can be had. */
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

/** Show how far the searches are compiled, where they are not: their plain twins play until then. */
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
