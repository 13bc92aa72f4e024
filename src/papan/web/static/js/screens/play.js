// @ts-check
// Play and watch: from an address to a table with its screen.

import { deal } from "../api.js";
import { anySeed } from "../files.js";
import { gameTitle } from "../language.js";
import { PlayScreen } from "../play/screen.js";
import { settings } from "../settings.js";
import { PERSON, Table, factsOf } from "../table.js";

/** @param {URL} url */
export async function play(url) {
  return open(url, "play", [PERSON, "level:3"]);
}

/** @param {URL} url */
export async function watch(url) {
  return open(url, "watch", ["level:3", "level:4"]);
}

/** @param {URL} url @param {"play" | "watch"} screen @param {string[]} seats @returns {Promise<import("../router.js").Screen>} */
async function open(url, screen, seats) {
  const { game, facts } = factsOf(url, { start: "", moves: [], seats, seconds: settings.seconds });
  const seed = anySeed();
  if (!url.searchParams.has("pos") && !facts.moves.length && !facts.then?.length) facts.start = await deal(game, seed);
  if (!url.searchParams.has("seats")) facts.seats = seats.map((each) => (each === PERSON ? each : `${each},seed=${seed}`));
  const table = await Table.open(facts);
  table.watched = screen === "watch";
  table.seats = Array.from({ length: table.board.seats }, (_, seat) => table.seats[seat] ?? seats[seat]);
  const view = new PlayScreen(table, screen, facts.clock);
  view.begin();
  return { title: gameTitle(table.board.game), element: view.element, leave: () => view.leave() };
}
