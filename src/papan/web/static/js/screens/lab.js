// @ts-check
// The laboratory: papers, what they say, what we measured, where we differ, and everything to do it again.

import {
  beginPaperJob,
  deletePaperJob,
  figure,
  lessons,
  paper,
  paperFile,
  paperJobs,
  papers,
  steerPaperJob,
} from "../api.js";
import { command } from "../files.js";
import { algorithmTitle, count, dayOf, known, language, say } from "../language.js";
import { masteredIn } from "../progress.js";
import { addressOf } from "../saved_game.js";
import { courseOf } from "./learn.js";
import { save, read, settings } from "../settings.js";
import {
  Drawing,
  Part,
  announce,
  awaited,
  button,
  columns,
  entry,
  form,
  helpLink,
  labelled,
  link,
  repeatedly,
  scrolling,
  section,
  select,
} from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { Opener } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { FindingFacts as Compared, RunResult as Found, PlaceFacts as Opened } from "../wire.d.ts" */
/** @import { PaperPage as Paper, PaperFacts, PaperJob } from "../wire.d.ts" */
/** @import { FlowFacts, ProgramFacts } from "../wire.d.ts" */
/** @import { FigureFacts as Plot, TableFacts as ResultTable } from "../wire.d.ts" */
/** @typedef {{paper: Paper, signal: AbortSignal}} PaperProps */

const CHOSEN = "papan.lab";
const PAUSE = 0.7; // seconds between two looks
/** Colour is never the only sign of a verdict. */
const SIGNS = { yes: "\u2713", no: "\u2717", open: "?", incomparable: "\u2260", quoted: "\u201c", none: "" };
const UNDER_WAY = ["running", "waiting"];

/** @type {Opener} */
export async function lab(url, signal) {
  const number = url.pathname.split("/")[2];
  if (!number) return list();
  const [found, all] = await Promise.all([paper(number, language(), url.searchParams.get("run")), lessons()]);
  return { title: nameOf(found), view: h(PaperPage, { paper: found, mastered: masteredIn(all), signal }) };
}

async function list() {
  const all = await papers();
  return {
    title: say("web.lab"),
    view: h("div", { class: "reading lab" },
      h("h1", {}, say("lab.title")),
      h("p", { class: "quiet lead" }, say("web.lab_lead"), " ", helpLink("reproduce-a-paper", "help.about_papers")),
      h("ul", { class: "papers" }, all.map(item)),
    ),
  };
}

/** @param {PaperFacts} facts */
function item(facts) {
  return h("li", { class: "paper", "data-paper": facts.number },
    h("h2", {}, link(`/lab/${facts.number}`, nameOf(facts))),
    h("p", {}, h("cite", { lang: titleLanguage(facts) }, facts.title)),
    h("p", { class: "quiet" }, `${facts.authors}, ${facts.year}`),
    h("p", { class: "kept" }, kept(facts)),
  );
}

/** Return the earlier runs of a paper, and the one that runs now. @param {PaperFacts} facts */
function kept(facts) {
  const runs = [...facts.jobs.filter((each) => each.state !== "done"), ...facts.runs];
  const words = runs.map(({ size, seed, done }) =>
    say("lab.state_run", { size: say(`lab.size_${size}`), seed, percent: Math.floor(100 * done) }),
  );
  return words.length ? say("web.kept_runs", { runs: words.join("; ") }) : say("web.only_reference");
}

/**
 * Return the language of a paper's title: that of 001 is English, although its text is not.
 * @param {PaperFacts} paper
 */
const titleLanguage = ({ number, language: text }) => (number === "001" ? "en" : text);

/** @param {PaperFacts} paper */
const nameOf = (paper) => `${paper.number} ${say(`game.${paper.game}`)}`;

/** @typedef {PaperProps & {mastered: (lesson: string) => boolean}} PageProps */

/** @extends {Component<PageProps>} */
class PaperPage extends Component {
  paper = this.props.paper;

  /** Show the newest run, because one has ended. */
  async finished() {
    history.replaceState(null, "", `/lab/${this.paper.number}`);
    this.paper = await paper(this.paper.number, language(), null);
    this.forceUpdate();
    announce(say("web.run_done"));
  }

