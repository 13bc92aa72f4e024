// @ts-check
// A run of a paper in the background: start it, see how far it is, pause it, come back later.

import { Refusal, erase, fetchJson, post } from "./api.js";
import { command } from "./copying.js";
import { announce, fill, h } from "./dom.js";
import { say } from "./language.js";
import { labelled } from "./picker.js";
import { keep, read } from "./settings.js";

/**
 * @typedef {"quick" | "full"} Size
 * @typedef {{name: string, size: Size, seed: number, done: number}} KeptRun
 * @typedef {KeptRun & {id: string, state: string, why: {key: string, values: Record<string, unknown>} | null}} PaperJob
 * @typedef {{size: Size, seconds: number}} Amount
 */

const PLACE = "papan.lab";
const PAUSE = 700; // milliseconds between two looks

/** Choose how thoroughly, and run. */
export class Rerun {
  /** @param {import("./paper.js").Page} page @param {() => void} finished */
  constructor(page, finished) {
    this.path = `/api/v1/papers/${page.number}/jobs`;
    this.number = page.number;
    this.finished = finished;
    this.jobs = page.jobs;
    this.yours = page.yours;
    this.watching = true;
    const last = read(PLACE);
    const option = (/** @type {Amount} */ each) => h("option", { value: each.size }, say("web.run_size", { size: say(`lab.size_${each.size}`), time: about(each.seconds) }));
    this.size = h("select", { value: last.size === "full" ? "full" : "quick", onchange: () => this.#choose() }, page.amounts.map(option));
    this.seed = h("input", { type: "number", min: 0, max: 999_999_999, step: 1, value: String(last.seed ?? 0), onchange: () => this.#choose() });
    this.command = h("div", {});
    this.list = h("ul", { class: "jobs" });
    this.problem = h("p", { class: "bad", role: "alert" });
    const start = h("button", { type: "submit", class: "primary" }, say("web.run_it"));
    this.element = h("section", { class: "rerun", "aria-labelledby": "rerun" },
      h("h2", { id: "rerun" }, say("web.run_again")),
      h("p", { class: "quiet" }, say("web.run_about")),
      h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#begin(); } },
        labelled(say("web.run_how"), this.size), labelled(say("web.seed"), this.seed), this.yours && start),
      !this.yours && h("p", { class: "quiet" }, say("jobs.not_owner")),
      this.problem, this.list,
      h("p", { class: "quiet" }, say("web.same_command")), this.command);
    this.#choose();
    this.#show();
    this.#watch();
  }

  leave() {
    this.watching = false;
    clearTimeout(this.timer);
  }

  get #chosen() {
    return { size: this.size.value, seed: Math.max(0, Math.trunc(Number(this.seed.value) || 0)) };
  }

  #choose() {
    const { size, seed } = this.#chosen;
    keep(PLACE, { size, seed });
    fill(this.command, command(`papan lab run ${this.number}${size === "quick" ? " --quick" : ""} --seed ${seed}`));
  }

  #begin() {
    return this.#ask(() => post(this.path, this.#chosen), "web.run_begun");
  }

  /** Ask for something, then look how the runs stand.
   * @param {() => Promise<unknown>} question @param {string} told */
  async #ask(question, told) {
    fill(this.problem);
    try {
      await question();
      announce(say(told));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fill(this.problem, say(error.key, error.values));
    }
    await this.#look();
  }

  /** Look again while something is under way. */
  #watch() {
    clearTimeout(this.timer);
    if (this.watching && this.jobs.some((each) => ["running", "waiting"].includes(each.state))) {
      this.timer = setTimeout(() => this.#look(), PAUSE);
    }
  }

  async #look() {
    try {
      const before = this.jobs;
      /** @type {PaperJob[]} */
      const jobs = await fetchJson(this.path);
      if (!this.watching) return;
      this.jobs = jobs;
      this.#show();
      const gone = before.filter((each) => each.state === "running" && !jobs.some((other) => other.id === each.id));
      if (gone.length) this.finished();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fill(this.problem, say(error.key, error.values));
    }
    this.#watch();
  }

  #show() {
    fill(this.list, this.jobs.map((job) => this.#row(job)));
  }

  /** @param {PaperJob} job */
  #row(job) {
    const what = say("web.run_name", { size: say(`lab.size_${job.size}`), seed: job.seed });
    const percent = Math.floor(100 * job.done);
    const button = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ question, /** @type {string} */ told) =>
      h("button", { type: "button", onclick: () => this.#ask(question, told) }, say(key));
    const path = `${this.path}/${job.id}`;
    return h("li", { "data-state": job.state },
      h("span", {}, `${what}: ${say(`web.job_${job.state}`, { percent })}`),
      h("progress", { max: 1, value: job.done, "aria-label": what }),
      job.why && h("p", { class: "bad" }, say(job.why.key, job.why.values)),
      this.yours && h("div", { class: "row" },
        ["running", "waiting"].includes(job.state) && button("web.pause", () => post(`${path}/pause`, {}), "web.run_paused"),
        ["paused", "failed"].includes(job.state) && button("web.go_on", () => post(`${path}/go-on`, {}), "web.run_begun"),
        button("web.run_forget", () => erase(path), "web.run_forgotten")));
  }
}

/** @param {number} seconds */
function about(seconds) {
  return seconds < 60 ? say("web.time_minute") : say("web.time_minutes", { count: Math.ceil(seconds / 60) });
}
