// @ts-check
// One paper: what it says, what we measured, where we differ, and everything to do it again.

import { fetchJson } from "./api.js";
import { command } from "./copying.js";
import { announce, fill, h } from "./dom.js";
import { count, language, say } from "./language.js";
import { Rerun } from "./rerun.js";
import { comparison, plotOf, sheetOf } from "./sheets.js";

/**
 * @typedef {object} Found
 * @property {string} name
 * @property {import("./rerun.js").Size} size
 * @property {number} seed
 * @property {string} began
 * @property {number} seconds
 * @property {Record<string, string>} machine
 * @property {string} command
 * @property {import("./sheets.js").Sheet[]} tables
 * @property {import("./sheets.js").Plot[]} plots
 * @property {string[]} files
 *
 * @typedef {object} Page
 * @property {string} number
 * @property {string} game
 * @property {string} title
 * @property {string} authors
 * @property {number} year
 * @property {import("./rerun.js").KeptRun[]} runs
 * @property {import("./rerun.js").PaperJob[]} jobs
 * @property {{original: string, english: string}[]} claims
 * @property {string} recipe
 * @property {string[]} remarks
 * @property {import("./rerun.js").Amount[]} amounts
 * @property {import("./sheets.js").Compared[]} comparison
 * @property {Found | null} found
 * @property {boolean} yours Whether whoever looks may start a run.
 */

/** @param {string} number @param {string | null} run @returns {Promise<import("./router.js").Screen>} */
export async function paper(number, run) {
  const ask = (/** @type {string | null} */ wanted) => {
    const words = new URLSearchParams({ language: language(), ...(wanted ? { run: wanted } : {}) });
    return /** @type {Promise<Page>} */ (fetchJson(`/api/v1/papers/${encodeURIComponent(number)}?${words}`));
  };
  const page = await ask(run);
  const results = h("div", { class: "findings" }, resultsOf(page));
  const rerun = new Rerun(page, async () => {
    history.replaceState(null, "", `/lab/${page.number}`); // the newest run, whichever was shown
    fill(results, resultsOf(await ask(null)));
    announce(say("web.run_done"));
  });
  const name = `${page.number} ${say(`game.${page.game}`)}`;
  const element = h("article", { class: "reading lab" },
    h("p", {}, h("a", { class: "back", href: "/lab", "data-link": "" }, say("web.all_papers"))),
    h("h1", {}, name),
    h("p", {}, h("cite", { lang: page.number === "001" ? "en" : "id" }, page.title), h("br"), `${page.authors}, ${page.year}`),
    section("lab.claims", page.claims.map((each) => h("blockquote", {},
      h("p", { lang: "id" }, each.original), h("p", { lang: "en", class: "quiet" }, each.english)))),
    section("web.recipe", h("p", {}, page.recipe)),
    rerun.element,
    results,
    section("lab.remarks", page.remarks.map((each) => h("p", {}, each))));
  return { title: name, element, leave: () => rerun.leave() };
}

/** @param {string} key @param {...import("./dom.js").Child} body */
function section(key, ...body) {
  return h("section", {}, h("h2", {}, say(key)), body);
}

/** @param {Page} page */
function resultsOf(page) {
  const { found } = page;
  const others = page.runs.filter((each) => each.done === 1 && each.name !== found?.name);
  return [
    section("lab.comparison", h("p", { class: "quiet" }, say("web.how_to_read")), comparison(page.comparison),
      others.length > 0 && h("p", {}, say("web.other_runs"), " ", others.map((each) => [
        h("a", { class: "run", href: `/lab/${page.number}?run=${each.name}`, "data-link": "" },
          say("web.run_name", { size: say(`lab.size_${each.size}`), seed: each.seed })), " "]))),
    found && section("web.figures", found.plots.map((each) => plotOf(each, address(page, `${each.name}.svg`)))),
    found && section("web.tables", found.tables.map((each) => h("details", { class: "table-box", open: found.tables.length === 1 },
      h("summary", {}, each.title), sheetOf(each), files(page, [`${each.name}.csv`, `${each.name}.tex`])))),
    found && section("web.downloads", files(page, found.files.filter((each) => /^(report|claims)\./.test(each))),
      !found.files.includes("report.pdf") && h("p", { class: "quiet" }, say("lab.needs_extra"))),
    found && measured(found),
  ];
}

/** Where a file of the shown run is; null where there is none.
 * @param {Page} page @param {string} name */
function address(page, name) {
  if (!page.found?.files.includes(name)) return null;
  return `/api/v1/papers/${page.number}/files/${name}?${new URLSearchParams({ language: language(), run: page.found.name })}`;
}

/** @param {Page} page @param {string[]} names */
function files(page, names) {
  return h("p", { class: "files" }, names.map((name) =>
    [h("a", { href: address(page, name) ?? "", download: `${page.number}-${name}` }, `${page.number}-${name}`), " "]));
}

/** Seed, versions, machine, and the command that does the same.
 * @param {Found} found */
function measured(found) {
  const { machine } = found;
  const began = found.began.replace("T", " ").replace("+00:00", " UTC");
  const rows = [
    ["web.run_how", say(`lab.size_${found.size}`)],
    ["web.seed", String(found.seed)],
    ["web.began", began],
    ["web.computing", say("web.seconds_of", { count: count(Math.round(found.seconds)) })],
    ["web.versions", `papan ${machine.papan}, Python ${machine.python}`],
    ["web.machine", say("web.machine_of", machine)],
  ];
  return section("web.how_measured",
    h("dl", { class: "facts" }, rows.map(([key, text]) => [h("dt", {}, say(key)), h("dd", {}, text)])),
    command(found.command));
}
