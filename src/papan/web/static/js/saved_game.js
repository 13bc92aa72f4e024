// @ts-check
// Saved games: as an address, which can be shared, and as a record in the storage of this browser.

import { save, read, settings } from "./settings.js";
/** @import { GameFacts } from "./wire.d.ts" */

export const PERSON = "human";
export const LONGEST_NAME = 30;
const MOST_MINUTES = 180;

/**
 * @typedef {object} Setup What an address says of a game.
 * @property {string} start Where the game begins: a game, or a position.
 * @property {string[]} moves
 * @property {string[]} players "human", or an agent, for each seat.
 * @property {number} seconds How long agents think.
 * @property {ClockFacts | null} [clock] How much time the players have.
 * @property {string[]} [then] Moves that are still to be shown.
 * @property {GivenUp | null} [givenUp]
 * @property {string[]} [names] What the people on the seats are called.
 * @property {number[]} [hints] How many hints each seat has asked for.
 *
 * @typedef {{end: string, blame: number}} GivenUp How a seat, counted from 1, ended the game.
 * @typedef {{minutes: number, increment: number, left: number[]}} ClockFacts What is left, in seconds; nothing: all.
 */

/**
 * Return the address that shows this state of a game.
 * @param {string} screen
 * @param {Setup} setup
 * @param {string} game
 */
export function addressOf(screen, setup, game) {
  const words = new URLSearchParams();
  if (setup.start !== game) words.set("pos", setup.start);
  if (setup.moves.length) words.set("moves", setup.moves.join(" "));
  if (setup.players.length) words.set("seats", setup.players.join("|"));
  if (setup.names?.some(Boolean)) words.set("names", setup.names.map((each) => each.replaceAll("|", " ")).join("|"));
  if (setup.hints?.some(Boolean)) words.set("hints", setup.hints.join("|"));
  words.set("seconds", String(setup.seconds));
  if (setup.clock) writeClock(words, setup.clock);
  if (setup.then?.length) words.set("then", setup.then.join(" "));
  if (setup.givenUp) words.set("end", `${setup.givenUp.end}|${setup.givenUp.blame}`);
  return `/${screen}/${encodeURIComponent(game)}?${words}`;
}

/** Return the address that reviews a finished game. @param {Setup} setup @param {string} game */
export function reviewAddress({ start, moves, players, seconds, names, hints }, game) {
  const analysed = addressOf("analyse", { start, moves, players: [], seconds, names, hints }, game);
  return `${analysed}&review=${encodeURIComponent(players.join("|"))}`;
}

/**
 * Return where a record is opened: an open game of a person is played on, any other is replayed.
 * @param {Facts} facts
 */
export function addressOfRecord({ start, moves, agents, names, hints, end, blame }) {
  const line = moves.split(" ").filter(Boolean);
  const setup = { start, players: agents, names, hints, seconds: settings.seconds, moves: line };
  const [game] = start.split(" ");
  if (end === "open" && agents.includes(PERSON)) return addressOf("play", setup, game);
  return addressOf("watch", { ...setup, moves: [], then: line, givenUp: blame ? { end, blame } : null }, game);
}

/**
 * Read the setup of a game from an address.
 * @param {URL} url
 * @param {Pick<Setup, "players" | "seconds">} usual
 * @param {string} featuredGame What is opened where the address names no game.
 * @returns {{game: string, setup: Setup}}
 */
export function setupOf(url, usual, featuredGame) {
  const game = decodeURIComponent(url.pathname.split("/")[2] || featuredGame);
  const words = url.searchParams;
  const listed = (/** @type {string} */ name, separator = " ") =>
    (words.get(name) ?? "").split(separator).filter(Boolean);
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
      names:
        words
          .get("names")
          ?.split("|")
          .map((each) => each.slice(0, LONGEST_NAME)) ?? [],
      hints: listed("hints", "|").map(Number).filter((each) => Number.isInteger(each) && each >= 0),
      givenUp: ended && { end: ended[1], blame: Number(ended[2]) },
    },
  };
}

