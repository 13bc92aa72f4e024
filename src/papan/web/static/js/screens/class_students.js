// @ts-check
// The students of a contest: what became of what they handed in, their links; the plan and the list as text.

import { contestLinks, contestSheet, contestText, disqualify, renewLink, replaceContestText } from "../api.js";
import { copy } from "../files.js";
import { count, dateTime, language, megabytes, rounded, say, sayMessage } from "../language.js";
import {
  Drawing,
  Part,
  announce,
  button,
  columns,
  confirmed,
  entry,
  form,
  labelled,
  openDialog,
  scrolling,
  tool,
} from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { ContestPage, Reach, StudentFacts, SubmissionFacts, VersionFacts } from "../wire.d.ts" */
/** @typedef {(what: () => Promise<unknown>) => Promise<void>} Act Tries something, then looks at the contest anew. */

const LONGEST_REASON = 200;
const LOCAL = /^(localhost|127\.|\[::1\])/;

/** How a submission stands, in a word or two. @param {SubmissionFacts} submission */
export function stateOf({ state, version, language: kind, plays_on: older }) {
  const which = version === null ? "" : ` v${version} ${kind}`;
  const instead = older === null ? "" : `; ${say("contest.plays_on", { version: older })}`;
  return `${say(`class.submission_${state}`)}${which}${instead}`;
}

/**
 * Why a bot failed: the reason, the position on its board, and what it had printed.
 * @param {{why: import("../language.js").Message | null, position: string, board: string, output: string}} failure
 */
export function failed({ why, position, board, output }) {
  if (!why && !output) return null;
  return h("div", { class: "failure" },
    why && h("p", {}, sayMessage(why)),
    board &&
      h("figure", {},
        h("div", { class: "mini board" }, h(Drawing, { text: board })),
        h("figcaption", {}, h("code", {}, position)),
      ),
    output && [
      h("h3", {}, say("contest.page_output")),
      h("pre", { tabindex: 0, role: "region", "aria-label": say("contest.page_output") }, output),
    ],
  );
}

/** The versions of a student, the newest first. @param {VersionFacts[]} versions */
export function history(versions) {
  return scrolling(say("contest.page_versions"), "results",
    columns([
      say("contest.column_version"),
      say("contest.column_language"),
      say("class.stored"),
      say("contest.column_points"),
    ]),
    h("tbody", {},
      versions.map((each) =>
        h("tr", { key: each.number },
          h("td", {}, `v${each.number}`),
          h("td", {}, each.language),
          h("td", {}, dateTime(1000 * each.stored)),
          h("td", {}, `${count(each.points)}/${count(each.games)}`),
        ),
      ),
    ),
  );
}

/** Everybody on the list. @extends {Part<{page: ContestPage, reached: Reach, act: Act}>} */
export class Students extends Part {
  origin = this.#usualOrigin();

