// @ts-check
// Analyse and solve: any position, both sides free to move, the value of every move with its proof.

import { boardOf, games } from "../api.js";
import { focusBoard, pointed } from "../board.js";
import { ExpectedLine } from "../expected_line.js";
import { LinePlayer } from "../line_player.js";
import { GameState } from "../game.js";
import { MoveList, featureList, gameScreen, narrow, openKeys } from "../game_screen.js";
import { GameView } from "../game_view.js";
import { gameTitle, say, sayAll } from "../language.js";
import { CompareForm, Variants } from "../panels/compare.js";
import { PositionEditor } from "../panels/editor.js";
import { Exports } from "../panels/exports.js";
import { GraphPanel } from "../panels/graph.js";
import { Review, ValueHistory } from "../panels/review.js";
import { WhyPanel } from "../panels/why.js";
import { AgentPicker } from "../pickers.js";
import { PositionSearch } from "../position_search.js";
import { go } from "../router.js";
import { PERSON, addressOf, featured, fitting, setupOf } from "../saved_game.js";
import { change, settings } from "../settings.js";
import {
  Entry, Group, Part, announce, entry, form, helpLink, iconTool, labelled, openDialog, select, tool,
} from "../ui.js";
import { EvalBar, heatOf, labelsOf } from "../values.js";
import { h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { Panel } from "../game_screen.js" */
/** @import { GameProps, Key } from "../game_view.js" */
/** @import { Opener } from "../router.js" */
/** @import { BoardFacts as Board, DraftFacts as Draft } from "../wire.d.ts" */

/**
 * @typedef {object} Analysed What the address asks for.
 * @property {"analyse" | "solve"} screen
 * @property {string} agent The one that searches.
 * @property {string[]} sizes Games and sizes to choose from.
 * @property {string | null} draft A board that is being set up.
 * @property {string[] | undefined} played The players of a game that is reviewed.
 * @property {URLSearchParams} words
 *
 * @typedef {GameProps & Analysed} AnalyseProps
 */

const SOLVE_SECONDS = 5;
const LONGEST_SECONDS = 60; // of a search
const WHEEL = 80; // milliseconds between two moves: a wheel turns faster than an eye can follow

/** @type {Opener} */
export const analyse = (url, signal) => open(url, signal, "analyse");

/** @type {Opener} */
export const solve = (url, signal) => open(url, signal, "solve");

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 * @param {"analyse" | "solve"} screen
 */
async function open(url, signal, screen) {
  const all = await games();
  const seconds = screen === "solve" ? SOLVE_SECONDS : settings.seconds;
  const { game: name, setup } = setupOf(url, { players: [], seconds }, featured(all).name);
  const usualSize = all.find((each) => each.name === name); // where the address names none
  if (usualSize && setup.start === name && !setup.moves.length && fitting(usualSize) !== usualSize.spec)
    setup.start = fitting(usualSize);
  const game = await GameState.open(setup);
  const agent = setup.players.find((each) => each !== PERSON) ?? usualAgent(game.board);
  const sizes = all.flatMap((each) => [each.spec, ...each.presets]);
  const title = say(screen === "solve" ? "web.solve_game" : "web.analyse_game", { game: gameTitle(game.board.game) });
  return {
    title,
    view: h(AnalyseScreen, {
      game,
      signal,
      screen,
      agent,
      sizes,
      words: url.searchParams,
      draft: url.searchParams.get("edit"),
      played: url.searchParams.get("review")?.split("|").filter(Boolean),
    }),
  };
}

/** Return the agent that searches if the address names none. @param {Board} board */
function usualAgent(board) { return board.solver ? "solver" : "alphabeta"; }

/** @extends {Part<AnalyseProps>} */
export class AnalyseScreen extends Part {
  game = this.props.game;
  /** @type {GameView} */
  view = new GameView(this, this.props, {
    picked: (move) => this.steps.picked(move),
    keys: () => this.keys(),
    stop: () => this.stopSearches(),
    changed: (before) => this.#changed(before),
    back: () => this.setup.draft === null && this.resume(),
    leave: () => this.#leave(),
  });
  engine = new PositionSearch(this, this.props.agent);
  line = new ExpectedLine(this);
  player = new LinePlayer(this);
  history = new ValueHistory();
  review = new Review(this, this.props.played ?? [], this.game.names);
  variants = new Variants(this, this.props.words);
  steps = new Steps(this);
  setup = new BoardSetup(this, this.props.draft);
  arrow = true; // points the best move out
  trace = ""; // the drawing of how two tiles are linked

  componentDidMount() {
    if (this.props.played) this.judge();
    else if (this.setup.draft === null) this.resume();
  }

  update() { this.view.update(); }

  stopSearches() {
    this.engine.stop();
    this.variants.stop();
  }

  #leave() {
    this.stopSearches();
    this.review.stop();
    this.player.close();
  }

  /** @param {Board} before */
  #changed(before) {
    const { board, moves } = this.game;
    if (board === before) {
      this.update();
      this.#search();
      return;
    }
    this.resume();
    announce(`${moves.at(-1) ?? say("web.first")}. ${sentence(this)}`);
  }

  /**
   * Return the address of this screen with another position.
   * @param {string} start
   * @param {string} game
   * @param {string[]} [moves]
   */
  address(start, game, moves = []) {
    const { agent } = this.engine;
    const players = agent === usualAgent(this.game.board) ? [] : [agent];
    const setup = { start, moves, players, seconds: this.game.seconds };
    return addressOf(this.props.screen, setup, game) + this.variants.words;
  }

  /** Show the position and search it, after something has changed. */
  resume() {
    const { start, moves, board } = this.game;
    this.stopSearches();
    this.line.hide();
    this.player.close();
    this.trace = "";
    if (this.engine.current) this.history.note(moves.length, this.engine.current, board.seats);
    if (!this.review.total)
      history.replaceState(null, "", this.address(start, start.includes(" ") ? board.game : start, moves));
    this.update();
    this.line.number();
    this.#search();
  }

  #search() { return this.variants.shown ? this.variants.run() : this.engine.run(); }

  /** Switch the search on or off. */
  toggle() {
    this.engine.on = this.variants.shown || !this.engine.on;
    this.variants.shown = false;
    this.resume();
  }

  /** Go to the position that a text means: a position, a game, or moves of this game. @param {string} text */
  async read(text) {
    const names = (await games()).map((each) => each.name);
    const named = /^[a-z]+\d?(:|\s)/.test(text) && names.some((name) => text.startsWith(name));
    const [start, moves] = named || names.includes(text) ? [text, []] : [this.game.board.game, text.split(/\s+/)];
    const board = await boardOf(start, moves);
    await go(this.address(start, board.game, board.moves));
  }

  /** Review the whole game. */
  async judge() {
    this.engine.on = false;
    this.stopSearches();
    history.replaceState(null, "", this.review.address); // a way back from a lesson to the review
    await this.review.run();
  }

  #endLine() {
    this.player.close();
    this.update();
  }

  /** Open the dialog that compares algorithms. */
  compare() {
    const { game } = this;
    if (game.board.end !== "open") return;
    this.stopSearches(); // they would take processor time
    openDialog(say("web.compare"), () => h(CompareForm, { game }));
  }

  /** Return the keys of this screen, the same as in Lichess. @returns {Key[]} */
  keys() {
    const { game, steps, line, engine, view } = this;
    const last = game.line.length;
    const act = {
      arrow: () => {
        this.arrow = !this.arrow;
        this.update();
      },
      ahead: () => {
        change({ ahead: !settings.ahead });
        line.number();
      },
      line: () => line.preview(line.end ? [] : (engine.current?.analysis?.line ?? [])),
    };
    const played = [{ keys: ["Escape"], shown: "Esc", text: "web.key_line_close", act: () => this.#endLine() }];
    return this.setup.draft !== null ? [] : [
      ...(this.player.line ? played : []),
      { keys: ["ArrowLeft", "k"], shown: "← k", text: "web.back", act: () => steps.step(-1) },
      { keys: ["ArrowRight", "j"], shown: "→ j", text: "web.forward", act: () => steps.step(1) },
      { keys: ["ArrowUp", "Home", "0"], shown: "↑ Home 0", text: "web.first", act: () => steps.jump(0) },
      { keys: ["ArrowDown", "End", "$"], shown: "↓ End $", text: "web.last", act: () => steps.jump(last) },
      { keys: [" "], shown: "Space", text: "web.play_best", act: () => steps.playBest() },
      { keys: ["l"], shown: "l", text: "web.engine_on", act: () => this.toggle() },
      { keys: ["a"], shown: "a", text: "web.key_arrow", act: act.arrow },
      { keys: ["x"], shown: "x", text: "web.key_line", act: act.line },
      { keys: ["v"], shown: "v", text: "web.key_ahead", act: act.ahead },
      { keys: ["e"], shown: "e", text: "web.key_experts", act: () => view.toggleFeatures() },
      { keys: ["b"], shown: "b", text: "web.editor", act: () => this.setup.begin() },
      { keys: ["c"], shown: "c", text: "web.compare", act: () => this.compare() },
      { keys: ["d"], shown: "d", text: "variants.title", act: () => this.variants.toggle() },
      { keys: ["f"], shown: "f", text: "web.flip", act: () => view.flip() },
      { keys: ["z"], shown: "z", text: "web.review", act: () => this.judge() },
      { keys: ["?"], shown: "?", text: "web.help", act: () => openKeys(view, this.keys()) },
      { shown: "↕", text: "web.key_wheel" },
    ];
  }

  render() {
    return gameScreen(this.view, {
      name: "game-screen analyse-screen",
      heading: heading(this),
      instead: this.setup.editor(),
      board: board(this),
      bar: bar(this),
      sentence: sentence(this),
      below: below(this),
      beside: !narrow() && this.setup.draft === null && card(this),
      tools: tools(this),
      menu: menu(this),
      panels: panels(this),
      wheel: this.steps.wheel,
      swiped: (plies) => this.steps.step(plies),
    });
  }
}

/** Steps through the moves of a game, forward and back, and away from them. */
class Steps {
  #wheeled = 0; // when the wheel was turned last, in milliseconds

  /** @param {AnalyseScreen} screen */
  constructor(screen) { this.screen = screen; }

  /** Make a move: the one that was taken back, or another. @param {string} move */
  picked(move) {
    const { game, history, review, view } = this.screen;
    const ply = game.moves.length;
    if (game.line[ply] === move) this.jump(ply + 1);
    else
      view.change(async () => {
        await game.play(move);
        history.forget(ply);
        review.forget(ply);
      });
  }

  /** Show the position after that many moves; return false if there is none. @param {number} count */
  jump(count) {
    const { game, view } = this.screen;
    const possible = count >= 0 && count <= game.line.length;
    if (possible) view.change(() => game.go(count));
    return possible;
  }

  /** Step forward or back, in the line that is played or else in the game; false at its ends. @param {number} plies */
  step(plies) {
    const { game, player } = this.screen;
    if (!player.line) return this.jump(game.moves.length + plies);
    player.step(plies);
    return true;
  }

  wheel = (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || !event.deltaY) return;
    if (event.timeStamp - this.#wheeled < WHEEL) event.preventDefault();
    else if (this.step(Math.sign(event.deltaY))) {
      this.#wheeled = event.timeStamp;
      event.preventDefault();
    }
  };

  playBest() {
    const best = this.screen.engine.current?.best;
    if (best) this.picked(best);
  }

  /** Open the position on the screen that plays. */
  playFromHere() {
    const { start, moves, board, seconds } = this.screen.game;
    const players = [PERSON, "level:3"].slice(0, board.seats);
    return go(addressOf("play", { start, moves, players, seconds }, board.game));
  }
}

/** A board that is being set up in place of the one that is analysed. */
class BoardSetup {
  /** @param {AnalyseScreen} screen @param {string | null} draft The board as text; null while none is set up. */
  constructor(screen, draft) {
    this.screen = screen;
    this.draft = draft;
  }

  /** Begin with the board that is shown. */
  begin() {
    this.screen.stopSearches();
    this.draft = this.screen.game.board.position;
    this.screen.update();
  }

  /** Return to the game. @param {unknown} [error] Why the board cannot be set up. */
  #cancel(error) {
    this.draft = null;
    this.screen.resume();
    if (error) this.screen.complain(error);
    this.screen.forceUpdate(focusBoard);
  }

  /** Write the draft into the address and into the field of the position. @param {Draft} draft */
  #changed({ game, position }) {
    const { view, props } = this.screen;
    if (view.left) return;
    const address = `/${props.screen}/${encodeURIComponent(game)}?edit=${encodeURIComponent(position)}`;
    history.replaceState(null, "", address);
    this.draft = position;
    view.update();
  }

  /** Return the editor; null if no board is being set up. */
  editor() {
    if (this.draft === null) return null;
    return h(PositionEditor, {
      draft: this.draft,
      done: ({ position, game }) => go(this.screen.address(position, game)),
      cancel: (error) => this.#cancel(error),
      changed: (draft) => this.#changed(draft),
    });
  }
}

