// @ts-check
// Puzzles: a position with one right answer. The solver judges every move, and plays out what is wrong.

import { boardOf, dailyPuzzle, newPuzzle, nextPuzzle, puzzleCounts, puzzleNamed, sheetAddress } from "../api.js";
import { pointed } from "../board.js";
import { GameState } from "../game.js";
import { GameScreen } from "../game_screen.js";
import { gameName, gameTitle, language, player, say } from "../language.js";
import { due, judged, judgedDaily, missedPuzzle, progress, today } from "../progress.js";
import { go } from "../router.js";
import { PERSON } from "../saved_game.js";
import { Searcher } from "../search.js";
import { anySeed, keep, read } from "../settings.js";
import { announce, helpLink, icon, labelled, link, openDialog, select, tool } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { GameProps } from "../game_screen.js" */
/** @import { Opener } from "../router.js" */
/** @import { Search } from "../search.js" */
/** @import { PuzzleCount, PuzzleFacts } from "../wire.d.ts" */
/** @typedef {{game: string, theme: string}} Wanted */
/** @typedef {GameProps & {puzzle: PuzzleFacts, counts: PuzzleCount[], wanted: Wanted, daily: boolean}} PuzzleProps */

const CHOICE = "papan.puzzles.choice";
const SECONDS = 20; // for the solver, which mostly needs none
const PACE = 550; // milliseconds for each move that is played out
const LASTING = ["win", "clear"]; // themes that go on to the end of the game
const SHEETS = ["6", "12", "18", "24", "30", "60"]; // how many puzzles are printed: pages of six
const MOST_NAMED = 60; // puzzles seen lately that the server is told of

/** @type {Opener} */
export async function puzzles(url, signal) {
  const name = url.searchParams.get("made") ?? decodeURIComponent(url.pathname.split("/")[2] ?? "");
  const kept = read(CHOICE);
  const counts = await puzzleCounts();
  const wanted = fitting(counts, {
    game: url.searchParams.get("game") ?? kept.game ?? "",
    theme: url.searchParams.get("theme") ?? kept.theme ?? "",
  });
  const daily = name === "today";
  const fresh = url.searchParams.has("new") && wanted.game !== "";
  const puzzle = await (fresh
    ? newPuzzle({ ...wanted, seed: anySeed() })
    : daily
      ? dailyPuzzle(today())
      : name
        ? puzzleNamed(name)
        : following(wanted));
  const game = await GameState.open({ start: puzzle.text, moves: [], players: [PERSON, PERSON], seconds: SECONDS });
  return { title: say("puzzle.puzzles"), view: h(PuzzleScreen, { game, signal, puzzle, counts, wanted, daily }) };
}

/**
 * What was wanted, as far as there is such a thing.
 * @param {PuzzleCount[]} counts
 * @param {Wanted} wanted
 * @returns {Wanted}
 */
function fitting(counts, { game, theme }) {
  const known = counts.some((each) => each.game === game) ? game : "";
  const fits = counts.some((each) => each.theme === theme && (!known || each.game === known));
  return { game: known, theme: fits ? theme : "" };
}

/**
 * What comes back today, or else a puzzle near one's own rating.
 * @param {Wanted} wanted
 * @returns {Promise<PuzzleFacts>}
 */
async function following({ game, theme }) {
  const kept = progress();
  for (const name of due(kept)) {
    const puzzle = await missedPuzzle(name);
    if (puzzle && (!game || puzzle.game === game) && (!theme || puzzle.theme === theme)) return puzzle;
  }
  return nextPuzzle({
    game,
    theme,
    rating: String(Math.round(kept.rating)),
    seed: String(anySeed()),
    seen: kept.seen
      .filter((each) => !each.includes(" "))
      .slice(-MOST_NAMED)
      .join(","),
  });
}

/** @extends {GameScreen<PuzzleProps>} */
class PuzzleScreen extends GameScreen {
  /** @param {PuzzleProps} props */
  constructor(props) {
    super(props);
    this.puzzle = props.puzzle;
    this.game.players = this.game.players.slice(0, this.game.board.seats);
    this.seat = this.game.board.turn;
    this.searcher = new Searcher();
    /** @type {Search | null} What the solver says of the position that is asked about. */
    this.found = null;
    this.plies = 0; // in the position that is asked about
    /** @type {boolean | null} Was the first answer right, without help? */
    this.first = null;
    this.solved = false;
    this.shown = false; // the solution was looked at
    /** @type {string[]} */
    this.hints = [];
    this.message = "";
    this.turns = 0; // counts what is played out, so that an older one stops
    this.look();
  }

