// What the server sends and is sent, for the checker of types alone: no browser reads this.
// Written by tools/make_wire_types.py from the API's description; events are in events.d.ts.

/** Facts about this installation of papan. */
export type About = {
  version: string;
  libraries: Library[];
  data: string | null;
};

/** An agent in the menu, with its settings; its text has the key ``agent.NAME``. */
export type AgentFacts = {
  name: string;
  about: string;
  settings: Setting[];
  names: string[];
};

/** Two bots that look alike, for the owner to judge. */
export type AlikeFacts = {
  first: string;
  second: string;
  shared_source: number;
  shared_answers: number;
  asked: number;
  mistakes: number;
  sources: [string, string];
};

/** A request of a player that the other has not answered. */
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

/** A line of moves whose last position is shown, and the agents that are to play on from it.  An agent that cannot play there is refused. */
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

/** Order of a run of a bot. */
export type BotOrder = {
  run: "check" | "watch" | "rate";
  name: string;
  source: string;
  game?: string;
  rival?: string;
  second?: boolean;
  seconds?: number;
  positions?: number;
  seed?: number;
};

/** The text of a bot to store. */
export type BotSource = {
  source: string;
  over?: string;
};

/** A bot to begin with, in one language. */
export type BotTemplate = {
  suffix: string;
  source: string;
};

/** A chapter of the help; its title has the key ``help.chapter_NAME``. */
export type Chapter = {
  name: string;
  pages: HelpPage[];
};

/** A claim of the paper. */
export type ClaimFacts = {
  original: string;
  english: string | null;
};

/** A shell command, and what it prints. */
export type CommandExample = {
  command: string;
  output: string;
};

/** A contest in a list; the fields after *folder* are empty if one of its files is invalid. */
export type ContestFacts = {
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
  made: string;
  folder: string;
  title: string;
  game: string;
  deadline: string;
  students: number;
  playing: number;
  games: number;
  minutes_left: number;
  time_over: boolean;
};

/** A finished game of a contest: who played it, its moves and its result. */
export type ContestGameFacts = {
  number: number;
  players: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  spec: string;
};

/** One page: at most `PAGE_GAMES` games of a contest. */
export type ContestGames = {
  total: number;
  games: ContestGameFacts[];
};

/** All about a contest except games and marks, for its owner. */
export type ContestPage = {
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
  made: string;
  folder: string;
  title: string;
  game: string;
  deadline: string;
  students: number;
  playing: number;
  games: number;
  minutes_left: number;
  time_over: boolean;
  sandbox: Message | null;
  people: StudentFacts[];
  strange: string[];
  standings: LadderPlace[];
  house: string[];
  cross: (([number, number, number] | null)[])[];
  judged: boolean;
};

/** The text of a file of a contest (its plan or its list of students), for its owner to change. */
export type ContestText = {
  text: string;
};

/** The result of one agent as JSON data: Elo, points, games by outcome, forfeits. */
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

/** Order of the start of a game, dealt by a seed where the game has chance. */
export type DealRequest = {
  game: string;
  seed: number;
};

/** The start of a game, and in addition its board. */
export type DealtStart = {
  start: string;
  board: BoardFacts | null;
};

/** A number of a position that no spot shows, such as the rounds of its game.  *value* is what it is now, from *least* to *most*, both inclusive; *name* is its key in `Draft.dialled`. */
export type Dial = {
  name: string;
  value: number;
  least: number;
  most: number;
};

/** Order to disqualify the student *number*, or to take that back. */
export type Disqualification = {
  number: string;
  why?: string;
};

/** A board that is being set up, with what can be put on it and why it is not reachable. */
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

/** A board that is being set up, and one change of it: all spots, one spot, a number or the turn. */
export type EditRequest = {
  position: string;
  spot?: string | null;
  content?: string;
  turn?: number | null;
  dial?: string | null;
  value?: number;
  clear?: boolean;
};

/** Cost of a move of one agent: nodes and milliseconds; None if it has not moved. */
export type EffortFacts = {
  agent: string;
  nodes: Spread | null;
  milliseconds: Spread | null;
};

/** The result of the first of two agents against the second, as JSON data.  It adds their names and the results, as games and pairs, to the statistics. */
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

/** The body of every error response. */
export type ErrorBody = {
  key: string;
  values: Record<string, any>;
  message: string;
};

/** A message about something in a position, such as a chain, with the SVG that points it out. */
export type Feature = {
  key: string;
  values: Record<string, any>;
  svg: string;
};

/** A figure of a report: its numbers as text; the file NAME.svg draws it. */
export type FigureFacts = {
  name: string;
  title: string;
  series: SeriesFacts[];
  place: PlaceFacts;
};

