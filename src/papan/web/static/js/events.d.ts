// What the events of a search hold (docs/events.md), for the checker of types alone: no browser reads this.

export type Kind = "exact" | "lower" | "upper" | "between" | "estimate" | "pruned" | "visits";
/** *to*: the other end of what is proved to lie between two. */
export type Value = { v: number; k: Kind; to?: number };
export type MoveValue = Value & {
  m: string;
  n: number;
  pv?: string[];
  w?: number | null;
  ucb?: number | null;
  chain?: number;
  openings?: number;
  terms?: number[];
  says?: { key: string; values: Record<string, unknown> };
};
export type SearchEvent = { t: string; [key: string]: any };

/** What is wrong with a bot (docs/events.md). */
export type BotProblem = {
  kind: "illegal" | "crash" | "timeout";
  why: { key: string; values: Record<string, unknown> };
  output: string;
  line: number | null;
  position: string;
};
export type EloFacts = { value: number | null; low: number | null; high: number | null };
export type RivalScore = { rival: string; wins: number; draws: number; losses: number; elo: EloFacts };
/** The last event of a run: of a check, of a game, or of games that measure. */
export type BotAnswer = {
  t: "answer";
  problems: BotProblem[];
  stopped?: boolean;
  fine?: boolean;
  positions?: number;
  repeated?: number;
  changed?: string[];
  median?: number | null;
  longest?: number | null;
  memory?: number;
  start?: string;
  moves?: string;
  end?: string;
  winner?: number | null;
  scores?: number[];
  seat?: number;
  forfeits?: number;
  strength?: { games: number; elo: EloFacts; scores: RivalScore[] } | null;
};
/** An event of a run, as it comes. */
export type BotEvent =
  | { t: "search"; id: string }
  | { t: "start" }
  | { t: "progress"; done: number; total: number }
  | { t: "board"; svg: string; seat: number }
  | { t: "move"; number: number; seat: number; move: string; svg: string; output: string }
  | { t: "game"; number: number; total: number; rival: string; outcome: number | null }
  | { t: "error"; key: string; values: Record<string, unknown> }
  | BotAnswer;
