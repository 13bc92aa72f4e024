// @ts-check
// After a game: the card with its result and what can be done next; and the review of the whole game in
// words: what decided it, each mistake with its kind and its reason, played out on the board, and how the value went.

import { review } from "../api.js";
import { docked } from "../game_screen.js";
import { agentTitle, calledInWords, decimal, known, minutes, say, trouble } from "../language.js";
import { levelOf } from "../players.js";
import { go } from "../router.js";
import { PERSON, addressOf, bestTime, myGames, reviewAddress, winsInARow } from "../saved_game.js";
import { icon, labelled, link, meaning, select, tool } from "../ui.js";
import { lineChart } from "../values.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { GameState } from "../game.js" */
/** @import { Message } from "../language.js" */
/** @import { Line } from "../line_player.js" */
/** @import { PlayScreen } from "../screens/play.js" */
/** @import { Search } from "../search.js" */
/** @import { Known } from "../values.js" */
/** @import { Child } from "../vendor/preact.mjs" */
/**
 * What a finished game adds to those saved in this browser.
 * @typedef {object} Result
 * @property {number | null} best The best time of this board, in seconds.
 * @property {boolean} record True if this game has set it.
 * @property {number} stars 0 to 3, for a board that was cleared.
 * @property {number} row Wins in a row.
 */

/**
 * @typedef {object} Verdict The verdict on one move: see `Verdict` in core/reviewer.py.
 * @property {number} ply
 * @property {number} seat
 * @property {string} move
 * @property {"optimal" | "lost" | "changed" | "open"} kind
 * @property {"exact" | "lower" | "half" | "estimate"} sure
 * @property {boolean} obvious A short look ahead sees it.
 * @property {string[]} plan The better play.
 * @property {string[]} refutation The play that shows the mistake, after the move.
 * @property {Message[]} ends What is seen at the end of the refutation, and of the plan.
 * @property {{key: string, values: Record<string, unknown>}[]} said
 * @property {string} lesson The address of the lesson about it.
 * @property {number | null} value
 * @property {boolean} proved
 * @property {number | null} then The value after the move.
 * @property {boolean} then_proved
 *
 * @typedef {Message & {seat: number}} Remark A sentence about the game, and the seat that *player* means.
 */

const STRONGEST = 5; // opponent
const FEWEST = 5; // moves that are worth a judgement
const PAUSE = 500; // milliseconds before a review begins: players often go on at once
const STARS = 3; // for a board that is cleared without aids

/**
 * Return the sentences of a verdict.
 * @param {Verdict} verdict
 * @param {string[]} called The names of the players: see `calledInWords`.
 */
export function wordsOf(verdict, called) {
  return verdict.said.map((each) => spoken(each, verdict.seat, called)).join(" ");
}

/**
 * Return a sentence about a seat.
 * @param {Message} message
 * @param {number} seat
 * @param {string[]} called
 */
function spoken({ key, values }, seat, called) {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? decimal(String(value)) : value,
  ]);
  return say(key, { player: called[seat], rival: called[1 - seat], ...Object.fromEntries(shown) });
}

/** Return what decided the game. @param {Remark[]} story @param {string[]} called */
function storyText(story, called) { return story.map((each) => spoken(each, each.seat, called)).join(" "); }

/** @param {number | null} value To the first seat. @param {boolean} proved @returns {Known | null} */
function knownValue(value, proved) {
  return value === null ? null : { value: { v: value, k: proved ? "exact" : "estimate" }, turn: 0 };
}

/** Return the kind of a mistake, with its word and its sign. @param {Verdict} verdict */
function kindOf({ obvious }) {
  return obvious
    ? { name: "blunder", sign: "??", word: "review.blunder", about: "web.review_blunder" }
    : { name: "hidden-mistake", sign: "?", word: "review.hidden", about: "web.review_hidden" };
}

/**
 * Members of the screen that a review uses.
 * @typedef {object} Around
 * @property {import("../game.js").GameState} game
 * @property {() => void} update
 * @property {{jump: (ply: number) => unknown}} steps
 * @property {import("../line_player.js").LinePlayer} player
 * @property {ValueHistory} history
 */

