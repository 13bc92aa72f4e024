// @ts-check
// Fields to choose a game, its size, the players and their time, made from the facts of the server.

import { agents, ownBots } from "./api.js";
import { agentTitle, choiceName, decimal, gameName, gameTitle, known, say, sayOr, sizeTitle } from "./language.js";
import { levelsOf, withoutLevel } from "./levels.js";
import { Face, aboutOf, levelOf } from "./players.js";
import { LONGEST_NAME, PERSON } from "./saved_game.js";
import { change, settings } from "./settings.js";
import { Part, button, entry, form, labelled, link, openDialog, select } from "./ui.js";
import { Component, h } from "./vendor/preact.mjs";
/** @import { ClockFacts } from "./saved_game.js" */
/** @import { Child } from "./vendor/preact.mjs" */
/** @import { AgentFacts, GameFacts, Setting } from "./wire.d.ts" */

const WIDE = 1000; // up to here a slider reaches as far as its setting
const MOST_STOP = 10_000;
const MINUTES = [0, 1, 2, 3, 5, 10, 15, 30, 60];

/**
 * A field for one option.
 * @param {string} key Of the text that names it.
 * @param {Setting} setting
 * @param {string} value
 * @param {(value: string) => void} choose
 * @param {boolean} [slides]
 */
function optionField(key, setting, value, choose, slides = false) {
  const title = sayOr(key, setting.name);
  const more = { "data-name": setting.name };
  const choices = setting.kind === "switch" ? ["true", "false"] : setting.kind === "choice" ? setting.choices : null;
  const step = setting.kind === "integer" ? 1 : "any";
  if (slides && ["integer", "number"].includes(setting.kind))
    return labelled(title, h(Slider, { setting, value, choose, ...more }), setting.name);
  return labelled(
    title,
    choices
      ? select(
          value,
          choices.map((each) => [each, choiceName(setting.name, each)]),
          choose,
          more,
        )
      : entry(value, choose, { type: setting.kind === "text" ? "text" : "number", step, min: 0, ...more }),
    setting.name,
  );
}

/**
 * The values at which a slider stops: small steps first, then ever wider ones.
 * @param {Setting} setting
 * @param {number} value One that it must have.
 */
function stopsOf({ kind, default: usual, least, most }, value) {
  const [low, high] = [least ?? 0, most ?? Infinity];
  const useful = Math.max(10, 10 * usual, Math.min(Math.cbrt(high), MOST_STOP)); // bounds are wider than that
  const reach = high <= WIDE ? high : useful;
  const parts =
    kind === "integer"
      ? []
      : reach <= 1
        ? Array.from({ length: 20 }, (_, place) => place / 20)
        : [0.1, 0.2, 0.3, 0.5, 0.7];
  const wider = [10, 100, 1000, MOST_STOP].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((each) => each * power));
  const stops = [0, ...parts, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...wider].filter((each) => each >= low && each <= reach);
  return [...new Set([...stops, usual, value])].sort((one, other) => one - other);
}

/** @typedef {{setting: Setting, value: string, choose: (value: string) => void, [name: string]: any}} SliderProps */

/** A slider for a number; the value is chosen when the pointer is released. @extends {Component<SliderProps>} */
class Slider extends Component {
  /** @type {number | null} */
  sliding = null;

  /** @param {SliderProps} props */
  render({ setting, value, choose, ...more }) {
    const stops = stopsOf(setting, Number(value));
    const shown = this.sliding ?? Number(value);
    const at = (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) =>
      stops[Number(currentTarget.value)];
    return h("span", { class: "slider" },
      h("input", {
        ...more,
        type: "range",
        min: 0,
        max: stops.length - 1,
        value: stops.indexOf(shown),
        "aria-valuetext": decimal(String(shown)),
        oninput: (event) => {
          this.sliding = at(event);
          this.forceUpdate();
        },
        onchange: (event) => {
          this.sliding = null;
          choose(String(at(event)));
        },
      }),
      h("output", { class: "number" }, decimal(String(shown))),
    );
  }
}

/**
 * The options that differ from the usual ones, as a spec writes them.
 * @param {Setting[]} settings
 * @param {Record<string, string>} values
 */
function changedOptions(settings, values) {
  return settings.flatMap(({ name, default: usual }) => {
    const value = values[name] ?? "";
    return value === "" || value === String(usual) ? [] : [`${name}=${value}`];
  });
}

