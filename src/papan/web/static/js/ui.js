// @ts-check
// Parts that all screens share: buttons, fields, keys, drawings of the server, announcements, dialogs.

import { Refusal } from "./api.js";
import { say, trouble } from "./language.js";
import { Component, Fragment, createRef, h, render } from "./vendor/preact.mjs";
/** @import { Child, VNode } from "./vendor/preact.mjs" */

const SVG = "http://www.w3.org/2000/svg";

/** Announce a text to screen readers. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/**
 * Return a button.
 * @param {Child} text
 * @param {() => unknown} act
 * @param {Record<string, any>} [more]
 */
export function button(text, act, more = {}) {
  return h("button", { type: "button", onclick: act, ...more }, text);
}

/**
 * Return a button with the text of a key; a sign may replace the text.
 * @param {string} key
 * @param {() => unknown} act
 * @param {Record<string, any>} [more]
 * @param {Child} [sign]
 */
export function tool(key, act, more = {}, sign = "") {
  const named = sign ? { "aria-label": say(key), title: say(key) } : {};
  return button(sign || [icon(key), h("span", {}, say(key))], act, { key, "data-tool": key, ...named, ...more });
}

/**
 * Return the same button with fewer words.
 * @param {string} key
 * @param {() => unknown} act
 * @param {string} words
 */
export function shortTool(key, act, words) {
  return tool(key, act, {}, [icon(key), h("span", {}, words)]);
}

/**
 * Return a button that shows only its icon; screen readers read its name.
 * @param {string} key
 * @param {() => unknown} act
 * @param {Record<string, any>} [more]
 */
export function iconTool(key, act, more = {}) {
  return tool(key, act, { title: say(key), ...more, class: `bare ${more.class ?? ""}`.trim() });
}

/** The icons of tools, as paths on a square of 24 by 24. @type {Record<string, string>} */
const ICONS = {
  "web.undo": "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9",
  "web.redo": "M16 5l4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h5",
  "web.hint": "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.3 1 2.1h5c0-.8.3-1.5 1-2.1A6 6 0 0 0 12 3z",
  "hint.close": "M6 6l12 12M18 6L6 18",
  "line.close": "M6 6l12 12M18 6L6 18",
  "line.back": "M15 5l-7 7 7 7",
  "line.forward": "M9 5l7 7-7 7",
  "line.pause": "M8.5 5v14M15.5 5v14",
  "line.play": "M8 5l11 7-11 7z",
  "web.resign": "M6 21V4h11l-2.5 4L17 12H6",
  "web.new": "M12 5v14M5 12h14",
  "web.share": "M12 15V4M8 8l4-4 4 4M5 14v5h14v-5",
  "web.analyse": "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  "web.pause": "M8.5 5v14M15.5 5v14",
  "web.start": "M8 5l11 7-11 7z",
  "web.step": "M6 5l9 7-9 7zM18.5 5v14",
  "web.watch_choose": "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  "web.stop": "M6 6h12v12H6z",
  "web.move_now": "M13 3L5 14h6l-1 7 8-11h-6z",
  "web.shuffle":
    "M4 7h3c5 0 5 10 10 10h3M17.5 14.5L20 17l-2.5 2.5M4 17h3c1.5 0 2.5-1 3.3-2.2" +
    "M13.7 9.2C14.5 8 15.5 7 17 7h3M17.5 4.5L20 7l-2.5 2.5",
  "web.solvable": "M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18.5v.1",
  "web.timed": "M12 8.5V13l3 2M12 5a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9.5 2.5h5",
  "web.more": "M5.5 12v.1M12 12v.1M18.5 12v.1",
  "web.rematch": "M4.5 10A8 8 0 0 1 19 8.5M19.5 4v5h-5M19.5 14A8 8 0 0 1 5 15.5M4.5 20v-5h5",
  "web.review": "M12 4l2.4 5 5.6.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.6-.8z",
  "puzzle.next": "M4 12h15M13 6l6 6-6 6",
  "puzzle.show_solution": "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  "web.first": "M6 5v14M18 6l-7 6 7 6",
  "web.back": "M15 5l-7 7 7 7",
  "web.forward": "M9 5l7 7-7 7",
  "web.last": "M18 5v14M6 6l7 6-7 6",
  "room.back_to_game": "M6 5l7 7-7 7M13 5l7 7-7 7",
  "web.engine_on": "M5 19V11M10 19V5M15 19v-6M20 19V8",
  "web.swap": "M7 20V5M3.5 8.5L7 5l3.5 3.5M17 4v15M13.5 15.5L17 19l3.5-3.5",
  "web.flip": "M4 12h16M8 8l4-4 4 4M8 16l4 4 4-4",
  "web.save": "M12 4v11M8 11l4 4 4-4M5 19h14",
  "web.load": "M4 19V6h6l2 2.5h8V19z",
  "web.picture": "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17",
  "web.sound": "M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  "web.vibration": "M8.5 4h7v16h-7zM4.5 9v6M19.5 9v6",
  "web.editor": "M5 19l1-4L16.5 4.5l3 3L9 18z",
  "web.help": "M3.5 7h17v10h-17zM7 10.5v.1M10.5 10.5v.1M14 10.5v.1M17.5 10.5v.1M8 14h8",
  "web.compare": "M5 19v-8h5v8zM14 19V5h5v14z",
  "variants.title": "M12 4v16M4 7h5v10H4zM15 7h5v10h-5z",
};

