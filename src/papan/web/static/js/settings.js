// @ts-check
// The settings of a person, saved in this browser.

/** @import { ClockFacts } from "./saved_game.js" */
/** @typedef {{spec: string, players: string[], clock?: ClockFacts | null, names?: string[]}} ChosenGame */

const PLACE = "papan.settings";

/**
 * @typedef {object} Settings
 * @property {"id" | "en"} [language]
 * @property {"light" | "dark" | "system"} theme
 * @property {boolean} values Show what moves are worth on the board.
 * @property {boolean} features Show chains, threats and the like on the board.
 * @property {boolean} alike Point out the tiles that equal the one that was picked.
 * @property {string[]} folded The panels that are folded.
 * @property {boolean} [numbers] All numbers behind a reason are unfolded.
 * @property {string} played The game that was played last.
 * @property {boolean} [tree] The search tree is unfolded.
 * @property {number} speed Moves a second while watching; 0: as fast as reasons can be read.
 * @property {boolean} turning Watching pauses at turning points.
 * @property {number} seconds How long agents think.
 * @property {number} minutes On the clock of each seat; 0 is no clock.
 * @property {number} increment Seconds that a move adds to its clock.
 * @property {boolean} ahead Number the expected line on the board.
 * @property {boolean} sound Moves have sounds.
 * @property {boolean} vibration Moves vibrate.
 * @property {string} name What the person at this browser is called.
 * @property {Record<string, ChosenGame>} chosen What was played last, game by game.
 * @property {Record<string, string[]>} compared Which agents are compared, game by game.
 */

/** @type {Settings} */
const USUAL = {
  theme: "system",
  values: false,
  features: false,
  alike: false,
  folded: [],
  played: "",
  speed: 0,
  turning: false,
  seconds: 2,
  minutes: 0,
  increment: 0,
  ahead: false,
  sound: false,
  vibration: false,
  name: "",
  chosen: {},
  compared: {},
};

/** @type {Settings} */
export const settings = { ...USUAL, ...read(PLACE) };

/** @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  save(PLACE, settings);
}

/**
 * Return a value from the browser's storage; an empty object if it cannot be read.
 * @param {string} place
 * @returns {any}
 */
export function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} place @param {unknown} data */
export function save(place, data) {
  try {
    localStorage.setItem(place, JSON.stringify(data));
  } catch {
    // Without storage papan still works.
  }
}

/** Apply the chosen theme, or the system's. */
export function applyTheme() {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
}

/** Return whether the page is dark, by choice or because the system is. */
export function isDark() {
  if (settings.theme !== "system") return settings.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Return a random seed, 1 to 999,999. */
export function anySeed() { return 1 + Math.floor(Math.random() * 999_999); }
