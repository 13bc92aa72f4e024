// @ts-check
// Games for one player: levels, shuffles, whether a board can be solved, its solution, boards from text.

import { boardOf, games, shuffle } from "./api.js";
import { say } from "./language.js";
import { levelIn, levelsOf, withLevel } from "./levels.js";
import { Searcher } from "./search.js";
import { anySeed } from "./settings.js";
import { Part, button, form, labelled, openDialog, tool } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { SearchEvent } from "./events.d.ts" */

const SECONDS = 10; // for the question whether a board can be cleared
const EXAMPLE = "1 2 3 1\n4 3 2 4\n1 5 5 1";

export class Puzzle {
  /** @param {PlayScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Child} */
    this.answer = null; // whether the board can be cleared
    this.searcher = new Searcher();
    /** @type {string[]} From the easiest on. */
    this.levels = [];
    this.levelOption = ""; // the option of the game that chooses one of them
    if (this.#board.seats === 1)
      games().then((all) => {
        const facts = all.find((each) => each.name === this.#board.name);
        this.levels = levelsOf(facts);
        this.levelOption = facts?.level_option ?? "";
        screen.update();
      });
  }

  get #board() { return this.screen.game.board; }

  get #shuffles() { return this.#board.shuffles && !this.screen.game.watched; }

  /** The level of this board, counted from 0. */
  get #level() {
    return this.levels.indexOf(levelIn(this.#board.game, this.levelOption) ?? this.levels[0]);
  }

  levelName() {
    const level = this.#level;
    const name = level
      ? say("web.level_of", { level: level + 1, what: say(`web.choice_${this.levels[level]}`) })
      : `${say("web.level")} 1`;
    return level >= 0 && h("span", { class: "level" }, name);
  }

  /** Forget the answer, because the position is another one. */
  forget() { this.answer = null; }

  stop() { this.searcher.stop(); }

  /** Return the tool for what comes after the end: shuffle, or the next level. */
  ending() {
    const { end } = this.screen.game;
    const next = this.levels[this.#level + 1];
    if (end === "stuck") return tool("web.shuffle", () => this.#shuffle(), { class: "primary" });
    return end === "cleared" && next && tool("web.next_level", () => this.#play(next), { class: "primary" });
  }

  tools() {
    return (
      this.#shuffles &&
      !this.screen.game.over && [
        tool("web.shuffle", () => this.#shuffle()),
        tool("web.solvable", () => this.#solvable()),
      ]
    );
  }

  menu() {
    return (
      this.#shuffles &&
      tool("web.paste_board", () =>
        openDialog(say("web.paste_board"), (close) => h(PasteForm, { screen: this.screen, close })),
      )
    );
  }

  /** Return the answer whether the board can be cleared; empty before it was asked for. */
  verdict() { return h("div", { class: "puzzle", role: "status" }, this.answer); }

  /** Play the same board on another level. @param {string} level */
  #play(level) {
    const spec = withLevel(this.#board.game, this.levelOption, level);
    return this.screen.navigation.again(undefined, undefined, spec);
  }

  async #shuffle() {
    const { screen } = this;
    await screen.attempt(async () => {
      const start = await shuffle(screen.game.start, screen.game.moves, anySeed());
      screen.clocks.hold();
      await screen.navigation.open(screen.props.screen, { start, moves: [] });
    });
  }

  /** Ask the solver whether the board can still be cleared. */
  async #solvable() {
    const { game } = this.screen;
    const { board } = game;
    this.#show(say("web.solvable_asking"));
    const search = await this.searcher
      .run(game.request("solver", SECONDS), board)
      .catch((error) => this.screen.complain(error));
    if (!search || game.board !== board) return;
    const { analysis, error } = search;
    this.#show(analysis ? this.#found(analysis) : say(error?.key ?? "web.failed", error?.values));
  }

  /** @param {Child} answer */
  #show(answer) {
    this.answer = answer;
    this.screen.update();
  }

  /** @param {SearchEvent} analysis */
  #found({ facts, line, bounds }) {
    const { navigation } = this.screen;
    const left = (this.#board.most ?? 0) - (bounds?.[1] ?? 0);
    const verdict =
      facts.solvable === null ? "web.solvable_unknown" : facts.solvable ? "web.solvable_yes" : "web.solvable_no";
    return [
      h("span", { "data-verdict": String(facts.solvable) },
        say(verdict, { pairs: line.length, left, seconds: SECONDS }),
      ),
      facts.solvable && tool("web.show_solution", () => navigation.open("watch", { then: line, clock: null })),
    ];
  }
}

/** @typedef {{screen: PlayScreen, close: () => void}} PasteProps */

/** The form for a board from text: rows of numbers, or the usual notation. @extends {Part<PasteProps>} */
class PasteForm extends Part {
  text = "";

  /** Return a board that was typed as a position of the game at hand. @param {string} text */
  position(text) {
    const { game, puzzle } = this.props.screen;
    return notation(text, game.board.game, puzzle.levelOption);
  }

  async open() {
    const { screen, close } = this.props;
    const start = (await boardOf(this.position(this.text), [])).position;
    close();
    await screen.navigation.open("play", { start, moves: [] });
  }

  render() {
    return form(
      { class: "set-up" },
      () => this.attempt(() => this.open()),
      labelled(
        say("web.paste_label"),
        h("textarea", {
          rows: 7,
          spellcheck: false,
          autofocus: true,
          class: "tiles",
          "aria-describedby": "paste-help",
          value: this.text,
          oninput: (event) => {
            this.text = event.currentTarget.value;
          },
        }),
      ),
      h("p", { class: "quiet", id: "paste-help" }, say("web.paste_help", { position: this.position(EXAMPLE) })),
      h("pre", { class: "tiles" }, EXAMPLE),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("div", { class: "row" },
        h("button", { type: "submit", class: "primary" }, say("screen.play")),
        button(say("web.paste_example"), () => {
          this.text = EXAMPLE;
          this.forceUpdate();
        }),
      ),
    );
  }
}

/**
 * Return rows of numbers as a position of a game, on its level; a text that names its game stays as it is.
 * @param {string} text
 * @param {string} game
 * @param {string} option The option of the game that chooses its level.
 */
export function notation(text, game, option) {
  if (text.includes(":")) return text.trim();
  const rows = text
    .trim()
    .split(/[\n/]/)
    .map((row) =>
      row
        .trim()
        .split(/[\s,;]+/)
        .map((each) => (each === "." ? "0" : each)),
    );
  // The program of paper 002 asks for the numbers of rows and columns first.
  const columns = rows[rows.length - 1].length;
  if (columns !== rows[0].length && rows[0].join() === `${rows.length - 1},${columns}`) rows.shift();
  const spec = `${game.split(":")[0]}:${rows.length},${rows[0].length}`;
  const tiles = rows.map((row) => row.join(",")).join("/");
  return `${withLevel(spec, option, levelIn(game, option))} ${tiles}`;
}
