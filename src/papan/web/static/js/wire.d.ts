// What the server sends and is sent, for the checker of types alone: no browser reads this.
// Written by tools/make_wire_types.py from the API's description; events are in events.d.ts.

/** The version of papan, its libraries, and where it stores data. */
export type About = {
  version: string;
  libraries: Library[];
  data: string | null;
};

/** An agent in the menu; its text is in the catalogues under ``agent.NAME``. */
export type AgentFacts = {
  name: string;
  about: string;
  settings: Setting[];
  names: string[];
};

/** A request of one player that the other has not answered. */
export type Asking = {
  what: "takeback" | "rematch";
  seat: number;
};

/** A position as a page shows it, with all that is needed to play on from it. */
export type BoardFacts = {
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
  legal: MoveFacts[];
  features: Feature[];
  spots_in_a_move: number;
  upright: boolean;
  counters: string[];
  solver: boolean;
  shuffles: boolean;
};

/** A position to show, and the agents that will play it; unsuitable ones are refused. */
export type BoardRequest = {
  start: string;
  moves?: string;
  agents?: string[];
};

/** The texts of the page about writing bots. */
export type BotGuide = {
  template: string;
  sessions: CommandExample[];
  program: string;
  reference: ReferenceEntry[];
};

/** A chapter of the help; its title is in the catalogues under ``help.chapter_NAME``. */
export type Chapter = {
  name: string;
  pages: HelpPage[];
};

/** A claim of the paper in its own words, and translated into English if it is not English. */
export type ClaimFacts = {
  original: string;
  english: string | null;
};

/** A command and its output. */
export type CommandExample = {
  command: string;
  output: string;
};

/** The result of one agent. */
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

/** A game to start, and the seed of its start if that is random. */
export type DealRequest = {
  game: string;
  seed: number;
};

/** The start of a game, and its board unless that takes long to draw. */
export type DealtStart = {
  start: string;
  board: BoardFacts | null;
};

/** A number of a position that no spot shows, such as its rounds; *least* to *most*. */
export type Dial = {
  name: string;
  value: number;
  least: number;
  most: number;
};

/** A board that is being set up. */
export type DraftFacts = {
  position: string;
  game: string;
  name: string;
  seats: number;
  turn: number;
  svg: string;
  spots: Record<string, string>;
  pieces: Piece[];
  dials: Dial[];
  problem: ErrorBody | null;
};

/** A board that is being set up, and a change: of a spot, the turn, a number, or all spots. */
export type EditRequest = {
  position: string;
  spot?: string | null;
  content?: string;
  turn?: number | null;
  dial?: string | null;
  value?: number;
  clear?: boolean;
};

/** Cost of an agent's moves: nodes and milliseconds of a move. */
export type EffortFacts = {
  agent: string;
  nodes: Spread | null;
  milliseconds: Spread | null;
};

/** The result of the first of two agents against the second. */
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

/** The body of an error response: a `Message` and its English text. */
export type ErrorBody = {
  key: string;
  values: Record<string, any>;
  message: string;
};

/** A message about a position, with the SVG that it adds to the picture. */
export type Feature = {
  key: string;
  values: Record<string, any>;
  svg: string;
};

/** A figure; the file NAME.svg shows it. */
export type FigureFacts = {
  name: string;
  title: string;
  series: SeriesFacts[];
  place: PlaceFacts;
};

/** A game, and for how many seconds each position is shown. */
export type FilmRequest = {
  start: string;
  moves?: string;
  seconds?: number;
};

/** One line of the comparison between the paper and a run. */
export type FindingFacts = {
  what: string;
  paper: string;
  ours: string;
  reference: string | null;
  agrees: "yes" | "no" | "open" | "incomparable" | "quoted" | "none";
  basis: string;
  rule: string;
  place: PlaceFacts;
};

/** A box of a flowchart. */
export type FlowBox = {
  kind: "begin" | "step" | "choice" | "end";
  text: string;
};

/** A flowchart of the paper, its boxes from the first to the last. */
export type FlowFacts = {
  title: string;
  boxes: FlowBox[];
};

/** Games that an agent forfeited for the same reason. */
export type Forfeits = {
  kind: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  reason: string;
  games: number;
  output: string;
  cause: Record<string, string>;
};

/** A game in the menu. */
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

/** A game so far: its start and the moves since. */
export type GameLine = {
  start: string;
  moves?: string;
};

/** One page of the games of a tournament; *total* counts all pages. */
export type GameList = {
  total: number;
  games: PlayedGame[];
};

/** A graph of a position: its drawing, facts about it, and its text in one form. */
export type GraphPage = {
  name: string;
  names: string[];
  vertices: string[];
  svg: string;
  facts: Message[];
  text: string;
  visited: number;
};