/** The review of a game: one mistake at a time under the board, all of them in a list. */
export class Review {
  /**
   * @param {Around} screen
   * @param {string[]} players Who played, where that is known.
   * @param {string[]} names What people are called.
   */
  constructor(screen, players, names) {
    this.screen = screen;
    this.players = players;
    this.names = names;
    /** @type {number | null} */
    this.whose = null; // whose mistakes are shown; null: everybody's
    /** @type {Map<number, {sign: string, text: string}>} */
    this.notes = new Map(); // what is wrong with a ply
    /** @type {Verdict[]} */
    this.verdicts = [];
    /** @type {Record<string, number>[]} */
    this.counts = []; // for each seat, once all is known
    /** @type {Remark[]} */
    this.story = []; // what decided the game
    this.total = 0;
    this.problem = "";
    /** @type {Verdict | null} */
    this.shown = null;
    this.controller = new AbortController();
  }

  /** The address of this review. */
  get address() {
    const { start, line, board, seconds, hints } = this.screen.game;
    return reviewAddress(
      { start, moves: line, players: this.players, names: this.names, seconds, hints },
      start.includes(" ") ? board.game : start,
    );
  }

  /** The names of the players for sentences. */
  get called() { return calledInWords(this.players, this.names, this.screen.game.board.seats); }

  get running() { return this.total > 0 && !this.counts.length && !this.problem; }

  stop() { this.controller.abort(); }

  /** Forget the verdicts: the game is another one from this ply on. @param {number} ply */
  forget(ply) {
    this.stop();
    for (const each of this.notes.keys()) if (each >= ply) this.notes.delete(each);
    this.verdicts = [];
    this.counts = [];
    this.story = [];
    this.total = 0;
    this.shown = null;
  }

  /** Judge every move; the verdicts come from the last move to the first. */
  async run() {
    const { start, line } = this.screen.game;
    this.forget(0);
    const { signal } = (this.controller = new AbortController());
    this.problem = "";
    this.total = line.length;
    this.screen.update();
    try {
      for await (const event of review({ start, moves: line.join(" ") }, signal)) this.#take(event);
    } catch (error) {
      if (!signal.aborted) this.problem = trouble(error);
    }
    if (!signal.aborted) this.screen.update();
  }

