// @ts-check
// The contests of the owner of the server: all of them, one of them, and its standings for the projector.

import {
  Refusal,
  contest,
  contestFile,
  contestLadder,
  contests,
  deleteContest,
  games,
  makeContest,
  reach,
  steerContest,
} from "../api.js";
import { count, dateTime, gameTitle, language, rounded, say, sayMessage } from "../language.js";
import { GamePicker, gameSelect } from "../pickers.js";
import { go } from "../router.js";
import {
  Part,
  announce,
  button,
  confirmed,
  entry,
  form,
  helpLink,
  labelled,
  link,
  openDialog,
  present,
  repeatedly,
  tool,
} from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
import { ContestFiles, Students } from "./class_students.js";
import { Marks, contestList, crossTable, ladder } from "./class_results.js";
/** @import { Screen } from "../router.js" */
/** @import { ContestFacts, ContestPage, GameFacts, LadderPage, Reach } from "../wire.d.ts" */

const LIVE = ["running", "waiting"];
const LONGEST_TITLE = 80;

/** @param {URL} url @param {AbortSignal} signal @returns {Promise<Screen>} */
export async function classes(url, signal) {
  try {
    return await ownersPage(url, signal);
  } catch (error) {
    if (error instanceof Refusal && error.key === "jobs.not_owner")
      throw new Refusal(error.status, "class.not_yours", {}); // nobody else watches here
    throw error;
  }
}

/** @param {URL} url @param {AbortSignal} signal @returns {Promise<Screen>} */
async function ownersPage(url, signal) {
  const [, , id, part] = url.pathname.split("/").map(decodeURIComponent);
  if (id && part) return projector(id, signal);
  if (id) return onePage(id, signal);
  const [all, found] = await Promise.all([games(), contests()]);
  return {
    title: say("class.title"),
    view: h("div", { class: "arena" },
      h("h1", {}, say("class.title")),
      h("p", { class: "quiet lead" }, say("class.lead"), " ", helpLink("contest", "help.about_class")),
      h("div", { class: "arena-columns" },
        h(NewContestForm, { all: all.filter((each) => each.seats === 2) }),
        h("section", { class: "sheet" }, h("h2", {}, say("class.all")), listOf(found)),
      ),
    ),
  };
}

/** @param {ContestFacts[]} found */
function listOf(found) {
  return h("ul", { class: "tournaments" },
    !found.length && h("li", { class: "quiet" }, say("class.none")),
    found.map((each) =>
      h("li", { key: each.id, "data-state": each.state },
        link(`/class/${each.id}`, [
          h("b", {}, each.title || each.folder),
          each.game && h("span", {}, gameTitle(each.game)),
          h("span", { class: "quiet" }, standing(each)),
          h("small", { class: "quiet" }, dateTime(each.made)),
        ]),
      ),
    ),
  );
}

/** Say in one sentence how a contest stands. @param {ContestFacts} facts */
function standing(facts) {
  const { state, students, playing, games: played, minutes_left: left, why } = facts;
  if (why && state !== "failed") return sayMessage(why);
  const numbers = { students: count(students), playing: count(playing), games: count(played), left: rounded(left, 1) };
  return `${say(`class.state_${facts.time_over ? "over" : state}`)} · ${say("class.progress", numbers)}`;
}

/** The form for a new contest: a game and a title. @extends {Part<{all: GameFacts[]}>} */
class NewContestForm extends Part {
  facts = this.props.all[0];
  game = this.facts.spec;
  title = "";

  async make() {
    const made = await makeContest({ game: this.game, title: this.title, language: language() });
    await go(`/class/${made.id}`);
  }

  /** @param {{all: GameFacts[]}} props */
  render({ all }) {
    return form({ class: "sheet set-up" }, () => this.attempt(() => this.make()),
      h("h2", {}, say("class.new")),
      labelled(
        say("class.name"),
        entry(this.title, (title) => { this.title = title; }, {
          type: "text",
          required: true,
          maxlength: LONGEST_TITLE,
          autocomplete: "off",
          placeholder: say("class.name_example"),
        }),
      ),
      labelled(
        say("arena.game"),
        gameSelect(this.facts, all, (facts) => {
          this.facts = facts;
          this.game = facts.spec;
          this.forceUpdate();
        }),
      ),
      h(GamePicker, { key: this.facts.name, game: this.facts, choose: (spec) => { this.game = spec; } }),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("button", { type: "submit", class: "primary" }, say("class.make")),
    );
  }
}

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Screen>} */
async function onePage(id, signal) {
  const [page, reached] = await Promise.all([contest(id), reach()]);
  return {
    title: `${say("class.title")}: ${page.title}`,
    view: h(ContestScreen, { page, reached, signal }),
  };
}

/**
 * One contest, for its owner: students, standings, games, marks, plan, and how it goes.
 * @extends {Part<{page: ContestPage, reached: Reach, signal: AbortSignal}>}
 */
class ContestScreen extends Part {
  page = this.props.page;
  between = ["", ""]; // whose games are listed

