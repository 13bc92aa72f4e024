// @ts-check
// Every request to the server, and searches as streams of events. The types of answers are in wire.d.ts.

/** @import { About, AgentFacts, BoardFacts as Board, Chapter } from "./wire.d.ts" */
/** @import { ContestFacts, ContestGames, ContestPage, ContestText, HandInPage } from "./wire.d.ts" */
/** @import { LadderPage, MarksPage, NewContest, StudentLink } from "./wire.d.ts" */
/** @import { EditRequest as Edit, Feature, BotGuide } from "./wire.d.ts" */
/** @import { GameFacts, GameList, GameRecord, GraphPage } from "./wire.d.ts" */
/** @import { GraphRequest, LearningResult as Learnt, LessonFacts } from "./wire.d.ts" */
/** @import { OfflineKit } from "./wire.d.ts" */
/** @import { NewPuzzle, NewRoom, PaperFacts, PaperJob, PaperPage as Paper, PuzzleCount } from "./wire.d.ts" */
/** @import { PuzzleFacts, PuzzleTurn, RoomState as Room, SearchRequest, DraftFacts as Draft } from "./wire.d.ts" */
/** @import { TournamentFacts as Tournament, TournamentReport, TurnRequest } from "./wire.d.ts" */
/** @import { DealtStart, MoveReading, Reach, WholeLesson as Lesson } from "./wire.d.ts" */
/** @import { BotOrder, KeptBot, KeptSource, WorkshopFacts } from "./wire.d.ts" */
/** @import { BotEvent, SearchEvent } from "./events.d.ts" */

/**
 * @typedef {object} Given What came with the document: a first visit needs no further request for it.
 * @property {Record<string, Record<string, string>>} [texts] Those that a first visit may say, in one language.
 * @property {GameFacts[]} [games]
 * @property {Record<string, DealtStart>} [dealt] Starts of the game that the address names, by its usual sizes.
 */

/** @type {Given} */
const given = JSON.parse(document.getElementById("given")?.textContent || "{}");

export const GONE = "papan:gone"; // events of the window: the server does not answer, and it does again
export const BACK = "papan:back";
const PATIENCE = 10_000; // milliseconds after which a server counts as gone, if its question can be answered here

let gone = false; // the server has not answered, and nobody has heard of it since

addEventListener(BACK, () => { gone = false; });

/** True while the server is known to be gone. */
export const isGone = () => gone;

/** @typedef {(path: string, body?: any) => Promise<any>} StandIn Answers without the server; undefined: it cannot. */

/** @type {StandIn} */
let standIn = async () => undefined;

/** Let somebody else answer while the server is gone. @param {StandIn} answer */
export function useStandIn(answer) { standIn = answer; }

/** The positions that starts have turned out to be: only the server deals. @type {Map<string, string>} */
const starts = new Map();

/** @type {WeakSet<any>} */
const standsIn = new WeakSet(); // answers that are not the server's

/** @type {StandIn} */
async function instead(path, body) {
  const found = await standIn(path, starts.has(body?.start) ? { ...body, start: starts.get(body.start) } : body);
  if (found) standsIn.add(found);
  return found;
}

/** An error for a request that the server refuses, with the reason as a key of the catalogue. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} key
   * @param {Record<string, unknown>} values
   */
  constructor(status, key, values) {
    super(key);
    this.status = status;
    this.key = key;
    this.values = values;
  }
}

/** Announce that the server does not answer; return the error to throw. */
function unanswered() {
  gone = true;
  dispatchEvent(new Event(GONE));
  return new Refusal(0, "web.offline", {});
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (error) {
    throw options?.signal?.aborted ? error : unanswered();
  }
  if (response.ok) return response;
  const facts = await response.json().catch(() => ({}));
  throw new Refusal(response.status, facts.key ?? "web.failed", facts.values ?? {});
}

/**
 * The server's answer as data, or that of the stand-in: at once while the server is known to be gone, and else where
 * the server cannot be reached, or says nothing for long.
 * @param {string} path
 * @param {() => Promise<Response>} request
 * @param {any} [body]
 * @returns {Promise<any>}
 */