  /** A puzzle has an address: it stays when the page is loaded anew, or speaks another language. */
  componentDidMount() {
    const { daily, puzzle } = this.props;
    const made = puzzle.name.includes(" "); // the server does not know it
    if (!daily && !this.left)
      history.replaceState(
        history.state,
        "",
        made ? `/puzzles?${new URLSearchParams({ made: puzzle.name })}` : `/puzzles/${puzzle.name}`,
      );
  }

  get lasting() { return LASTING.includes(this.puzzle.theme); }

  get asking() {
    return this.found !== null && !this.solved && !this.busy && this.game.moves.length === this.plies;
  }

  leave() {
    this.turns += 1;
    this.searcher.stop();
  }

  /** Solve the position: every move is judged by that. */
  async look() {
    this.found = null;
    this.found = await this.solver(true);
    if (this.found && !this.message) this.message = this.question();
    this.update();
  }

  /** @param {boolean} all Every move, or only the best line? @returns {Promise<Search | null>} */
  async solver(all) {
    const { game } = this;
    const search = await this.searcher
      .run(game.request("solver", SECONDS, { all_moves: all }), game.board)
      .catch((error) => this.complain(error));
    if (search && search.error) this.complain(say(search.error.key, search.error.values));
    return search && search.analysis ? search : null;
  }

  question() {
    const { theme, situation } = this.puzzle;
    const distance = this.found?.analysis?.distance ?? 0;
    const asked = say(`puzzle.ask_${theme}`, {
      player: player(this.seat, this.game.board.seats),
      moves: (distance + 1) >> 1,
    });
    return [asked, ...situation.map(({ key, values }) => say(key, values))].join(" ");
  }

  /** @param {string} move */
  async picked(move) {
    if (!this.asking || !this.found) return;
    if (!this.game.board.legal.some((each) => each.m === move))
      return this.complain(say("error.not_possible", { move }));
    this.hints = [];
    const right = this.found.analysis?.best.includes(move);
    if (right) await this.#right(move);
    else await this.#wrong(move);
  }

