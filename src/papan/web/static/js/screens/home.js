// @ts-check
// Home: a card for each game, a game within one click, and everything that can be chosen before it.

import { dailyPuzzle, deal, games, isGone, lessons } from "../api.js";
import { agentTitle, allTexts, gameName, gameTitle, minutes, say, sayOr } from "../language.js";
import { levelOf } from "../players.js";
import { begun, due, nextLesson, picture, progress, today } from "../progress.js";
import { go } from "../router.js";
import { PERSON, addressOf, bestTimes, featured, fitting, myGames, scoresOf, streakOf } from "../saved_game.js";
import { unfinishedGames } from "../saved_game.js";
import { anySeed, change, settings } from "../settings.js";
import { awaited, button, link } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/** @import { GameFacts, LessonFacts, PuzzleFacts } from "../wire.d.ts" */

const BEATEN_LAST = 5; // the strongest opponent
const STEPS_IN_A_MINUTE = 6; // of a lesson

/** @returns {Promise<Screen>} */
export async function home() {
  const all = await games();
  return {
    title: say("screen.play"),
    view: h("div", { class: "home" },
      hero(all.find((each) => each.name === settings.played) ?? featured(all)),
      h("h2", { class: "section unseen" }, say("web.games")),
      h("ul", { class: "cards" }, all.map(card)),
      record(),
    ),
  };
}

/** The first choices: the game played last, an unfinished one, a room with a friend. @param {GameFacts} game */
function hero(game) {
  return h("section", { class: "hero" },
    h("div", {},
      h("h1", {}, say("web.welcome")),
      h("p", { class: "lead" }, say("web.lead")),
      h("div", { class: "row" },
        button(say("web.play_named", { game: gameName(game.name) }), () => begin(chosenFor(game)), { class: "gold" }),
        link("/room", say("room.play_friend"), { class: "friend" }),
        continued(),
      ),
    ),
    h("section", { class: "today", "aria-label": say("web.today") },
      h("h2", {}, say("web.today")),
      awaited(worthDoing, (found) => h("ul", {}, todos(game, found))),
    ),
  );
}

/** What the server must be asked for: the puzzle of the day, and all lessons. */
async function worthDoing() {
  const [puzzle, all] = await Promise.all([dailyPuzzle(today()), lessons(), allTexts()]);
  return { puzzle, lesson: nextLesson(all) };
}

/**
 * What is worth doing today, four lines at most; they have their places before the server has answered.
 * @param {GameFacts} game The game that was played last.
 * @param {{puzzle: PuzzleFacts, lesson: LessonFacts | undefined} | undefined} found
 */
function todos(game, found) {
  const { last_day, rating, ...saved } = progress();
  const repeated = due({ last_day, rating, ...saved }).length;
  const solved = last_day === today();
  const puzzle = found && `${gameName(found.puzzle.game)} \u00b7 ${say(`puzzle.theme_${found.puzzle.theme}`)}`;
  const lesson = found?.lesson;
  return [
    todo("/puzzles/today", say("puzzle.daily"), solved ? `\u2713 ${say("web.solved_today")}` : puzzle),
    repeated
      ? todo("/puzzles", say("web.repeat", { count: repeated }), say("web.repeat_why"))
      : todo("/puzzles", say("web.more_puzzles"), say("web.near_rating", { rating: Math.round(rating) })),
    rival(game),
    lesson
      ? todo(
          `/learn/${lesson.name}`,
          say(begun(lesson) ? "learn.go_on" : "learn.begin", { title: say(`lesson.${lesson.name}_title`) }),
          say("web.lesson_minutes", { minutes: Math.ceil(lesson.steps / STEPS_IN_A_MINUTE) }),
        )
      : todo("/learn", say("learn.all"), ""),
  ];
}

/** @param {string} href @param {string} title @param {Child} detail */
function todo(href, title, detail) {
  return h("li", { key: href }, link(href, [h("b", {}, title), h("small", {}, detail || "\u00a0")]));
}

/** The next opponent to beat in a game, with the score so far. @param {GameFacts} game */
function rival(game) {
  if (game.seats === 1) return null;
  const scores = scoresOf(myGames()).filter((each) => each.game === game.name);
  const scoreOf = (/** @type {number} */ level) => scores.find(({ opponent }) => opponent === `level:${level}`);
  let level = 1;
  while (level < BEATEN_LAST && scores.some(({ opponent, won }) => won && levelOf(opponent) >= level)) level += 1;
  const { won = 0, drawn = 0, lost = 0 } = scoreOf(level) ?? {};
  const tally = won + drawn + lost ? say("web.score_so_far", { won, drawn, lost }) : say(`web.opponent_${level}_is`);
  const players = [PERSON, `level:${level}`];
  return h("li", { key: "rival" },
    h("button", { type: "button", onclick: () => begin({ ...chosenFor(game), players }) },
      h("b", {}, say("web.beat", { opponent: agentTitle(`level:${level}`) })),
      h("small", {}, `${gameName(game.name)} \u00b7 ${tally}`),
    ),
  );
}

