// @ts-check
// Bars with their errors, as SVG: the numbers stand beside them, so they carry no text.

import { h, s } from "../dom.js";
import { say, signed } from "../language.js";
import { contestant, eloText } from "./facts.js";

/** @typedef {import("./facts.js").Contestant} Contestant */

const WIDE = 200;
const HIGH = 24;
const MARGIN = 1.08;

/** @param {number | null} bound @param {number} otherwise */
const known = (bound, otherwise) => (bound === null ? otherwise : bound);

/** The Elo of every agent: a bar from the mean of all, and its 95 % interval.
 * @param {Contestant[]} agents */
export function eloBars(agents) {
  const rated = agents.filter((each) => each.elo);
  const ends = rated.flatMap(({ elo }) => [elo?.low, elo?.high, elo?.value]).filter((each) => typeof each === "number");
  const reach = MARGIN * Math.max(50, ...ends.map(Math.abs));
  /** @param {number} elo */
  const across = (elo) => WIDE / 2 + (Math.max(-reach, Math.min(reach, elo)) / reach) * (WIDE / 2);
  return h("ol", { class: "elo-bars" }, rated.map((each, place) => {
    const elo = /** @type {import("./facts.js").Interval} */ (each.elo);
    const [low, high] = [across(known(elo.low, -reach)), across(known(elo.high, reach))];
    const value = across(known(elo.value, elo.low === null ? -reach : reach));
    const name = contestant(each.agent);
    const between = { low: elo.low === null ? "−∞" : signed(Math.round(elo.low)), high: elo.high === null ? "∞" : signed(Math.round(elo.high)) };
    const picture = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": say("arena.elo_between", { agent: name, elo: eloText(elo), ...between }) },
      s("line", { class: "mean", x1: WIDE / 2, x2: WIDE / 2, y1: 0, y2: HIGH }),
      s("rect", { class: "bar", x: Math.min(value, WIDE / 2), width: Math.max(0.5, Math.abs(value - WIDE / 2)), y: 5, height: HIGH - 10 }),
      s("line", { class: "error-bar", x1: low, x2: high, y1: HIGH / 2, y2: HIGH / 2 }),
      [elo.low === null ? null : low, elo.high === null ? null : high].map((end) =>
        end !== null && s("line", { class: "error-bar", x1: end, x2: end, y1: HIGH / 2 - 5, y2: HIGH / 2 + 5 })));
    return h("li", {}, h("span", { class: "who" }, `${place + 1}. ${name}`), picture, h("span", { class: "number" }, eloText(elo)));
  }));
}

/** How far a sequential test is from either verdict.
 * @param {import("./facts.js").Sprt} sprt */
export function ratioBar({ llr, bounds: [low, high], verdict }) {
  /** @param {number} ratio */
  const across = (ratio) => ((Math.max(low, Math.min(high, ratio)) - low) / (high - low)) * WIDE;
  const [zero, here] = [across(0), across(llr)];
  const numbers = { llr: signed(llr), low: signed(low), high: signed(high) };
  return h("div", { class: "ratio" },
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": say("arena.llr", numbers) },
      s("rect", { class: "field", x: 0, y: 5, width: WIDE, height: HIGH - 10 }),
      s("rect", { class: `bar ${llr < 0 ? "against" : ""}`, x: Math.min(zero, here), width: Math.max(0.5, Math.abs(here - zero)), y: 5, height: HIGH - 10 }),
      s("line", { class: "mean", x1: zero, x2: zero, y1: 0, y2: HIGH })),
    h("div", { class: "ends" },
      h("span", {}, `H0 ${numbers.low}`), h("span", { class: "number" }, say("arena.llr_short", numbers)), h("span", {}, `H1 ${numbers.high}`)),
    h("p", {}, say(`arena.verdict_${verdict}`)));
}
