// @ts-check
// Fields to choose a size and who sits where, made from what the server says of games and agents.

import { agents } from "./api.js";
import { fill, h } from "./dom.js";
import { agentTitle, gameTitle, say, sayOr } from "./language.js";
import { PERSON } from "./table.js";

/** @typedef {import("./api.js").Setting} Setting */
/** @typedef {import("./api.js").GameFacts} GameFacts */

const LEVELLED = "gravity"; // the option that makes the levels of a puzzle

let fields = 0;

/** A label and its field, tied together.
 * @param {string} text @param {HTMLElement} field */
export function labelled(text, field) {
  field.id ||= `field-${(fields += 1)}`;
  return h("div", { class: "field" }, h("label", { for: field.id }, text), field);
}

/** @param {string} area @param {string} name */
function nameOf(area, name) {
  return sayOr(`web.${area}_${name}`, name);
}

/** An input for one option.
 * @param {Setting} setting @param {() => void} changed */
function input(setting, changed) {
  if (setting.kind === "choice" || setting.kind === "switch") {
    const choices = setting.kind === "switch" ? ["true", "false"] : setting.choices;
    return h("select", { value: String(setting.default), onchange: changed, "data-name": setting.name },
      choices.map((each) => h("option", { value: each }, nameOf("choice", each))));
  }
  const type = setting.kind === "text" ? "text" : "number";
  const step = setting.kind === "integer" ? 1 : "any";
  return h("input", { type, step, min: 0, value: String(setting.default), onchange: changed, "data-name": setting.name });
}

/** The options that were changed, as a spec writes them.
 * @param {HTMLElement} box @param {Setting[]} settings */
function changedOptions(box, settings) {
  return settings.flatMap((each) => {
    const field = /** @type {HTMLInputElement | null} */ (box.querySelector(`[data-name="${each.name}"]`));
    const value = field?.value ?? "";
    return value === "" || value === String(each.default) ? [] : [`${each.name}=${value}`];
  });
}

/** A size in words, such as "8 × 8, rounds 28".
 * @param {GameFacts} game @param {string} spec */
function sizeTitle(game, spec) {
  const [rows, columns, ...rest] = spec.split(":")[1].split(",");
  const more = rest.map((each, place) => `, ${nameOf("option", game.options[place + 2].name)} ${each}`);
  return /^[\d,]+$/.test(spec.split(":")[1]) ? `${rows} × ${columns}${more.join("")}` : gameTitle(spec);
}

/** The size and the rules of a game. */
export class GamePicker {
  /** @param {GameFacts} game @param {() => void} changed */
  constructor(game, changed) {
    this.game = game;
    const sizes = [game.spec, ...game.presets];
    this.level = new LevelPicker(game);
    this.own = h("div", { class: "options", hidden: true },
      game.options.filter((each) => each.name !== LEVELLED).map((each) => labelled(nameOf("option", each.name), input(each, changed))));
    this.select = h("select", { onchange: () => { this.own.hidden = this.select.value !== ""; changed(); } },
      sizes.map((spec) => h("option", { value: spec }, sizeTitle(game, spec))),
      h("option", { value: "" }, say("web.own_size")));
    this.element = h("div", { class: "picker" }, labelled(say("screen.size"), this.select), this.own, this.level.element);
  }

  /** The game that is chosen, as text. */
  get spec() {
    const [name, size] = this.select.value.split(":");
    const options = this.select.value ? [size] : changedOptions(this.own, this.game.options);
    return [name || this.game.name, [...options, ...this.level.options].filter(Boolean).join(",")].filter(Boolean).join(":");
  }
}

/** The level of a puzzle: where its tiles move. Other games have none. */
class LevelPicker {
  /** @param {GameFacts} game */
  constructor(game) {
    const levels = game.options.find((each) => each.name === LEVELLED)?.choices ?? [];
    this.select = h("select", {}, levels.map((each, level) =>
      h("option", { value: each }, say("web.level_of", { level: level + 1, what: nameOf("choice", each) }))));
    this.element = levels.length ? labelled(say("web.level"), this.select) : null;
  }

  get options() {
    return this.element && this.select.selectedIndex > 0 ? [`${LEVELLED}=${this.select.value}`] : [];
  }
}

/** Who a spec names, as a list offers it, and the options that it gives.
 * @param {string} spec @returns {[string, string[]]} */
function partsOf(spec) {
  const [name, options = ""] = spec.split(/:(.*)/s);
  const given = options.split(",").filter(Boolean);
  return name === "level" ? [`level:${given[0] ?? 3}`, []] : [name, given];
}

/** Who sits on a seat. */
export class SeatPicker {
  /** @param {string} title @param {string} chosen */
  constructor(title, chosen) {
    this.chosen = chosen;
    /** @type {import("./api.js").AgentFacts[]} */
    this.known = [];
    this.own = h("div", { class: "options" });
    this.select = h("select", { onchange: () => this.#show([]) });
    this.about = h("p", { class: "quiet about" });
    this.rest = h("details", { class: "settings" }, h("summary", {}, say("web.agent_settings")), this.own);
    this.element = h("div", { class: "picker seat" }, labelled(title, this.select), this.about, this.rest);
  }

  /** Offer who can play a game; keep the choice, settings included, where it still can be made.
   * @param {string} game @param {boolean} [people] */
  async offer(game, people = true) {
    const known = await agents(game);
    const [chosen, options] = partsOf(this.spec || this.chosen); // also what was chosen meanwhile
    this.known = known;
    const levels = this.known.find((each) => each.name === "level")?.names ?? [];
    const names = this.known.map((each) => each.name).filter((each) => each !== "level");
    const option = (/** @type {string} */ spec) => h("option", { value: spec }, agentTitle(spec));
    fill(this.select,
      people && option(PERSON),
      h("optgroup", { label: say("web.levels") }, levels.map(option)),
      h("optgroup", { label: say("web.algorithms") }, names.map(option)));
    const possible = [PERSON, ...levels, ...names].includes(chosen) && (people || chosen !== PERSON);
    this.select.value = possible ? chosen : "level:3";
    this.#show(possible ? options : []);
  }

  /** @param {string[]} options What was set, by name or by place: it is seen at once. */
  #show(options) {
    const facts = this.#facts();
    const name = this.select.value.split(":")[0];
    fill(this.about, name === PERSON ? "" : sayOr(`agent.${name}`, facts?.about ?? ""));
    const shown = facts && name !== "level" ? facts.settings : [];
    const given = new Map(options.map((each, place) => {
      const [key, value] = each.split("=");
      return value === undefined ? [shown[place]?.name, key] : [key.trim(), value];
    }));
    fill(this.own, shown.map((each) => labelled(nameOf("setting", each.name), input({ ...each, default: given.get(each.name)?.trim() ?? each.default }, () => {}))));
    this.rest.hidden = !shown.length;
    this.rest.open ||= options.length > 0;
  }

  #facts() {
    return this.known.find((each) => each.name === this.select.value);
  }

  /** Change places with another seat, settings included.
   * @param {SeatPicker} other */
  swap(other) {
    const [own, others] = [partsOf(this.spec), partsOf(other.spec)];
    for (const [seat, [name, options]] of /** @type {[SeatPicker, [string, string[]]][]} */ ([[this, others], [other, own]])) {
      seat.select.value = name;
      seat.#show(options);
    }
  }

  /** Who is chosen, as text. */
  get spec() {
    const facts = this.#facts();
    const options = facts ? changedOptions(this.own, facts.settings) : [];
    return [this.select.value, options.join(",")].filter(Boolean).join(":");
  }
}
