// @ts-check
// The laboratory: five papers, and what is kept of their runs.

import { papers } from "../api.js";
import { say } from "../language.js";
import { link } from "../ui.js";
import { h } from "../vendor/preact.mjs";

/** @typedef {import("../wire.d.ts").PaperFacts} PaperFacts */

/** @type {import("../router.js").Opener} */
export async function lab(url, signal) {
  const number = url.pathname.split("/")[2];
  if (number) return (await import("./paper.js")).paper(number, url.searchParams.get("run"), signal);
  const all = await papers();
  return { title: say("web.lab"), view: h("div", { class: "reading lab" },
    h("h1", {}, say("lab.title")),
    h("p", { class: "quiet lead" }, say("web.lab_lead")),
    h("ul", { class: "papers" }, all.map(entry))) };
}

/** @param {PaperFacts} facts */
function entry(facts) {
  return h("li", { class: "paper", "data-paper": facts.number },
    h("h2", {}, link(`/lab/${facts.number}`, `${facts.number} ${say(`game.${facts.game}`)}`)),
    h("p", {}, h("cite", { lang: facts.number === "001" ? "en" : "id" }, facts.title)),
    h("p", { class: "quiet" }, `${facts.authors}, ${facts.year}`),
    h("p", { class: "kept" }, kept(facts)));
}

/** What is kept of earlier runs, and what is under way. @param {PaperFacts} facts */
function kept(facts) {
  const runs = [...facts.jobs.filter((each) => each.state !== "done"), ...facts.runs];
  const words = runs.map(({ size, seed, done }) => say("lab.state_run", { size: say(`lab.size_${size}`), seed, percent: Math.floor(100 * done) }));
  return words.length ? say("web.kept_runs", { runs: words.join("; ") }) : say("web.not_run_yet");
}
