// @ts-check
// Play and watch: people and agents move in turn, replays go on, clocks run; all of it can be paused.

import { deal, reopen } from "../api.js";
import { pointed } from "../board.js";
import { Clocks, Players } from "../clock.js";
import { confirmed } from "../dialogs.js";
import { copy, download, pngOf, upload } from "../files.js";
import { GameState, LAST, PERSON, addressOf, setupOf } from "../game.js";
import { GameScreen, TypingForm } from "../game_screen.js";
import { agentTitle, gameTitle, player, say, trouble } from "../language.js";
import { WhyPanel } from "../panels/why.js";
import { go } from "../router.js";
import { Searcher } from "../search.js";
import { anySeed, change, keep, settings } from "../settings.js";
import { announce, check, select, tool } from "../ui.js";
import { EvalBar, heatOf, labelsOf } from "../values.js";
import { h } from "../vendor/preact.mjs";
import { Puzzle } from "../puzzle.js";

/** @typedef {import("../search.js").Search} Search */
/** @typedef {import("../game.js").Setup} Setup */
/** @typedef {import("../wire.d.ts").Board} Board */
/** @typedef {import("../game_screen.js").GameProps & {screen: "play" | "watch", clock: Setup["clock"]}} PlayProps */

const ADVISER = "level:5";
const ADVICE_SECONDS = 2;
const SPEEDS = [0.5, 1, 2, 4, 8]; // moves a second
const COUNTED = ["adjacency.rounds_left", "onet.left"]; // what players want to see all the time

/** @type {import("../router.js").Opener} */
export const play = (url, signal) => open(url, signal, "play", [PERSON, "level:3"]);

/** @type {import("../router.js").Opener} */
export const watch = (url, signal) => open(url, signal, "watch", ["level:3", "level:4"]);

/** @param {URL} url @param {AbortSignal} signal @param {"play" | "watch"} screen @param {string[]} usual */
async function open(url, signal, screen, usual) {
  const { game: name, setup } = setupOf(url, { players: usual, seconds: settings.seconds });
  const seed = anySeed();
  if (!url.searchParams.has("pos") && !setup.moves.length && !setup.then?.length) setup.start = await deal(name, seed);
  if (!url.searchParams.has("seats")) setup.players = usual.map((each) => (each === PERSON ? each : `${each},seed=${seed}`));
  const game = await GameState.open(setup);
  game.watched = screen === "watch";
  game.players = Array.from({ length: game.board.seats }, (_, seat) => game.players[seat] ?? usual[seat]);
  return { title: gameTitle(game.board.game), view: h(PlayScreen, { game, signal, screen, clock: setup.clock }) };
}

/** @extends {GameScreen<PlayProps>} */
export class PlayScreen extends GameScreen {
  /** @param {PlayProps} props */
  constructor(props) {
    super(props);
    this.paused = !this.game.hasPerson; // people see no tiles then, and no clock runs
    this.stopped = false; // an agent waits until it is told to go on
    this.turnTimer = 0;
    this.notice = ""; // what stands in place of the sentence for a while
    /** @type {import("../wire.d.ts").Choice | undefined} */
    this.previewed = undefined; // a move that is looked at on the board
    /** @type {Map<string, Search>} What was thought before each move. */
    this.searches = new Map();
    /** @type {Search | undefined} */
    this.why = undefined; // the search that is explained
    this.agent = new Searcher((search) => this.#heardAgent(search));
    this.hinting = false;
    /** @type {Search | undefined} */
    this.advice = undefined; // what is known of this position
    this.adviser = new Searcher((search) => this.#heardAdvice(search));
    this.clocks = new Clocks(this.game.board.seats, props.clock, (seat) => this.#outOfTime(seat));
    this.puzzle = new Puzzle(this);
  }

  componentDidMount() {
    this.clocks.mark(this.game.moves.length);
    this.#remember();
    this.#recall();
    this.next();
  }

  leave() {
    this.quiet();
    this.clocks.hold();
    this.#keep(); // the address is that of another screen by now
  }

  quiet() {
    this.agent.stop();
    this.adviser.stop();
    this.puzzle.stop();
    clearTimeout(this.turnTimer);
  }

  /** @param {Board} before */
  changed(before) {
    if (this.problem) return this.update();
    this.puzzle.forget();
    this.#recall();
    this.#remember();
    this.next();
  }

  /** The thoughts behind the last move; nothing is known of this position yet. */
  #recall() {
    this.notice = "";
    this.advice = undefined;
    this.why = this.searches.get(this.game.moves.slice(0, -1).join(" "));
    this.update();
  }

  /** Keep the address true, and the way back to a game that is not over. */
  #remember() {
    history.replaceState(null, "", this.address);
    this.#keep();
  }

  #keep() {
    const { game, address } = this;
    if (game.hasPerson) keep(LAST, game.over ? {} : { address, game: game.board.game, seats: game.players });
  }

