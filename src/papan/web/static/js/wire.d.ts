// What the server sends and is sent, for the checker of types alone: no browser reads this.
// Written by tools/make_wire_types.py from the API's description; events are in events.d.ts.

/** Which papan this is, what it is built on, and where it keeps what outlives a page. */
export type About = {
  version: string;
  libraries: Library[];
  data: string | null;
};

/** An agent to choose; its text is in the catalogue under ``agent.NAME``. */
export type AgentFacts = {
  name: string;
  about: string;
  settings: Setting[];
  names: string[];
};

/** How thoroughly a paper can be run, and about how many seconds that takes here. */
export type Amount = {
  size: "quick" | "full";
  seconds: number;
};

/** What a player has asked the other one for. */
export type Asking = {
  what: "takeback" | "rematch";
  seat: number;
};

/** A position as a page shows it. */
export type Board = {
  game: string;
  name: string;
  seats: number;
  start: string;
  position: string;
  moves: string[];
  turns: number[];
  places: ([number, number] | null)[];
  turn: number;
  scores: number[];
  most: number | null;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  svg: string;
  spots: Record<string, string>;
  legal: Choice[];
  features: Feature[];
  spots_in_a_move: number;
  upright: boolean;
  counters: string[];
  solver: boolean;
  shuffles: boolean;
};

/** A game to show, and who is to play it: nobody who is not there, or does not know it. */
export type BoardRequest = {
  start: string;
  moves?: string;
  agents?: string[];
};

/** Pages that belong together; the title is in the catalogue under ``help.chapter_NAME``. */
export type Chapter = {
  name: string;
  pages: HelpPage[];
};

/** A legal move: its name, where its value stands, and how the picture points it out. */
export type Choice = {
  m: string;
  at: [number, number] | null;
  svg: string;
  gains: number[];
};

/** The paper in its own words, and translated. */
export type Claim = {
  original: string;
  english: string;
};

/** One line of the comparison. */
export type Compared = {
  what: string;
  paper: string;
  ours: string;
  reference: string | null;
  agrees: "yes" | "no" | "open" | "incomparable" | "quoted" | "none";
  basis: string;
  place: Opened;
};

/** What is wrong: in English, and as a key of the catalogue with its values. */
export type Complaint = {
  key: string;
  values: Record<string, any>;
  message: string;
};

/** How an agent did. */
export type ContestantFacts = {
  agent: string;
  elo: IntervalFacts | null;
  games: number;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  seats: Score[];
  forfeits: Record<string, number>;
  faults: Forfeits[];
};

/** A game to begin. */
export type Deal = {
  game: string;
  seed: number;
};

/** A number of a position that no spot shows, such as its rounds; *least* to *most*. */
export type Dial = {
  name: string;
  value: number;
  least: number;
  most: number;
};

/** A board, and what to change: nothing, a spot, whose turn it is, a number, or all spots. */
export type Edit = {
  position: string;
  spot?: string | null;
  content?: string;
  turn?: number | null;
  dial?: string | null;
  value?: number;
  clear?: boolean;
};

/** What the moves of an agent have cost. */
export type EffortFacts = {
  agent: string;
  nodes: Spread | null;
  milliseconds: Spread | null;
};

/** How the first of two agents did against the second. */
export type EncounterFacts = {
  games: number;
  score: number;
  elo: IntervalFacts;
  normalised_elo: IntervalFacts;
  los: number;
  first: string;
  second: string;
  wins: number;
  draws: number;
  losses: number;
  pentanomial: number[] | null;
  distinct: number;
};

/** An address that makes whoever opens it first the owner. */
export type Entrance = {
  address: string;
  seconds: number;
};

/** Something of the Python API: how it is called, and what it gives. */
export type Entry = {
  name: string;
  call: string;
  about: string;
};

/** A message about a position, with what it adds to the picture of the position. */
export type Feature = {
  key: string;
  values: Record<string, any>;
  svg: string;
};

/** A game, and how long each of its positions is seen. */
export type Film = {
  start: string;
  moves?: string;
  seconds?: number;
};

