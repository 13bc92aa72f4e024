// What the server sends and is sent, for the checker of types alone: no browser reads this.

export type Words = { key: string; values: Record<string, unknown> };

// Games
export type Choice = { m: string; at: [number, number] | null; svg: string; gains: number[] };
export type Feature = Words & { svg: string };
export type Board = {
  game: string;
  name: string;
  seats: number;
  start: string;
  position: string;
  moves: string[];
  turns: number[];
  /** Where each move went. */
  places: ([number, number] | null)[];
  turn: number;
  scores: number[];
  most: number | null;
  end: string;
  winner: number | null;
  svg: string;
  spots: Record<string, string>;
  legal: Choice[];
  features: Feature[];
  spots_in_a_move: number;
  solver: boolean;
  shuffles: boolean;
};
export type Setting = { name: string; kind: string; default: any; choices: string[]; optional: boolean };
export type GameFacts = { name: string; about: string; spec: string; seats: number; presets: string[]; sample: string; options: Setting[] };
export type AgentFacts = { name: string; about: string; settings: Setting[]; names: string[] };
export type Reopened = { start: string; moves: string; agents: string[]; end: string; blame: number | null; reason: string };

// Boards that are being set up
export type Piece = { content: string; svg: string };
export type Dial = { name: string; value: number; least: number; most: number };
export type Draft = {
  position: string; game: string; name: string; seats: number; turn: number; svg: string;
  spots: Record<string, string>; pieces: Piece[]; dials: Dial[]; problem: Words | null;
};
export type Edit = { position: string; spot?: string; content?: string; turn?: number; dial?: string; value?: number; clear?: boolean };

// Searches
export type Kind = "exact" | "lower" | "upper" | "between" | "estimate" | "pruned" | "visits";
/** *to*: the other end of what is proved to lie between two. */
export type Value = { v: number; k: Kind; to?: number };
export type MoveValue = Value & { m: string; n: number; pv?: string[]; w?: number | null; ucb?: number | null; chain?: number; terms?: number[] };
export type SearchRequest = {
  start: string; moves: string; agent: string; seconds: number;
  all_moves?: boolean; nodes?: number; purpose?: "game" | "analysis";
};
export type TurnRequest = Omit<SearchRequest, "agent" | "all_moves"> & { move?: string; agents: string[] };
export type SearchEvent = { t: string; [key: string]: any };

// Rooms
export type RoomClock = { seconds: number; increment: number; left: [number, number]; running: number | null };
export type Standing = {
  taken: [boolean, boolean];
  present: [boolean, boolean];
  spectators: number;
  end: string;
  winner: number | null;
  blame: number | null;
  asks: { what: "takeback" | "rematch"; seat: number } | null;
  clock: RoomClock | null;
  games: number;
};
export type Room = { name: string; seat: number | null; room: Standing; board: Board };
export type NewRoom = { start: string; seat: string; clock: { minutes: number; increment: number } | null };

// Tournaments
export type JobState = "waiting" | "running" | "paused" | "done" | "failed";
export type Interval = { value: number | null; low: number | null; high: number | null };
export type Score = { wins: number; draws: number; losses: number };
export type Spread = { median: number; p95: number };
export type Fault = { kind: string; reason: string; games: number; output: string };
export type Contestant = Score & {
  agent: string; elo: Interval | null; games: number; points: number; seats: Score[];
  forfeits: Record<string, number>; faults: Fault[];
};
export type Encounter = Score & { first: string; second: string; elo: Interval; los: number };
export type Sprt = { llr: number; bounds: [number, number]; verdict: string };
export type Contest = {
  game: string; seed: number; games: number; planned: number; ending: string | null; agents: Contestant[];
  superiority: (number | null)[][]; encounters: Encounter[]; endings: Record<string, number>; sprt: Sprt | null;
};
export type LastGame = {
  number: number; agents: string[]; start: string; moves: string; end: string; winner: number | null; scores: number[]; svg: string;
};
export type Tournament = {
  id: string; state: JobState; why: Words | null; made: string; game: string; agents: string[];
  games: number; planned: number; yours: boolean;
};
export type TournamentReport = Tournament & {
  seen: number; order: any; contest: Contest; pace: number | null; last: LastGame[]; command: string;
  efforts: { agent: string; nodes: Spread | null; milliseconds: Spread | null }[];
};

// Papers
export type Size = "quick" | "full";
export type KeptRun = { name: string; size: Size; seed: number; done: number };
export type PaperJob = KeptRun & { id: string; state: string; why: Words | null };
export type PaperFacts = { number: string; game: string; title: string; authors: string; year: number; runs: KeptRun[]; jobs: PaperJob[] };
export type ResultTable = { name: string; title: string; headings: string[]; rows: string[][]; numbers: boolean[] };
export type Plot = { name: string; title: string; series: { label: string; text: string }[] };
export type Compared = { what: string; paper: string; ours: string | null; agrees: "yes" | "no" | "open" | "none" };
export type Found = {
  name: string; size: Size; seed: number; began: string; seconds: number; machine: Record<string, string>; command: string;
  tables: ResultTable[]; plots: Plot[]; files: string[];
};
export type Paper = PaperFacts & {
  claims: { original: string; english: string }[]; recipe: string; remarks: string[];
  amounts: { size: Size; seconds: number }[]; comparison: Compared[]; found: Found | null;
  /** Whether whoever looks may start a run. */
  yours: boolean;
};

// Lessons
export type Shown = string | number;
export type Sentence = { key: string; values: Record<string, Shown> };
export type LessonFacts = { name: string; kind: "game" | "algorithm"; game: string; agent: string; steps: number; questions: number };
export type LessonNode = { id: number; up: number | null; m: string; role: "max" | "min"; text: Shown | null; state: string };
export type Question = {
  kind: "number" | "choice" | "move"; text: Sentence; answers: Shown[]; choices: Shown[]; hints: Sentence[]; replies: Record<string, Sentence>;
};
export type Moment = {
  text: Sentence; line: string; variables: Record<string, Shown>; board: number | null; marks: string[];
  values: Record<string, number>;
  /** Are the values proved, or what the lesson counts? */
  proved: boolean;
  best: string | null; drawing: string; tree: LessonNode[]; current: number | null;
  table: { head: string[]; rows: Shown[][]; marked: number | null } | null;
  curves: Record<string, number[]>; question: Question | null;
};
export type Lesson = LessonFacts & { lines: string[]; boards: Board[]; moments: Moment[] };

// Bots
export type BotGuide = {
  template: string; sessions: { command: string; output: string }[]; program: string;
  reference: { name: string; call: string; about: string }[];
};
