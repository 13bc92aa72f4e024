// @ts-check
// Help: the pages of docs/, all of a language at once, so that reading and searching need no server; and what papan is.

import { Refusal, aboutPapan, helpBook, papers } from "../api.js";
import { gameName, language, say } from "../language.js";
import { go } from "../router.js";
import { announce, forPage, helpLink, labelled, link, section } from "../ui.js";
import { Component, createRef, h } from "../vendor/preact.mjs";
/** @import { Opener, Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { Chapter, HelpPage, Library, PaperFacts } from "../wire.d.ts" */
/** @typedef {{page: HelpPage, anchor: string, heading: string, text: string}} Section */
/** @typedef {{chapters: Chapter[], page: HelpPage | undefined, anchor: string, signal: AbortSignal}} HelpProps */

const MOST = 20; // places shown for one search
const AROUND = 70; // letters before a match
const LICENSED = ["papan", "preact", "typeface", "libraries"];

/** @type {Opener} */
export async function help(url, signal) {
  const chapters = await helpBook(language());
  const name = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  const page = chapters.flatMap(({ pages }) => pages).find((each) => each.name === name);
  if (name && !page) throw new Refusal(404, "web.lost", {});
  return {
    title: page?.title ?? say("help.title"),
    view: h(Help, { chapters, page, anchor: url.hash.slice(1), signal }),
  };
}

/** @param {string} html */
const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

/** Return the sections of a page, one for each heading. @param {HelpPage} page @returns {Section[]} */
function sectionsOf(page) {
  /** @type {Section[]} */
  const found = [];
  for (const element of parsed(page.html).children) {
    const text = element.textContent ?? "";
    if (/^H\d$/.test(element.tagName)) found.push({ page, anchor: element.id, heading: text, text: "" });
    else found[found.length - 1].text += ` ${text.replace(/\s+/g, " ")}`;
  }
  return found;
}

/**
 * Return the words of a question as patterns: a short one must begin a word, or nearly everything would match.
 * @param {string} question
 */
function patterns(question) {
  return question
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const letters = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return new RegExp(word.length < 4 ? `(?<![\\p{L}\\p{N}])${letters}` : letters, "iu");
    });
}

/**
 * Return the sections that have all words of a question, the best first.
 * @param {Section[]} sections
 * @param {string} question
 */
function search(sections, question) {
  const words = patterns(question);
  const weight = (/** @type {Section} */ { page, heading, text }) => {
    const parts = /** @type {[string, number][]} */ ([
      [page.title, 4],
      [heading, 8],
      [text, 1],
    ]);
    const weights = words.map((word) => parts.reduce((sum, [part, much]) => sum + (word.test(part) ? much : 0), 0));
    return weights.every(Boolean) ? weights.reduce((sum, each) => sum + each) : 0;
  };
  return sections
    .map((section) => ({ section, weight: weight(section) }))
    .filter((each) => each.weight)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST)
    .map(({ section }) => section);
}

/**
 * Return the part of a text around its first match, which is highlighted.
 * @param {string} text
 * @param {string} question
 * @returns {Child}
 */
function excerpt(text, question) {
  const [first] = patterns(question)
    .map((word) => word.exec(text))
    .filter((each) => each !== null)
    .sort((one, other) => one.index - other.index);
  if (!first) return text.slice(0, 2 * AROUND);
  const { 0: found, index: place } = first;
  return [
    place > AROUND && "\u2026 ",
    text.slice(Math.max(0, place - AROUND), place),
    h("mark", {}, found),
    text.slice(place + found.length, place + 2 * AROUND),
    " \u2026",
  ];
}

/** The text of a page, which the server made of Markdown. @extends {Component<{page: HelpPage}>} */
class Article extends Component {
  /** @param {{page: HelpPage}} next */
  shouldComponentUpdate(next) { return next.page !== this.props.page; }

  /** @param {{page: HelpPage}} props */
  render({ page }) {
    return h("article", {
      lang: page.language === language() ? null : page.language,
      ref: (element) => element?.replaceChildren(...parsed(page.html).childNodes),
    });
  }
}

/** @extends {Component<HelpProps>} */
class Help extends Component {
  question = "";
  field = createRef();
  sections = this.props.chapters.flatMap(({ pages }) => pages).flatMap(sectionsOf);

