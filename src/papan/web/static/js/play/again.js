// @ts-check
// From this game to another one: rematch, the other side, a replay, an analysis; or the end of it.

import { deal } from "../api.js";
import { confirmed } from "../dialogs.js";
import { announce } from "../dom.js";
import { anySeed } from "../files.js";
import { say } from "../language.js";
import { go } from "../router.js";
import { PERSON } from "../table.js";
import { sentence } from "./words.js";

/** @typedef {import("./screen.js").PlayScreen} PlayScreen */

export function fresh() {
  return go("/");
}

/** Clocks as they were at the start.
 * @param {PlayScreen} screen */
function fullClock({ clocks }) {
  return clocks.facts && { ...clocks.facts, left: [] };
}

/** The same game with the seats swapped.
 * @param {PlayScreen} screen */
export function rematch(screen) {
  return again(screen, screen.table.seats.slice().reverse());
}

/** The same game from its start; where there is chance, a new seed decides.
 * @param {PlayScreen} screen @param {string[]} [seats] @param {string} [game] */
export async function again(screen, seats = screen.table.seats, game = "") {
  const { table } = screen;
  const chance = table.board.seats === 1 || !table.start.includes(" ");
  const spec = game || table.start.split(" ")[0];
  const start = chance ? await deal(spec.replace(/,?seed=\d+/, ""), anySeed()) : table.start;
  await screen.open(screen.screen, { start, moves: [], seats, clock: fullClock(screen) });
}

/** Go on from here on the other seat.
 * @param {PlayScreen} screen */
export function swap(screen) {
  return screen.change(() => {
    screen.table.seats.reverse();
    screen.turns.stopped = false;
  });
}

/** Look at the game again, from its first move.
 * @param {PlayScreen} screen */
export function replay(screen) {
  const { moves, givenUp, undone, watched } = screen.table;
  const then = watched ? [...moves, ...undone.slice().reverse()] : moves;
  return screen.open("watch", { moves: [], then, givenUp, clock: null });
}

/** Play on from a position that was only watched.
 * @param {PlayScreen} screen */
export function takeOver(screen) {
  const { seats, board } = screen.table;
  const taken = seats.map((each, seat) => (seat === board.turn && !seats.includes(PERSON) ? PERSON : each));
  return screen.open("play", { seats: taken });
}

/** @param {PlayScreen} screen */
export function analyse(screen) {
  return screen.open("analyse", { seats: [], clock: null });
}

/** @param {PlayScreen} screen */
export async function resign(screen) {
  if (!(await confirmed(say("screen.resign"), say("screen.yes")))) return;
  const { table } = screen;
  const seat = table.sitter === PERSON ? table.board.turn : table.seats.indexOf(PERSON);
  await screen.change(() => table.giveUp("resigned", seat));
  announce(sentence(screen));
}
