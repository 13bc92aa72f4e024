// @ts-check
// A room: two people play on one board over a link, and others watch them.

import { Refusal, qrOf, room as roomOf, takeSeat } from "../api.js";
import { focusBoard, turnable } from "../board.js";
import { copy, download } from "../files.js";
import { GameState } from "../game.js";
import { MoveList, TypingForm, docked, featureList, gameScreen, narrow, openKeys } from "../game_screen.js";
import { BOARD_KEYS, GameView } from "../game_view.js";
import { gameTitle, player, say } from "../language.js";
import { EndCard } from "../panels/review.js";
import { Clocks, Players } from "../players.js";
import { RoomLink } from "../room_link.js";
import { go } from "../router.js";
import { PERSON, addressOf, saveGame, reviewAddress } from "../saved_game.js";
import { change, settings } from "../settings.js";
import { Drawing, Part, announce, awaited, button, confirmed, form, tool } from "../ui.js";
import { Component, createRef, h } from "../vendor/preact.mjs";
import { nameField, newRoom } from "./new_room.js";
/** @import { GameProps, Key } from "../game_view.js" */
/** @import { Opener } from "../router.js" */
/** @import { RoomState as Room } from "../wire.d.ts" */
/** @typedef {GameProps & {room: Room}} RoomProps */

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
const PRIMARY = { class: "primary" };

/** @type {Opener} */
export async function room(url, signal) {
  const code = decodeURIComponent(url.pathname.split("/")[2] ?? "")
    .trim()
    .toLowerCase();
  if (!code) return newRoom(url);
  const found = await roomOf(code).catch((error) => {
    const missing = error instanceof Refusal && [404, 422].includes(error.status);
    throw missing ? new Refusal(404, "room.gone", {}) : error;
  });
  const { board } = found;
  const game = new GameState(
    { start: board.start, moves: board.moves, players: [PERSON, PERSON], seconds: settings.seconds },
    board,
  );
  return {
    title: `${say("room.panel")}: ${gameTitle(board.game)}`,
    view: h(RoomScreen, { game, signal, room: found }),
  };
}

/** @extends {Part<RoomProps>} */
class RoomScreen extends Part {
  game = this.props.game;
  /** @type {GameView} */
  view = new GameView(this, this.props, {
    picked: (move) => this.picked(move),
    keys: () => this.keys(),
    leave: () => this.clocks.hold(),
  });
  room = this.props.room;
  /** @type {string | null} The key of the text about a lost connection. */
  trouble = null;
  clocks = new Clocks(2, null);
  typed = settings.name; // in the field for the name of a visitor
  withdrawn = false; // this visitor has withdrawn the question
  link = new RoomLink(
    this.props.room.name,
    {
      changed: (news) => this.#take(news),
      refused: (key, values) => this.complain(say(key, values)),
      connected: (key) => this.#connected(key),
    },
    this.props.signal,
  );

  componentDidMount() {
    history.replaceState(null, "", `/room/${this.room.name}`); // a short code has led here
    this.#follow();
    this.link.open();
  }

  update() { this.view.update(); }

  /** True while an earlier position is shown; the game goes on meanwhile. */
  get looking() { return this.game.undone.length > 0; }

  /** True while a seat is free. */
  get waiting() { return this.room.room.taken.includes(false); }

  get over() { return this.room.room.end !== "open"; }