/** A game as a line of moves, to be shown as a film. */
export type FilmRequest = {
  start: string;
  moves?: string;
  seconds?: number;
};

/** One line of the comparison of a paper with a run: both values, and whether they agree. */
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

/** A box of a flowchart: ``begin``, ``step``, ``choice`` or ``end``, and its text. */
export type FlowBox = {
  kind: "begin" | "step" | "choice" | "end";
  text: string;
};

/** A flowchart of the paper, its boxes in order. */
export type FlowFacts = {
  title: string;
  boxes: FlowBox[];
};

/** A number of games that one agent forfeited for the same reason. */
export type Forfeits = {
  kind: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  reason: string;
  games: number;
  output: string;
  cause: Record<string, string>;
};

/** A game in the menu: its sizes, options and number of seats. */
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

/** One page: at most `PAGE_GAMES` games of a tournament. */
export type GameList = {
  total: number;
  games: PlayedGame[];
};

/** A graph of a position as a page shows it: drawing, facts, and its text in one form. */
export type GraphPage = {
  name: string;
  names: string[];
  vertices: string[];
  svg: string;
  facts: Message[];
  text: string;
  visited: number;
};

/** Which graph of the last position of a line of moves to show, and in which form. */
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

/** What a student sees of a contest: their own bot, and of others only names, places and moves. */
export type HandInPage = {
  title: string;
  game: string;
  number: string;
  name: string;
  running: "waiting" | "running" | "paused" | "done" | "failed";
  time_over: boolean;
  deadline: string;
  over: boolean;
  left_today: number;
  most_bytes: number;
  suffixes: string[];
  disqualified: string;
  seconds: number;
  memory: number;
  submission: SubmissionFacts;
  versions: VersionFacts[];
  place: LadderPlace | null;
  students: number;
  games: OwnGame[];
  moments: MomentFacts[];
};

/** The state of the server: version, searches, live workers, and progress of the compiler. */
export type Health = {
  status: string;
  version: string;
  searches: number;
  workers: number;
  compiling: number[] | null;
};

/** One page of the help as HTML. */
export type HelpPage = {
  name: string;
  title: string;
  language: "en" | "id";
  html: string;
};

/** A value with its 95 % interval as JSON data; a number that is infinite is None (null). */
export type IntervalFacts = {
  value: number | null;
  low: number | null;
  high: number | null;
};

/** A bot in the owner's folder: its file, the hash of its text, and the games that it lists. */
export type KeptBot = {
  name: string;
  digest: string;
  changed: number;
  games: string[] | null;
};

/** A stored bot with its text. */
export type KeptSource = {
  bot: KeptBot;
  source: string;
};

/** A contest with its standings, for the projector. */
export type LadderPage = {
  id: string;
  state: "waiting" | "running" | "paused" | "done" | "failed";
  why: Message | null;
  made: string;
  folder: string;
  title: string;
  game: string;
  deadline: string;
  students: number;
  playing: number;
  games: number;
  minutes_left: number;
  time_over: boolean;
  standings: LadderPlace[];
};

/** A line of the standings: rank, Elo, points and forfeits of a student's bot. */
export type LadderPlace = {
  rank: number;
  student: string;
  name: string;
  player: string;
  elo: IntervalFacts | null;
  points: number;
  games: number;
  forfeits: Record<string, number>;
  processor: number;
  memory: number;
  told: boolean;
};

/** A finished game, and in addition the picture of its last position. */
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

/** Order to let a player learn by self-play and to measure it then. */
export type LearningRequest = {
  game?: string;
  games: number;
  rate?: number;
  exploration?: number;
};

/** The strength of a player after learning: how often its moves without search are wrong. */
export type LearningResult = {
  games: number;
  loss: number;
  errors: number;
  positions: number;
  regret: number;
};

/** A lesson in the menu; its texts have the keys ``lesson.NAME_title`` and ``lesson.NAME_about``. */
export type LessonFacts = {
  name: string;
  kind: "game" | "algorithm";
  game: string;
  agent: string;
  variants: string[];
  steps: number;
  questions: string[];
};

/** One step of a lesson: its text, what it highlights on the board, and the state of the algorithm. */
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

/** An installed library that papan uses, with its version and licence. */
export type Library = {
  name: string;
  version: string;
  licence: string;
};

/** Order to replace the secret link of the student *number*. */
export type LinkOrder = {
  number: string;
};

/** The mark of a student, and what it is computed from. */
export type MarkFacts = {
  number: string;
  name: string;
  rank: number | null;
  points: number | null;
  grade: string;
  measures: Record<string, number>;
  remark: string;
};

