// @ts-check
// The panel of reasons: why a move was chosen, what a search has found, how sure that is, its cost, and the value
// of every move.

import { agentTitle, count, known, player, rounded, say, sayAll, sayMessage, signed } from "../language.js";
import { source } from "../pickers.js";
import { levelOf } from "../players.js";
import { change, settings } from "../settings.js";
import { SIGNS, formatValue, look } from "../values.js";
import { h } from "../vendor/preact.mjs";
import { MOST_PLIES, details, generations, lineOf } from "./details.js";
/** @import { Message } from "../language.js" */
/** @import { Search } from "../search.js" */
/** @import { MoveValue } from "../events.d.ts" */
/** @import { BoardFacts as Board } from "../wire.d.ts" */

const MOST_BARS = 4;
const LEAST_BAR = 3; // per cent: a loss is seen, too
const LEAST_SPAN = 4; // points: what is nearly nothing looks so

/**
 * @typedef {object} Stage What a panel can do to the board beside it.
 * @property {(move: string | null) => void} point Points a move out.
 * @property {(line: string[]) => void} [preview] Shows where a line leads; an empty one ends it.
 * @property {(svg: string) => void} [paint] Draws over the board; nothing ends it.
 */

/** @typedef {object} WhyProps
 * @property {Search | undefined} search
 * @property {Board} board
 * @property {Stage} stage
 * @property {string} empty The text before there is a search.
 * @property {boolean} [whole] Show all numbers, as an analysis does.
 */

/**
 * A sentence first, then bars, then all numbers behind a fold; an analysis has them all at once.
 * @param {WhyProps} props
 */
export function WhyPanel({ search, board, stage, empty, whole = false }) {
  if (!search) return h("div", { class: "why" }, h("p", { class: "quiet" }, empty));
  const numbers = [
    !whole && voice(search),
    (whole || search.analysis) && h("div", { class: "verdict" }, verdictOf(search)),
    h("div", { class: "values" }, valueList(search, board, stage)),
    h("p", { class: "work quiet" }, workOf(search)),
    h("div", { class: "why-more" },
      search.analysis
        ? [knowledge(search), reasons(search, stage), details(search, board, stage)]
        : [whole && budget(search), generations(search, stage)],
    ),
    h("div", { class: "thinker" }, thinker(search)),
  ];
  if (whole) return h("div", { class: "why" }, numbers);
  const open = settings.numbers ?? !levelOf(search.agent); // an algorithm was chosen to see it work
  return h("div", { class: "why" },
    h("div", { class: "why-head" },
      h("h3", {}, titleOf(search)),
      h("p", { class: "because" },
        search.error ? verdictOf(search) : search.analysis ? because(search) : waiting(search),
      ),
    ),
    bars(search, board, stage),
    !search.analysis && budget(search),
    h("details", {
        class: "settings numbers",
        open,
        ontoggle: (event) => {
          if (event.currentTarget.open !== open) change({ numbers: event.currentTarget.open });
        },
      },
      h("summary", {}, say("because.numbers")),
      numbers,
    ),
  );
}

/** @param {Search} search */
function titleOf({ agent, analysis, best }) {
  const player = agentTitle(agent);
  return analysis ? say("because.title", { player, move: best }) : player;
}

/**
 * The few best moves, as bars of what they are worth, and how sure that is.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 */
