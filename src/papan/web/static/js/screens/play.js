// @ts-check
// Play and watch: the screen of a game whose players move in turn, put together from its parts.

import { dealtBoard, games } from "../api.js";
import { Adviser } from "../adviser.js";
import { hinted } from "../board.js";
import { GameState } from "../game.js";
import { MoveList, TypingForm, docked, featureList, gameScreen, narrow, openKeys } from "../game_screen.js";
import { BOARD_KEYS, GameView } from "../game_view.js";
import { agentTitle, calledInWords, gameTitle, say } from "../language.js";
import { Moves } from "../moves.js";
import { Navigation } from "../navigation.js";
import { menu, tools } from "../panels/play_tools.js";
import { EndCard, actions } from "../panels/review.js";
import { WhyPanel } from "../panels/why.js";
import { Clocks, Players, levelOf } from "../players.js";
import { Puzzle } from "../puzzle.js";
import { PERSON, featured, fitting, setupOf } from "../saved_game.js";
import { SavedPlay } from "../saved_play.js";
import { anySeed, change, settings } from "../settings.js";
import { AgentTurn, Turns, standing } from "../turns.js";
import { Group, Part, check } from "../ui.js";
import { EvalBar, heatOf, labelsOf } from "../values.js";
import { thoughts } from "../watching.js";
import { h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { Panel } from "../game_screen.js" */
/** @import { GameProps, Key } from "../game_view.js" */
/** @import { Stage } from "../panels/why.js" */
/** @import { Opener } from "../router.js" */
/** @import { Setup } from "../saved_game.js" */
/** @import { Search } from "../search.js" */
/** @import { MoveFacts as Choice } from "../wire.d.ts" */
/** @typedef {GameProps & {screen: "play" | "watch", clock: Setup["clock"]}} PlayProps */

/** @type {Opener} */
export const play = (url, signal) => open(url, signal, "play", [PERSON, "level:3"]);

/** @type {Opener} */
export const watch = (url, signal) => open(url, signal, "watch", ["level:3", "level:4"]);

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 * @param {"play" | "watch"} screen
 * @param {string[]} usual The players where the address names none.
 */
async function open(url, signal, screen, usual) {
  const all = await games();
  const { game: name, setup } = setupOf(url, { players: usual, seconds: settings.seconds }, featured(all).name);
  const seed = anySeed();
  let board = null;
  if (!url.searchParams.has("pos") && !setup.moves.length && !setup.then?.length) {
    const usualSize = all.find((each) => each.name === name); // where the address names none
    ({ start: setup.start, board } = await dealtBoard(usualSize ? fitting(usualSize) : name, seed));
  }
  if (!url.searchParams.has("seats"))
    setup.players = usual.map((each) => (each === PERSON ? each : `${each},seed=${seed}`));
  const levels = setup.players.every((each) => each === PERSON || levelOf(each)); // which play every game
  const game = board && levels ? new GameState(setup, board) : await GameState.open(setup);
  game.watched = screen === "watch";
  game.players = Array.from({ length: game.board.seats }, (_, seat) => game.players[seat] ?? usual[seat]);
  return { title: gameTitle(game.board.game), view: h(PlayScreen, { game, signal, screen, clock: setup.clock }) };
}

/** @extends {Part<PlayProps>} */
export class PlayScreen extends Part {
  game = this.props.game;
  /** @type {GameView} */
  view = new GameView(this, this.props, {
    picked: (move) => this.moves.picked(move),
    keys: () => this.keys(),
    digits: true,
    stop: () => this.stopSearches(),
    changed: () => this.#changed(),
    back: () => this.turns.serverIsBack(),
    leave: () => this.#leave(),
  });
  clocks = new Clocks(this.game.board.seats, this.props.clock, (seat) => this.turns.timeIsUp(seat));
  agent = new AgentTurn(this);
  turns = new Turns(this);
  moves = new Moves(this);
  adviser = new Adviser(this);
  saved = new SavedPlay(this);
  navigation = new Navigation(this);
  puzzle = new Puzzle(this);
  /** @type {Search | undefined} */
  why = undefined; // the search that is explained
  painted = ""; // what a sentence about the last move speaks of, while it is read
  notice = ""; // shown in place of the sentence until the game changes
  /** @type {Choice | undefined} */
  previewed = undefined; // the legal move under the pointer

  componentDidMount() {
    this.clocks.mark(this.game.moves.length);
    this.saved.remember();
    this.recall();
    this.turns.next();
  }

  update() { this.view.update(); }

  stopSearches() {
    this.turns.cancel();
    this.adviser.stop();
    this.puzzle.stop();
  }

  #changed() {
    if (!this.problem) this.puzzle.forget();
    this.saved.finish();
    if (this.problem) return this.update();
    this.recall();
    this.saved.remember();
    this.turns.next();
  }

  #leave() {
    this.stopSearches();
    this.clocks.hold();
    this.saved.remember(); // without the address, which is that of another screen by now
  }

  /** Show the search behind the last move, and drop hints and notices about another position. */
  recall() {
    this.notice = "";
    this.painted = "";
    this.adviser.forget();
    this.why = this.agent.lastSearch();
    this.update();
  }

  /** True at the end of a game that a person has played here. */
  get ended() { return this.game.over && this.game.hasPerson; }

  /** @returns {Key[]} */
  keys() {
    const { game, moves, turns } = this;
    return [
      ...BOARD_KEYS,
      { shown: "u", keys: ["u"], text: "web.undo", act: () => moves.undo() },
      { shown: "r", keys: ["r"], text: "web.redo", act: () => moves.redo() },
      { shown: "h", keys: ["h"], text: "web.hint", act: () => game.hasPerson && this.adviser.ask() },
      { shown: "m", keys: ["m"], text: "web.move_now", act: () => this.agent.hurry() },
      { shown: "Space", keys: [" "], text: "web.pause", act: () => !game.over && turns.pause(!turns.paused) },
      { shown: "s", keys: ["s"], text: "web.step", act: () => game.watched && turns.step() },
      { shown: "?", keys: ["?"], text: "web.help", act: () => openKeys(this.view, this.keys()) },
    ];
  }

  render() {
    const { game, view, adviser, saved } = this;
    const end = this.ended && h(EndCard, {
      game,
      result: saved.result,
      spent: saved.seconds,
      next: !docked() && actions(this),
    });
    return gameScreen(view, {
      board: this.#board(),
      above: above(this),
      bar: settings.values && h(EvalBar, { board: game.board, search: adviser.advice, seat: view.seat }),
      sentence: sentence(this),
      below: [this.puzzle.verdict(), narrow() && (end || adviser.card())],
      beside: !narrow() && (end || adviser.card()),
      tools: tools(this),
      menu: menu(this),
      panels: panels(this),
    });
  }

  /** @returns {Partial<BoardProps>} */
  #board() {
    const { game, adviser, turns } = this;
    const { board } = game;
    const { advice } = adviser;
    const known = advice?.position === board.position ? advice : undefined;
    return {
      live: game.personToMove && !turns.paused,
      veiled: turns.paused && game.hasPerson && !game.over,
      brief: true,
      previewed: (choice) => {
        this.previewed = choice;
        this.update();
      },
      layers: [
        reasonOn(this),
        known && hinted(board, adviser.shown),
        settings.values && known && [heatOf(board, known), labelsOf(board, known)],
      ],
    };
  }
}

