// @ts-check
// A room: two people at one board over a link, and whoever watches them.

import { Refusal, boardOf } from "../api.js";
import { BoardView } from "../board.js";
import { confirmed } from "../dialogs.js";
import { announce, fill, h } from "../dom.js";
import { featuresOf } from "../features.js";
import { gameTitle, say, trouble } from "../language.js";
import { showMoves } from "../moves.js";
import { panelsOf } from "../panels.js";
import { lookInto, sitDown } from "../room/asking.js";
import { invitation } from "../room/invite.js";
import { keysOf } from "../room/keys.js";
import { RoomLink } from "../room/link.js";
import { Players } from "../room/players.js";
import { questionOf, toolsOf } from "../room/tools.js";
import { happened, sentence } from "../room/words.js";
import { keep, settings } from "../settings.js";
import { LAST, PERSON } from "../table.js";
import { typingForm } from "../typing.js";
import { newRoom } from "./newroom.js";

/** @typedef {import("../room/asking.js").State} State */

/** @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function room(url) {
  const code = decodeURIComponent(url.pathname.split("/")[2] ?? "").trim().toLowerCase();
  if (!code) return newRoom(url);
  const state = await lookInto(code).catch((error) => {
    const missing = error instanceof Refusal && [404, 422].includes(error.status);
    throw missing ? new Refusal(404, "room.gone", {}) : error;
  });
  const view = new RoomScreen(state);
  return { title: `${say("room.panel")}: ${gameTitle(state.board.game)}`, element: view.element, leave: () => view.leave() };
}

export class RoomScreen {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {string | null} Why there is no connection. */
    this.trouble = null;
    /** @type {import("../api.js").Board | null} An earlier position that is looked at. */
    this.looking = null;
    this.view = new BoardView((move) => this.picked(move));
    this.players = new Players();
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.question = h("div", { class: "question" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("web.tools") });
    this.invite = h("div", {});
    this.crowd = h("p", { class: "quiet crowd" });
    this.moves = h("div", { class: "moves" });
    this.typing = typingForm((move) => this.picked(move));
    this.features = h("div", { class: "features" });
    this.element = h("div", { class: "table-screen room-screen" },
      h("div", { class: "stage" }, h("h1", { class: "unseen" }, gameTitle(state.board.game)),
        this.players.element, h("div", { class: "without-eval" }, this.view.element),
        this.status, this.problem, this.question, this.tools),
      panelsOf([
        { key: "room.panel", body: h("div", {}, this.invite, this.crowd) },
        { key: "web.panel_moves", body: h("div", {}, this.moves, this.typing) },
        { key: "web.panel_board", body: this.features },
      ]));
    this.forgetKeys = keysOf(this);
    this.link = new RoomLink(state.name, {
      changed: (news) => this.changed(news),
      refused: (key, values) => this.complain(say(key, values)),
      connected: (key) => this.connected(key),
    });
    this.showBoard();
    this.show();
    this.showInvitation();
    this.link.open();
  }

  leave() {
    this.link.close();
    this.players.leave();
    this.forgetKeys();
  }

  get mayMove() {
    const { board, room, seat } = this.state;
    return !this.looking && room.end === "open" && !room.taken.includes(false) && board.turn === seat;
  }

  /** The server tells of a change.
   * @param {Partial<State>} news */
  changed(news) {
    const before = this.state;
    this.state = { ...before, ...news };
    if (news.board && news.board.position !== before.board.position) fill(this.problem);
    if (news.board) this.looking = null;
    if (news.board) this.showBoard();
    this.show();
    if (String(before.room.taken) !== String(this.state.room.taken)) this.showInvitation();
    const words = happened(before, this.state);
    if (words) announce(words);
  }

  /** @param {string | null} key */
  connected(key) {
    if (key === this.trouble) return;
    this.trouble = key;
    this.show();
    announce(say(key ?? "room.connected"));
  }

  showBoard() {
    const board = this.looking ?? this.state.board;
    this.view.show(board, { label: gameTitle(board.game), live: this.mayMove });
    this.view.showFeatures(settings.features);
    fill(this.features, featuresOf(board, this.view), h("p", { class: "quiet notation" }, h("code", {}, board.position)));
  }

  /** Show everything but the board. */
  show() {
    const { board, room, seat, name } = this.state;
    this.view.element.classList.toggle("live", this.mayMove);
    this.players.show(this.state);
    const at = (this.looking ?? board).moves.length;
    showMoves(this.moves, { line: board.moves, at, turns: board.turns, seats: 2 }, (count) => this.look(count));
    fill(this.status, this.trouble ? say(this.trouble) : this.looking ? say("room.looking", { move: at }) : sentence(this.state));
    this.status.classList.toggle("bad", Boolean(this.trouble));
    fill(this.crowd, room.spectators > 0 && say("room.spectators", { count: room.spectators }));
    this.typing.hidden = seat === null;
    questionOf(this);
    toolsOf(this);
    const facts = { address: `/room/${name}`, game: board.game, seats: [PERSON, PERSON] };
    if (seat !== null) keep(LAST, room.end === "open" ? facts : {});
  }

  showInvitation() {
    const { clock } = this.state.room;
    const { seconds = 0, increment = 0 } = clock ?? {};
    fill(this.invite, invitation(this.state),
      clock && h("p", { class: "quiet" }, say("room.with_clock", { minutes: seconds / 60, increment })));
  }

  /** @param {string} words */
  complain(words) {
    fill(this.problem, words);
  }

  /** Ask the server for something.
   * @param {Record<string, unknown>} message */
  ask(message) {
    fill(this.problem);
    if (!this.link.send(message)) this.complain(say("room.trying"));
  }

  /** @param {string} move */
  picked(move) {
    const { board, seat } = this.state;
    if (seat === null || this.looking) this.complain(say(this.looking ? "room.looking" : "room.watching", { move: this.looking?.moves.length }));
    else this.ask({ t: "move", move, ply: board.moves.length });
  }

  /** Look at an earlier position; the game goes on.
   * @param {number} count */
  async look(count) {
    const { board } = this.state;
    const before = count < board.moves.length ? await boardOf(board.start, board.moves.slice(0, count)).catch(() => null) : null;
    if (board !== this.state.board) return;
    this.looking = before;
    this.showBoard();
    this.show();
  }

  async sit() {
    try {
      await sitDown(this.state.name);
      this.link.open();
      this.view.focus();
    } catch (error) {
      this.complain(trouble(error));
    }
  }

  async resign() {
    if (await confirmed(say("screen.resign"), say("screen.yes"))) this.ask({ t: "resign" });
  }
}
