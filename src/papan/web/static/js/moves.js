// @ts-check
// The list of moves: who made which, where the game stands, and a way to any of them.

import { fill, h } from "./dom.js";
import { player, say } from "./language.js";

/** @param {HTMLElement} place
 * @param {{line: string[], at: number, turns: number[], seats: number, notes?: Map<number, string>}} game
 * @param {(count: number) => void} go */
export function showMoves(place, game, go) {
  const items = game.line.map((move, ply) => {
    const seat = game.turns[ply];
    const who = seat === undefined ? "" : player(seat, game.seats);
    const note = game.notes?.get(ply);
    return h("li", {},
      h("button", {
        type: "button",
        class: `ply seat-${seat ?? "none"}`,
        "aria-current": ply + 1 === game.at ? "step" : undefined,
        "aria-label": `${ply + 1}. ${who} ${move}${note ? `, ${note}` : ""}`,
        onclick: () => go(ply + 1),
      }, h("small", {}, `${ply + 1}.`), ` ${move}`, note ? h("span", { class: "note", title: note }, " ?") : ""));
  });
  fill(place, items.length ? h("ol", { class: "plies" }, items) : h("p", { class: "quiet" }, say("web.no_moves")));
  const [list, current] = [place.querySelector("ol"), place.querySelector("[aria-current]")];
  // Only the list scrolls: the board must not jump under anybody's hand.
  if (list && current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.offsetTop - 60;
}
