// @ts-check
// Analyse and solve: any position, both sides free to move, the value of every move with its proof.

import { boardOf, filmOf, games } from "../api.js";
import { focusBoard, pointed } from "../board.js";
import { copy, download, pngOf } from "../files.js";
import { GameState } from "../game.js";
import { GameScreen, narrow } from "../game_screen.js";
import { gameTitle, say, trouble } from "../language.js";
import { CompareForm, Variants } from "../panels/compare.js";
import { PositionEditor } from "../panels/editor.js";
import { GraphPanel } from "../panels/graph.js";
import { Review, ValueHistory } from "../panels/review.js";
import { WhyPanel } from "../panels/why.js";
import { AgentPicker } from "../pickers.js";
import { go } from "../router.js";
import { PERSON, addressOf, fitting, setupOf } from "../saved_game.js";
import { Searcher } from "../search.js";
import { change, settings } from "../settings.js";
import {
  Entry,
  Group,
  announce,
  button,
  entry,
  form,
  helpLink,
  iconTool,
  labelled,
  openDialog,
  select,
  tool,
} from "../ui.js";
import { EvalBar, heatOf, labelsOf } from "../values.js";
import { Component, h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { GameProps } from "../game_screen.js" */
/** @import { Opener } from "../router.js" */
/** @import { Search } from "../search.js" */
/** @import { Board, Sketch as Draft } from "../wire.d.ts" */
/** @typedef {GameProps & {screen: "analyse" | "solve", agent: string, sizes: string[], draft: string | null, played: string[] | undefined, words: URLSearchParams}} AnalyseProps */

const SOLVE_SECONDS = 5;
const WHEEL = 80; // milliseconds: a wheel turns faster than anybody can follow
const MOST_NUMBERS = 30; // of moves to come, on the board

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
  const { game: name, setup } = setupOf(url, {
    players: [],
    seconds: screen === "solve" ? SOLVE_SECONDS : settings.seconds,
  });
  const all = await games();
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

/** Who thinks where nobody else was asked to. @param {Board} board */
function usualAgent(board) { return board.solver ? "solver" : "alphabeta"; }

/** @extends {GameScreen<AnalyseProps>} */
class AnalyseScreen extends GameScreen {
  name = "game-screen analyse-screen";
  agent = this.props.agent;
  running = true; // who opens it wants to know
  /** @type {Map<string, Search>} */
  searches = new Map(); // by position: a value is never shown on another one
  searcher = new Searcher((search) => this.#heard(search));
  history = new ValueHistory();
  review = new Review(this, this.props.played ?? [], this.props.game.names);
  variants = new Variants(this, this.props.words);
  draft = this.props.draft; // a board that is being set up
  arrow = true; // points the best move out
  /** @type {Board | null} */
  ghost = null; // where a line leads
  /** @type {string[]} */
  asked = []; // the line whose end is asked for
  /** @type {Board | null} */
  ahead = null; // the expected line, played to its end
  trace = ""; // how the way between two tiles is found
  wheeled = 0;

  componentDidMount() {
    if (this.props.played) this.judge();
    else if (this.draft === null) this.resume();
  }

  back() {
    super.back();
    if (this.draft === null) this.resume();
  }

  leave() {
    this.quiet();
    this.review.stop();
  }

  quiet() {
    this.searcher.stop();
    this.variants.stop();
  }

  /** What is known of this very position. */
  get search() { return this.searches.get(this.game.board.position); }

  /**
   * The address of this screen with a position on it.
   * @param {string} start
   * @param {string} game
   * @param {string[]} [moves]
   */
  address(start, game, moves = []) {
    const players = this.agent === usualAgent(this.game.board) ? [] : [this.agent];
    return (
      addressOf(this.props.screen, { start, moves, players, seconds: this.game.seconds }, game) + this.variants.words
    );
  }

  // Searching.

  /** Show and search again, after something has changed. */
  resume() {
    const { start, moves, board } = this.game;
    this.quiet();
    this.#hideLine();
    this.trace = "";
    if (this.search) this.history.note(moves.length, this.search, board.seats);
    if (!this.review.total)
      history.replaceState(null, "", this.address(start, start.includes(" ") ? board.game : start, moves));
    this.update();
    this.#number();
    this.#think();
  }

  /** Search this position, unless nobody is to, or it has been searched. */
  async #think() {
    const { game } = this;
    if (this.variants.shown) return this.variants.run();
    if (!this.running || game.board.end !== "open" || this.search?.analysis) return;
    const found = await this.searcher
      .run(game.request(this.agent, game.seconds, { all_moves: true }), game.board)
      .catch((error) => this.complain(error));
    if (!found) return;
    this.history.note(game.moves.length, found, game.board.seats);
    this.update();
    this.#number();
  }

  /** @param {Search} search */
  #heard(search) {
    this.searches.set(search.position, search);
    this.updateSoon();
  }

  toggle() {
    this.running = this.variants.shown || !this.running;
    this.variants.shown = false;
    this.resume();
  }

  /** Another agent thinks, or for another time. @param {string} agent @param {number} seconds */
  ask(agent, seconds) {
    this.agent = agent;
    this.game.seconds = seconds > 0 && seconds <= 60 ? seconds : settings.seconds;
    this.searches.clear();
    this.resume();
  }

  // Through the moves, forward and back, and away from them.

  /** @param {Board} before */
  changed(before) {
    const { board, moves } = this.game;
    if (board === before) {
      this.update();
      this.#think();
      return;
    }
    this.resume();
    announce(`${moves[moves.length - 1] ?? say("web.first")}. ${this.sentence()}`);
  }

  /** Make a move: the one that was taken back, or another. @param {string} move */
  picked(move) {
    const { game } = this;
    const ply = game.moves.length;
    if (game.line[ply] === move) this.jump(ply + 1);
    else
      this.change(async () => {
        await game.play(move);
        this.history.forget(ply);
        this.review.forget(ply);
      });
  }

  /** @param {number} count */
  jump(count) {
    const possible = count >= 0 && count <= this.game.line.length;
    if (possible) this.change(() => this.game.go(count));
    return possible;
  }

  /** So many moves on; false where there is nothing to step to. @param {number} plies */
  step(plies) { return this.jump(this.game.moves.length + plies); }

  wheel = (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || !event.deltaY) return;
    if (event.timeStamp - this.wheeled < WHEEL) event.preventDefault();
    else if (this.step(Math.sign(event.deltaY))) {
      this.wheeled = event.timeStamp;
      event.preventDefault();
    }
  };

  playBest() {  if (this.search?.best) this.picked(this.search.best); }

  playFromHere() {
    const { start, moves, board, seconds } = this.game;
    return go(
      addressOf("play", { start, moves, players: [PERSON, "level:3"].slice(0, board.seats), seconds }, board.game),
    );
  }

  // Lines to come.

  /** Show where a line leads, or the position again. @param {string[]} line */
  async preview(line) {
    const { start, moves } = this.game;
    this.#hideLine();
    this.asked = line;
    this.update();
    const board = line.length ? await boardOf(start, [...moves, ...line]).catch(() => null) : null;
    if (this.asked !== line) return; // it is over already
    this.ghost = board;
    this.update();
  }

  #hideLine() {
    this.asked = [];
    this.ghost = null;
  }

  /** Play the expected line to its end, to number its moves on the board. */
  async #number() {
    const { start, moves, board } = this.game;
    const line = settings.ahead ? (this.search?.analysis?.line ?? []) : [];
    const ahead = line.length ? await boardOf(start, [...moves, ...line]).catch(() => null) : null;
    if (this.game.board !== board || (ahead && !settings.ahead)) return;
    this.ahead = ahead;
    this.update();
  }

  // Boards that are set up or pasted.

  /** Set up a board, beginning with this one. */
  edit() {
    this.quiet();
    this.draft = this.game.board.position;
    this.update();
  }

  /** @param {unknown} [error] */
  leaveEditor(error) {
    this.draft = null;
    this.resume();
    if (error) this.complain(error);
    this.forceUpdate(focusBoard);
  }

  /** A draft has its link and its text too. @param {Draft} draft */
  drafted({ game, position }) {
    if (this.left) return;
    history.replaceState(
      null,
      "",
      `/${this.props.screen}/${encodeURIComponent(game)}?edit=${encodeURIComponent(position)}`,
    );
    this.draft = position;
    this.update();
  }

  /** Go to the position that words mean: a position, a game, or moves of the game at hand. @param {string} words */
  async read(words) {
    const names = (await games()).map((each) => each.name);
    const named = /^[a-z]+\d?(:|\s)/.test(words) && names.some((name) => words.startsWith(name));
    const [start, moves] = named || names.includes(words) ? [words, []] : [this.game.board.game, words.split(/\s+/)];
    const board = await boardOf(start, moves);
    await go(this.address(start, board.game, board.moves));
  }

  // Dialogs and reviews.

  async judge() {
    this.running = false;
    this.quiet();
    history.replaceState(null, "", this.review.address); // whoever comes back from a lesson finds it again
    await this.review.run();
  }

  compare() {
    const { game } = this;
    if (game.board.end !== "open") return;
    this.quiet(); // they get the machine to themselves
    openDialog(say("web.compare"), () => h(CompareForm, { game }));
  }

  takeAway() { openDialog(say("web.export"), () => h(Exports, { game: this.game })); }

  // What is seen.

  /** As in Lichess. */
  keys() {
    const last = this.game.line.length;
    return this.draft !== null
      ? []
      : [
          { keys: ["ArrowLeft", "k"], shown: "← k", text: "web.back", act: () => this.step(-1) },
          { keys: ["ArrowRight", "j"], shown: "→ j", text: "web.forward", act: () => this.step(1) },
          { keys: ["ArrowUp", "Home", "0"], shown: "↑ Home 0", text: "web.first", act: () => this.jump(0) },
          { keys: ["ArrowDown", "End", "$"], shown: "↓ End $", text: "web.last", act: () => this.jump(last) },
          { keys: [" "], shown: "Space", text: "web.play_best", act: () => this.playBest() },
          { keys: ["l"], shown: "l", text: "web.engine_on", act: () => this.toggle() },
          {
            keys: ["a"],
            shown: "a",
            text: "web.key_arrow",
            act: () => {
              this.arrow = !this.arrow;
              this.update();
            },
          },
          {
            keys: ["x"],
            shown: "x",
            text: "web.key_line",
            act: () => this.preview(this.ghost ? [] : (this.search?.analysis?.line ?? [])),
          },
          {
            keys: ["v"],
            shown: "v",
            text: "web.key_ahead",
            act: () => {
              change({ ahead: !settings.ahead });
              this.#number();
            },
          },
          { keys: ["e"], shown: "e", text: "web.key_experts", act: () => this.toggleFeatures() },
          { keys: ["b"], shown: "b", text: "web.editor", act: () => this.edit() },
          { keys: ["c"], shown: "c", text: "web.compare", act: () => this.compare() },
          { keys: ["d"], shown: "d", text: "variants.title", act: () => this.variants.toggle() },
          { keys: ["f"], shown: "f", text: "web.flip", act: () => this.flip() },
          { keys: ["z"], shown: "z", text: "web.review", act: () => this.judge() },
          { keys: ["?"], shown: "?", text: "web.help", act: () => this.help() },
          { shown: "↕", text: "web.key_wheel" },
        ];
  }

  heading() {
    const { screen, sizes } = this.props;
    const { game } = this.game.board;
    const options = [...new Set([game, ...sizes])].map((spec) => [spec, gameTitle(spec)]);
    return h("h1", { class: "small" },
      say(screen === "solve" ? "web.solve" : "web.analyse"),
      " ",
      labelled(
        say("web.game_size"),
        select(game, options, (spec) =>
          go(`/${screen}/${encodeURIComponent(spec)}${this.variants.words.replace("&", "?")}`),
        ),
      ),
    );
  }

  instead() {
    return this.draft !== null
      ? h(PositionEditor, {
          draft: this.draft,
          done: (draft) => go(this.address(draft.position, draft.game)),
          cancel: (error) => this.leaveEditor(error),
          changed: (draft) => this.drafted(draft),
        })
      : null;
  }

  /** @returns {Partial<BoardProps>} */
  board() {
    const {
      game: { board, moves },
      ghost,
      search,
    } = this;
    if (ghost) return { board: ghost, label: say("web.ghost"), ghost: true, layers: [numbers(ghost, moves.length)] };
    return {
      live: board.end === "open",
      layers: [
        this.arrow && !this.variants.shown && pointed(board, "hint", search?.best),
        pointed(board, "mistake", this.review.moveAt(moves.length)),
        this.trace && h(Group, { key: "trace", name: "layer trace", text: this.trace }),
        this.ahead && numbers(this.ahead, moves.length),
        this.variants.shown ? this.variants.marks(board) : search && [heatOf(board, search), labelsOf(board, search)],
      ],
    };
  }

  bar() {
    return this.variants.shown
      ? null
      : h(EvalBar, {
          board: this.game.board,
          search: this.search,
          seat: this.view,
          known: this.review.valueAt(this.game.moves.length),
        });
  }

  #ending() {
    const { end, winner, seats } = this.game.board;
    if (winner === null || seats === 1) return say("play.ended", { how: say(`end.${end}`) });
    const player = this.review.called[winner];
    return player === say("seat.alone") ? say(`play.you_won_${end}`) : say(`play.won_${end}`, { player });
  }

  sentence() {
    const { board } = this.game;
    if (this.ghost) return say("web.ghost");
    if (board.end !== "open") return this.#ending();
    if (board.seats === 1) return say("screen.turn_alone");
    const player = this.review.called[board.turn];
    return player === say("seat.alone") ? say("room.your_turn") : say("web.to_move", { player });
  }

  tools() {
    const { game } = this;
    const [at, last] = [game.moves.length, game.line.length];
    return [
      iconTool("web.first", () => this.jump(0), { disabled: !at }),
      iconTool("web.back", () => this.step(-1), { disabled: !at }),
      iconTool("web.forward", () => this.step(1), { disabled: at === last }),
      iconTool("web.last", () => this.jump(last), { disabled: at === last }),
      tool("web.engine_on", () => this.toggle(), {
        "aria-pressed": String(this.running && !this.variants.shown),
        class: "primary",
      }),
    ];
  }

  /** What people come here for, in sight on every screen. */
  below() {
    const { game } = this;
    return [
      narrow() && this.review.card(),
      h("div", { class: "actions", role: "group", "aria-label": say("web.actions") },
        tool("web.review", () => this.judge(), { disabled: !game.line.length }),
        tool("web.compare", () => this.compare(), { disabled: game.board.end !== "open" }),
        tool("variants.title", () => this.variants.toggle(), { "aria-pressed": String(this.variants.shown) }),
        tool("web.editor", () => this.edit()),
        tool("web.export", () => this.takeAway()),
      ),
    ];
  }

  beside() { return !narrow() && this.review.card(); }

  menu() {
    return [
      tool("web.play_best", () => this.playBest(), { disabled: !this.search?.best }),
      tool("web.flip", () => this.flip()),
      tool("web.play_from_here", () => this.playFromHere()),
      tool("web.help", () => this.help()),
    ];
  }

  panels() {
    const { game, search, agent } = this;
    const { board } = game;
    const stage = {
      point: (/** @type {string | null} */ move) => this.point(move),
      preview: (/** @type {string[]} */ line) => this.preview(line),
      paint: (/** @type {string} */ svg) => {
        this.trace = svg;
        this.update();
      },
    };
    const pair = { key: "variants.title", first: true, body: this.variants.view(stage) };
    return [
      ...(this.variants.shown ? [pair] : []),
      {
        key: "web.panel_moves",
        body: [
          this.moveList(this.review.notes, this.review.turns),
          this.history.chart(game.moves.length, (ply) => this.jump(ply)),
          this.review.view(),
        ],
      },
      ...(this.variants.shown
        ? []
        : [
            {
              key: "web.panel_values",
              first: true,
              body: [
                h(WhyPanel, { search, board, stage, whole: true, empty: say("because.empty_off") }),
                helpLink("analyse#proved-and-estimated", "help.about_values"),
                h("div", { class: "engine" },
                  h(AgentPicker, {
                    title: say("web.engine"),
                    game: board.game,
                    spec: agent,
                    people: false,
                    choose: (spec) => this.ask(spec, game.seconds),
                  }),
                  labelled(
                    say("web.seconds_search"),
                    entry(game.seconds, (seconds) => this.ask(agent, Number(seconds)), {
                      type: "number",
                      min: 0.1,
                      max: 60,
                      step: "any",
                    }),
                  ),
                ),
              ],
            },
          ]),
      {
        key: "web.panel_board",
        body: [
          h("div", { class: "features" }, this.features()),
          form(
            { class: "paste" },
            ({ pos }) => this.attempt(() => this.read(pos.value.trim())),
            h("label", { for: "pos" }, say("web.paste")),
            h(Entry, { tag: "textarea", value: this.draft ?? board.position, rows: 2, spellcheck: false, id: "pos" }),
            h("button", { type: "submit" }, say("web.show")),
          ),
        ],
      },
      { key: "web.panel_graph", body: h(GraphPanel, { position: board.position }) },
    ];
  }
}

