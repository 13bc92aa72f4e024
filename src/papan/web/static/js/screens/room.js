// @ts-check
// A room: two people at one board over a link, and whoever watches them; the forms that make one or enter it.

import { Refusal, games, makeRoom, qrOf, room as roomOf, roomSocket, takeSeat } from "../api.js";
import { focusBoard } from "../board.js";
import { copy, download } from "../files.js";
import { GameState } from "../game.js";
import { GameScreen, TypingForm, narrow } from "../game_screen.js";
import { gameTitle, player, say } from "../language.js";
import { EndCard } from "../panels/review.js";
import { GamePicker } from "../pickers.js";
import { Clocks, Players } from "../players.js";
import { go } from "../router.js";
import { LONGEST_NAME, PERSON, addressOf, keepGame, reviewAddress } from "../saved_game.js";
import { change, keep, read, settings } from "../settings.js";
import { Drawing, Part, announce, awaited, button, confirmed, entry, form, labelled, select, tool } from "../ui.js";
import { Component, createRef, h } from "../vendor/preact.mjs";
/** @import { BoardProps } from "../board.js" */
/** @import { GameProps } from "../game_screen.js" */
/** @import { Opener, Screen } from "../router.js" */
/** @import { GameFacts, RoomState as Room } from "../wire.d.ts" */
/** @typedef {GameProps & {room: Room}} RoomProps */
/** @typedef {{all: GameFacts[], game: string, position: string | null}} MakeProps */

/**
 * @typedef {object} Listener
 * @property {(news: Partial<Room>) => void} changed Everything, or all but the board.
 * @property {(key: string, values: Record<string, unknown>) => void} refused
 * @property {(key: string | null) => void} connected Why there is no connection; null: there is one.
 */

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
const PRIMARY = { class: "primary" };
const CHOSEN = "papan.room";
const DELAYS = [300, 1000, 2000, 4000, 8000, 15_000]; // milliseconds before each try to connect anew
const PING = 15_000;
const ANSWER_WITHIN = 10_000;
const CROWDED = 1013; // a code of the server

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

/** @extends {GameScreen<RoomProps>} */
class RoomScreen extends GameScreen {
  name = "game-screen room-screen";

  room = this.props.room;
  /** @type {string | null} Why there is no connection. */
  trouble = null;
  clocks = new Clocks(2, null);
  called = settings.name; // who is about to sit down
  link = new RoomLink(
    this.props.room.name,
    {
      changed: (news) => this.#heard(news),
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

  leave() { this.clocks.hold(); }

  /** Is an earlier position looked at? The game goes on. */
  get looking() { return this.game.undone.length > 0; }

  /** The server tells of a change. @param {Partial<Room>} news */
  #heard(news) {
    const before = this.room;
    this.room = { ...before, ...news };
    if (news.board && news.board.position !== before.board.position) this.problem = "";
    if (news.board) this.#return();
    this.#follow();
    const words = happened(before, this.room);
    if (words) announce(words);
  }

  /** Show what the server says. */
  #follow() {
    const { room, name, seat, board } = this.room;
    this.clocks.follow(room.clock);
    if (seat !== null && board.moves.length) {
      // it is one of those that this browser keeps
      keepGame({
        id: `room-${name}-${room.games}`,
        when: Date.now(),
        address: `/room/${name}`,
        record: this.#record,
        seconds: 0,
      });
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

  /** Look at the game as it stands now. */
  #return() {
    const { board } = this.room;
    Object.assign(this.game, { board, start: board.start, undone: [] });
    this.update();
  }

  /** Ask the server for something. @param {Record<string, unknown>} message */
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

  /** Look at an earlier position; the game goes on. @param {number} count */
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
    change({ name: this.called });
    await takeSeat(this.room.name, this.called.trim());
    this.link.open();
    focusBoard();
  }

  async resign() {
    if (await confirmed(say("screen.resign"), say("screen.yes"), say("screen.play_on"))) this.ask({ t: "resign" });
  }

  takeback() {  if (this.room.seat !== null) this.ask({ t: "ask", what: "takeback" }); }

