// @ts-check
// How a game stands and what has happened, in words.

import { agentTitle, player, say } from "../language.js";

/** @typedef {import("./screen.js").PlayScreen} PlayScreen */

/** How the game stands, in one sentence.
 * @param {PlayScreen} screen */
export function sentence({ table, turns: { stopped, paused } }) {
  const { board } = table;
  if (table.over) return ending(table);
  if (stopped) return say("web.stopped");
  if (paused) return say("web.paused");
  if (table.personToMove) {
    return board.seats === 1 ? say("screen.turn_alone") : say("screen.turn", { player: player(board.turn, board.seats) });
  }
  if (table.watched && table.undone.length) return say("web.replaying", { at: table.moves.length, all: table.moves.length + table.undone.length });
  return say("web.agent_thinks", { agent: agentTitle(table.sitter) });
}

/** @param {import("../table.js").Table} table */
function ending(table) {
  const { board, winner } = table;
  if (table.end === "stuck") return say("web.stuck");
  const how = say(`end.${table.end}`);
  if (winner === null || board.seats === 1) return say("play.ended", { how });
  return say("play.won", { how, player: `${player(winner, board.seats)} (${agentTitle(table.seats[winner])})` });
}

/** The last move, whether it earns another one, and what comes next.
 * @param {import("../api.js").Board} before @param {PlayScreen} screen */
export function moved(before, screen) {
  const { board } = screen.table;
  const move = board.moves[board.moves.length - 1];
  const again = board.end === "open" && board.seats === 2 && board.turn === before.turn ? ` ${say("web.again")}` : "";
  return `${say("web.moved", { player: player(before.turn, before.seats), move })}${again} ${sentence(screen)}`;
}
