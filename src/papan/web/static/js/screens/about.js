// @ts-check
// About: what papan is, whose papers it is built on, what it is made of, and which version this is.

import { health, papers } from "../api.js";
import { gameName, say } from "../language.js";
import { link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */

const PARTS = ["papan", "preact", "typeface"];

/** @returns {Promise<Screen>} */
export async function about() {
  const [all, { version }] = await Promise.all([papers(), health()]);
  return { title: say("about.title"), view: h("div", { class: "reading about-page" },
    h("h1", {}, say("about.title")),
    h("p", { class: "lead" }, say("about.lead")),
    h("p", { class: "quiet" }, say("about.private")),
    h("section", {}, h("h2", {}, say("about.papers")), h("p", {}, say("about.thanks")),
      h("ul", {}, all.map((each) => h("li", { key: each.number },
        link(`/lab/${each.number}`, each.title, { lang: "id" }), h("p", { class: "quiet" }, `${each.authors}, ${each.year} · ${gameName(each.game)}`))))),
    h("section", {}, h("h2", {}, say("about.licences")), h("ul", {}, PARTS.map((part) => h("li", { key: part }, say(`about.licence_${part}`))))),
    h("section", {}, h("h2", {}, say("about.version")), h("p", {}, h("code", {}, `papan ${version}`)))) };
}
