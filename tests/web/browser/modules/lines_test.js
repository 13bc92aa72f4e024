// Lines of moves on the board: one that is played move by move, and the numbers of one that is expected.

import { ExpectedLine } from "/static/js/expected_line.js";
import { takeTexts } from "/static/js/language.js";
import { LinePlayer } from "/static/js/line_player.js";
import { drawn, equal, test } from "./asserts.js";

/** @param {string[]} moves @param {object} [more] @returns {any} */
function player(moves, more = {}) {
  const board = { places: [[1, 2], [30, 40], [5, 6]], turns: [0, 1, 0, 1] };
  const game = { start: "tictactoe", line: ["b2", "a1", "c3"], board };
  const found = new LinePlayer({ game: /** @type {any} */ (game), update: () => {}, complain: () => {} });
  found.line = { kind: "mistake", from: 1, moves, end: "The end.", called: ["Ani", "Budi"], value: null, ...more };
  found.board = /** @type {any} */ (board);
  return found;
}

test("a step goes from where the line leaves the game, and stays within the line", async () => {
  const steps = player(["c1", "a3"]);
  const seen = [];
  for (const by of [1, 1, 1, -1, -5]) {
    await steps.step(by);
    seen.push([steps.at, steps.board.moves]);
  }
  equal(seen, [
    [1, ["b2", "c1"]],
    [2, ["b2", "c1", "a3"]],
    [2, ["b2", "c1", "a3"]],
    [1, ["b2", "c1"]],
    [0, ["b2"]],
  ]);
});

test("the caption names the last move and who made it, and at the end what is seen", () => {
  takeTexts({ "line.made": "{player} plays {move}." }, "en");
  const line = player(["c1", "a3"]);
  equal([0, 1, 2].map((at) => Object.assign(line, { at }).caption()), [
    "line.before",
    "Budi plays c1.",
    "Ani plays a3. The end.",
  ]);
});

test("a line has its value after its first move, and the ring on that move", () => {
  const value = { value: { v: 1, k: "exact" }, turn: 0 };
  const line = player(["c1", "a3"], { value });
  equal([0, 1, 2].map((at) => Object.assign(line, { at }).value), [null, value, value]);
  equal([0, 1].map((at) => Object.assign(line, { at }).mark()?.props.children.props.cx), [undefined, 30]);
});

test("its buttons know both ends", () => {
  const line = player(["c1", "a3"]);
  const disabled = [0, 1, 2].map((at) => {
    const view = drawn(Object.assign(line, { at }).view());
    return ["back", "forward"].map((each) => /** @type {any} */ (view.querySelector(`[data-tool='line.${each}']`)).disabled);
  });
  equal(disabled, [[true, false], [false, false], [false, true]]);
});

test("a line that is closed is gone, and one at its end begins again", async () => {
  const line = player(["c1", "a3"]);
  line.at = 2;
  line.toggle();
  equal([line.at, line.playing], [0, true]);
  line.toggle();
  equal([line.at, line.playing], [0, false]);
  line.close();
  equal([line.line, line.board, line.at, line.caption(), line.view(), line.value], [null, null, 0, "", null, null]);
});

test("the moves of a line are numbered from one, in the look of their seats, thirty at most", () => {
  const line = new ExpectedLine(/** @type {any} */ ({ game: { moves: ["x", "y"] } }));
  const count = 40;
  line.end = /** @type {any} */ ({
    moves: Array.from({ length: count }, (_, ply) => `m${ply}`),
    places: Array.from({ length: count }, (_, ply) => (ply === 3 ? null : [ply, 0])),
    turns: Array.from({ length: count }, (_, ply) => ply % 2),
  });
  const marks = /** @type {any} */ (line.numbers()).props.children.filter(Boolean).reverse();
  const [first, second] = marks.map((/** @type {any} */ { props }) => [props["data-number"], props.class]);
  equal([first, second, marks.length], [[1, "ahead seat-0"], [3, "ahead seat-0"], 29]);
  equal([marks[0].props.children[0].props.cx, marks.at(-1).props["data-number"]], [2, 30]);
});
