// @ts-check
// Watching two agents: the thoughts of both side by side, time to read a reason, and turning points.

import { say, sayMessage } from "./language.js";
import { WhyPanel } from "./panels/why.js";
import { settings } from "./settings.js";
import { h } from "./vendor/preact.mjs";
/** @import { Stage } from "./panels/why.js" */
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { Search } from "./search.js" */

const A_LETTER = 50; // milliseconds to read it
const AT_LEAST = 1500;
const SWING = 0.2; // share of all there is to win, on either side of even

/** Return how long a move waits so that its reason can be read, in milliseconds. @param {Search} [search] */
export function pauseFor(search) {
  if (settings.speed) return 1000 / settings.speed;
  const clauses = search?.analysis?.explanation.reason?.clauses ?? [];
  const said = clauses.map((/** @type {any} */ each) => sayMessage(each.message)).join(" ");
  return Math.max(AT_LEAST, A_LETTER * said.length);
}

/**
 * Return what makes a move a turning point, as the key of a sentence; nothing if it is none.
 * @param {Search} search
 * @param {Search | undefined} before The one before it of the same player.
 * @param {number} most What can be won.
 */
export function turningPoint(search, before, most) {
  const clauses = search.analysis?.explanation.reason?.clauses ?? [];
  if (clauses.some((/** @type {any} */ { kind }) => kind === "slip")) return "watch.slipped";
  if (search.analysis?.exact && before?.analysis && !before.analysis.exact) return "watch.proved";
  const [now, then] = [outlook(search, most), before ? outlook(before, most) : 0];
  return now * then < 0 && Math.min(Math.abs(now), Math.abs(then)) >= SWING ? "watch.swung" : "";
}

/**
 * Return how good the best move looks to its player, from -1 to 1; 0 if unknown.
 * @param {Search} search
 * @param {number} most
 */
function outlook({ values, best }, most) {
  const value = values.find((each) => each.m === best);
  if (!value) return 0;
  return value.k === "visits" ? 2 * value.v - 1 : Math.max(-1, Math.min(1, value.v / most));
}

/**
 * Return the thoughts of both agents, each about its latest move.
 * @param {PlayScreen} screen
 * @param {Stage} stage
 * @param {string[]} called
 */
export function thoughts({ game, agent }, stage, called) {
  return h("div", { class: "thoughts" },
    called.map((player, seat) =>
      h("section", { key: seat, class: `thought seat-${seat}`, "aria-label": player },
        h(WhyPanel, {
          search: agent.latest(seat),
          board: game.board,
          stage: { ...stage, unfolded: true },
          called,
          empty: say("watch.waits", { player }),
        }),
      ),
    ),
  );
}
