// @ts-check
// Moves of a game that is played: made, taken back, looked at again; each is announced to screen readers.

import { player, say } from "./language.js";
import { PERSON } from "./saved_game.js";
import { sound } from "./sound.js";
import { standing } from "./turns.js";
import { announce, confirmed } from "./ui.js";
/** @import { PlayScreen } from "./screens/play.js" */
/** @import { BoardFacts as Board } from "./wire.d.ts" */

export class Moves {
  /** @type {Set<"hint" | "undo">} */
  aids = new Set(); // what the person has asked for in this game

  /** @param {PlayScreen} play */
  constructor(play) { this.play = play; }

  /** Make the move that a person has picked, or say why not. @param {string} move */
  async picked(move) {
    const { game, turns, view, agent } = this.play;
    if (view.busy) return;
    if (turns.paused && game.hasPerson) this.play.complain(say("web.paused"));
    else if (game.personToMove) await this.make(move, (name) => (game.alone ? undefined : agent.begin(name)));
    else if (turns.inARow) turns.skip();
    else if (game.over) this.play.complain(standing(game, turns));
    else this.play.complain(say(game.watched ? "web.only_watched" : "web.not_your_turn"));
  }

  /**
   * Make a move of a person or an agent.
   * @param {string} move
   * @param {(name: string) => Board | Promise<Board> | undefined} reached The board after it, if the turn brings it.
   */
  make(move, reached) {
    const { game, clocks } = this.play;
    const { turn } = game.board;
    return this.changeAloud(async () => {
      await game.play(move, reached);
      clocks.press(turn);
      clocks.mark(game.moves.length);
    });
  }

  /**
   * Change the game by a move and announce it: the move, whether it earns another one, and what comes next.
   * @param {() => Promise<void>} act
   */
  async changeAloud(act) {
    const { game, turns, view } = this.play;
    const before = game.board;
    await view.change(act);
    const { board } = game;
    if (board === before) {
      if (this.play.problem) sound("refused");
      return;
    }
    sound(this.#soundOf(before.turn));
    const again = board.end === "open" && board.seats === 2 && board.turn === before.turn ? ` ${say("web.again")}` : "";
    const moved = say("web.moved", { player: player(before.turn, before.seats), move: board.moves.at(-1) });
    announce(`${moved}${again} ${standing(game, turns)}`);
  }

  /** The sound of a move that a seat has made. @param {number} seat */
  #soundOf(seat) {
    const { over, winner, you, players, end } = this.play.game;
    if (!over) return players[seat] === PERSON ? "move" : "reply";
    if (winner === null) return end === "cleared" ? "won" : "drawn";
    return you === null || winner === you ? "won" : "lost";
  }

  /** Show the position after that many moves. @param {number} count */
  jump(count) { return this.#look(() => this.play.game.go(count)); }

  async undo() {
    const { game } = this.play;
    this.aids.add("undo");
    if (game.moves.length || game.givenUp) await this.#look(() => game.undo());
  }

  async redo() { await this.play.view.change(() => this.play.game.redo()); }

  /** Go to another position of the game, where agents wait. @param {() => Promise<void>} act */
  #look(act) {
    const { game, clocks, turns, view } = this.play;
    return view.change(async () => {
      await act();
      clocks.back(game.moves.length);
      if (game.watched) turns.paused = true;
      turns.stopped = !game.watched && !game.over && !game.personToMove;
    });
  }

  async resign() {
    const { game, turns, view } = this.play;
    if (!(await confirmed(say("screen.resign"), say("screen.yes"), say("screen.play_on")))) return;
    const seat = game.mover === PERSON ? game.board.turn : game.players.indexOf(PERSON);
    await view.change(() => game.giveUp("resigned", seat));
    announce(standing(game, turns));
  }
}