async function answered(path, request, body) {
  const known = gone && (await instead(path, body));
  if (known) return known;
  const asked = request().then((answer) => answer.json());
  let timer = 0;
  const late = new Promise((resolve) => { timer = window.setTimeout(resolve, PATIENCE); }).then(async () => {
    const found = await instead(path, body);
    if (found) unanswered();
    return found ?? asked;
  });
  try {
    return await Promise.race([asked, late]);
  } catch (error) {
    const found = error instanceof Refusal && !error.status && (await instead(path, body));
    if (found) return found;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} path @returns {Promise<any>} */
const read = (path) => answered(path, () => ask(`v1/${path}`));

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @param {string} [method]
 */
function post(path, body = {}, signal, method = "POST") {
  return ask(`v1/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/**
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
const change = (path, body) => answered(path, () => post(path, body), body);

/** @param {string} path */
const erase = (path) => ask(`v1/${path}`, { method: "DELETE" });

/** @type {Map<string, Promise<any>>} */
const answers = new Map();

if (given.games) answers.set("games", Promise.resolve(given.games));

/**
 * Read what never changes while a page is open, once; what the stand-in says is asked again.
 * @param {string} path
 * @param {(path: string) => Promise<any>} [ask]
 * @returns {Promise<any>}
 */
function once(path, ask = read) {
  const answer = answers.get(path) ?? ask(path);
  answers.set(path, answer);
  answer.then((found) => standsIn.has(found) && answers.delete(path), () => answers.delete(path));
  return answer;
}

/** @param {string[]} words */
const named = (...words) => words.map(encodeURIComponent).join("/");

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{status?: string, version?: string, compiling?: [number, number] | null}>}
 */
export const health = async (signal) => (await ask("v1/health", { signal })).json();

/**
 * What is needed while the server is gone, from the server or from what it said before.
 * @returns {Promise<OfflineKit>}
 */
export const offlineKit = () => once("offline", async (path) => (await ask(`v1/${path}`)).json());

/** The texts that came with the document, if it has that language. @param {string} language */
export const givenTexts = (language) => given.texts?.[language];

/** Take the start of a game that came with the document: the first to ask gets it. @param {string} game */
function takeDealt(game) {
  const dealt = given.dealt?.[game];
  delete given.dealt?.[game];
  return dealt;
}

/** @param {string} language @returns {Promise<Record<string, string>>} */
export const texts = (language) => read(`texts/${language}`);

/** @returns {Promise<GameFacts[]>} */
export const games = () => once("games");

/** The agents that can play a game. @param {string} game @returns {Promise<AgentFacts[]>} */
export const agents = (game) => once(`agents?game=${encodeURIComponent(game)}`);

/**
 * The position that moves lead to, where these agents can play on.
 * @param {string} start
 * @param {string[]} moves
 * @param {string[]} agents
 * @returns {Promise<Board>}
 */
export async function boardOf(start, moves, agents = []) {
  const board = await change("board", { start, moves: moves.join(" "), agents });
  if (board.start !== start) starts.set(start, board.start);
  return board;
}

/**
 * The name of the legal move that a text means after a line of moves, or why there is none.
 * @param {string} start
 * @param {string[]} moves
 * @param {string} move
 * @returns {Promise<MoveReading>}
 */
export const readMove = (start, moves, move) => change("move", { start, moves: moves.join(" "), move });

/**
 * The start of a game; where there is chance, the seed decides.
 * @param {string} game
 * @param {number} seed
 * @returns {Promise<string>}
 */
export const deal = async (game, seed) => (await dealtBoard(game, seed)).start;

/**
 * The start of a game with its board, unless that takes long to draw.
 * @param {string} game
 * @param {number} seed
 * @returns {Promise<DealtStart>}
 */
export async function dealtBoard(game, seed) {
  const dealt = takeDealt(game) ?? (await change("deal", { game, seed }));
  if (dealt.board) starts.set(dealt.start, dealt.board.start);
  return dealt;
}

/**
 * @param {string} start
 * @param {string[]} moves
 * @param {number} seed
 * @returns {Promise<string>}
 */
export const shuffle = async (start, moves, seed) =>
  (await change("shuffle", { start, moves: moves.join(" "), seed })).start;

/** A board that is being set up, after a change. @param {Edit} edit @returns {Promise<Draft>} */
export const edited = (edit) => change("edit", edit);

/** The game so far as an animated SVG. @param {string} start @param {string[]} moves */
export const filmOf = async (start, moves) => (await post("film", { start, moves: moves.join(" ") })).text();

/** A position as a graph. @param {GraphRequest} request @returns {Promise<GraphPage>} */
export const graphOf = (request) => change("graph", request);

/**
 * The steps that explain a move, each with its drawing.
 * @param {string} position
 * @param {string} move
 * @returns {Promise<Feature[]>}
 */
export const traceOf = (position, move) => change("trace", { start: position, move });

/** A saved game. @param {string} record @returns {Promise<GameRecord>} */
export const reopen = (record) => change("record", { record });

/**
 * The events of a search, as they come; aborting the signal ends the search.
 * @param {SearchRequest} request
 * @param {AbortSignal} signal
 */
export const search = (request, signal) => events("think", request, signal);

/**
 * The events of a review: a verdict on each move, the last move first.
 * @param {{start: string, moves: string}} line
 * @param {AbortSignal} signal
 */
export const review = (line, signal) => events("review", line, signal);

/**
 * A whole turn: the board after a person's move, the search of the agent that answers it, and the board after that.
 * @param {TurnRequest} request
 * @param {AbortSignal} signal
 */
export const turn = (request, signal) => events("turn", request, signal);

/**
 * @param {string} path
 * @param {unknown} request
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<SearchEvent>}
 */
async function* events(path, request, signal) {
  const { body } = await post(path, request, signal);
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : unanswered();
    });
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

/** Ask a search for its best move so far. @param {string} id */
export const hurry = (id) => post(`think/${named(id)}/stop`).catch(() => {});

/** Whether others reach this server, and the addresses where they could. @returns {Promise<Reach>} */
export const reach = () => once("network");

/** @param {string} code @returns {Promise<Room>} */
export const room = (code) => read(`rooms/${named(code)}`);

/** The link to a room as a picture that phones read. @param {string} code */
export const qrOf = async (code) => (await ask(`v1/rooms/${named(code)}/qr`)).text();

/** Make a room; return its code. @param {NewRoom} wanted @returns {Promise<string>} */
export const makeRoom = async (wanted) => (await change("rooms", wanted)).name;

/** Take the free seat: it is proved by a cookie that no script can read. @param {string} code @param {string} name */
export const takeSeat = (code, name) => post(`rooms/${named(code)}/seat`, { name });

/** Open the WebSocket of a room. @param {string} code */
export function roomSocket(code) {
  const url = new URL(`/api/v1/rooms/${named(code)}/live`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url);
}

/** @returns {Promise<Tournament[]>} */
export const tournaments = () => read("tournaments");

/** @param {string} id @returns {Promise<TournamentReport>} */
export const tournament = (id) => read(`tournaments/${named(id)}`);

/**
 * Its games, or those between two agents, a page at a time.
 * @param {string} id
 * @param {{one?: string, other?: string, after?: number}} wanted
 * @returns {Promise<GameList>}
 */
export const tournamentGames = (id, wanted) => {
  const words = Object.entries(wanted).map(([name, value]) => [name, String(value)]);
  return read(`tournaments/${named(id)}/games?${new URLSearchParams(words)}`);
};

/** @param {unknown} order @returns {Promise<Tournament>} */
export const beginTournament = (order) => change("tournaments", order);

/** @param {string} id @param {"pause" | "go-on"} what */
export const steerTournament = (id, what) => post(`tournaments/${named(id, what)}`);

/** @param {string} id */
export const deleteTournament = (id) => erase(`tournaments/${named(id)}`);

/**
 * The address of a file of a tournament.
 * @param {string} id
 * @param {string} form
 * @param {string} language
 */
export const tournamentFile = (id, form, language) =>
  `/api/v1/tournaments/${named(id)}/files/${form}?language=${language}`;

/** The contests of the owner of the server. @returns {Promise<ContestFacts[]>} */
export const contests = () => read("class");

/** @param {NewContest} wanted @returns {Promise<ContestFacts>} */
export const makeContest = (wanted) => change("class", wanted);

/** @param {string} id @returns {Promise<ContestPage>} */
export const contest = (id) => read(`class/${named(id)}`);

/** The standings of a contest for the projector. @param {string} id @returns {Promise<LadderPage>} */
export const contestLadder = (id) => read(`class/${named(id)}/ladder`);

/**
 * Its games, or those of a player or two, a page at a time.
 * @param {string} id
 * @param {{one?: string, other?: string, after?: number}} wanted
 * @returns {Promise<ContestGames>}
 */
export const contestGames = (id, wanted) => {
  const words = Object.entries(wanted).map(([name, value]) => [name, String(value)]);
  return read(`class/${named(id)}/games?${new URLSearchParams(words)}`);
};

/** @param {string} id @param {string} language @returns {Promise<MarksPage>} */
export const contestMarks = (id, language) => read(`class/${named(id)}/marks?language=${language}`);

/** @param {string} id @param {"pause" | "go-on"} what */
export const steerContest = (id, what) => post(`class/${named(id, what)}`);

/**
 * Take a student out with a reason; without one, back in.
 * @param {string} id
 * @param {string} number
 * @param {string} why
 */
export const disqualify = (id, number, why) => post(`class/${named(id)}/disqualify`, { number, why });

/** @param {string} id @returns {Promise<StudentLink[]>} */
export const contestLinks = (id) => read(`class/${named(id)}/links`);

/**
 * Replace the secret link of a student.
 * @param {string} id
 * @param {string} number
 * @returns {Promise<StudentLink>}
 */
export const renewLink = (id, number) => change(`class/${named(id)}/links`, { number });

/**
 * The plan of a contest, or its list of students.
 * @param {string} id
 * @param {"plan" | "students"} name
 * @returns {Promise<ContestText>}
 */
export const contestText = (id, name) => read(`class/${named(id, name)}`);

/** @param {string} id @param {"plan" | "students"} name @param {string} text */
export const replaceContestText = (id, name, text) => ask(`v1/class/${named(id, name)}`, { method: "PUT", body: text });

/** @param {string} id */
export const deleteContest = (id) => erase(`class/${named(id)}`);

/**
 * The address of a file of a contest.
 * @param {string} id
 * @param {"everything.zip" | "marks.csv"} name
 * @param {string} language
 */
export const contestFile = (id, name, language) => `/api/v1/class/${named(id)}/files/${name}?language=${language}`;

/**
 * The address of the sheet with the links of all students.
 * @param {string} id
 * @param {string} origin How the links begin.
 * @param {string} language
 */
export const contestSheet = (id, origin, language) =>
  `/api/v1/class/${named(id)}/sheet.html?${new URLSearchParams({ origin, language })}`;

/** What a student sees behind a secret link. @param {string} code @returns {Promise<HandInPage>} */
export const handedIn = async (code) => (await ask("v1/hand-in", { headers: bearing(code) })).json();

/**
 * Hand in a file, and see what became of it.
 * @param {string} code
 * @param {string} name
 * @param {ArrayBuffer} bytes
 * @returns {Promise<HandInPage>}
 */
export const handIn = async (code, name, bytes) => {
  const path = `v1/hand-in?${new URLSearchParams({ name: name.slice(-200) })}`;
  return (await ask(path, { method: "PUT", headers: bearing(code), body: bytes })).json();
};

/** The proof of a secret link: headers have no letters beyond ASCII. @param {string} code */
const bearing = (code) => ({ authorization: `Bearer ${code.replace(/[^!-~]/g, "")}` });

/** @returns {Promise<PaperFacts[]>} */
export const papers = () => read("papers");

/**
 * A paper with one of its runs, or with the newest.
 * @param {string} number
 * @param {string} language
 * @param {string | null} run
 * @returns {Promise<Paper>}
 */
export const paper = (number, language, run) =>
  read(`papers/${named(number)}?${new URLSearchParams({ language, ...(run ? { run } : {}) })}`);

/**
 * The address of a file of a run.
 * @param {string} number
 * @param {string} name
 * @param {string} language
 * @param {string} run
 */
export const paperFile = (number, name, language, run) =>
  `/api/v1/papers/${number}/files/${name}?${new URLSearchParams({ language, run })}`;

/** A figure of a run. @param {string} address @returns {Promise<string>} */
export const figure = async (address) => (await ask(address.replace("/api/", ""))).text();

/** @param {string} number @returns {Promise<PaperJob[]>} */
export const paperJobs = (number) => read(`papers/${named(number)}/jobs`);

/** @param {string} number @param {{size: string, seed: number}} wanted */
export const beginPaperJob = (number, wanted) => post(`papers/${named(number)}/jobs`, wanted);

/**
 * @param {string} number
 * @param {string} id
 * @param {"pause" | "go-on"} what
 */
export const steerPaperJob = (number, id, what) => post(`papers/${named(number)}/jobs/${named(id, what)}`);

/** @param {string} number @param {string} id */
export const deletePaperJob = (number, id) => erase(`papers/${named(number)}/jobs/${named(id)}`);

/** @returns {Promise<LessonFacts[]>} */
export const lessons = () => once("lessons");

/** @param {string} name @returns {Promise<Lesson>} */
export const lesson = (name) => once(`lessons/${named(name)}`);

/**
 * A player that learns from nothing, after some games.
 * @param {{games: number, rate: number, exploration: number}} plan
 * @param {AbortSignal} signal
 * @returns {Promise<Learnt>}
 */
export const learnt = async (plan, signal) => (await post("learning", plan, signal)).json();

/** The numbers of puzzles by game and theme. @returns {Promise<PuzzleCount[]>} */
export const puzzleCounts = () => once("puzzles");

/**
 * A puzzle near a rating.
 * @param {Record<"game" | "theme" | "rating" | "seed" | "seen", string>} wanted
 * @returns {Promise<PuzzleFacts>}
 */
export const nextPuzzle = (wanted) => read(`puzzles/next?${new URLSearchParams(wanted)}`);

/** @param {string} day @returns {Promise<PuzzleFacts>} */
export const dailyPuzzle = (day) => once(`puzzles/daily?day=${day}`);

/**
 * The puzzle of that name; the name of a puzzle made on demand is its whole text.
 * @param {string} name
 * @returns {Promise<PuzzleFacts>}
 */
export const puzzleNamed = (name) =>
  read(name.includes(" ") ? `puzzles/made?${new URLSearchParams({ whole: name })}` : `puzzles/${named(name)}`);

/**
 * The answer to a puzzle after some moves, and what the rival replies before.
 * @param {string} name @param {string[]} moves
 * @returns {Promise<PuzzleTurn>}
 */
export const puzzleTurn = (name, moves) =>
  read(`puzzles/answer?${new URLSearchParams({ whole: name, moves: moves.join(" ") })}`);

/**
 * The address of a sheet of puzzles to print.
 * @param {Record<"game" | "theme" | "difficulty" | "count" | "seed" | "language", string>} wanted
 */
export const sheetAddress = (wanted) => `/api/v1/puzzles/sheet.html?${new URLSearchParams(wanted)}`;

/** A puzzle that is made now. @param {NewPuzzle} wanted @returns {Promise<PuzzleFacts>} */
export const newPuzzle = (wanted) => change("puzzles", wanted);

/**
 * What the workshop offers: templates and, for the owner, the kept bots.
 * @param {string} language
 * @returns {Promise<WorkshopFacts>}
 */
export const workshop = (language) => read(`workshop?language=${language}`);

/** The agents that are kept bots and play a game, for the owner. @param {string} game @returns {Promise<string[]>} */
export const ownBots = (game) => read(`workshop/agents?game=${encodeURIComponent(game)}`);

/** A kept bot with its text. @param {string} name @returns {Promise<KeptSource>} */
export const keptSource = (name) => read(`workshop/bots/${named(name)}`);

/**
 * Keep a bot.
 * @param {string} name
 * @param {{source: string, over: string}} bot
 * @returns {Promise<KeptBot>}
 */
export const keepBot = async (name, bot) =>
  (await post(`workshop/bots/${named(name)}`, bot, undefined, "PUT")).json();

/** @param {string} name */
export const deleteBot = (name) => erase(`workshop/bots/${named(name)}`);

/**
 * The events of a run of a bot, as they come; aborting the signal ends the run.
 * @param {BotOrder} order
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<BotEvent>}
 */
export const runBot = (order, signal) => /** @type {any} */ (events("workshop/runs", order, signal));

/** The guide to writing a bot. @param {string} language @returns {Promise<BotGuide>} */
export const botGuide = (language) => read(`bots?language=${language}`);

/** Every page of the help. @param {string} language @returns {Promise<Chapter[]>} */
export const helpBook = (language) => once(`help?language=${language}`);

/** The version of papan, and where it stores data. @returns {Promise<About>} */
export const aboutPapan = () => once("about");

/** The OpenAPI description of this API. */
export const openApi = async () => (await ask("openapi.json")).json();