function bars({ values, best, analysis, root, turn, distances }, board, stage) {
  if (values.length < 2) return null;
  const chosen = values.find((each) => each.m === best);
  const known = values.map((each) =>
    each.k === "pruned" && chosen ? { ...each, v: Math.min(each.v, chosen.v) } : each,
  ); // its bound may be of an earlier round
  const shown = [...known.filter((each) => each.m === best), ...known.filter((each) => each.m !== best)].slice(
    0,
    MOST_BARS,
  );
  const most = Math.max(board.most === 1 ? 1 : LEAST_SPAN, ...values.map((each) => Math.abs(each.v)));
  const share = (/** @type {MoveValue} */ { k, v }) => (k === "visits" ? v : (v / most + 1) / 2);
  return [
    h("ul", { class: `bars seat-${turn}`, "aria-label": say("web.panel_values") },
      shown.map((each) =>
        h("li", {
            key: each.m,
            class: each.m === best ? "best" : "",
            onpointerenter: () => stage.point(each.m),
            onpointerleave: () => stage.point(null),
          },
          h("b", {}, each.m, each.m === best && " ★"),
          h("span", { class: "bar", "aria-hidden": "true" },
            h("span", { style: { width: `${Math.round(LEAST_BAR + (100 - LEAST_BAR) * share(each))}%` } }),
          ),
          h("span", { class: "number" }, inWords(each, board, distances[each.m])),
        ),
      ),
    ),
    analysis &&
      h("p", { class: "sure" },
        analysis.exact
          ? h("span", { class: "badge proved" }, say("because.proved"))
          : h("span", { class: "badge guessed" },
              root?.depth ? say("because.guess_depth", { depth: root.depth }) : say("because.guess"),
            ),
      ),
  ];
}

/**
 * Format a value; where no points count, a proof says who wins, and how soon.
 * @param {MoveValue} value
 * @param {Board} board
 * @param {number} [plies]
 */
function inWords(value, board, plies) {
  if (board.most !== 1 || value.k !== "exact") return formatValue(value, board);
  if (!value.v) return say("because.draws");
  const [soon, some] = value.v > 0 ? ["web.win_in", "because.wins"] : ["web.loss_in", "because.loses"];
  return say(plies === undefined ? some : soon, { moves: Math.ceil((plies ?? 0) / 2) });
}

/** Who thinks, with all that decides how. @param {Search} search */
function thinker(search) {
  const name = search.agent.split(":")[0];
  const seed = search.start?.seed;
  const switches = Object.entries(search.start?.params ?? {})
    .filter(([setting, value]) => typeof value === "boolean" && known(`web.setting_${setting}`))
    .map(
      ([setting, value]) => `${say(`web.setting_${setting}`)}: ${say(value ? "web.choice_true" : "web.choice_false")}`,
    );
  return [
    h("p", { class: "quiet" },
      h("b", {}, agentTitle(search.agent)),
      ". ",
      known(`agent.${name}`) && say(`agent.${name}`),
      seed !== null && seed !== undefined && ` ${say("play.seed", { seed })}.`,
      switches.length > 0 && h("span", { class: "switches" }, ` ${switches.join(", ")}.`),
    ),
    source(search.agent),
  ];
}

/** What the search has found out, in one sentence. @param {Search} search */
function verdictOf(search) {
  if (search.error) return h("strong", { class: "bad" }, say(search.error.key, search.error.values));
  const found = search.analysis;
  if (!found) return waiting(search);
  return [
    h("strong", { "data-proof": found.exact ? "exact" : "none" }, sayAll(found.explanation.verdict)),
    found.line.length > 0 &&
      h("span", { class: "expected" }, say("analyse.line", { line: found.line.slice(0, MOST_PLIES).join(" ") })),
  ];
}

/** @param {Search} search */
function waiting({ compiling }) { return say(compiling ? "web.compiling_first" : "web.thinking"); }