  /** @param {PageProps} props */
  render({ mastered, signal }) {
    const { paper: page } = this;
    return h("article", { class: "reading lab" },
      h("p", {}, link("/lab", say("web.all_papers"), { class: "back" })),
      h("h1", {}, nameOf(page)),
      h("p", {},
        h("cite", { lang: titleLanguage(page) }, page.title),
        h("br"),
        `${page.authors}, ${page.year}`,
        h("br"),
        h("span", { class: "quiet", lang: page.language }, page.affiliation),
      ),
      section("web.about_paper", h("p", {}, page.abstract)),
      section("course.own", courseOf(page, mastered)),
      section(
        "lab.claims",
        page.claims.map((each) =>
          h("blockquote", {},
            h("p", { lang: page.language }, each.original),
            each.english && h("p", { lang: "en", class: "quiet" }, each.english),
          ),
        ),
      ),
      section(
        "web.printed",
        h("p", { class: "quiet" }, say("web.printed_lead")),
        page.exhibits.map((each) =>
          h("details", { class: "table-box", "data-exhibit": each.name }, h("summary", {}, each.title), tableOf(each)),
        ),
      ),
      page.programs.length > 0 && section("lab.programs", h("ul", { class: "programs" }, page.programs.map(offered))),
      page.flows.length > 0 && section("lab.flows", h("div", { class: "flows" }, page.flows.map(flowchart))),
      page.listing && h("details", { class: "table-box" }, h("summary", {}, say("lab.listing")), listed(page.listing)),
      section("web.recipe", h("p", {}, page.recipe)),
      h(Rerun, { paper: page, signal, finished: () => this.finished() }),
      h("div", { class: "findings" }, resultsOf(page)),
      section(
        "lab.conclusion",
        page.conclusion.map(([heading, text]) => h("p", {}, h("strong", {}, heading), ": ", text)),
      ),
      section(
        "lab.remarks",
        page.remarks.map((each) => h("p", {}, each)),
      ),
      section(
        "lab.choices",
        h("ul", { class: "choices" },
          page.choices.map((each) => h("li", {}, each)),
        ),
      ),
      page.errata.length > 0 &&
        section(
          "web.errata",
          h("ul", { class: "errata" },
            page.errata.map((each) => h("li", {}, each)),
          ),
        ),
    );
  }
}

/** Return an entry of the authors' program: the page, and the command. @param {ProgramFacts} entry */
function offered({ text, address: page, command: line }) {
  return h("li", {}, link(page, text), " ", h("code", {}, line));
}

/** Return code that scrolls if it is wider than the screen. @param {string} code */
function listed(code) {
  return h("pre", { class: "listing", tabindex: 0, "aria-label": say("lab.listing") }, h("code", {}, code));
}

/** Return a flowchart as a list, in which choices look different from steps. @param {FlowFacts} flow */
function flowchart({ title, boxes }) {
  return h("figure", {},
    h("ol", { class: "flow" },
      boxes.map(({ kind, text }) => h("li", { class: kind }, text)),
    ),
    h("figcaption", {}, title),
  );
}

/**
 * Return where a position of a paper is opened: in an analysis, or in a game of two agents.
 * @param {Opened} place
 */
function addressOfPlace({ start, game, moves, then, agents }) {
  const words = (/** @type {string} */ text) => text.split(" ").filter(Boolean);
  const setup = { start, moves: words(moves), then: words(then), players: agents, seconds: settings.seconds };
  return agents.length > 1 ? addressOf("watch", setup, game) : addressOf("analyse", setup, game);
}

/** @param {Paper} page */
function resultsOf(page) {
  const { found } = page;
  const kept = page.runs
    .filter((each) => each.done === 1)
    .map(({ name, size, seed }) => ({ name, words: say("web.run_name", { size: say(`lab.size_${size}`), seed }) }));
  const others = [...kept, { name: "reference", words: say("web.reference_run") }].filter(
    (each) => each.name !== found.name,
  );
  return [
    section(
      "lab.comparison",
      found.reference && h("p", { class: "reference" }, ownRun(found)),
      h("p", { class: "quiet" },
        say("web.how_to_read"),
        " ",
        helpLink("reproduce-a-paper#how-to-read-the-comparison", "help.about_lab"),
      ),
      comparison(page.comparison, found.reference),
      others.length > 0 &&
        h("p", {},
          say("web.other_runs"),
          " ",
          others.map(({ name, words }) => [link(`/lab/${page.number}?run=${name}`, words, { class: "run" }), " "]),
        ),
    ),
    section(
      "web.figures",
      found.plots.map((each) => figureOf(each, address(page, `${each.name}.svg`))),
    ),
    section(
      "web.tables",
      found.tables.map((each) =>
        h("details", { class: "table-box", open: found.tables.length === 1 },
          h("summary", {}, each.title),
          tableOf(each),
          files(page, [`${each.name}.csv`, `${each.name}.md`]),
        ),
      ),
    ),
    section(
      "web.downloads",
      files(
        page,
        found.files.filter((each) => /^(report|claims)\./.test(each)),
      ),
    ),
    measured(found),
  ];
}

