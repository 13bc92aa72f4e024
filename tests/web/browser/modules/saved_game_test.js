// Games as addresses and as records in this browser.

import * as saved from "/static/js/saved_game.js";
import { equal, test } from "./asserts.js";

const USUAL = { players: ["human", "level:3"], seconds: 2 };

/** @param {string} address */
const read = (address) => saved.setupOf(new URL(address, "http://papan"), USUAL, "first");

/** @param {object} [facts] @returns {any} */
const facts = (facts = {}) => ({
  game: "connect4:6,7",
  start: "connect4:6,7",
  agents: ["human", "level:3,seed=7"],
  moves: "4",
  scores: [1, 0],
  end: "win",
  ...facts,
});

/**
 * @param {string} id
 * @param {object} [more]
 * @param {object} [other]
 */
function keep(id, more = {}, other = {}) {
  const record = JSON.stringify(facts(more));
  saved.saveGame({ id, when: 1, address: `/play/x?${id}`, record, seconds: 5, ...other });
}

test("an address keeps the whole setup of a game", () => {
  const setup = {
    start: "tictactoe:3,3,3 x../.../... o",
    moves: ["b2", "a1"],
    players: ["human", "alphabeta:depth=4"],
    seconds: 3,
    clock: { minutes: 5, increment: 3, left: [299.5, 300] },
    then: ["c3"],
    givenUp: { end: "resigned", blame: 2 },
    names: ["Ani", "Budi"],
  };
  const { game, setup: found } = read(saved.addressOf("play", setup, "tictactoe:3,3,3"));
  equal(game, "tictactoe:3,3,3");
  for (const [name, value] of Object.entries(setup)) equal([name, found[name]], [name, value]);
});

test("an address without a game opens the one that is offered first", () => {
  equal([read("/watch").game, read("/watch").setup.start, read("/watch/dots").game], ["first", "first", "dots"]);
});

test("the game that is offered first is featured, or else the first of all", () => {
  const games = [{ name: "a" }, { name: "b", featured: true }];
  equal(
    [saved.featured(/** @type {any} */ (games)).name, saved.featured(/** @type {any} */ (games.slice(0, 1))).name],
    ["b", "a"],
  );
});

test("an address leaves out what is usual", () => {
  const setup = { start: "dots:3,3", moves: [], players: [], seconds: 2 };
  equal(saved.addressOf("analyse", setup, "dots:3,3"), "/analyse/dots%3A3%2C3?seconds=2");
});

test("a name cannot break the list of names", () => {
  const setup = { start: "dots", moves: [], players: [], seconds: 2, names: ["A|B", "C"] };
  equal(read(saved.addressOf("play", setup, "dots")).setup.names, ["A B", "C"]);
});

test("names are cut to their longest length", () => {
  equal(read(`/play/dots?names=${"x".repeat(99)}`).setup.names?.[0].length, saved.LONGEST_NAME);
});

test("seconds out of range become the usual ones", () => {
  equal(
    ["0", "-1", "61", "x", "60"].map((each) => read(`/play/dots?seconds=${each}`).setup.seconds),
    [2, 2, 2, 2, 60],
  );
});

test("a clock out of range is no clock", () => {
  equal(
    ["0+1", "181+1", "5+601", "x"].map((each) => read(`/play/dots?clock=${each}`).setup.clock),
    [null, null, null, null],
  );
});

test("time left that makes no sense counts as all of it", () => {
  equal(read("/play/dots?clock=5%2B3&left=-1|7").setup.clock, { minutes: 5, increment: 3, left: [] });
});

test("an end of an unknown kind is ignored", () => {
  equal(
    ["won|1", "resigned|3"].map((each) => read(`/play/dots?end=${each}`).setup.givenUp),
    [null, null],
  );
});

test("the players are those of the address, or the usual ones", () => {
  equal(read("/play/dots").setup.players, USUAL.players);
  equal(read("/play/dots?seats=human|random").setup.players, ["human", "random"]);
});

test("a review is opened with the players of the game", () => {
  const setup = { start: "dots", moves: ["a1"], players: ["human", "level:1"], seconds: 2 };
  const url = new URL(saved.reviewAddress(setup, "dots"), "http://papan");
  equal(
    [url.pathname, url.searchParams.get("review"), url.searchParams.get("seats")],
    ["/analyse/dots", "human|level:1", null],
  );
});

test("an open game of a person is played on, any other is replayed", () => {
  equal(saved.addressOfRecord(facts({ end: "open" })).split("/")[1], "play");
  const ended = new URL(saved.addressOfRecord(facts({ moves: "4 5" })), "http://papan");
  equal([ended.pathname.split("/")[1], ended.searchParams.get("then")], ["watch", "4 5"]);
});

