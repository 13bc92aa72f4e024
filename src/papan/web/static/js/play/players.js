// @ts-check
// Who plays: the mark of each seat, its score where scores count, and the time it has left.

import { fill, h } from "../dom.js";
import { agentTitle, player, signed } from "../language.js";

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
    h("span", { class: "gain", "aria-hidden": "true" }),
    board.most !== 1 && h("span", { class: "score", "data-score": board.scores[seat] }, String(board.scores[seat]), alone && board.most ? ` / ${board.most}` : ""))));
}

/** What a move would change at once, beside the scores; where they count only who wins, nothing is told.
 * @param {HTMLElement} place @param {import("../table.js").Table} table @param {import("../api.js").Choice | undefined} choice */
export function showGains(place, { board }, choice) {
  const told = choice && board.seats === 2 && board.most !== 1;
  place.querySelectorAll(".gain").forEach((each, seat) => {
    const gain = told ? choice.gains[seat] : 0;
    each.classList.toggle("bad", gain < 0);
    fill(each, gain ? signed(gain) : "");
  });
}