  /** @param {import("../events.d.ts").SearchEvent} event */
  #take(event) {
    if (event.t === "verdict") {
      const verdict = /** @type {Verdict} */ (/** @type {unknown} */ (event));
      this.verdicts.unshift(verdict);
      this.screen.history.values[verdict.ply] = verdict.value;
      this.screen.history.guessed[verdict.ply] = !verdict.proved;
      if (verdict.said.length)
        this.notes.set(verdict.ply, { sign: kindOf(verdict).sign, text: wordsOf(verdict, this.called) });
    } else if (event.t === "answer") {
      this.counts = event.counts;
      this.story = event.story;
      const moment = this.verdicts.find((each) => each.ply === event.moment);
      if (moment) this.show(moment);
    } else if (event.t === "error") this.problem = say(event.key, event.values);
    this.screen.update();
  }

  /** The mistakes that are shown, first move first. */
  get mistakes() {
    return this.verdicts.filter((each) => each.said.length && (this.whose === null || each.seat === this.whose));
  }

  /** The seat that made each move; undefined before all are judged. */
  get turns() { return this.counts.length ? this.verdicts.map((each) => each.seat) : undefined; }

  /** Show a mistake: the position in which it was made. @param {Verdict} verdict */
  show(verdict) {
    this.shown = verdict;
    this.screen.steps.jump(verdict.ply);
  }

  /** Return the verdict that is shown, if its move is the next one on the board; else null. @param {number} ply */
  at(ply) { return this.shown?.ply === ply ? this.shown : null; }

  /**
   * Return the value of the position before a ply; null if it is not known.
   * @param {number} ply
   * @returns {import("../values.js").Known | null}
   */
  valueAt(ply) {
    const found = this.verdicts.find((each) => each.ply === ply);
    return found ? knownValue(found.value, found.proved) : null;
  }

  /**
   * Continue from before a mistake: a person on its seat, against the same opponent.
   * @param {Verdict} verdict
   */
  tryAgain({ ply, seat }) {
    const { start, line, board, seconds } = this.screen.game;
    const [maker, other] = [this.players[seat] ?? PERSON, this.players[1 - seat] ?? "level:3"];
    const rival = other === PERSON && maker !== PERSON ? maker : other; // the two of them change seats
    const players = Array.from({ length: this.screen.game.board.seats }, (_, each) => (each === seat ? PERSON : rival));
    return go(
      addressOf(
        "play",
        { start, moves: line.slice(0, ply), players, names: maker === PERSON ? this.names : [], seconds },
        board.game,
      ),
    );
  }

  // The view.

  /** Return the card under the board: the progress of the review, then one mistake after the other. */
  card() {
    if (!this.total) return null;
    const done = this.verdicts.length;
    return h("section", { class: "review-card", "aria-label": say("web.review") },
      this.problem
        ? h("p", { class: "bad", role: "alert" }, this.problem)
        : this.running
          ? [
              h("p", { role: "status" }, say("web.review_progress", { done, total: this.total })),
              h("progress", { max: this.total, value: done, "aria-label": say("web.reviewing") }),
            ]
          : [
              h("p", { class: "story", role: "status" }, storyText(this.story, this.called)),
              this.mistakes.length > 0
                ? this.#mistake(this.shown ?? this.mistakes[0])
                : this.whose !== null && h("p", {}, say("review.none_by", { player: this.called[this.whose] })),
            ],
    );
  }

  /** @param {Verdict} verdict */
  #mistake(verdict) {
    const { mistakes } = this;
    const place = mistakes.indexOf(verdict);
    const { name, word, about } = kindOf(verdict);
    const turn = (/** @type {number} */ by) => {
      if (mistakes[place + by]) this.show(mistakes[place + by]);
    };
    return [
      h("div", { class: "review-head" },
        meaning(say(word), `badge ${name}${verdict.sure === "estimate" ? " guessed" : ""}`, about),
        h("span", {},
          say("web.review_number", {
            number: place + 1,
            count: mistakes.length,
            ply: verdict.ply + 1,
            move: verdict.move,
          }),
        ),
        tool("web.review_previous", () => turn(-1), { disabled: place <= 0 }, "‹"),
        tool("web.review_next", () => turn(1), { disabled: place >= mistakes.length - 1 }, "›"),
      ),
      h("p", { class: "words" }, wordsOf(verdict, this.called)),
      h("p", { class: "quiet" }, say(about)),
      h("div", { class: "row" },
        this.#line("web.review_why", verdict, {
          kind: "mistake",
          moves: [verdict.move, ...verdict.refutation],
          value: knownValue(verdict.then, verdict.then_proved),
        }),
        verdict.plan.length > 0 &&
          this.#line("web.review_better", verdict, {
            kind: "better",
            moves: verdict.plan,
            value: knownValue(verdict.value, verdict.proved),
          }),
        tool("web.review_again", () => this.tryAgain(verdict)),
        verdict.lesson && link(verdict.lesson, say("web.review_lesson"), { class: "quiet-button" }),
      ),
      this.screen.player.line?.from === verdict.ply && this.screen.player.view(),
    ];
  }

  /**
   * Return a button that plays a line on the board.
   * @param {string} key
   * @param {Verdict} verdict
   * @param {Pick<Line, "kind" | "moves" | "value">} line
   */
  #line(key, verdict, line) {
    const { screen, called } = this;
    const { player } = screen;
    const on = player.line?.from === verdict.ply && player.line.kind === line.kind;
    const end = verdict.ends[line.kind === "mistake" ? 0 : 1];
    const act = async () => {
      if (screen.game.moves.length !== verdict.ply) await screen.steps.jump(verdict.ply);
      player.play({ ...line, from: verdict.ply, called, end: end ? spoken(end, verdict.seat, called) : "" });
    };
    return tool(key, act, { class: line.kind, "aria-pressed": String(on) });
  }

  /** Return the review for the panel of moves: its results, and all mistakes. @returns {Child} */
  view() {
    const { called } = this;
    const { hints } = this.screen.game;
    return h("div", { class: "reviewed" },
      this.counts.length > 0 && [
        h("h3", {}, say("web.review")),
        this.counts.map((counts, seat) =>
          h("p", {
              class: "summary",
              "data-seat": seat,
              "data-best": counts.best,
              "data-blunders": counts.blunders,
              "data-hidden": counts.hidden,
            },
            say("review.summary", { ...counts, player: called[seat] }),
            counts.guessed > 0 && ` ${say("review.some_guessed", counts)}`,
            counts.moves > counts.judged && ` ${say("review.some_open", { open: counts.moves - counts.judged })}`,
            hints[seat] > 0 && ` ${say("play.hints", { hints: hints[seat] })}`,
          ),
        ),
        this.#whose(),
        h("ul", { class: "verdicts" },
          this.mistakes.map((each) =>
            h("li", { key: each.ply, class: `${kindOf(each).name} ${each.kind}`, "data-ply": each.ply },
              h("button", {
                  type: "button",
                  class: "plain",
                  "aria-pressed": String(each === this.shown),
                  onclick: () => this.show(each),
                },
                h("b", {}, `${each.ply + 1}. ${each.move} ${kindOf(each).sign} `),
                each === this.shown ? say(kindOf(each).word) : wordsOf(each, called),
              ),
            ),
          ),
        ),
      ],
    );
  }

  /** Return the choice of the player whose mistakes are listed. */
  #whose() {
    const choose = (/** @type {string} */ whose) => {
      this.whose = whose === "both" ? null : Number(whose);
      const [first] = this.mistakes;
      if (first) this.show(first);
      this.screen.update();
    };
    return (
      this.screen.game.board.seats === 2 &&
      labelled(
        say("web.mine"),
        select(
          this.whose === null ? "both" : String(this.whose),
          [["both", say("web.mine_both")], ...this.called.map((each, seat) => [String(seat), each])],
          choose,
          { class: "mine" },
        ),
      )
    );
  }
}

