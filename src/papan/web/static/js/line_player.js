// @ts-check
// Plays a line of moves on the board beside the game, move by move: by itself, forward and back, to its end.

import { boardOf } from "./api.js";
import { narrow } from "./game_screen.js";
import { say, trouble } from "./language.js";
import { announce, iconTool } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { GameState } from "./game.js" */
/** @import { Known } from "./values.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */

const PACE = 350; // milliseconds from one move to the next
const MARK = 26; // radius of the ring around a move, in units of the drawing

/**
 * @typedef {object} Line
 * @property {"mistake" | "better"} kind Whether its first move is a mistake; says the colour.
 * @property {number} from How many moves of the game come before it.
 * @property {string[]} moves
 * @property {string} end What is seen at its end.
 * @property {string[]} called The names of the players, seat by seat.
 * @property {Known | null} value What its positions are worth, after the first move.
 */

export class LinePlayer {
  /** @type {Line | null} */
  line = null;
  at = 0; // how many of its moves are on the board
  playing = false;
  /** @type {Promise<Board>[]} The boards that were asked for, by the number of moves. */
  #asked = [];
  /** @type {Board | null} */
  board = null; // what is shown; null if no line is

  /** @param {{game: GameState, update: () => void, complain: (error: unknown) => void}} screen */
  constructor(screen) { this.screen = screen; }

  /** Play a line from its beginning; a line that is being played ends. @param {Line} line */
  play(line) {
    const { game } = this.screen;
    this.close();
    this.line = line;
    this.board = game.board;
    this.#asked = [Promise.resolve(game.board)];
    if (narrow()) document.querySelector(".stage .zoom")?.scrollIntoView(); // the button is far below it
    return this.#run();
  }

  /** End the line: the position of the game is shown again. */
  close() {
    this.line = this.board = null;
    this.at = 0;
    this.playing = false;
  }

  /** Stop at this move, or continue from here; at the end begin again. */
  toggle() {
    if (this.playing) {
      this.playing = false;
      this.screen.update();
    } else {
      if (this.at === this.line?.moves.length) this.at = 0;
      this.#run();
    }
  }

  /** Step forward or back by this many moves. @param {number} by */
  async step(by) {
    this.playing = false;
    const { line } = this;
    const at = Math.min(Math.max(this.at + by, 0), line?.moves.length ?? 0);
    if (line) await this.#show(line, at);
  }

  async #run() {
    const { line, screen } = this;
    if (!line) return;
    this.playing = true;
    screen.update();
    while (this.playing && this.line === line && this.at < line.moves.length) {
      this.#reach(line, this.at + 1).catch(() => {}); // asked for while the pause runs
      await new Promise((next) => {
        setTimeout(next, PACE);
      });
      if (this.playing && this.line === line) await this.#show(line, this.at + 1);
    }
    if (this.line !== line) return;
    this.playing = false;
    screen.update();
  }

  /** @param {Line} line @param {number} at */
  #reach({ from, moves }, at) {
    const { start, line } = this.screen.game;
    this.#asked[at] ??= boardOf(start, [...line.slice(0, from), ...moves.slice(0, at)]);
    return this.#asked[at];
  }

  /** @param {Line} line @param {number} at */
  async #show(line, at) {
    try {
      const board = await this.#reach(line, at);
      if (this.line !== line) return;
      this.board = board;
      this.at = at;
      announce(this.caption());
    } catch (error) {
      this.playing = false;
      this.screen.complain(trouble(error));
    }
    this.screen.update();
  }

  /** Return the last move of the line as a sentence; at the end what is seen there. */
  caption() {
    const { line, at, board } = this;
    if (!line || !board) return "";
    if (!at) return say("line.before");
    const made = say("line.made", {
      player: line.called[board.turns[line.from + at - 1]],
      move: line.moves[at - 1],
    });
    return at === line.moves.length ? `${made} ${line.end}` : made;
  }

  /** The value of the position that is shown; null where the review of the game has it. */
  get value() { return this.at ? (this.line?.value ?? null) : null; }

  /** Return a layer with the ring around the first move of the line, in its colour. */
  mark() {
    const { line, board, at } = this;
    const place = line && at > 0 && board?.places[line.from];
    return place
      ? h("g", { class: `layer line-mark ${line.kind}`, key: "line-mark" },
          h("circle", { cx: place[0], cy: place[1], r: MARK }),
        )
      : null;
  }

  /** Return the moves of the line, and the buttons: back, play or pause, forward, close. */
  view() {
    const { line, at, playing } = this;
    if (!line) return null;
    const last = line.moves.length;
    return h("div", { class: `line-player ${line.kind}`, role: "group", "aria-label": say("line.title") },
      iconTool("line.back", () => this.step(-1), { disabled: !at }),
      iconTool(playing ? "line.pause" : "line.play", () => this.toggle()),
      iconTool("line.forward", () => this.step(1), { disabled: at === last }),
      h("span", { class: "number", "data-at": at }, `${at} / ${last}`),
      iconTool("line.close", () => {
        this.close();
        this.screen.update();
      }),
      h("p", { class: "caption" }, this.caption()),
    );
  }
}
