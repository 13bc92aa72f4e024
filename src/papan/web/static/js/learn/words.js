// @ts-check
// How a lesson's values read: numbers as people write them, keys as their texts.

import { language, say } from "../language.js";

/**
 * @typedef {string | number} Shown
 * @typedef {{key: string, values: Record<string, Shown>}} Sentence
 */

/** Wins and visits, such as 1.5/3. */
const SHARE = /^[\d.]+\/\d+$/;

/** @param {Shown} value */
export function shown(value) {
  if (typeof value === "string") return SHARE.test(value) ? value.split("/").map((part) => number(Number(part))).join("/") : say(value);
  return number(value);
}

/** @param {number} value */
function number(value) {
  const text = new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(Math.abs(value));
  return value < 0 ? `\u2212${text}` : text;
}

/** @param {Sentence} text */
export function sentence({ key, values }) {
  return say(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)])));
}