/** Return the game that pages offer first. @param {GameFacts[]} all */
export function featured(all) { return all.find((each) => each.featured) ?? all[0]; }

/**
 * Return the usual size of a game; on a phone held upright one that is higher than wide, if there is one.
 * @param {GameFacts} game
 */
export function fitting({ spec, presets }) {
  const side = (/** @type {string} */ size, /** @type {number} */ place) => Number(size.split(/[:,]/)[place]);
  const narrow = matchMedia("(max-width: 720px) and (orientation: portrait)").matches;
  return (narrow && presets.find((each) => side(each, 1) > side(each, 2))) || spec;
}

/**
 * Write clocks into an address: minutes and increment as "5+3", and the time that is left.
 * @param {URLSearchParams} words
 * @param {ClockFacts} clock
 */
function writeClock(words, clock) {
  words.set("clock", `${clock.minutes}+${clock.increment}`);
  if (clock.left.length) words.set("left", clock.left.map((each) => each.toFixed(1)).join("|"));
}

/**
 * Read the clocks from an address; null if it has none, or they are out of range.
 * @param {URLSearchParams} words
 * @returns {ClockFacts | null}
 */
function clockOf(words) {
  const [minutes, increment] = (words.get("clock") ?? "").split("+").map(Number);
  if (!(minutes > 0 && minutes <= MOST_MINUTES && increment >= 0 && increment <= 600)) return null;
  const left = (words.get("left") ?? "").split("|").filter(Boolean).map(Number);
  return { minutes, increment, left: left.every((each) => each >= 0) ? left : [] };
}

const PLACE = "papan.game."; // followed by the id of a game: a move writes one entry only
const MOST = 500;

/**
 * @typedef {object} SavedGame
 * @property {string} id
 * @property {number} when Of its last move, in milliseconds.
 * @property {string} address Where it goes on, or is seen again.
 * @property {string} record One line of JSON, as everywhere.
 * @property {number} seconds How long it has been played.
 *
 * @typedef {object} Facts The fields of a record.
 * @property {string} game
 * @property {string} start
 * @property {string[]} agents
 * @property {string} moves
 * @property {number[]} scores
 * @property {string} end
 * @property {number | null} [blame] The seat that ended the game, counted from 1.
 * @property {string[]} [names]
 * @property {number[]} [hints] How many each seat has asked for.
 *
 * @typedef {SavedGame & {facts: Facts}} MyGame
 * @typedef {{game: string, opponent: string, won: number, drawn: number, lost: number}} Score
 */

