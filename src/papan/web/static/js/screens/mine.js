// @ts-check
// My games: all that were played here, to go on with, to see again, to review, to take along; scores and best times.

import { reopen } from "../api.js";
import { download, upload } from "../files.js";
import { agentTitle, calledInWords, dateTime, gameTitle, minutes, say } from "../language.js";
import {
  PERSON,
  addressOf,
  addressOfRecord,
  bestTimes,
  forgetGame,
  saveGame,
  myGames,
  newId,
  reviewAddress,
  scoresOf,
  seatOfPerson,
  winnerOf,
} from "../saved_game.js";
import { settings } from "../settings.js";
import { Part, columns, confirmed, link, scrolling, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Facts, MyGame } from "../saved_game.js" */

const SHOWN = 50; // more when asked for

/** @returns {Promise<Screen>} */
export async function mine() {
  return { title: say("mine.title"), view: h(MyGames, {}) };
}

/** Return where a saved game is reviewed, or analysed while it is not over. @param {Facts} facts */
function lookedInto({ start, moves, agents, names, end }) {
  const setup = { start, moves: moves.split(" ").filter(Boolean), players: agents, names, seconds: settings.seconds };
  const [game] = start.split(" ");
  return end === "open" ? addressOf("analyse", { ...setup, players: [] }, game) : reviewAddress(setup, game);
}

/** Return the names of the players. @param {Facts} facts */
function playersOf({ agents, names }) {
  const you = seatOfPerson(agents);
  return agents.map(
    (each, seat) =>
      (each === PERSON && names?.[seat]) ||
      (each !== PERSON ? agentTitle(each) : say(seat === you ? "web.you" : `web.seat_${seat + 1}`)),
  );
}

/** Return how a game ended, as a sentence to its player. @param {Facts} facts */
function resultOf(facts) {
  const [seat, winner] = [seatOfPerson(facts.agents), winnerOf(facts)];
  if (facts.end === "open") return say("mine.open");
  if (facts.agents.length < 2) return say(`end.${facts.end}`);
  if (winner === null) return say("mine.drawn");
  return seat === null
    ? say("mine.wins", { player: calledInWords(facts.agents, facts.names ?? [], 2)[winner] })
    : say(winner === seat ? "mine.won" : "mine.lost");
}

/**
 * Return a game as a line of a file: its record, with the date of its last move and its seconds.
 * @param {MyGame} game
 */
function lineOf({ record, when, seconds }) {
  return `${JSON.stringify({ ...JSON.parse(record), date: new Date(when).toISOString(), seconds })}\n`;
}

/** Return the date and the seconds of a game from its line; now and 0 if they are missing. @param {string} line */
function timesOf(line) {
  const { date, seconds } = JSON.parse(line);
  return { when: Date.parse(date) || Date.now(), seconds: Number(seconds) > 0 ? Number(seconds) : 0 };
}

/** @extends {Part} */
class MyGames extends Part {
  games = myGames();
  wanted = "";
  shown = SHOWN;

  refresh() {
    this.games = myGames();
    this.update();
  }

  /** Add the games of a file; report those that cannot be read. */
  async bring() {
    const text = (await upload()) ?? "";
    try {
      for (const line of text.split("\n").filter((each) => each.trim())) {
        const { game, start, agents, moves, scores, end, blame, names, hints } = await reopen(line);
        const facts = { game, start, agents, moves, scores, end, blame, names, hints };
        const { when, seconds } = timesOf(line);
        saveGame({ id: newId(), when, record: JSON.stringify(facts), seconds, address: addressOfRecord(facts) });
      }
    } finally {
      this.refresh();
    }
  }

  async deleteAll() {
    if (!(await confirmed(say("mine.delete_all_sure", { count: this.games.length }), say("mine.delete_all")))) return;
    for (const { id } of this.games) forgetGame(id);
    this.refresh();
  }

  get found() {
    const words = this.wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games.filter(({ facts, when }) => {
      const text = [gameTitle(facts.game), facts.game, ...playersOf(facts), resultOf(facts), dateTime(when)]
        .join(" ")
        .toLowerCase();
      return words.every((each) => text.includes(each));
    });
  }

