// @ts-check
// Puzzles: a position with one right answer. The server judges every move, and what is wrong is played out.

import { boardOf, dailyPuzzle, newPuzzle, nextPuzzle, puzzleCounts, puzzleNamed, puzzleTurn } from "../api.js";
import { sheetAddress } from "../api.js";
import { pointed } from "../board.js";
import { GameState } from "../game.js";
import { gameScreen, openKeys } from "../game_screen.js";
import { BOARD_KEYS, GameView } from "../game_view.js";
import { gameName, gameTitle, language, say, sayAll, sayMessage, signed } from "../language.js";
import { due, judged, judgedDaily, missedPuzzle, nextRating, progress, today } from "../progress.js";
import { go } from "../router.js";
import { PERSON } from "../saved_game.js";
import { anySeed, save, read } from "../settings.js";
import { Part, announce, helpLink, icon, labelled, link, openDialog, select, tool } from "../ui.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { GameProps, Key } from "../game_view.js" */
/** @import { Opener } from "../router.js" */
/** @import { PuzzleAnswerFacts as Facts, PuzzleCount, PuzzleFacts } from "../wire.d.ts" */
/** @typedef {{game: string, theme: string}} Wanted */
/** @typedef {GameProps & {puzzle: PuzzleFacts, counts: PuzzleCount[], wanted: Wanted, daily: boolean}} PuzzleProps */

const CHOICE = "papan.puzzles.choice";
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
  const game = await GameState.open({ start: puzzle.text, moves: [], players: [PERSON, PERSON], seconds: 0 });
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
    rating: String(Math.round(nextRating(kept, game))),
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
    leave: () => this.replay.stop(),
  });
  replay = new LineReplay(this.view);
  answer = new Answer(this.props);
  /** @type {Facts | null} */
  first = null; // the answer to the puzzle
  /** @type {Facts | null} */
  facts = null; // the answer to what is asked now, some moves later
  plies = 0; // before the position that is asked about
  hints = 0; // idea, area, move
  message = "";

  /** @param {PuzzleProps} props */
  constructor(props) {
    super(props);
    this.game.players = this.game.players.slice(0, this.game.board.seats);
    this.attempt(() => this.#begin());
  }

  /** Write the address of the puzzle: it stays when the page is reloaded, or speaks another language. */
  componentDidMount() {
    const { daily, puzzle } = this.props;
    const made = puzzle.name.includes(" "); // made on demand: the server does not know it
    const address = made ? `/puzzles?${new URLSearchParams({ made: puzzle.name })}` : `/puzzles/${puzzle.name}`;
    if (!daily && !this.view.left) history.replaceState(history.state, "", address);
  }

  update() { this.view.update(); }

  /** True while a move is asked for. */
  get asking() { return this.facts !== null && !this.answer.solved && !this.view.busy && !this.away; }

  /** True while another position is shown than the one that is asked about. */
  get away() { return this.game.moves.length !== this.plies; }

  async #begin() {
    this.first = this.facts = (await puzzleTurn(this.props.puzzle.name, [])).answer;
    announce(sayAll(this.first?.question ?? []));
    this.update();
  }

  /** @param {string} move */
  async picked(move) {
    const { facts, game } = this;
    if (!this.asking || !facts) return;
    if (!game.board.legal.some(({ m }) => m === move)) {
      await this.attempt(() => game.legal(move)); // which says what forbids it
      return;
    }
    this.hints = 0;
    await (facts.right.includes(move) ? this.#right(move) : this.#wrong(move));
  }

  /** @param {string} move */
  async #right(move) {
    await this.view.change(() => this.game.play(move));
    if (this.game.over || !LASTING.includes(this.props.puzzle.theme)) return this.#end();
    this.facts = null;
    const { reply, answer } = await puzzleTurn(this.props.puzzle.name, this.game.moves);
    for (const each of reply) await this.view.change(() => this.game.play(each));
    if (!answer) return this.#end();
    this.facts = answer;
    this.plies = this.game.moves.length;
    this.#tell(say("puzzle.go_on"));
  }

  /** Show that the puzzle is solved, and play the rest of the solution. */
  async #end() {
    this.answer.finish();
    this.#tell(`✓ ${say("puzzle.solved")}`);
    document.querySelector(".tools .primary")?.scrollIntoView({ block: "nearest" });
    const { line } = this.first ?? { line: [] };
    const { moves, over } = this.game;
    if (!over && moves.every((each, ply) => each === line[ply])) await this.replay.run(line.slice(moves.length));
  }

  /** Show why a move is wrong, unless that gives the answer away, and play what follows. @param {string} move */
  async #wrong(move) {
    const fault = this.facts?.faults[move];
    if (!fault) return;
    const turn = this.replay.stop();
    this.answer.judge(false);
    await this.view.change(() => this.game.play(move));
    const why = fault.why && !fault.gives_away ? [fault.why] : [];
    this.#tell(`✗ ${sayAll([fault.verdict, ...why])}`);
    await this.replay.run(fault.line, turn);
  }

  /** Return to the position that is asked about. */
  async again() {
    this.replay.stop();
    await this.view.change(() => this.game.go(this.plies));
    this.#tell("");
  }

  /** Give the next hint: the idea, then where to look, then the move. */
  hint() {
    const { facts } = this;
    if (!this.asking || !facts) return;
    this.answer.judge(false);
    this.hints = Math.min(this.hints + 1, 3);
    this.#tell(
      [
        () => say("puzzle.hint_idea", { idea: facts.idea }),
        () => say("puzzle.hint_area", { moves: facts.area }),
        () => `${say("puzzle.hint_move", { move: facts.move })} ${sayMessage(facts.why)}`,
      ][this.hints - 1](),
    );
  }

  /** Play the solution; the puzzle counts as not solved. */
  async solution() {
    if (!this.first) return;
    this.hints = 0;
    this.answer.giveUp();
    this.#tell(say("puzzle.solution", { line: this.first.line.join(" ") }));
    await this.show(this.first.line);
  }

  /** Play a line from the position of the puzzle. @param {string[]} line */
  async show(line) {
    const turn = this.replay.stop();
    await this.view.change(() => this.game.go(0));
    await this.replay.run(line, turn);
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
      above: h("p", { class: "question" }, this.first ? sayAll(this.first.question) : say("puzzle.solving")),
      sentence: this.message,
      troubled: this.message.startsWith("✗"),
      beside: explanation(this),
      tools: tools(this),
      panels: [{ key: "puzzle.puzzles", body }],
    });
  }
}

