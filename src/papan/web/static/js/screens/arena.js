// @ts-check
// The arena: the tournaments that there are, and a form for a new one.

import { Refusal } from "../api.js";
import { contestant, repeatedly, standing, tournaments } from "../arena/facts.js";
import { tournamentForm } from "../arena/form.js";
import { tournamentScreen } from "../arena/report.js";
import { fill, h } from "../dom.js";
import { gameTitle, language, say } from "../language.js";

/** @typedef {import("../arena/facts.js").Tournament} Tournament */

/** @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function arena(url) {
  const id = url.pathname.split("/")[2];
  return id ? tournamentScreen(decodeURIComponent(id)) : overview();
}

/** @returns {Promise<import("../router.js").Screen>} */
async function overview() {
  const [form, found] = await Promise.all([tournamentForm(), tournaments()]);
  const list = h("ul", { class: "tournaments" });
  let drawn = "";
  /** @param {Tournament[]} all */
  const show = (all) => {
    const mark = JSON.stringify(all);
    if (mark !== drawn) fill(list, all.length ? all.map(entry) : h("li", { class: "quiet" }, say("arena.none")));
    drawn = mark;
    return all.some((each) => each.state === "running") ? 2 : 6;
  };
  show(found);
  const turns = repeatedly(async () => {
    try {
      return show(await tournaments());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return 6; // the server may come back
    }
  });
  const element = h("div", { class: "arena" },
    h("h1", {}, say("arena.title")),
    h("p", { class: "quiet lead" }, say("arena.lead")),
    h("div", { class: "arena-columns" }, form, h("section", { class: "sheet" }, h("h2", {}, say("arena.all")), list)));
  return { title: say("arena.title"), element, leave: turns.stop };
}

/** @param {Tournament} each */
function entry(each) {
  const made = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(each.made));
  const done = each.state === "done" ? each.planned : each.games;
  return h("li", { "data-state": each.state },
    h("a", { href: `/arena/${each.id}`, "data-link": "" },
      h("b", {}, gameTitle(each.game)),
      h("span", {}, each.agents.map(contestant).join(" – ")),
      h("span", { class: "quiet" }, standing(each)),
      h("progress", { max: each.planned, value: done, "aria-hidden": "true" }),
      h("small", { class: "quiet" }, made)));
}