/** Games that an agent lost by the same fault of its own. */
export type Forfeits = {
  kind: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  reason: string;
  games: number;
  output: string;
  cause: Record<string, string>;
};

/** What a finished run led to, and everything needed to do the same again. */
export type Found = {
  name: string;
  reference: boolean;
  size: "quick" | "full";
  seed: number;
  began: string;
  cpu: number | null;
  machine: Record<string, string>;
  command: string;
  tables: Sheet[];
  plots: Plot[];
  files: string[];
};

/** A game to choose. */
export type GameFacts = {
  name: string;
  about: string;
  spec: string;
  seats: number;
  presets: string[];
  sample: string;
  options: Setting[];
  featured: boolean;
  level_option: string;
};

/** Games of a tournament, a page at a time. */
export type GameList = {
  total: number;
  games: PlayedGame[];
};

/** A graph: the names of all that there are, the drawing, what can be said of it, one text. */
export type GraphPage = {
  name: string;
  names: string[];
  vertices: string[];
  svg: string;
  facts: Message[];
  text: string;
  visited: number;
};

/** A graph of the position that a game has reached. */
export type GraphRequest = {
  start: string;
  moves?: string;
  name?: string;
  origin?: string;
  order?: "breadth" | "depth";
  steps?: number | null;
  degrees?: boolean;
  form?: "list" | "matrix" | "incidence" | "graphml" | "json" | "svg";
};

/** How to write a bot. */
export type Guide = {
  template: string;
  sessions: Session[];
  program: string;
  reference: Entry[];
};

/** How the server is. */
export type Health = {
  status: string;
  version: string;
  searches: number;
  workers: number;
  compiling: number[] | null;
};

/** One page: its text is HTML. */
export type HelpPage = {
  name: string;
  title: string;
  language: "en" | "id";
  html: string;
};

/** A value with its 95 % interval; what is not known is null. */
export type IntervalFacts = {
  value: number | null;
  low: number | null;
  high: number | null;
};

/** A game that has just ended, with the picture of its end. */
export type LastGame = {
  number: number;
  agents: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  scores: number[];
  svg: string;
};

/** A player that learns from nothing, and after how many games it is looked at. */
export type LearningRequest = {
  game?: string;
  games: number;
  rate?: number;
  exploration?: number;
};

/** How good it is then. */
export type Learnt = {
  games: number;
  loss: number;
  errors: number;
  positions: number;
  regret: number;
};

/** A lesson to choose; its texts are ``lesson.NAME_title`` and ``lesson.NAME_about``. */
export type LessonFacts = {
  name: string;
  kind: "game" | "algorithm";
  game: string;
  agent: string;
  variants: string[];
  steps: number;
  questions: string[];
};

/** What papan is built on. */
export type Library = {
  name: string;
  version: string;
  licence: string;
};

/** A game so far: where it began, and the moves since. */
export type Line = {
  start: string;
  moves?: string;
};

/** A sentence of the catalogues: its *key* and the *values* that it is filled with.  A value is a number, a string, a `Sayable` such as another message or a `Number`, or a tuple of these, which is written with commas. Two messages are equal if their keys and values are; one is hashable if its values are. */
export type Message = {
  key: string;
  values: Record<string, any>;
};

/** One step of a lesson. */
export type Moment = {
  text: Message;
  line: string;
  variables: Record<string, string | number>;
  board: number | null;
  marks: string[];
  values: Record<string, number>;
  proved: boolean;
  best: string | null;
  drawing: string;
  tree: Node[];
  current: number | null;
  table: StepTable | null;
  curves: Record<string, number[]>;
  question: Question | null;
};

/** What a new puzzle is to be about. */
export type NewPuzzle = {
  game: string;
  theme?: string;
  seed: number;
};

/** A room to make. */
export type NewRoom = {
  start: string;
  seat?: "first" | "second" | "any";
  clock?: Timing | null;
  name?: string;
};

