// @ts-check
// How far the searches are compiled, where they are not: their plain twins play until then.

import { fetchJson } from "./api.js";
import { fill, h } from "./dom.js";
import { say } from "./language.js";

const EVERY = 1000; // milliseconds between two looks

/** Show it at the edge of every screen until it is done. */
export async function watchCompiler() {
  const line = document.getElementById("compiling");
  for (;;) {
    const { status, compiling } = await fetchJson("/api/v1/health").catch(() => ({}));
    if (!line || !(compiling || status === "starting")) break; // it knows only once it has started
    const [done, total] = compiling ?? [0, 0];
    fill(line, h("progress", { value: done, max: total, "aria-hidden": "true" }), say("web.compiling", { done, total }));
    line.hidden = !compiling;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  if (line) line.hidden = true;
}
