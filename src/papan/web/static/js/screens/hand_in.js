// @ts-check
// A student's page behind a secret link: hand in a bot, and see what became of it. The code is in the fragment of the
// address, which no browser sends: it goes to the server in a header of each request.

import { handIn, handedIn } from "../api.js";
import { fileField } from "../files.js";
import { count, gameTitle, language, megabytes, rounded, say } from "../language.js";
import { replayOf } from "../panels/game_list.js";
import { Drawing, Part, announce, form, helpLink, link, repeatedly } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { oddEnd, playerName } from "./class_results.js";
import { failed, history, stateOf } from "./class_students.js";
import { eloText } from "./tournament.js";
/** @import { Screen } from "../router.js" */
/** @import { HandInPage, MomentFacts, OwnGame } from "../wire.d.ts" */

/** @param {URL} url @param {AbortSignal} signal @returns {Promise<Screen>} */
export async function handInScreen(url, signal) {
  const code = url.hash.slice(1);
  addEventListener("hashchange", () => location.reload(), { signal }); // another link in the same window
  if (!code) return { title: say("hand_in.title"), view: withoutLink() };
  const page = await handedIn(code);
  return { title: `${page.title}: ${page.name}`, view: h(StudentPage, { page, code, signal }) };
}

function withoutLink() {
  return h("article", { class: "lost" },
    h("h1", {}, say("hand_in.title")),
    h("p", {}, say("hand_in.no_link")),
    helpLink("contest", "help.about_class"),
  );
}

/** @extends {Part<{page: HandInPage, code: string, signal: AbortSignal}>} */
class StudentPage extends Part {
  page = this.props.page;
  /** @type {File | null} */
  file = null;
  sending = false;

  componentDidMount() { this.polling = repeatedly(() => this.#refresh(), this.props.signal); }

  async #refresh() {
    try {
      this.#take(await handedIn(this.props.code));
    } catch (error) {
      this.complain(error); // the server may come back
    }
    this.update();
    return this.page.submission.state === "checking" ? 1 : 5;
  }

  /** @param {HandInPage} page */
  #take(page) {
    const before = this.page.submission;
    this.page = page;
    const { state, version } = page.submission;
    if (state !== before.state || version !== before.version) announce(stateOf(page.submission));
  }

  /** Take the chosen file; a list that is empty after the dialog was left changes nothing. @param {FileList} files */
  choose(files) {
    if (!files.length) return;
    this.file = files[0];
    this.problem = "";
    this.forceUpdate();
  }