/** Marks and look-alikes of a contest; both lists are empty unless *judged*. */
export type MarksPage = {
  judged: boolean;
  marks: MarkFacts[];
  alike: AlikeFacts[];
};

/** A sentence of the catalogues: its *key* and the *values* that it is filled with.  A value is a number, a string, a `Sayable` such as another message or a `Number`, or a tuple of these, which is written with commas. Two messages are equal if their keys and values are; one is hashable if its values are. */
export type Message = {
  key: string;
  values: Record<string, any>;
};

/** A costly mistake in a lost game of a student, with the better move. */
export type MomentFacts = {
  position: string;
  board: string;
  move: string;
  better: string;
  line: string[];
  proved: boolean;
  text: Record<string, string>;
  lesson: string;
};

/** A legal move as a page shows it: its name, its place on the picture, and the points that it gains. */
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

/** Order to make a contest between bots of students. */
export type NewContest = {
  game: string;
  title: string;
  language?: "en" | "id";
};

/** Order of a puzzle to generate. */
export type NewPuzzle = {
  game: string;
  theme?: string;
  seed: number;
};

/** Order to create a room. */
export type NewRoom = {
  start: string;
  seat?: "first" | "second" | "any";
  clock?: Timing | null;
  name?: string;
};

/** A node of a drawn search tree. */
export type Node = {
  number: number;
  up: number | null;
  move: string;
  role: "max" | "min";
  text: string | number | null;
  state: "open" | "done" | "cut" | "known";
  window: [string | number, string | number] | null;
};

/** What pages know of a game without the server: facts about all its boards, and dealt starts.  A spot is a place in the picture that a person can pick to name a move. */
export type OfflineFacts = {
  seats: number;
  spots_in_a_move: number;
  upright: boolean;
  counters: string[];
  shuffles: boolean;
  solved_sizes: string[];
  deals: string[];
};

/** Everything besides scripts and texts that is needed to play without the server. */
export type OfflineKit = {
  games: Record<string, OfflineFacts>;
  puzzles: OfflinePuzzle[];
  days: Record<string, string>;
};

/** A puzzle, and in addition the answer to each position that is asked about. */
export type OfflinePuzzle = {
  name: string;
  game: string;
  theme: string;
  rating: number;
  text: string;
  difficulty: "easy" | "medium" | "hard";
  turns: Record<string, PuzzleTurn>;
};

/** A finished game of a student's bot, and in addition its seat, its result and its failure. */
export type OwnGame = {
  number: number;
  players: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  spec: string;
  seat: number;
  result: "-1" | "0" | "1";
  why: Message | null;
  output: string;
};

/** A one-time address; the first browser that opens it becomes the owner's. */
export type OwnerLink = {
  address: string;
  seconds: number;
};

/** A paper in the list, with its stored runs and its unfinished jobs. */
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

/** Order to start a run of a paper's experiment. */
export type PaperOrder = {
  size?: "quick" | "full";
  seed?: number;
};

/** A paper with its claims beside one run: that asked for, else the newest finished one, else the reference. */
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

/** A position of a paper to open on the board. */
export type PlaceFacts = {
  start: string;
  game: string;
  moves: string;
  then: string;
  agents: string[];
};

/** A finished game of a tournament: who played it, its moves and its result. */
export type PlayedGame = {
  number: number;
  agents: string[];
  start: string;
  moves: string;
  end: "win" | "draw" | "cleared" | "stuck" | "open" | "resigned" | "illegal" | "crash" | "timeout";
  winner: number | null;
  scores: number[];
};

/** What the authors' program can do, and how to do the same here. */
export type ProgramFacts = {
  text: string;
  address: string;
  command: string;
};

/** The answer to what a puzzle asks now: at its start, or after some right moves. */
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

/** Number of the puzzles that come with papan of one game, theme and difficulty. */
export type PuzzleCount = {
  game: string;
  theme: string;
  difficulty: "easy" | "medium" | "hard";
  count: number;
};

/** A puzzle as a page asks it; its answer comes as a `PuzzleTurn`. */
export type PuzzleFacts = {
  name: string;
  game: string;
  theme: string;
  rating: number;
  text: string;
};

/** A wrong move of a puzzle, and why it is wrong. */
export type PuzzleFault = {
  verdict: Message;
  why: Message | null;
  gives_away: boolean;
  in_full: Message;
  line: string[];
};

/** The rival's reply to the moves that a person has made in a puzzle, and the next question to the person with its answer. */
export type PuzzleTurn = {
  reply: string[];
  answer: PuzzleAnswerFacts | null;
};

/** A question to the learner between two steps; its answer comes from the lesson's own run. */
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