  /** The game as it stands, with those who play it. @param {string[]} players @param {string[]} names */
  #game(players, names) {
    const { board, room } = this.room;
    const game = new GameState(
      { start: board.start, moves: board.moves, players, names, seconds: settings.seconds },
      board,
    );
    if (room.blame !== null) game.giveUp(room.end === "timeout" ? "timeout" : "resigned", room.blame);
    return game;
  }

  /** The game as whoever sits here sees it: "you", and somebody with a name. */
  get #own() {
    const { board, room, seat } = this.room;
    const players = board.scores.map((_, each) => (seat === null || each === seat ? PERSON : "level:3"));
    const names = players.map((_, each) =>
      each === seat ? "" : room.names[each] || (seat === null ? "" : say("room.opponent")),
    );
    return this.#game(players, names);
  }

  /** The game as a record that the terminal reads as well. */
  get #record() { return this.#game([PERSON, PERSON], this.room.room.names.slice()).record(); }

  /** The finished game in words; the mistakes of whoever sits here come first. */
  review() {
    const { start, moves, players, names, seconds, board } = this.#own;
    return go(reviewAddress({ start, moves, players, names, seconds }, board.game));
  }

  get #over() { return this.room.room.end !== "open"; }

  /** What can be done after a game. */
  #next() {
    const { room, board, seat } = this.room;
    const setup = { start: board.start, moves: board.moves, players: [], seconds: settings.seconds };
    return (
      this.#over &&
      h("div", { class: "next" },
        seat !== null && !room.asks && tool("room.again", () => this.ask({ t: "ask", what: "rematch" }), PRIMARY),
        board.moves.length > 0 && tool("web.review", () => this.review(), {}, this.docked ? say("end.review") : ""),
        tool("web.analyse", () => go(addressOf("analyse", setup, board.game))),
      )
    );
  }

  /** A new game has a new card. */
  #end() {
    return (
      this.#over &&
      !this.looking &&
      h(EndCard, { key: `${this.room.room.games}`, game: this.#own, next: !this.docked && this.#next() })
    );
  }

  // What is seen.

  keys() {
    return [
      ...super.keys(),
      { shown: "u", keys: ["u"], text: "room.takeback", act: () => this.takeback() },
      { shown: "?", keys: ["?"], text: "web.help", act: () => this.help() },
    ];
  }

  /** @returns {Partial<BoardProps>} */
  board() {
    return { live: !this.looking && !this.#over && !this.waiting && this.room.board.turn === this.room.seat };
  }

  /** Is a seat free? */
  get waiting() { return this.room.room.taken.includes(false); }

  /** On a phone whoever waits sees the invitation before anything else. */
  get inviting() { return narrow() && this.waiting && this.room.seat !== null; }

  above() {
    const { board, room } = this.room;
    return [
      this.inviting &&
        h("section", { class: "panel chosen", "aria-label": say("room.panel") }, h(Invitation, { room: this.room })),
      h(Players, {
        board,
        over: room.end !== "open",
        winner: room.winner,
        clocks: this.clocks,
        who: (seat) => this.#presence(seat),
      }),
    ];
  }

  /** Who sits on a seat, and whether they look at it. @param {number} seat */
  #presence(seat) {
    const { room, seat: own } = this.room;
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

  sentence() {
    if (this.trouble) return say(this.trouble);
    return this.looking ? say("room.looking", { move: this.game.moves.length }) : sentence(this.room);
  }

  get troubled() { return this.trouble !== null; }

  /** What one player asks the other one for, and the answers to it. */
  below() { return [this.#question(), narrow() && this.#end()]; }

  beside() { return !narrow() && this.#end(); }

  #question() {
    const {
      room: { asks },
      seat,
    } = this.room;
    const decline = () => this.ask({ t: "decline" });
    if (seat === null && this.waiting) {
      return form(
        { class: "question" },
        () => this.attempt(() => this.sit()),
        labelled(
          say("room.your_name"),
          entry(
            this.called,
            (name) => {
              this.called = name;
            },
            { type: "text", maxlength: LONGEST_NAME, autocomplete: "nickname" },
          ),
        ),
        h("button", { type: "submit", class: "primary", "data-tool": "room.sit" }, say("room.sit")),
      );
    }
    return h("div", { class: "question", hidden: seat === null || !asks },
      seat !== null &&
        asks && [
          h("p", {}, say(`room.${asks.seat === seat ? "asked" : "ask"}_${asks.what}`)),
          h("div", { class: "row" },
            asks.seat === seat
              ? tool("room.withdraw", decline)
              : [
                  tool("room.agree", () => this.ask({ t: "agree", what: asks.what }), PRIMARY),
                  tool("room.decline", decline),
                ],
          ),
        ],
    );
  }

  tools() {
    const { room, board, seat } = this.room;
    return [
      this.looking && tool("room.back_to_game", () => this.#return(), PRIMARY),
      this.docked && this.#next(),
      seat !== null &&
        !this.#over &&
        !this.waiting && [
          !room.asks && board.turns.includes(seat) && tool("room.takeback", () => this.takeback()),
          tool("web.resign", () => this.resign()),
        ],
    ];
  }

  menu() {
    const { name, svg } = this.game.board;
    return [
      tool("web.save", () => download(`${name}.json`, "application/json", this.#record)),
      tool("web.picture", () => download(`${name}.svg`, "image/svg+xml", svg)),
      this.turnable && tool("web.flip", () => this.flip()),
      tool("room.new", () => go("/room")),
      tool("web.help", () => this.help()),
    ];
  }

  panels() {
    const {
      room: { spectators },
      seat,
    } = this.room;
    return [
      ...(this.inviting
        ? []
        : [
            {
              key: "room.panel",
              body: [
                h(Invitation, { room: this.room }),
                h("p", { class: "quiet crowd" }, spectators > 0 && say("room.spectators", { count: spectators })),
              ],
            },
          ]),
      {
        key: "web.panel_moves",
        body: [
          this.moveList(undefined, this.room.board.turns),
          seat !== null && h(TypingForm, { pick: (move) => this.picked(move) }),
        ],
      },
      {
        key: "web.panel_board",
        body: h("div", { class: "features" },
          this.features(),
          h("p", { class: "quiet notation" }, h("code", {}, this.game.board.position)),
        ),
      },
    ];
  }
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

/** How things stand, in one sentence. @param {Room} state */
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
 * What has happened since, for those who do not see it; nothing where nothing has.
 * @param {Room} before
 * @param {Room} now
 */
function happened(before, now) {
  const { board, room, seat } = now;
  if (room.games === before.room.games && board.moves.length > before.board.moves.length) {
    const ply = board.moves.length - 1;
    const again = room.end === "open" && board.turn === board.turns[ply] ? ` ${say("web.again")}` : "";
    return `${say("web.moved", { player: player(board.turns[ply], 2), move: board.moves[ply] })}${again} ${sentence(now)}`;
  }
  if (room.asks && room.asks.seat !== before.room.asks?.seat && room.asks.seat !== seat && seat !== null)
    return say(`room.ask_${room.asks.what}`);
  if (before.room.taken.includes(false) && !room.taken.includes(false))
    return `${say("room.sat_down")} ${sentence(now)}`;
  return sentence(before) === sentence(now) ? "" : sentence(now);
}

/** Make a room, or enter one whose code somebody has read out. @param {URL} url @returns {Promise<Screen>} */
async function newRoom(url) {
  const all = (await games()).filter((each) => each.seats === 2);
  const wanted = url.searchParams.get("game") ?? read(CHOSEN).game;
  const game = all.find((each) => each.name === wanted)?.name ?? all[0].name;
  return {
    title: say("room.play_friend"),
    view: h("div", { class: "new-room" },
      h("h1", {}, say("room.play_friend")),
      h("p", { class: "quiet lead" }, say("room.lead")),
      h(MakeForm, { all, game, position: url.searchParams.get("pos") }),
      joinForm(),
    ),
  };
}

/**
 * A game for two with its size, or a position that the address names; who begins, and the clock.
 * @extends {Part<MakeProps>}
 */
class MakeForm extends Part {
  /** @param {MakeProps} props */
  constructor(props) {
    super(props);
    const { seat, minutes = "", increment = "" } = read(CHOSEN);
    this.chosen = {
      game: props.game,
      seat: ["any", "first", "second"].includes(seat) ? seat : "any",
      minutes: String(minutes),
      increment: String(increment),
    };
    this.start = props.position ?? props.game;
    this.called = settings.name;
  }

  /** @param {Partial<typeof this.chosen>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    if (changes.game) this.start = changes.game;
    this.forceUpdate();
  }

  async make() {
    const { seat, minutes, increment } = this.chosen;
    keep(CHOSEN, this.chosen);
    change({ name: this.called });
    const clock = Number(minutes) > 0 ? { minutes: Number(minutes), increment: Number(increment) } : null;
    await go(`/room/${await makeRoom({ start: this.start, seat, clock, name: this.called.trim() })}`);
  }

  /** @param {MakeProps} props */
  render({ all, position }) {
    const { game, seat } = this.chosen;
    const number = (/** @type {"minutes" | "increment"} */ what) =>
      h("input", {
        type: "number",
        min: 0,
        max: 180,
        step: "any",
        value: this.chosen[what],
        oninput: (event) => this.choose({ [what]: event.currentTarget.value }),
      });
    return form(
      {},
      () => this.attempt(() => this.make()),
      position
        ? labelled(say("room.position"), h("textarea", { readonly: true, rows: 3, value: position }))
        : h("div", {},
            labelled(
              say("room.game"),
              select(
                game,
                all.map((each) => [each.name, say(`game.${each.name}`)]),
                (name) => this.choose({ game: name }),
              ),
            ),
            h(GamePicker, {
              key: game,
              game: all.find((each) => each.name === game) ?? all[0],
              choose: (spec) => {
                this.start = spec;
              },
            }),
          ),
      labelled(
        say("room.place"),
        select(
          seat,
          [
            ["any", say("room.any_seat")],
            ["first", say("room.place_first")],
            ["second", say("room.place_second")],
          ],
          (value) => this.choose({ seat: value }),
        ),
      ),
      labelled(
        say("room.your_name"),
        entry(
          this.called,
          (name) => {
            this.called = name;
          },
          { type: "text", maxlength: LONGEST_NAME, autocomplete: "nickname" },
        ),
      ),
      h("div", { class: "options" },
        labelled(say("room.clock_minutes"), number("minutes")),
        labelled(say("room.clock_increment"), number("increment")),
      ),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("button", { type: "submit", class: "primary" }, say("room.make")),
    );
  }
}

/** For a code that somebody has read out: spaces and capitals do not matter. */
function joinForm() {
  const enter = (/** @type {any} */ [code]) => {
    const letters = code.value.toLowerCase().replace(/[^a-z2-7]/g, "");
    go(`/room/${(letters.match(letters.length > 6 ? /.{1,4}/g : /.{1,3}/g) ?? []).join("-")}`); // a short code, or a whole one
  };
  return form(
    {},
    enter,
    h("h2", {}, say("room.or_join")),
    labelled(
      say("room.code"),
      h("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: false,
        required: true,
        placeholder: "abc-def",
      }),
    ),
    h("button", { type: "submit" }, say("room.join")),
  );
}

/** The connection to a room: it comes back by itself, and then brings the whole state with it. */
class RoomLink {
  tries = 0;
  /** @type {WebSocket | null} */
  socket = null;
  timer = 0; // for the next try, or the next ping

  /**
   * @param {string} code
   * @param {Listener} listener
   * @param {AbortSignal} signal Says that the room is left.
   */
  constructor(code, listener, signal) {
    this.code = code;
    this.listener = listener;
    this.signal = signal;
    const hurry = () => {
      if (!this.socket && document.visibilityState === "visible") this.#retry(0);
    };
    addEventListener("online", hurry, { signal });
    addEventListener("offline", () => this.#lost("room.trying"), { signal });
    document.addEventListener("visibilitychange", hurry, { signal });
    signal.addEventListener("abort", () => this.#forget());
  }

  /** Connect, or connect anew: after taking a seat, so that the server sees who has come. */
  open() {
    this.#forget();
    const socket = roomSocket(this.code);
    this.socket = socket;
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event.code === CROWDED ? "room.crowded" : "room.trying");
    this.#watch();
  }

  /**
   * Send something, now or once the line is up; false where nobody hears it.
   * @param {Record<string, unknown>} message
   */
  send(message) {
    const { socket } = this;
    const text = JSON.stringify(message);
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    else if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.send(text));
    else return false;
    return true;
  }

  /** @param {any} message */
  #hear(message) {
    this.tries = 0;
    this.#watch();
    if (message.t === "refused") this.listener.refused(message.key, message.values);
    else if (message.t !== "pong") {
      this.listener.connected(null);
      this.listener.changed(message);
    }
  }

  /** Ask now and then whether the server still listens: a dead line does not close by itself. */
  #watch() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.send({ t: "ping" });
      this.timer = window.setTimeout(() => this.#lost("room.trying"), ANSWER_WITHIN);
    }, PING);
  }

  #forget() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    if (socket.readyState === WebSocket.CONNECTING)
      socket.onopen = () => socket.close(); // sooner is an error
    else socket.close();
  }

  /** @param {string} why */
  #lost(why) {
    if (this.signal.aborted) return;
    this.#forget();
    this.listener.connected(why);
    if (why === "room.crowded") this.tries = DELAYS.length;
    const delay = DELAYS[Math.min(this.tries, DELAYS.length - 1)];
    this.tries += 1;
    this.#retry(delay * (0.75 + Math.random() / 2)); // not all pages at the same moment
  }

  /** @param {number} delay */
  #retry(delay) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#return(), delay);
  }

  /** Look first: only that tells a room that is gone from a server that is away. */
  async #return() {
    try {
      const state = await roomOf(this.code);
      if (this.signal.aborted || this.socket) return;
      this.listener.changed(state);
      this.open();
    } catch (error) {
      if (this.signal.aborted) return;
      if (error instanceof Refusal && error.status === 404) this.listener.connected("room.gone");
      else this.#lost("room.trying");
    }
  }
}
