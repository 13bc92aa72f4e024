// @ts-check
// Code and commands to read, to copy and to keep as a file; nothing here is ever run.

import { announce, h } from "./dom.js";
import { copy, download } from "./files.js";
import { say } from "./language.js";

/** A button that copies a text, and says so.
 * @param {string} text @param {string} what */
function copyButton(text, what) {
  const button = h("button", { type: "button", "aria-label": say("web.copy_what", { what }), onclick: async () => {
    const done = say((await copy(text)) ? "web.was_copied" : "web.copy_failed");
    button.textContent = done;
    announce(done);
    setTimeout(() => { button.textContent = say("web.copy"); }, 2_000);
  } }, say("web.copy"));
  return button;
}

/** A command to type in a terminal.
 * @param {string} text */
export function command(text) {
  return h("div", { class: "command" }, h("code", { tabindex: 0, role: "group", "aria-label": say("web.command") }, text), copyButton(text, text));
}

/** A piece of code or a transcript, with buttons to copy it and, where it has a name, to keep it.
 * @param {string} title @param {string} text @param {string} [file] */
export function listing(title, text, file) {
  const keep = file && h("button", { type: "button", onclick: () => download(file, "text/plain", text) }, say("web.save_as", { file }));
  return h("div", { class: "listing" },
    h("pre", { tabindex: 0, role: "region", "aria-label": title }, h("code", {}, text)),
    h("div", { class: "row" }, copyButton(text, title), keep));
}
