// @ts-check
// What the buttons and keys of an analysis do, beyond walking through the moves.

import { fill } from "../dom.js";
import { say } from "../language.js";
import { go } from "../router.js";
import { change, settings } from "../settings.js";
import { addressOf } from "../table.js";
import { openCompare } from "./compare.js";
import { openExports } from "./exports.js";
import { readPaste } from "./paste.js";

/** @typedef {import("./screen.js").AnalyseScreen} AnalyseScreen */

/** @param {AnalyseScreen} screen */
export function playBest(screen) {
  const best = screen.story?.best;
  if (best) screen.walk.move(best);
}

/** Show where a line leads, or the position again.
 * @param {AnalyseScreen} screen @param {string[]} line */
export async function preview(screen, line) {
  const { ghost } = screen.sight;
  if (!line.length) {
    if (ghost.shown) screen.show();
  } else if (await ghost.show(screen.table, line)) fill(screen.desk.status, say("web.ghost"));
}

/** Show where the expected line leads, or the position again.
 * @param {AnalyseScreen} screen */
export function toggleGhost(screen) {
  preview(screen, screen.sight.ghost.shown ? [] : screen.story?.analysis?.line ?? []);
}

/** @param {AnalyseScreen} screen */
export function toggleFeatures(screen) {
  change({ features: !settings.features });
  screen.show();
}

/** Go to the position that words mean.
 * @param {AnalyseScreen} screen @param {string} words */
export async function read(screen, words) {
  fill(screen.desk.problem);
  try {
    const { start, board } = await readPaste(words, screen.table.board.game);
    await go(screen.address(start, board.game, board.moves));
  } catch (error) {
    screen.complain(error);
  }
}

/** Judge the whole game.
 * @param {AnalyseScreen} screen */
export async function review(screen) {
  screen.search.running = false;
  screen.search.stop();
  await screen.reviewed.run(screen.table.start, screen.walk.line, screen.table.board.seats);
  if (!screen.left) screen.show();
}

/** @param {AnalyseScreen} screen */
export function compare(screen) {
  if (screen.table.board.end === "open") openCompare(screen.table).catch((error) => screen.complain(error));
}

/** @param {AnalyseScreen} screen */
export function takeAway(screen) {
  openExports(screen.table);
}

/** @param {AnalyseScreen} screen */
export function playFromHere(screen) {
  const { start, moves, board } = screen.table;
  const seats = ["human", "level:3"].slice(0, board.seats);
  go(addressOf("play", { start, moves, seats, seconds: screen.search.seconds }, board.game));
}