/** How far the search came, how fast, and why it stopped. @param {Search} search */
function workOf({ root, analysis }) {
  if (!root && !analysis) return "";
  const nodes = analysis?.nodes ?? root?.nodes ?? 0;
  const seconds = analysis?.seconds ?? (root?.ms ?? 0) / 1000;
  const parts = [
    root?.depth ? say("screen.depth", { depth: root.depth }) : "",
    h("span", { class: "nodes", "data-nodes": nodes }, say("web.nodes", { nodes: count(nodes) })),
    seconds ? say("web.speed", { speed: count(Math.round(nodes / seconds)) }) : "",
    say("web.seconds", { seconds: rounded(seconds, 2) }),
    root?.pruned === undefined
      ? ""
      : h("span", { class: "pruned", "data-pruned": root.pruned }, say("web.pruned", { pruned: count(root.pruned) })),
    root?.tt ? say("web.table_hits", { share: Math.round(root.tt.hit * 100) }) : "",
    root?.tt?.size ? say("web.table_entries", { entries: count(root.tt.size) }) : "",
    analysis ? say(`why.${analysis.why}`) : "",
  ];
  return parts.filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part]));
}

/** How much of the time is used up. @param {Search} search */
function budget({ began, seconds }) {
  const used = (performance.now() - began) / 1000;
  return h("progress", { max: seconds, value: Math.min(used, seconds), "aria-label": say("web.budget") });
}

/** What a solver adds to its proof: book, table, and what its game has to say. @param {Search} search */
function knowledge(search) {
  /** @type {Message[]} */
  const notes = search.analysis?.explanation.notes ?? [];
  return (
    notes.length > 0 &&
    h("ul", { class: "knowledge quiet" },
      notes.map((each) => h("li", {}, sayMessage(each))),
    )
  );
}

/**
 * List every move with its value; moves without one come last, unless the board shows another position.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 */
function valueList(search, board, stage) {
  const { values } = search;
  if (!values.length) return null;
  const valued = new Set(values.map((each) => each.m));
  const others = search.position === board.position ? board.legal.filter((each) => !valued.has(each.m)) : [];
  const most = Math.max(...values.map((each) => each.n), 1);
  return [
    h("p", { class: "quiet" }, say("web.values_for", { player: player(search.turn, board.seats) })),
    h("ul", { class: "value-list", tabindex: 0, "aria-label": say("web.panel_values") },
      values.map((each) => row(each, search, board, most, stage)),
      others.map(({ m }) =>
        h("li", { key: m, "data-move": m, "data-kind": "unknown" },
          h("b", { class: "move" }, m),
          h("span", { class: "badge unknown" }, say("web.unknown")),
        ),
      ),
    ),
    h("p", { class: "legend quiet" },
      legend(values, search),
      board.most === 1 && values.some((each) => look(each) === "proved") && ` · ${say("web.short_legend")}`,
    ),
  ];
}

/** What the signs in front of these values mean. @param {MoveValue[]} values @param {Search} search */
function legend(values, search) {
  const kinds = new Map(values.map((each) => [each.k, each]));
  const words = Object.keys(SIGNS).flatMap((kind) => kinds.get(/** @type {keyof typeof SIGNS} */ (kind)) ?? []);
  return words.flatMap((each, place) => [
    place ? " · " : "",
    h("span", { class: `badge ${look(each)}` }, SIGNS[each.k]),
    ` ${kindOf(each, search)}`,
  ]);
}

/**
 * @param {MoveValue} value
 * @param {Search} search
 * @param {Board} board
 * @param {number} most Of all nodes.
 * @param {Stage} stage
 */
function row(value, search, board, most, stage) {
  const best = value.m === search.best;
  const line = value.pv ?? [];
  const kind = kindOf(value, search);
  return h("li", {
      key: value.m,
      class: best ? "best" : "",
      "data-move": value.m,
      "data-kind": value.k,
      "data-nodes": value.n,
      "data-value": value.v,
      onpointerenter: () => stage.point(value.m),
      onpointerleave: () => stage.point(null),
    },
    h("b", { class: "move" }, value.m, best && h("span", { class: "star", title: say("web.best") }, " ★")),
    h("span", { class: `badge ${look(value)}`, title: kind },
      formatValue(value, board, search.distances[value.m]),
      h("span", { class: "unseen" }, ` (${kind})`),
    ),
    value.k === "visits"
      ? h("meter", { min: 0, max: 1, value: value.v, "aria-hidden": "true" })
      : h("span", { class: "effort quiet", title: detail(value, search) }, effort(value, search, most)),
    lineOf(line, stage, line.slice(1, MOST_PLIES + 1).join(" ")),
    h("span", { class: "terms quiet" }, value.says && sayMessage(value.says)),
  );
}