  /** @param {boolean} right */
  #judge(right) {
    if (this.first !== null) return;
    this.first = right;
    judged(this.puzzle, right);
  }

  /** @param {string} move */
  async #right(move) {
    await this.change(() => this.game.play(move));
    if (this.lasting && !this.game.over) await this.#reply();
    if (!this.lasting || this.game.over) return this.#end();
    this.plies = this.game.moves.length;
    this.tell(say("puzzle.go_on"));
    await this.look();
  }

  /** Let the rival answer as well as possible, until it is our turn again. */
  async #reply() {
    while (!this.game.over && this.game.board.turn !== this.seat) {
      const move = (await this.solver(false))?.analysis?.move;
      if (!move) return;
      await this.change(() => this.game.play(move));
    }
  }

  #end() {
    this.#judge(true);
    this.solved = true;
    if (this.props.daily && !this.shown) judgedDaily();
    this.tell(`✓ ${say("puzzle.solved")}`);
    document.querySelector(".tools .primary")?.scrollIntoView({ block: "nearest" });
  }

  /** Show what comes of a wrong move, by the solver's own line. @param {string} move */
  async #wrong(move) {
    const key = this.#loss(move);
    const turn = (this.turns += 1);
    this.#judge(false);
    await this.change(() => this.game.play(move));
    this.tell(`✗ ${say(`puzzle.wrong_${key}`, { move })}`);
    const line = this.game.over ? [] : ((await this.solver(false))?.analysis?.line ?? []);
    await this.#playOut(line, turn);
  }

  /** What a wrong move costs. @param {string} move */
  #loss(move) {
    if (this.game.board.seats === 1) return "board";
    const before = Math.sign(this.found?.analysis?.value ?? 0);
    const after = Math.sign(this.found?.values.find((each) => each.m === move)?.v ?? 0);
    return before === after ? "margin" : after < 0 ? "game" : "win";
  }

  /** Play a line, unless somebody went on meanwhile. @param {string[]} line */
  async #playOut(line, turn = (this.turns += 1)) {
    const asked = () => turn === this.turns && !this.left;
    if (!asked()) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const board = await boardOf(this.game.start, [...this.game.moves, ...line]);
      return this.change(async () => {
        if (asked()) this.game.board = board;
      });
    }
    for (const move of line) {
      await new Promise((done) => {
        window.setTimeout(done, PACE);
      });
      if (!asked()) return;
      await this.change(() => this.game.play(move));
    }
  }

  /** Back to the position that is asked about. */
  async again() {
    this.turns += 1;
    await this.change(() => this.game.go(this.plies));
    this.tell(this.question());
  }

  /** The right move among two others, then the move alone. */
  hint() {
    const best = this.found?.analysis?.best[0];
    if (!this.asking || !best) return;
    this.#judge(false);
    const others = this.game.board.legal
      .map(({ m }) => m)
      .filter((each) => !this.found?.analysis?.best.includes(each))
      .slice(0, 2);
    const order = this.game.board.legal.map(({ m }) => m).filter((each) => each === best || others.includes(each));
    this.hints = this.hints.length ? [best] : order;
    this.tell(say("puzzle.hint", { moves: this.hints.join(" ") }));
  }

  async solution() {
    const line = this.found?.analysis?.line;
    if (!line) return;
    await this.again();
    this.#judge(false);
    this.shown = this.solved = true;
    this.hints = [];
    this.tell(say("puzzle.solution", { line: line.join(" ") }));
    await this.#playOut(this.lasting ? line : line.slice(0, 1));
  }

  /** @param {string} text */
  tell(text) {
    this.message = text;
    announce(text);
    this.update();
  }

  next() { return go("/puzzles"); }

  /** @param {Partial<Wanted>} choice */
  choose(choice) {
    keep(CHOICE, fitting(this.props.counts, { ...this.props.wanted, ...choice }));
    return go("/puzzles");
  }

  // What is seen.

  name = "game-screen puzzle-screen";

  get dropsDigits() { return true; }

  keys() {
    return [
      ...super.keys(),
      { shown: "h", text: "puzzle.get_hint", keys: ["h"], act: () => this.hint() },
      { shown: "n", text: "puzzle.next", keys: ["n"], act: () => this.next() },
      { shown: "r", text: "puzzle.again", keys: ["r"], act: () => this.again() },
      { shown: "?", text: "web.help", keys: ["?"], act: () => this.help() },
    ];
  }

  heading() {
    const { theme, rating } = this.puzzle;
    const facts = [
      this.props.daily && say("puzzle.daily"),
      gameTitle(this.game.board.game),
      say("puzzle.rating", { rating }),
    ];
    return h("h1", { class: "small" },
      say(`puzzle.theme_${theme}`),
      " ",
      h("small", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
    );
  }

  /** @returns {Partial<BoardProps>} */
  board() {
    const { board } = this.game;
    const choices = board.legal.filter(({ m }) => this.hints.includes(m));
    return {
      live: this.asking,
      layers: choices.map(({ m, at }) =>
        board.spots_in_a_move === 2
          ? pointed(board, `hint ${m}`, m)
          : at &&
            h("circle", {
              key: m,
              class: "layer puzzle-hint",
              cx: at[0],
              cy: at[1],
              r: 14,
              fill: "none",
              "stroke-width": 4,
            }),
      ),
    };
  }

  sentence() { return this.message || say("puzzle.solving"); }

  get troubled() { return this.message.startsWith("✗"); }

  tools() {
    const gone = this.game.moves.length !== this.plies;
    return [
      this.solved
        ? tool("puzzle.next", () => this.next(), { class: "primary" })
        : gone
          ? tool("puzzle.again", () => this.again(), { class: "primary" })
          : tool("puzzle.get_hint", () => this.hint(), { disabled: !this.asking }),
      !this.solved && tool("puzzle.show_solution", () => this.solution(), { disabled: !this.found }),
      !this.solved && tool("puzzle.next", () => this.next()),
      this.solved &&
        link(
          `/analyse/${encodeURIComponent(this.game.board.game)}?${new URLSearchParams({ pos: this.puzzle.text })}`,
          [icon("web.analyse"), h("span", {}, say("web.analyse"))],
          { class: "button" },
        ),
    ];
  }

  panels() {
    return [
      {
        key: "puzzle.puzzles",
        body: [this.#choosers(), this.#standing(), helpLink("puzzles#ratings", "help.about_puzzles")],
      },
    ];
  }

  #choosers() {
    const { counts, wanted } = this.props;
    return [
      ...choosers(counts, wanted, (choice) => this.choose(choice)),
      h("p", { class: "row" },
        link("/puzzles/today", say("puzzle.daily")),
        wanted.game && link("/puzzles?new", say("puzzle.make_new")),
        tool("puzzle.print_sheet", () => {
          openDialog(say("puzzle.print_sheet"), () => h(SheetForm, { counts, wanted }));
        }),
      ),
    ];
  }

  #standing() {
    const { rating, streak, days, missed } = progress();
    const facts = { rating: Math.round(rating), streak, days, missed: Object.keys(missed).length };
    return h("dl", { class: "variables standing" },
      Object.entries(facts).map(([key, value]) =>
        h("div", { key },
          h("dt", {}, say(`puzzle.my_${key}`)),
          h("dd", { class: "number", "data-fact": key }, String(value)),
        ),
      ),
    );
  }
}

