// @ts-check
// The keys of a table, and the page that lists them.

import { openHelp } from "../dialogs.js";
import { forPage } from "../keys.js";
import { say } from "../language.js";

/** What listens to keys.
 * @param {import("./screen.js").PlayScreen} screen @returns {(event: KeyboardEvent) => void} */
export function keysOf(screen) {
  const acts = /** @type {Record<string, () => void>} */ ({
    u: () => screen.undo(),
    r: () => screen.redo(),
    h: () => screen.table.hasPerson && screen.advice.hint(!screen.advice.hinting),
    m: () => screen.turns.thinker.hurry(),
    p: () => !screen.table.over && screen.turns.pause(!screen.turns.paused),
    s: () => screen.table.watched && screen.turns.step(),
    "?": help,
  });
  return (event) => {
    if (forPage(event) && !screen.view.drop(event.key)) acts[event.key]?.();
  };
}

export function help() {
  openHelp([
    ["← ↑ → ↓", say("web.key_arrows")], ["Enter Space", say("web.key_pick")], ["1 … 9 0", say("web.key_digits")],
    ["u", say("web.undo")], ["r", say("web.redo")], ["h", say("web.hint")], ["m", say("web.move_now")],
    ["p", say("web.pause")], ["s", say("web.step")], ["?", say("web.help")],
  ]);
}