/** Return a new name for a saved game. */
export function newId() {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

/** @param {SavedGame} game */
export function saveGame(game) {
  const known = localStorage.getItem(PLACE + game.id) !== null;
  save(PLACE + game.id, game);
  if (!known)
    for (const { id } of myGames()
      .filter(({ facts }) => facts.end !== "open")
      .slice(MOST))
      forgetGame(id);
}

/**
 * Call *act* when a game of this browser is continued in another tab.
 * @param {() => string} id The game that is open here.
 * @param {() => void} act Called when the other tab has saved another state of it.
 * @param {AbortSignal} signal
 */
export function watchOtherTabs(id, act, signal) {
  const changed = (/** @type {StorageEvent} */ { key, newValue }) => {
    if (id() && key === PLACE + id() && newValue) act();
  };
  addEventListener("storage", changed, { signal });
}

/** @param {string} id */
export function forgetGame(id) { localStorage.removeItem(PLACE + id); }

/** Return all saved games, the latest first; records that cannot be read are left out. @returns {MyGame[]} */
export function myGames() {
  const found = Object.keys(localStorage)
    .filter((name) => name.startsWith(PLACE))
    .map(read)
    .flatMap((each) => {
      try {
        const facts = JSON.parse(each.record);
        return Array.isArray(facts.agents) && String(each.address).startsWith("/") ? [{ ...each, facts }] : [];
      } catch {
        return [];
      }
    });
  return found.sort((one, other) => other.when - one.when);
}

/** Return the saved games that can go on. */
export function unfinishedGames() { return myGames().filter(({ facts }) => facts.end === "open"); }

/** Return the saved game that goes on at an address; undefined if there is none. @param {string} address */
export function gameAt(address) {
  return unfinishedGames().find((each) => each.address === address);
}

/** Return the seat that won; null for a draw, an open game, or one player. @param {Facts} facts */
export function winnerOf({ agents, scores, end, blame }) {
  if (agents.length < 2 || end === "open") return null;
  if (blame) return 2 - blame;
  return scores[0] === scores[1] ? null : Number(scores[1] > scores[0]);
}

/** Return the seat of the only person; null if none or two people play. @param {string[]} players */
export function seatOfPerson(players) {
  return players.filter((each) => each === PERSON).length === 1 ? players.indexOf(PERSON) : null;
}

/**
 * Return how a finished game against an opponent ended; null for any other.
 * @param {Facts} facts
 * @returns {{game: string, opponent: string, end: "won" | "drawn" | "lost"} | null}
 */
function outcomeOf(facts) {
  const seat = seatOfPerson(facts.agents);
  if (seat === null || facts.agents.length < 2 || facts.end === "open") return null;
  const winner = winnerOf(facts);
  return {
    game: facts.game.split(":")[0],
    opponent: facts.agents[1 - seat].replace(/[,:]seed=\d+/, ""),
    end: winner === null ? "drawn" : winner === seat ? "won" : "lost",
  };
}

/** Return how finished games against each opponent ended, as counts. @param {MyGame[]} games @returns {Score[]} */
export function scoresOf(games) {
  /** @type {Map<string, Score>} */
  const scores = new Map();
  for (const { facts } of games) {
    const outcome = outcomeOf(facts);
    if (!outcome) continue;
    const { game, opponent, end } = outcome;
    const score = scores.get(`${game} ${opponent}`) ?? { game, opponent, won: 0, drawn: 0, lost: 0 };
    score[end] += 1;
    scores.set(`${game} ${opponent}`, score);
  }
  return [...scores.values()].sort((one, other) =>
    `${one.game} ${one.opponent}`.localeCompare(`${other.game} ${other.opponent}`),
  );
}

/**
 * Return the number of latest games against opponents that were won in a row.
 * @param {Pick<MyGame, "facts">[]} games The latest first.
 */
export function streakOf(games) {
  const ends = games.flatMap(({ facts }) => outcomeOf(facts)?.end ?? []);
  return [...ends, ""].findIndex((each) => each !== "won");
}

/** Return the size of a board without the seed of its deal. @param {Facts} facts */
function sizeOf({ game }) { return game.replace(/,?seed=\d+/, ""); }

/** Return the best time of each board that was cleared, by size. @param {MyGame[]} games */
export function bestTimes(games) {
  /** @type {Map<string, MyGame>} */
  const best = new Map();
  for (const game of games) {
    const size = sizeOf(game.facts);
    if (game.facts.end === "cleared" && game.seconds > 0 && game.seconds < (best.get(size)?.seconds ?? Infinity))
      best.set(size, game);
  }
  return [...best].sort(([one], [other]) => one.localeCompare(other));
}

/**
 * Return the number of wins in a row against one opponent, with the game that has just ended.
 * @param {Facts} facts
 * @param {MyGame[]} earlier The latest first.
 */
export function winsInARow(facts, earlier) {
  const against = (/** @type {Facts} */ each) => [outcomeOf(each)?.game, outcomeOf(each)?.opponent].join();
  return outcomeOf(facts)
    ? streakOf([{ facts }, ...earlier.filter((each) => against(each.facts) === against(facts))])
    : 0;
}

/**
 * Return the best earlier time for a board of that size, in seconds; null if there is none.
 * @param {Facts} facts
 * @param {MyGame[]} earlier
 */
export function bestTime(facts, earlier) {
  return new Map(bestTimes(earlier)).get(sizeOf(facts))?.seconds ?? null;
}