/** Return the machine and the date of papan's own results, as a sentence. @param {Found} found */
function ownRun({ size, began, machine }) {
  return say("web.reference_about", {
    size: say(`lab.size_${size}`),
    began: dayOf(began),
    processor: machine.processor,
    cores: machine.cores,
  });
}

/** Return the address of a file of the shown run; null if there is none. @param {Paper} page @param {string} name */
function address({ number, found }, name) {
  return found.files.includes(name) ? paperFile(number, name, language(), found.name) : null;
}

/** @param {Paper} page @param {string[]} names */
function files(page, names) {
  return h("p", { class: "files" },
    names.map((name) => [
      h("a", { href: address(page, name) ?? "", download: `${page.number}-${name}` }, `${page.number}-${name}`),
      " ",
    ]),
  );
}

/** Return seed, versions and machine of a run, and the command that repeats it. @param {Found} found */
function measured(found) {
  const { machine } = found;
  const rows = [
    ["web.run_how", say(`lab.size_${found.size}`)],
    ["web.seed", String(found.seed)],
    ["web.began", found.began.replace("T", " ").replace("+00:00", " UTC")],
    ["web.computing", found.cpu === null ? "\u2013" : say("web.seconds_of", { count: count(Math.round(found.cpu)) })],
    ["web.versions", `papan ${machine.papan}, Python ${machine.python}`],
    ["web.machine", say("web.machine_of", machine)],
  ];
  return section(
    "web.how_measured",
    h("dl", { class: "facts" },
      rows.map(([key, text]) => [h("dt", {}, say(key)), h("dd", {}, text)]),
    ),
    command(found.command),
  );
}

/** Return a cell of a table as text; an agent by its title. @param {string} cell */
const named = (cell) => (known(`agent_name.${cell.split(":")[0]}`) ? algorithmTitle(cell) : cell);

/**
 * Return a table whose rows open the board; the keyboard stops at the first cell of each.
 * @param {ResultTable} table
 */