  /** Take the state that the server sends: the whole of it, or all but the board. @param {Partial<Room>} news */
  #take(news) {
    const before = this.room;
    this.room = { ...before, ...news };
    if (news.board && news.board.position !== before.board.position) this.problem = "";
    if (news.board) this.showGame();
    const refusal = declined(before, this.room);
    if (refusal && !this.withdrawn) this.problem = say(`room.declined_${refusal}`);
    if (this.room.room.asks) this.withdrawn = false;
    this.#follow();
    const words = happened(before, this.room);
    if (words) announce(words);
  }

  /** Show the clocks of the server, and save the game of a person who plays. */
  #follow() {
    const { room, name, seat, board } = this.room;
    this.clocks.follow(room.clock);
    if (seat !== null && board.moves.length) {
      const id = `room-${name}-${room.games}`;
      saveGame({ id, when: Date.now(), address: `/room/${name}`, record: recordOf(this.room), seconds: 0 });
    }
    this.update();
  }

  /** @param {string | null} key */
  #connected(key) {
    if (key === this.trouble) return;
    this.trouble = key;
    this.update();
    announce(say(key ?? "room.connected"));
  }

  /** Show the game as it stands now. */
  showGame() {
    const { board } = this.room;
    Object.assign(this.game, { board, start: board.start, undone: [] });
    this.update();
  }

  /** Send a request to the server, or show that there is no connection. @param {Record<string, unknown>} message */
  ask(message) {
    this.problem = "";
    if (this.link.send(message)) this.update();
    else this.complain(say("room.trying"));
  }

  /** @param {string} move */
  picked(move) {
    const { board, seat } = this.room;
    const { moves } = this.game;
    if (seat === null || this.looking)
      this.complain(say(this.looking ? "room.looking" : "room.watching", { move: moves.length }));
    else this.ask({ t: "move", move, ply: board.moves.length });
  }

  /** Show an earlier position; the game goes on. @param {number} count */
  async jump(count) {
    const { board } = this.room;
    const now = new GameState({ ...this.game, moves: [] }, board);
    await now.go(count).catch(() => {});
    if (board !== this.room.board) return;
    this.game.board = count < board.moves.length ? now.board : board;
    this.game.undone = now.undone;
    this.update();
  }

  async sit() {
    change({ name: this.typed });
    await takeSeat(this.room.name, this.typed.trim());
    this.link.open();
    focusBoard();
  }

  async resign() {
    if (await confirmed(say("screen.resign"), say("screen.yes"), say("screen.play_on"))) this.ask({ t: "resign" });
  }

  /** Ask the other player to take the last move back. */
  takeback() { if (this.room.seat !== null) this.ask({ t: "ask", what: "takeback" }); }

  /** @returns {Key[]} */
  keys() {
    return [
      ...BOARD_KEYS,
      { shown: "u", keys: ["u"], text: "room.takeback", act: () => this.takeback() },
      { shown: "?", keys: ["?"], text: "web.help", act: () => openKeys(this.view, this.keys()) },
    ];
  }

  render() {
    const { view, room, looking, over, waiting, trouble } = this;
    const { games } = room.room;
    const end = over && !looking && h(EndCard, { key: `${games}`, game: ownGame(room), next: !docked() && next(this) });
    const move = this.game.moves.length;
    return gameScreen(view, {
      name: "game-screen room-screen",
      board: { live: !looking && !over && !waiting && room.board.turn === room.seat },
      above: above(this),
      sentence: trouble ? say(trouble) : looking ? say("room.looking", { move }) : sentence(room),
      troubled: trouble !== null,
      below: [question(this), narrow() && end],
      beside: !narrow() && end,
      tools: tools(this),
      menu: menu(this),
      panels: panels(this),
    });
  }
}

/**
 * Return the game of a room in its present state.
 * @param {Room} state
 * @param {string[]} players
 * @param {string[]} names
 */
function gameOf({ board, room }, players, names) {
  const { start, moves } = board;
  const game = new GameState({ start, moves, players, names, seconds: settings.seconds }, board);
  if (room.blame !== null) game.giveUp(room.end === "timeout" ? "timeout" : "resigned", room.blame);
  return game;
}

/** Return the game from the seat of this visitor: the person, and an opponent with a name. @param {Room} state */
function ownGame(state) {
  const { board, room, seat } = state;
  const players = board.scores.map((_, each) => (seat === null || each === seat ? PERSON : "level:3"));
  const opponent = seat === null ? "" : say("room.opponent");
  const names = players.map((_, each) => (each === seat ? "" : room.names[each] || opponent));
  return gameOf(state, players, names);
}

/** Return the game as a record that the terminal reads, too. @param {Room} state */
function recordOf(state) { return gameOf(state, [PERSON, PERSON], state.room.names.slice()).record(); }

/** Open the review of the finished game; the mistakes of this visitor come first. @param {Room} state */
function review(state) {
  const { start, moves, players, names, seconds, board } = ownGame(state);
  return go(reviewAddress({ start, moves, players, names, seconds }, board.game));
}

/** Return the tools for what comes after a game. @param {RoomScreen} screen */
function next(screen) {
  const { room, board, seat } = screen.room;
  const setup = { start: board.start, moves: board.moves, players: [], seconds: settings.seconds };
  return (
    screen.over &&
    h("div", { class: "next" },
      seat !== null && !room.asks && tool("room.again", () => screen.ask({ t: "ask", what: "rematch" }), PRIMARY),
      board.moves.length > 0 && tool("web.review", () => review(screen.room), {}, docked() ? say("end.review") : ""),
      tool("web.analyse", () => go(addressOf("analyse", setup, board.game))),
    )
  );
}

