// @ts-check
// How somebody is doing with puzzles, kept in this browser alone: a rating, streaks, what comes back.
// The twin of `Progress` in the package of puzzles.

import { Refusal, boardOf, dailyPuzzle, puzzleNamed } from "./api.js";
import { gameName, say } from "./language.js";
import { keep, read } from "./settings.js";
import { Drawing, link } from "./ui.js";
import { Component, h } from "./vendor/preact.mjs";
/** @import { PuzzleFacts } from "./wire.d.ts" */

/**
 * @typedef {object} Progress
 * @property {number} rating
 * @property {number} tried
 * @property {number} streak Solved in a row.
 * @property {number} days Days in a row on which the puzzle of the day was solved.
 * @property {string} last_day
 * @property {Record<string, [number, string]>} missed By name, or all of it where the server does not bring it: how often each was solved since, and the day on which it comes back.
 * @property {string[]} seen The last ones, which are not asked again soon.
 */

const PLACE = "papan.puzzles";
const UNSETTLED = 20; // for so many puzzles a rating moves by up to 40 points, then by up to 20
const DAYS = [1, 3, 7, 16]; // after how many days a puzzle that was missed comes back
const MOST_SEEN = 100;
const DAY = 86_400_000; // milliseconds

/** The date, the same for everyone. @param {number} [later] In so many days. */
export function today(later = 0) { return new Date(Date.now() + later * DAY).toISOString().slice(0, 10); }

/** @returns {Progress} */
export function progress() {
  return { rating: 1000, tried: 0, streak: 0, days: 0, last_day: "", missed: {}, seen: [], ...read(PLACE) };
}

/** What is to be repeated, the oldest first. @param {Progress} kept */
export function due({ missed }) {
  return Object.entries(missed).filter(([, [, day]]) => day <= today()).sort(([, [, one]], [, [, other]]) => (one < other ? -1 : 1)).map(([name]) => name);
}

/** One of those to be repeated; null where the server no longer has it: then it is no more to be repeated.
 * @param {string} name @returns {Promise<PuzzleFacts | null>} */
export async function missedPuzzle(name) {
  try {
    return await puzzleNamed(name);
  } catch (error) {
    const { [name]: gone, ...missed } = progress().missed;
    if (error instanceof Refusal && [404, 422].includes(error.status)) keep(PLACE, { ...progress(), missed });
    return null;
  }
}

/** Keep the first answer to a puzzle. @param {PuzzleFacts} puzzle @param {boolean} solved */
export function judged({ name, rating }, solved) {
  const kept = progress();
  const expected = 1 / (1 + 10 ** ((rating - kept.rating) / 400));
  const step = kept.tried < UNSETTLED ? 40 : 20;
  keep(PLACE, {
    ...kept, rating: kept.rating + step * (Number(solved) - expected), tried: kept.tried + 1, streak: solved ? kept.streak + 1 : 0,
    missed: repetitions(name, solved, kept.missed), seen: [...kept.seen.filter((each) => each !== name), name].slice(-MOST_SEEN),
  });
}

/** The boxes of a Leitner system: one further when solved, back to the first when missed.
 * @param {string} name @param {boolean} solved @param {Progress["missed"]} missed @returns {Progress["missed"]} */
function repetitions(name, solved, { [name]: before, ...others }) {
  const box = solved && before ? before[0] + 1 : 0;
  const back = (!solved || box > 0) && box < DAYS.length;
  return back ? { ...others, [name]: [box, today(DAYS[box])] } : others;
}

/** The puzzle of the day is solved. */
export function judgedDaily() {
  const kept = progress();
  if (kept.last_day !== today()) keep(PLACE, { ...kept, days: kept.last_day === today(-1) ? kept.days + 1 : 1, last_day: today() });
}

/** A way to the puzzle of the day, with its board. @extends {Component<{}>} */
export class DailyCard extends Component {
  /** @type {PuzzleFacts | null} */
  puzzle = null;
  svg = "";

  async componentDidMount() {
    this.puzzle = await dailyPuzzle(today()).catch(() => null);
    if (this.puzzle) this.svg = (await boardOf(this.puzzle.text, []).catch(() => ({ svg: "" }))).svg;
    this.forceUpdate();
  }

  render() {
    const { puzzle } = this;
    const { days, last_day } = progress();
    const done = last_day === today();
    return h("section", { class: "daily", "aria-label": say("puzzle.daily") },
      h("div", { class: "mini board", "aria-hidden": "true", "data-game": puzzle?.game }, this.svg && h(Drawing, { text: this.svg })),
      h("div", {},
        h("h2", {}, say("puzzle.daily")),
        h("p", { class: "quiet" }, puzzle ? `${gameName(puzzle.game)} · ${say(`puzzle.theme_${puzzle.theme}`)}` : ""),
        h("p", { class: "row" },
          link("/puzzles/today", say(done ? "puzzle.look_again" : "puzzle.solve"), { class: "button" }), link("/puzzles", say("puzzle.more")),
          days > 0 && h("span", { class: "quiet" }, say("puzzle.days", { days })))));
  }
}
