// @ts-check
// Results in words, numbers and figures: tables that scroll in their own box, drawings with their numbers.

import { fetchText } from "./api.js";
import { drawing, fill, h } from "./dom.js";
import { say } from "./language.js";

/**
 * @typedef {{name: string, title: string, headings: string[], rows: string[][], numbers: boolean[]}} Sheet
 * @typedef {{name: string, title: string, series: {label: string, text: string}[]}} Plot
 * @typedef {{what: string, paper: string, ours: string | null, agrees: "yes" | "no" | "open" | "none"}} Compared
 */

const SIGNS = { yes: "\u2713", no: "\u2717", open: "?", none: "" }; // colour is never the only sign

/** A table that may be wider than the screen.
 * @param {string} title @param {...import("./dom.js").Child} parts */
export function scrolling(title, ...parts) {
  return h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": title }, h("table", { class: "ledger" }, parts));
}

/** @param {Sheet} sheet */
export function sheetOf(sheet) {
  const side = (/** @type {number} */ column) => (sheet.numbers[column] ? "right" : "");
  return scrolling(sheet.title,
    h("thead", {}, h("tr", {}, sheet.headings.map((each, column) => h("th", { scope: "col", class: side(column) }, each)))),
    h("tbody", {}, sheet.rows.map((row) => h("tr", {}, row.map((cell, column) => h("td", { class: side(column) }, cell))))));
}

/** The paper beside our measurements.
 * @param {Compared[]} lines */
export function comparison(lines) {
  const heads = ["lab.what", "lab.paper_value", "lab.our_value", "lab.agrees"].map((key) => h("th", { scope: "col" }, say(key)));
  return scrolling(say("lab.comparison"),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, lines.map((each) => h("tr", {},
      h("th", { scope: "row" }, each.what),
      h("td", { "data-label": say("lab.paper_value") }, each.paper),
      h("td", { class: each.ours === null ? "quiet" : "ours", "data-label": say("lab.our_value") }, each.ours ?? say("web.not_run_yet")),
      h("td", { class: `agrees ${each.agrees}`, "data-agrees": each.agrees, "data-label": say("lab.agrees") },
        SIGNS[each.agrees] && h("span", { "aria-hidden": "true" }, `${SIGNS[each.agrees]} `), say(`lab.verdict_${each.agrees}`))))));
}

/** A figure that the server draws, with its numbers for whoever cannot see it.
 * @param {Plot} plot @param {string | null} address Where the drawing is; null where it cannot be made. */
export function plotOf(plot, address) {
  const place = h("div", { class: "plot scroll", role: "region", tabindex: 0, "aria-label": plot.title });
  if (address) fetchText(address).then((svg) => fill(place, drawing(svg)), () => fill(place, say("web.failed")));
  const numbers = plot.series.map(({ label, text }) => [h("dt", {}, label), h("dd", {}, text)]);
  return h("figure", {}, address && place, h("figcaption", {}, plot.title),
    h("details", { class: "numbers", open: !address }, h("summary", {}, say("lab.numbers")), h("dl", {}, numbers)));
}