/**
 * The moves of a board from a ply on, each with its number in the shape and colour of who makes it.
 * @param {Board} board
 * @param {number} from
 */
function numbers({ moves, places, turns }, from) {
  const marks = moves.slice(from, from + MOST_NUMBERS).map((_, place) => {
    const at = places[from + place];
    return (
      at &&
      h("g", { class: `ahead seat-${turns[from + place]}`, "data-number": place + 1 },
        h("circle", { cx: at[0], cy: at[1], r: 15 }),
        h("text", { x: at[0], y: at[1] + 1, "text-anchor": "middle", "dominant-baseline": "central" },
          String(place + 1),
        ),
      )
    );
  });
  return h("g", { class: "layer numbers", key: "numbers" }, marks.reverse());
}

/**
 * What can be taken away from a game: pictures, a film, the record, the moves, the position.
 * @extends {Component<{game: GameState}>}
 */
class Exports extends Component {
  said = "";

  /**
   * Do what a button is for, and tell what there is to tell of it.
   * @param {() => Promise<string | void> | string | void} act
   */
  async do(act) {
    this.said = "";
    this.forceUpdate(); // what is said twice is heard twice
    try {
      this.said = (await act()) ?? "";
    } catch (error) {
      this.said = trouble(error);
    }
    this.forceUpdate();
  }

  /** @param {{game: GameState}} props */
  render({ game }) {
    const { board, start, line } = game;
    const action = (/** @type {string} */ key, /** @type {Parameters<Exports["do"]>[0]} */ act) =>
      button(say(key), () => this.do(act), { "data-export": key });
    const copied = async (/** @type {string} */ text) => ((await copy(text)) ? say("web.copied_text") : text);
    return [
      h("div", { class: "exports" },
        action("web.export_png", async () => download(`${board.name}.png`, "image/png", await pngOf(board.svg))),
        action("web.export_svg", () => download(`${board.name}.svg`, "image/svg+xml", board.svg)),
        action("web.export_film", async () =>
          download(`${board.name}-film.svg`, "image/svg+xml", await filmOf(start, line)),
        ),
        action("web.export_record", () =>
          download(`${board.name}.json`, "application/json", game.record(board.scores.map(() => PERSON))),
        ),
        action("web.export_moves", () => download(`${board.name}.txt`, "text/plain", `${line.join(" ")}\n`)),
        action("web.copy_moves", () => copied(line.join(" "))),
        action("web.copy_position", () => copied(board.position)),
        action("web.share", () => copied(location.href)),
      ),
      h("p", { role: "status" }, this.said),
    ];
  }
}
