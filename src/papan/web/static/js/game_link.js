// @ts-check
// The link to a game: all of its state is in the address, so that it can be shared and found again.

/** @import { GameFacts } from "./wire.d.ts" */

export const PERSON = "human";
export const LONGEST_NAME = 30;
const MOST_MINUTES = 180;
const USUAL = "connect4"; // what menus open, where an address names no game

/**
 * @typedef {object} Setup What a link says of a game.
 * @property {string} start Where the game begins: a game, or a position.
 * @property {string[]} moves
 * @property {string[]} players "human", or an agent, for each seat.
 * @property {number} seconds How long agents think.
 * @property {ClockFacts | null} [clock] How much time the players have.
 * @property {string[]} [then] Moves that are still to be shown.
 * @property {GivenUp | null} [givenUp]
 * @property {string[]} [names] What the people on the seats are called.
 *
 * @typedef {{end: string, blame: number}} GivenUp How a seat, counted from 1, ended the game.
 * @typedef {{minutes: number, increment: number, left: number[]}} ClockFacts What is left, in seconds; nothing: all.
 */

/** The address that shows this state of a game. @param {string} screen @param {Setup} setup @param {string} game */
export function addressOf(screen, setup, game) {
  const words = new URLSearchParams();
  if (setup.start !== game) words.set("pos", setup.start);
  if (setup.moves.length) words.set("moves", setup.moves.join(" "));
  if (setup.players.length) words.set("seats", setup.players.join("|"));
  if (setup.names?.some(Boolean)) words.set("names", setup.names.map((each) => each.replaceAll("|", " ")).join("|"));
  words.set("seconds", String(setup.seconds));
  if (setup.clock) writeClock(words, setup.clock);
  if (setup.then?.length) words.set("then", setup.then.join(" "));
  if (setup.givenUp) words.set("end", `${setup.givenUp.end}|${setup.givenUp.blame}`);
  return `/${screen}/${encodeURIComponent(game)}?${words}`;
}

/** The address that reviews a finished game in words. @param {Setup} setup @param {string} game */
export function reviewAddress({ start, moves, players, seconds, names }, game) {
  return `${addressOf("analyse", { start, moves, players: [], seconds, names }, game)}&review=${encodeURIComponent(players.join("|"))}`;
}

/** What an address says about a game. @param {URL} url @param {Pick<Setup, "players" | "seconds">} usual @returns {{game: string, setup: Setup}} */
export function setupOf(url, usual) {
  const game = decodeURIComponent(url.pathname.split("/")[2] || USUAL);
  const words = url.searchParams;
  const listed = (/** @type {string} */ name, separator = " ") => (words.get(name) ?? "").split(separator).filter(Boolean);
  const seconds = Number(words.get("seconds") ?? usual.seconds);
  const ended = /^(resigned|timeout|illegal|crash)\|([12])$/.exec(words.get("end") ?? "");
  return {
    game,
    setup: {
      start: words.get("pos") ?? game,
      moves: listed("moves"),
      players: words.get("seats") ? String(words.get("seats")).split("|") : usual.players,
      seconds: seconds > 0 && seconds <= 60 ? seconds : usual.seconds,
      clock: clockOf(words),
      then: listed("then"),
      names: words.get("names")?.split("|").map((each) => each.slice(0, LONGEST_NAME)) ?? [],
      givenUp: ended && { end: ended[1], blame: Number(ended[2]) },
    },
  };
}

/** The usual size of a game; on a phone held upright one that is higher than wide, if the game has one. @param {GameFacts} game */
export function fitting({ spec, presets }) {
  const side = (/** @type {string} */ size, /** @type {number} */ place) => Number(size.split(/[:,]/)[place]);
  const narrow = matchMedia("(max-width: 720px) and (orientation: portrait)").matches;
  return (narrow && presets.find((each) => side(each, 1) > side(each, 2))) || spec;
}

/** Write clocks into an address: "5+3", and what is left. @param {URLSearchParams} words @param {ClockFacts} clock */
function writeClock(words, clock) {
  words.set("clock", `${clock.minutes}+${clock.increment}`);
  if (clock.left.length) words.set("left", clock.left.map((each) => each.toFixed(1)).join("|"));
}

/** The clocks that an address tells of. @param {URLSearchParams} words @returns {ClockFacts | null} */
function clockOf(words) {
  const [minutes, increment] = (words.get("clock") ?? "").split("+").map(Number);
  if (!(minutes > 0 && minutes <= MOST_MINUTES && increment >= 0 && increment <= 600)) return null;
  const left = (words.get("left") ?? "").split("|").filter(Boolean).map(Number);
  return { minutes, increment, left: left.every((each) => each >= 0) ? left : [] };
}
