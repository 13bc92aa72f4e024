// @ts-check
// Play and watch: what is seen of a game whose players move in turn, and where one can go from it.

import { deal, games, reopen } from "../api.js";
import { pointed } from "../board.js";
import { copy, download, pngOf, upload } from "../files.js";
import { GameState } from "../game.js";
import { TypingForm, narrow } from "../game_screen.js";
import { agentTitle, gameTitle, say } from "../language.js";
import { EndCard, actions, resultOf } from "../panels/review.js";
import { WhyPanel } from "../panels/why.js";
import { Players } from "../players.js";
import { Puzzle } from "../puzzle.js";
import { go } from "../router.js";
import {
  PERSON,
  addressOf,
  addressOfRecord,
  fitting,
  gameAt,
  keepGame,
  newId,
  reviewAddress,
  setupOf,
} from "../saved_game.js";
import { anySeed, change, settings } from "../settings.js";
import { TurnScreen, buzzes, sound } from "../turns.js";
import { announce, check, iconTool, select, shortTool, tool } from "../ui.js";
import { EvalBar, heatOf, labelsOf } from "../values.js";
import { h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { Opener } from "../router.js" */
/** @import { Setup } from "../saved_game.js" */
/** @import { PlayProps } from "../turns.js" */
/** @import { Board, Choice } from "../wire.d.ts" */

const SPEEDS = [0.5, 1, 2, 4, 8]; // moves a second
const COUNTED = ["adjacency.rounds_left", "onet.left"]; // what players want to see all the time

/** @type {Opener} */
export const play = (url, signal) => open(url, signal, "play", [PERSON, "level:3"]);

/** @type {Opener} */
export const watch = (url, signal) => open(url, signal, "watch", ["level:3", "level:4"]);

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 * @param {"play" | "watch"} screen
 * @param {string[]} usual
 */
async function open(url, signal, screen, usual) {
  const { game: name, setup } = setupOf(url, { players: usual, seconds: settings.seconds });
  const seed = anySeed();
  if (!url.searchParams.has("pos") && !setup.moves.length && !setup.then?.length) {
    const usualSize = (await games()).find((each) => each.name === name); // where the address names none
    setup.start = await deal(usualSize ? fitting(usualSize) : name, seed);
  }
  if (!url.searchParams.has("seats"))
    setup.players = usual.map((each) => (each === PERSON ? each : `${each},seed=${seed}`));
  const game = await GameState.open(setup);
  game.watched = screen === "watch";
  game.players = Array.from({ length: game.board.seats }, (_, seat) => game.players[seat] ?? usual[seat]);
  return { title: gameTitle(game.board.game), view: h(PlayScreen, { game, signal, screen, clock: setup.clock }) };
}

/** @extends {TurnScreen} */
export class PlayScreen extends TurnScreen {
  /** @type {Choice | undefined} */
  previewed = undefined; // a move that is looked at on the board
  puzzle = new Puzzle(this);
  kept = gameAt(this.address);
  id = this.kept?.id ?? ""; // among the games of this browser
  opened = this.game.board;
  spent = this.kept?.seconds ?? 0;
  since = performance.now();
  running = false;
  /** @type {import("../panels/review.js").Result | null} */
  result = null;

  quiet() {
    super.quiet();
    this.puzzle.stop();
  }

  /** @param {Board} before */
  changed(before) {
    if (!this.problem) this.puzzle.forget();
    this.#finish();
    super.changed(before);
  }

  /** Count the seconds in which the game went on. */
  #count() {
    const now = performance.now();
    if (this.running) this.spent += (now - this.since) / 1000;
    this.since = now;
    this.running = !this.paused && !this.game.over;
  }

  /** What a game that has just ended took, and what it adds to what this browser keeps. */
  #finish() {
    const { game } = this;
    if (!game.over || !game.hasPerson) this.result = null;
    else if (!this.result) {
      this.#count();
      this.result = resultOf(game, this.id, this.spent, this.aids);
    }
  }

  /** Keep the address true, and the game among those of this browser. */
  remember() {
    const { game, address } = this;
    if (!this.left) history.replaceState(null, "", address);
    this.#count();
    if (!game.hasPerson || !game.moves.length || (!this.id && game.board === this.opened)) return; // nothing was done here
    this.id ||= newId();
    keepGame({ id: this.id, when: Date.now(), address, record: game.record(), seconds: this.spent });
  }

  get address() {
    const { game } = this;
    return addressOf(this.props.screen, this.setup(), game.start.includes(" ") ? game.board.game : game.start);
  }

  /** What an address says of this game. @returns {Setup} */
  setup() {
    const { start, moves, players, names, seconds, givenUp, undone, watched } = this.game;
    return {
      start,
      moves,
      players,
      names,
      seconds,
      givenUp,
      clock: this.clocks.facts,
      then: watched ? undone.slice().reverse() : [],
    };
  }

  /** The same game on another screen, or from another start. @param {string} screen @param {Partial<Setup>} other */
  async open(screen, other) {
    const setup = { ...this.setup(), then: [], givenUp: null, ...other };
    await go(addressOf(screen, setup, setup.start.split(" ")[0]));
  }

  // From this game to another one.

  /**
   * The same game from its start; where there is chance, a new seed decides.
   * @param {string[]} [players]
   * @param {string[]} [names]
   * @param {string} [spec]
   */
  async again(players = this.game.players, names = this.game.names, spec = this.game.start.split(" ")[0]) {
    const { start, board } = this.game;
    const chance = board.seats === 1 || !start.includes(" ");
    const clock = this.clocks.facts && { ...this.clocks.facts, left: [] };
    await this.open(this.props.screen, {
      start: chance ? await deal(spec.replace(/,?seed=\d+/, ""), anySeed()) : start,
      moves: [],
      players,
      names,
      clock,
    });
  }

  /** Another game like this one; this one stays among the unfinished ones. */
  renew() {
    const seed = anySeed();
    return this.again(this.game.players.map((each) => each.replace(/seed=\d+/, `seed=${seed}`)));
  }

  rematch() { return this.again(this.game.players.slice().reverse(), this.swappedNames()); }

  /** The names of the people for the other seats. */
  swappedNames() {
    return this.game.players.map((_, seat) => this.game.names[seat] ?? "").reverse();
  }

  /** Go on from here on the other seat. */
  swap() {
    return this.change(() => {
      this.game.names = this.swappedNames();
      this.game.players.reverse();
      this.stopped = false;
    });
  }

  /** The finished game in words: what a button at its end opens. */
  review() {
    const setup = this.setup();
    return go(reviewAddress({ ...setup, moves: this.game.line }, setup.start.split(" ")[0]));
  }

  /** Look at the game again, from its first move. */
  replay() {
    const { moves, line, givenUp, watched } = this.game;
    return this.open("watch", { moves: [], then: watched ? line : moves, givenUp, clock: null });
  }

  /** Play on from a position that was only watched. */
  takeOver() {
    const { players, board } = this.game;
    return this.open("play", {
      players: players.map((each, seat) => (seat === board.turn && !players.includes(PERSON) ? PERSON : each)),
    });
  }

  // Links, records and pictures.

  async share() {
    this.notice = say((await copy(location.href)) ? "web.copied" : "web.copy_by_hand");
    announce(this.notice);
    this.update();
  }

  /** Open a saved game. */
  async load() {
    const text = await upload();
    if (text === null) return;
    await go(addressOfRecord(await reopen(text.trim())));
  }

  // What is seen.

  get dropsDigits() { return true; }

  keys() {
    const { game } = this;
    return [
      ...super.keys(),
      { shown: "u", keys: ["u"], text: "web.undo", act: () => this.undo() },
      { shown: "r", keys: ["r"], text: "web.redo", act: () => this.redo() },
      { shown: "h", keys: ["h"], text: "web.hint", act: () => game.hasPerson && this.toggleHint() },
      { shown: "m", keys: ["m"], text: "web.move_now", act: () => this.agent.hurry() },
      { shown: "p", keys: ["p"], text: "web.pause", act: () => !game.over && this.pause(!this.paused) },
      { shown: "s", keys: ["s"], text: "web.step", act: () => game.watched && this.step() },
      { shown: "?", keys: ["?"], text: "web.help", act: () => this.help() },
    ];
  }

  /** @returns {Partial<BoardProps>} */
  board() {
    const { game, advice } = this;
    const { board } = game;
    const known = advice?.position === board.position ? advice : undefined;
    return {
      live: game.personToMove && !this.paused,
      veiled: this.paused && game.hasPerson && !game.over,
      brief: true,
      previewed: (choice) => {
        this.previewed = choice;
        this.update();
      },
      layers: [
        this.hinting && pointed(board, "hint", known?.analysis?.move),
        settings.values && known && [heatOf(board, known), labelsOf(board, known)],
      ],
    };
  }

  above() {
    const { board, over, winner } = this.game;
    const counted = board.features.filter((each) => COUNTED.includes(each.key));
    return [
      h(Players, {
        board,
        over,
        winner,
        clocks: this.clocks,
        players: this.game.players,
        who: (seat) => this.#called(seat),
        gains: board.legal.find((each) => each === this.previewed)?.gains,
      }),
      h("p", { class: "counter" },
        this.puzzle.levelName(),
        counted.map((each) => h("span", { "data-key": each.key }, say(each.key, each.values))),
      ),
    ];
  }

  /** Who sits on a seat, said to the one person who plays. @param {number} seat */
  #called(seat) {
    const { you, names } = this.game;
    return you === seat && !names[seat] ? say("web.you") : this.game.called(seat);
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

  below() { return [this.puzzle.verdict(), narrow() && this.#end()]; }

  beside() { return !narrow() && this.#end(); }

  /** Is this the end of a game that somebody here has played? */
  get #ended() { return this.game.over && this.game.hasPerson; }

  #end() {
    const { game, result, spent } = this;
    return this.#ended && h(EndCard, { game, result, spent, next: !this.docked && actions(this) });
  }

  panels() {
    const { game } = this;
    const seed = /seed=(\d+)/.exec(`${game.start} ${game.players.join(" ")}`)?.[1];
    return [
      (this.why || !game.over) && {
        key: "web.panel_why",
        body: h(WhyPanel, {
          search: this.why,
          hint: this.why === this.advice,
          board: game.board,
          empty: this.#invitation(),
          stage: { point: (move) => this.point(move) },
        }),
      },
      {
        key: "web.panel_moves",
        body: [this.moveList(), game.hasPerson && h(TypingForm, { pick: (move) => this.picked(move) })],
      },
      {
        key: "web.panel_board",
        body: h("div", { class: "features" },
          game.hasPerson &&
            h("div", {},
              check(say("web.show_values"), settings.values, (values) => this.showValues(values), { id: "values" }),
            ),
          game.hasPerson &&
            game.board.spots_in_a_move === 2 &&
            h("div", {},
              check(
                say("web.show_alike"),
                settings.alike,
                (alike) => {
                  change({ alike });
                  this.update();
                },
                { id: "alike" },
              ),
            ),
          this.features(COUNTED),
          h("details", { class: "settings" },
            h("summary", {}, say("web.notation")),
            h("p", { class: "quiet seed" }, seed ? say("play.seed", { seed }) : say("web.no_seed")),
            h("p", { class: "quiet notation" }, h("code", {}, game.board.position)),
          ),
        ),
      },
    ].filter((each) => each !== false);
  }

  /** What the panel of reasons says before there are any. */
  #invitation() {
    const { players, hasPerson } = this.game;
    const agent = players.find((each) => each !== PERSON);
    if (!hasPerson) return say("because.empty_watch");
    return agent ? say("because.empty_agent", { player: agentTitle(agent) }) : say("because.empty_person");
  }

  tools() {
    if (this.#ended && narrow()) return actions(this);
    return [
      this.#ended && this.docked && actions(this),
      this.game.watched ? this.#watching() : this.#playing(),
      !this.#crowded && this.#usual(),
    ];
  }

  /** Are there so many tools already that the usual ones wait behind "More"? */
  get #crowded() {
    return narrow() || this.slow || this.game.watched || this.game.board.seats === 1;
  }

  #usual() {
    return [
      tool("web.new", () => this.renew()),
      iconTool("web.share", () => this.share()),
      iconTool("web.analyse", () => this.open("analyse", { players: [], clock: null })),
    ];
  }

  #playing() {
    const { game, clocks, paused, hinting } = this;
    const alone = game.board.seats === 1;
    return [
      this.stopped && tool("web.go_on", () => this.goOn(), { class: "primary" }),
      this.#backAndForth(),
      !game.over &&
        !(narrow() && this.slow) &&
        tool("web.hint", () => this.toggleHint(), { "aria-pressed": String(hinting) }),
      this.#thinking(),
      !narrow() && this.puzzle.tools(),
      !game.over &&
        (alone || clocks.on) &&
        iconTool("web.pause", () => this.pause(!paused), { "aria-pressed": String(paused) }),
      !game.over && !alone && iconTool("web.resign", () => this.resign()),
    ];
  }

  #watching() {
    const { game, paused } = this;
    return [
      !game.over &&
        tool(paused ? "web.start" : "web.pause", () => this.pause(!paused), { key: "pause", class: "primary" }),
      !game.over && iconTool("web.step", () => this.step(), { disabled: !paused }),
      this.#backAndForth(),
      !narrow() && this.#speed("unseen"),
      this.#thinking(),
      !narrow() && this.#takingOver(),
      game.over && game.moves.length > 0 && shortTool("web.review", () => this.review(), say("end.review")),
      game.over && shortTool("web.rematch", () => this.rematch(), say("end.again")),
    ];
  }

  /** How fast a game that is watched goes on. @param {string} named How its name is seen. */
  #speed(named) {
    const speeds = SPEEDS.map((each) => [String(each), say("web.speed_of", { speed: each })]);
    return h("label", { class: "speed" },
      h("span", { class: named }, say("web.speed_label")),
      select(String(settings.speed), speeds, (speed) => change({ speed: Number(speed) })),
    );
  }

  #takingOver() { return !this.game.over && tool("web.play_from_here", () => this.takeOver()); }

  #backAndForth() {
    const { moves, undone, givenUp, watched } = this.game;
    return [
      (watched ? iconTool : tool)("web.undo", () => this.undo(), { disabled: !moves.length && !givenUp }),
      !(narrow() && this.slow) && iconTool("web.redo", () => this.redo(), { disabled: !undone.length }),
    ];
  }

  #thinking() {
    return (
      this.slow &&
      this.agent.busy && [tool("web.move_now", () => this.agent.hurry()), tool("web.stop", () => this.stop())]
    );
  }

  /** Switch sound or vibration on, with an example, or off. @param {"sound" | "vibration"} what */
  #toggle(what) {
    change({ [what]: !settings[what] });
    if (settings[what]) sound("move");
    this.update();
  }

  menu() {
    const { game } = this;
    const { name, svg, seats } = game.board;
    return [
      narrow() && [
        this.#ended && this.#backAndForth(),
        game.watched ? [this.#takingOver(), this.#speed("")] : this.puzzle.tools(),
      ],
      seats === 1 &&
        !game.over &&
        !game.watched &&
        tool("web.timed", () => this.timed(), { "aria-pressed": String(this.clocks.on) }),
      this.#crowded && this.#usual(),
      seats === 2 && tool("web.swap", () => this.swap()),
      seats === 2 && (settings.values || this.turnable) && tool("web.flip", () => this.flip()),
      this.puzzle.menu(),
      game.moves.length > 0 && tool("web.replay", () => this.replay()),
      tool("web.save", () => download(`${name}.json`, "application/json", game.record())),
      tool("web.load", () => this.attempt(() => this.load())),
      tool("web.picture", () => download(`${name}.svg`, "image/svg+xml", svg)),
      tool("web.export_png", async () => download(`${name}.png`, "image/png", await pngOf(svg))),
      tool("web.sound", () => this.#toggle("sound"), { "aria-pressed": String(settings.sound) }),
      buzzes && tool("web.vibration", () => this.#toggle("vibration"), { "aria-pressed": String(settings.vibration) }),
      tool("web.help", () => this.help()),
    ];
  }
}