/** @param {AnalyseScreen} screen */
function heading({ props: { screen, sizes }, game: { board }, variants }) {
  const options = [...new Set([board.game, ...sizes])].map((spec) => [spec, gameTitle(spec)]);
  const choose = (/** @type {string} */ spec) =>
    go(`/${screen}/${encodeURIComponent(spec)}${variants.words.replace("&", "?")}`);
  return h("h1", { class: "small" },
    say(screen === "solve" ? "web.solve" : "web.analyse"),
    " ",
    labelled(say("web.game_size"), select(board.game, options, choose)),
  );
}

/** @param {AnalyseScreen} screen @returns {Partial<BoardProps>} */
function board({ game, line, player, engine, variants, review, arrow, trace }) {
  const { board: shown, moves } = game;
  const search = engine.current;
  const looked = review.at(moves.length);
  if (player.board) return { board: player.board, label: say("line.title"), layers: [player.mark()] };
  if (line.end) return { board: line.end, label: say("web.ghost"), ghost: true, layers: [line.numbers()] };
  return {
    live: shown.end === "open",
    layers: [
      arrow && !variants.shown && pointed(shown, "hint", search?.best),
      pointed(shown, "better", looked?.plan[0]),
      pointed(shown, "mistake", looked?.move),
      trace && h(Group, { key: "trace", name: "layer trace", text: trace }),
      line.numbers(),
      variants.shown ? variants.marks(shown) : search && [heatOf(shown, search), labelsOf(shown, search)],
    ],
  };
}