/** A link to the game that was left last, and to all others. */
function continued() {
  const [last, ...others] = unfinishedGames();
  if (!last) return null;
  const { game, agents } = last.facts;
  const players = agents.map((each) => (each === PERSON ? say("web.you") : agentTitle(each)));
  return h("p", { class: "continue" },
    link(last.address, say("web.continue"), { class: "button" }),
    h("span", {}, ` ${gameTitle(game)}: ${players.join(" – ")} `),
    others.length > 0 && link("/games", say("web.unfinished", { count: others.length + 1 }), { class: "friend" }),
  );
}

/** The record of the player in this browser: wins, a streak, the best time, a rating. */
function record() {
  const games = myGames();
  const [won, drawn, lost] = /** @type {const} */ (["won", "drawn", "lost"]).map((end) =>
    scoresOf(games).reduce((sum, each) => sum + each[end], 0),
  );
  const [streak, [best], { rating, tried }] = [streakOf(games), bestTimes(games), progress()];
  const facts = [
    won + drawn + lost > 0 ? [`${won}–${drawn}–${lost}`, say("mine.tally")] : [],
    streak > 1 ? [String(streak), say("end.row")] : [],
    best ? [minutes(best[1].seconds), `${say("end.record")}, ${gameTitle(best[0])}`] : [],
    tried > 0 ? [String(Math.round(rating)), say("mine.rating")] : [],
  ].filter((each) => each.length);
  return h("section", { class: "card record", "aria-label": say("mine.record") },
    h("h2", {}, say("mine.record")),
    facts.length
      ? h("dl", { class: "facts-row" },
          facts.map(([value, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        )
      : h("p", { class: "quiet" }, say("mine.no_record")),
    h("p", { class: "lesson-row" },
      facts.length ? link("/games", say("mine.title")) : link("/puzzles", say("puzzle.more")),
    ),
  );
}

/** @param {GameFacts} game */
function card(game) {
  const title = gameName(game.name);
  const options = async () => (await import("../pickers.js")).openOptions(game, chosenFor(game), begin);
  return h("li", { class: "card", "data-game": game.name },
    scene(game),
    h("h2", {}, title),
    h("p", { class: "quiet" }, sayOr(`web.about_${game.name}`, game.about)),
    h("div", { class: "row" },
      button(say("screen.play"), () => begin(chosenFor(game)), {
        class: "primary",
        "aria-label": say("web.play_game", { game: title }),
      }),
      button(say("web.options"), options, { "aria-label": say("web.options_game", { game: title }) }),
    ),
    h("div", { class: "row links" },
      link(`/watch/${game.name}`, say("web.watch"), { "aria-label": say("web.watch_game", { game: title }) }),
      link(`/analyse/${game.name}`, say("web.analyse"), { "aria-label": say("web.analyse_game", { game: title }) }),
      link(`/solve/${game.name}`, say("web.solve"), { "aria-label": say("web.solve_game", { game: title }) }),
    ),
  );
}

/** The picture of a game after the moves of its sample, as soon as the server has drawn it. @param {GameFacts} game */
function scene({ name, sample }) {
  const [start, ...moves] = sample.split(" ");
  return h("div", { class: "mini board", "aria-hidden": "true", "data-game": name }, picture(start, moves));
}

/** Return what was chosen for a game the last time, or what is usual. @param {GameFacts} game */
function chosenFor(game) {
  const everybody = Array.from({ length: game.seats }, () => PERSON);
  const { spec, players, clock = null, names = [settings.name] } = settings.chosen[game.name] ?? {};
  return {
    spec: !spec || spec === game.spec ? fitting(game) : spec,
    players: isGone() ? everybody : players ?? [PERSON, "level:3"].slice(0, game.seats), // agents need the server
    clock,
    names,
  };
}

/** Begin a game; where there is chance, a new seed decides. @param {import("../pickers.js").Chosen} chosen */
async function begin({ spec, players, clock, names }) {
  const seed = anySeed();
  const start = await deal(spec, seed);
  const [played] = spec.split(":");
  change({ played });
  if (!isGone()) change({ chosen: { ...settings.chosen, [played]: { spec, players, clock, names } } });
  const seeded = players.map((each) => (/^level:\d$/.test(each) ? `${each},seed=${seed}` : each));
  const screen = players.includes(PERSON) ? "play" : "watch";
  await go(addressOf(screen, { start, moves: [], players: seeded, names, seconds: settings.seconds, clock }, start));
}
