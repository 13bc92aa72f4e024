// @ts-check
// Bots: how to write one, put it on trial and let it play; code is read and copied here, never run.

import { fetchJson } from "../api.js";
import { command, listing } from "../copying.js";
import { h } from "../dom.js";
import { language, say } from "../language.js";
import { KNOWN, PAPAN_SAYS, PROGRAM_SAYS, routes } from "../reference.js";
import { scrolling } from "../sheets.js";

/**
 * @typedef {{name: string, call: string, about: string}} Entry
 * @typedef {{template: string, sessions: {command: string, output: string}[], program: string, reference: Entry[]}} Guide
 */

/** @returns {Promise<import("../router.js").Screen>} */
export async function bots() {
  /** @type {[Guide, any]} */
  const [guide, description] = await Promise.all([
    fetchJson(`/api/v1/bots?language=${language()}`), fetchJson("/api/openapi.json")]);
  const [made, trial, match] = guide.sessions;
  const element = h("article", { class: "reading bots" },
    h("h1", {}, say("web.bots_title")),
    h("p", { class: "quiet lead" }, say("web.bots_lead")),
    part("web.bots_write", h("p", {}, say("web.bots_write_about")), listing(say("web.bots_write"), guide.template, "mybot.py"),
      transcript(made), rows(say("web.bots_knows"), KNOWN)),
    part("web.bots_check", h("p", {}, say("web.bots_check_about")), transcript(trial)),
    part("web.bots_match", h("p", {}, say("web.bots_match_about")), transcript(match), h("p", {}, say("web.bots_arena"), " ",
      h("a", { class: "link", href: "/arena", "data-link": "" }, say("web.bots_to_arena")))),
    part("web.bots_program", h("p", {}, say("web.bots_program_about")), listing(say("web.bots_program"), guide.program, "mybot.sh"),
      rows(say("web.bots_papan_says"), PAPAN_SAYS), rows(say("web.bots_program_says"), PROGRAM_SAYS),
      h("p", { class: "quiet" }, say("web.bots_limits"))),
    part("web.bots_python", h("p", { class: "quiet" }, say("web.bots_in_english")), h("div", { lang: "en" },
      table(say("web.bots_python"), guide.reference.map((each) => [each.call, each.about])))),
    part("web.bots_json", h("p", {}, say("web.bots_json_about"), " ", h("a", { class: "link", href: "/api/openapi.json" }, "/api/openapi.json")),
      h("div", { lang: "en" }, table(say("web.bots_json"), routes(description)))));
  return { title: say("web.bots"), element };
}

/** @param {string} key @param {...import("../dom.js").Child} body */
function part(key, ...body) {
  return h("section", {}, h("h2", {}, say(key)), body);
}

/** What a command prints.
 * @param {{command: string, output: string}} session */
function transcript(session) {
  return h("div", { class: "transcript" }, command(session.command),
    h("pre", { tabindex: 0, role: "region", "aria-label": say("web.bots_prints", session) }, h("samp", {}, session.output)));
}

/** Code beside what it means, in the language of the page.
 * @param {string} title @param {[string, string][]} lines */
function rows(title, lines) {
  return [h("h3", {}, title), table(title, lines.map(([code, key]) => [code, say(key)]))];
}

/** @param {string} title @param {[string, string][]} lines */
function table(title, lines) {
  return scrolling(title, h("tbody", {}, lines.map(([code, text]) =>
    h("tr", {}, h("th", { scope: "row" }, h("code", {}, code)), h("td", {}, text)))));
}
