// @ts-check
// The levels of a puzzle: an option of the game whose choices get harder, written into its spec.

/** @import { GameFacts } from "./wire.d.ts" */

/** @param {string} option */
const pattern = (option) => new RegExp(`,?\\b${option}=(\\w+)`);

/** Return the levels of a game, the easiest first; none where it has no levels. @param {GameFacts | undefined} game */
export function levelsOf(game) {
  return game?.options.find((each) => each.name === game.level_option)?.choices ?? [];
}

/** Return the level that a spec names; undefined where it names none. @param {string} spec @param {string} option */
export function levelIn(spec, option) { return option ? pattern(option).exec(spec)?.[1] : undefined; }

/** Return a spec without its level. @param {string} spec @param {string} option */
export function withoutLevel(spec, option) { return option ? spec.replace(pattern(option), "") : spec; }

/**
 * Return a spec with another level; undefined removes it.
 * @param {string} spec
 * @param {string} option
 * @param {string | undefined} level
 */
export function withLevel(spec, option, level) {
  const plain = withoutLevel(spec, option);
  return level === undefined ? plain : `${plain}${plain.includes(":") ? "," : ":"}${option}=${level}`;
}
