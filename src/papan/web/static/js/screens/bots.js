// @ts-check
// Bots: the workshop of the server's owner, and for everyone how to write a bot, check it and let it play.

import { botGuide, games, openApi, workshop } from "../api.js";
import { command, listing } from "../files.js";
import { language, say } from "../language.js";
import { Workshop } from "../panels/workshop.js";
import { helpLink, link, scrolling, section } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { WorkshopFacts } from "../wire.d.ts" */
/** @import { Child } from "../vendor/preact.mjs" */

/** What a bot in Python can use, each with the key of its explanation. @type {[string, string][]} */
const KNOWN = [
  ["position.moves()", "web.knows_moves"],
  ["position.play(move)", "web.knows_play"],
  ["position.turn", "web.knows_turn"],
  ["position.scores()", "web.knows_scores"],
  ["papan.margin(position, seat)", "web.knows_margin"],
  ["position.game.move_name(move)", "web.knows_name"],
  ["str(position)", "web.knows_text"],
];

/** @type {[string, string][]} */
const PAPAN_SAYS = [
  ["papan 1", "web.hears_papan"],
  ["position TEXT", "web.hears_position"],
  ["moves NAME \u2026", "web.hears_moves"],
  ["go seconds S seed N [nodes N]", "web.hears_go"],
  ["stop", "web.hears_stop"],
  ["quit", "web.hears_quit"],
];

/** @type {[string, string][]} */
const PROGRAM_SAYS = [
  ["ready [GAME \u2026]", "web.says_ready"],
  ["move NAME [VALUE]", "web.says_move"],
  ["info TEXT", "web.says_info"],
  ["error TEXT", "web.says_error"],
];

/** @type {import("../router.js").Opener} */
export async function bots(url, signal) {
  const facts = await workshop(language());
  const guide = await written();
  const bench = facts.yours
    ? await opened(facts, signal)
    : h("p", { class: "quiet lead", role: "note" }, say("workshop.not_yours"));
  return { title: say("web.bots"), view: h("div", { class: "bots-page" }, h("h1", {}, say("web.bots")), bench, guide) };
}

/** The workshop with its editor, which no other page loads. @param {WorkshopFacts} facts @param {AbortSignal} signal */
async function opened(facts, signal) {
  const [{ CodeEditor }, all] = await Promise.all([import("../code_editor.js"), games(), codeStyles()]);
  return h(Workshop, { facts, games: all, editor: CodeEditor, signal });
}

/** Load the style sheet of the editor, once. */
function codeStyles() {
  if (document.querySelector("link[href$='code.css']")) return Promise.resolve();
  const [usual] = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[href$='all.css']"));
  const sheet = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: usual.href.replace("all.css", "code.css"),
  });
  const loaded = new Promise((resolve) => {
    sheet.onload = sheet.onerror = resolve;
  });
  document.head.append(sheet);
  return loaded;
}

/** The guide to writing a bot, for everyone. */
async function written() {
  const [guide, description, all] = await Promise.all([botGuide(language()), openApi(), games()]);
  const examples = all.slice(1, 3).map((each) => each.name); // of a list of games that a bot plays
  const [made, trial, match] = guide.sessions;
  return h("article", { class: "reading bots" },
    h("h2", { class: "title" }, say("web.bots_title")),
    h("p", { class: "quiet lead" }, say("web.bots_lead"), " ", helpLink("write-a-bot", "help.about_bots")),
    section(
      "web.bots_write",
      h("p", {}, say("web.bots_write_about")),
      listing(say("web.bots_write"), guide.template, "mybot.py"),
      transcript(made),
      rows(say("web.bots_knows"), [
        ...KNOWN,
        [`GAMES = ${JSON.stringify(examples)}`.replace(",", ", "), "web.knows_games"],
      ]),
    ),
    section("web.bots_check", h("p", {}, say("web.bots_check_about")), transcript(trial)),
    section(
      "web.bots_match",
      h("p", {}, say("web.bots_match_about")),
      transcript(match),
      h("p", {}, say("web.bots_arena"), " ", link("/arena", say("web.bots_to_arena"), { class: "link" })),
    ),
    section(
      "web.bots_program",
      h("p", {}, say("web.bots_program_about")),
      listing(say("web.bots_program"), guide.program, "mybot.sh"),
      rows(say("web.bots_papan_says"), PAPAN_SAYS),
      rows(say("web.bots_program_says"), PROGRAM_SAYS),
      h("p", { class: "quiet" }, say("web.bots_limits")),
    ),
    section(
      "web.bots_python",
      h("p", { class: "quiet" }, say("web.bots_in_english")),
      h("div", { lang: "en" },
        pairs(
          say("web.bots_python"),
          guide.reference.map((each) => [each.call, each.about]),
        ),
      ),
    ),
    section(
      "web.bots_json",
      h("p", {},
        say("web.bots_json_about"),
        " ",
        h("a", { class: "link", href: "/api/openapi.json" }, "/api/openapi.json"),
      ),
      h("div", { lang: "en" }, pairs(say("web.bots_json"), routes(description))),
    ),
  );
}

/** A command and its output. @param {{command: string, output: string}} session */
function transcript(session) {
  return h("div", { class: "transcript" },
    command(session.command),
    h("pre", { tabindex: 0, role: "region", "aria-label": say("web.bots_prints", session) },
      h("samp", {}, session.output),
    ),
  );
}

/** Code beside what it means, in the language of the page. @param {string} title @param {[string, string][]} lines */
function rows(title, lines) {
  return [
    h("h3", {}, title),
    pairs(
      title,
      lines.map(([code, key]) => [code, say(key)]),
    ),
  ];
}

/** @param {string} title @param {[string, string][]} lines */
function pairs(title, lines) {
  return scrolling(
    title,
    "ledger",
    h("tbody", {},
      lines.map(([code, text]) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, code)), h("td", {}, text))),
    ),
  );
}

/**
 * The routes of an OpenAPI description, each with what it answers.
 * @param {{paths: Record<string, Record<string, {summary?: string, description?: string}>>}} description
 * @returns {[string, string][]}
 */
function routes(description) {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, facts]) =>
        /** @type {[string, string]} */ ([
          `${method.toUpperCase()} /api${path}`,
          facts.description ?? facts.summary ?? "",
        ]),
    ),
  );
}
