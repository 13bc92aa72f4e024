// What a search has reported so far, event by event.

import { Search, keepSearch, keptSearch } from "/static/js/search.js";
import { equal, test } from "./asserts.js";

/** @param {...object} events */
function heard(...events) {
  const search = new Search("alphabeta", { position: "here", turn: 0 }, 2);
  for (const event of events) search.add(/** @type {any} */ (event));
  return search;
}

const ROOT = {
  t: "root",
  nodes: 10,
  depth: 1,
  best: "a1",
  moves: [
    { m: "a1", v: 1, k: "estimate", n: 5, terms: [1, 2] },
    { m: "b1", v: 2, k: "estimate", n: 5 },
  ],
};

test("moves are listed with the best first", () =>
  equal(
    heard(ROOT).values.map((each) => each.m),
    ["b1", "a1"],
  ));

test("the final values keep the terms that only reports have", () => {
  const final = {
    t: "analysis",
    move: "a1",
    moves: [
      { m: "a1", v: 3, k: "exact", n: 9 },
      { m: "b1", v: 0, k: "exact", n: 9 },
    ],
  };
  const [first] = heard(ROOT, final).values;
  equal([first.m, first.v, first.k, first.terms], ["a1", 3, "exact", [1, 2]]);
});

test("a soon win comes before a late one, a late loss before a soon one", () => {
  const moves = [
    ["a", 1],
    ["b", 1],
    ["c", -1],
    ["d", -1],
  ].map(([m, v]) => ({ m, v, k: "exact", n: 1 }));
  const distances = { a: 9, b: 3, c: 2, d: 8 };
  const { values } = heard({ t: "analysis", move: "b", moves, facts: { distances } });
  equal(
    values.map((each) => each.m),
    ["b", "a", "d", "c"],
  );
});

test("the best move is that of the analysis, before it that of the last report", () => {
  equal([heard().best, heard(ROOT).best, heard(ROOT, { t: "analysis", move: "b1" }).best], [null, "a1", "b1"]);
});

test("progress raises the count of nodes, and a late report does not lower it", () => {
  equal(heard(ROOT, { t: "progress", nodes: 99, ms: 1, nps: 2 }, { ...ROOT, nodes: 50 }).root?.nodes, 99);
});

test("a search that begins anew forgets what it had reported", () => {
  const search = heard(ROOT, { t: "reason", key: "x" }, { t: "start", agent: "alphabeta" });
  equal([search.root, search.reasons, search.start?.agent, search.agent], [null, [], "alphabeta", "alphabeta"]);
});

test("reasons, generations and climbs are collected", () => {
  const search = heard({ t: "reason", n: 1 }, { t: "reason", n: 2 }, { t: "gen", n: 3 }, { t: "climb", n: 4 });
  equal([search.reasons.length, search.generations.length, search.climbs.length], [2, 1, 1]);
});

test("a search that begins anew keeps when it began, what it is asked, and its limit", () => {
  const search = heard(ROOT, { t: "compiling" });
  search.began = 7;
  search.add(/** @type {any} */ ({ t: "start" }));
  equal([search.began, search.position, search.turn, search.seconds, search.compiling], [7, "here", 0, 2, false]);
});

test("growth is listed report by report, nodes of a tree as they come", () => {
  const tree = (/** @type {number} */ n) => ({ t: "tree", add: [{ n }] });
  const search = heard(ROOT, { ...ROOT, nodes: 40, depth: 2 }, tree(1), tree(2), { t: "board", board: { end: "win" } });
  equal(search.growth, [{ nodes: 10, depth: 1 }, { nodes: 40, depth: 2 }]);
  equal([search.nodes, search.board?.end], [[{ n: 1 }, { n: 2 }], "win"]);
});

test("final values of fewer moves than a report had do not replace them", () => {
  const final = { t: "analysis", move: "a1", moves: [{ m: "a1", v: 9, k: "exact", n: 9 }] };
  equal(heard(ROOT, final).values.map(({ m, v }) => [m, v]), [["b1", 2], ["a1", 1]]);
  equal([heard(ROOT).scores, heard(ROOT).distances], [{}, {}]);
});

test("a search is kept for the game and the moves that it belongs to, without its tree", () => {
  const search = heard({ t: "start" }, ROOT, { t: "tree", add: [{ n: 1 }] }, { t: "gen", n: 1 }, { t: "reason", n: 2 });
  keepSearch("tictactoe b2", search);
  const kept = keptSearch("tictactoe b2");
  equal([kept instanceof Search, kept?.agent, kept?.seconds, kept?.position], [true, "alphabeta", 2, "here"]);
  equal([kept?.best, kept?.reasons.length, kept?.nodes, kept?.generations], ["a1", 1, [], []]);
  equal(keptSearch("tictactoe b2 a1"), undefined);
  sessionStorage.clear();
  equal(keptSearch("tictactoe b2"), undefined);
});