/** A graph of the position after a line of moves. */
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

/** The state of the server. */
export type Health = {
  status: string;
  version: string;
  searches: number;
  workers: number;
  compiling: number[] | null;
};

/** One page of the help, as HTML. */
export type HelpPage = {
  name: string;
  title: string;
  language: "en" | "id";
  html: string;
};

/** A value with its 95 % interval as data; null where nothing is known. */
export type IntervalFacts = {
  value: number | null;
  low: number | null;
  high: number | null;
};

/** A finished game with the picture of its last position. */
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

/** Settings of a player that learns from nothing, and after how many games to measure it. */
export type LearningRequest = {
  game?: string;
  games: number;
  rate?: number;
  exploration?: number;
};

/** The strength of a player after learning. */
export type LearningResult = {
  games: number;
  loss: number;
  errors: number;
  positions: number;
  regret: number;
};

/** A lesson in the menu; its texts are ``lesson.NAME_title`` and ``lesson.NAME_about``. */
export type LessonFacts = {
  name: string;
  kind: "game" | "algorithm";
  game: string;
  agent: string;
  variants: string[];
  steps: number;
  questions: string[];
};

/** One step of a lesson. */
export type LessonStep = {
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
  chapter: Message | null;
};

/** A library that papan uses. */
export type Library = {
  name: string;
  version: string;
  licence: string;
};

/** A sentence of the catalogues: its *key* and the *values* that it is filled with.  A value is a number, a string, a `Sayable` such as another message or a `Number`, or a tuple of these, which is written with commas. Two messages are equal if their keys and values are; one is hashable if its values are. */
export type Message = {
  key: string;
  values: Record<string, any>;
};

/** A legal move, and how the picture shows it. */
export type MoveFacts = {
  m: string;
  at: [number, number] | null;
  svg: string;
  gains: number[];
};

/** The legal move that a text names in a position, or the error that says why there is none. */
export type MoveReading = {
  name: string;
  problem: ErrorBody | null;
};

/** The game and theme of a puzzle to generate; an empty theme: any. */
export type NewPuzzle = {
  game: string;
  theme?: string;
  seed: number;
};

/** A room to create. */
export type NewRoom = {
  start: string;
  seat?: "first" | "second" | "any";
  clock?: Timing | null;
  name?: string;
};

/** A node of a tree: who chooses there, its value, and the state of its search. */
export type Node = {
  number: number;
  up: number | null;
  move: string;
  role: "max" | "min";
  text: string | number | null;
  state: "open" | "done" | "cut" | "known";
  window: [string | number, string | number] | null;
};

/** An address that makes the first browser to open it the owner's. */
export type OwnerLink = {
  address: string;
  seconds: number;
};

/** A paper in the list. */
export type PaperFacts = {
  number: string;
  game: string;
  title: string;
  authors: string;
  affiliation: string;
  year: number;
  language: string;
  course: Stage[];
  runs: SavedRun[];
  jobs: PaperJob[];
};

/** A run that is a job of this server. */
export type PaperJob = {
  name: string;
  size: "quick" | "full";
  seed: number;
  done: number;
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
};

/** A run of a paper to start. */
export type PaperOrder = {
  size?: "quick" | "full";
  seed?: number;
};

/** A paper, with the requested run, else the newest finished one, else the reference run. */
export type PaperPage = {
  number: string;
  game: string;
  title: string;
  authors: string;
  affiliation: string;
  year: number;
  language: string;
  course: Stage[];
  runs: SavedRun[];
  jobs: PaperJob[];
  abstract: string;
  errata: string[];
  exhibits: TableFacts[];
  claims: ClaimFacts[];
  recipe: string;
  conclusion: [string, string][];
  remarks: string[];
  choices: string[];
  programs: ProgramFacts[];
  flows: FlowFacts[];
  listing: string;
  amounts: RunCost[];
  comparison: FindingFacts[];
  found: RunResult;
  yours: boolean;
};

/** A content that a spot can have, and its SVG in a square of one cell. */
export type Piece = {
  content: string;
  svg: string;
};

/** A position to open on the board, with the agent that analyses it or the two that play. */
export type PlaceFacts = {
  start: string;
  game: string;
  moves: string;
  then: string;
  agents: string[];
};

/** A finished game of a tournament. */
export type PlayedGame = {
  number: number;
  agents: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  scores: number[];
};

/** Something that the authors' program offers: where it is here, and the command. */
export type ProgramFacts = {
  text: string;
  address: string;
  command: string;
};

/** The answer to a puzzle, or to what is asked some moves later. */
export type PuzzleAnswerFacts = {
  question: Message[];
  right: string[];
  idea: Message;
  area: string[];
  move: string;
  line: string[];
  why: Message;
  likeliest_wrong: string | null;
  faults: Record<string, PuzzleFault>;
};

