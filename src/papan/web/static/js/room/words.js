// @ts-check
// How things stand in a room, in words.

import { player, say } from "../language.js";

/** @typedef {import("./asking.js").State} State */

/** One sentence for the line below the board.
 * @param {State} state */
export function sentence(state) {
  const { board, room, seat } = state;
  const watching = seat === null ? ` ${say("room.watching")}` : "";
  if (room.end !== "open") return result(state) + watching;
  if (room.taken.includes(false)) return say(seat === null ? "room.seat_free" : "room.waiting");
  if (seat === null) return say("web.to_move", { player: player(board.turn, 2) }) + watching;
  if (board.turn === seat) return say("room.your_turn");
  if (room.present[1 - seat]) return say("room.their_turn");
  return say(room.clock ? "room.away_clock" : "room.away_waits");
}

/** @param {State} state */
function result({ room, seat }) {
  const how = say(`end.${room.end}`);
  if (room.winner === null) return say("play.ended", { how });
  if (seat === null) return say("play.won", { how, player: player(room.winner, 2) });
  return say(room.winner === seat ? "room.you_won" : "room.you_lost", { how });
}

/** What has happened since, for those who do not see it; nothing where nothing has.
 * @param {State} before @param {State} now */
export function happened(before, now) {
  const { board, room, seat } = now;
  if (room.games === before.room.games && board.moves.length > before.board.moves.length) {
    const ply = board.moves.length - 1;
    const again = room.end === "open" && board.turn === board.turns[ply] ? ` ${say("web.again")}` : "";
    return `${say("web.moved", { player: player(board.turns[ply], 2), move: board.moves[ply] })}${again} ${sentence(now)}`;
  }
  if (room.asks && room.asks.seat !== before.room.asks?.seat && room.asks.seat !== seat && seat !== null) {
    return say(`room.ask_${room.asks.what}`);
  }
  if (before.room.taken.includes(false) && !room.taken.includes(false)) return `${say("room.sat_down")} ${sentence(now)}`;
  return sentence(before) === sentence(now) ? "" : sentence(now);
}
