// @ts-check
// From the game that is played to another one: again, on another screen, in words, from a file.

import { deal, games, reopen } from "./api.js";
import { copy, upload } from "./files.js";
import { say } from "./language.js";
import { go } from "./router.js";
import { PERSON, addressOf, addressOfRecord, reviewAddress } from "./saved_game.js";
import { anySeed } from "./settings.js";
import { announce } from "./ui.js";
/** @import { Setup } from "./saved_game.js" */
/** @import { PlayScreen } from "./screens/play.js" */

/** Return the players, each level without a seed with a new one. @param {string[]} players */
function withSeeds(players) {
  const seed = anySeed();
  return players.map((each) => (/^level:\d$/.test(each) ? `${each},seed=${seed}` : each));
}

export class Navigation {
  /** @param {PlayScreen} play */
  constructor(play) { this.play = play; }

  /** Open this game on another screen, or from another start. @param {string} screen @param {Partial<Setup>} other */
  async open(screen, other) {
    const setup = { ...this.play.saved.setup(), then: [], givenUp: null, ...other };
    await go(addressOf(screen, setup, setup.start.split(" ")[0]));
  }

  /**
   * Play again from the start; a random deal is dealt anew.
   * @param {string[]} [players]
   * @param {string[]} [names]
   * @param {string} [spec] Another size of the game.
   */
  async again(
    players = this.play.game.players,
    names = this.play.game.names,
    spec = this.play.game.start.split(" ")[0],
  ) {
    const { game, clocks, props } = this.play;
    const random = game.board.seats === 1 || !game.start.includes(" ");
    const start = random ? await deal(spec.replace(/,?seed=\d+/, ""), anySeed()) : game.start;
    const clock = clocks.facts && { ...clocks.facts, left: [] };
    await this.open(props.screen, { start, moves: [], players, names, clock });
  }

  /** Play another game like this one, with new seeds; this one stays among the unfinished ones. */
  renew() {
    const seed = anySeed();
    return this.again(this.play.game.players.map((each) => each.replace(/seed=\d+/, `seed=${seed}`)));
  }

  /** Play again with the seats exchanged. */
  rematch() { return this.again(this.play.game.players.slice().reverse(), this.#exchangedNames()); }

  #exchangedNames() {
    const { players, names } = this.play.game;
    return players.map((_, seat) => names[seat] ?? "").reverse();
  }

  /** Exchange the seats and continue from here. */
  swap() {
    const { game, turns, view } = this.play;
    return view.change(() => {
      game.names = this.#exchangedNames();
      game.players.reverse();
      turns.stopped = false;
    });
  }

  /** Continue from here with other players. @param {string[]} players */
  replacePlayers(players) {
    const { game, turns, view } = this.play;
    return view.change(() => {
      game.players = withSeeds(players);
      turns.stopped = false;
    });
  }

  /** Choose a game, its size and two agents, and watch them. */
  async chooseWatched() {
    const { start, players } = this.play.game;
    const { openWatched } = await import("./pickers.js");
    const spec = start.split(" ")[0].replace(/,?seed=\d+/, "");
    openWatched(await games(), spec, players, async (chosen, agents) => {
      const dealt = await deal(chosen, anySeed());
      await this.open("watch", { start: dealt, moves: [], names: [], players: withSeeds(agents), clock: null });
    });
  }

  /** Open the review of the finished game. */
  review() {
    const setup = this.play.saved.setup();
    return go(reviewAddress({ ...setup, moves: this.play.game.line }, setup.start.split(" ")[0]));
  }

  /** Replay the game from its first move. */
  replay() {
    const { moves, line, givenUp, watched } = this.play.game;
    return this.open("watch", { moves: [], then: watched ? line : moves, givenUp, clock: null });
  }

  /** Continue from a position that was only watched: a person takes the seat to move. */
  takeOver() {
    const { players, board } = this.play.game;
    const free = !players.includes(PERSON);
    return this.open("play", {
      players: players.map((each, seat) => (free && seat === board.turn ? PERSON : each)),
    });
  }

  analyse() { return this.open("analyse", { players: [], clock: null }); }

  /** Copy the address of this game. */
  async share() {
    this.play.notice = say((await copy(location.href)) ? "web.copied" : "web.copy_by_hand");
    announce(this.play.notice);
    this.play.view.update();
  }

  /** Open a game from a file that the person chooses. */
  async load() {
    const text = await upload();
    if (text !== null) await go(addressOfRecord(await reopen(text.trim())));
  }
}