  componentDidMount() {
    const { anchor, signal } = this.props;
    if (anchor) requestAnimationFrame(() => document.getElementById(anchor)?.scrollIntoView());
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "/" || !forPage(event)) return;
        event.preventDefault();
        this.field.current.focus();
      },
      { signal },
    );
  }

  /** @param {string} question */
  ask(question) {
    this.question = question.trim();
    this.forceUpdate(() => this.question && announce(this.#count()));
  }

  #count() {
    const found = search(this.sections, this.question).length;
    return found ? say("help.found", { count: found }) : say("help.nothing", { query: this.question });
  }

  /** Let arrow keys go from the field through the results, and back. @param {KeyboardEvent} event */
  press(event) {
    const places = /** @type {HTMLElement[]} */ ([
      this.field.current,
      .../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll(".found a"),
    ]);
    const at = places.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && at >= 0 && places[at + step]) places[at + step].focus();
    else if (event.key === "Enter" && at === 0 && places[1]) go(places[1].getAttribute("href") ?? "/help");
    else if (event.key === "Escape" && this.question) {
      this.field.current.value = "";
      this.field.current.focus();
      this.ask("");
    } else return;
    event.preventDefault();
  }

  /** @param {HelpProps} props */
  render({ chapters, page }) {
    const wide = matchMedia("(min-width: 941px)").matches;
    return h("div", { class: `reading help${page ? " with-page" : ""}`, onkeydown: (event) => this.press(event) },
      h("div", { class: "help-head" },
        !page && [h("h1", {}, say("help.title")), h("p", { class: "quiet lead" }, say("help.lead"))],
        labelled(
          say("help.search"),
          h("input", {
            type: "search",
            ref: this.field,
            autocomplete: "off",
            placeholder: "/",
            oninput: (event) => this.ask(event.currentTarget.value),
          }),
        ),
        page &&
          h("details", { class: "contents", open: wide },
            h("summary", {}, say("help.contents")),
            this.#contents(chapters),
          ),
      ),
      this.question
        ? this.#found()
        : page
          ? [page.language !== language() && h("p", { class: "note" }, say("help.in_english")), h(Article, { page })]
          : [this.#contents(chapters), h("p", { class: "quiet" }, say("help.keys"))],
    );
  }

  #found() {
    return h("section", { class: "found", "aria-label": say("help.search") },
      h("p", { class: "quiet" }, this.#count()),
      h("ol", {},
        search(this.sections, this.question).map(({ page, anchor, heading, text }) =>
          h("li", { key: `${page.name}#${anchor}`, lang: page.language === language() ? null : page.language },
            link(`/help/${page.name}#${anchor}`, [
              h("strong", {}, heading === page.title ? heading : `${page.title} \u203a ${heading}`),
              page.language !== language() &&
                h("span", { class: "quiet", lang: language() }, ` (${say("help.english")})`),
              h("span", { class: "quiet" }, excerpt(text, this.question)),
            ]),
          ),
        ),
      ),
    );
  }

  /** @param {Chapter[]} chapters */
  #contents(chapters) {
    return h("nav", { class: "chapters", "aria-label": say("help.contents") },
      chapters.map(({ name, pages }) =>
        h("section", { key: name },
          h("h2", {}, say(`help.chapter_${name}`)),
          h("ul", {},
            pages.map((each) =>
              h("li", { key: each.name, lang: each.language === language() ? null : each.language },
                link(`/help/${each.name}`, each.title, {
                  "aria-current": each.name === this.props.page?.name ? "page" : null,
                }),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

/**
 * Return the page about papan: its papers, where it stores data, its libraries, and its version.
 * @returns {Promise<Screen>}
 */
export async function about() {
  const [all, { version, libraries, data }] = await Promise.all([papers(), aboutPapan()]);
  return {
    title: say("about.title"),
    view: h("div", { class: "reading about-page" },
      h("h1", {}, say("about.title")),
      h("p", { class: "lead" }, say("about.lead")),
      section("about.papers", h("p", {}, say("about.thanks")), h("ul", {}, all.map(paper))),
      section(
        "about.data",
        h("p", {}, say("about.private")),
        h("p", {}, say("about.data_server"), data && [" ", h("code", {}, data)]),
        h("p", {}, say("about.data_terminal")),
      ),
      section(
        "about.licences",
        h("ul", { class: "licences" },
          LICENSED.map((each) => h("li", { key: each }, say(`about.licence_${each}`))),
        ),
        h("ul", { class: "libraries", lang: "en" }, libraries.map(library)),
      ),
      section(
        "about.version",
        h("p", {}, h("code", {}, `papan ${version}`)),
        h("p", {}, helpLink("play", "about.help")),
      ),
    ),
  };
}

/** @param {PaperFacts} facts */
function paper({ number, title, authors, year, game, affiliation }) {
  return h("li", { key: number },
    link(`/lab/${number}`, title, { lang: number === "001" ? "en" : "id" }),
    h("p", {}, `${authors}, ${year}`),
    h("p", { class: "quiet" }, h("span", { lang: "id" }, affiliation), ` \u00b7 ${gameName(game)}`),
  );
}

/** @param {Library} library */
function library({ name, version, licence }) {
  return h("li", { key: name }, h("strong", {}, name), ` ${version}`, licence && ` \u00b7 ${licence}`);
}