  render() {
    const { games, found } = this;
    return h("div", { class: "mine arena" },
      h("h1", {}, say("mine.title")),
      h("p", { class: "quiet lead" }, say("mine.lead")),
      h("div", { class: "row" },
        tool("mine.import", () => this.attempt(() => this.bring())),
        games.length > 0 &&
          tool("mine.export", () =>
            download("papan.jsonl", "application/x-ndjson", games.map(lineOf).join("")),
          ),
        games.length > 0 && tool("mine.delete_all", () => this.deleteAll()),
      ),
      h("p", { role: "alert", class: "bad" }, this.problem),
      games.length
        ? this.#list(found)
        : h("div", { class: "sheet empty" },
            h("p", {}, say("mine.none")),
            link("/", say("screen.other_game"), { class: "button" }),
          ),
      h("div", { class: "sheets" }, this.#scores(), this.#times()),
    );
  }

  /** @param {MyGame[]} found */
  #list(found) {
    return h("section", { class: "sheet" },
      h("div", { class: "field" },
        h("label", { for: "wanted" }, say("mine.search")),
        h("input", {
          id: "wanted",
          type: "search",
          value: this.wanted,
          oninput: (event) => {
            this.wanted = event.currentTarget.value;
            this.update();
          },
        }),
      ),
      h("p", { class: "quiet", role: "status" }, say("mine.count", { count: found.length })),
      h("ul", { class: "my-games" },
        found.slice(0, this.shown).map((each) => this.#row(each)),
      ),
      found.length > this.shown &&
        tool("mine.more", () => {
          this.shown += SHOWN;
          this.update();
        }),
    );
  }

  /** @param {MyGame} game */
  #row({ id, facts, when, address, record }) {
    const open = facts.end === "open";
    const title = gameTitle(facts.game.replace(/,?seed=\d+/, ""));
    const hints = (facts.hints ?? []).reduce((sum, each) => sum + each, 0);
    return h("li", { key: id, "data-end": facts.end },
      h("div", { class: "what" },
        h("strong", {}, title),
        h("span", {}, playersOf(facts).join(" – ")),
        h("span", { class: open ? "badge open" : "badge" }, resultOf(facts)),
        hints > 0 && h("span", { class: "quiet hints" }, say("mine.hints", { hints })),
        h("time", { class: "quiet", datetime: new Date(when).toISOString() }, dateTime(when)),
      ),
      h("div", { class: "row" },
        link(open ? address : addressOfRecord(facts), say(open ? "web.continue" : "web.replay"), {
          class: open ? "button" : "quiet-button",
        }),
        facts.moves && link(lookedInto(facts), say(open ? "web.analyse" : "web.review"), { class: "quiet-button" }),
        tool("web.save", () => download(`${facts.game.split(":")[0]}.json`, "application/json", `${record.trim()}\n`)),
        tool("mine.delete", () => {
          forgetGame(id);
          this.refresh();
        }),
      ),
    );
  }

  #scores() {
    const scores = scoresOf(this.games);
    return (
      scores.length > 0 &&
      h("section", { class: "sheet", "data-sheet": "scores" },
        h("h2", {}, say("mine.scores")),
        scrolling(
          say("mine.scores"),
          "results",
          columns(["game", "opponent", "won", "drawn", "lost"].map((each) => say(`mine.column_${each}`))),
          h("tbody", {},
            scores.map(({ game, opponent, won, drawn, lost }) =>
              h("tr", {},
                h("th", { scope: "row" }, gameTitle(game)),
                h("td", {}, agentTitle(opponent)),
                [won, drawn, lost].map((each) => h("td", { class: "number" }, String(each))),
              ),
            ),
          ),
        ),
      )
    );
  }

  #times() {
    const times = bestTimes(this.games);
    return (
      times.length > 0 &&
      h("section", { class: "sheet", "data-sheet": "times" },
        h("h2", {}, say("mine.times")),
        h("ul", {},
          times.map(([size, { seconds, when }]) =>
            h("li", { key: size },
              h("strong", { class: "number" }, minutes(seconds)),
              ` ${gameTitle(size)} · `,
              h("span", { class: "quiet" }, dateTime(when)),
            ),
          ),
        ),
      )
    );
  }
}
