// @ts-check
// Play and watch: people and agents on any seat, with what the agents think beside the board.

import { Refusal, deal, reopen, shuffle } from "../api.js";
import { BoardView } from "../board.js";
import { Clock } from "../clock.js";
import { confirmed, openHelp } from "../dialogs.js";
import { announce, fill, h } from "../dom.js";
import { EvalBar } from "../evalbar.js";
import { featuresOf } from "../features.js";
import { anySeed, copy, download, upload } from "../files.js";
import { agentTitle, gameTitle, player, say } from "../language.js";
import { showMoves } from "../moves.js";
import { panelsOf } from "../panels.js";
import { go } from "../router.js";
import { change, keep, settings } from "../settings.js";
import { PERSON, Table, addressOf, factsOf } from "../table.js";
import { Thinker } from "../thinking.js";
import { WhyPanel } from "../why.js";
import { LAST } from "./home.js";

const ADVISER = "level:5";
const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {URL} url */
export async function play(url) {
  return open(url, "play", [PERSON, "level:3"]);
}

/** @param {URL} url */
export async function watch(url) {
  return open(url, "watch", ["level:3", "level:4"]);
}

/** @param {URL} url @param {string} screen @param {string[]} seats @returns {Promise<import("../router.js").Screen>} */
async function open(url, screen, seats) {
  const { game, facts } = factsOf(url, { start: "", moves: [], seats, seconds: settings.seconds });
  const seed = anySeed();
  if (!url.searchParams.has("pos") && !facts.moves.length) facts.start = await deal(game, seed);
  if (!url.searchParams.has("seats")) facts.seats = seats.map((each) => (each === PERSON ? each : `${each},seed=${seed}`));
  const table = await Table.open(facts);
  if (table.seats.length !== table.board.seats) table.seats = table.seats.slice(0, table.board.seats);
  const view = new PlayScreen(table, screen);
  view.begin();
  return { title: gameTitle(table.board.game), element: view.element, leave: () => view.leave() };
}

