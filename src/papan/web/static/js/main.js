// @ts-check
// The beginning: the texts, then the screen, then how far the server has compiled its searches.

import { health } from "./api.js";
import { loadTexts, say } from "./language.js";
import { show } from "./router.js";
import { h, render } from "./vendor/preact.mjs";

const EVERY = 1000; // milliseconds between two looks

await loadTexts();
await show();
await watchCompiler();

/** Show how far the searches are compiled, where they are not: their plain twins play until then. */
async function watchCompiler() {
  const line = document.getElementById("compiling");
  for (;;) {
    const { status, compiling } = await health().catch(() => /** @type {Awaited<ReturnType<typeof health>>} */ ({}));
    if (!line || !(compiling || status === "starting")) break; // it knows only once it has started
    const [done, total] = compiling ?? [0, 0];
    render([h("progress", { value: done, max: total, "aria-hidden": "true" }), say("web.compiling", { done, total })], line);
    line.hidden = !compiling;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  if (line) line.hidden = true;
}
