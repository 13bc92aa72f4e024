// @ts-check
// Advice to the person to move: a hint in three steps (idea, area, move), and what every move is worth.

import { say, sayMessage } from "./language.js";
import { Searcher } from "./search.js";
import { change, settings } from "./settings.js";
import { iconTool, tool } from "./ui.js";
import { h } from "./vendor/preact.mjs";
/** @import { Message } from "./language.js" */
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { Search } from "./search.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */

const AGENT = "level:5"; // gives hints where no solver is asked for values
const SECONDS = 2;
const [AREA, MOVE] = [2, 3]; // steps of a hint, after the idea
const FURTHER = ["", "hint.to_area", "hint.to_move", ""]; // the button after each step

export class Adviser {
  step = 0; // of the hint that is shown: idea, area, move; 0: none
  /** @type {Search | undefined} */
  advice = undefined; // about this position
  /** @type {Board | undefined} */
  #counted = undefined; // the position whose hint is counted already
  #searcher = new Searcher((search) => this.#listen(search));

  /** @param {PlayScreen} play */
  constructor(play) { this.play = play; }

  get busy() { return this.#searcher.busy; }

  /** The moves to point out: an area, then one move. @returns {string[]} */
  get shown() {
    const hint = this.advice?.analysis?.hint;
    return !hint || this.step < AREA ? [] : this.step === MOVE ? [hint.move] : hint.area;
  }

  stop() { this.#searcher.stop(); }

  /** Drop the hint and the values: another position is on the board. */
  forget() {
    this.advice = undefined;
    this.step = 0;
  }

  /** Show one more step of the hint; the first step in a position is counted. */
  ask() {
    const { game, moves, saved, turns, view } = this.play;
    if (!game.personToMove || turns.paused) return;
    if (this.#counted !== game.board) {
      this.#counted = game.board;
      moves.aids.add("hint");
      game.countHint();
      saved.remember();
    }
    this.step = Math.min(this.step + 1, MOVE);
    if (!this.advice?.analysis && !this.busy) this.advise();
    view.update();
  }

  close() {
    this.step = 0;
    this.play.view.update();
  }

  /** Show or hide the value of every move. @param {boolean} values */
  showValues(values) {
    change({ values });
    this.play.recall();
    this.play.turns.next();
  }

  /** Search the position if a hint or values are wanted. */
  async advise() {
    const { game, turns, view } = this.play;
    const { board } = game;
    if (turns.paused || (!this.step && !settings.values)) return;
    const agent = settings.values && board.solver ? "solver" : AGENT;
    const request = game.request(agent, SECONDS, { all_moves: settings.values, hint: true });
    await this.#searcher.run(request, board).catch((error) => this.play.complain(error));
    view.update();
  }

  /** @param {Search} search */
  #listen(search) {
    const { game, view } = this.play;
    if (search.position === game.board.position) this.advice = search;
    view.updateSoon();
  }

  /** Return the card of the hint: its text, and the button for the next step; nothing without a hint. */
  card() {
    const { step } = this;
    if (!step) return null;
    const { analysis, error } = this.advice ?? {};
    const title = step === MOVE && analysis
      ? say("hint.suggestion", { move: analysis.hint.move })
      : say("hint.title", { step, steps: MOVE });
    const words = error ? say(error.key, error.values) : analysis ? wordsOf(analysis, step) : say("web.thinking");
    return h("section", {
        class: "hint-card",
        "aria-label": say("web.hint"),
        "data-step": step,
        ref: (/** @type {HTMLElement | null} */ card) => keepClear(card),
      },
      h("h2", {}, title),
      iconTool("hint.close", () => this.close()),
      h("p", { role: "status" }, words),
      step < MOVE && tool(FURTHER[step], () => this.ask()),
    );
  }
}

/**
 * Move a card that would lie over the board, as on a phone with a high board, over what stands above the board.
 * @param {HTMLElement | null} card
 */
function keepClear(card) {
  const board = document.querySelector(".stage .board")?.getBoundingClientRect();
  if (!card || !board || !card.closest(".stage")) return; // beside the board
  card.classList.remove("above");
  const { top, left } = card.getBoundingClientRect();
  card.classList.toggle("above", top < board.bottom && left < board.right);
  card.style.setProperty("--room", `${board.top + scrollY}px`);
}

/**
 * Return the sentence of a step (1 to 3) of a hint, for the person to move.
 * @param {import("./events.d.ts").SearchEvent} analysis
 * @param {number} step
 */
function wordsOf({ hint, explanation }, step) {
  if (step < AREA) return sayMessage(hint.idea);
  if (step === AREA) return `${sayMessage(hint.idea)} ${say("hint.glows")}`;
  const you = { player: say("seat.alone"), rival: say("because.rival") };
  /** @type {Message[]} */
  const clauses = (explanation.reason?.clauses ?? []).map((/** @type {{message: Message}} */ each) => each.message);
  const said = [...clauses, ...(hint.outcome ? [hint.outcome] : [])];
  return said.map((each) => sayMessage(each, you)).join(" ");
}