/** Tools that look like another one. @type {Record<string, string>} */
const ALIKE = {
  "web.play_from_here": "web.start",
  "web.go_on": "web.start",
  "web.play_best": "web.start",
  "puzzle.get_hint": "web.hint",
  "puzzle.next_hint": "web.hint",
  "puzzle.play_wrong": "web.rematch",
  "puzzle.again": "web.rematch",
  "room.again": "web.rematch",
  "web.replay": "web.rematch",
  "room.takeback": "web.undo",
  "room.new": "web.new",
  "web.export_png": "web.picture",
  "web.paste_board": "web.editor",
  "web.export": "web.share",
};

/** Return the icon of a tool; undefined if it has none. @param {string} key */
export function icon(key) {
  const strokes = ICONS[ALIKE[key] ?? key];
  return strokes && h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: strokes }));
}

/**
 * Move the focus to the element that a selector matches.
 * @param {string} selector
 * @param {ParentNode} [place]
 * @param {FocusOptions} [how]
 */
export function focusOn(selector, place = document, how = {}) {
  const found = place.querySelector(selector);
  if (found instanceof HTMLElement) found.focus(how);
}

/**
 * Return a link to another screen.
 * @param {string} href
 * @param {Child} text
 * @param {Record<string, any>} [more]
 */
export function link(href, text, more = {}) {
  return h("a", { href, "data-link": "", ...more }, text);
}

/**
 * Return a link to the place in the help that answers a question.
 * @param {string} place A page, or a place on it.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function helpLink(place, key, values) {
  return link(`/help/${place}`, say(key, values), { class: "help-link" });
}

let fields = 0;

/** @extends {Component<{text: string, field: VNode}>} */
class Labelled extends Component {
  id = `field-${(fields += 1)}`;

  /** @param {{text: string, field: VNode}} props */
  render({ text, field }) {
    field.props.id ??= this.id;
    return h("div", { class: "field" }, h("label", { for: field.props.id }, text), field);
  }
}

/**
 * Return a label and its field, tied together.
 * @param {string} text
 * @param {VNode} field
 * @param {string} [key]
 */
export function labelled(text, field, key) { return h(Labelled, { text, field, key }); }

/**
 * Return a list to choose from.
 * @param {string} value
 * @param {string[][]} options Values and their texts.
 * @param {(value: string) => unknown} choose
 * @param {Record<string, any>} [more]
 */
