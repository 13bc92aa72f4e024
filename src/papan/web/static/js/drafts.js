// @ts-check
// Drafts of bots: what was written and not saved, in the storage of this browser.

import { read, save } from "./settings.js";

const PLACE = "papan.drafts";
const MOST = 20; // drafts; the oldest is dropped first

/** @typedef {{source: string, over: string}} Draft The text, and the digest of the kept version that it changes. */

/** Return all drafts by the name of their file. @returns {Record<string, Draft>} */
export function drafts() {
  const found = Object.entries(read(PLACE)).filter(([, each]) => typeof each?.source === "string");
  return Object.fromEntries(found.map(([name, { source, over }]) => [name, { source, over: String(over ?? "") }]));
}

/** @param {string} name @param {Draft} draft */
export function keepDraft(name, draft) {
  const { [name]: _, ...others } = drafts();
  save(PLACE, Object.fromEntries([...Object.entries(others), [name, draft]].slice(-MOST)));
}

/** @param {string} name */
export function dropDraft(name) {
  const { [name]: _, ...others } = drafts();
  save(PLACE, others);
}
