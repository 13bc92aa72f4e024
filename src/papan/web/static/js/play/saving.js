// @ts-check
// Games to keep and to share: links, records, pictures.

import { reopen } from "../api.js";
import { announce, fill } from "../dom.js";
import { copy, download, upload } from "../files.js";
import { say, trouble } from "../language.js";
import { pngOf } from "../picture.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { PERSON, addressOf } from "../table.js";

/** @typedef {import("./screen.js").PlayScreen} PlayScreen */

/** @param {PlayScreen} screen */
export async function share(screen) {
  const text = say((await copy(location.href)) ? "web.copied" : "web.copy_by_hand");
  announce(text);
  fill(screen.frame.status, text);
}

/** @param {PlayScreen} screen */
export function save({ table }) {
  download(`${table.board.name}.json`, "application/json", `${table.record()}\n`);
}

/** @param {PlayScreen} screen */
export function picture({ table, view }) {
  download(`${table.board.name}.svg`, "image/svg+xml", view.standalone());
}

/** The picture as dots, for where no drawing can be shown.
 * @param {PlayScreen} screen */
export async function photo({ table, view }) {
  download(`${table.board.name}.png`, "image/png", await pngOf(view.standalone()));
}

/** Open a saved game: an open one of a person is played on, any other is replayed.
 * @param {PlayScreen} screen */
export async function load(screen) {
  const record = await upload();
  if (record === null) return;
  try {
    await go(addressOfRecord(await reopen(record.trim())));
  } catch (error) {
    screen.complain(trouble(error));
  }
}

/** @param {import("../api.js").Reopened} found */
function addressOfRecord(found) {
  const moves = found.moves.split(" ").filter(Boolean);
  const facts = { start: found.start, moves, seats: found.agents, seconds: settings.seconds };
  const game = found.start.split(" ")[0];
  if (found.end === "open" && found.agents.includes(PERSON)) return addressOf("play", facts, game);
  const givenUp = found.blame ? { end: found.end, blame: found.blame } : null;
  return addressOf("watch", { ...facts, moves: [], then: moves, givenUp }, game);
}