/** What a value means; a random agent's shares are chances. @param {MoveValue} value @param {Search} search */
function kindOf(value, search) {
  return search.agent.startsWith("random") ? say("web.chance") : say(`kind.${value.k}`);
}

/**
 * Say how soon the game ends, or how many nodes that took.
 * @param {MoveValue} value
 * @param {Search} search
 * @param {number} most
 */
function effort(value, search, most) {
  const plies = search.distances[value.m];
  if (plies !== undefined && value.k === "exact")
    return say(value.v > 0 ? "web.win_in" : value.v < 0 ? "web.loss_in" : "web.draw_in", {
      moves: Math.ceil(plies / 2),
      plies,
    });
  if (search.generations.length) return say("web.individuals", { number: count(value.n) });
  return most > 1 ? count(value.n) : "";
}

/** What is behind it: nodes, and Connect 4's score. @param {MoveValue} value @param {Search} search */
function detail(value, search) {
  const score = search.scores[value.m];
  return [
    say("web.nodes", { nodes: count(value.n) }),
    score === undefined ? "" : say("web.score_of", { score: signed(score) }),
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * Greedy agents: each rule in its order, and which of them fired for which move.
 * @param {Search} search
 * @param {Stage} stage
 */
function reasons(search, stage) {
  if (!search.reasons.length) return null;
  /** @type {{key: string, values: Record<string, unknown>}[]} */
  const greedy = search.analysis?.facts?.greedy ?? [];
  const rules = [...(search.root?.rules ?? [])].sort((one, other) => other.v - one.v); // the weightiest first
  const fired = new Set(search.reasons.filter((each) => each.m === search.best).map((each) => each.rule));
  return [
    rules.length > 0 && [
      h("h4", {}, say("web.rules")),
      h("ol", { class: "rules" },
        rules.map((each) =>
          h("li", { class: fired.has(each.rule) ? "best" : "", "data-rule-in-order": each.rule },
            h("span", { class: "number" }, signed(each.v)),
            " ",
            say(each.rule),
            fired.has(each.rule) && ` ✓ ${say("web.fired")}`,
          ),
        ),
      ),
    ],
    h("h4", {}, say("web.reasons")),
    h("ul", { class: "reasons" },
      search.reasons.map((each) =>
        h("li", {
            class: each.m === search.best ? "best" : "",
            "data-rule": each.rule,
            onpointerenter: () => stage.point(each.m),
            onpointerleave: () => stage.point(null),
          },
          h("b", {}, each.m),
          " ",
          sayMessage(each.says),
        ),
      ),
    ),
    greedy.length > 0 && [
      h("h4", {}, say("web.greedy")),
      h("ol", { class: "greedy" },
        greedy.map((each) => h("li", { "data-element": each.key }, say(each.key, each.values))),
      ),
    ],
  ];
}

/** The reason of a move, a sentence for each fact. @param {Search} search */
function because(search) {
  const people = { player: agentTitle(search.agent), rival: say("because.rival") };
  const clauses = search.analysis?.explanation.reason?.clauses ?? [];
  return clauses.map((/** @type {{message: Message}} */ each) => sayMessage(each.message, people)).join(" ");
}

/** How the agent itself came to its move; only the first sentence names it. @param {Search} search */
function voice(search) {
  const agent = agentTitle(search.agent);
  /** @type {Message[]} */
  const said = search.analysis?.explanation.voice ?? [];
  const words = said.map((each, place) => sayMessage(each, { player: place ? say("because.it") : agent }));
  return words.length > 0 && h("p", { class: "voice" }, words.join(" "));
}
