// A game in progress: play, undo, redo, give up, the record. The rules are those of the server.

import { GameState } from "/static/js/game.js";
import { equal, rejected, test } from "./asserts.js";

const AGAINST = ["human", "random"];
const PEOPLE = ["human", "human"];

/**
 * @param {string[]} players
 * @param {string[]} [moves]
 * @param {object} [more]
 */
function opened(players, moves = [], more = {}) {
  return GameState.open({ start: "tictactoe", moves, players, seconds: 1, ...more });
}

test("a game opens where its moves lead", async () => {
  const game = await opened(PEOPLE, ["b2", "a1"]);
  equal([game.moves, game.board.turn, game.over], [["b2", "a1"], 0, false]);
});

test("undo goes back to the last choice of the person", async () => {
  const game = await opened(AGAINST, ["b2", "a1", "c3", "a3"]);
  await game.undo();
  equal(
    [game.moves, game.line],
    [
      ["b2", "a1"],
      ["b2", "a1", "c3", "a3"],
    ],
  );
});

test("undo goes back by one move where two people play", async () => {
  const game = await opened(PEOPLE, ["b2", "a1"]);
  await game.undo();
  equal(game.moves, ["b2"]);
});

test("undo at the start changes nothing", async () => {
  const game = await opened(PEOPLE);
  await game.undo();
  equal([game.moves, game.undone], [[], []]);
});

test("redo goes on to the next choice of the person", async () => {
  const game = await opened(AGAINST, ["b2", "a1", "c3", "a3"]);
  await game.go(0);
  await game.redo();
  equal(game.moves, ["b2", "a1"]);
});

test("another move forgets those that were taken back", async () => {
  const game = await opened(PEOPLE, ["b2", "a1"]);
  await game.undo();
  await game.play("c3");
  equal([game.line, game.undone], [["b2", "c3"], []]);
});

test("a refused move changes nothing", async () => {
  const game = await opened(PEOPLE, ["b2"]);
  const before = game.board;
  const error = await rejected(game.play("b2"));
  equal([error.status, game.board === before], [422, true]);
});

test("the seat that gives up loses", async () => {
  const game = await opened(PEOPLE, ["b2"]);
  game.giveUp("resigned", 0);
  equal([game.end, game.over, game.winner], ["resigned", true, 1]);
});

test("undo takes a resignation back, and no move", async () => {
  const game = await opened(PEOPLE, ["b2"]);
  game.giveUp("timeout", 1);
  await game.undo();
  equal([game.end, game.moves], ["open", ["b2"]]);
});

test("a resignation does not end an earlier position", async () => {
  const game = await opened(PEOPLE, ["b2", "a1"], { givenUp: { end: "resigned", blame: 1 } });
  await game.go(1);
  equal([game.end, game.winner], ["open", null]);
});

test("a line of three wins", async () => {
  const game = await opened(PEOPLE, ["a1", "b1", "a2", "b2", "a3"]);
  equal([game.over, game.winner], [true, 0]);
});

test("a person is to move only on their own turn", async () => {
  const [own, other] = [await opened(AGAINST), await opened(AGAINST, ["b2"])];
  equal([own.personToMove, other.personToMove, own.you], [true, false, 0]);
});

test("nobody is to move in a game that is watched", async () => {
  const game = await opened(AGAINST);
  game.watched = true;
  equal([game.personToMove, game.hasPerson, game.you], [false, false, null]);
});

test("two people are called by name, or by their seats", async () => {
  const game = await opened(PEOPLE, [], { names: ["Ani"] });
  equal([game.called(0), game.called(1)], ["Ani", "Player 2"]);
});

test("a record is one line of JSON with names and blame", async () => {
  const game = await opened(PEOPLE, ["b2"], { names: ["Ani", "Budi"] });
  game.giveUp("resigned", 1);
  const text = game.record();
  const { game: spec, agents, moves, end, blame, names } = JSON.parse(text);
  equal([text.endsWith("\n"), text.indexOf("\n") === text.length - 1], [true, true]);
  equal([spec, agents, moves, end, blame, names], ["tictactoe:3,3,3", PEOPLE, "b2", "resigned", 2, ["Ani", "Budi"]]);
});

test("a search is asked for with the moves so far", async () => {
  const game = await opened(PEOPLE, ["b2", "a1"]);
  equal(game.request("solver", 2, { all_moves: true }), {
    start: "tictactoe",
    moves: "b2 a1",
    agent: "solver",
    seconds: 2,
    all_moves: true,
  });
});

test("a hint is counted for the seat to move, and is in the record", async () => {
  const game = await opened(PEOPLE, ["b2"]);
  game.countHint();
  game.countHint();
  equal([game.hints, JSON.parse(game.record()).hints], [[0, 2], [0, 2]]);
  const plain = await opened(PEOPLE, ["b2"]);
  equal(["hints", "names", "blame"].map((each) => each in JSON.parse(plain.record())), [false, false, false]);
});

test("another move after a resignation goes on with the game", async () => {
  const game = await opened(PEOPLE, ["b2"], { givenUp: { end: "resigned", blame: 2 } });
  equal([game.end, game.over, game.winner], ["resigned", true, 0]);
  await game.play("a1");
  equal([game.end, game.givenUp, game.moves], ["open", null, ["b2", "a1"]]);
});

test("a replay does not take its end back, but its last move", async () => {
  const game = await opened(AGAINST, ["b2", "a1"], { givenUp: { end: "timeout", blame: 2 } });
  game.watched = true;
  await game.undo();
  equal([game.moves, game.givenUp !== null], [["b2"], true]);
  await game.redo();
  equal([game.moves, game.end], [["b2", "a1"], "timeout"]);
});

test("moves to come are those that were taken back, in their order", async () => {
  const game = await opened(AGAINST, ["b2"], { then: ["a1", "c3"] });
  equal([game.line, game.moves], [["b2", "a1", "c3"], ["b2"]]);
  await game.go(2);
  equal([game.moves, game.undone], [["b2", "a1"], ["c3"]]);
});

test("a replay opens although an agent is gone, a game to be played does not", async () => {
  const gone = ["human", "nobody"];
  equal((await opened(gone, [], { then: ["b2"] })).moves, []);
  await rejected(opened(gone));
});

test("a game of two people knows that, and has no seat of one's own", async () => {
  const [people, against] = [await opened(PEOPLE), await opened(AGAINST)];
  equal([people.alone, people.hasPerson, people.you], [true, true, null]);
  equal([against.alone, against.hasPerson, against.you, against.mover], [false, true, 0, "human"]);
});

test("players are called by their names, people alone by what they are", async () => {
  const game = await opened(["human", "level:3"], [], { names: ["", "Budi"] });
  equal([game.called(0), game.called(1)], ["A person", "Budi"]);
});
