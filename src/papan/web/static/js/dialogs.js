// @ts-check
// Dialogs: they hold the focus, Esc closes them, and the focus returns to where it was.

import { say } from "./language.js";
import { closeDialogs, present } from "./ui.js";
import { Fragment, h, render } from "./vendor/preact.mjs";
/** @import { Child } from "./vendor/preact.mjs" */

/** Open a dialog. @param {string} title @param {(close: () => void) => Child} body @param {boolean} [asks] Its body has a way out. @returns {HTMLDialogElement} */
export function openDialog(title, body, asks = false) {
  const dialog = document.createElement("dialog");
  const close = () => dialog.close();
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.addEventListener("close", () => { render(null, dialog); dialog.remove(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
  for (const menu of document.querySelectorAll("details.more[open]")) menu.removeAttribute("open");
  document.body.append(dialog);
  render(h(Fragment, {},
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title), !asks && h("button", { type: "button", class: "plain", onclick: close }, say("web.close"))),
    body(close)), dialog);
  dialog.showModal();
  return dialog;
}

/** Ask before something that cannot be taken back. @param {string} question @param {string} yes @param {string} [no] @returns {Promise<boolean>} */
export function confirmed(question, yes, no = say("web.cancel")) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(question, (close) => h("div", { class: "row" },
      h("button", { type: "button", onclick: close }, no), // it has the focus first
      h("button", { type: "button", class: "primary", onclick: () => { answer = true; close(); } }, yes)), true);
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** Keys of a screen, as pairs of a key and what it does; in the app those of every screen, and where more is told.
 * @param {[string, string][]} keys @param {Child} [rules] the way to the rules of the game */
export function openHelp(keys, rules) {
  const app = document.getElementById("top") !== null; // and no notebook
  const everywhere = /** @type {[string, string][]} */ (app ? [["P", say("web.key_present")], ["Esc", say("web.key_escape")]] : []);
  openDialog(say("screen.keys"), () => [
    h("table", { class: "keys" }, h("tbody", {}, [...keys, ...everywhere].map(([key, text]) =>
      h("tr", {}, h("th", { scope: "row" }, key.split(" ").map((each) => h("kbd", {}, each))), h("td", {}, text))))),
    app && h("p", { class: "row" }, rules,
      h("button", { type: "button", onclick: () => { closeDialogs(); present(say("web.present_leave")); } }, say("web.present")),
      [["/help", "help.title"], ["/learn", "learn.title"], ["/about", "about.title"]].map(([href, key]) => h("a", { class: "button", href, "data-link": "" }, say(key)))),
  ]);
}
