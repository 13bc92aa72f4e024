// @ts-check
// The forms that make a room, or enter one by its code.

import { games, makeRoom, reach } from "../api.js";
import { say } from "../language.js";
import { GamePicker } from "../pickers.js";
import { go } from "../router.js";
import { LONGEST_NAME } from "../saved_game.js";
import { change, save, read, settings } from "../settings.js";
import { Part, entry, form, labelled, select } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { Screen } from "../router.js" */
/** @import { GameFacts } from "../wire.d.ts" */
/** @typedef {{all: GameFacts[], game: string, position: string | null}} MakeProps */

const CHOSEN = "papan.room"; // key of the browser's storage: the last choice

/** Return a field for the name of a player. @param {string} name @param {(name: string) => void} choose */
export function nameField(name, choose) {
  const field = entry(name, choose, { type: "text", maxlength: LONGEST_NAME, autocomplete: "nickname" });
  return labelled(say("room.your_name"), field);
}

/**
 * Return the note that only this machine reaches the server, and for each address the command that lets others.
 * @param {string[]} addresses Of this machine in its networks.
 */
function onlyHere(addresses) {
  return h("section", { class: "sheet only-here", "aria-label": say("room.only_here") },
    h("h2", {}, say("room.only_here")),
    h("p", {}, say("room.how_to_host")),
    h("ul", {},
      (addresses.length ? addresses : ["0.0.0.0"]).map((each) =>
        h("li", {}, h("code", {}, `./papan serve --host ${each}`)),
      ),
    ),
    h("p", { class: "quiet" }, say("room.or_one_device")),
  );
}

/** Open the screen that makes a room, or enters one by its code. @param {URL} url @returns {Promise<Screen>} */
export async function newRoom(url) {
  const all = (await games()).filter((each) => each.seats === 2);
  const { alone, addresses } = await reach();
  const wanted = url.searchParams.get("game") ?? read(CHOSEN).game;
  const game = all.find((each) => each.name === wanted)?.name ?? all[0].name;
  return {
    title: say("room.play_friend"),
    view: h("div", { class: "new-room" },
      h("h1", {}, say("room.play_friend")),
      h("p", { class: "quiet lead" }, say("room.lead")),
      alone && onlyHere(addresses),
      h(MakeForm, { all, game, position: url.searchParams.get("pos") }),
      joinForm(),
    ),
  };
}

/**
 * The form for a new room: a game with its size or a given position, the seat, and the clock.
 * @extends {Part<MakeProps>}
 */
class MakeForm extends Part {
  /** @param {MakeProps} props */
  constructor(props) {
    super(props);
    const { seat, minutes = "", increment = "" } = read(CHOSEN);
    this.chosen = {
      game: props.game,
      seat: ["any", "first", "second"].includes(seat) ? seat : "any",
      minutes: String(minutes),
      increment: String(increment),
    };
    this.start = props.position ?? props.game;
    this.called = settings.name;
  }

  /** @param {Partial<typeof this.chosen>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    if (changes.game) this.start = changes.game;
    this.forceUpdate();
  }

  async make() {
    const { seat, minutes, increment } = this.chosen;
    save(CHOSEN, this.chosen);
    change({ name: this.called });
    const clock = Number(minutes) > 0 ? { minutes: Number(minutes), increment: Number(increment) } : null;
    await go(`/room/${await makeRoom({ start: this.start, seat, clock, name: this.called.trim() })}`);
  }

  /** @param {MakeProps} props */
  render({ position }) {
    const seats = [
      ["any", say("room.any_seat")],
      ["first", say("room.place_first")],
      ["second", say("room.place_second")],
    ];
    return form({}, () => this.attempt(() => this.make()),
      position
        ? labelled(say("room.position"), h("textarea", { readonly: true, rows: 3, value: position }))
        : this.#games(),
      labelled(say("room.place"), select(this.chosen.seat, seats, (seat) => this.choose({ seat }))),
      nameField(this.called, (name) => { this.called = name; }),
      h("div", { class: "options" },
        labelled(say("room.clock_minutes"), this.#number("minutes")),
        labelled(say("room.clock_increment"), this.#number("increment")),
      ),
      h("p", { role: "alert", class: "bad" }, this.problem),
      h("button", { type: "submit", class: "primary" }, say("room.make")),
    );
  }

  #games() {
    const { all } = this.props;
    const { game } = this.chosen;
    const names = all.map((each) => [each.name, say(`game.${each.name}`)]);
    return h("div", {},
      labelled(say("room.game"), select(game, names, (name) => this.choose({ game: name }))),
      h(GamePicker, {
        key: game,
        game: all.find((each) => each.name === game) ?? all[0],
        choose: (spec) => { this.start = spec; },
      }),
    );
  }

  /** @param {"minutes" | "increment"} what */
  #number(what) {
    const oninput = (/** @type {any} */ event) => this.choose({ [what]: event.currentTarget.value });
    return h("input", { type: "number", min: 0, max: 180, step: "any", value: this.chosen[what], oninput });
  }
}

/** Return the form for a code that was read out: spaces and capitals do not matter. */
function joinForm() {
  const enter = (/** @type {any} */ [code]) => go(`/room/${codeOf(code.value)}`);
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: false };
  return form({}, enter,
    h("h2", {}, say("room.or_join")),
    labelled(say("room.code"), h("input", { type: "text", ...plain, required: true, placeholder: "abc-def" })),
    h("button", { type: "submit" }, say("room.join")),
  );
}

/**
 * Return the normalized code of a room: groups of three letters in a short one, of four in a whole one.
 * @param {string} typed
 */
function codeOf(typed) {
  const letters = typed.toLowerCase().replace(/[^a-z2-7]/g, "");
  return (letters.match(letters.length > 6 ? /.{1,4}/g : /.{1,3}/g) ?? []).join("-");
}
