// @ts-check
// A new tournament: what is played, by whom, how long they think, and when enough is known.

import { Refusal, games } from "../api.js";
import { fill, h } from "../dom.js";
import { anySeed } from "../files.js";
import { count, gameName, say } from "../language.js";
import { GamePicker, labelled } from "../picker.js";
import { go } from "../router.js";
import { keep, read } from "../settings.js";
import { AgentList } from "./agents.js";
import { begin } from "./facts.js";

const PLACE = "papan.arena";
const BUDGETS = { nodes: 2000, seconds: 0.1, depth: 4 };
const USUAL = {
  game: "tictactoe", agents: ["level:2", "alphabeta", "mcts"], budget: "nodes", amount: 2000, pairs: 10, opening: 2, seed: 1,
  stop: "games", error: 30, elo0: 0, elo1: 20, alpha: 0.05, beta: 0.05, gauntlet: false, concurrency: "",
};

/** @param {Record<string, any>} attributes */
const number = (attributes) => h("input", { type: "number", required: true, ...attributes });

/** @param {string} value @param {Record<string, string>} options */
const select = (value, options) => h("select", { value }, Object.entries(options).map(([key, text]) => h("option", { value: key }, text)));

/** @returns {Promise<HTMLElement>} */
export async function tournamentForm() {
  const last = { ...USUAL, ...read(PLACE) };
  const all = (await games());
  const found = all.find((each) => each.name === String(last.game).split(":")[0]) ?? all[0];
  const game = select(found.name, Object.fromEntries(all.map((each) => [each.name, gameName(each.name)])));
  let size = sizeOf(found);
  if ([...size.select.options].some((each) => each.value === last.game)) size.select.value = last.game;
  const sizes = h("div", {}, size.element);
  const agents = new AgentList(Array.isArray(last.agents) ? last.agents : USUAL.agents, () => reckon());
  const budget = select(last.budget, { nodes: say("arena.budget_nodes"), seconds: say("arena.budget_seconds"), depth: say("arena.budget_depth") });
  const amount = number({ min: 0.001, step: "any", value: last.amount });
  const pairs = number({ min: 1, max: 10_000, value: last.pairs });
  const opening = number({ min: 0, max: 40, value: last.opening });
  const seed = number({ min: 0, max: 999_999_999, value: last.seed });
  const stop = select(last.stop, { games: say("arena.stop_games"), error: say("arena.stop_error"), sprt: say("arena.stop_sprt") });
  const error = number({ min: 1, max: 1000, step: "any", value: last.error });
  const [elo0, elo1] = [number({ min: -1000, max: 1000, step: "any", value: last.elo0 }), number({ min: -1000, max: 1000, step: "any", value: last.elo1 })];
  const [alpha, beta] = [number({ min: 0.001, max: 0.49, step: "any", value: last.alpha }), number({ min: 0.001, max: 0.49, step: "any", value: last.beta })];
  const gauntlet = h("input", { type: "checkbox", checked: last.gauntlet === true });
  const concurrency = number({ min: 1, max: 64, value: last.concurrency, required: false, placeholder: say("arena.automatic") });
  const sum = h("p", { class: "quiet sum", role: "status" });
  const problem = h("p", { role: "alert", class: "bad" });
  const precise = h("div", {}, labelled(say("arena.error"), error));
  const tested = h("div", { class: "options" }, labelled(say("arena.elo0"), elo0), labelled(say("arena.elo1"), elo1), labelled(say("arena.alpha"), alpha), labelled(say("arena.beta"), beta));

  /** @param {import("../api.js").GameFacts} facts */
  function sizeOf(facts) {
    return new GamePicker(facts, () => offer());
  }
  function seats() {
    return all.find((each) => each.name === game.value)?.seats ?? 2;
  }
  /** Say how many games that makes, and show only what matters. */
  function reckon() {
    const many = agents.pickers.length;
    const meetings = seats() === 1 ? many : (gauntlet.checked ? many - 1 : (many * (many - 1)) / 2) * 2;
    fill(sum, say("arena.sum", { games: count(meetings * (Number(pairs.value) || 0)) }));
    precise.hidden = stop.value !== "error";
    tested.hidden = stop.value !== "sprt";
  }
  async function offer() {
    fill(problem);
    try {
      await agents.offer(size.spec);
    } catch (refusal) {
      complain(refusal);
    }
    reckon();
  }
  /** @param {unknown} refusal */
  function complain(refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    fill(problem, say(refusal.key, refusal.values));
  }
  function chosen() {
    const plain = { budget: budget.value, stop: stop.value, gauntlet: gauntlet.checked, concurrency: concurrency.value };
    const numbers = { amount, pairs, opening, seed, error, elo0, elo1, alpha, beta };
    return { game: size.spec, agents: agents.specs, ...plain, ...Object.fromEntries(Object.entries(numbers).map(([key, field]) => [key, Number(field.value)])) };
  }
  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    fill(problem);
    const choice = chosen();
    keep(PLACE, choice);
    try {
      await go(`/arena/${(await begin(orderOf(choice))).id}`);
    } catch (refusal) {
      complain(refusal);
    }
  }

  game.addEventListener("change", () => {
    size = sizeOf(/** @type {any} */ (all.find((each) => each.name === game.value)));
    fill(sizes, size.element);
    offer();
  });
  budget.addEventListener("change", () => { amount.value = String(BUDGETS[/** @type {keyof typeof BUDGETS} */ (budget.value)]); });
  const luck = h("button", { type: "button", onclick: () => { seed.value = String(anySeed()); } }, say("arena.any_seed"));
  const form = h("form", { class: "sheet set-up", oninput: reckon, onsubmit: submit },
    h("h2", {}, say("arena.new")),
    h("div", { class: "pair" }, labelled(say("arena.game"), game), sizes),
    agents.element,
    h("fieldset", {}, h("legend", {}, say("arena.budget")), h("div", { class: "pair" }, labelled(say("arena.budget_kind"), budget), labelled(say("arena.amount"), amount))),
    h("fieldset", {}, h("legend", {}, say("arena.amount_of_games")),
      h("div", { class: "pair" }, labelled(say("arena.pairs"), pairs), labelled(say("arena.opening"), opening)),
      h("div", { class: "pair" }, labelled(say("arena.seed"), seed), h("div", { class: "field bottom" }, luck)),
      h("div", { class: "pair" }, labelled(say("arena.stop"), stop), precise), tested),
    h("details", { class: "rest" }, h("summary", {}, say("arena.more")),
      h("label", { class: "check" }, gauntlet, say("arena.gauntlet")), labelled(say("arena.concurrency"), concurrency)),
    sum, problem,
    h("button", { type: "submit", class: "primary" }, say("arena.start")));
  await offer();
  return form;
}

/** What the server is asked for.
 * @param {any} choice */
function orderOf(choice) {
  return {
    game: choice.game, agents: choice.agents, [choice.budget]: choice.amount, pairs: choice.pairs, opening: choice.opening, seed: choice.seed,
    gauntlet: choice.gauntlet, error: choice.stop === "error" ? choice.error : null,
    sprt: choice.stop === "sprt" ? { elo0: choice.elo0, elo1: choice.elo1, alpha: choice.alpha, beta: choice.beta } : null,
    concurrency: choice.concurrency ? Number(choice.concurrency) : null,
  };
}