/** Return the bar with the value of the position. @param {AnalyseScreen} screen */
function bar({ game, player, engine, view, variants, review }) {
  if (variants.shown) return null;
  const known = player.value ?? review.valueAt(game.moves.length);
  return h(EvalBar, { board: player.board ?? game.board, search: engine.current, seat: view.seat, known });
}

/** @param {AnalyseScreen} screen */
function ending({ game, review }) {
  const { end, winner, seats } = game.board;
  if (winner === null || seats === 1) return say("play.ended", { how: say(`end.${end}`) });
  const player = review.called[winner];
  return player === say("seat.alone") ? say(`play.you_won_${end}`) : say(`play.won_${end}`, { player });
}

/** Return the state of the game as a sentence. @param {AnalyseScreen} screen */
function sentence(screen) {
  const { board: shown } = screen.game;
  if (screen.line.end) return say("web.ghost");
  if (screen.player.board) return screen.player.caption();
  if (shown.end !== "open") return ending(screen);
  if (shown.seats === 1) return say("screen.turn_alone");
  const player = screen.review.called[shown.turn];
  return player === say("seat.alone") ? say("room.your_turn") : say("web.to_move", { player });
}

/** @param {AnalyseScreen} screen */
function tools(screen) {
  const { game, steps, engine, variants } = screen;
  const [at, last] = [game.moves.length, game.line.length];
  const pressed = String(engine.on && !variants.shown);
  return [
    iconTool("web.first", () => steps.jump(0), { disabled: !at }),
    iconTool("web.back", () => steps.step(-1), { disabled: !at }),
    iconTool("web.forward", () => steps.step(1), { disabled: at === last }),
    iconTool("web.last", () => steps.jump(last), { disabled: at === last }),
    tool("web.engine_on", () => screen.toggle(), { "aria-pressed": pressed, class: "primary" }),
  ];
}

