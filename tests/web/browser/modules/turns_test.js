// How a game stands, in a sentence; who may move when; hints step by step.

import { Adviser } from "/static/js/adviser.js";
import { takeTexts } from "/static/js/language.js";
import { Moves } from "/static/js/moves.js";
import { change } from "/static/js/settings.js";
import { AgentTurn, Turns, standing } from "/static/js/turns.js";
import { equal, test, textOf } from "./asserts.js";

const TEXTS = {
  "seat.1": "player 1",
  "seat.2": "player 2",
  "web.seat_1": "Player 1",
  "web.seat_2": "Player 2",
  "screen.turn": "turn of {player}",
  "web.agent_again": "{agent} again",
  "web.agent_thinks": "{agent} thinks",
  "web.replaying": "{at} of {all}",
  "play.ended": "ended: {how}",
  "play.won_win": "{player} won",
  "play.won_timeout": "{player} won on time",
  "web.moved": "{player}: {move}.",
};

/**
 * A game of two: a person on the first seat, an agent on the other.
 * @param {object} [more]
 * @param {object} [board]
 * @returns {any}
 */
function game(more = {}, board = {}) {
  takeTexts(TEXTS, "en");
  return {
    board: { seats: 2, turn: 0, turns: [], end: "open", moves: [], ...board },
    players: ["human", "random"],
    names: [],
    mover: "human",
    moves: [],
    line: [],
    undone: [],
    end: "open",
    over: false,
    winner: null,
    personToMove: true,
    hasPerson: true,
    watched: false,
    alone: false,
    you: 0,
    called: (/** @type {number} */ seat) => ["Ani", "Random"][seat],
    ...more,
  };
}

const GOES_ON = { paused: false, stopped: false };
const AGENT = { personToMove: false, mover: "random" };

/** @param {any} of @param {object} [turns] */
const says = (of, turns) => standing(of, { ...GOES_ON, ...turns });

test("a sentence says who is to move", () => {
  equal(says(game()), "room.your_turn");
  equal(says(game({ you: null })), "turn of player 1");
  equal(says(game({ you: null, names: ["Ani"] })), "turn of Ani");
  equal(says(game({ you: null, names: ["Ani"] }, { turn: 1 })), "turn of player 2");
  equal(says(game({}, { seats: 1 })), "screen.turn_alone");
  equal(says(game(AGENT, { turn: 1, turns: [0] })), "Random thinks");
});

test("an agent moves again only where it moved last, against a person", () => {
  equal(says(game(AGENT, { turn: 1, turns: [0, 1] })), "Random again");
  equal(says(game({ ...AGENT, hasPerson: false }, { turn: 1, turns: [0, 1] })), "Random thinks");
});

test("a game that waits says so before whose turn it is, and its end before that", () => {
  equal([says(game(), { paused: true }), says(game(), { stopped: true, paused: true })], ["web.paused", "web.stopped"]);
  const ended = game({ over: true, winner: 0, end: "win" });
  equal(says(ended, { paused: true, stopped: true }), "play.you_won_win");
});

test("a replay says how far it is", () => {
  const replay = { ...AGENT, hasPerson: false, watched: true, moves: ["a"], line: ["a", "b", "c"], undone: ["c", "b"] };
  equal([says(game(replay)), says(game({ ...replay, undone: [] }))], ["1 of 3", "Random thinks"]);
});

test("an end says who won, and how", () => {
  const over = { over: true, end: "win" };
  equal(says(game({ ...over, winner: 1 })), "Random won");
  equal(says(game({ ...over, winner: 1, end: "timeout" })), "Random won on time");
  equal(says(game({ ...over, winner: null, end: "draw" })), "ended: end.draw");
  equal(says(game({ ...over, winner: 0, end: "cleared" }, { seats: 1 })), "ended: end.cleared");
  equal(says(game({ ...over, end: "stuck" }, { seats: 1 })), "web.stuck");
});

