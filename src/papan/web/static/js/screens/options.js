// @ts-check
// Everything that can be chosen before a game: its size, who plays, the clock, how long agents think.

import { openDialog } from "../dialogs.js";
import { LONGEST_NAME, PERSON } from "../game_link.js";
import { gameName, say } from "../language.js";
import { AgentPicker, ClockPicker, GamePicker } from "../pickers.js";
import { change, settings } from "../settings.js";
import { Part, entry, form, labelled } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { begin, chosenFor } from "./home.js";
/** @import { GameFacts } from "../wire.d.ts" */
/** @typedef {{game: GameFacts, close: () => void}} Props */

/** @param {Props["game"]} game */
export function openOptions(game) { openDialog(gameName(game.name), (close) => h(OptionsForm, { game, close })); }

/** @extends {Part<Props>} */
class OptionsForm extends Part {
  spec = chosenFor(this.props.game).spec;
  players = [...chosenFor(this.props.game).players];
  clock = { minutes: settings.minutes, increment: settings.increment };
  seconds = settings.seconds;
  names = [settings.name, ""];

  async begin() {
    const names = this.players.map((each, seat) => (each === PERSON ? this.names[seat].trim() : ""));
    change({ seconds: this.seconds, ...this.clock, name: names.find(Boolean) ?? "" });
    await begin(this.spec, this.players, this.clock.minutes ? { ...this.clock, left: [] } : null, names);
    this.props.close();
  }

  /** @param {() => void} act */
  choose(act) {
    act();
    this.problem = "";
    this.forceUpdate();
  }

  /** @param {Props} props */
  render({ game }) {
    return form({ class: "set-up" }, () => this.attempt(() => this.begin()),
      h(GamePicker, { game, spec: this.spec, choose: (spec) => this.choose(() => { this.spec = spec; }) }),
      h("div", { class: "agents-of-game" }, this.players.map((spec, seat) => h(AgentPicker, {
        key: seat, title: say(game.seats === 1 ? "web.seat_alone" : `web.seat_${seat + 1}`), game: this.spec, spec,
        choose: (chosen) => this.choose(() => { this.players[seat] = chosen; }), failed: (error) => this.complain(error),
      }))),
      game.seats === 2 && h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.choose(() => { this.players.reverse(); this.names.reverse(); }) }, say("web.swap")), h("span", { class: "quiet" }, say("web.seat_1_begins"))),
      h("div", { class: "options" }, this.players.map((each, seat) => each === PERSON && h("div", { key: seat },
        labelled(say("web.name_of", { seat: seat + 1 }), entry(this.names[seat], (name) => { this.names[seat] = name; }, { type: "text", maxlength: LONGEST_NAME, autocomplete: "nickname" }))))),
      h(ClockPicker, { seats: game.seats, ...this.clock, choose: (minutes, increment) => this.choose(() => { this.clock = { minutes, increment }; }) }),
      labelled(say("web.seconds_each"), entry(this.seconds, (seconds) => { this.seconds = Number(seconds) || 2; }, { type: "number", min: 0.1, max: 60, step: "any" })),
      h("div", { class: "submit" }, h("p", { role: "alert", class: "bad" }, this.problem), h("button", { type: "submit", class: "primary" }, say("screen.play"))));
  }
}