class PlayScreen {
  /** @param {Table} table @param {string} screen */
  constructor(table, screen) {
    this.table = table;
    this.screen = screen;
    this.paused = !table.hasPerson;
    this.stopped = false;
    this.hinting = false;
    this.left = false;
    this.busy = false;
    /** @type {Map<string, import("../thinking.js").Story>} What was thought before each move. */
    this.stories = new Map();
    this.view = new BoardView((move) => this.picked(move));
    this.why = new WhyPanel((move) => this.view.point("pointed", move));
    this.bar = new EvalBar();
    this.thinker = new Thinker((story) => this.heard(story));
    this.adviser = new Thinker((story) => this.advised(story));
    this.clock = new Clock(() => this.outOfTime());
    this.status = h("p", { class: "status", role: "status" });
    this.problem = h("p", { class: "bad problem", role: "alert" });
    this.players = h("div", { class: "players" });
    this.features = h("div", { class: "features" });
    this.moves = h("div", { class: "moves" });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("web.tools") });
    this.middle = h("div", {}, this.bar.element, this.view.element);
    this.typed = h("input", { type: "text", autocomplete: "off", spellcheck: "false", id: "typed", size: 8 });
    this.element = this.#frame();
    this.onkey = this.key.bind(this);
    document.addEventListener("keydown", this.onkey);
  }

  #frame() {
    const form = h("form", { class: "typing", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const move = this.typed.value.trim();
      this.typed.value = "";
      if (move) this.picked(move);
    } }, h("label", { for: "typed" }, say("web.type_move")), this.typed, h("button", { type: "submit" }, say("web.enter")));
    form.hidden = !this.table.hasPerson;
    return h("div", { class: "table-screen" },
      h("div", { class: "stage" }, h("h1", { class: "unseen" }, gameTitle(this.table.board.game)),
        this.players, this.clock.element, this.middle, this.status, this.problem, this.tools),
      panelsOf([
        { key: "web.panel_why", body: this.why.element },
        { key: "web.panel_moves", body: h("div", {}, this.moves, form) },
        { key: "web.panel_board", body: this.features },
      ]));
  }

  begin() {
    this.show();
    this.next();
  }

  leave() {
    this.left = true;
    this.thinker.stop();
    this.adviser.stop();
    this.clock.stop();
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onkey);
  }

  /** Show everything anew. */
  show() {
    const { table } = this;
    const live = table.personToMove;
    this.view.show(table.board, { label: gameTitle(table.board.game), live });
    this.view.showFeatures(settings.features);
    if (table.over) this.clock.stop();
    this.#thoughts();
    this.#players();
    this.#features();
    this.#status();
    this.#tools();
    const line = [...table.moves, ...table.undone.slice().reverse()];
    showMoves(this.moves, { line, at: table.moves.length, turns: table.board.turns, seats: table.board.seats },
      (count) => this.change(() => table.go(count), true));
    this.#remember();
  }

  /** The thoughts behind the last move, and the values where they are wanted. */
  #thoughts() {
    const { table } = this;
    const story = this.stories.get(table.moves.slice(0, -1).join(" "));
    if (story) this.why.show(story, table.board);
    else this.why.clear();
    this.middle.className = settings.values ? "with-eval" : "without-eval";
    this.bar.element.hidden = !settings.values;
    this.bar.show(table.board, undefined);
  }

  #remember() {
    const { table } = this;
    const facts = { start: table.start, moves: table.moves, seats: table.seats, seconds: table.seconds };
    const address = addressOf(this.screen, facts, table.start.includes(" ") ? table.board.game : table.start);
    if (!this.left) history.replaceState(null, "", address);
    keep(LAST, table.over ? {} : { address, game: table.board.game, seats: table.seats });
  }

  #players() {
    const { board, seats, winner } = this.table;
    fill(this.players, seats.map((each, seat) => h("div", {
        class: `player seat-${seat}${!this.table.over && board.turn === seat ? " turn" : ""}${winner === seat ? " winner" : ""}`,
      },
      h("span", { class: "mark", "aria-hidden": "true" }, board.seats === 1 ? "" : "✕◯"[seat]),
      h("span", { class: "who" }, h("b", {}, board.seats === 1 ? "" : player(seat, board.seats)), " ", agentTitle(each)),
      h("span", { class: "score", "data-score": board.scores[seat] }, String(board.scores[seat]), board.seats === 1 && board.most ? ` / ${board.most}` : ""))));
  }

  #features() {
    const { board } = this.table;
    const seed = /seed=(\d+)/.exec(`${this.table.start} ${this.table.seats.join(" ")}`)?.[1];
    fill(this.features,
      this.table.hasPerson && this.#valuesBox(),
      featuresOf(board, this.view),
      seed && h("p", { class: "quiet" }, say("play.seed", { seed })),
      h("p", { class: "quiet notation" }, h("code", {}, board.position)));
  }

  #valuesBox() {
    const box = h("input", { type: "checkbox", checked: settings.values, id: "values", onchange: () => {
      change({ values: box.checked });
      this.show();
      this.next();
      document.getElementById("values")?.focus();
    } });
    return h("div", {}, h("label", { class: "check" }, box, ` ${say("web.show_values")}`));
  }

  #status() {
    fill(this.status, this.sentence());
  }

  /** How the game stands, in one sentence. */
  sentence() {
    const { table } = this;
    const { board } = table;
    if (table.over) {
      const how = say(`end.${table.end}`);
      const seat = table.winner;
      if (seat === null || board.seats === 1) return say("play.ended", { how });
      return say("play.won", { how, player: `${player(seat, board.seats)} (${agentTitle(table.seats[seat])})` });
    }
    if (this.stopped) return say("web.stopped");
    if (table.personToMove) {
      return board.seats === 1 ? say("screen.turn_alone") : say("screen.turn", { player: player(board.turn, board.seats) });
    }
    if (this.paused && !table.hasPerson) return say("web.paused");
    return say("web.agent_thinks", { agent: agentTitle(table.sitter) });
  }

  #tools() {
    const { table } = this;
    const watching = !table.hasPerson;
    const thinking = this.thinker.busy;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act, /** @type {Record<string, any>} */ more = {}) =>
      h("button", { type: "button", "data-tool": key, onclick: act, ...more }, say(key));
    const focused = document.activeElement?.getAttribute("data-tool");
    fill(this.tools,
      table.over && button(board(table).seats === 1 ? "screen.again_alone" : "web.rematch", () => this.rematch(), { class: "primary" }),
      watching && !table.over && button(this.paused ? "web.start" : "web.pause", () => this.pause(!this.paused), { class: "primary" }),
      watching && !table.over && button("web.step", () => this.step(), { disabled: !this.paused }),
      watching && this.#speed(),
      button("web.undo", () => this.undo(), { disabled: !table.moves.length && !table.givenUp }),
      button("web.redo", () => this.redo(), { disabled: !table.undone.length }),
      table.hasPerson && !table.over && button("web.hint", () => this.hint(!this.hinting), { "aria-pressed": String(this.hinting) }),
      thinking && button("web.move_now", () => this.thinker.hurry()),
      thinking && button("web.stop", () => this.stop()),
      this.stopped && button("web.go_on", () => { this.stopped = false; this.next(); }, { class: "primary" }),
      board(table).shuffles && button("web.shuffle", () => this.shuffle(), { disabled: table.over && table.end !== "stuck" }),
      board(table).seats === 1 && table.hasPerson && !table.over && button("web.timed", () => this.timed(), { "aria-pressed": String(this.clock.running) }),
      table.hasPerson && !table.over && board(table).seats === 2 && button("web.resign", () => this.resign()),
      h("details", { class: "more" }, h("summary", {}, say("web.more")), h("div", { class: "menu" },
        button("web.share", () => this.share()),
        button("web.analyse", () => go(addressOf("analyse", this.facts([]), table.start))),
        button("web.save", () => this.save()),
        button("web.load", () => this.load()),
        button("web.picture", () => download(`${board(table).name}.svg`, "image/svg+xml", this.view.standalone())),
        button("web.new", () => go("/")),
        button("web.help", () => this.help()))));
    const again = focused && this.tools.querySelector(`[data-tool="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  #speed() {
    const select = h("select", { value: String(settings.speed), onchange: () => change({ speed: Number(select.value) }) },
      SPEEDS.map((each) => h("option", { value: String(each) }, say("web.speed_of", { speed: each }))));
    return h("label", { class: "speed" }, h("span", { class: "unseen" }, say("web.speed_label")), select);
  }

  /** @param {string[]} seats */
  facts(seats) {
    const { table } = this;
    return { start: table.start, moves: table.moves, seats, seconds: table.seconds };
  }

  /** @param {import("../thinking.js").Story} story */
  heard(story) {
    if (this.left) return;
    this.why.show(story, this.table.board);
    this.stories.set(this.table.moves.join(" "), story);
  }

  /** A person has picked a move.
   * @param {string} move */
  async picked(move) {
    if (this.busy) return;
    if (!this.table.personToMove) {
      this.complain(this.table.over ? this.sentence() : say("web.not_your_turn"));
      return;
    }
    await this.make(move);
  }

  /** Make a move, whoever chose it.
   * @param {string} move */
  async make(move) {
    const { table } = this;
    const before = table.board;
    await this.change(() => table.play(move));
    if (table.board !== before) this.tell(before);
  }

  /** Say what has happened to those who do not see it.
   * @param {import("../api.js").Board} before */
  tell(before) {
    const { board } = this.table;
    const move = board.moves[board.moves.length - 1];
    const who = player(before.turn, before.seats);
    const again = board.end === "open" && board.seats === 2 && board.turn === before.turn ? ` ${say("web.again")}` : "";
    announce(`${say("web.moved", { player: who, move })}${again} ${this.sentence()}`);
  }

  /** Do something to the game, then show it and go on; complaints are shown, and change nothing.
   * @param {() => Promise<void> | void} act @param {boolean} [wait] Do not let agents move at once. */
  async change(act, wait = false) {
    this.thinker.stop();
    this.adviser.stop();
    clearTimeout(this.timer);
    fill(this.problem);
    this.busy = true;
    try {
      await act();
    } catch (error) {
      this.complain(text(error));
      this.busy = false;
      this.#tools();
      return;
    }
    this.busy = false;
    if (this.left) return;
    if (wait) {
      this.paused = true;
      this.stopped = this.table.hasPerson && !this.table.over && !this.table.personToMove;
    }
    this.show();
    this.next();
  }

  /** @param {string} words */
  complain(words) {
    fill(this.problem, words);
  }

  /** Let whoever is to move think: an agent about its move, the adviser about a hint. */
  next() {
    const { table } = this;
    if (this.left || table.over) return;
    if (table.personToMove) this.advise();
    else if (!this.stopped && (table.hasPerson || !this.paused)) this.agent();
    else this.showTools();
  }

  showTools() {
    this.#tools();
    this.#status();
  }

  /** The agent thinks, then moves. */
  async agent() {
    const { table } = this;
    const thought = { start: table.start, moves: table.moves.join(" "), agent: table.sitter, seconds: table.seconds };
    const began = performance.now();
    const search = this.thinker.think(thought, table.board);
    this.showTools();
    let story;
    try {
      story = await search;
    } catch (error) {
      this.fail(text(error));
      return;
    }
    if (!story || this.left) return;
    if (!story.analysis) {
      this.fail(say(story.error?.key ?? "web.failed", story.error?.values));
      return;
    }
    const move = story.analysis.move;
    const pause = table.hasPerson ? 0 : 1000 / settings.speed - (performance.now() - began);
    this.timer = window.setTimeout(() => this.make(move), Math.max(0, pause));
  }

  /** @param {string} words */
  fail(words) {
    this.stopped = true;
    this.showTools();
    this.complain(words);
  }

  /** Keep a hint and the values on the board while they are wanted. */
  async advise() {
    const { table } = this;
    this.showTools();
    if (!this.hinting && !settings.values) return;
    const agent = settings.values && table.board.solver ? "solver" : ADVISER;
    const thought = { start: table.start, moves: table.moves.join(" "), agent, seconds: 2, all_moves: settings.values };
    const board = table.board;
    const story = await this.adviser.think(thought, board).catch(() => null);
    if (!story?.analysis || this.left || this.table.board !== board) return;
    this.why.show(story, board);
    if (!this.hinting) return;
    this.view.point("hint", story.analysis.move);
    fill(this.status, `${this.sentence()} ${say("play.hint", { move: story.analysis.move })}`);
  }

  /** Values, as they come.
   * @param {import("../thinking.js").Story} story */
  advised(story) {
    if (this.left || !settings.values) return;
    this.view.showValues(story);
    this.bar.show(this.table.board, story);
  }

  /** Play against the clock, or freely: the board stays as it is. */
  timed() {
    if (this.clock.running) this.clock.stop();
    else this.clock.start();
    this.showTools();
  }

  outOfTime() {
    this.table.giveUp("timeout", 0);
    this.change(() => {});
    announce(this.sentence());
  }

  /** @param {boolean} on */
  hint(on) {
    this.hinting = on;
    this.adviser.stop();
    this.view.point("hint", null);
    this.showTools();
    if (on && this.table.personToMove) this.advise();
  }

  stop() {
    this.thinker.stop();
    this.stopped = true;
    this.paused = true;
    this.showTools();
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    this.stopped = false;
    if (paused) this.thinker.stop();
    clearTimeout(this.timer);
    this.showTools();
    if (!paused) this.next();
  }

  /** One move of an agent, then wait again. */
  step() {
    this.paused = true;
    if (!this.table.over && !this.thinker.busy) this.agent();
  }

  async undo() {
    this.stopped = false;
    await this.change(() => this.table.undo());
    if (!this.table.hasPerson) this.pause(true);
    else if (!this.table.personToMove && !this.table.over) this.stop();
  }

  async redo() {
    await this.change(() => this.table.redo());
  }

  async resign() {
    if (!(await confirmed(say("screen.resign"), say("screen.yes")))) return;
    const seat = this.table.sitter === PERSON ? this.table.board.turn : this.table.seats.indexOf(PERSON);
    await this.change(() => this.table.giveUp("resigned", seat));
    announce(this.sentence());
  }

  /** The same game with the seats swapped. */
  async rematch() {
    const { table } = this;
    const fresh = !table.start.includes(" ");
    const start = fresh ? await deal(table.start.replace(/,?seed=\d+/, ""), anySeed()) : table.start;
    const seats = table.seats.slice().reverse();
    await go(addressOf(this.screen, { start, moves: [], seats, seconds: table.seconds }, fresh ? start : table.board.game));
  }

  async shuffle() {
    const { table } = this;
    const start = await shuffle(table.start, table.moves, anySeed()).catch((error) => void this.complain(text(error)));
    if (start) await go(addressOf(this.screen, { start, moves: [], seats: table.seats, seconds: table.seconds }, table.board.game));
  }

  async share() {
    const done = await copy(location.href);
    announce(say(done ? "web.copied" : "web.copy_by_hand"));
    fill(this.status, say(done ? "web.copied" : "web.copy_by_hand"));
  }

  save() {
    download(`${this.table.board.name}.json`, "application/json", `${this.table.record()}\n`);
  }

  async load() {
    const record = await upload();
    if (record === null) return;
    try {
      const found = await reopen(record.trim());
      const facts = { start: found.start, moves: found.moves.split(" ").filter(Boolean), seats: found.agents, seconds: settings.seconds };
      await go(addressOf(found.agents.includes(PERSON) ? "play" : "watch", facts, found.start.split(" ")[0]));
    } catch (error) {
      this.complain(text(error));
    }
  }

  help() {
    openHelp([
      ["← ↑ → ↓", say("web.key_arrows")], ["Enter Space", say("web.key_pick")], ["1 … 9 0", say("web.key_digits")],
      ["u", say("web.undo")], ["r", say("web.redo")], ["h", say("web.hint")], ["m", say("web.move_now")], ["p", say("web.pause")], ["?", say("web.help")],
    ]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const acts = /** @type {Record<string, () => void>} */ ({
      u: () => this.undo(),
      r: () => this.redo(),
      h: () => this.table.hasPerson && this.hint(!this.hinting),
      m: () => this.thinker.hurry(),
      p: () => !this.table.hasPerson && this.pause(!this.paused),
      "?": () => this.help(),
    });
    acts[event.key]?.();
  }

  /** @type {number | undefined} */
  timer;
}

/** @param {Table} table */
const board = (table) => table.board;

/** @param {unknown} error */
function text(error) {
  return error instanceof Refusal ? say(error.key, error.values) : say("web.failed");
}