/**
 * The options that a spec gives, by name or by place.
 * @param {string} spec
 * @param {Setting[]} settings
 * @returns {Record<string, string>}
 */
function optionsOf(spec, settings) {
  const [, options = ""] = spec.split(/:(.*)/s);
  return Object.fromEntries(
    options
      .split(",")
      .filter(Boolean)
      .map((each, place) => {
        const [key, value] = each.split("=");
        return value === undefined ? [settings[place]?.name, key] : [key.trim(), value.trim()];
      }),
  );
}

/**
 * The choice of a game by its name.
 * @param {GameFacts} game
 * @param {GameFacts[]} all
 * @param {(chosen: GameFacts) => unknown} choose
 */
export function gameSelect(game, all, choose) {
  return select(game.name, all.map((each) => [each.name, gameName(each.name)]), (name) =>
    choose(all.find((each) => each.name === name) ?? all[0]),
  );
}

/** @typedef {{game: GameFacts, spec?: string, choose: (spec: string) => void}} GamePickerProps */

/**
 * The size, the level and the rules of a game; give it the game's name as key.
 * @extends {Component<GamePickerProps>}
 */
export class GamePicker extends Component {
  /** @param {GamePickerProps} props */
  constructor(props) {
    super(props);
    const { game, spec } = props;
    this.levels = levelsOf(game);
    this.sizes = [game.spec, ...game.presets];
    const chosen = spec?.includes(":") ? spec : game.spec;
    const given = optionsOf(chosen, game.options);
    const size = withoutLevel(chosen, game.level_option);
    this.size = this.sizes.includes(size) ? size : "";
    this.level = given[game.level_option] ?? this.levels[0] ?? "";
    /** @type {Record<string, string>} */
    this.own = this.size ? {} : given;
  }

  /** @param {() => void} act */
  change(act) {
    act();
    this.forceUpdate();
    this.props.choose(this.spec);
  }

  /** The chosen game as a spec. */
  get spec() {
    const { game } = this.props;
    const [name, size] = this.size.split(":");
    const level = this.level === (this.levels[0] ?? "") ? [] : [`${game.level_option}=${this.level}`];
    const options = [...(this.size ? [size] : changedOptions(game.options, this.own)), ...level].filter(Boolean);
    return [name || game.name, options.join(",")].filter(Boolean).join(":");
  }

  /** @param {GamePickerProps} props */
  render({ game }) {
    const sizes = this.sizes.map((spec) => [
      spec,
      /^[\d,]+$/.test(spec.split(":")[1]) ? sizeTitle(spec) : gameTitle(spec),
    ]);
    const levels = this.levels.map((each, level) => [
      each,
      say("web.level_of", { level: level + 1, what: choiceName(game.level_option, each) }),
    ]);
    return h("div", { class: "picker" },
      labelled(
        say("screen.size"),
        select(this.size, [...sizes, ["", say("web.own_size")]], (size) =>
          this.change(() => {
            this.size = size;
          }),
        ),
      ),
      !this.size &&
        h("div", { class: "options" },
          game.options
            .filter((each) => each.name !== game.level_option)
            .map((each) =>
              optionField(`web.option_${each.name}`, each, this.own[each.name] ?? String(each.default), (value) =>
                this.change(() => {
                  this.own[each.name] = value;
                }),
              ),
            ),
        ),
      levels.length > 0 &&
        labelled(
          say("web.level"),
          select(this.level, levels, (level) =>
            this.change(() => {
              this.level = level;
            }),
          ),
        ),
    );
  }
}

/**
 * Split the spec of an agent into the name that a list offers and its options.
 * @param {string} spec
 * @returns {[string, string[]]}
 */
function partsOf(spec) {
  const [name, options = ""] = spec.split(/:(.*)/s);
  const given = options.split(",").filter(Boolean);
  if (name === "bot") return [spec, []];
  return name === "level" ? [`level:${given[0] ?? 3}`, []] : [name, given];
}

/**
 * @typedef {object} AgentPickerProps
 * @property {string} title
 * @property {string} game
 * @property {string} spec
 * @property {boolean} [people] A person may be chosen, too.
 * @property {boolean} [bots] Kept bots may be chosen, too, by their owner.
 * @property {boolean} [sliders] Settings are always shown, numbers as sliders.
 * @property {(spec: string) => void} choose
 * @property {(error: unknown) => void} [failed]
 */