/** @param {PuzzleCount[]} some */
const sum = (some) => some.reduce((total, { count }) => total + count, 0);

/** What there is to choose from of a part of the choice, each with how many there are.
 * @param {"game" | "theme" | "difficulty"} part
 * @param {PuzzleCount[]} some
 * @param {(name: string) => string} title
 */
function options(part, some, title) {
  return [
    ["", `${say("puzzle.all")} (${sum(some)})`],
    ...[...new Set(some.map((each) => each[part]))].map((name) => [
      name,
      `${title(name)} (${sum(some.filter((each) => each[part] === name))})`,
    ]),
  ];
}

/**
 * The fields of a game and a theme.
 * @param {PuzzleCount[]} counts
 * @param {Wanted} wanted
 * @param {(choice: Partial<Wanted>) => unknown} choose
 */
function choosers(counts, wanted, choose) {
  const themes = counts.filter((each) => !wanted.game || each.game === wanted.game);
  return [
    labelled(
      say("puzzle.game"),
      select(wanted.game, options("game", counts, gameName), (game) => choose({ game })),
      "game",
    ),
    labelled(
      say("puzzle.theme"),
      select(
        wanted.theme,
        options("theme", themes, (name) => say(`puzzle.theme_${name}`)),
        (theme) => choose({ theme }),
      ),
      "theme",
    ),
  ];
}

/** What is to be printed. @extends {Component<{counts: PuzzleCount[], wanted: Wanted}>} */
class SheetForm extends Component {
  wanted = this.props.wanted;
  difficulty = "";
  count = "6";
  seed = String(anySeed());

  /** @param {Partial<Wanted & {difficulty: string, count: string}>} choice */
  choose({ difficulty = this.difficulty, count = this.count, ...choice }) {
    this.wanted = fitting(this.props.counts, { ...this.wanted, ...choice });
    this.difficulty = this.#fitting.some((each) => each.difficulty === difficulty) ? difficulty : "";
    this.count = count;
    this.forceUpdate();
  }

  get #fitting() {
    const { game, theme } = this.wanted;
    return this.props.counts.filter((each) => (!game || each.game === game) && (!theme || each.theme === theme));
  }

  render() {
    const order = {
      ...this.wanted,
      difficulty: this.difficulty,
      count: this.count,
      seed: this.seed,
      language: language(),
    };
    const level = (/** @type {string} */ name) => say(`puzzle.difficulty_${name}`);
    return h("div", { class: "set-up" },
      choosers(this.props.counts, this.wanted, (choice) => this.choose(choice)),
      labelled(
        say("puzzle.difficulty"),
        select(this.difficulty, options("difficulty", this.#fitting, level), (difficulty) =>
          this.choose({ difficulty }),
        ),
      ),
      labelled(
        say("puzzle.count"),
        select(
          this.count,
          SHEETS.map((each) => [each, each]),
          (count) => this.choose({ count }),
        ),
      ),
      h("p", { class: "quiet" }, say("puzzle.sheet_help")),
      h("p", { class: "row" },
        h("a", { class: "button primary", target: "_blank", href: sheetAddress("html", order) },
          say("puzzle.open_sheet"),
        ),
        h("a", { class: "button", href: sheetAddress("pdf", order) }, say("puzzle.sheet_pdf")),
      ),
    );
  }
}