test("the winner of two people has the seat and the name, if there is one", () => {
  const over = { over: true, end: "win", winner: 1, you: null };
  equal(says(game(over)), "Player 2 (Random) won");
  equal(says(game({ ...over, called: () => "Player 2" })), "Player 2 won");
});

/**
 * A screen on which a game is played: what it was asked to do, in order.
 * @param {any} of
 * @param {object} [turns]
 * @returns {any}
 */
function screen(of, turns = {}) {
  /** @type {any[]} */
  const asked = [];
  const noted = (/** @type {string} */ name) => (/** @type {any[]} */ ...values) => { asked.push([name, ...values]); };
  return {
    asked,
    game: of,
    problem: "",
    complain: noted("complain"),
    clocks: { press: noted("press"), mark: noted("mark"), back: noted("back"), hold: noted("hold"), run: noted("run") },
    turns: { ...GOES_ON, inARow: false, skip: noted("skip"), ...turns },
    view: { busy: false, left: false, change: (/** @type {any} */ act) => act(), update: noted("update") },
    agent: { begin: () => undefined, stop: noted("stop") },
    adviser: { advise: noted("advise") },
    saved: { remember: noted("remember") },
  };
}

test("a move that is picked out of turn is refused with the reason", async () => {
  const cases = [
    [game(), { paused: true }, "web.paused"],
    [game(AGENT), {}, "web.not_your_turn"],
    [game({ ...AGENT, watched: true, hasPerson: false }), {}, "web.only_watched"],
    [game({ over: true, personToMove: false, end: "stuck" }), {}, "web.stuck"],
  ];
  for (const [of, turns, key] of cases) {
    const play = screen(of, turns);
    await new Moves(play).picked("a1");
    equal(play.asked, [["complain", key]]);
  }
});

test("a click while an agent moves again lets it move at once", async () => {
  const play = screen(game(AGENT), { inARow: true });
  await new Moves(play).picked("a1");
  equal(play.asked, [["skip"]]);
});

test("nothing is picked while another move is made", async () => {
  const play = screen(game());
  play.view.busy = true;
  await new Moves(play).picked("a1");
  equal(play.asked, []);
});

test("a move presses the clock of who made it, and is announced with what comes next", async () => {
  const live = document.body.appendChild(Object.assign(document.createElement("p"), { id: "live" }));
  const said = [];
  for (const turn of [1, 0]) {
    const of = game({ mover: "human" });
    of.play = () => { Object.assign(of, { moves: ["c1"], board: { ...of.board, turn, turns: [0], moves: ["c1"] } }); };
    const play = screen(of);
    await new Moves(play).make("c1", () => undefined);
    equal(play.asked, [["press", 0], ["mark", 1]]);
    said.push(live.textContent);
  }
  live.remove();
  equal(said, ["Player 1: c1. room.your_turn", "Player 1: c1. web.again room.your_turn"]);
});

test("an agent waits at a position that was gone back to, and a replay pauses", async () => {
  const looks = [];
  for (const more of [AGENT, {}, { ...AGENT, over: true }, { ...AGENT, watched: true, hasPerson: false }]) {
    const play = screen(game({ ...more, moves: ["a"], go: () => {} }));
    await new Moves(play).jump(1);
    looks.push([play.turns.stopped, play.turns.paused, play.asked]);
  }
  equal(looks.map(([stopped, paused]) => [stopped, paused]), [[true, false], [false, false], [false, false], [false, true]]);
  equal(looks[0][2], [["back", 1]]);
});

test("undo counts as an aid, and does nothing before the first move", async () => {
  const undone = [];
  for (const more of [{}, { moves: ["a"] }, { givenUp: { end: "resigned", blame: 1 } }]) {
    const of = game({ ...more, undo: () => undone.push(more) });
    const moves = new Moves(screen(of));
    await moves.undo();
    equal([...moves.aids], ["undo"]);
  }
  equal(undone.length, 2);
});