/** The values of the positions of a game, ply by ply, as a curve with a link to each of them. */
export class ValueHistory {
  /** @type {(number | null)[]} As player 1 sees them. */
  values = [];
  /** @type {boolean[]} */
  guessed = [];

  /**
   * Store the value of a ply.
   * @param {number} ply
   * @param {Search} found
   * @param {number} seats
   */
  note(ply, { analysis }, seats) {
    if (!analysis || analysis.value === null) return;
    this.values[ply] = seats === 1 || analysis.turn === 0 ? analysis.value : -analysis.value;
    this.guessed[ply] = !analysis.exact;
  }

  /** Forget the values after a ply, because other moves will follow. @param {number} ply */
  forget(ply) { this.values.length = Math.min(this.values.length, ply + 1); }

  /** @param {number} at Which ply is on the board. @param {(ply: number) => void} go */
  chart(at, go) {
    const points = Array.from(this.values, (each) => each ?? null);
    return h("div", { class: "graph" },
      points.filter((each) => each !== null).length > 1 && [
        h("h3", {}, say("web.history")),
        lineChart(say("web.history"), [{ name: say("web.history"), kind: "best", points, guessed: this.guessed }], {
          pick: go,
          at,
        }),
      ],
    );
  }
}

// The card at the end.

/**
 * Return how a finished game of a person compares with those before it.
 * @param {GameState} game
 * @param {string} id Of this game, which may be saved already.
 * @param {number} seconds
 * @param {Set<"hint" | "undo">} aids What was asked for.
 * @returns {Result}
 */
export function resultOf(game, id, seconds, aids) {
  const facts = JSON.parse(game.record());
  const earlier = myGames().filter((each) => each.id !== id);
  if (game.end !== "cleared") return { best: null, record: false, stars: 0, row: winsInARow(facts, earlier) };
  const best = bestTime(facts, earlier);
  const record = best === null || seconds < best;
  return { best: record ? seconds : best, record, stars: STARS - aids.size, row: 0 };
}

/** @typedef {object} EndProps
 * @property {GameState} game From the point of view of this visitor.
 * @property {Result | null} [result]
 * @property {number} [spent] Seconds.
 * @property {Child} next What can be done now; nothing where that stands elsewhere.
 */

/** @extends {Component<EndProps>} */
export class EndCard extends Component {
  /** @type {Verdict[]} */
  verdicts = []; // the first move first
  /** @type {Record<string, number> | null} */
  counts = null; // of the one person, when every move is judged
  /** @type {number | null} */
  moment = null; // the ply that decided the game
  /** @type {Remark[]} */
  story = [];
  judging = this.props.game.you !== null && this.props.game.board.seats === 2 && this.props.game.moves.length >= FEWEST;
  controller = new AbortController();
  timer = 0;

  componentDidMount() {
    if (this.judging) this.timer = window.setTimeout(() => this.#judge(), PAUSE);
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  /** Review the game while the card is shown; if that fails, the review screen will say why. */
  async #judge() {
    const { start, moves, you } = this.props.game;
    try {
      for await (const event of review({ start, moves: moves.join(" ") }, this.controller.signal)) {
        if (event.t === "verdict") this.verdicts.unshift(/** @type {Verdict} */ (/** @type {unknown} */ (event)));
        else if (event.t === "answer") {
          this.counts = event.counts[you ?? 0];
          this.moment = event.moment;
          this.story = event.story;
        }
      }
    } catch {
      // The card stays as it is.
    }
    this.judging = false;
    if (!this.controller.signal.aborted) this.forceUpdate();
  }

  /** Return the share of moves without error in percent, with its label; an estimate if a part of it is one. */
  #accuracy() {
    const { judging, counts } = this;
    if (!judging && !counts?.judged) return null;
    return stat(
      counts?.judged ? `${Math.round((100 * counts.best) / counts.judged)}%` : "…",
      say(counts?.guessed ? "end.accuracy_guess" : "end.accuracy"),
    );
  }

