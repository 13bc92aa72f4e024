// @ts-check
// Who takes part: a line for each agent, with its settings.

import { fill, h } from "../dom.js";
import { say } from "../language.js";
import { SeatPicker } from "../picker.js";
import { tool } from "../tools.js";

const [FEWEST, MOST] = [2, 12];

export class AgentList {
  /** @param {string[]} chosen @param {() => void} changed */
  constructor(chosen, changed) {
    this.changed = changed;
    this.game = "";
    this.box = h("ol", { class: "agents" });
    this.more = tool("arena.add_agent", () => this.#add());
    this.element = h("fieldset", {}, h("legend", {}, say("arena.agents")), this.box, this.more);
    /** @type {SeatPicker[]} */
    this.pickers = chosen.slice(0, MOST).map((spec) => new SeatPicker("", spec));
    this.element.addEventListener("change", changed);
  }

  /** Who is chosen, as text. */
  get specs() {
    return this.pickers.map((each) => each.spec || each.chosen);
  }

  /** Offer who can play a game.
   * @param {string} game */
  async offer(game) {
    this.game = game;
    await Promise.all(this.pickers.map((each) => each.offer(game, false)));
    this.#show();
  }

  async #add() {
    const picker = new SeatPicker("", "level:3");
    this.pickers.push(picker);
    await picker.offer(this.game, false);
    this.#show();
    picker.select.focus();
    this.changed();
  }

  /** @param {SeatPicker} picker */
  #remove(picker) {
    this.pickers = this.pickers.filter((each) => each !== picker);
    this.#show();
    this.more.focus();
    this.changed();
  }

  #show() {
    this.more.disabled = this.pickers.length >= MOST;
    fill(this.box, this.pickers.map((picker, place) => {
      const name = say("arena.agent_number", { number: place + 1 });
      const label = picker.element.querySelector("label");
      if (label) label.textContent = name;
      const remove = h("button", { type: "button", class: "plain", "aria-label": say("arena.remove_agent", { agent: name }), disabled: this.pickers.length <= FEWEST, onclick: () => this.#remove(picker) }, "✕");
      return h("li", {}, picker.element, remove);
    }));
  }
}
