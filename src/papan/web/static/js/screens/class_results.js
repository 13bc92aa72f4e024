// @ts-check
// The results of a contest: standings, who scored against whom, games to replay, marks and look-alikes.

import { contestFile, contestGames, contestMarks } from "../api.js";
import { count, language, megabytes, percent, rounded, say } from "../language.js";
import { GameList } from "../panels/game_list.js";
import { Part, button, columns, scrolling, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { contestant, eloText } from "./tournament.js";
/** @import { AlikeFacts, ContestGameFacts, ContestPage, LadderPlace, MarkFacts, MarksPage } from "../wire.d.ts" */

/** @param {string[]} keys */
const headings = (...keys) => columns(keys.map((key) => say(key)));

/** The standings; a line below a place says that its lead is certain. @param {LadderPlace[]} places */
export function ladder(places) {
  return scrolling(say("class.standings"), "results ladder",
    headings(
      "contest.column_rank",
      "contest.column_name",
      "contest.column_elo",
      "contest.column_points",
      "contest.column_forfeits",
      "contest.column_processor",
      "contest.column_memory",
    ),
    h("tbody", {},
      places.map((each) =>
        h("tr", { key: each.player, class: each.told ? "told" : "" },
          h("td", {}, count(each.rank)),
          h("th", { scope: "row" }, each.name, " ", h("small", { class: "quiet" }, each.player)),
          h("td", {}, eloText(each.elo)),
          h("td", {}, `${count(each.points)}/${count(each.games)}`),
          h("td", {}, forfeits(each)),
          h("td", {}, rounded(each.processor, 4)),
          h("td", {}, each.memory ? megabytes(each.memory) : ""),
        ),
      ),
    ),
  );
}

/** @param {LadderPlace} place */
function forfeits({ forfeits: kinds }) {
  const found = Object.entries(kinds).map(([kind, times]) => `${say(`end.${kind}`)} ${count(times)}`);
  return found.join(", ") || "0";
}

/**
 * Everybody against everybody and against house bots; a cell opens the games of its two.
 * @param {ContestPage} page
 * @param {(one: string, other: string) => unknown} open
 */
export function crossTable({ standings, house, cross }, open) {
  const rivals = [...standings.map((each) => each.player), ...house];
  return scrolling(say("contest.page_cross"), "results cross",
    columns([
      say("contest.column_rank"),
      say("contest.column_name"),
      ...standings.map((each) => String(each.rank)),
      ...house.map(contestant),
    ]),
    h("tbody", {},
      standings.map((each, line) =>
        h("tr", { key: each.player },
          h("td", {}, String(each.rank)),
          h("th", { scope: "row" }, each.name),
          rivals.map((rival, place) => {
            const score = cross[line][place];
            if (!score) return h("td", {}, "·");
            const [wins, draws, losses] = score;
            const text = `${count(wins + draws / 2)}/${count(wins + draws + losses)}`;
            const names = { one: each.player, other: rival };
            return h("td", {},
              button(text, () => open(each.player, rival), {
                class: "plain",
                "aria-label": `${text}: ${say("arena.games_of", names)}`,
              }),
            );
          }),
        ),
      ),
    ),
  );
}

/** Name a player of a game: a student with the version, or a house bot. @param {string} player */
export const playerName = (player) => (/ v\d+$/.test(player) ? player : contestant(player));

/** How a game ended, where that was not as the rules have it; nothing otherwise. @param {ContestGameFacts} game */
export const oddEnd = ({ end }) => (["win", "draw"].includes(end) ? "" : say(`end.${end}`));

/** @param {ContestGameFacts} game */
function gameLine(game) {
  const { players, winner } = game;
  const won = winner === null ? say("contest.result_0") : say("class.won_by", { name: playerName(players[winner]) });
  return [
    h("span", {}, players.map(playerName).join(" – ")),
    h("span", { class: "quiet" }, [won, oddEnd(game)].filter(Boolean).join(", ")),
  ];
}

/**
 * All games, or those of one player or two.
 * @param {ContestPage} page
 * @param {string[]} between
 * @param {(one: string, other: string) => void} choose
 */
export function contestList({ id, games, standings, house }, between, choose) {
  return h(GameList, {
    key: between.join(),
    sheet: "games",
    over: games,
    players: [
      ...standings.map((each) => [each.player, `${each.name} (${each.player})`]),
      ...house.map((agent) => [agent, contestant(agent)]),
    ],
    between,
    choose,
    load: (wanted) => contestGames(id, wanted),
    line: gameLine,
    spec: (game) => game.spec,
  });
}

/** Marks and look-alikes, which only the owner sees. @extends {Part<{page: ContestPage}>} */
export class Marks extends Part {
  /** @type {MarksPage | null} */
  found = null;

  async show() {
    await this.attempt(async () => { this.found = await contestMarks(this.props.page.id, language()); });
    this.update();
  }

  /** @param {{page: ContestPage}} props */
  render({ page: { id, judged } }) {
    const { found } = this;
    return h("section", { class: "sheet", "data-sheet": "marks" },
      h("h2", {}, say("class.marks")),
      h("p", { class: "quiet" }, say(judged ? "class.marks_about" : "class.not_judged")),
      h("p", { role: "alert", class: "bad" }, this.problem),
      judged &&
        h("div", { class: "row files" },
          tool("class.show_marks", () => this.show()),
          h("a", { class: "quiet-button", href: contestFile(id, "marks.csv", language()), download: "" },
            say("class.marks_csv"),
          ),
        ),
      found?.judged && [
        markTable(found.marks),
        h("h3", {}, say("class.alike")),
        h("p", { class: "quiet" }, say(found.alike.length ? "contest.alike_about" : "contest.alike_none")),
        found.alike.map(pair),
      ],
    );
  }
}

/** @param {number | undefined} share */
const measured = (share) => (share === undefined ? "" : percent(share));

/** @param {MarkFacts[]} marks */
function markTable(marks) {
  return scrolling(say("class.marks"), "results marks",
    headings(
      "contest.column_number",
      "contest.column_name",
      "contest.column_grade",
      "contest.column_mark",
      "contest.column_house",
      "contest.column_accuracy",
      "contest.column_regret",
      "contest.column_why",
    ),
    h("tbody", {},
      marks.map(({ number, name, grade, points, measures, remark }) =>
        h("tr", { key: number },
          h("td", {}, number),
          h("th", { scope: "row" }, name),
          h("td", {}, grade || "–"),
          h("td", {}, points === null ? "–" : rounded(points, 1)),
          h("td", {}, measured(measures.house)),
          h("td", {}, measured(measures.accuracy)),
          h("td", {}, measures.regret === undefined ? "" : rounded(measures.regret, 2)),
          h("td", { class: "remark" }, remark),
        ),
      ),
    ),
  );
}

/** Two bots that look alike, both sources side by side. @param {AlikeFacts} alike */
function pair({ first, second, shared_source, shared_answers, asked, mistakes, sources }) {
  const facts = {
    source: percent(shared_source),
    moves: percent(shared_answers),
    asked: count(asked),
    mistakes: count(mistakes),
  };
  return h("details", { class: "alike", key: `${first} ${second}` },
    h("summary", {}, `${first} · ${second}`),
    h("p", {}, say("contest.alike", facts)),
    h("div", { class: "sources" },
      sources.map((text, place) =>
        h("pre", { tabindex: 0, role: "region", "aria-label": [first, second][place] }, text),
      ),
    ),
  );
}
