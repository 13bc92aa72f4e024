// @ts-check
// Texts by key, in Indonesian or English, from the catalogue that the terminal uses; numbers and names as text.

import { Refusal, givenTexts, texts as textsOf } from "./api.js";
import { change } from "./settings.js";

export const SPOKEN = "papan:spoken"; // an event of the window: all texts are here

/** @type {Record<string, string>} */
let texts = {};

/** @type {"id" | "en" | undefined} Of a part of a page that has another language than the page. */
let spoken;

/** @returns {"id" | "en"} */
export function language() {
  return spoken ?? (document.documentElement.lang === "id" ? "id" : "en");
}

/**
 * Use these texts; for pages without a server.
 * @param {Record<string, string>} given
 * @param {"id" | "en"} chosen
 */
export function takeTexts(given, chosen) {
  texts = given;
  spoken = chosen;
  whole = Promise.resolve();
}

/** @type {Promise<void> | undefined} */
let whole; // all texts; undefined where they were not asked for yet

/** Load the texts of the language that the document has: those that came with it suffice for a first visit. */
export async function loadTexts() {
  const first = givenTexts(language());
  whole = undefined;
  if (first) texts = first;
  else await allTexts();
}

/** Load all texts, which the other screens and the reasons of moves need; ready at once if they are here. */
export function allTexts() {
  whole ??= textsOf(language()).then((found) => {
    texts = found;
    dispatchEvent(new Event(SPOKEN));
  });
  whole.catch(() => { whole = undefined; });
  return whole;
}

/** @param {"id" | "en"} chosen */
export async function speak(chosen) {
  document.documentElement.lang = chosen;
  change({ language: chosen });
  await loadTexts();
}

const PEOPLE = /^(player|rival)$/;

/** @typedef {{key: string, values: Record<string, unknown>}} Message A key of the catalogue with its values. */

/**
 * Return the text of a key with its values filled in; an unknown key is returned unchanged. `{moves|move|moves}` is the
 * first word where `moves` is one, `{player|wins|win}` the second where the player is you; a sentence that begins with
 * a player begins with a capital letter.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const text = texts[key] ?? key;
  const people = { player: values.player, rival: values.rival };
  const exchanged = { player: values.rival, rival: values.player }; // in what is said of a move of the rival
  const shown = (/** @type {string} */ name) => filled(values[name], name === "theirs" ? exchanged : people);
  const isOne = (/** @type {string} */ name) =>
    PEOPLE.test(name) ? shown(name) !== texts["seat.alone"] : shown(name) === "1";
  const sentence = text
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, more) => (isOne(name) ? one : more))
    .replace(/\{(\w+)\}/g, (whole, name) => ((values[name] ?? null) === null ? whole : shown(name)));
  return /^\{(player|rival)\}/.test(text) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

/**
 * Return a message as text.
 * @param {Message} message
 * @param {Record<string, unknown>} [more] Values instead of its own.
 */
export function sayMessage({ key, values }, more = {}) { return say(key, { ...values, ...more }); }

/** Return messages as text, joined by spaces. @param {Message[]} messages */
export function sayAll(messages) { return messages.map((each) => sayMessage(each)).join(" "); }

/**
 * Return a value of a text as it is shown: a message, a number with its form (core/numbers.py), several of them, or a
 * word.
 * @param {any} value
 * @param {Record<string, unknown>} [people] Who is player and who is rival, in a message that does not say it.
 * @returns {string}
 */
function filled(value, people = {}) {
  if (Array.isArray(value)) return value.map((each) => filled(each, people)).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  if (!("key" in value)) return inForm(value.number, value.form);
  return say(value.key, { ...people, ...value.values });
}

/**
 * Return a number in the form of messages: the twin of `Number.text` in Python.
 * @param {number} amount
 * @param {string} form
 */
export function inForm(amount, form) {
  if (form === "count") return count(amount);
  return form === "signed" ? signed(amount) : signed(amount).replace(/^\+/, "");
}

/** Return one sentence about an error. @param {unknown} error */
export function trouble(error) {
  return error instanceof Refusal ? say(error.key, error.values) : say("web.failed");
}

/** @param {string} key */
export function known(key) { return key in texts; }

/** Return a number with its sign: a typographic minus, at most two decimals. @param {number} amount */
export function signed(amount) {
  const text = String(Math.round(Math.abs(amount) * 100) / 100);
  return (text === "0" ? "" : amount < 0 ? "\u2212" : "+") + decimal(text);
}

/** @param {number} amount */
export function count(amount) { return new Intl.NumberFormat(language()).format(amount); }

/** Return a number with a fixed count of decimals. @param {number} amount @param {number} digits */
export function rounded(amount, digits) {
  return new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    amount,
  );
}

/** Return a share, 0 to 1, in percent. @param {number} share @param {number} digits */
export function percent(share, digits = 0) {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language(), { style: "percent", ...decimals }).format(share);
}