/** Return the card of the review; on the screen that solves, the proved solution. @param {AnalyseScreen} screen */
function card(screen) {
  const { review, props } = screen;
  return props.screen === "solve" && !review.total ? solution(screen) : review.card();
}

/**
 * Return the key of the text that names the best moves: all that are legal, the only one, all of the best or some.
 * @param {import("../events.d.ts").SearchEvent} found @param {number} legal
 */
function bestKey(found, legal) {
  if (found.best.length === legal) return legal > 1 ? "solve.best_every" : "solve.best_only";
  return found.best_complete ? "solve.best" : "solve.one_best";
}

/** Return what the solver has proved, its best moves, and the line of best play. @param {AnalyseScreen} screen */
function solution(screen) {
  const { game, engine, player, review } = screen;
  const found = engine.current?.analysis;
  if (game.board.end !== "open" || !engine.on) return null;
  const longer = Math.min(LONGEST_SECONDS, 5 * game.seconds);
  const moves = found?.best.join(", ");
  const play = () =>
    player.play({
      kind: "better",
      from: game.moves.length,
      moves: found?.line ?? [],
      end: "",
      called: review.called,
      value: null,
    });
  return h("section", { class: "review-card solve-card", "aria-label": say("solve.card") },
    h("div", { role: "status" },
      h("h2", { "data-solved": found ? String(found.exact) : null },
        found ? sayAll(found.explanation.verdict) : say("solve.proving"),
      ),
    ),
    found?.exact && h("p", {}, say(bestKey(found, game.board.legal.length), { moves, count: found.best.length })),
    found && h("div", { class: "row" },
      found.exact
        ? found.line.length > 0 && tool("solve.play", play, { class: "better" })
        : longer > game.seconds &&
          tool("solve.longer", () => engine.change(engine.agent, longer), {}, say("solve.longer", { seconds: longer })),
    ),
    player.view(),
  );
}