test("the clock of the first move of two stands still, later ones run, and so does that of a game for one", () => {
  const ran = [[game(), 2], [game({ moves: ["a"] }, { turn: 1 }), 2], [game({}, { seats: 1 }), 1]].map(([of]) => {
    const play = screen(of);
    new Turns(play).next();
    return play.asked.filter(([name]) => name === "run");
  });
  equal(ran, [[], [["run", 1]], [["run", 0]]]);
});

test("no clock runs and nobody thinks where the game is over, paused or stopped", () => {
  const over = screen(game({ over: true, moves: ["a"] }));
  new Turns(over).next();
  equal(over.asked, [["hold"], ["update"]]);
  for (const waits of ["paused", "stopped"]) {
    const play = screen(game({ ...AGENT, moves: ["a"] }));
    Object.assign(new Turns(play), { [waits]: true }).next();
    equal(play.asked, [["hold"], ["update"]]);
  }
});

test("a game without people begins paused", () => {
  equal([true, false].map((hasPerson) => new Turns(screen(game({ hasPerson }))).paused), [false, true]);
});

test("whose time is up has given up", () => {
  const gave = /** @type {any[]} */ ([]);
  const of = game({ giveUp: (/** @type {any[]} */ ...what) => gave.push(what), over: true, end: "stuck" });
  new Turns(screen(of)).timeIsUp(1);
  equal(gave, [["timeout", 1]]);
});

test("the latest search of a seat is that after the most moves", () => {
  const play = screen(game({ moves: ["a", "b", "c"] }));
  const agent = new AgentTurn(play);
  equal([agent.latest(0), agent.lastSearch(), agent.slow, agent.busy], [undefined, undefined, false, false]);
});

/** @param {any} of @param {any} [turns] @param {any} [hint] */
function advised(of, turns, hint = { move: "b2", area: ["a1", "b2"], idea: { key: "idea", values: {} } }) {
  const play = screen(of, turns);
  const adviser = new Adviser(play);
  of.countHint = () => play.asked.push(["counted"]);
  play.moves = { aids: new Set() };
  adviser.advice = /** @type {any} */ ({ analysis: { hint, explanation: {} } });
  return { play, adviser };
}

test("a hint is an idea, then an area, then a move, and is counted once for each position", () => {
  const { play, adviser } = advised(game());
  const shown = [];
  for (let time = 0; time < 4; time += 1) {
    adviser.ask();
    shown.push([adviser.step, adviser.shown]);
  }
  equal(shown, [[1, []], [2, ["a1", "b2"]], [3, ["b2"]], [3, ["b2"]]]);
  equal([play.asked.filter(([name]) => name === "counted").length, [...play.moves.aids]], [1, ["hint"]]);
  play.game.board = { ...play.game.board };
  adviser.forget();
  equal([adviser.step, adviser.advice === undefined], [0, true]);
});

test("there are no hints for an agent, nor in a pause", () => {
  for (const { adviser } of [advised(game(AGENT)), advised(game(), { paused: true })]) {
    adviser.ask();
    equal(adviser.step, 0);
  }
});

test("the card of a hint says its idea first, then that moves glow, then the reason", () => {
  const { adviser } = advised(game());
  takeTexts({ "hint.title": "{step}/{steps}", "hint.suggestion": "play {move}", idea: "an idea", why: "{player} wins" }, "en");
  adviser.advice = /** @type {any} */ ({
    analysis: {
      hint: { move: "b2", area: ["b2"], idea: { key: "idea", values: {} }, outcome: { key: "after", values: {} } },
      explanation: { reason: { clauses: [{ message: { key: "why", values: {} } }] } },
    },
  });
  const cards = [0, 1, 2, 3].map((step) => textOf(Object.assign(adviser, { step }).card()));
  equal(cards[0], "");
  equal(cards.slice(1).map((each) => each.replace("hint.close", "")), [
    "1/3an ideahint.to_area",
    "2/3an idea hint.glowshint.to_move",
    "play b2Seat.alone wins after",
  ]);
});

