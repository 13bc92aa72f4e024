// @ts-check
// Several algorithms on the same position, side by side: what they play, find, and look at.

import { agents } from "../api.js";
import { openDialog } from "../dialogs.js";
import { fill, h } from "../dom.js";
import { count, look, player, rounded, say, trouble, whole, worth } from "../language.js";
import { labelled } from "../picker.js";
import { change, settings } from "../settings.js";
import { Thinker } from "../thinking.js";

/** @typedef {import("../table.js").Table} Table */

const USUAL = ["hillclimb", "genetic", "minimax", "alphabeta"];
const LEFT_OUT = ["level"];

/** @param {Table} table */
export async function openCompare(table) {
  const { board } = table;
  const known = (await agents(board.game)).filter((each) => !LEFT_OUT.includes(each.name));
  const chosen = settings.compared[board.name] ?? USUAL;
  const boxes = known.map((each) => h("input", { type: "checkbox", value: each.name, checked: chosen.includes(each.name) }));
  const [depth, seconds] = [field(3, 1, 99, 1), field(5, 0.1, 60, "any")];
  const rows = h("tbody", {});
  const [problem, saved] = [h("p", { class: "bad", role: "alert" }), h("p", { role: "status" })];
  const thinker = new Thinker(() => {});
  let ended = false;

  const run = async () => {
    const names = boxes.filter((each) => each.checked).map((each) => each.value);
    change({ compared: { ...settings.compared, [board.name]: names } });
    [rows, problem, saved].forEach((each) => fill(each));
    const found = new Map();
    for (const name of names) {
      const facts = known.find((each) => each.name === name);
      const agent = facts?.settings.some((each) => each.name === "depth") ? `${name}:depth=${depth.value}` : name;
      const thought = { start: table.start, moves: table.moves.join(" "), agent, seconds: Number(seconds.value) || 5 };
      const story = await thinker.think(thought, board).catch((error) => void fill(problem, trouble(error)));
      if (ended || !story?.analysis) continue;
      found.set(name, story.analysis);
      rows.append(row(agent, story.analysis, board.seats));
    }
    fill(saved, saving(found.get("minimax"), found.get("alphabeta")));
  };
  const form = h("form", { class: "compare-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); run(); } },
    h("fieldset", {}, h("legend", {}, say("web.algorithms")), boxes.map((box) => h("label", { class: "check" }, box, ` ${box.value}`))),
    labelled(say("web.setting_depth"), depth), labelled(say("web.seconds_search"), seconds),
    h("button", { type: "submit", class: "primary" }, say("web.start")));
  const headings = ["web.engine", "analyse.column_move", "analyse.column_value", "web.nodes_word", "web.time_word"].map((key) => h("th", { scope: "col" }, say(key)));
  const dialog = openDialog(say("web.compare"), h("p", { class: "quiet" }, say("web.compare_about", { player: player(board.turn, board.seats) })), form, problem,
    h("table", { class: "compare" }, h("thead", {}, h("tr", {}, headings)), rows), saved);
  dialog.addEventListener("close", () => { ended = true; thinker.stop(); });
}

/** @param {number} value @param {number} min @param {number} max @param {number | string} step */
function field(value, min, max, step) {
  return h("input", { type: "number", min, max, step, value: String(value) });
}

/** @param {string} agent @param {import("../api.js").ThoughtEvent} found @param {number} seats */
function row(agent, found, seats) {
  const value = whole(found);
  return h("tr", { "data-agent": agent, "data-nodes": found.nodes, "data-value": found.value, "data-move": found.move },
    h("th", { scope: "row" }, agent), h("td", {}, found.move), h("td", { title: player(found.turn, seats) }, value ? h("span", { class: `badge ${look(value)}` }, worth(value)) : "–"),
    h("td", {}, count(found.nodes)), h("td", {}, say("web.seconds", { seconds: rounded(found.ms / 1000, 2) })));
}

/** What pruning has saved, where both have looked as deep.
 * @param {any} minimax @param {any} alphabeta */
function saving(minimax, alphabeta) {
  if (!minimax || !alphabeta || [minimax, alphabeta].some((each) => each.why === "time")) return "";
  return say("web.compare_saved", { share: rounded((100 * alphabeta.nodes) / minimax.nodes, 1) });
}
