// @ts-check
// The buttons of a table: what can be done now, and the rest behind "More".

import { h } from "../dom.js";
import { say } from "../language.js";
import { change, settings } from "../settings.js";
import { refill, tool } from "../tools.js";
import { again, analyse, fresh, rematch, replay, resign, swap, takeOver } from "./again.js";
import { help } from "./keys.js";
import { load, photo, picture, save, share } from "./saving.js";

/** @typedef {import("./screen.js").PlayScreen} PlayScreen */

const SPEEDS = [0.5, 1, 2, 4, 8];

/** @param {HTMLElement} place @param {PlayScreen} screen */
export function showTools(place, screen) {
  const narrow = matchMedia("(max-width: 720px)").matches;
  const usual = [
    tool("web.new", fresh),
    tool("web.share", () => share(screen)),
    tool("web.analyse", () => analyse(screen)),
  ];
  refill(place,
    screen.table.watched ? watching(screen) : playing(screen),
    !narrow && usual,
    h("details", { class: "more" }, h("summary", {}, say("web.more")),
      h("div", { class: "menu", onclick: () => place.querySelector("details")?.removeAttribute("open") }, narrow && usual, menu(screen))));
}

/** @param {PlayScreen} screen */
function backAndForth(screen) {
  const { table } = screen;
  return [
    tool("web.undo", () => screen.undo(), { disabled: !table.moves.length && !table.givenUp }),
    tool("web.redo", () => screen.redo(), { disabled: !table.undone.length }),
  ];
}

/** @param {PlayScreen} screen */
function thinking(screen) {
  return [
    screen.turns.thinker.busy && tool("web.move_now", () => screen.turns.thinker.hurry()),
    screen.turns.thinker.busy && tool("web.stop", () => screen.turns.stop()),
  ];
}

/** @param {PlayScreen} screen */
function playing(screen) {
  const { table, advice, clocks, puzzle } = screen;
  const alone = table.board.seats === 1;
  const pausable = !table.over && (alone || clocks.on);
  return [
    table.over && (alone ? puzzle.ending() : tool("web.rematch", () => rematch(screen), { class: "primary" })),
    table.over && alone && table.end !== "stuck" && tool("screen.again_alone", () => again(screen)),
    screen.turns.stopped && tool("web.go_on", () => { screen.turns.stopped = false; screen.turns.next(); }, { class: "primary" }),
    backAndForth(screen),
    !table.over && tool("web.hint", () => advice.hint(!advice.hinting), { "aria-pressed": String(advice.hinting) }),
    thinking(screen),
    puzzle.tools(),
    alone && !table.over && tool("web.timed", () => timed(screen), { "aria-pressed": String(clocks.on) }),
    pausable && tool("web.pause", () => screen.turns.pause(!screen.turns.paused), { "aria-pressed": String(screen.turns.paused) }),
    !table.over && !alone && tool("web.resign", () => resign(screen)),
  ];
}

/** @param {PlayScreen} screen */
function watching(screen) {
  const { table, turns: { paused } } = screen;
  return [
    !table.over && tool(paused ? "web.start" : "web.pause", () => screen.turns.pause(!paused), { class: "primary" }),
    !table.over && tool("web.step", () => screen.turns.step(), { disabled: !paused }),
    backAndForth(screen),
    speed(),
    thinking(screen),
    !table.over && tool("web.play_from_here", () => takeOver(screen)),
    table.over && tool("web.rematch", () => rematch(screen)),
  ];
}

function speed() {
  const select = h("select", { value: String(settings.speed), onchange: () => change({ speed: Number(select.value) }) },
    SPEEDS.map((each) => h("option", { value: String(each) }, say("web.speed_of", { speed: each }))));
  return h("label", { class: "speed" }, h("span", { class: "unseen" }, say("web.speed_label")), select);
}

/** Play against the clock, or freely: the board stays as it is.
 * @param {PlayScreen} screen */
function timed(screen) {
  screen.clocks.turn(!screen.clocks.on);
  screen.turns.next();
  screen.remember();
}

/** @param {PlayScreen} screen */
function menu(screen) {
  const { table, advice } = screen;
  const two = table.board.seats === 2;
  return [
    two && tool("web.swap", () => swap(screen)),
    two && (settings.values || screen.view.turnable) && tool("web.flip", () => advice.flip()),
    screen.puzzle.menu(),
    table.moves.length > 0 && tool("web.replay", () => replay(screen)),
    tool("web.save", () => save(screen)),
    tool("web.load", () => load(screen)),
    tool("web.picture", () => picture(screen)),
    tool("web.export_png", () => photo(screen)),
    tool("web.help", help),
  ];
}