test("what is worth knowing is asked for where values are shown or a hint was asked for", async () => {
  const asked = [];
  for (const [values, step, solver] of [[false, 0, true], [false, 1, true], [true, 0, true], [true, 0, false]]) {
    const { adviser, play } = advised(game({ start: "nothing", moves: [], request: (/** @type {any[]} */ ...words) => {
      asked.push(words);
      return { start: "nothing", moves: "", agent: "random", seconds: 1 };
    } }, { solver }));
    change({ values: Boolean(values) });
    await Object.assign(adviser, { step }).advise();
    play.game = null;
  }
  change({ values: false });
  equal(asked, [
    ["level:5", 2, { all_moves: false, hint: true }],
    ["solver", 2, { all_moves: true, hint: true }],
    ["level:5", 2, { all_moves: true, hint: true }],
  ]);
});

/** The time of a page that passes only when a test says so; `act` may wait for promises alone. */
class StoppedTime {
  now = 0;
  /** @type {Map<number, {at: number, act: () => void}>} */
  waiting = new Map();
  #last = 0;

  /** Use this time in place of the page's own. @param {() => Promise<void>} act */
  async during(act) {
    const { setTimeout, clearTimeout, performance } = window;
    const own = {
      setTimeout: (/** @type {() => void} */ later, /** @type {number} */ pause) => {
        this.#last += 1;
        this.waiting.set(this.#last, { at: this.now + pause, act: later });
        return this.#last;
      },
      clearTimeout: (/** @type {number} */ id) => { this.waiting.delete(id); },
      performance: { now: () => this.now },
    };
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(window, name, { value, configurable: true, writable: true });
    try {
      await act();
    } finally {
      for (const [name, value] of Object.entries({ setTimeout, clearTimeout, performance }))
        Object.defineProperty(window, name, { value, configurable: true, writable: true });
    }
  }

  /** Let milliseconds pass. @param {number} milliseconds */
  async pass(milliseconds) {
    this.now += milliseconds;
    for (const [id, { at, act }] of [...this.waiting]) {
      if (at > this.now) continue;
      this.waiting.delete(id);
      act();
    }
    await settled();
  }
}

/** Wait until all promises that can be kept are kept. */
async function settled() { for (let times = 0; times < 20; times += 1) await Promise.resolve(); }

/**
 * An agent that thinks for a while about each move: the turns, and the moves that were made.
 * @param {StoppedTime} time
 * @param {number[]} turns Whose each move was.
 * @param {number} thinks Milliseconds.
 */
function agentThatMoves(time, turns, thinks) {
  const play = screen(game(AGENT, { turn: 1, turns }));
  /** @type {string[]} */
  const made = [];
  play.moves = { make: async (/** @type {string} */ move) => { made.push(move); } };
  play.agent.think = async () => {
    time.now += thinks;
    return { analysis: { move: "b1", explanation: {} }, agent: "random", values: [] };
  };
  const turn = new Turns(play);
  play.turns = turn;
  return { turn, made };
}

test("an agent that moves again does so 350 ms after its last move, however long it thinks", async () => {
  const time = new StoppedTime();
  await time.during(async () => {
    const looks = [];
    for (const thinks of [0, 200, 500]) {
      const { turn, made } = agentThatMoves(time, [0, 1], thinks);
      turn.next();
      await settled();
      await time.pass(Math.max(0, 349 - thinks));
      looks.push(made.length);
      await time.pass(1);
      looks.push(made.length);
    }
    equal(looks, [0, 1, 0, 1, 1, 1]);
  });
});

test("an answer to a person's move comes as soon as it is known", async () => {
  const time = new StoppedTime();
  await time.during(async () => {
    const { turn, made } = agentThatMoves(time, [1, 0], 0);
    turn.next();
    await settled();
    await time.pass(0);
    equal(made, ["b1"]);
  });
});

test("a tap lets an agent that moves again do so at once", async () => {
  const time = new StoppedTime();
  await time.during(async () => {
    const { turn, made } = agentThatMoves(time, [0, 1], 0);
    turn.next();
    await settled();
    equal([turn.inARow, made.length], [true, 0]);
    turn.skip();
    await settled();
    equal(made, ["b1"]);
  });
});