export function select(value, options, choose, more = {}) {
  return h("select", { value, onchange: (event) => choose(event.currentTarget.value), ...more },
    options.map(([each, text]) => h("option", { key: each, value: each }, text)),
  );
}

/**
 * @typedef {object} EntryFacts
 * @property {string | number} value
 * @property {(value: string) => unknown} [choose]
 * @property {"input" | "textarea"} [tag]
 *
 * @typedef {EntryFacts & Record<string, any>} EntryProps With any attribute of the element.
 */

/**
 * A field to write in: what is being written stays while the page around it is drawn anew.
 * @extends {Component<EntryProps>}
 */
export class Entry extends Component {
  field = createRef();

  componentDidMount() { this.#write(); }

  /** @param {EntryProps} before */
  componentDidUpdate(before) { if (before.value !== this.props.value) this.#write(); }

  #write() { this.field.current.value = String(this.props.value); }

  /** @param {EntryProps} props */
  render({ value: _, choose, tag = "input", ...more }) {
    return h(tag, { ...more, ref: this.field, onchange: (event) => choose?.(event.currentTarget.value) });
  }
}

/**
 * Return a text field.
 * @param {string | number} value
 * @param {(value: string) => unknown} choose
 * @param {Record<string, any>} more
 */
export function entry(value, choose, more) { return h(Entry, { value, choose, ...more }); }

/**
 * Return a form; *act* receives its fields when it is sent.
 * @param {Record<string, any>} attributes
 * @param {(fields: any) => unknown} act
 * @param {...Child} children
 */
export function form(attributes, act, ...children) {
  return h("form", {
      ...attributes,
      onsubmit: (event) => {
        event.preventDefault();
        act(event.currentTarget.elements);
      },
    },
    children,
  );
}

/** A component that shows what the server refuses. @template [P={}] @extends {Component<P>} */
export class Part extends Component {
  problem = "";

  update() { this.forceUpdate(); }

  /** @param {unknown} error What went wrong, or words that say so. */
  complain(error) {
    this.problem = typeof error === "string" ? error : trouble(error);
    this.update();
  }

  /** Run an action and show what the server refuses; throws any other error again. @param {() => unknown} act */
  async attempt(act) {
    this.problem = "";
    try {
      await act();
    } catch (error) {
      this.complain(error);
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** @extends {Component<{ask: () => Promise<any>, view: (found: any) => Child}>} */
class Awaited extends Component {
  /** @type {any} */
  found = undefined;

  async componentDidMount() {
    this.found = await this.props.ask().catch(() => undefined);
    this.forceUpdate();
  }

  render() { return this.props.view(this.found); }
}

/**
 * Return what *view* draws of a loaded value; it gets undefined before that, and if loading fails.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(found: T | undefined) => Child} view
 * @param {string} [key]
 */
export function awaited(ask, view, key) { return h(Awaited, { ask, view, key }); }

/**
 * Return a checkbox.
 * @param {string} text
 * @param {boolean} checked
 * @param {(checked: boolean) => unknown} choose
 * @param {Record<string, any>} [more]
 */
export function check(text, checked, choose, more = {}) {
  return h("label", { class: "check" },
    h("input", { type: "checkbox", checked, onchange: (event) => choose(event.currentTarget.checked), ...more }),
    ` ${text}`,
  );
}

/** Return the head of a table. @param {Child[]} titles */
export function columns(titles) {
  return h("thead", {},
    h("tr", {},
      titles.map((each) => h("th", { scope: "col" }, each)),
    ),
  );
}

/** Return a section of a page, with a heading. @param {string} key Of its heading. @param {...Child} body */
export function section(key, ...body) { return h("section", {}, h("h2", {}, say(key)), body); }

/**
 * Return a table that scrolls in its own box if it is wider than the screen.
 * @param {string} title
 * @param {string} name
 * @param {...Child} parts
 */
export function scrolling(title, name, ...parts) {
  return h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": title },
    h("table", { class: name }, parts),
  );
}

/** Return a drawing that the server made, as an element. @param {string} text @returns {SVGSVGElement} */
export function parsed(text) {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return /** @type {any} */ (document.importNode(documentElement, true));
}

/**
 * Return the attributes of a drawing, except those that give its size and its role.
 * @param {SVGSVGElement} svg
 * @returns {Record<string, string>}
 */
export function attributesOf(svg) {
  const left = [...svg.attributes].filter(({ name }) => !["xmlns", "role", "width", "height"].includes(name));
  return Object.fromEntries(left.map(({ name, value }) => [name, value]));
}

/**
 * A drawing of the server as part of a page: parsed as XML, and only when its text changes.
 * @extends {Component<{text: string, sized?: boolean}>}
 */
export class Drawing extends Component {
  /** @param {{text: string, sized?: boolean}} next */
  shouldComponentUpdate(next) { return next.text !== this.props.text; }

  /** @param {{text: string, sized?: boolean}} props */
  render({ text, sized = false }) {
    const svg = parsed(text);
    const nodes = [...svg.childNodes];
    const size = sized ? { width: svg.getAttribute("width"), height: svg.getAttribute("height") } : {};
    return h("svg", { ...attributesOf(svg), ...size, ref: (element) => element?.replaceChildren(...nodes) });
  }
}

/** @typedef {{name: string, text?: string, nodes?: Node[]}} GroupProps *text* is parsed, *nodes* were. */

/** Parts of a drawing, in a group. @extends {Component<GroupProps>} */
export class Group extends Component {
  /** @param {GroupProps} next */
  shouldComponentUpdate(next) {
    return next.text !== this.props.text || next.nodes !== this.props.nodes;
  }

  /** @param {GroupProps} props */
  render({ name, text, nodes = [...parsed(`<svg xmlns="${SVG}">${text}</svg>`).childNodes] }) {
    return h("g", { class: name, ref: (element) => element && settle(element, nodes) });
  }
}

/**
 * Set the children of an element; those that it has already are not touched, so that animations continue.
 * @param {Element} element
 * @param {Node[]} nodes
 */
function settle(element, nodes) {
  const wanted = new Set(nodes);
  for (const each of [...element.childNodes]) if (!wanted.has(each)) each.remove();
  let place = element.firstChild;
  for (const each of nodes) {
    if (each === place) place = each.nextSibling;
    else element.insertBefore(each, place);
  }
}

/**
 * Return whether a key is meant for the page, not for the browser, a field or a dialog.
 * @param {KeyboardEvent} event
 */
export function forPage({ ctrlKey, metaKey, altKey, target }) {
  const taken = target instanceof Element && target.closest("input, select, textarea");
  return !(ctrlKey || metaKey || altKey || taken || document.querySelector("dialog[open]"));
}

/** Return whether a key presses the focused element: the space bar on a button or link. @param {KeyboardEvent} event */
export function presses({ key, target }) {
  return key === " " && target instanceof Element && target.closest("button, a, summary") !== null;
}

/** Close all dialogs. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/**
 * Run *work* again and again while the page is visible.
 * @param {() => Promise<number | null>} work Returns the seconds to the next run; null ends the runs.
 * @param {AbortSignal} signal
 * @returns {() => Promise<void>} Asks now.
 */
export function repeatedly(work, signal) {
  let [timer, turns] = [0, 0];
  const turn = async () => {
    const own = (turns += 1);
    clearTimeout(timer);
    const seconds = document.hidden ? 3 : await work();
    if (own !== turns) return; // a later look decides
    clearTimeout(timer);
    if (!signal.aborted && seconds !== null) timer = window.setTimeout(turn, seconds * 1000);
  };
  document.addEventListener(
    "visibilitychange",
    () => {
      if (!document.hidden) turn();
    },
    { signal },
  );
  signal.addEventListener("abort", () => clearTimeout(timer));
  timer = window.setTimeout(turn, 1000);
  return turn;
}

/**
 * Show the page for a projector, with large letters and without tools; without *leave*, show it normally again.
 * @param {string} [leave] how to leave it; nothing leaves it
 */
export function present(leave) {
  if (leave) document.documentElement.dataset.presenting = leave;
  else delete document.documentElement.dataset.presenting;
}

/**
 * Open a dialog.
 * @param {string} title
 * @param {(close: () => void) => Child} body
 * @param {boolean} [asks] Its body has a way out.
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, body, asks = false) {
  const dialog = document.createElement("dialog");
  const close = () => dialog.close();
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  for (const menu of document.querySelectorAll("details.more[open]")) menu.removeAttribute("open");
  document.body.append(dialog);
  render(
    h(Fragment, {},
      h("div", { class: "dialog-head" },
        h("h2", { id: "dialog-title" }, title),
        !asks && button(say("web.close"), close, { class: "plain" }),
      ),
      body(close),
    ),
    dialog,
  );
  dialog.showModal();
  return dialog;
}

/**
 * Ask before something that cannot be taken back.
 * @param {string} question
 * @param {string} yes
 * @param {string} [no]
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes, no = say("web.cancel")) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(
      question,
      (close) =>
        h("div", { class: "row" },
          button(no, close, { class: "primary" }), // it has the focus first: whoever taps on loses nothing
          button(
            yes,
            () => {
              answer = true;
              close();
            },
            { "data-answer": "yes" },
          ),
        ),
      true,
    );
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** @typedef {[string, string][]} ListedKeys Keys, as they are drawn, with what they do. */

/** @type {() => ListedKeys} */
let listed = () => [];

/**
 * List the keys of a screen in its help, until it is left.
 * @param {() => ListedKeys} keys
 * @param {AbortSignal} signal
 */
export function listKeys(keys, signal) {
  listed = keys;
  signal.addEventListener("abort", () => {
    if (listed === keys) listed = () => [];
  });
}

/** Return the keys of the screen that is shown, if it has listed them. */
export function listedKeys() { return listed(); }

/**
 * Return a badge, sign or word that shows its meaning on tap.
 * @param {Child} text
 * @param {string} name Its classes.
 * @param {string} key Of its meaning.
 * @param {Record<string, any>} [more]
 */
export function meaning(text, name, key, more = {}) {
  const open = (/** @type {Event} */ event) => {
    event.stopPropagation();
    const app = document.getElementById("top") !== null; // and no notebook
    openDialog(say("means.title"), () => [
      h("p", { class: "meaning-text" }, h("span", { class: name }, text), " ", say(key)),
      app && h("p", { class: "row" }, helpLink("analyse#signs-and-words", "means.all")),
    ]);
  };
  return h("button", { type: "button", class: `${name} meaning`, "data-meaning": key, onclick: open, ...more }, text);
}

/**
 * Open a dialog with the keys of a screen; in the app also those of every screen, and links to the help.
 * @param {ListedKeys} keys
 * @param {Child} [rules] the way to the rules of the game
 */
export function openHelp(keys, rules) {
  const app = document.getElementById("top") !== null; // and no notebook
  const everywhere = /** @type {[string, string][]} */ (
    app
      ? [
          ["p", say("web.key_present")],
          ["Esc", say("web.key_escape")],
        ]
      : []
  );
  openDialog(say("screen.keys"), () => [
    h("table", { class: "keys" },
      h("tbody", {},
        [...keys, ...everywhere].map(([key, text]) =>
          h("tr", {},
            h("th", { scope: "row" },
              key.split(" ").map((each) => h("kbd", {}, each)),
            ),
            h("td", {}, text),
          ),
        ),
      ),
    ),
    app &&
      h("p", { class: "row" },
        rules,
        button(say("web.present"), () => {
          closeDialogs();
          present(say("web.present_leave"));
        }),
        [
          ["/help", "help.title"],
          ["/learn", "learn.title"],
          ["/about", "about.title"],
        ].map(([href, key]) => h("a", { class: "button", href, "data-link": "" }, say(key))),
      ),
  ]);
}
