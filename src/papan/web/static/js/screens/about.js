// @ts-check
// About: what papan is, whose papers it is built on, where it keeps things, what it is made of, and which version this is.

import { aboutPapan, papers } from "../api.js";
import { gameName, say } from "../language.js";
import { helpLink, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { Library, PaperFacts } from "../wire.d.ts" */

const PARTS = ["papan", "preact", "typeface", "libraries"];

/** @returns {Promise<Screen>} */
export async function about() {
  const [all, { version, libraries, data }] = await Promise.all([papers(), aboutPapan()]);
  return { title: say("about.title"), view: h("div", { class: "reading about-page" },
    h("h1", {}, say("about.title")),
    h("p", { class: "lead" }, say("about.lead")),
    part("about.papers", h("p", {}, say("about.thanks")), h("ul", {}, all.map(paper))),
    part("about.data", h("p", {}, say("about.private")), h("p", {}, say("about.data_server"), data && [" ", h("code", {}, data)]),
      h("p", {}, say("about.data_terminal"))),
    part("about.licences", h("ul", { class: "licences" }, PARTS.map((each) => h("li", { key: each }, say(`about.licence_${each}`)))),
      h("ul", { class: "libraries", lang: "en" }, libraries.map(library))),
    part("about.version", h("p", {}, h("code", {}, `papan ${version}`)), h("p", {}, helpLink("play", "about.help")))) };
}

/** @param {string} key @param {...Child} body */
function part(key, ...body) { return h("section", {}, h("h2", {}, say(key)), body); }

/** @param {PaperFacts} facts */
function paper({ number, title, authors, year, game, affiliation }) {
  return h("li", { key: number }, link(`/lab/${number}`, title, { lang: number === "001" ? "en" : "id" }),
    h("p", {}, `${authors}, ${year}`), h("p", { class: "quiet" }, h("span", { lang: "id" }, affiliation), ` \u00b7 ${gameName(game)}`));
}

/** @param {Library} library */
function library({ name, version, licence }) { return h("li", { key: name }, h("strong", {}, name), ` ${version}`, licence && ` \u00b7 ${licence}`); }
