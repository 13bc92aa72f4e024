// @ts-check
// Make a room, or enter one whose code somebody has read out.

import { games } from "../api.js";
import { fill, h } from "../dom.js";
import { say, trouble } from "../language.js";
import { GamePicker, labelled } from "../picker.js";
import { makeRoom } from "../room/asking.js";
import { go } from "../router.js";
import { keep, read } from "../settings.js";

const CHOSEN = "papan.room";

/** @param {URL} url @returns {Promise<import("../router.js").Screen>} */
export async function newRoom(url) {
  const last = read(CHOSEN);
  const what = url.searchParams.get("pos") ? given(String(url.searchParams.get("pos"))) : await chosen(url, last);
  const element = h("div", { class: "new-room" },
    h("h1", {}, say("room.play_friend")),
    h("p", { class: "quiet lead" }, say("room.lead")),
    makeForm(what, last),
    joinForm());
  return { title: say("room.play_friend"), element };
}

/** @typedef {{element: HTMLElement, game: string, start: () => string}} Choice */

/** A position that the address names.
 * @param {string} position @returns {Choice} */
function given(position) {
  const field = h("textarea", { readonly: true, rows: 3, value: position });
  return { element: labelled(say("room.position"), field), game: "", start: () => position };
}

/** A game for two, and its size.
 * @param {URL} url @param {any} last @returns {Promise<Choice>} */
async function chosen(url, last) {
  const all = (await games()).filter((each) => each.seats === 2);
  const wanted = url.searchParams.get("game") ?? last.game;
  const place = h("div", {});
  const name = all.find((each) => each.name === wanted)?.name ?? all[0].name;
  const select = h("select", { value: name, onchange: () => offer() }, all.map((each) => h("option", { value: each.name }, say(`game.${each.name}`))));
  let picker = new GamePicker(all[0], () => {});
  const offer = () => {
    picker = new GamePicker(all.find((each) => each.name === select.value) ?? all[0], () => {});
    fill(place, picker.element);
  };
  offer();
  const element = h("div", {}, labelled(say("room.game"), select), place);
  return { element, get game() { return select.value; }, start: () => picker.spec };
}

/** @param {Choice} what @param {any} last */
function makeForm(what, last) {
  const seat = h("select", { value: ["any", "first", "second"].includes(last.seat) ? last.seat : "any" },
    h("option", { value: "any" }, say("room.any_seat")),
    h("option", { value: "first" }, say("room.place_first")),
    h("option", { value: "second" }, say("room.place_second")));
  const minutes = h("input", { type: "number", min: 0, max: 180, step: "any", value: String(last.minutes ?? "") });
  const increment = h("input", { type: "number", min: 0, max: 180, step: "any", value: String(last.increment ?? "") });
  const problem = h("p", { role: "alert", class: "bad" });
  const make = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const clock = Number(minutes.value) > 0 ? { minutes: Number(minutes.value), increment: Number(increment.value) } : null;
    keep(CHOSEN, { game: what.game || last.game, seat: seat.value, minutes: minutes.value, increment: increment.value });
    try {
      await go(`/room/${await makeRoom({ start: what.start(), seat: seat.value, clock })}`);
    } catch (error) {
      fill(problem, trouble(error));
    }
  };
  return h("form", { onsubmit: make },
    what.element,
    labelled(say("room.place"), seat),
    h("div", { class: "options" }, labelled(say("room.clock_minutes"), minutes), labelled(say("room.clock_increment"), increment)),
    problem,
    h("button", { type: "submit", class: "primary" }, say("room.make")));
}

/** For a code that somebody has read out: spaces and capitals do not matter. */
function joinForm() {
  const code = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: true, placeholder: "abcd-efgh-ijkl-mnop" });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    const letters = code.value.toLowerCase().replace(/[^a-z2-7]/g, "");
    go(`/room/${(letters.match(/.{1,4}/g) ?? []).join("-")}`);
  };
  return h("form", { onsubmit: enter },
    h("h2", {}, say("room.or_join")),
    labelled(say("room.code"), code),
    h("button", { type: "submit" }, say("room.join")));
}
