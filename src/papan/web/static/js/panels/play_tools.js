// @ts-check
// The tools and the menu of a game that is played or watched.

import { download, pngOf } from "../files.js";
import { docked, narrow, openKeys } from "../game_screen.js";
import { turnable } from "../board.js";
import { say } from "../language.js";
import { PERSON } from "../saved_game.js";
import { change, settings } from "../settings.js";
import { sound, vibrates } from "../sound.js";
import { iconTool, select, shortTool, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { actions } from "./review.js";
/** @import { GameState } from "../game.js" */
/** @import { PlayScreen } from "../screens/play.js" */

const SPEEDS = [0.2, 0.5, 1, 2, 4, 8]; // moves a second

/** @param {boolean} on */
const pressed = (on) => ({ "aria-pressed": String(on) });

/** Return the tools under the board. @param {PlayScreen} screen */
export function tools(screen) {
  if (screen.ended && narrow()) return actions(screen);
  return [
    screen.ended && docked() && actions(screen),
    screen.game.watched ? watching(screen) : playing(screen),
    !crowded(screen) && usual(screen),
  ];
}

/** Return the tools behind "More". @param {PlayScreen} screen */
export function menu(screen) {
  const { game, view, puzzle, turns, navigation, clocks } = screen;
  const { name, svg, seats } = game.board;
  const alone = seats === 1 && !game.over && !game.watched;
  return [
    narrow() && screen.ended && backAndForth(screen),
    narrow() && (game.watched ? [choosing(screen), takingOver(screen), turning(screen), speed("")] : puzzle.tools()),
    !game.over && agents(game).length > 0 && tool(changes(game), () => changing(screen)),
    alone && tool("web.timed", () => turns.toggleClock(), pressed(clocks.on)),
    crowded(screen) && usual(screen),
    seats === 2 && tool("web.swap", () => navigation.swap()),
    seats === 2 && (settings.values || turnable(game.board)) && tool("web.flip", () => view.flip()),
    puzzle.menu(),
    game.moves.length > 0 && tool("web.replay", () => navigation.replay()),
    tool("web.save", () => download(`${name}.json`, "application/json", game.record())),
    tool("web.load", () => screen.attempt(() => navigation.load())),
    tool("web.picture", () => download(`${name}.svg`, "image/svg+xml", svg)),
    tool("web.export_png", async () => download(`${name}.png`, "image/png", await pngOf(svg))),
    tool("web.sound", () => toggle("sound", screen), pressed(settings.sound)),
    vibrates && tool("web.vibration", () => toggle("vibration", screen), pressed(settings.vibration)),
    tool("web.help", () => openKeys(view, screen.keys())),
  ];
}

/** Return whether there is no room for the usual tools: they are behind "More" then. @param {PlayScreen} screen */
function crowded({ game, agent }) {
  return narrow() || agent.slow || game.watched || game.board.seats === 1;
}

/** @param {PlayScreen} screen */
function usual({ navigation }) {
  return [
    tool("web.new", () => navigation.renew()),
    iconTool("web.share", () => navigation.share()),
    iconTool("web.analyse", () => navigation.analyse()),
  ];
}

/** @param {PlayScreen} screen */
function playing(screen) {
  const { game, agent, clocks, turns, adviser, moves, puzzle } = screen;
  const alone = game.board.seats === 1;
  const open = !game.over;
  return [
    turns.stopped && tool("web.go_on", () => turns.goOn(), { class: "primary" }),
    backAndForth(screen),
    open && !(narrow() && agent.slow) && tool("web.hint", () => adviser.ask()),
    thinking(screen),
    !narrow() && puzzle.tools(),
    open && (alone || clocks.on) && iconTool("web.pause", () => turns.pause(!turns.paused), pressed(turns.paused)),
    open && !alone && iconTool("web.resign", () => moves.resign()),
  ];
}

/** @param {PlayScreen} screen */
function watching(screen) {
  const { game, turns, navigation } = screen;
  const { paused } = turns;
  const start = paused ? "web.start" : "web.pause";
  return [
    !game.over && tool(start, () => turns.pause(!turns.paused), { key: "pause", class: "primary" }),
    !game.over && iconTool("web.step", () => turns.step(), { disabled: !paused }),
    backAndForth(screen),
    !narrow() && [speed("unseen"), turning(screen)],
    thinking(screen),
    !narrow() && takingOver(screen),
    !narrow() && choosing(screen),
    game.over && game.moves.length > 0 && shortTool("web.review", () => navigation.review(), say("end.review")),
    game.over && shortTool("web.rematch", () => navigation.rematch(), say("end.again")),
  ];
}

/** Return the choice of the speed of a watched game. @param {string} named The class of the label. */
function speed(named) {
  const speeds = [
    ["0", say("watch.to_read")],
    ...SPEEDS.map((each) => [String(each), say("web.speed_of", { speed: each })]),
  ];
  return h("label", { class: "speed" },
    h("span", { class: named }, say("web.speed_label")),
    select(String(settings.speed), speeds, (chosen) => change({ speed: Number(chosen) })),
  );
}

/** @param {PlayScreen} screen */
function choosing(screen) {
  return tool("web.watch_choose", () => screen.attempt(() => screen.navigation.chooseWatched()));
}

/** Return the switch that pauses a watched game at turning points. @param {PlayScreen} screen */
function turning({ game, view }) {
  const flip = () => {
    change({ turning: !settings.turning });
    view.update();
  };
  return !game.undone.length && !game.over && tool("web.watch_turning", flip, pressed(settings.turning));
}

/** Return the seats of agents, counted from 0; none if moves are only replayed. @param {GameState} game */
function agents({ players, watched, undone }) {
  return watched && undone.length ? [] : players.flatMap((each, seat) => (each === PERSON ? [] : [seat]));
}

/** Return the key of the text that offers other agents. @param {GameState} game */
function changes(game) { return agents(game).length > 1 ? "web.change_players" : "web.change_opponent"; }

/** Open the choice of another agent for each seat of one. @param {PlayScreen} screen */
async function changing({ game, navigation }) {
  const { openOpponents } = await import("../pickers.js");
  const replace = (/** @type {string[]} */ players) => navigation.replacePlayers(players);
  openOpponents(changes(game), game.board.game, game.players, agents(game), replace);
}

/** @param {PlayScreen} screen */
function takingOver({ game, navigation }) {
  return !game.over && tool("web.play_from_here", () => navigation.takeOver());
}

/** @param {PlayScreen} screen */
function backAndForth({ game, agent, moves }) {
  const disabled = !game.moves.length && !game.givenUp;
  return [
    (game.watched ? iconTool : tool)("web.undo", () => moves.undo(), { disabled }),
    !(narrow() && agent.slow) && iconTool("web.redo", () => moves.redo(), { disabled: !game.undone.length }),
  ];
}

/** @param {PlayScreen} screen */
function thinking({ agent, turns }) {
  return (
    agent.slow &&
    agent.busy && [tool("web.move_now", () => agent.hurry()), tool("web.stop", () => turns.stop())]
  );
}

/**
 * Switch sound or vibration on, with an example, or off.
 * @param {"sound" | "vibration"} what
 * @param {PlayScreen} screen
 */
function toggle(what, { view }) {
  change({ [what]: !settings[what] });
  if (settings[what]) sound("move");
  view.update();
}
