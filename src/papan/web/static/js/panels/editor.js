// @ts-check
// The editor that sets up a board; the server knows which pieces fit where, and whether a game can reach it.

import { edited } from "../api.js";
import { Board, focusBoard } from "../board.js";
import { gameTitle, player, say } from "../language.js";
import { Group, Part, announce, entry, labelled, select, tool } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { DraftFacts as Draft } from "../wire.d.ts" */
/** @typedef {Partial<import("../wire.d.ts").EditRequest>} Edit */

const NOTHING = ".";
const FEW = 3; // up to so few pieces, clicking a spot steps through them

/**
 * @typedef {object} EditorProps
 * @property {string} draft What it begins with.
 * @property {(draft: Draft) => void} done
 * @property {(error?: unknown) => void} cancel
 * @property {(draft: Draft) => void} changed
 */

/** @extends {Part<EditorProps>} */
export class PositionEditor extends Part {
  /** @type {Draft | null} */
  draft = null;
  /** @type {string[]} */
  past = [];
  /** @type {string | null} */
  chosen = null; // the piece to put; null: go through all of them
  queue = Promise.resolve(); // one change after the other, however quickly they come

  async componentDidMount() {
    try {
      this.#show(await edited({ position: this.props.draft }));
      this.chosen = this.draft && this.draft.pieces.length > FEW ? this.draft.pieces[1].content : null;
      this.forceUpdate(focusBoard);
    } catch (error) {
      this.props.cancel(error);
    }
  }

  /**
   * Return the piece to put on a spot: the chosen one, none if it is there already, or else the next one.
   * @param {Draft} draft
   * @param {string} spot
   */
  #content({ spots, pieces }, spot) {
    if (this.chosen !== null) return spots[spot] === this.chosen ? NOTHING : this.chosen;
    const order = pieces.map((each) => each.content);
    return order[(order.indexOf(spots[spot]) + 1) % order.length];
  }

  /** @param {(draft: Draft) => Edit} edit @param {boolean} [back] */
  #enqueue(edit, back = false) {
    this.queue = this.queue.then(async () => {
      const { draft } = this;
      if (!draft) return;
      try {
        const next = await edited({ position: draft.position, ...edit(draft) });
        if (!back) this.past.push(draft.position);
        this.#show(next);
      } catch (error) {
        this.complain(error);
      }
    });
  }

  /** @param {Draft} draft */
  #show(draft) {
    this.draft = draft;
    this.problem = draft.problem ? say(draft.problem.key, draft.problem.values) : "";
    announce(this.problem || say("web.editor_fine"));
    this.forceUpdate();
    this.props.changed(draft);
  }

  /** @param {string | null} piece */
  #choose(piece) {
    this.chosen = piece;
    this.forceUpdate();
  }

  /** Choose a piece by a digit; leave the editor with Esc. @param {KeyboardEvent} event */
  key = (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const piece = /^[0-9]$/.test(event.key) ? this.draft?.pieces[Number(event.key)] : undefined;
    if (piece) {
      this.#choose(piece.content);
      announce(pieceName(piece.content));
    } else if (event.key === "Escape") this.props.cancel();
  };

  render() {
    const { draft, chosen } = this;
    if (!draft) return h("div", { class: "editor" });
    const board = { ...draft, legal: [], spots_in_a_move: 1 };
    const choice = (/** @type {string | null} */ content, /** @type {string} */ text, /** @type {string} */ svg) =>
      h("button", {
          type: "button",
          "data-piece": content ?? "all",
          "aria-pressed": String(chosen === content),
          "aria-label": text,
          title: text,
          onclick: () => this.#choose(content),
        },
        svg
          ? h("svg", { viewBox: "0 0 60 60", width: 32, height: 32, "aria-hidden": "true" },
              h(Group, { name: "piece", text: svg }),
            )
          : text,
      );
    return h("div", { class: "editor", onkeydown: this.key },
      h(Board, {
        board,
        label: say("web.editor_board", { game: gameTitle(draft.game) }),
        live: true,
        cells: true,
        pick: (spot) => this.#enqueue((now) => ({ spot, content: this.#content(now, spot) })),
      }),
      h("p", { class: draft.problem ? "status bad" : "status", role: "status" },
        this.problem || say("web.editor_fine"),
      ),
      h("div", { class: "pieces", role: "group", "aria-label": say("web.pieces") },
        draft.pieces.length <= FEW && choice(null, say("web.piece_all"), ""),
        draft.pieces.map((each) => choice(each.content, pieceName(each.content), each.svg)),
      ),
      h("div", { class: "fields" }, this.#fields(draft)),
      h("div", { class: "row" }, this.#buttons(draft)),
    );
  }

  /** @param {Draft} draft */
  #fields(draft) {
    const turns = [0, 1].map((seat) => [String(seat), player(seat, 2)]);
    return [
      draft.seats === 2 &&
        labelled(
          say("web.whose_turn"),
          select(String(draft.turn), turns, (turn) => this.#enqueue(() => ({ turn: Number(turn) })), {
            "data-field": "turn",
          }),
        ),
      draft.dials.map((dial) =>
        labelled(
          say(`web.dial_${dial.name}`),
          entry(dial.value, (value) => this.#enqueue(() => ({ dial: dial.name, value: Number(value) })), {
            type: "number",
            min: dial.least,
            max: dial.most,
            step: 1,
            "data-field": dial.name,
          }),
          dial.name,
        ),
      ),
    ];
  }

  /** @param {Draft} draft */
  #buttons(draft) {
    return [
      tool("web.editor_done", () => this.props.done(draft), { class: "primary", disabled: draft.problem !== null }),
      tool("web.clear", () => this.#enqueue(() => ({ clear: true }))),
      tool("web.editor_start", () => this.#enqueue(() => ({ position: draft.game }))),
      tool("web.undo", () => this.#enqueue(() => ({ position: this.past.pop() ?? draft.position }), true), {
        disabled: !this.past.length,
      }),
      tool("web.cancel", () => this.props.cancel()),
    ];
  }
}

/** @param {string} content */
function pieceName(content) {
  const names = /** @type {Record<string, string>} */ ({
    ".": "web.piece_none",
    x: "web.piece_x",
    o: "web.piece_o",
    "-": "web.piece_line",
  });
  return content in names ? say(names[content]) : say("web.piece_tile", { number: content });
}
