// @ts-check
// What is at a spot of a board, in words.

import { known, say } from "./language.js";

/** @param {string} spot @param {string} shown What the board in characters shows there. */
export function describe(spot, shown) {
  const content = shown.replace(/^\d+(?=[.xo])/, "");
  const stones = [...content].filter((letter) => letter !== ".");
  if (!stones.length) return say("web.spot_empty", { spot });
  if (/^[-|]+$/.test(content)) return say("web.spot_drawn", { spot });
  const text = /^\d+$/.test(content) ? tileName(content) : stones.reverse().join(" ").toUpperCase();
  return say("web.spot_holds", { spot, content: text });
}

/** What a tile shows, and its number.
 * @param {string} number */
function tileName(number) {
  const key = `onet.tile_${number}`;
  return known(key) ? `${say(key)} (${number})` : number;
}
