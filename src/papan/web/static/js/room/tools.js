// @ts-check
// What can be done in a room: buttons that stay where they are while nothing changes for them.

import { fill, h } from "../dom.js";
import { download } from "../files.js";
import { say } from "../language.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { PERSON, Table, addressOf } from "../table.js";
import { refill, tool } from "../tools.js";
import { showKeys } from "./keys.js";

/** @typedef {import("../screens/room.js").RoomScreen} RoomScreen */
/** @typedef {{key: string, act: () => void, primary?: boolean}} Tool */

/** Put buttons into a place, unless they are there already: nobody's menu closes, no focus is lost.
 * @param {HTMLElement} place @param {Tool[]} tools @param {(buttons: HTMLElement[]) => import("../dom.js").Child[]} arrange */
function offer(place, tools, arrange) {
  const shown = tools.map((each) => each.key).join(" ");
  if (place.dataset.shown === shown) return;
  place.dataset.shown = shown;
  refill(place, arrange(tools.map(({ key, act, primary }) => tool(key, act, primary ? { class: "primary" } : {}))));
}

/** @param {RoomScreen} screen */
export function toolsOf(screen) {
  const { room, board, seat } = screen.state;
  const over = room.end !== "open";
  const playing = seat !== null && !over && !room.taken.includes(false);
  /** @type {(Tool | false)[]} */
  const near = [
    Boolean(screen.looking) && { key: "room.back_to_game", act: () => screen.look(board.moves.length), primary: true },
    seat === null && room.taken.includes(false) && { key: "room.sit", act: () => screen.sit(), primary: true },
    seat !== null && over && !room.asks && { key: "room.again", act: () => screen.ask({ t: "ask", what: "rematch" }), primary: true },
    playing && !room.asks && board.turns.includes(seat) && { key: "room.takeback", act: () => screen.ask({ t: "ask", what: "takeback" }) },
    playing && { key: "web.resign", act: () => void screen.resign() },
    over && { key: "web.analyse", act: () => void go(addressOf("analyse", { start: board.start, moves: board.moves, seats: [], seconds: settings.seconds }, board.game)) },
  ];
  const far = [
    { key: "web.save", act: () => save(screen) },
    { key: "web.picture", act: () => download(`${screen.state.board.name}.svg`, "image/svg+xml", screen.view.standalone()) },
    ...(screen.view.turnable ? [{ key: "web.flip", act: () => screen.view.turn() }] : []),
    { key: "room.new", act: () => void go("/room") },
    { key: "web.help", act: showKeys },
  ];
  const tools = near.filter((each) => each !== false);
  offer(screen.tools, [...tools, ...far], (buttons) => [
    buttons.slice(0, tools.length),
    h("details", { class: "more" }, h("summary", {}, say("web.more")), h("div", { class: "menu" }, buttons.slice(tools.length))),
  ]);
}

/** What one player asks the other one for, and the answers to it.
 * @param {RoomScreen} screen */
export function questionOf(screen) {
  const { room, seat } = screen.state;
  const place = screen.question;
  place.hidden = seat === null || !room.asks;
  if (place.hidden || !room.asks) {
    delete place.dataset.shown;
    fill(place);
    return;
  }
  const { what } = room.asks;
  const own = room.asks.seat === seat;
  const words = h("p", {}, say(`room.${own ? "asked" : "ask"}_${what}`));
  const decline = () => screen.ask({ t: "decline" });
  offer(place, own ? [{ key: "room.withdraw", act: decline }] : [
    { key: "room.agree", act: () => screen.ask({ t: "agree", what }), primary: true },
    { key: "room.decline", act: decline },
  ], (buttons) => [words, h("div", { class: "row" }, buttons)]);
}

/** Keep the game as a record that the terminal reads as well.
 * @param {RoomScreen} screen */
function save(screen) {
  const { board, room } = screen.state;
  const facts = { start: board.start, moves: board.moves, seats: [PERSON, PERSON], seconds: settings.seconds };
  const table = new Table(facts, board);
  if (room.blame !== null) table.giveUp(room.end === "timeout" ? "timeout" : "resigned", room.blame);
  download(`${board.name}.json`, "application/json", `${table.record()}\n`);
}
