// @ts-check
// A board of one's own: typed or pasted, as rows of numbers or in the usual notation.

import { boardOf } from "../api.js";
import { openDialog } from "../dialogs.js";
import { fill, h } from "../dom.js";
import { say, trouble } from "../language.js";
import { labelled } from "../picker.js";

const EXAMPLE = "1 2 3 1\n4 3 2 4\n1 5 5 1";

/** @param {import("./screen.js").PlayScreen} screen */
export function openPaste(screen) {
  const field = h("textarea", { rows: 7, spellcheck: "false", class: "tiles", "aria-describedby": "paste-help" });
  const problem = h("p", { role: "alert", class: "bad" });
  const dialog = openDialog(say("web.paste_board"),
    h("form", { class: "set-up", onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const start = (await boardOf(notation(field.value, screen.table.board.game), [])).position;
        dialog.close();
        await screen.open("play", { start, moves: [] });
      } catch (error) {
        fill(problem, trouble(error));
      }
    } },
      labelled(say("web.paste_label"), field),
      h("p", { class: "quiet", id: "paste-help" }, say("web.paste_help")),
      h("pre", { class: "tiles" }, EXAMPLE), problem,
      h("div", { class: "row" },
        h("button", { type: "submit", class: "primary" }, say("screen.play")),
        h("button", { type: "button", onclick: () => { field.value = EXAMPLE; field.focus(); } }, say("web.paste_example")))));
  field.focus();
}

/** Rows of numbers as a position; whatever names its game stays as it is.
 * @param {string} text @param {string} game */
function notation(text, game) {
  if (text.includes(":")) return text.trim();
  const rows = text.trim().split(/[\n/]/).map((row) => row.trim().split(/[\s,;]+/).map((each) => (each === "." ? "0" : each)));
  const gravity = /,?gravity=\w+/.exec(game)?.[0].replace(/^,?/, ",") ?? "";
  const name = game.split(":")[0];
  return `${name}:${rows.length},${rows[0].length}${gravity} ${rows.map((row) => row.join(",")).join("/")}`;
}