/** A place in a tree: who chooses there, what is known of it, how far the search is. */
export type Node = {
  number: number;
  up: number | null;
  move: string;
  role: "max" | "min";
  text: string | number | null;
  state: "open" | "done" | "cut" | "known";
};

/** A position that a line of the page opens: who thinks there, or the two who play. */
export type Opened = {
  start: string;
  game: string;
  moves: string;
  then: string;
  agents: string[];
};

/** A paper to choose. */
export type PaperFacts = {
  number: string;
  game: string;
  title: string;
  authors: string;
  affiliation: string;
  year: number;
  course: Stage[];
  runs: SavedRun[];
  jobs: PaperJob[];
};

/** A run that this server carries out. */
export type PaperJob = {
  name: string;
  size: "quick" | "full";
  seed: number;
  done: number;
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
};

/** A run to be carried out. */
export type PaperOrder = {
  size?: "quick" | "full";
  seed?: number;
};

/** A paper, and the run that was asked for, or the newest that is finished, or our own. */
export type PaperPage = {
  number: string;
  game: string;
  title: string;
  authors: string;
  affiliation: string;
  year: number;
  course: Stage[];
  runs: SavedRun[];
  jobs: PaperJob[];
  abstract: string;
  errata: string[];
  exhibits: Sheet[];
  claims: Claim[];
  recipe: string;
  conclusion: [string, string][];
  remarks: string[];
  amounts: Amount[];
  comparison: Compared[];
  found: Found;
  yours: boolean;
};

/** A content that a spot can have, and its SVG in a square of one cell. */
export type Piece = {
  content: string;
  svg: string;
};

/** A game that is over. */
export type PlayedGame = {
  number: number;
  agents: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  scores: number[];
};

/** A figure: the file NAME.svg draws it. */
export type Plot = {
  name: string;
  title: string;
  series: Points[];
  place: Opened;
};

/** One series of a figure, as text. */
export type Points = {
  label: string;
  text: string;
};

/** How many puzzles of a theme and a difficulty papan brings for a game. */
export type PuzzleCount = {
  game: string;
  theme: string;
  difficulty: "easy" | "medium" | "hard";
  count: number;
};

/** A puzzle; its solution is what the solver says of its position. */
export type PuzzleFacts = {
  name: string;
  game: string;
  theme: string;
  rating: number;
  text: string;
  situation: Message[];
};

/** What the learner is asked before the next step: the lesson's own run has the answer. */
export type Question = {
  kind: "number" | "choice" | "move";
  text: Message;
  answers: (string | number)[];
  choices: (string | number)[];
  about: string;
  hints: Message[];
  replies: Record<string, Message[]>;
  otherwise: Message | null;
  refutations: Record<string, string[]>;
};

/** A played game. Everything else about it can be worked out from these fields. */
export type GameRecord = {
  game: string;
  start: string;
  agents: string[];
  moves: string;
  scores: number[];
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  blame: number | null;
  reason: string;
  cause: Record<string, string>;
  output: string;
  adjudicated: number | null;
  names: string[];
};

/** What the clocks show. */
export type RoomClock = {
  seconds: number;
  increment: number;
  left: [number, number];
  running: number | null;
};

/** Everything that a page needs to show a room. */
export type RoomState = {
  name: string;
  seat: number | null;
  room: Standing;
  board: Board;
};

/** The record of a game, as one line of JSON. */
export type Saved = {
  record: string;
};

/** What is kept of a run, wherever it was started; *done* goes from 0 to 1. */
export type SavedRun = {
  name: string;
  size: "quick" | "full";
  seed: number;
  done: number;
};

/** Won, drawn and lost games. */
export type Score = {
  wins: number;
  draws: number;
  losses: number;
};

/** What to think about, and who thinks. */
export type SearchRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  agent?: string;
  all_moves?: boolean;
};

/** A room and the seat that one has in it; the cookie proves it. */
export type Seated = {
  name: string;
  seat: number;
};

/** A command, and what it prints. */
export type Session = {
  command: string;
  output: string;
};