test("the winner is the seat with more points, or the one that is not to blame", () => {
  equal(saved.winnerOf(facts()), 0);
  equal(saved.winnerOf(facts({ scores: [1, 1] })), null);
  equal(saved.winnerOf(facts({ scores: [0, 0], end: "resigned", blame: 1 })), 1);
  equal(saved.winnerOf(facts({ end: "open" })), null);
  equal(saved.winnerOf(facts({ agents: ["human"], scores: [9] })), null);
});

test("only one person among the players has a seat of their own", () => {
  equal(
    [
      ["human", "x"],
      ["x", "human"],
      ["human", "human"],
      ["x", "y"],
    ].map(saved.seatOfPerson),
    [0, 1, null, null],
  );
});

test("saved games are listed, the latest first", () => {
  keep("a", {}, { when: 1 });
  keep("b", {}, { when: 2 });
  equal(
    saved.myGames().map((each) => each.id),
    ["b", "a"],
  );
});

test("a saved game that cannot be read is left out", () => {
  keep("a");
  localStorage.setItem("papan.game.b", "{");
  localStorage.setItem("papan.game.c", JSON.stringify({ record: "{}", address: "https://elsewhere" }));
  equal(
    saved.myGames().map((each) => each.id),
    ["a"],
  );
});

test("a game that is forgotten is gone", () => {
  keep("a");
  saved.forgetGame("a");
  equal(saved.myGames(), []);
});

test("a game that goes on is found at its address", () => {
  keep("a", { end: "open" });
  keep("b");
  equal([saved.gameAt("/play/x?a")?.id, saved.gameAt("/play/x?b")], ["a", undefined]);
});

test("the oldest finished games make room, open ones stay", () => {
  keep("open", { end: "open" }, { when: 0 });
  for (let place = 1; place <= 502; place += 1) keep(`g${place}`, {}, { when: place });
  const ids = saved.myGames().map((each) => each.id);
  equal(
    [ids.length, ids.includes("open"), ids.includes("g1"), ids.includes("g2"), ids.includes("g3")],
    [501, true, false, false, true],
  );
});

test("scores are counted by opponent, whatever their seed", () => {
  keep("a");
  keep("b", { agents: ["human", "level:3,seed=9"], scores: [0, 1] });
  keep("c", { agents: ["level:3", "human"], scores: [1, 1] });
  keep("d", { end: "open" });
  equal(saved.scoresOf(saved.myGames()), [{ game: "connect4", opponent: "level:3", won: 1, drawn: 1, lost: 1 }]);
});

test("a streak ends with the latest game that was not won", () => {
  const games = [facts(), facts(), facts({ scores: [0, 1] }), facts()].map((each) => ({ facts: each }));
  equal([saved.streakOf(games), saved.streakOf([])], [2, 0]);
});

test("wins in a row count games against the same opponent alone", () => {
  keep("a", { agents: ["human", "random"], scores: [0, 1] }, { when: 2 });
  keep("b", {}, { when: 1 });
  equal(saved.winsInARow(facts(), saved.myGames()), 2);
});

test("the best time is that of the same board, whatever was dealt", () => {
  const cleared = { agents: ["human"], scores: [8], end: "cleared" };
  keep("a", { ...cleared, game: "onet:4,4,seed=1" }, { seconds: 40 });
  keep("b", { ...cleared, game: "onet:4,4,seed=2" }, { seconds: 30 });
  keep("c", { ...cleared, game: "onet:6,6,seed=2" }, { seconds: 10 });
  equal(saved.bestTime(facts({ game: "onet:4,4,seed=3" }), saved.myGames()), 30);
  equal(saved.bestTime(facts({ game: "onet:8,8" }), saved.myGames()), null);
});

test("hints of an address are whole numbers from zero on, names keep their places", () => {
  equal(read("/play/dots?hints=2|-1|x|1.5|0").setup.hints, [2, 0]);
  equal(read("/play/dots?names=|Budi").setup.names, ["", "Budi"]);
  const address = saved.addressOf("play", { start: "dots", moves: [], players: [], seconds: 2, names: ["", "B"], hints: [0, 3] }, "dots");
  const { setup } = read(address);
  equal([setup.names, setup.hints], [["", "B"], [0, 3]]);
});

test("the longest clocks are taken", () => {
  equal(read("/play/dots?clock=180%2B600&left=0|5.5").setup.clock, { minutes: 180, increment: 600, left: [0, 5.5] });
  equal(read("/play/dots?clock=0.5%2B0").setup.clock, { minutes: 0.5, increment: 0, left: [] });
});

