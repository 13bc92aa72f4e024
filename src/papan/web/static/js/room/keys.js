// @ts-check
// The keys of a room beside those of its board.

import { openHelp } from "../dialogs.js";
import { forPage } from "../keys.js";
import { say } from "../language.js";

/** Listen to keys; what ends it.
 * @param {import("../screens/room.js").RoomScreen} screen */
export function keysOf(screen) {
  const hear = (/** @type {KeyboardEvent} */ event) => {
    if (!forPage(event)) return;
    if (event.key === "u" && screen.state.seat !== null) screen.ask({ t: "ask", what: "takeback" });
    else if (event.key === "?") showKeys();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

export function showKeys() {
  openHelp([
    ["← ↑ → ↓", say("web.key_arrows")], ["Enter Space", say("web.key_pick")], ["1 … 9 0", say("web.key_digits")],
    ["u", say("room.takeback")], ["?", say("web.help")],
  ]);
}
