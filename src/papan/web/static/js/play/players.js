// @ts-check
// Who plays: the mark of each seat, its score, and the time it has left.

import { fill, h } from "../dom.js";
import { agentTitle, player } from "../language.js";

/** @param {HTMLElement} place @param {import("../table.js").Table} table @param {import("../clock.js").Clocks} clocks */
export function showPlayers(place, table, clocks) {
  const { board, seats, winner } = table;
  const alone = board.seats === 1;
  const state = (/** @type {number} */ seat) =>
    `player seat-${seat}${!table.over && board.turn === seat ? " turn" : ""}${winner === seat ? " winner" : ""}`;
  fill(place, seats.map((each, seat) => h("div", { class: state(seat) },
    !alone && h("span", { class: "mark", "aria-hidden": "true" }, "✕◯"[seat]),
    h("span", { class: "who" }, h("b", {}, alone ? "" : player(seat, board.seats)), " ", agentTitle(each)),
    clocks.elements[seat],
    h("span", { class: "score", "data-score": board.scores[seat] }, String(board.scores[seat]), alone && board.most ? ` / ${board.most}` : ""))));
}
