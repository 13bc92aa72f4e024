// @ts-check
// Home: a card for each game, a game within one click, and everything that can be chosen before it.

import { boardOf, deal, games } from "../api.js";
import { openDialog } from "../dialogs.js";
import { drawing, fill, h } from "../dom.js";
import { anySeed } from "../files.js";
import { agentTitle, gameName, gameTitle, say, sayOr } from "../language.js";
import { go } from "../router.js";
import { ClockPicker } from "../clockpicker.js";
import { GamePicker, SeatPicker, labelled } from "../picker.js";
import { change, read, settings } from "../settings.js";
import { LAST, PERSON, addressOf } from "../table.js";

/** @typedef {import("../api.js").GameFacts} GameFacts */

/** Positions that show what a game is about. */
const SCENES = /** @type {Record<string, [string, string]>} */ ({
  tictactoe: ["tictactoe", "b2 a1 c3 a3 a2"],
  connect4: ["connect4", "4 4 4 3 5 2 3 3 6"],
  dots: ["dots", "a1b1 a2b2 a1a2 b1b2 c1d1 d1d2 c2d2 b3c3 a3a4 d3d4"],
  adjacency: ["adjacency", "c7 f2 c6 f3 d5 e4 d4 e5"],
  onet: ["onet:4,5,kinds=9,seed=3", ""],
});

/** @returns {Promise<import("../router.js").Screen>} */
export async function home() {
  const all = await games();
  const cards = all.map((game) => card(game));
  const element = h("div", { class: "home" },
    h("h1", {}, say("web.welcome")),
    h("p", { class: "quiet lead" }, say("web.lead")),
    continued(),
    h("p", {}, h("a", { class: "friend", href: "/room", "data-link": "" }, say("room.play_friend"))),
    h("ul", { class: "cards" }, cards),
    h("p", { class: "lesson-row" }, say("learn.home"), ["dots", "connect4", "alphabeta", "genetic"].map((name) =>
      h("a", { href: `/learn/${name}`, "data-link": "" }, say(`lesson.${name}_title`))),
      h("a", { href: "/learn", "data-link": "" }, say("learn.all"))));
  return { title: say("web.welcome"), element };
}

/** The game that was left, if there is one. */
function continued() {
  const last = read(LAST);
  if (typeof last.address !== "string" || !last.address.startsWith("/")) return null;
  const seats = (last.seats ?? []).map(agentTitle).join(" – ");
  return h("p", { class: "continue" },
    h("a", { class: "button", href: last.address, "data-link": "" }, say("web.continue")),
    h("span", { class: "quiet" }, ` ${gameTitle(String(last.game))}: ${seats}`));
}

/** @param {GameFacts} game */
function card(game) {
  const picture = h("div", { class: "mini board", "aria-hidden": "true", "data-game": game.name });
  scene(game.name).then((svg) => fill(picture, svg)).catch(() => {});
  const title = gameName(game.name);
  const start = () => begin(fitting(game), [PERSON, "level:3"].slice(0, game.seats));
  return h("li", { class: "card", "data-game": game.name },
    picture,
    h("h2", {}, title),
    h("p", { class: "quiet" }, sayOr(`web.about_${game.name}`, game.about)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "primary", onclick: start, "aria-label": say("web.play_game", { game: title }) }, say("screen.play")),
      h("button", { type: "button", onclick: () => options(game), "aria-label": say("web.options_game", { game: title }) }, say("web.options"))),
    h("div", { class: "row links" },
      h("a", { href: `/watch/${game.name}`, "data-link": "", "aria-label": say("web.watch_game", { game: title }) }, say("web.watch")),
      h("a", { href: `/analyse/${game.name}`, "data-link": "", "aria-label": say("web.analyse_game", { game: title }) }, say("web.analyse")),
      h("a", { href: `/solve/${game.name}`, "data-link": "", "aria-label": say("web.solve_game", { game: title }) }, say("web.solve"))));
}

/** The usual size of a game, or on a phone one that is higher than wide.
 * @param {GameFacts} game */
function fitting(game) {
  if (!matchMedia("(max-width: 720px) and (orientation: portrait)").matches) return game.spec;
  return game.presets.find((spec) => Number(/:(\d+)/.exec(spec)?.[1]) > Number(/,(\d+)/.exec(spec)?.[1])) ?? game.spec;
}

/** @param {string} name */
async function scene(name) {
  const [start, moves] = SCENES[name] ?? [name, ""];
  const svg = drawing((await boardOf(start, moves.split(" ").filter(Boolean))).svg);
  svg.removeAttribute("role");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  return svg;
}

/** Begin a game; where there is chance, a new seed decides.
 * @param {string} spec @param {string[]} seats @param {import("../clock.js").ClockFacts | null} [clock] */
export async function begin(spec, seats, clock) {
  const seed = anySeed();
  const start = await deal(spec, seed);
  const seated = seats.map((each) => (/^level:\d$/.test(each) ? `${each},seed=${seed}` : each));
  const screen = seats.includes(PERSON) ? "play" : "watch";
  await go(addressOf(screen, { start, moves: [], seats: seated, seconds: settings.seconds, clock }, start));
}

/** Everything that can be chosen before a game.
 * @param {GameFacts} game */
function options(game) {
  const size = new GamePicker(game, () => refresh());
  const seats = Array.from({ length: game.seats }, (_, seat) =>
    new SeatPicker(say(game.seats === 1 ? "web.seat_alone" : `web.seat_${seat + 1}`), seat ? "level:3" : PERSON));
  const clock = new ClockPicker(game.seats);
  const seconds = h("input", { type: "number", min: 0.1, max: 60, step: "any", value: String(settings.seconds) });
  const problem = h("p", { role: "alert", class: "bad" });
  const refresh = async () => {
    fill(problem);
    try {
      await Promise.all(seats.map((each) => each.offer(size.spec)));
    } catch (error) {
      complain(problem, error);
    }
  };
  const swap = h("button", { type: "button", onclick: () => seats[0].swap(seats[1]) }, say("web.swap"));
  const dialog = openDialog(gameName(game.name),
    h("form", { class: "set-up", onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      change({ seconds: Number(seconds.value) || 2 });
      try {
        await begin(size.spec, seats.map((each) => each.spec), clock.facts);
        dialog.close();
      } catch (error) {
        complain(problem, error);
      }
    } },
      size.element, h("div", { class: "seats" }, seats.map((each) => each.element)),
      game.seats === 2 && h("div", { class: "row" }, swap, h("span", { class: "quiet" }, say("web.seat_1_begins"))),
      clock.element, labelled(say("web.seconds_each"), seconds), problem,
      h("button", { type: "submit", class: "primary" }, say("screen.play"))));
  refresh();
}

/** @param {HTMLElement} place @param {any} error */
function complain(place, error) {
  fill(place, say(error.key ?? "web.failed", error.values));
}