/** An option of a game or an agent. */
export type Setting = {
  name: string;
  kind: string;
  default: any;
  choices: string[];
  optional: boolean;
  least: number | null;
  most: number | null;
};

/** A table in words; *numbers* says which columns are set to the right. */
export type Sheet = {
  name: string;
  title: string;
  headings: string[];
  rows: string[][];
  numbers: boolean[];
  places: Opened[];
};

/** A board whose pieces are to be put in another order. */
export type Shuffle = {
  start: string;
  moves?: string;
  seed: number;
};

/** Someone who takes a seat. */
export type Sitting = {
  name?: string;
};

/** A board as it is being set up. */
export type Sketch = {
  position: string;
  game: string;
  name: string;
  seats: number;
  turn: number;
  svg: string;
  spots: Record<string, string>;
  pieces: Piece[];
  dials: Dial[];
  problem: Complaint | null;
};

/** The middle of some numbers, and what only one in twenty of them exceeds. */
export type Spread = {
  median: number;
  p95: number;
};

/** How a sequential test stands. */
export type SprtFacts = {
  llr: number;
  bounds: [number, number];
  verdict: string;
};

/** The two hypotheses of a sequential test, and its risks. */
export type SprtOrder = {
  elo0?: number;
  elo1?: number;
  alpha?: number;
  beta?: number;
};

/** A part of the course that leads to a paper; its text is ``course.NUMBER_NAME``. */
export type Stage = {
  name: string;
  address: string;
};

/** How things stand in a room, apart from the board. */
export type Standing = {
  taken: [boolean, boolean];
  present: [boolean, boolean];
  spectators: number;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  blame: number | null;
  asks: Asking | null;
  clock: RoomClock | null;
  games: number;
  names: [string, string];
};

/** Where a game begins. */
export type Start = {
  start: string;
};

/** Rows of facts under keys of the catalogue; one row may be pointed out. */
export type StepTable = {
  head: string[];
  rows: ((string | number)[])[];
  marked: number | null;
};

/** The time that each player has. */
export type Timing = {
  minutes: number;
  increment?: number;
};

/** A tournament in a list. */
export type TournamentFacts = {
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
  made: string;
  title: string;
  game: string;
  agents: string[];
  games: number;
  planned: number;
  yours: boolean;
};

/** A tournament to be held; seconds, nodes or depth are granted to every agent alike. */
export type TournamentOrder = {
  game: string;
  agents: string[];
  seconds?: number | null;
  nodes?: number | null;
  depth?: number | null;
  pairs?: number;
  opening?: number;
  seed?: number;
  gauntlet?: boolean;
  sprt?: SprtOrder | null;
  error?: number | null;
  concurrency?: number | null;
  title?: string;
};

/** Everything about a tournament. */
export type TournamentReport = {
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
  made: string;
  title: string;
  game: string;
  agents: string[];
  games: number;
  planned: number;
  yours: boolean;
  seen: number;
  order: Record<string, any>;
  contest: TournamentResult;
  efforts: EffortFacts[];
  pace: number | null;
  last: LastGame[];
  command: string;
};

/** What the games of a tournament have shown: the same for every run. */
export type TournamentResult = {
  games: number;
  agents: ContestantFacts[];
  superiority: ((number | null)[])[];
  encounters: EncounterFacts[];
  endings: Record<string, number>;
  adjudicated: number;
  game: string;
  seed: number;
  planned: number;
  ending: string | null;
  sprt: SprtFacts | null;
};

/** A move in the position that a game has reached. */
export type Traced = {
  start: string;
  moves?: string;
  move: string;
};

/** A move, and who is to answer it. */
export type TurnRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  move?: string;
  agents: string[];
};

/** A lesson with everything that a page needs to show it. */
export type WholeLesson = {
  name: string;
  kind: "game" | "algorithm";
  game: string;
  agent: string;
  variants: string[];
  steps: number;
  questions: string[];
  lines: string[];
  boards: Board[];
  moments: Moment[];
};
