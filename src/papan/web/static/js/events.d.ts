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