/** Number of puzzles of a game, theme and difficulty that come with papan. */
export type PuzzleCount = {
  game: string;
  theme: string;
  difficulty: "easy" | "medium" | "hard";
  count: number;
};

/** A puzzle; its solution is the solver's analysis of the position. */
export type PuzzleFacts = {
  name: string;
  game: string;
  theme: string;
  rating: number;
  text: string;
};

/** A wrong move: the reason why it fails, and the play after it. */
export type PuzzleFault = {
  verdict: Message;
  why: Message | null;
  gives_away: boolean;
  in_full: Message;
  line: string[];
};

/** The answer to the moves that a person has made in a puzzle. */
export type PuzzleTurn = {
  reply: string[];
  answer: PuzzleAnswerFacts | null;
};

/** A question to the learner before the next step; the lesson's own run has the answer. */
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

/** The addresses at which other machines reach this server, or could. */
export type Reach = {
  alone: boolean;
  addresses: string[];
};

/** A played game: start, moves, players, end and scores, from which all else can be computed. */
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
  hints: number[];
};

/** A saved game: its record as one line of JSON. */
export type RecordRequest = {
  record: string;
};

/** A name of the Python API, its call with arguments, and its description. */
export type ReferenceEntry = {
  name: string;
  call: string;
  about: string;
};

/** The clocks of a room, in seconds; *running* is the seat whose time runs. */
export type RoomClock = {
  seconds: number;
  increment: number;
  left: [number, number];
  running: number | null;
};

/** The whole state of a room, as one visitor sees it. */
export type RoomState = {
  name: string;
  seat: number | null;
  room: Standing;
  board: BoardFacts;
};

/** A size of a run, and the estimated seconds that it takes on this machine. */
export type RunCost = {
  size: "quick" | "full";
  seconds: number;
};

/** The results of a finished run, and how to repeat it. */
export type RunResult = {
  name: string;
  reference: boolean;
  size: "quick" | "full";
  seed: number;
  began: string;
  cpu: number | null;
  machine: Record<string, string>;
  command: string;
  tables: TableFacts[];
  plots: FigureFacts[];
  files: string[];
};

/** A stored run, started here or in a terminal; *done* is from 0 to 1. */
export type SavedRun = {
  name: string;
  size: "quick" | "full";
  seed: number;
  done: number;
};

/** Numbers of wins, draws and losses. */
export type Score = {
  wins: number;
  draws: number;
  losses: number;
};

/** A position to analyse, and the agent that does it. */
export type SearchRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  agent?: string;
  all_moves?: boolean;
  hint?: boolean;
};

/** A room and the client's seat in it; a cookie proves the seat. */
export type Seated = {
  name: string;
  seat: number;
};

/** One series of a figure, as text. */
export type SeriesFacts = {
  label: string;
  text: string;
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

/** A position whose pieces are to be shuffled. */
export type ShuffleRequest = {
  start: string;
  moves?: string;
  seed: number;
};

/** A request for the free seat. */
export type Sitting = {
  name?: string;
};

/** Median and 95th percentile of some numbers. */
export type Spread = {
  median: number;
  p95: number;
};

/** State of a sequential test as data. */
export type SprtFacts = {
  llr: number;
  bounds: [number, number];
  verdict: string;
};

/** A sequential test: two hypotheses in Elo, and the risks of an error of each kind. */
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

/** The state of a room without the board; pairs are ordered by seat. */
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

/** The start of a game, as text. */
export type StartFacts = {
  start: string;
};

/** Rows of facts under keys of the catalogue; one row may be pointed out. */
export type StepTable = {
  head: string[];
  rows: ((string | number)[])[];
  marked: number | null;
};

/** A table of a report in one language; *numbers* marks the columns that are right-aligned. */
export type TableFacts = {
  name: string;
  title: string;
  headings: string[];
  rows: string[][];
  numbers: boolean[];
  places: PlaceFacts[];
};

/** The time control of a new room. */
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

/** A tournament to start; seconds, nodes or depth limit each move, the same for every agent. */
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

/** All results of a tournament. */
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

/** The result of a tournament, equal for every run of the same plan. */
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

/** A move in the position after a line of moves. */
export type TraceRequest = {
  start: string;
  moves?: string;
  move: string;
};

/** A move of a person, and the agents of all seats, one of which may answer. */
export type TurnRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  move?: string;
  agents: string[];
};

/** A lesson with all its steps and boards. */
export type WholeLesson = {
  name: string;
  kind: "game" | "algorithm";
  game: string;
  agent: string;
  variants: string[];
  steps: number;
  questions: string[];
  lines: string[];
  boards: BoardFacts[];
  moments: LessonStep[];
};
