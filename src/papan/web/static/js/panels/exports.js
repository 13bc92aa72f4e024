// @ts-check
// The dialog that exports a game: pictures, a film, the record, the moves, the position.

import { filmOf } from "../api.js";
import { copy, download, pngOf } from "../files.js";
import { say, trouble } from "../language.js";
import { PERSON } from "../saved_game.js";
import { button } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { GameState } from "../game.js" */

/** @extends {Component<{game: GameState}>} */
export class Exports extends Component {
  said = "";

  /**
   * Run the action of a button and show what it returns.
   * @param {() => Promise<string | void> | string | void} act
   */
  async do(act) {
    this.said = "";
    this.forceUpdate(); // so that screen readers read the same text again
    try {
      this.said = (await act()) ?? "";
    } catch (error) {
      this.said = trouble(error);
    }
    this.forceUpdate();
  }

  /** @param {{game: GameState}} props */
  render({ game }) {
    const { board, start, line } = game;
    const action = (/** @type {string} */ key, /** @type {Parameters<Exports["do"]>[0]} */ act) =>
      button(say(key), () => this.do(act), { "data-export": key });
    const copied = async (/** @type {string} */ text) => ((await copy(text)) ? say("web.copied_text") : text);
    return [
      h("div", { class: "exports" },
        action("web.export_png", async () => download(`${board.name}.png`, "image/png", await pngOf(board.svg))),
        action("web.export_svg", () => download(`${board.name}.svg`, "image/svg+xml", board.svg)),
        action("web.export_film", async () =>
          download(`${board.name}-film.svg`, "image/svg+xml", await filmOf(start, line)),
        ),
        action("web.export_record", () =>
          download(`${board.name}.json`, "application/json", game.record(board.scores.map(() => PERSON))),
        ),
        action("web.export_moves", () => download(`${board.name}.txt`, "text/plain", `${line.join(" ")}\n`)),
        action("web.copy_moves", () => copied(line.join(" "))),
        action("web.copy_position", () => copied(board.position)),
        action("web.share", () => copied(location.href)),
      ),
      h("p", { role: "status" }, this.said),
    ];
  }
}
