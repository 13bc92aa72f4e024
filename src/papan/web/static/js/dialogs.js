// @ts-check
// Dialogs: they hold the focus, Esc closes them, and the focus returns to where it was.

import { h } from "./dom.js";
import { say } from "./language.js";

/** Open a dialog.
 * @param {string} title @param {import("./dom.js").Child[]} body @returns {HTMLDialogElement} */
export function openDialog(title, ...body) {
  const close = h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("web.close"));
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, h("div", { class: "dialog-head" }, heading, close), body);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Ask before something that cannot be taken back.
 * @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const agree = h("button", { type: "button", class: "primary", onclick: () => { answer = true; dialog.close(); } }, yes);
    const dialog = openDialog(question, h("div", { class: "row" }, agree));
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** Keys of a screen, as pairs of a key and what it does.
 * @param {[string, string][]} keys */
export function openHelp(keys) {
  const rows = keys.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, key.split(" ").map((each) => h("kbd", {}, each))), h("td", {}, text)));
  openDialog(say("screen.keys"), h("table", { class: "keys" }, h("tbody", {}, rows)));
}
