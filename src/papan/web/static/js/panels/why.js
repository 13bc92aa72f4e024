// @ts-check
// The panel of reasons: why a move was chosen, what a search has found, how sure that is, its cost, and the value
// of every move.

import { agentTitle, count, known, player, rounded, say, sayAll, sayMessage, signed } from "../language.js";
import { source } from "../pickers.js";
import { levelOf } from "../players.js";
import { change, settings } from "../settings.js";
import { helpLink, meaning } from "../ui.js";
import { SIGNS, formatValue, isBound, look, looks } from "../values.js";
import { h } from "../vendor/preact.mjs";
import { MOST_PLIES, details, generations, lineOf } from "./details.js";
/** @import { Message } from "../language.js" */
/** @import { Search } from "../search.js" */
/** @import { MoveValue } from "../events.d.ts" */
/** @import { BoardFacts as Board } from "../wire.d.ts" */

/** For the sentence about what a value is made of, the key of its meaning. @type {Record<string, string>} */
const MADE_OF = {
  "web.ucb": "means.ucb",
  "explain.sum": "means.sum",
  "web.openings": "means.openings",
  "web.chain_value": "means.chain_value",
};
const MOST_BARS = 4;
const LEAST_BAR = 3; // per cent: a loss is seen, too
const LEAST_SPAN = 4; // points: what is nearly nothing looks so

/**
 * @typedef {object} Stage What a panel can do to the board beside it.
 * @property {(move: string | null) => void} point Points a move out.
 * @property {(line: string[]) => void} [preview] Shows where a line leads; an empty one ends it.
 * @property {(svg: string) => void} [paint] Draws over the board; nothing ends it.
 * @property {boolean} [unfolded] Numbers and the tree are unfolded unless somebody has folded them.
 */

/** @typedef {{kind: string, message: Message, svg: string, costs: boolean}} Clause A fact about a move. */

/** @typedef {object} WhyProps
 * @property {Search | undefined} search
 * @property {Board} board
 * @property {Stage} stage
 * @property {string} empty The text before there is a search.
 * @property {boolean} [whole] Show all numbers, as an analysis does.
 * @property {string[]} [called] The names of the players, seat by seat; by default their seats.
 */

/**
 * Return the panel of reasons: a sentence first, then bars, then all numbers in a fold; an analysis is not folded.
 * @param {WhyProps} props
 */
export function WhyPanel({ search, board, stage, empty, whole = false, called }) {
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
  if (whole) return h("div", { class: "why" }, said(search, board, stage, called), numbers);
  const open = settings.numbers ?? (stage.unfolded || !levelOf(search.agent)); // an algorithm was chosen to see it work
  return h("div", { class: "why" },
    h("div", { class: "why-head" },
      h("h3", {}, titleOf(search)),
      search.analysis && !search.error
        ? said(search, board, stage, called)
        : h("p", { class: "because" }, search.error ? verdictOf(search) : waiting(search)),
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
 * Return the few best moves, as bars of their values: sign by colour and shape, certainty by outline.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 */
function bars({ values, best, distances }, board, stage) {
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
    h("ul", { class: "bars", "aria-label": say("web.panel_values") },
      shown.map((each) =>
        h("li", {
            key: each.m,
            class: `${looks(each, board)}${each.m === best ? " best" : ""}`,
            onpointerenter: () => stage.point(each.m),
            onpointerleave: () => stage.point(null),
          },
          h("b", {}, each.m, each.m === best && " ★"),
          h("span", { class: "bar", "aria-hidden": "true" },
            h("span", { style: { width: `${Math.round(LEAST_BAR + (100 - LEAST_BAR) * share(each))}%` } }),
          ),
          meaning(inWords(each, board, distances[each.m]), "number", `means.${each.k}`),
        ),
      ),
    ),
  ];
}

/**
 * Return a value in words: a proof says who wins, and how soon; a bound says what it is at most or at least.
 * @param {MoveValue} value
 * @param {Board} board
 * @param {number} [plies]
 */
function inWords(value, board, plies) {
  const { v, k } = value;
  const decided = board.most === 1 && look(value) === "proved";
  if (isBound(value) && !(decided && v < 0))
    return decided ? say(v > 0 ? "web.unknown" : "because.at_most_draw") : say("because.at_most", { value: signed(v) });
  if (!decided || k === "between") return formatValue(value, board);
  if (k === "lower" && v <= 0) return say(v < 0 ? "web.unknown" : "because.at_least_draw");
  if (!v) return say("because.draws");
  const [soon, some] = v > 0 ? ["web.win_in", "because.wins"] : ["web.loss_in", "because.loses"];
  return plies === undefined ? say(some) : say(soon, { moves: Math.ceil(plies / 2), plies });
}

/** Return the name of the agent, with all settings that decide how it searches. @param {Search} search */
function thinker(search) {
  const name = search.agent.split(":")[0];
  const seed = search.start?.seed;
  const switches = Object.entries(search.start?.params ?? {})
    .filter(([setting, value]) => value === true && known(`web.setting_${setting}`)) // the others are off
    .map(([setting]) => say(`web.setting_${setting}`));
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

/** Return what the search has found, as one sentence. @param {Search} search */
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

/** Return how deep and how fast the search was, and why it stopped, as a sentence. @param {Search} search */
function workOf({ root, analysis }) {
  if (!root && !analysis) return "";
  const nodes = analysis?.nodes ?? root?.nodes ?? 0;
  const seconds = analysis?.seconds ?? (root?.ms ?? 0) / 1000;
  const parts = [
    root?.depth ? say("screen.depth", { depth: root.depth }) : "",
    meaning(say("web.nodes", { nodes: count(nodes) }), "nodes", "means.nodes", { "data-nodes": nodes }),
    seconds ? say("web.speed", { speed: count(Math.round(nodes / seconds)) }) : "",
    say("web.seconds", { seconds: rounded(seconds, 2) }),
    root?.pruned === undefined
      ? ""
      : meaning(say("web.pruned", { pruned: count(root.pruned) }), "pruned", "means.cuts", {
          "data-pruned": root.pruned,
        }),
    root?.tt ? say("web.table_hits", { share: Math.round(root.tt.hit * 100) }) : "",
    root?.tt?.size ? say("web.table_entries", { entries: count(root.tt.size) }) : "",
    analysis ? say(`why.${analysis.why}`) : "",
  ];
  return parts.filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part]));
}