  componentDidMount() { this.polling = repeatedly(() => this.#refresh(), this.props.signal); }

  async #refresh() {
    try {
      const before = this.page.state;
      this.page = await contest(this.page.id);
      this.problem = "";
      if (this.page.state !== before) announce(standing(this.page));
    } catch (error) {
      this.complain(error); // the server may come back
    }
    this.update();
    const busy = LIVE.includes(this.page.state) || this.page.people.some(isChecking);
    return busy ? 2 : 5;
  }

  /** @param {() => Promise<unknown>} what */
  act(what) {
    return this.attempt(async () => {
      await what();
      await this.polling?.();
    });
  }

  /** Delete the contest, asked twice: the second time its title must be written. */
  async dismiss() {
    const { id, title } = this.page;
    if (!(await confirmed(say("class.delete_sure", { students: count(this.page.students) }), say("class.delete"))))
      return;
    if (await written(title))
      await this.act(async () => {
        await deleteContest(id);
        await go("/class");
      });
  }

  /** @param {string} one @param {string} other */
  listGames(one, other) {
    this.between = [one, other];
    this.forceUpdate(() => document.querySelector("[data-sheet=games]")?.scrollIntoView());
  }

  render() {
    const { page } = this;
    const { id, state, title, game, deadline, folder, sandbox, why } = page;
    const failed = why && (state === "failed" || !title) ? sayMessage(why) : "";
    return h("article", { class: "arena report class", "data-id": id, "data-state": state },
      h("p", { class: "way-back" }, link("/class", `← ${say("class.all")}`)),
      h("h1", {}, title || folder),
      h("p", { class: "quiet" }, [game && gameTitle(game), deadlineOf(deadline), folder].filter(Boolean).join(" · ")),
      helpLink("contest", "help.about_class"),
      h("div", { class: "course" },
        h("p", { class: "standing" }, title && standing(page)),
        h("div", { class: "row steering" },
          LIVE.includes(state)
            ? tool("class.pause", () => this.act(() => steerContest(id, "pause")))
            : title && !page.time_over &&
              tool("class.start", () => this.act(() => steerContest(id, "go-on")), { class: "primary" }),
          title && link(`/class/${id}/ladder`, say("class.projector"), { class: "quiet-button" }),
          h("a", { class: "quiet-button", href: contestFile(id, "everything.zip", language()), download: "" },
            say("class.export"),
          ),
          tool("class.delete", () => this.dismiss()),
        ),
        sandbox && h("p", { role: "alert", class: "bad" }, sayMessage(sandbox)),
        h("p", { role: "alert", class: "bad" }, this.problem || failed),
      ),
      title && [
        h(Students, { page, reached: this.props.reached, act: (what) => this.act(what) }),
        h("section", { class: "sheet", "data-sheet": "standings" },
          h("h2", {}, say("class.standings")),
          page.standings.length
            ? [ladder(page.standings), h("p", { class: "quiet" }, say("contest.page_method"))]
            : h("p", { class: "quiet" }, say("class.no_games")),
        ),
        page.games > 0 &&
          h("section", { class: "sheet", "data-sheet": "cross_table" },
            h("h2", {}, say("contest.page_cross")),
            crossTable(page, (one, other) => this.listGames(one, other)),
          ),
        page.games > 0 &&
          contestList(page, this.between, (one, other) => this.listGames(one, other)),
        h(Marks, { page }),
      ],
      h(ContestFiles, { id, act: (what) => this.act(what) }),
    );
  }
}

/** @param {ContestPage["people"][number]} person */
const isChecking = ({ submission }) => submission.state === "checking";

/** @param {string} deadline */
const deadlineOf = (deadline) => deadline && say("class.deadline_is", { deadline });

/** Ask for a title to be written, as a second question. @param {string} title @returns {Promise<boolean>} */
function written(title) {
  return new Promise((resolve) => {
    let answer = false;
    const right = () => {
      answer = true;
      dialog.close();
    };
    const body = (/** @type {() => void} */ close) => h(TitleForm, { title, right, close });
    const dialog = openDialog(say("class.delete_write", { title }), body, true);
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** Where the title is written. @extends {Part<{title: string, right: () => void, close: () => void}>} */
class TitleForm extends Part {
  /** @param {{title: string, right: () => void, close: () => void}} props */
  render({ title, right, close }) {
    return form({}, (fields) => {
        if (fields.title.value.trim() === title) right();
        else this.complain(say("class.delete_differs"));
      },
      labelled(say("class.name"), h("input", { name: "title", type: "text", autocomplete: "off" })),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("div", { class: "row" },
        button(say("web.cancel"), close),
        h("button", { type: "submit" }, say("class.delete_all")),
      ),
    );
  }
}

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Screen>} */
async function projector(id, signal) {
  const page = await contestLadder(id);
  return { title: page.title, view: h(Projector, { page, signal }) };
}

/** The standings in large letters, always the latest. @extends {Component<{page: LadderPage, signal: AbortSignal}>} */
class Projector extends Component {
  page = this.props.page;

  componentDidMount() {
    const { signal } = this.props;
    repeatedly(async () => {
      this.page = await contestLadder(this.page.id).catch(() => this.page); // the server may come back
      this.forceUpdate();
      return 3;
    }, signal);
    signal.addEventListener("abort", () => present());
  }

  render() {
    const { page } = this;
    return h("article", { class: "arena projector" },
      h("p", { class: "way-back actions" }, link(`/class/${page.id}`, `← ${page.title}`)),
      h("h1", {}, page.title),
      h("p", { class: "standing", role: "status" }, standing(page)),
      ladder(page.standings),
      h("div", { class: "row actions" }, tool("web.present", () => present(say("web.present_leave")))),
    );
  }
}
