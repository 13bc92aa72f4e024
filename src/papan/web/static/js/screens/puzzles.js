// @ts-check
// Puzzles: a position with one right answer. The solver judges every move, and plays out what is wrong.

import { boardOf, dailyPuzzle, newPuzzle, nextPuzzle, puzzleCounts, puzzleNamed, sheetAddress } from "../api.js";
import { pointed } from "../board.js";
import { GameState } from "../game.js";
import { gameScreen, openKeys } from "../game_screen.js";
import { BOARD_KEYS, GameView } from "../game_view.js";
import { gameName, gameTitle, language, player, say } from "../language.js";
import { due, judged, judgedDaily, missedPuzzle, progress, today } from "../progress.js";
import { go } from "../router.js";
import { PERSON } from "../saved_game.js";
import { Searcher } from "../search.js";
import { anySeed, save, read } from "../settings.js";
import { Part, announce, helpLink, icon, labelled, link, openDialog, select, tool } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { GameProps, Key } from "../game_view.js" */
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
const MOST_NAMED = 60; // puzzles seen lately that are sent to the server

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
 * Return the wanted game and theme, without what has no puzzles.
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
 * Return a puzzle to repeat today, or else one near the player's rating.
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

/** @extends {Part<PuzzleProps>} */
class PuzzleScreen extends Part {
  game = this.props.game;
  /** @type {GameView} */
  view = new GameView(this, this.props, {
    picked: (move) => this.picked(move),
    keys: () => this.keys(),
    digits: true,
    leave: () => this.#leave(),
  });
  seat = this.game.board.turn; // of the person
  solver = new PuzzleSolver(this);
  replay = new LineReplay(this.view);
  answer = new Answer(this.props);
  plies = 0; // before the position that is asked about
  /** @type {string[]} */
  hints = []; // moves that are pointed out
  message = "";

  /** @param {PuzzleProps} props */
  constructor(props) {
    super(props);
    this.game.players = this.game.players.slice(0, this.game.board.seats);
    this.#look();
  }

  /** Write the address of the puzzle: it stays when the page is reloaded, or speaks another language. */
  componentDidMount() {
    const { daily, puzzle } = this.props;
    const made = puzzle.name.includes(" "); // made on demand: the server does not know it
    const address = made ? `/puzzles?${new URLSearchParams({ made: puzzle.name })}` : `/puzzles/${puzzle.name}`;
    if (!daily && !this.view.left) history.replaceState(history.state, "", address);
  }

  update() { this.view.update(); }