/** What stands between two numbers in a row: in Indonesian a comma is a decimal one. */
export const separator = () => (language() === "id" ? "; " : ", ");

/** Return a number of bytes in megabytes, of 2^20 bytes. @param {number} bytes */
export const megabytes = (bytes) => rounded(bytes / 2 ** 20, 0);

/** Return seconds as minutes and seconds, such as 1:05. @param {number} seconds */
export function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** Return a day and its time in the language of the page. @param {number | string} when */
export function dateTime(when) {
  return new Date(when).toLocaleString(language() === "id" ? "id-ID" : "en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

/** Return a day, with its month in words, in the language of the page. @param {number | string} when */
export function dayOf(when) {
  return new Date(when).toLocaleDateString(language() === "id" ? "id-ID" : "en-GB", { dateStyle: "long" });
}

/** Return a decimal number with the decimal sign of the language. @param {string} text */
export function decimal(text) { return language() === "id" ? text.replace(".", ",") : text; }

/** Return the name of a seat: "player 1", or "you" in a game for one. @param {number} seat @param {number} seats */
export function player(seat, seats) {
  return seats === 1 ? say("seat.alone") : say(`seat.${seat + 1}`);
}

/**
 * Return the text of a key, or *own* where the catalogue has none, as for plug-ins.
 * @param {string} key
 * @param {string} own
 */
export function sayOr(key, own) { return known(key) ? say(key) : own; }

/**
 * Return the name of a choice of a setting; one word may mean different things in different settings.
 * @param {string} setting
 * @param {string} value
 */
export function choiceName(setting, value) {
  return sayOr(`web.choice_${setting}_${value}`, sayOr(`web.choice_${value}`, decimal(value)));
}

/** Return the name of a game. @param {string} name */
export function gameName(name) {
  return sayOr(`game.${name}`, name.charAt(0).toUpperCase() + name.slice(1));
}

/** Return the size of a game, such as "4 × 4, 3 in a row"; empty if the spec names none. @param {string} spec */
export function sizeTitle(spec) {
  const [name, options = ""] = spec.split(":");
  const [rows, columns, third] = options.split(",").filter((each) => /^\d+$/.test(each));
  const more =
    third && (known(`web.size_${name}`) ? `, ${say(`web.size_${name}`, { count: third })}` : ` \u00d7 ${third}`);
  return rows ? `${rows}${columns ? ` \u00d7 ${columns}` : ""}${more ?? ""}` : "";
}

/** Return the name of a game with its size, such as "Name · 3 × 5". @param {string} spec */
export function gameTitle(spec) {
  return [gameName(spec.split(":")[0]), sizeTitle(spec)].filter(Boolean).join(" · ");
}

/**
 * Return the name of a player: a person, an opponent by name, an algorithm with its settings.
 * @param {string} spec
 */
export function agentTitle(spec) {
  if (spec === "human") return say("web.person");
  const level = /^level:(\d)/.exec(spec);
  return level ? say(`web.opponent_${level[1]}`) : algorithmTitle(spec.replace(/,?seed=\d+/, ""));
}

/**
 * Return the players' names for sentences: "you" for the only person, agents by theirs; seats if two names are equal.
 * @param {string[]} players
 * @param {string[]} names
 * @param {number} seats
 */
export function calledInWords(players, names, seats) {
  const you = players.filter((each) => each === "human").length === 1 ? say("seat.alone") : "";
  const plain = Array.from({ length: seats }, (_, seat) => player(seat, seats));
  const called = plain.map((own, seat) => {
    const agent = players[seat] ?? "human";
    const short = /^level:/.test(agent) || fileOfBot(agent) ? agent : agent.split(":")[0];
    return names[seat] || (agent === "human" ? you : agentTitle(short)) || own;
  });
  return new Set(called).size === seats ? called : plain;
}

/** Return the name of the file of a bot; empty for papan's own agents. @param {string} spec */
export function fileOfBot(spec) {
  return /^(?:bot|program):.*?([\w-]+\.(?:py|c|js|java))(?:\.compiled)?(?:,|$)/.exec(spec)?.[1] ?? "";
}

/**
 * Return the name of an algorithm with its settings, such as "Alpha-beta, depth 4"; a plug-in has its own name.
 * @param {string} spec
 */
export function algorithmTitle(spec) {
  const file = fileOfBot(spec);
  if (file) return file;
  const [name, options = ""] = spec.split(/:(.*)/s);
  const own = name.replace(/[-_]+/g, " ");
  const set = options
    .split(",")
    .filter(Boolean)
    .map((each) => {
      const [setting, value] = each.split("=");
      return value === undefined ? each : `${sayOr(`web.setting_${setting}`, setting)} ${choiceName(setting, value)}`;
    });
  return [sayOr(`agent_name.${name}`, own.charAt(0).toUpperCase() + own.slice(1)), ...set].join(", ");
}