/** Return the main actions of this screen, always in sight. @param {AnalyseScreen} screen */
function below(screen) {
  const { game, variants, setup } = screen;
  return [
    narrow() && card(screen),
    h("div", { class: "actions", role: "group", "aria-label": say("web.actions") },
      tool("web.review", () => screen.judge(), { disabled: !game.line.length }),
      tool("web.compare", () => screen.compare(), { disabled: game.board.end !== "open" }),
      tool("variants.title", () => variants.toggle(), { "aria-pressed": String(variants.shown) }),
      tool("web.editor", () => setup.begin()),
      tool("web.export", () => openDialog(say("web.export"), () => h(Exports, { game }))),
    ),
  ];
}

/** @param {AnalyseScreen} screen */
function menu(screen) {
  const { steps, engine, view } = screen;
  return [
    tool("web.play_best", () => steps.playBest(), { disabled: !engine.current?.best }),
    tool("web.flip", () => view.flip()),
    tool("web.play_from_here", () => steps.playFromHere()),
    tool("web.help", () => openKeys(view, screen.keys())),
  ];
}

/** @param {AnalyseScreen} screen @returns {Panel[]} */
function panels(screen) {
  const { game, variants, review, steps, view, setup } = screen;
  if (setup.draft !== null) return [{ key: "web.panel_board", first: true, body: pasting(screen) }];
  const moves = [
    h(MoveList, { view, notes: review.notes, turns: review.turns, go: (count) => steps.jump(count) }),
    screen.history.chart(game.moves.length, (ply) => steps.jump(ply)),
    review.view(),
  ];
  return [
    ...(variants.shown ? [{ key: "variants.title", first: true, body: variants.view(stage(screen)) }] : []),
    { key: "web.panel_moves", body: moves },
    ...(variants.shown ? [] : [{ key: "web.panel_values", first: true, body: values(screen) }]),
    { key: "web.panel_board", body: boardPanel(screen) },
    { key: "web.panel_graph", body: h(GraphPanel, { position: game.board.position }) },
  ];
}

/** Return the functions with which panels show something on the board. @param {AnalyseScreen} screen */
function stage(screen) {
  return {
    point: (/** @type {string | null} */ move) => screen.view.point(move),
    preview: (/** @type {string[]} */ line) => screen.line.preview(line),
    paint: (/** @type {string} */ svg) => {
      screen.trace = svg;
      screen.update();
    },
  };
}

/** Return the panel of values and reasons, with the choice of the agent. @param {AnalyseScreen} screen */
function values(screen) {
  const { game, engine } = screen;
  const empty = say("because.empty_off");
  const seconds = entry(game.seconds, (value) => engine.change(engine.agent, Number(value)), {
    type: "number", min: 0.1, max: 60, step: "any",
  });
  return [
    h(WhyPanel, { search: engine.current, board: game.board, stage: stage(screen), whole: true, empty }),
    helpLink("analyse#proved-and-estimated", "help.about_values"),
    h("div", { class: "engine" },
      screen.props.screen === "analyse" && h(AgentPicker, {
        title: say("web.engine"),
        game: game.board.game,
        spec: engine.agent,
        people: false,
        choose: (spec) => engine.change(spec, game.seconds),
      }),
      labelled(say("web.seconds_search"), seconds),
    ),
  ];
}

/** Return the panel of what experts see, with a field for another position. @param {AnalyseScreen} screen */
function boardPanel(screen) {
  return [h("div", { class: "features" }, featureList(screen.view)), pasting(screen)];
}

/** Return a field for another position. @param {AnalyseScreen} screen */
function pasting(screen) {
  const value = screen.setup.draft ?? screen.game.board.position;
  return form({ class: "paste" }, ({ pos }) => screen.attempt(() => screen.read(pos.value.trim())),
      h("label", { for: "pos" }, say("web.paste")),
      h(Entry, { tag: "textarea", value, rows: 2, spellcheck: false, id: "pos" }),
      h("button", { type: "submit" }, say("web.show")),
  );
}