  /** The address under which students reach this server, as far as it is known. */
  #usualOrigin() {
    const { alone, addresses } = this.props.reached;
    if (!LOCAL.test(location.host) || alone || !addresses.length) return location.origin;
    return `${location.protocol}//${addresses[0]}:${location.port}`;
  }

  /** @param {StudentFacts} person */
  exclude(person) {
    const { page, act } = this.props;
    openDialog(say("class.exclude_title", { name: person.name }), (close) =>
      form({}, (fields) => {
          const why = fields.why.value.trim();
          close();
          if (why) act(() => disqualify(page.id, person.number, why));
        },
        labelled(
          say("class.exclude_why"),
          h("input", { name: "why", type: "text", required: true, maxlength: LONGEST_REASON, autocomplete: "off" }),
        ),
        h("button", { type: "submit", class: "primary" }, say("class.exclude")),
      ),
    );
  }

  /** @param {StudentFacts} person */
  async renew(person) {
    if (!(await confirmed(say("class.renew_sure", { name: person.name }), say("class.renew")))) return;
    await this.attempt(async () => {
      this.show(person.name, (await renewLink(this.props.page.id, person.number)).address);
    });
  }

  /** @param {StudentFacts} person */
  async link(person) {
    await this.attempt(async () => {
      const links = await contestLinks(this.props.page.id);
      const found = links.find((each) => each.number === person.number);
      if (found) this.show(person.name, found.address);
    });
  }

  /** Show a secret link, and copy it. @param {string} name @param {string} address */
  async show(name, address) {
    const whole = `${this.origin}${address}`;
    openDialog(say("class.link_of", { name }), () => [
      h("p", {}, h("code", { class: "secret-link" }, whole)),
      h("p", { class: "quiet" }, say("class.sheet_secret")),
      button(say("web.copy"), async () => announce(say((await copy(whole)) ? "web.was_copied" : "web.copy_failed"))),
    ]);
  }

  /** @param {{page: ContestPage, reached: Reach, act: Act}} props */
  render({ page, reached, act }) {
    const { people, strange, id } = page;
    return h("section", { class: "sheet", "data-sheet": "students" },
      h("h2", {}, say("class.students")),
      people.length
        ? h("ul", { class: "people" }, people.map((person) => this.#person(person, act)))
        : h("p", { class: "quiet" }, say("class.no_students")),
      strange.length > 0 && h("p", { class: "quiet" }, say("class.strange", { names: strange.join(", ") })),
      h("p", { role: "alert", class: "bad" }, this.problem),
      people.length > 0 &&
        h("details", { class: "rest links" },
          h("summary", {}, say("class.links")),
          h("p", {}, say("class.links_about")),
          reached.alone &&
            h("p", { class: "bad" }, say("class.only_here", { address: reached.addresses[0] ?? "0.0.0.0" })),
          labelled(
            say("class.origin"),
            entry(this.origin, (origin) => {
                this.origin = origin.trim().replace(/\/$/, "");
                this.forceUpdate();
              },
              { type: "url", autocomplete: "off", spellcheck: false },
            ),
          ),
          h("a", { class: "quiet-button", href: contestSheet(id, this.origin, language()), target: "_blank" },
            say("class.print_links"),
          ),
        ),
    );
  }

  /** @param {StudentFacts} person @param {Act} act */
  #person(person, act) {
    const { number, name, submission, versions, disqualified } = person;
    return h("li", { key: number, "data-student": number, "data-state": submission.state },
      h("details", {},
        h("summary", {},
          h("b", {}, name),
          h("span", { class: "quiet" }, number),
          h("span", { class: `state ${submission.state}` }, stateOf(submission)),
        ),
        failed(submission),
        submission.seconds !== null &&
          h("p", { class: "quiet" }, say("class.check_seconds", { seconds: rounded(submission.seconds, 4) })),
        submission.memory > 0 &&
          h("p", { class: "quiet" }, say("class.check_memory", { memory: megabytes(submission.memory) })),
        versions.length > 0 && history(versions),
        h("div", { class: "row" },
          tool("class.link", () => this.link(person)),
          tool("class.renew", () => this.renew(person)),
          disqualified
            ? tool("class.admit", () => act(() => disqualify(this.props.page.id, number, "")))
            : tool("class.exclude", () => this.exclude(person)),
        ),
      ),
    );
  }
}

/** The plan and the list of students as text. @extends {Part<{id: string, act: Act}>} */
export class ContestFiles extends Part {
  render() {
    const { id, act } = this.props;
    return h("section", { class: "sheet", "data-sheet": "files" },
      h("h2", {}, say("class.files")),
      h(ContestFile, { key: "students", id, name: "students", act }),
      h(ContestFile, { key: "plan", id, name: "plan", act }),
    );
  }
}

/** One of them: loaded when it is opened. @extends {Part<{id: string, name: "plan" | "students", act: Act}>} */
class ContestFile extends Part {
  text = "";
  loaded = false;
  said = "";

  /** @param {boolean} open */
  async load(open) {
    if (!open || this.loaded) return;
    await this.attempt(async () => {
      this.text = (await contestText(this.props.id, this.props.name)).text;
      this.loaded = true;
    });
    this.update();
  }

  async keep() {
    const { id, name, act } = this.props;
    this.said = "";
    await this.attempt(async () => {
      await replaceContestText(id, name, this.text);
      this.said = say("class.kept");
      announce(this.said);
    });
    this.update();
    if (!this.problem) await act(async () => {});
  }

  /** @param {{name: string}} props */
  render({ name }) {
    return h("details", { class: "rest", "data-file": name, ontoggle: (event) => this.load(event.currentTarget.open) },
      h("summary", {}, say(`class.file_${name}`)),
      h("p", { class: "quiet" }, say(`class.file_${name}_about`)),
      this.loaded &&
        form({}, () => this.keep(),
          labelled(
            say(`class.file_${name}`),
            entry(this.text, (text) => { this.text = text; }, {
              tag: "textarea",
              rows: name === "plan" ? 24 : 12,
              class: "code",
              spellcheck: false,
              autocomplete: "off",
            }),
          ),
          h("p", { role: "alert", class: "bad" }, this.problem),
          h("div", { class: "row" },
            h("button", { type: "submit", class: "primary" }, say("class.keep")),
            h("span", { class: "quiet", role: "status" }, this.said),
          ),
        ),
      !this.loaded && h("p", { role: "alert", class: "bad" }, this.problem),
    );
  }
}
