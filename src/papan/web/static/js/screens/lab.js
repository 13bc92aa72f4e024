// @ts-check
// The laboratory: five papers, what they claim, and what we find when we run them again.

import { fetchJson } from "../api.js";
import { h } from "../dom.js";
import { say } from "../language.js";
import { paper } from "../paper.js";

/** @typedef {import("../rerun.js").KeptRun} KeptRun */
/** @typedef {{number: string, game: string, title: string, authors: string, year: number, runs: KeptRun[], jobs: import("../rerun.js").PaperJob[]}} PaperFacts */

/** @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function lab(url) {
  const number = url.pathname.split("/")[2];
  return number ? paper(number, url.searchParams.get("run")) : shelf();
}

async function shelf() {
  /** @type {PaperFacts[]} */
  const papers = await fetchJson("/api/v1/papers");
  const element = h("div", { class: "reading lab" },
    h("h1", {}, say("lab.title")),
    h("p", { class: "quiet lead" }, say("web.lab_lead")),
    h("ul", { class: "papers" }, papers.map(entry)));
  return { title: say("web.lab"), element };
}

/** @param {PaperFacts} facts */
function entry(facts) {
  return h("li", { class: "paper", "data-paper": facts.number },
    h("h2", {}, h("a", { href: `/lab/${facts.number}`, "data-link": "" }, `${facts.number} ${say(`game.${facts.game}`)}`)),
    h("p", {}, h("cite", { lang: facts.number === "001" ? "en" : "id" }, facts.title)),
    h("p", { class: "quiet" }, `${facts.authors}, ${facts.year}`),
    h("p", { class: "kept" }, kept(facts)));
}

/** What is kept of earlier runs, and what is under way.
 * @param {PaperFacts} facts */
function kept(facts) {
  const runs = [...facts.jobs.filter((each) => each.state !== "done"), ...facts.runs];
  const words = runs.map((each) => {
    const [size, seed, percent] = [say(`lab.size_${each.size}`), each.seed, Math.floor(100 * each.done)];
    return say("lab.state_run", { size, seed, percent });
  });
  return words.length ? say("web.kept_runs", { runs: words.join("; ") }) : say("web.not_run_yet");
}