/** Whether other machines reach this server, and how they could. */
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

/** A saved game to be checked. */
export type RecordRequest = {
  record: string;
};

/** A public name of the Python API, as the page about bots lists it. */
export type ReferenceEntry = {
  name: string;
  call: string;
  about: string;
};

/** The clocks of a room, as pages show them; all times are in seconds. */
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

/** The estimated time of a run of one size on this machine. */
export type RunCost = {
  size: "quick" | "full";
  seconds: number;
};

/** The results of a finished run of a paper. */
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

/** A stored run of a paper, started here or in a terminal. */
export type SavedRun = {
  name: string;
  size: "quick" | "full";
  seed: number;
  done: number;
};

/** Numbers of wins, draws and losses; `points` has 1 for a win and 1/2 for a draw. */
export type Score = {
  wins: number;
  draws: number;
  losses: number;
};

/** A position to analyse, by which agent, and what to find out. */
export type SearchRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  agent?: string;
  all_moves?: boolean;
  hint?: boolean;
};

/** Which seat of which room the client has; a cookie proves it. */
export type Seated = {
  name: string;
  seat: number;
};

/** One series of a figure. */
export type SeriesFacts = {
  label: string;
  text: string;
};

/** An option of a game or an agent, as a menu offers it. */
export type Setting = {
  name: string;
  kind: string;
  default: any;
  choices: string[];
  optional: boolean;
  least: number | null;
  most: number | null;
};

/** A line of moves, whose last position gets its pieces shuffled. */
export type ShuffleRequest = {
  start: string;
  moves?: string;
  seed: number;
};

/** Request for the free seat of a room. */
export type Sitting = {
  name?: string;
};

/** Median and 95th percentile of some numbers, in their unit. */
export type Spread = {
  median: number;
  p95: number;
};

/** State of a sequential test as JSON data: log-likelihood ratio, its bounds, verdict. */
export type SprtFacts = {
  llr: number;
  bounds: [number, number];
  verdict: string;
};

/** Order of a sequential probability ratio test between two agents, by Elo of the first above the second. */
export type SprtOrder = {
  elo0?: number;
  elo1?: number;
  alpha?: number;
  beta?: number;
};

/** A stage of the course that leads to a paper: the text ``course.NUMBER_NAME`` and a page. */
export type Stage = {
  name: string;
  address: string;
};

/** The state of a room without its board; pairs have seat 0 first. */
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

/** Where a game starts: a position, as a text that a request for a board takes. */
export type StartFacts = {
  start: string;
};

/** A table of a step: rows of facts, each with one for every heading. */
export type StepTable = {
  head: string[];
  rows: ((string | number)[])[];
  marked: number | null;
};

/** A student of a contest as its owner sees them: submission and versions. */
export type StudentFacts = {
  number: string;
  name: string;
  disqualified: string;
  submission: SubmissionFacts;
  versions: VersionFacts[];
};

/** The secret link of a student, as an address on this server. */
export type StudentLink = {
  number: string;
  name: string;
  address: string;
};

/** The state of a student's newest version: whether it plays, and if not, why. */
export type SubmissionFacts = {
  state: "nothing" | "checking" | "plays" | "aside";
  version: number | null;
  language: string;
  why: Message | null;
  position: string;
  board: string;
  output: string;
  seconds: number | null;
  memory: number;
  plays_on: number | null;
};

/** A table of a report, its texts in one language. */
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

/** A tournament in the list: its job, its agents, and the numbers of games finished and planned. */
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

/** Order of a tournament; at most one of *seconds*, *nodes* and *depth* limits each move of every agent. */
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

/** All results of a tournament, in addition to its entry in the list. */
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

/** The result of a tournament as JSON data, equal for all runs with the same plan and moves.  It adds facts of the plan and the state of the tournament to the standings. */
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

/** A move as a person types it, in the last position of a line of moves. */
export type TraceRequest = {
  start: string;
  moves?: string;
  move: string;
};

/** A move of a person, if it is their turn, and the agents of all seats, one of which may answer it. */
export type TurnRequest = {
  start: string;
  moves?: string;
  seconds?: number;
  nodes?: number | null;
  move?: string;
  agents: string[];
};

/** A version of a student's bot, with its points and games so far. */
export type VersionFacts = {
  number: number;
  language: string;
  stored: number;
  points: number;
  games: number;
};

/** A lesson with all its steps, its boards and its lines of pseudo-code. */
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

/** The workshop as a client sees it: templates, rights, and for the owner the stored bots. */
export type WorkshopFacts = {
  yours: boolean;
  problem: ErrorBody | null;
  templates: BotTemplate[];
  bots: KeptBot[];
  largest: number;
};