function tableOf({ title, headings, rows, numbers, places }) {
  const side = (/** @type {number} */ column) => (numbers[column] ? "right" : "");
  return scrolling(
    title,
    "ledger",
    h("thead", {},
      h("tr", {},
        headings.map((each, column) => h("th", { scope: "col", class: side(column) }, each)),
      ),
    ),
    h("tbody", {},
      rows.map((row, place) =>
        h("tr", {},
          row.map((cell, column) =>
            h("td", { class: side(column) },
              link(addressOfPlace(places[place]), named(cell), {
                class: column ? "cell-link" : "row-link",
                tabindex: column ? -1 : 0,
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * Return the table of the paper's values beside those of a run, and of papan's own run.
 * @param {Compared[]} lines
 * @param {boolean} own Whether it is our own.
 */
function comparison(lines, own) {
  const keys = [
    "lab.what",
    "lab.paper_value",
    own ? "lab.our_value" : "web.this_run",
    "web.reference_run",
    "lab.agrees",
  ];
  const [what, paper, ours, reference, agrees] = keys.map((key) => say(key));
  return scrolling(
    say("lab.comparison"),
    "ledger",
    columns(own ? [what, paper, ours, agrees] : [what, paper, ours, reference, agrees]),
    h("tbody", {},
      lines.map((each) =>
        h("tr", {},
          h("th", { scope: "row" }, link(addressOfPlace(each.place), each.what)),
          h("td", { "data-label": paper }, each.paper),
          h("td", { class: "ours", "data-label": ours }, each.ours),
          !own && h("td", { class: "quiet", "data-label": reference }, each.reference ?? "\u2013"),
          h("td", { class: `agrees ${each.agrees}`, "data-agrees": each.agrees, "data-label": agrees },
            SIGNS[each.agrees] && h("span", { "aria-hidden": "true" }, `${SIGNS[each.agrees]} `),
            say(`lab.verdict_${each.agrees}`),
            each.basis && h("small", { class: "basis" }, each.basis),
            each.rule && h("small", { class: "basis rule" }, each.rule),
          ),
        ),
      ),
    ),
  );
}

/**
 * Return a figure that the server draws, with its numbers as a table.
 * @param {Plot} plot
 * @param {string | null} place Where the drawing is; null where it cannot be made.
 */
function figureOf(plot, place) {
  return h("figure", {},
    place &&
      h("div", { class: "plot scroll", role: "region", tabindex: 0, "aria-label": plot.title },
        awaited(
          () =>
            figure(place).then(
              (text) => h(Drawing, { text, sized: true }),
              () => say("web.failed"),
            ),
          (drawn) => drawn,
          place,
        ),
      ),
    h("figcaption", {}, plot.title, " ", link(addressOfPlace(plot.place), say("web.on_the_board"))),
    h("details", { class: "numbers", open: !place },
      h("summary", {}, say("lab.numbers")),
      h("dl", {},
        plot.series.map(({ label, text }) => [h("dt", {}, named(label)), h("dd", {}, text)]),
      ),
    ),
  );
}

/** @typedef {PaperProps & {finished: () => void}} RerunProps */

/** A run in the background: start it, see how far it is, pause it, come back later. @extends {Part<RerunProps>} */
class Rerun extends Part {
  jobs = this.props.paper.jobs;
  chosen = { size: read(CHOSEN).size === "full" ? "full" : "quick", seed: Number(read(CHOSEN).seed ?? 0) };

  componentDidMount() { this.look = repeatedly(() => this.#look(), this.props.signal); }

  /** @param {Partial<typeof this.chosen>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    save(CHOSEN, this.chosen);
    this.forceUpdate();
  }

  /**
   * Send a request, then show the state of the runs.
   * @param {() => Promise<unknown>} question
   * @param {string} success
   */
  async ask(question, success) {
    await this.attempt(async () => {
      await question();
      announce(say(success));
    });
    await this.look?.();
  }

  /** Show the state of the runs, again and again while one is running. */
  async #look() {
    const {
      paper: { number },
      signal,
      finished,
    } = this.props;
    try {
      const before = this.jobs;
      this.jobs = await paperJobs(number);
      if (
        !signal.aborted &&
        before.some((each) => each.state === "running" && !this.jobs.some((other) => other.id === each.id))
      )
        finished();
    } catch (error) {
      this.complain(error); // the server may come back
    }
    this.update();
    return this.jobs.some((each) => UNDER_WAY.includes(each.state)) ? PAUSE : null;
  }

  /** @param {RerunProps} props */
  render({ paper: { number, amounts, yours } }) {
    const { size, seed } = this.chosen;
    const options = /** @type {[string, string][]} */ (
      amounts.map((each) => [
        each.size,
        say("web.run_size", { size: say(`lab.size_${each.size}`), time: duration(each.seconds) }),
      ])
    );
    return h("section", { class: "rerun", "aria-labelledby": "rerun" },
      h("h2", { id: "rerun" }, say("web.run_again")),
      h("p", { class: "quiet" }, say("web.run_about")),
      form(
        { class: "row" },
        () => this.ask(() => beginPaperJob(number, this.chosen), "web.run_begun"),
        labelled(
          say("web.run_how"),
          select(size, options, (chosen) => this.choose({ size: chosen })),
        ),
        labelled(
          say("web.seed"),
          entry(seed, (chosen) => this.choose({ seed: Math.max(0, Math.trunc(Number(chosen) || 0)) }), {
            type: "number",
            min: 0,
            max: 999_999_999,
            step: 1,
          }),
        ),
        yours && h("button", { type: "submit", class: "primary" }, say("web.run_it")),
      ),
      !yours && h("p", { class: "quiet" }, say("jobs.not_owner")),
      h("p", { class: "bad", role: "alert" }, this.problem),
      h("ul", { class: "jobs" },
        this.jobs.map((job) => this.#row(job)),
      ),
      h("p", { class: "quiet" }, say("web.same_command")),
      h("div", {}, command(`papan lab run ${number}${size === "quick" ? " --quick" : ""} --seed ${seed}`)),
    );
  }

  /** @param {PaperJob} job */
  #row({ id, state, size, seed, done, why }) {
    const { number, yours } = this.props.paper;
    const what = say("web.run_name", { size: say(`lab.size_${size}`), seed });
    const action = (
      /** @type {string} */ key,
      /** @type {() => Promise<unknown>} */ question,
      /** @type {string} */ success,
    ) => button(say(key), () => this.ask(question, success));
    return h("li", { key: id, "data-state": state },
      h("span", {}, `${what}: ${say(`web.job_${state}`, { percent: Math.floor(100 * done) })}`),
      h("progress", { max: 1, value: done, "aria-label": what }),
      why && h("p", { class: "bad" }, say(why.key, why.values)),
      yours &&
        h("div", { class: "row" },
          UNDER_WAY.includes(state) && action("web.pause", () => steerPaperJob(number, id, "pause"), "web.run_paused"),
          ["paused", "failed"].includes(state) &&
            action("web.go_on", () => steerPaperJob(number, id, "go-on"), "web.run_begun"),
          action("web.run_forget", () => deletePaperJob(number, id), "web.run_forgotten"),
        ),
    );
  }
}

/** @param {number} seconds */
function duration(seconds) {
  return seconds < 60 ? say("web.time_minute") : say("web.time_minutes", { count: Math.ceil(seconds / 60) });
}