/** The person's answer to a puzzle: only the first one counts, and a hint counts as wrong. */
class Answer {
  solved = false;
  points = 0; // that the answer has brought
  #shown = false; // the solution was looked at
  #judged = false;

  /** @param {PuzzleProps} props */
  constructor({ puzzle, daily }) {
    this.puzzle = puzzle;
    this.daily = daily;
  }

  /** True once the first answer is counted. */
  get counted() { return this.#judged; }

  /** @param {boolean} right */
  judge(right) {
    if (this.#judged) return;
    this.#judged = true;
    this.points = judged(this.puzzle, right);
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

/** @param {PuzzleScreen} screen */
function heading({ props: { puzzle, daily }, game }) {
  const facts = [daily && say("puzzle.daily"), say("puzzle.rating", { rating: puzzle.rating })];
  return h("h1", { class: "small" },
    gameTitle(game.board.game),
    " ",
    h("small", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
  );
}

/**
 * Return how the answer has changed the rating; once solved, why it works and why another move fails.
 * @param {PuzzleScreen} screen
 */
function explanation({ answer, first, props: { puzzle } }) {
  if (!answer.counted) return null;
  const { likeliest_wrong: wrong = null, why = null } = first ?? {};
  const fault = first && wrong ? first.faults[wrong] : null;
  const points = { points: signed(answer.points) || "0", rating: Math.round(progress().rating) };
  const words = answer.solved && [
    why && h("p", { "data-why": "right" }, sayMessage(why)),
    fault && h("p", { "data-why": "wrong" }, sayMessage(fault.in_full)),
    h("p", { class: "quiet" }, say("puzzle.was_theme", { theme: say(`puzzle.theme_${puzzle.theme}`) })),
  ];
  return h("section", { class: "puzzle-why" },
    h("p", { class: "points", "data-points": answer.points }, say("puzzle.points", points)),
    words,
  );
}

/** Return the layers that show the moves of a hint. @param {PuzzleScreen} screen */
function hintLayers({ game: { board }, hints, facts }) {
  const ring = { class: "layer puzzle-hint", r: 14, fill: "none", "stroke-width": 4 };
  const named = hints < 2 || !facts ? [] : hints === 2 ? facts.area : [facts.move];
  const choices = board.legal.filter(({ m }) => named.includes(m));
  if (board.spots_in_a_move === 2) return choices.map(({ m }) => pointed(board, `hint ${m}`, m));
  return choices.map(({ m, at }) => at && h("circle", { key: m, ...ring, cx: at[0], cy: at[1] }));
}

/** @param {PuzzleScreen} screen */
function tools(screen) {
  const { answer, first, game, hints, props: { puzzle } } = screen;
  const address = `/analyse/${encodeURIComponent(game.board.game)}?${new URLSearchParams({ pos: puzzle.text })}`;
  const wrong = first?.likeliest_wrong;
  if (answer.solved && first)
    return [
      tool("puzzle.next", () => go("/puzzles"), { class: "primary" }),
      tool("puzzle.show_solution", () => screen.show(first.line)),
      wrong && tool("puzzle.play_wrong", () => screen.show([wrong, ...first.faults[wrong].line])),
      link(address, [icon("web.analyse"), h("span", {}, say("web.analyse"))], { class: "button" }),
    ];
  return [
    screen.away
      ? tool("puzzle.again", () => screen.again(), { class: "primary" })
      : tool(hints ? "puzzle.next_hint" : "puzzle.get_hint", () => screen.hint(), {
          disabled: !screen.asking || hints === 3,
        }),
    tool("puzzle.show_solution", () => screen.solution(), { disabled: !first }),
    tool("puzzle.next", () => go("/puzzles")),
  ];
}

/**
 * Return the choice of a game and a theme, and links to other kinds of puzzles.
 * @param {PuzzleCount[]} counts
 * @param {Wanted} wanted
 */
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

/** Return the person's rating, and the number of puzzles to repeat. */
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
 * Return the fields in which a game and a theme are chosen.
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