/**
 * Return whether this is a phone whose owner waits for the other player: the invitation comes first there.
 * @param {RoomScreen} screen
 */
function inviting({ waiting, room }) { return narrow() && waiting && room.seat !== null; }

/** @param {RoomScreen} screen */
function above(screen) {
  const { board, room, seat } = screen.room;
  return [
    inviting(screen) &&
      h("section", { class: "panel chosen", "aria-label": say("room.panel") }, h(Invitation, { room: screen.room })),
    h(Players, {
      board,
      over: screen.over,
      winner: room.winner,
      clocks: screen.clocks,
      who: (each) => presence(room, each, seat),
    }),
  ];
}

/**
 * Return the name of the player on a seat, and whether the room is open on their screen.
 * @param {Room["room"]} room
 * @param {number} seat
 * @param {number | null} own The seat of this visitor.
 */
function presence(room, seat, own) {
  const name = room.names[seat];
  if (!room.taken[seat]) return h("span", { class: "presence quiet" }, say("room.free_seat"));
  if (seat === own) return name ? say("room.you_named", { name }) : say("web.you");
  const here = room.present[seat];
  return [
    h("span", { class: "called" }, name || say(own === null ? `web.seat_${seat + 1}` : "room.opponent")),
    " ",
    h("span", { class: here ? "presence here" : "presence quiet" },
      h("span", { "aria-hidden": "true" }, here ? "● " : "○ "),
      say(here ? "room.here" : "room.away"),
    ),
  ];
}

/**
 * Return the request of one player to the other with its answers; for visitors, the free seat.
 * @param {RoomScreen} screen
 */
function question(screen) {
  const { room, seat } = screen.room;
  const { asks } = room;
  if (seat === null && screen.waiting) return sitForm(screen);
  return h("div", { class: "question", hidden: seat === null || !asks }, seat !== null && asks && [
    h("p", {}, say(`room.${asks.seat === seat ? "asked" : "ask"}_${asks.what}`)),
    h("div", { class: "row" }, answers(screen, asks.what, asks.seat === seat)),
  ]);
}

/**
 * @param {RoomScreen} screen
 * @param {string} what
 * @param {boolean} own This visitor has asked.
 */
function answers(screen, what, own) {
  const decline = () => {
    screen.withdrawn = own;
    screen.ask({ t: "decline" });
  };
  if (own) return tool("room.withdraw", decline);
  return [tool("room.agree", () => screen.ask({ t: "agree", what }), PRIMARY), tool("room.decline", decline)];
}

/** @param {RoomScreen} screen */
function sitForm(screen) {
  return form(
    { class: "question" },
    () => screen.attempt(() => screen.sit()),
    nameField(screen.typed, (name) => { screen.typed = name; }),
    h("button", { type: "submit", class: "primary", "data-tool": "room.sit" }, say("room.sit")),
  );
}

/** @param {RoomScreen} screen */
function tools(screen) {
  const { room, board, seat } = screen.room;
  const playing = seat !== null && !screen.over && !screen.waiting;
  return [
    screen.looking && tool("room.back_to_game", () => screen.showGame(), PRIMARY),
    docked() && next(screen),
    playing && !room.asks && board.turns.includes(seat) && tool("room.takeback", () => screen.takeback()),
    playing && tool("web.resign", () => screen.resign()),
  ];
}

/** @param {RoomScreen} screen */
function menu(screen) {
  const { view, game, room } = screen;
  const { name, svg } = game.board;
  return [
    tool("web.save", () => download(`${name}.json`, "application/json", recordOf(room))),
    tool("web.picture", () => download(`${name}.svg`, "image/svg+xml", svg)),
    turnable(game.board) && tool("web.flip", () => view.flip()),
    tool("room.new", () => go("/room")),
    tool("web.help", () => openKeys(view, screen.keys())),
  ];
}

/** @param {RoomScreen} screen */
function panels(screen) {
  const { view, room: state } = screen;
  const { spectators } = state.room;
  const visitors = spectators > 0 && say("room.spectators", { count: spectators });
  const invitation = [h(Invitation, { room: state }), h("p", { class: "quiet crowd" }, visitors)];
  const moves = h(MoveList, { view, turns: state.board.turns, go: (count) => screen.jump(count) });
  const typing = state.seat !== null && h(TypingForm, { pick: (move) => screen.picked(move) });
  const notation = h("p", { class: "quiet notation" }, h("code", {}, view.game.board.position));
  return [
    ...(inviting(screen) ? [] : [{ key: "room.panel", body: invitation }]),
    { key: "web.panel_moves", body: [moves, typing] },
    { key: "web.panel_board", body: h("div", { class: "features" }, featureList(view), notation) },
  ];
}