/**
 * Return a layer that draws the sentence being read; faintly, the reason of the last move.
 * @param {PlayScreen} screen
 */
function reasonOn({ painted, why, game }) {
  const first = game.over || narrow() ? "" : why?.analysis?.explanation.reason?.clauses[0].svg;
  const text = painted || first;
  const name = painted ? "layer reason" : "layer reason faint";
  return text && h(Group, { key: name, name, text });
}

/** Return the players, and the features that are counted in this game. @param {PlayScreen} screen */
function above({ game, clocks, puzzle, previewed }) {
  const { board, over, winner, players, you, names } = game;
  const counted = board.features.filter((each) => board.counters.includes(each.key));
  return [
    h(Players, {
      board,
      over,
      winner,
      clocks,
      players,
      who: (seat) => (you === seat && !names[seat] ? say("web.you") : game.called(seat)),
      gains: board.legal.find((each) => each === previewed)?.gains,
    }),
    h("p", { class: "counter" },
      puzzle.levelName(),
      counted.map((each) => h("span", { "data-key": each.key }, say(each.key, each.values))),
    ),
  ];
}

/** Return the state of the game as a sentence. @param {PlayScreen} screen */
function sentence({ game, turns, notice }) { return notice || standing(game, turns); }

/** @param {PlayScreen} screen @returns {Panel[]} */
function panels(screen) {
  const { game, view, why, moves } = screen;
  /** @type {Stage} */
  const stage = {
    point: (move) => view.point(move),
    paint: (svg) => {
      screen.painted = svg;
      screen.update();
    },
  };
  const called = calledInWords(game.players, game.names, game.board.seats);
  const both = game.watched && game.board.seats === 2 && !game.undone.length && !game.players.includes(PERSON);
  const reasons = both
    ? thoughts(screen, stage, called)
    : h(WhyPanel, { search: why, board: game.board, empty: invitation(screen), called, stage });
  const typing = game.hasPerson && h(TypingForm, { pick: (move) => moves.picked(move) });
  return [
    ...(why || !game.over ? [{ key: both ? "watch.thoughts" : "web.panel_why", body: reasons }] : []),
    { key: "web.panel_moves", body: [h(MoveList, { view, go: (count) => moves.jump(count) }), typing] },
    { key: "web.panel_board", body: boardPanel(screen) },
  ];
}

/**
 * Return the panel of what is shown on the board, what experts see there, and the position as text.
 * @param {PlayScreen} screen
 */
function boardPanel({ game, view, adviser }) {
  const { board, hasPerson } = game;
  const seed = /seed=(\d+)/.exec(`${game.start} ${game.players.join(" ")}`)?.[1];
  const showValues = (/** @type {boolean} */ values) => adviser.showValues(values);
  const showAlike = (/** @type {boolean} */ alike) => {
    change({ alike });
    view.update();
  };
  return h("div", { class: "features" },
    hasPerson && h("div", {}, check(say("web.show_values"), settings.values, showValues, { id: "values" })),
    hasPerson && board.spots_in_a_move === 2 &&
      h("div", {}, check(say("web.show_alike"), settings.alike, showAlike, { id: "alike" })),
    featureList(view, board.counters),
    h("details", { class: "settings" },
      h("summary", {}, say("web.notation")),
      h("p", { class: "quiet seed" }, seed ? say("play.seed", { seed }) : say("web.no_seed")),
      h("p", { class: "quiet notation" }, h("code", {}, board.position)),
    ),
  );
}

/** Return the text of the panel of reasons before there are any. @param {PlayScreen} screen */
function invitation({ game: { players, hasPerson } }) {
  const agent = players.find((each) => each !== PERSON);
  if (!hasPerson) return say("because.empty_watch");
  return agent ? say("because.empty_agent", { player: agentTitle(agent) }) : say("because.empty_person");
}
