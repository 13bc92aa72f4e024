// @ts-check
// Hill climbing and the genetic agent: how the objective rises, step by step or generation by generation.

import { lineChart } from "../charts.js";
import { fill, h } from "../dom.js";
import { say, signed } from "../language.js";
import { lineOf } from "./lines.js";

/** @typedef {import("../thinking.js").Story} Story */
/** @typedef {import("../why.js").Stage} Stage */

const BEAT = 400; // milliseconds between two generations of a replay

/** The climb: where it began, what it accepted, where it ended.
 * @param {Story} story */
export function climb(story) {
  if (!story.climbs.length) return null;
  const [here, plateau] = [story.root?.here, story.root?.plateau];
  const heights = [...(here === undefined ? [] : [here]), ...story.climbs.map((each) => each.v)];
  const rows = story.climbs.map((each) => h("li", {}, each.m ? h("b", {}, `${each.m} `) : "", say("screen.climb", { ...each, v: signed(each.v) })));
  return [
    h("h4", {}, say("web.climb")),
    lineChart(say("web.objective"), [{ name: say("web.objective"), kind: "best", points: heights }]),
    h("p", {}, here === undefined ? "" : say("web.climb_here", { value: signed(here) }), " ",
      plateau > 1 ? say("web.plateau", { moves: plateau }) : say("web.one_summit"), " ", say("web.no_restart")),
    h("ol", { class: "climbs" }, rows),
  ];
}

/** The population, generation by generation.
 * @param {Story} story @param {Stage} stage */
export function generations(story, stage) {
  const told = story.generations;
  if (!told.length) return null;
  const last = told.length - 1;
  const shown = h("div", { class: "generation" });
  const slider = h("input", {
    type: "range", min: 0, max: last, value: last, "aria-label": say("web.generation_slider"),
    oninput: () => draw(Number(slider.value)),
  });
  const replay = h("button", { type: "button", onclick: () => replayed(0) }, say("web.replay_steps"));
  /** @param {number} place */
  function draw(place) {
    slider.value = String(place);
    fill(shown, generation(told[place], stage));
  }
  /** @param {number} place */
  function replayed(place) {
    if (place > last || !slider.isConnected) return;
    draw(place);
    setTimeout(() => replayed(place + 1), BEAT);
  }
  draw(last);
  return [h("h4", {}, say("web.generations")), chart(told), h("div", { class: "row replay" }, slider, replay), shown];
}

/** @param {import("../api.js").ThoughtEvent[]} told */
function chart(told) {
  return lineChart(say("web.fitness"), [
    { name: say("web.fitness_best"), kind: "best", points: told.map((each) => each.best) },
    { name: say("web.fitness_mean"), kind: "mean", points: told.map((each) => each.mean) },
    { name: say("web.fitness_worst"), kind: "worst", points: told.map((each) => each.worst) },
  ]);
}

/** One generation: how fit and how diverse it is, its best individual, and all of them.
 * @param {import("../api.js").ThoughtEvent} each @param {Stage} stage */
function generation(each, stage) {
  const headings = ["web.fitness", "web.margin", "web.line"].map((key) => h("th", { scope: "col" }, say(key)));
  const rows = (each.population ?? []).map((/** @type {any} */ one) =>
    h("tr", {}, h("td", {}, one.fitness), h("td", {}, signed(one.v)), h("td", {}, lineOf(one.line, stage, one.line.slice(0, 6).join(" ")))));
  return [
    h("p", {}, say("screen.generation", each), ` ${say("web.diversity", { share: Math.round(each.div * 100) })}`,
      each.swaps === undefined ? "" : ` ${say("web.crossovers", { swaps: each.swaps })}`),
    lineOf(each.line, stage),
    h("div", { class: "population", tabindex: 0, role: "group", "aria-label": say("web.population") },
      h("table", {}, h("thead", {}, h("tr", {}, headings)), h("tbody", {}, rows))),
  ];
}