/** The link to a room, and every way to hand it on. @extends {Component<{room: Room}>} */
class Invitation extends Component {
  field = createRef();
  said = "";

  /** @param {string} url */
  async copy(url) {
    const copied = await copy(url);
    if (!copied) this.field.current.select();
    this.said = say(copied ? "web.copied" : "web.copy_by_hand");
    announce(this.said);
    this.forceUpdate();
  }

  /** @param {{room: Room}} props */
  render({
    room: {
      name,
      room: { taken, clock },
    },
  }) {
    const url = `${location.origin}/room/${name}`;
    const waiting = taken.includes(false);
    return [
      h("div", { class: "invitation" },
        h("p", { class: waiting ? "standing" : null }, say(waiting ? "room.invite" : "room.link_watch")),
        h("input", {
          type: "text",
          readonly: true,
          value: url,
          "aria-label": say("room.link"),
          class: "room-link",
          ref: this.field,
          onfocus: (event) => event.currentTarget.select(),
        }),
        h("div", { class: "row" },
          tool("room.copy", () => this.copy(url), waiting ? PRIMARY : {}),
          "share" in navigator &&
            button(say("room.share"), () => navigator.share({ title: "papan", url }).catch(() => {})),
        ),
        h("p", { class: "quiet", role: "status" }, this.said),
        waiting &&
          h("div", { class: "other-ways" },
            h("p", { class: "quiet" },
              say("room.code_is"),
              " ",
              h("strong", { class: "short-code" }, name.replaceAll("-", "").slice(0, 6).replace(/^.../, "$&-")),
            ),
            awaited(
              () => qrOf(name),
              (qr) =>
                qr && h("div", { class: "qr", role: "img", "aria-label": say("room.qr") }, h(Drawing, { text: qr })),
            ),
          ),
        waiting && LOCAL.includes(location.hostname) && h("p", { class: "quiet" }, say("room.local_only")),
      ),
      clock &&
        h("p", { class: "quiet" }, say("room.with_clock", { minutes: clock.seconds / 60, increment: clock.increment })),
    ];
  }
}

/** Return the state of the room as a sentence. @param {Room} state */
function sentence({ board, room, seat }) {
  const watching = seat === null ? ` ${say("room.watching")}` : "";
  if (room.end !== "open") return result(room, seat) + watching;
  if (room.taken.includes(false)) return say(seat === null ? "room.seat_free" : "room.waiting");
  if (seat === null) return say("web.to_move", { player: player(board.turn, 2) }) + watching;
  if (board.turn === seat) return say("room.your_turn");
  if (room.present[1 - seat]) return say("room.their_turn");
  return say(room.clock ? "room.away_clock" : "room.away_waits");
}

/** @param {Room["room"]} room @param {number | null} seat */
function result({ end, winner }, seat) {
  if (winner === null) return say("play.ended", { how: say(`end.${end}`) });
  if (seat === null) return say(`play.won_${end}`, { player: player(winner, 2) });
  return say(winner === seat ? `room.you_won_${end}` : `room.you_lost_${end}`);
}

/**
 * Return which question of this visitor the other player has declined; null if none.
 * @param {Room} before
 * @param {Room} now
 */
function declined(before, { board, room, seat }) {
  const { asks, games, end } = before.room;
  if (!asks || asks.seat !== seat || room.asks || room.games !== games || room.end !== end) return null;
  return board.moves.length === before.board.moves.length ? asks.what : null;
}

/**
 * Return what has changed between two states, for screen readers; an empty text if nothing has.
 * @param {Room} before
 * @param {Room} now
 */
function happened(before, now) {
  const { board, room, seat } = now;
  if (room.games === before.room.games && board.moves.length > before.board.moves.length) {
    const ply = board.moves.length - 1;
    const again = room.end === "open" && board.turn === board.turns[ply] ? ` ${say("web.again")}` : "";
    const moved = say("web.moved", { player: player(board.turns[ply], 2), move: board.moves[ply] });
    return `${moved}${again} ${sentence(now)}`;
  }
  if (room.asks && room.asks.seat !== before.room.asks?.seat && room.asks.seat !== seat && seat !== null)
    return say(`room.ask_${room.asks.what}`);
  if (before.room.taken.includes(false) && !room.taken.includes(false))
    return `${say("room.sat_down")} ${sentence(now)}`;
  return sentence(before) === sentence(now) ? "" : sentence(now);
}