/** Return a bar of the share of the time that is used up. @param {Search} search */
function budget({ began, seconds }) {
  const used = (performance.now() - began) / 1000;
  return h("progress", { max: seconds, value: Math.min(used, seconds), "aria-label": say("web.budget") });
}

/** Return what a solver adds to its proof: book, table, and notes of its game. @param {Search} search */
function knowledge(search) {
  /** @type {Message[]} */
  const notes = search.analysis?.explanation.notes ?? [];
  return (
    notes.length > 0 &&
    h("ul", { class: "knowledge quiet" },
      notes.map((each) => h("li", {}, sayMessage(each))),
      search.analysis?.facts?.proof && h("li", {}, helpLink("prove#the-check", "help.about_proofs")),
    )
  );
}

/**
 * Return every move with its value; moves without one come last, unless the board shows another position.
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
    h("p", { class: "quiet" },
      board.seats === 1
        ? say("web.values_alone")
        : say("web.values_for", { player: player(search.turn, board.seats) }),
    ),
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

/** Return the meanings of the signs in front of these values. @param {MoveValue[]} values @param {Search} search */
function legend(values, search) {
  const kinds = new Map(values.map((each) => [each.k, each]));
  const words = Object.keys(SIGNS).flatMap((kind) => kinds.get(/** @type {keyof typeof SIGNS} */ (kind)) ?? []);
  return words.flatMap((each, place) => [
    place ? " · " : "",
    meaning(SIGNS[each.k], `badge ${look(each)}`, `means.${each.k}`),
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
    meaning(
      [formatValue(value, board, search.distances[value.m]), h("span", { class: "unseen" }, ` (${kind})`)],
      `badge ${looks(value, board)}`,
      `means.${value.k}`,
      { title: kind },
    ),
    value.k === "visits"
      ? h("meter", { min: 0, max: 1, value: value.v, "aria-hidden": "true" })
      : h("span", { class: "effort quiet", title: detail(value, search) }, effort(value, search, most)),
    lineOf(line, stage, line.slice(1, MOST_PLIES + 1).join(" ")),
    value.says
      ? meaning(sayMessage(value.says), "terms quiet", MADE_OF[value.says.key])
      : h("span", { class: "terms quiet" }),
  );
}

/**
 * Return the meaning of a value; a random agent's shares are probabilities.
 * @param {MoveValue} value
 * @param {Search} search
 */
function kindOf(value, search) {
  return search.agent.startsWith("random") ? say("web.chance") : say(`kind.${value.k}`);
}

/**
 * Return how soon the game ends, or the nodes of the search, as text.
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

/** Return the facts behind a value: nodes, and Connect 4's score. @param {MoveValue} value @param {Search} search */
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
 * Return the rules of a greedy agent in their order, and which of them applied to which move.
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

/**
 * Return the reason of a move, a sentence for each fact, which is drawn on the board while it is read; and how sure it
 * is.
 * @param {Search} search
 * @param {Board} board
 * @param {Stage} stage
 * @param {string[]} [called] The names of the players.
 */
function said(search, board, stage, called = []) {
  /** @type {{clauses: Clause[], certainty: {kind: string, message: Message}} | null | undefined} */
  const reason = search.analysis?.explanation.reason;
  if (!reason) return null;
  const { turn } = search;
  const name = (/** @type {number} */ seat) => called[seat] ?? player(seat, board.seats);
  const people = { player: name(turn), rival: name(1 - turn) };
  const { kind, message } = reason.certainty;
  return [
    h("p", { class: "because" },
      reason.clauses.map((each, place) => [place > 0 && " ", clause(each, people, stage)]),
    ),
    h("p", { class: "sure" },
      meaning(sayMessage(message), `badge ${kind === "proved" ? "proved" : "guessed"}`, `means.sure_${kind}`),
    ),
  ];
}

/**
 * @param {Clause} clause
 * @param {Record<string, unknown>} people
 * @param {Stage} stage
 */
function clause({ kind, message, svg, costs }, people, { paint }) {
  const words = sayMessage(message, people);
  const name = `clause ${kind}${costs ? " costs" : ""}`;
  if (!svg || !paint) return h("span", { class: name }, words);
  const [show, hide] = [() => paint(svg), () => paint("")];
  return h("span", {
      class: `${name} drawn`,
      tabindex: 0,
      onfocus: show,
      onblur: hide,
      onpointerenter: show,
      onpointerleave: hide,
    },
    words,
  );
}

/** Return how the agent itself came to its move; only the first sentence names it. @param {Search} search */
function voice(search) {
  const agent = agentTitle(search.agent);
  /** @type {Message[]} */
  const said = search.analysis?.explanation.voice ?? [];
  const words = said.map((each, place) => sayMessage(each, { player: place ? say("because.it") : agent }));
  return words.length > 0 && h("p", { class: "voice" }, words.join(" "));
}