  async send() {
    const { file } = this;
    if (this.sending) return;
    if (!file) {
      this.complain(say("hand_in.choose_first"));
      return;
    }
    if (file.size > this.page.most_bytes) {
      this.complain(say("web.too_large", { most: count(this.page.most_bytes) }));
      return;
    }
    this.sending = true;
    this.update();
    const bytes = await file.arrayBuffer().catch(() => null); // no browser reads what has changed since it was chosen
    if (bytes) await this.attempt(async () => this.#take(await handIn(this.props.code, file.name, bytes)));
    else {
      this.file = null;
      this.complain(say("hand_in.file_changed", { name: file.name }));
    }
    this.sending = false;
    this.update();
    this.polling?.();
  }

  render() {
    const { page } = this;
    const { title, name, number, game, submission, place, games, moments, versions } = page;
    return h("article", { class: "arena report hand-in", "data-state": submission.state },
      h("h1", {}, title),
      h("p", { class: "lead" }, h("b", {}, name), ` ${number} · ${gameTitle(game)}`),
      this.#form(),
      h("section", { class: "sheet", "data-sheet": "submission" },
        h("h2", {}, say("hand_in.newest")),
        h("p", { class: `standing state ${submission.state}`, role: "status" }, stateOf(submission)),
        submission.state === "plays" && h("p", {}, say(`hand_in.run_${page.time_over ? "over" : page.running}`)),
        failed(submission),
        submission.seconds !== null &&
          h("p", { class: "quiet" }, say("class.check_seconds", { seconds: rounded(submission.seconds, 4) })),
        submission.memory > 0 &&
          h("p", { class: "quiet" }, say("class.check_memory", { memory: megabytes(submission.memory) })),
      ),
      place &&
        h("section", { class: "sheet", "data-sheet": "place" },
          h("h2", {}, say("hand_in.place")),
          h("p", { class: "standing" },
            say("hand_in.place_of", { rank: count(place.rank), students: count(page.students) }),
          ),
          h("p", {}, say("hand_in.so_far", {
            elo: eloText(place.elo),
            points: count(place.points),
            games: count(place.games),
          })),
        ),
      moments.length > 0 &&
        h("section", { class: "sheet", "data-sheet": "moments" },
          h("h2", {}, say("contest.page_moments")),
          h("p", { class: "quiet" }, say("contest.page_moments_about")),
          h("ul", { class: "moments" }, moments.map(moment)),
        ),
      games.length > 0 &&
        h("section", { class: "sheet", "data-sheet": "games" },
          h("h2", {}, say("hand_in.games")),
          h("ol", { class: "own-games" }, games.map(ownGame)),
        ),
      versions.length > 0 &&
        h("section", { class: "sheet", "data-sheet": "versions" },
          h("h2", {}, say("contest.page_versions")),
          history(versions),
        ),
    );
  }

  #form() {
    const { over, disqualified, left_today: left, suffixes, most_bytes: most, deadline, seconds, memory } = this.page;
    const closed = over || disqualified || !left;
    return form({ class: "sheet", "data-sheet": "form" }, () => this.send(),
      h("h2", {}, say("hand_in.send_title")),
      h("p", { class: "quiet" },
        say("hand_in.terms", {
          suffixes: suffixes.join(" "),
          kilobytes: count(Math.floor(most / 1024)),
          seconds: count(seconds),
          memory: count(memory),
        }),
        " ",
        helpLink("write-a-bot", "help.about_bots"),
      ),
      deadline && h("p", {}, say(over ? "hand_in.over" : "hand_in.deadline", { deadline })),
      disqualified && h("p", { class: "bad" }, say("contest.disqualified", { why: disqualified })),
      !over && !disqualified && h("p", { role: "status" }, say("hand_in.left_today", { left: count(left) })),
      fileField(say("hand_in.file"), this.file?.name ?? "", (files) => this.choose(files), {
        accept: suffixes.join(","),
        disabled: Boolean(closed),
      }),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("button", { type: "submit", class: "primary", disabled: Boolean(closed) || this.sending },
        say(this.sending ? "hand_in.sending" : "hand_in.send"),
      ),
    );
  }
}

/** A mistake: the board with both moves, the reason, and the way to replay it. @param {MomentFacts} facts */
function moment({ position, board, move, better, line, proved, text, lesson }) {
  const address = replayOf({ start: position, moves: "" }, position.split(" ")[0]);
  return h("li", {},
    board && h("div", { class: "mini board", "aria-hidden": "true" }, h(Drawing, { text: board })),
    h("p", {},
      h("b", {}, say("contest.moment", { move, better })),
      ` ${text[language()] ?? ""} `,
      line.length > 0 && `${say("contest.line", { line: line.join(" ") })} `,
      lesson && `${say("contest.lesson", { text: say(lesson) })} `,
      h("span", { class: "quiet" }, say(proved ? "contest.proved" : "contest.guessed")),
    ),
    link(address, say("hand_in.analyse")),
  );
}

/** @param {OwnGame} game */
function ownGame(game) {
  const rival = playerName(game.players[1 - game.seat]);
  return h("li", { key: game.number, value: game.number + 1, "data-result": game.result },
    link(replayOf(game, game.spec), [
      h("b", {}, say(`contest.result_${game.result}`)),
      h("span", {}, say("hand_in.against", { rival })),
      h("span", { class: "quiet" }, oddEnd(game)),
    ]),
    game.why && failed({ why: game.why, position: "", board: "", output: game.output }),
  );
}