  #leave() {
    this.replay.stop();
    this.solver.stop();
  }

  /** True while a move is asked for. */
  get asking() {
    return this.solver.found !== null && !this.answer.solved && !this.view.busy && !this.away;
  }

  /** True while another position is shown than the one that is asked about. */
  get away() { return this.game.moves.length !== this.plies; }

  /** Solve the position, to judge every move by that. */
  async #look() {
    await this.solver.look();
    if (this.solver.found && !this.message) this.message = question(this);
    this.update();
  }

  /** @param {string} move */
  async picked(move) {
    const { legal } = this.game.board;
    if (!this.asking) return;
    if (!legal.some((each) => each.m === move)) return this.complain(say("error.not_possible", { move }));
    this.hints = [];
    if (this.solver.best.includes(move)) await this.#right(move);
    else await this.#wrong(move);
  }

  /** @param {string} move */
  async #right(move) {
    const lasting = LASTING.includes(this.props.puzzle.theme);
    await this.view.change(() => this.game.play(move));
    if (lasting && !this.game.over) await this.#reply();
    if (!lasting || this.game.over) return this.#end();
    this.plies = this.game.moves.length;
    this.#tell(say("puzzle.go_on"));
    await this.#look();
  }

  /** Let the rival answer as well as possible, until the person is to move again. */
  async #reply() {
    while (!this.game.over && this.game.board.turn !== this.seat) {
      const move = (await this.solver.run(false))?.analysis?.move;
      if (!move) return;
      await this.view.change(() => this.game.play(move));
    }
  }

  #end() {
    this.answer.finish();
    this.#tell(`✓ ${say("puzzle.solved")}`);
    document.querySelector(".tools .primary")?.scrollIntoView({ block: "nearest" });
  }

  /** Show what comes of a wrong move, by the solver's own line. @param {string} move */
  async #wrong(move) {
    const key = this.solver.loss(move);
    const turn = this.replay.stop();
    this.answer.judge(false);
    await this.view.change(() => this.game.play(move));
    this.#tell(`✗ ${say(`puzzle.wrong_${key}`, { move })}`);
    const line = this.game.over ? [] : ((await this.solver.run(false))?.analysis?.line ?? []);
    await this.replay.run(line, turn);
  }

  /** Return to the position that is asked about. */
  async again() {
    this.replay.stop();
    await this.view.change(() => this.game.go(this.plies));
    this.#tell(question(this));
  }

  /** Point out the right move among two others, then the move alone. */
  hint() {
    const [best] = this.solver.best;
    if (!this.asking || !best) return;
    this.answer.judge(false);
    const moves = this.game.board.legal.map(({ m }) => m);
    const others = moves.filter((each) => !this.solver.best.includes(each)).slice(0, 2);
    this.hints = this.hints.length ? [best] : moves.filter((each) => each === best || others.includes(each));
    this.#tell(say("puzzle.hint", { moves: this.hints.join(" ") }));
  }

  /** Play the solution; the puzzle counts as not solved. */
  async solution() {
    const line = this.solver.found?.analysis?.line;
    if (!line) return;
    await this.again();
    this.answer.giveUp();
    this.hints = [];
    this.#tell(say("puzzle.solution", { line: line.join(" ") }));
    await this.replay.run(LASTING.includes(this.props.puzzle.theme) ? line : line.slice(0, 1));
  }

  /** @param {string} text */
  #tell(text) {
    this.message = text;
    announce(text);
    this.update();
  }

  /** @returns {Key[]} */
  keys() {
    return [
      ...BOARD_KEYS,
      { shown: "h", text: "puzzle.get_hint", keys: ["h"], act: () => this.hint() },
      { shown: "n", text: "puzzle.next", keys: ["n"], act: () => go("/puzzles") },
      { shown: "r", text: "puzzle.again", keys: ["r"], act: () => this.again() },
      { shown: "?", text: "web.help", keys: ["?"], act: () => openKeys(this.view, this.keys()) },
    ];
  }

  render() {
    const { counts, wanted } = this.props;
    const body = [chosen(counts, wanted), standing(), helpLink("puzzles#ratings", "help.about_puzzles")];
    return gameScreen(this.view, {
      name: "game-screen puzzle-screen",
      heading: heading(this),
      board: { live: this.asking, layers: hintLayers(this) },
      sentence: this.message || say("puzzle.solving"),
      troubled: this.message.startsWith("✗"),
      tools: tools(this),
      panels: [{ key: "puzzle.puzzles", body }],
    });
  }
}

/** The solver behind a puzzle: judges every move, and knows how the game goes on. */
class PuzzleSolver {
  /** @type {Search | null} */
  found = null; // of the position that is asked about
  #searcher = new Searcher();

  /** @param {PuzzleScreen} screen */
  constructor(screen) { this.screen = screen; }

  /** The right moves; none before the position is solved. @returns {string[]} */
  get best() { return this.found?.analysis?.best ?? []; }

  stop() { this.#searcher.stop(); }

  /** Solve the position on the board, with the value of every move. */
  async look() {
    this.found = null;
    this.found = await this.run(true);
  }

  /**
   * Solve the position on the board; null, with the reason shown, where that fails.
   * @param {boolean} all Every move, not only the best line.
   * @returns {Promise<Search | null>}
   */
  async run(all) {
    const { game } = this.screen;
    const request = game.request("solver", SECONDS, { all_moves: all });
    const search = await this.#searcher.run(request, game.board).catch((error) => this.screen.complain(error));
    if (search && search.error) this.screen.complain(say(search.error.key, search.error.values));
    return search && search.analysis ? search : null;
  }

  /** Return what a wrong move costs: "board", "margin", "game" or "win". @param {string} move */
  loss(move) {
    if (this.screen.game.board.seats === 1) return "board";
    const before = Math.sign(this.found?.analysis?.value ?? 0);
    const after = Math.sign(this.found?.values.find((each) => each.m === move)?.v ?? 0);
    if (before === after) return "margin";
    return after < 0 ? "game" : "win";
  }
}

/** The person's answer to a puzzle: only the first one counts, and a hint counts as wrong. */
class Answer {
  solved = false;
  #shown = false; // the solution was looked at
  #judged = false;

  /** @param {PuzzleProps} props */
  constructor({ puzzle, daily }) {
    this.puzzle = puzzle;
    this.daily = daily;
  }

