// @ts-check
// What can be taken away from an analysis: pictures, a film, the record, the moves, the position.

import { filmOf } from "../api.js";
import { openDialog } from "../dialogs.js";
import { fill, h } from "../dom.js";
import { copy, download } from "../files.js";
import { say, trouble } from "../language.js";
import { pngOf } from "../picture.js";
import { Table } from "../table.js";

/** @param {Table} table */
export function openExports(table) {
  const { board } = table;
  const said = h("p", { role: "status" });
  const button = (/** @type {string} */ key, /** @type {() => Promise<void> | void} */ act) =>
    h("button", { type: "button", "data-export": key, onclick: async () => {
      try {
        fill(said);
        await act();
      } catch (error) {
        fill(said, trouble(error));
      }
    } }, say(key));
  const copied = async (/** @type {string} */ text) => {
    const done = await copy(text);
    fill(said, done ? say("web.copied_text") : text);
  };
  openDialog(say("web.export"), h("div", { class: "exports" },
    button("web.export_png", async () => download(`${board.name}.png`, "image/png", await pngOf(board.svg))),
    button("web.export_svg", () => download(`${board.name}.svg`, "image/svg+xml", board.svg)),
    button("web.export_film", async () => download(`${board.name}-film.svg`, "image/svg+xml", await filmOf(table.start, wholeLine(table)))),
    button("web.export_record", () => download(`${board.name}.json`, "application/json", recordOf(table))),
    button("web.export_moves", () => download(`${board.name}.txt`, "text/plain", `${wholeLine(table).join(" ")}\n`)),
    button("web.copy_moves", () => copied(wholeLine(table).join(" "))),
    button("web.copy_position", () => copied(board.position)),
    button("web.share", () => copied(location.href))), said);
}

/** Every move, also those that were taken back.
 * @param {Table} table */
function wholeLine(table) {
  return [...table.moves, ...table.undone.slice().reverse()];
}

/** The game up to this position, as the terminal reads it.
 * @param {Table} table */
function recordOf(table) {
  const people = Array.from({ length: table.board.seats }, () => "human");
  const facts = { start: table.start, moves: table.moves, seats: people, seconds: table.seconds };
  return `${new Table(facts, table.board).record()}\n`;
}