/**
 * The choice of a player: a person, a level, or an algorithm with its settings.
 * @extends {Component<AgentPickerProps>}
 */
export class AgentPicker extends Component {
  /** @type {AgentFacts[]} */
  known = [];
  /** @type {string[]} */
  bots = [];
  open = partsOf(this.props.spec)[1].length > 0; // settings that were made are seen at once

  componentDidMount() { this.#load(); }

  /** @param {AgentPickerProps} before */
  componentDidUpdate(before) { if (before.game !== this.props.game) this.#load(); }

  /** Load the agents that can play the game; the chosen one stays if it is among them. */
  async #load() {
    const { game, people = true, failed = () => {} } = this.props;
    try {
      const [known, bots] = await Promise.all([agents(game), this.props.bots ? ownBots(game) : []]);
      if (game !== this.props.game) return;
      [this.known, this.bots] = [known, bots];
    } catch (error) {
      return failed(error);
    }
    const { spec } = this.props; // also what was chosen meanwhile
    const [name] = partsOf(spec);
    const possible = name === PERSON ? people : [...this.#levels, ...this.#names, ...this.bots].includes(name);
    if (!possible) this.props.choose(known.length ? "level:3" : PERSON); // without a server people play
    this.forceUpdate();
  }

  get #levels() { return this.known.find((each) => each.name === "level")?.names ?? []; }

  get #names() { return this.known.map((each) => each.name).filter((each) => each !== "level"); }

  /** @param {AgentPickerProps} props */
  render({ title, spec, people = true, sliders = false, choose }) {
    const [chosen, given] = partsOf(spec);
    const facts = this.known.find((each) => each.name === chosen);
    const settings = facts?.settings ?? [];
    const values = optionsOf(`${chosen}:${given.join(",")}`, settings);
    const set = (/** @type {string} */ name, /** @type {string} */ value) =>
      choose([chosen, changedOptions(settings, { ...values, [name]: value }).join(",")].filter(Boolean).join(":"));
    const option = (/** @type {string} */ each) =>
      h("option", { key: each, value: each },
        levelOf(each) ? say("web.opponent_is", { level: levelOf(each), what: agentTitle(each) }) : agentTitle(each),
      );
    const name = chosen.split(":")[0];
    const fields = h("div", { class: "options" },
      settings.map((each) =>
        optionField(
          `web.setting_${each.name}`,
          each,
          values[each.name] ?? String(each.default),
          (value) => set(each.name, value),
          sliders,
        ),
      ),
    );
    return h("div", { class: "picker agent" },
      labelled(
        title,
        h("select", { value: chosen, onchange: (event) => choose(event.currentTarget.value) },
          people && option(PERSON),
          this.known.length > 0 && [
            h("optgroup", { label: say("web.levels") }, this.#levels.map(option)),
            h("optgroup", { label: say("web.algorithms") }, this.#names.map(option)),
            this.bots.length > 0 && h("optgroup", { label: say("workshop.own") }, this.bots.map(option)),
          ],
        ),
      ),
      people &&
        levelOf(chosen) > 0 &&
        h("div", { class: "faces", role: "group", "aria-label": say("web.levels") },
          this.#levels.map((each) =>
            button(h(Face, { spec: each }), () => choose(each), {
              key: each,
              class: "plain",
              "aria-pressed": String(each === chosen),
              title: agentTitle(each),
              "aria-label": agentTitle(each),
            }),
          ),
        ),
      h("p", { class: "quiet about" },
        levelOf(chosen)
          ? aboutOf(chosen)
          : ![PERSON, "bot"].includes(name) && [h("code", {}, spec), " ", sayOr(`agent.${name}`, facts?.about ?? "")],
      ),
      people && source(name), // elsewhere the panel beside it names the source
      sliders
        ? fields
        : h("details", {
              class: "settings",
              hidden: !settings.length,
              open: this.open,
              ontoggle: (event) => {
                this.open = event.currentTarget.open;
              },
            },
            h("summary", {}, say("web.agent_settings")),
            fields,
          ),
    );
  }
}

/**
 * Minutes for each player, and seconds for each move; no minutes mean no clock.
 * @param {object} props
 * @param {number} props.seats
 * @param {number} props.minutes
 * @param {number} props.increment Seconds.
 * @param {(minutes: number, increment: number) => void} props.choose
 */
function ClockPicker({ seats, minutes, increment, choose }) {
  const options = MINUTES.map((each) => [
    String(each),
    each ? say("screen.minutes", { minutes: each }) : say("screen.no_clock"),
  ]);
  return h("div", { class: "options" },
    labelled(
      say(seats === 1 ? "screen.time" : "web.minutes_each"),
      select(String(minutes), options, (value) => choose(Number(value), increment)),
    ),
    labelled(
      say("web.increment"),
      entry(increment, (value) => choose(minutes, Math.max(0, Math.min(60, Number(value) || 0))), {
        type: "number",
        min: 0,
        max: 60,
        step: 1,
      }),
    ),
  );
}

/** The source of an agent: its paper with figure or table, and its lesson. @param {string} spec */
export function source(spec) {
  const name = spec.split(":")[0];
  if (!known(`source.${name}`)) return null;
  const text = say(`source.${name}`);
  const [number] = /\d{3}/.exec(text) ?? [""];
  const lesson = LESSONS[name] ?? name.split("-")[0];
  return h("p", { class: "quiet source" },
    link(`/lab/${number}`, text),
    known(`lesson.${lesson}_title`) && [
      " · ",
      say("web.lesson_of"),
      " ",
      link(`/learn/${lesson}`, say(`lesson.${lesson}_title`)),
    ],
  );
}

/** Lessons about agents; those that are not here have the name of their agent. @type {Record<string, string>} */
const LESSONS = { openings: "links", neighbours: "alphabeta" };

/** @typedef {{spec: string, players: string[], clock: ClockFacts | null, names: string[]}} Chosen */
/** @typedef {(chosen: Chosen) => Promise<void>} Begin */
/** @typedef {{game: GameFacts, chosen: Chosen, begin: Begin, close: () => void}} OptionsProps */

/**
 * Everything that can be chosen before a game, in a dialog.
 * @param {GameFacts} game
 * @param {Chosen} chosen The last time.
 * @param {Begin} begin
 */
export function openOptions(game, chosen, begin) {
  openDialog(gameName(game.name), (close) => h(OptionsForm, { game, chosen, begin, close }));
}

/**
 * Choose other agents for some seats of a game, in a dialog.
 * @param {string} title The key of its text.
 * @param {string} game
 * @param {string[]} players
 * @param {number[]} seats Those that are chosen.
 * @param {(players: string[]) => unknown} begin
 */
export function openOpponents(title, game, players, seats, begin) {
  openDialog(say(title), (close) => h(SeatsForm, { game, players, seats, submit: "web.go_on", begin, close }));
}

/**
 * @typedef {object} SeatsProps
 * @property {string} game
 * @property {string[]} players
 * @property {number[]} seats
 * @property {string} submit The key of the button's text.
 * @property {(players: string[]) => unknown} begin
 * @property {() => void} close
 * @property {Child} [above]
 */

/** The agents of some seats. @extends {Part<SeatsProps>} */
class SeatsForm extends Part {
  players = this.props.players.map((each) => each.replace(/,seed=\d+$/, ""));

  async begin() {
    await this.props.begin(this.players);
    this.props.close();
  }

  /** @param {SeatsProps} props */
  render({ game, seats, submit, above }) {
    return form(
      { class: "set-up" },
      () => this.attempt(() => this.begin()),
      above,
      h("div", { class: "agents-of-game" },
        seats.map((seat) =>
          h(AgentPicker, {
            key: seat,
            title: say(this.players.length === 1 ? "web.seat_alone" : `web.seat_${seat + 1}`),
            game,
            spec: this.players[seat],
            people: false,
            bots: true,
            choose: (chosen) => {
              this.players[seat] = chosen;
              this.forceUpdate();
            },
            failed: (error) => this.complain(error),
          }),
        ),
      ),
      h("div", { class: "submit" },
        h("p", { role: "alert", class: "bad" }, this.problem),
        h("button", { type: "submit", class: "primary" }, say(submit)),
      ),
    );
  }
}

/** @typedef {(spec: string, players: string[]) => unknown} BeginWatched */
/** @typedef {{spec: string, players: string[], begin: BeginWatched, close: () => void}} WatchedChoice */
/** @typedef {WatchedChoice & {all: GameFacts[]}} WatchedProps */

/**
 * Choose what is watched, in a dialog: a game, its size, and its agents.
 * @param {GameFacts[]} all
 * @param {string} spec The game that is watched now.
 * @param {string[]} players
 * @param {BeginWatched} begin
 */
export function openWatched(all, spec, players, begin) {
  openDialog(say("web.watch_choose"), (close) => h(WatchedForm, { all, spec, players, begin, close }));
}

/** @extends {Component<WatchedProps>} */
class WatchedForm extends Component {
  spec = this.props.spec;

  /** @param {string} spec */
  choose(spec) {
    this.spec = spec;
    this.forceUpdate();
  }

  /** @param {WatchedProps} props */
  render({ all, players, begin, close }) {
    const game = all.find((each) => each.name === this.spec.split(":")[0]) ?? all[0];
    const agents = Array.from({ length: game.seats }, (_, seat) =>
      players[seat] && players[seat] !== PERSON ? players[seat] : `level:${3 + seat}`,
    );
    return h(SeatsForm, {
      key: game.name,
      game: this.spec,
      players: agents,
      seats: agents.map((_, seat) => seat),
      submit: "web.watch",
      begin: (chosen) => begin(this.spec, chosen),
      close,
      above: [
        labelled(
          say("room.game"),
          gameSelect(game, all, (chosen) => this.choose(chosen.name)),
        ),
        h(GamePicker, { key: game.name, game, spec: this.spec, choose: (spec) => this.choose(spec) }),
      ],
    });
  }
}

/** @extends {Part<OptionsProps>} */
class OptionsForm extends Part {
  spec = this.props.chosen.spec;
  players = [...this.props.chosen.players];
  clock = { minutes: settings.minutes, increment: settings.increment };
  seconds = settings.seconds;
  names = [settings.name, ""];

  async begin() {
    const names = this.players.map((each, seat) => (each === PERSON ? this.names[seat].trim() : ""));
    change({ seconds: this.seconds, ...this.clock, name: names.find(Boolean) ?? "" });
    await this.props.begin({
      spec: this.spec,
      players: this.players,
      clock: this.clock.minutes ? { ...this.clock, left: [] } : null,
      names,
    });
    this.props.close();
  }

  /** @param {() => void} act */
  choose(act) {
    act();
    this.problem = "";
    this.forceUpdate();
  }

  /** @param {OptionsProps} props */
  render({ game }) {
    return form(
      { class: "set-up" },
      () => this.attempt(() => this.begin()),
      h(GamePicker, {
        game,
        spec: this.spec,
        choose: (spec) =>
          this.choose(() => {
            this.spec = spec;
          }),
      }),
      h("div", { class: "agents-of-game" },
        this.players.map((spec, seat) =>
          h(AgentPicker, {
            key: seat,
            title: say(game.seats === 1 ? "web.seat_alone" : `web.seat_${seat + 1}`),
            game: this.spec,
            spec,
            bots: true,
            choose: (chosen) =>
              this.choose(() => {
                this.players[seat] = chosen;
              }),
            failed: (error) => this.complain(error),
          }),
        ),
      ),
      game.seats === 2 &&
        h("div", { class: "row" },
          button(say("web.swap"), () =>
            this.choose(() => {
              this.players.reverse();
              this.names.reverse();
            }),
          ),
          h("span", { class: "quiet" }, say("web.seat_1_begins")),
        ),
      h("div", { class: "options" },
        this.players.map(
          (each, seat) =>
            each === PERSON &&
            h("div", { key: seat },
              labelled(
                say("web.name_of", { seat: seat + 1 }),
                entry(
                  this.names[seat],
                  (name) => {
                    this.names[seat] = name;
                  },
                  { type: "text", maxlength: LONGEST_NAME, autocomplete: "nickname" },
                ),
              ),
            ),
        ),
      ),
      h(ClockPicker, {
        seats: game.seats,
        ...this.clock,
        choose: (minutes, increment) =>
          this.choose(() => {
            this.clock = { minutes, increment };
          }),
      }),
      labelled(
        say("web.seconds_each"),
        entry(
          this.seconds,
          (seconds) => {
            this.seconds = Number(seconds) || 2;
          },
          { type: "number", min: 0.1, max: 60, step: "any" },
        ),
      ),
      h("div", { class: "submit" },
        h("p", { role: "alert", class: "bad" }, this.problem),
        h("button", { type: "submit", class: "primary" }, say("screen.play")),
      ),
    );
  }
}