  /** @param {boolean} right */
  judge(right) {
    if (this.#judged) return;
    this.#judged = true;
    judged(this.puzzle, right);
  }

  finish() {
    this.judge(true);
    this.solved = true;
    if (this.daily && !this.#shown) judgedDaily();
  }

  giveUp() {
    this.judge(false);
    this.#shown = this.solved = true;
  }
}

/** Plays lines out on the board, one move after the other. */
class LineReplay {
  #turn = 0; // counts lines, so that an older one stops

  /** @param {GameView} view */
  constructor(view) { this.view = view; }

  /** Stop the line that is played; return the number of the next one. */
  stop() { return (this.#turn += 1); }

  /** Play a line, unless another one has begun since. @param {string[]} line @param {number} [turn] */
  async run(line, turn = this.stop()) {
    const { game } = this.view;
    const current = () => turn === this.#turn && !this.view.left;
    if (!current()) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const board = await boardOf(game.start, [...game.moves, ...line]);
      return this.view.change(() => {
        if (current()) game.board = board;
      });
    }
    for (const move of line) {
      await new Promise((done) => {
        window.setTimeout(done, PACE);
      });
      if (!current()) return;
      await this.view.change(() => game.play(move));
    }
  }
}

/** Return the question of a puzzle. @param {PuzzleScreen} screen */
function question({ props: { puzzle }, solver, seat, game }) {
  const distance = solver.found?.analysis?.distance ?? 0;
  const asked = say(`puzzle.ask_${puzzle.theme}`, {
    player: player(seat, game.board.seats),
    moves: (distance + 1) >> 1,
  });
  return [asked, ...puzzle.situation.map(({ key, values }) => say(key, values))].join(" ");
}

/** @param {PuzzleScreen} screen */
function heading({ props: { puzzle, daily }, game }) {
  const { theme, rating } = puzzle;
  const facts = [daily && say("puzzle.daily"), gameTitle(game.board.game), say("puzzle.rating", { rating })];
  return h("h1", { class: "small" },
    say(`puzzle.theme_${theme}`),
    " ",
    h("small", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
  );
}

/** The moves that a hint points out. @param {PuzzleScreen} screen */
function hintLayers({ game: { board }, hints }) {
  const ring = { class: "layer puzzle-hint", r: 14, fill: "none", "stroke-width": 4 };
  const choices = board.legal.filter(({ m }) => hints.includes(m));
  if (board.spots_in_a_move === 2) return choices.map(({ m }) => pointed(board, `hint ${m}`, m));
  return choices.map(({ m, at }) => at && h("circle", { key: m, ...ring, cx: at[0], cy: at[1] }));
}

/** @param {PuzzleScreen} screen */
function tools(screen) {
  const { answer, game, solver, props: { puzzle } } = screen;
  const address = `/analyse/${encodeURIComponent(game.board.game)}?${new URLSearchParams({ pos: puzzle.text })}`;
  if (answer.solved)
    return [
      tool("puzzle.next", () => go("/puzzles"), { class: "primary" }),
      link(address, [icon("web.analyse"), h("span", {}, say("web.analyse"))], { class: "button" }),
    ];
  return [
    screen.away
      ? tool("puzzle.again", () => screen.again(), { class: "primary" })
      : tool("puzzle.get_hint", () => screen.hint(), { disabled: !screen.asking }),
    tool("puzzle.show_solution", () => screen.solution(), { disabled: !solver.found }),
    tool("puzzle.next", () => go("/puzzles")),
  ];
}

/** The choice of a game and a theme, and other ways to puzzles. @param {PuzzleCount[]} counts @param {Wanted} wanted */
function chosen(counts, wanted) {
  const choose = (/** @type {Partial<Wanted>} */ choice) => {
    save(CHOICE, fitting(counts, { ...wanted, ...choice }));
    return go("/puzzles");
  };
  const print = () => openDialog(say("puzzle.print_sheet"), () => h(SheetForm, { counts, wanted }));
  return [
    ...choosers(counts, wanted, choose),
    h("p", { class: "row" },
      link("/puzzles/today", say("puzzle.daily")),
      wanted.game && link("/puzzles?new", say("puzzle.make_new")),
      tool("puzzle.print_sheet", () => { print(); }),
    ),
  ];
}

/** The person's rating, and what is left to repeat. */
function standing() {
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

/** @param {PuzzleCount[]} some */
const sum = (some) => some.reduce((total, { count }) => total + count, 0);

/**
 * Return the options of a field, each with its number of puzzles.
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

/** The form that prints a sheet of puzzles. @extends {Component<{counts: PuzzleCount[], wanted: Wanted}>} */
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
        h("a", { class: "button primary", target: "_blank", href: sheetAddress(order) },
          say("puzzle.open_sheet"),
        ),
      ),
    );
  }
}
