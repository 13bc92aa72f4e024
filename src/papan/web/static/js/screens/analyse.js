// @ts-check
// Analyse and solve: any position, both sides free to move, the value of every move with its proof.

import { AnalyseScreen } from "../analyse/screen.js";
import { usualAgent } from "../analyse/searching.js";
import { gameTitle, say } from "../language.js";
import { settings } from "../settings.js";
import { PERSON, Table, factsOf } from "../table.js";

/** @param {URL} url */
export async function analyse(url) {
  return open(url, "analyse");
}

/** @param {URL} url */
export async function solve(url) {
  return open(url, "solve");
}

/** @param {URL} url @param {"analyse" | "solve"} name @returns {Promise<import("../router.js").Screen>} */
async function open(url, name) {
  const { facts } = factsOf(url, { start: "", moves: [], seats: [], seconds: name === "solve" ? 5 : settings.seconds });
  const table = await Table.open(facts);
  const screen = new AnalyseScreen(table, name, facts.seats.find((each) => each !== PERSON) ?? usualAgent(table.board));
  await screen.begin(url.searchParams.get("edit"));
  const key = name === "solve" ? "web.solve_game" : "web.analyse_game";
  return { title: say(key, { game: gameTitle(table.board.game) }), element: screen.desk.element, leave: () => screen.leave() };
}