  /** Return the move that decided the game, as a sentence; its line is reserved while the review runs. */
  #turningPoint() {
    const {
      judging,
      counts,
      props: {
        game: { players, names, board },
      },
    } = this;
    if (!judging && !counts) return null;
    const called = calledInWords(players, names, board.seats);
    const verdict = this.verdicts.find((each) => each.ply === this.moment && each.kind === "changed");
    return h("p", { class: "turning", role: "status" },
      judging
        ? say("end.judging")
        : verdict
          ? [
              meaning(say("end.turning", { ply: verdict.ply + 1, move: verdict.move }), "turn-name", "means.turning"),
              ` ${wordsOf(verdict, called)} ${storyText(this.story.slice(1), called)}`,
            ]
          : storyText(this.story, called),
    );
  }

  /** @param {EndProps} props */
  render({ game, result, spent = 0, next }) {
    const hints = game.hints.reduce((sum, each) => sum + each, 0);
    return h("section", { class: `end-card ${game.board.seats === 1 ? "alone" : ""}`, "aria-label": say("end.card") },
      h("h2", {}, headline(game)),
      h("p", { class: "how quiet" }, how(game)),
      result &&
        result.stars > 0 &&
        h("p", { class: "stars", role: "img", "aria-label": say("end.stars", { stars: result.stars }) },
          Array.from({ length: STARS }, (_, place) =>
            h("span", { class: place < result.stars ? "star lit" : "star" }, icon("web.review")),
          ),
        ),
      h("div", { class: "stats" },
        this.#accuracy(),
        stat(String(game.moves.length), say("end.moves")),
        result && stat(minutes(spent), say("end.time")),
        result?.best != null &&
          stat(minutes(result.best), say(result.record ? "end.record_new" : "end.record"), result.record),
        hints > 0 && stat(String(hints), say("end.hints")),
        result && result.row > 1 && stat(String(result.row), say("end.row"), true),
      ),
      this.#turningPoint(),
      next,
    );
  }
}

/**
 * @param {string} value
 * @param {string} name
 * @param {boolean} [gold]
 */
const stat = (value, name, gold = false) =>
  h("div", { class: gold ? "gold" : null }, h("b", {}, value), h("small", {}, name));

/** Return who won, as a sentence to the person who plays. @param {GameState} game */
function headline(game) {
  const { board, winner, you, end } = game;
  if (board.seats === 1) return say(end === "cleared" ? "end.you_cleared" : "end.you_stuck");
  if (winner === null) return say("end.you_drew");
  return winner === you ? say("end.you_won") : say("end.they_won", { player: game.called(winner) });
}

/** Return how the game ended, as a sentence. @param {GameState} game */
function how({ board, end, moves }) {
  const [first, second] = board.scores;
  if (end === "resigned" || end === "timeout") return say(`end.how_${end}`);
  if (end === "stuck") return say("web.stuck");
  if (board.seats === 1) return say("end.how_cleared", { moves: moves.length });
  if (board.most === 1)
    return say(
      end === "draw" ? "end.how_full" : known(`end.line_${board.name}`) ? `end.line_${board.name}` : "end.how_line",
      { move: moves.at(-1), moves: moves.length },
    );
  return say("end.how_scores", { first, second });
}

/** Return the tools for what comes after a game, the most likely one highlighted. @param {PlayScreen} screen */
export function actions(screen) {
  const { game, puzzle, navigation } = screen;
  const alone = game.board.seats === 1;
  const rival = game.players.findIndex((each) => levelOf(each) > 0);
  const level = rival < 0 ? 0 : levelOf(game.players[rival]);
  const won = game.winner !== null && game.winner !== rival;
  const next = game.players.map((each, seat) => (seat === rival ? `level:${level + 1}` : each));
  const opponent = rival < 0 ? "" : agentTitle(next[rival]);
  const short = (/** @type {string} */ key) => (docked() ? say(key) : "");
  return h("div", { class: "next" },
    alone && puzzle.ending(),
    game.moves.length > 0 &&
      tool("web.review", () => navigation.review(), { class: alone ? null : "primary" }, short("end.review")),
    alone
      ? game.end !== "stuck" && tool("screen.again_alone", () => navigation.again())
      : tool("web.rematch", () => navigation.rematch(), {}, short("end.again")),
    level > 0 &&
      level < STRONGEST &&
      won &&
      tool("web.next_opponent", () => navigation.again(next), {}, say("end.next", { opponent })),
  );
}
