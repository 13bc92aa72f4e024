// @ts-check
// Home: a card for each game, a game within one click, and everything that can be chosen before it.

import { boardOf, deal, games } from "../api.js";
import { LAST, PERSON, addressOf, fitting } from "../game_link.js";
import { agentTitle, gameName, gameTitle, say, sayOr } from "../language.js";
import { DailyCard } from "../puzzle_progress.js";
import { go } from "../router.js";
import { anySeed, read, settings } from "../settings.js";
import { Drawing, link } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { ClockFacts } from "../game_link.js" */
/** @import { Screen } from "../router.js" */
/** @import { GameFacts } from "../wire.d.ts" */

const LESSONS = ["dots", "connect4", "alphabeta", "genetic"];

/** @returns {Promise<Screen>} */
export async function home() {
  const all = await games();
  return { title: say("web.welcome"), view: h("div", { class: "home" },
    h("h1", {}, say("web.welcome")),
    h("p", { class: "quiet lead" }, say("web.lead")),
    continued(),
    h(DailyCard, {}),
    h("p", {}, link("/room", say("room.play_friend"), { class: "friend" })),
    h("ul", { class: "cards" }, all.map(card)),
    h("p", { class: "lesson-row" }, say("learn.home"), LESSONS.map((name) => link(`/learn/${name}`, say(`lesson.${name}_title`))), link("/learn", say("learn.all")))) };
}

/** The game that was left, if there is one. */
function continued() {
  const last = read(LAST);
  if (typeof last.address !== "string" || !last.address.startsWith("/")) return null;
  const players = (last.seats ?? []).map(agentTitle).join(" – ");
  return h("p", { class: "continue" }, link(last.address, say("web.continue"), { class: "button" }),
    h("span", { class: "quiet" }, ` ${gameTitle(String(last.game))}: ${players}`));
}

/** @param {GameFacts} game */
function card(game) {
  const title = gameName(game.name);
  const start = () => begin(fitting(game), [PERSON, "level:3"].slice(0, game.seats));
  const options = async () => (await import("./options.js")).openOptions(game);
  return h("li", { class: "card", "data-game": game.name },
    h("div", { class: "mini board", "aria-hidden": "true", "data-game": game.name }, h(Scene, { sample: game.sample })),
    h("h2", {}, title),
    h("p", { class: "quiet" }, sayOr(`web.about_${game.name}`, game.about)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "primary", onclick: start, "aria-label": say("web.play_game", { game: title }) }, say("screen.play")),
      h("button", { type: "button", onclick: options, "aria-label": say("web.options_game", { game: title }) }, say("web.options"))),
    h("div", { class: "row links" },
      link(`/watch/${game.name}`, say("web.watch"), { "aria-label": say("web.watch_game", { game: title }) }),
      link(`/analyse/${game.name}`, say("web.analyse"), { "aria-label": say("web.analyse_game", { game: title }) }),
      link(`/solve/${game.name}`, say("web.solve"), { "aria-label": say("web.solve_game", { game: title }) })));
}

/** The picture of a game after the moves of its sample, as soon as the server has drawn it. @extends {Component<{sample: string}>} */
class Scene extends Component {
  svg = "";

  async componentDidMount() {
    const [start, ...moves] = this.props.sample.split(" ");
    this.svg = (await boardOf(start, moves).catch(() => ({ svg: "" }))).svg;
    this.forceUpdate();
  }

  render() { return this.svg && h(Drawing, { text: this.svg }); }
}

/** Begin a game; where there is chance, a new seed decides. @param {string} spec @param {string[]} players @param {ClockFacts | null} [clock] @param {string[]} [names] */
export async function begin(spec, players, clock, names = []) {
  const seed = anySeed();
  const start = await deal(spec, seed);
  const seeded = players.map((each) => (/^level:\d$/.test(each) ? `${each},seed=${seed}` : each));
  const screen = players.includes(PERSON) ? "play" : "watch";
  await go(addressOf(screen, { start, moves: [], players: seeded, names, seconds: settings.seconds, clock }, start));
}