  get address() {
    const { game } = this;
    return addressOf(this.props.screen, this.setup(), game.start.includes(" ") ? game.board.game : game.start);
  }

  /** What an address says of this game.
   * @returns {Setup} */
  setup() {
    const { start, moves, players, seconds, givenUp, undone, watched } = this.game;
    return { start, moves, players, seconds, givenUp, clock: this.clocks.facts, then: watched ? undone.slice().reverse() : [] };
  }

  /** The same game on another screen, or from another start.
   * @param {string} screen @param {Partial<Setup>} other */
  async open(screen, other) {
    const setup = { ...this.setup(), then: [], givenUp: null, ...other };
    await go(addressOf(screen, setup, setup.start.split(" ")[0]));
  }

  // Whose turn it is.

  /** Let whoever is to move think: a person with advice, an agent about its move. */
  next() {
    const { game } = this;
    if (this.left) return;
    this.clocks.hold();
    if (game.over) return this.update();
    const waiting = this.paused || this.stopped;
    if (!waiting) this.#runClock();
    if (game.personToMove) this.#advise();
    else if (!waiting) this.#advance();
    this.update();
  }

  /** The clock of who is to move runs; the first move is free where two play. */
  #runClock() {
    const { moves, board } = this.game;
    if (moves.length || board.seats === 1) this.clocks.run(board.turn);
  }

  /** One move further: the next of a game that is replayed, or an agent's. */
  #advance() {
    const { game } = this;
    if (game.undone.length && game.watched) {
      this.turnTimer = window.setTimeout(() => this.#tell(() => game.redo()), this.paused ? 0 : 1000 / settings.speed);
    } else if (game.mover === PERSON) this.pause(true);
    else this.#moveAgent();
  }

  /** The agent thinks, then moves. */
  async #moveAgent() {
    const { game } = this;
    const seconds = this.clocks.budget(game.board.turn, game.seconds);
    const began = performance.now();
    const search = await this.agent.run(game.request(game.mover, seconds, { purpose: game.hasPerson ? "game" : "analysis" }), game.board)
      .catch((error) => this.#fail(trouble(error)));
    if (!search || this.left) return;
    const { analysis, error } = search;
    if (!analysis) return this.#fail(say(error?.key ?? "web.failed", error?.values));
    this.clocks.hold();
    const pause = game.hasPerson ? 0 : 1000 / settings.speed - (performance.now() - began);
    this.turnTimer = window.setTimeout(() => this.make(analysis.move), Math.max(0, pause));
  }

  /** @param {Search} search */
  #heardAgent(search) {
    if (this.left) return;
    this.why = search;
    this.searches.set(this.game.moves.join(" "), search);
    this.updateSoon();
  }

  /** @param {string} text */
  #fail(text) {
    this.stop();
    this.complain(text);
  }

  stop() {
    this.agent.stop();
    this.stopped = true;
    if (this.game.watched) this.paused = true;
    this.clocks.hold();
    this.update();
  }

  goOn() {
    this.stopped = false;
    this.next();
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    this.stopped = false;
    this.quiet();
    this.clocks.hold();
    this.#recall();
    this.#remember();
    if (!paused) this.next();
  }

  /** One move of an agent, then wait again. */
  step() {
    this.paused = true;
    if (this.game.over || this.agent.busy || this.busy) return;
    if (!this.game.undone.length) this.#runClock();
    this.#advance();
    this.update();
  }

  /** Play against the clock, or freely: the board stays as it is. */
  timed() {
    this.clocks.turn(!this.clocks.on);
    this.next();
    this.#remember();
  }

  /** @param {number} seat */
  #outOfTime(seat) {
    this.game.giveUp("timeout", seat);
    this.change(() => {});
    announce(this.standing());
  }

  // Moves.

  /** @param {string} move */
  async picked(move) {
    const { game } = this;
    if (this.busy) return;
    if (this.paused && game.hasPerson) this.complain(say("web.paused"));
    else if (game.personToMove) await this.make(move);
    else this.complain(game.over ? this.standing() : say(game.watched ? "web.only_watched" : "web.not_your_turn"));
  }

  /** Make a move, whoever chose it.
   * @param {string} move */
  make(move) {
    const { turn } = this.game.board;
    return this.#tell(async () => {
      await this.game.play(move);
      this.clocks.press(turn);
      this.clocks.mark(this.game.moves.length);
    });
  }

  /** Change the game, and say what has happened to those who do not see it: the last move, whether it
   * earns another one, and what comes next.
   * @param {() => Promise<void>} act */
  async #tell(act) {
    const before = this.game.board;
    await this.change(act);
    const { board } = this.game;
    if (board === before) return;
    const again = board.end === "open" && board.seats === 2 && board.turn === before.turn ? ` ${say("web.again")}` : "";
    announce(`${say("web.moved", { player: player(before.turn, before.seats), move: board.moves[board.moves.length - 1] })}${again} ${this.standing()}`);
  }

  /** Look at the game after so many moves; agents wait there.
   * @param {number} count */
  async jump(count) {
    const { game } = this;
    await this.change(async () => {
      await game.go(count);
      this.clocks.back(count);
      if (game.watched) this.paused = true;
      else this.stopped = !game.over && !game.personToMove;
    });
  }

  async undo() {
    const { game } = this;
    if (!game.moves.length && !game.givenUp) return;
    this.stopped = false;
    if (game.watched) this.paused = true;
    await this.change(async () => {
      await game.undo();
      this.clocks.back(game.moves.length);
      this.stopped = game.hasPerson && !game.personToMove && !game.over;
    });
  }

  async redo() {
    await this.change(() => this.game.redo());
  }

  async resign() {
    if (!(await confirmed(say("screen.resign"), say("screen.yes")))) return;
    const { game } = this;
    await this.change(() => game.giveUp("resigned", game.mover === PERSON ? game.board.turn : game.players.indexOf(PERSON)));
    announce(this.standing());
  }

  // Advice: a hint that stays, and what every move is worth.

  /** Switch hints on or off; they stay as chosen. */
  toggleHint() {
    this.hinting = !this.hinting;
    this.adviser.stop();
    this.advice = undefined;
    if (this.hinting && this.game.personToMove) this.#advise();
    this.update();
  }

  /** @param {boolean} values */
  showValues(values) {
    change({ values });
    this.#recall();
    this.next();
  }

  /** Think about the position, if a hint or values are wanted. */
  async #advise() {
    const { game } = this;
    const { board } = game;
    if (this.paused || (!this.hinting && !settings.values)) return;
    const agent = settings.values && board.solver ? "solver" : ADVISER;
    const search = await this.adviser.run(game.request(agent, ADVICE_SECONDS, { all_moves: settings.values }), board).catch((error) => this.complain(error));
    if (search?.analysis && game.board === board) this.why = search;
    this.update();
  }

  /** @param {Search} search */
  #heardAdvice(search) {
    if (search.position === this.game.board.position) this.advice = search;
    this.updateSoon();
  }

  // From this game to another one.

  /** The same game from its start; where there is chance, a new seed decides.
   * @param {string[]} [players] @param {string} [spec] */
  async again(players = this.game.players, spec = this.game.start.split(" ")[0]) {
    const { start, board } = this.game;
    const chance = board.seats === 1 || !start.includes(" ");
    const clock = this.clocks.facts && { ...this.clocks.facts, left: [] };
    await this.open(this.props.screen, { start: chance ? await deal(spec.replace(/,?seed=\d+/, ""), anySeed()) : start, moves: [], players, clock });
  }

  rematch() {
    return this.again(this.game.players.slice().reverse());
  }

  /** Go on from here on the other seat. */
  swap() {
    return this.change(() => {
      this.game.players.reverse();
      this.stopped = false;
    });
  }

  /** Look at the game again, from its first move. */
  replay() {
    const { moves, line, givenUp, watched } = this.game;
    return this.open("watch", { moves: [], then: watched ? line : moves, givenUp, clock: null });
  }

  /** Play on from a position that was only watched. */
  takeOver() {
    const { players, board } = this.game;
    return this.open("play", { players: players.map((each, seat) => (seat === board.turn && !players.includes(PERSON) ? PERSON : each)) });
  }

  // Links, records and pictures.

  async share() {
    this.notice = say((await copy(location.href)) ? "web.copied" : "web.copy_by_hand");
    announce(this.notice);
    this.update();
  }

  /** Open a saved game: an open one of a person is played on, any other is replayed. */
  async load() {
    const text = await upload();
    if (text === null) return;
    try {
      const found = await reopen(text.trim());
      const moves = found.moves.split(" ").filter(Boolean);
      const setup = { start: found.start, moves, players: found.agents, seconds: settings.seconds };
      const name = found.start.split(" ")[0];
      const givenUp = found.blame ? { end: found.end, blame: found.blame } : null;
      const open = found.end === "open" && found.agents.includes(PERSON);
      await go(open ? addressOf("play", setup, name) : addressOf("watch", { ...setup, moves: [], then: moves, givenUp }, name));
    } catch (error) {
      this.complain(error);
    }
  }

  // What is seen.

  get dropsDigits() {
    return true;
  }

  keys() {
    const { game } = this;
    return [...super.keys(),
      { shown: "u", keys: ["u"], text: "web.undo", act: () => this.undo() },
      { shown: "r", keys: ["r"], text: "web.redo", act: () => this.redo() },
      { shown: "h", keys: ["h"], text: "web.hint", act: () => game.hasPerson && this.toggleHint() },
      { shown: "m", keys: ["m"], text: "web.move_now", act: () => this.agent.hurry() },
      { shown: "p", keys: ["p"], text: "web.pause", act: () => !game.over && this.pause(!this.paused) },
      { shown: "s", keys: ["s"], text: "web.step", act: () => game.watched && this.step() },
      { shown: "?", keys: ["?"], text: "web.help", act: () => this.help() },
    ];
  }

  /** @returns {Partial<import("../board.js").BoardProps>} */
  board() {
    const { game, advice } = this;
    const { board } = game;
    const known = advice?.position === board.position ? advice : undefined;
    return {
      live: game.personToMove && !this.paused,
      veiled: this.paused && game.hasPerson && !game.over,
      brief: true,
      previewed: (choice) => { this.previewed = choice; this.update(); },
      layers: [
        this.hinting && pointed(board, "hint", known?.analysis?.move),
        settings.values && known && [heatOf(board, known), labelsOf(board, known)],
      ],
    };
  }

  above() {
    const { board, over, winner, players } = this.game;
    const counted = board.features.filter((each) => COUNTED.includes(each.key));
    return [
      h(Players, { board, over, winner, clocks: this.clocks, who: (seat) => agentTitle(players[seat]), gains: this.previewed?.gains }),
      h("p", { class: "counter" }, this.puzzle.levelName(), counted.map((each) => h("span", {}, say(each.key, each.values)))),
    ];
  }

  bar() {
    return settings.values && h(EvalBar, { board: this.game.board, search: this.advice, seat: this.view });
  }

  sentence() {
    const move = this.hinting && this.advice?.analysis?.move;
    if (this.notice) return this.notice;
    if (this.hinting && this.adviser.busy) return `${this.standing()} ${say("web.thinking")}`;
    return move ? `${this.standing()} ${say("play.hint", { move })}` : this.standing();
  }

  /** How the game stands. */
  standing() {
    const { game } = this;
    const { board, line, moves } = game;
    if (game.over) return this.#ending();
    if (this.stopped) return say("web.stopped");
    if (this.paused) return say("web.paused");
    if (game.personToMove) return board.seats === 1 ? say("screen.turn_alone") : say("screen.turn", { player: player(board.turn, board.seats) });
    if (game.watched && game.undone.length) return say("web.replaying", { at: moves.length, all: line.length });
    return say("web.agent_thinks", { agent: agentTitle(game.mover) });
  }

  #ending() {
    const { board, winner, end, players } = this.game;
    if (end === "stuck") return say("web.stuck");
    const how = say(`end.${end}`);
    if (winner === null || board.seats === 1) return say("play.ended", { how });
    return say("play.won", { how, player: `${player(winner, board.seats)} (${agentTitle(players[winner])})` });
  }

  below() {
    return this.puzzle.verdict();
  }

  panels() {
    const { game } = this;
    const seed = /seed=(\d+)/.exec(`${game.start} ${game.players.join(" ")}`)?.[1];
    return [
      { key: "web.panel_why", body: h(WhyPanel, { search: this.why, board: game.board, stage: { point: (move) => this.point(move) } }) },
      { key: "web.panel_moves", body: [this.moveList(), game.hasPerson && h(TypingForm, { pick: (move) => this.picked(move) })] },
      { key: "web.panel_board", body: h("div", { class: "features" },
        game.hasPerson && h("div", {}, check(say("web.show_values"), settings.values, (values) => this.showValues(values), { id: "values" })),
        this.features(),
        h("p", { class: "quiet seed" }, seed ? say("play.seed", { seed }) : say("web.no_seed")),
        h("p", { class: "quiet notation" }, h("code", {}, game.board.position))) },
    ];
  }

  tools() {
    const narrow = matchMedia("(max-width: 720px)").matches;
    return [this.game.watched ? this.#watching() : this.#playing(), !narrow && this.#usual()];
  }

  #usual() {
    return [tool("web.new", () => go("/")), tool("web.share", () => this.share()), tool("web.analyse", () => this.open("analyse", { players: [], clock: null }))];
  }

  #playing() {
    const { game, clocks, puzzle, paused, hinting } = this;
    const alone = game.board.seats === 1;
    return [
      game.over && (alone ? puzzle.ending() : tool("web.rematch", () => this.rematch(), { class: "primary" })),
      game.over && alone && game.end !== "stuck" && tool("screen.again_alone", () => this.again()),
      this.stopped && tool("web.go_on", () => this.goOn(), { class: "primary" }),
      this.#backAndForth(),
      !game.over && tool("web.hint", () => this.toggleHint(), { "aria-pressed": String(hinting) }),
      this.#thinking(),
      puzzle.tools(),
      alone && !game.over && tool("web.timed", () => this.timed(), { "aria-pressed": String(clocks.on) }),
      !game.over && (alone || clocks.on) && tool("web.pause", () => this.pause(!paused), { "aria-pressed": String(paused) }),
      !game.over && !alone && tool("web.resign", () => this.resign()),
    ];
  }

  #watching() {
    const { game, paused } = this;
    const speeds = /** @type {[string, string][]} */ (SPEEDS.map((each) => [String(each), say("web.speed_of", { speed: each })]));
    return [
      !game.over && tool(paused ? "web.start" : "web.pause", () => this.pause(!paused), { key: "pause", class: "primary" }),
      !game.over && tool("web.step", () => this.step(), { disabled: !paused }),
      this.#backAndForth(),
      h("label", { class: "speed" }, h("span", { class: "unseen" }, say("web.speed_label")),
        select(String(settings.speed), speeds, (speed) => change({ speed: Number(speed) }))),
      this.#thinking(),
      !game.over && tool("web.play_from_here", () => this.takeOver()),
      game.over && tool("web.rematch", () => this.rematch()),
    ];
  }

  #backAndForth() {
    const { moves, undone, givenUp } = this.game;
    return [
      tool("web.undo", () => this.undo(), { disabled: !moves.length && !givenUp }),
      tool("web.redo", () => this.redo(), { disabled: !undone.length }),
    ];
  }

  #thinking() {
    return this.agent.busy && [tool("web.move_now", () => this.agent.hurry()), tool("web.stop", () => this.stop())];
  }

  menu() {
    const { game } = this;
    const { name, svg, seats } = game.board;
    return [
      matchMedia("(max-width: 720px)").matches && this.#usual(),
      seats === 2 && tool("web.swap", () => this.swap()),
      seats === 2 && (settings.values || this.turnable) && tool("web.flip", () => this.flip()),
      this.puzzle.menu(),
      game.moves.length > 0 && tool("web.replay", () => this.replay()),
      tool("web.save", () => download(`${name}.json`, "application/json", game.record())),
      tool("web.load", () => this.load()),
      tool("web.picture", () => download(`${name}.svg`, "image/svg+xml", svg)),
      tool("web.export_png", async () => download(`${name}.png`, "image/png", await pngOf(svg))),
      tool("web.help", () => this.help()),
    ];
  }
}