test("every end that a seat can cause is read, for both seats", () => {
  for (const end of ["resigned", "timeout", "illegal", "crash"])
    for (const blame of [1, 2]) equal(read(`/play/dots?end=${end}|${blame}`).setup.givenUp, { end, blame });
});

test("a game that was given up is replayed to that end, and whoever helped is named", () => {
  const record = facts({ end: "resigned", blame: 1, names: ["Ani", ""], hints: [1, 0], start: "dots:3,3 x", moves: "a b" });
  const { game, setup } = read(saved.addressOfRecord(record));
  equal([game, setup.start, setup.moves, setup.then], ["dots:3,3", "dots:3,3 x", [], ["a", "b"]]);
  equal([setup.givenUp, setup.names, setup.hints], [{ end: "resigned", blame: 1 }, ["Ani", ""], [1, 0]]);
  equal(read(saved.addressOfRecord(facts({ end: "open", agents: ["level:1", "level:2"] }))).setup.then, ["4"]);
  equal(saved.addressOfRecord(facts({ end: "open", agents: ["level:1", "level:2"] })).split("/")[1], "watch");
});

test("a winner is the second seat where it has more, or the first one is to blame", () => {
  equal(saved.winnerOf(facts({ scores: [1, 2] })), 1);
  equal(saved.winnerOf(facts({ end: "timeout", blame: 2, scores: [0, 9] })), 0);
});

test("scores are listed by game and opponent, from the person's seat", () => {
  keep("a", { agents: ["level:3", "human"], scores: [0, 1], game: "dots:3,3" });
  keep("b", { agents: ["human", "alphabeta:seed=5"], scores: [0, 1] });
  keep("c", { agents: ["human", "human"], scores: [0, 1] });
  equal(saved.scoresOf(saved.myGames()), [
    { game: "connect4", opponent: "alphabeta", won: 0, drawn: 0, lost: 1 },
    { game: "dots", opponent: "level:3", won: 1, drawn: 0, lost: 0 },
  ]);
});

test("a best time is of a board that was cleared in some time", () => {
  const board = { agents: ["human"], scores: [8], game: "onet:4,4,seed=1" };
  keep("stuck", { ...board, end: "stuck" }, { seconds: 1 });
  keep("none", { ...board, end: "cleared" }, { seconds: 0 });
  keep("own", { ...board, end: "cleared" }, { seconds: 9 });
  keep("wide", { ...board, end: "cleared", game: "onet:2,9" }, { seconds: 9 });
  equal(saved.bestTimes(saved.myGames()).map(([size, game]) => [size, game.id]), [["onet:2,9", "wide"], ["onet:4,4", "own"]]);
});

test("a row of wins ends with a draw, and a lost game has none", () => {
  keep("drawn", { scores: [1, 1] }, { when: 2 });
  keep("won", {}, { when: 1 });
  equal([saved.winsInARow(facts(), saved.myGames()), saved.winsInARow(facts({ scores: [0, 1] }), [])], [1, 0]);
  equal(saved.winsInARow(facts({ agents: ["human", "human"] }), saved.myGames()), 0);
});

test("a phone held upright gets the first size that is higher than wide", () => {
  const { matchMedia } = window;
  const game = /** @type {any} */ ({ spec: "dots:3,5", presets: ["dots:3,5", "dots:4,4", "dots:5,3", "dots:7,4"] });
  const chosen = [true, false].map((matches) => {
    window.matchMedia = /** @type {any} */ (() => ({ matches }));
    return saved.fitting(game);
  });
  window.matchMedia = /** @type {any} */ (() => ({ matches: true }));
  chosen.push(saved.fitting({ ...game, presets: ["dots:4,4"] }));
  window.matchMedia = matchMedia;
  equal(chosen, ["dots:5,3", "dots:3,5", "dots:3,5"]);
});

test("another tab is heard when it saves this game, not when it saves another or forgets it", () => {
  const heard = /** @type {number[]} */ ([]);
  const controller = new AbortController();
  let id = "a";
  saved.watchOtherTabs(() => id, () => heard.push(1), controller.signal);
  const news = (/** @type {string} */ key, /** @type {string | null} */ newValue) =>
    dispatchEvent(new StorageEvent("storage", { key: `papan.game.${key}`, newValue }));
  const counts = [];
  for (const [key, value] of [["a", "{}"], ["b", "{}"], ["a", null]]) {
    news(String(key), value);
    counts.push(heard.length);
  }
  id = "";
  news("", "{}");
  controller.abort();
  id = "a";
  news("a", "{}");
  equal([counts, heard.length], [[1, 1, 1], 1]);
});
