// @ts-check
// Files to save and to open, copied text, pictures, code and commands to copy.

import { say } from "./language.js";
import { announce, button, parsed } from "./ui.js";
import { Component, h } from "./vendor/preact.mjs";

const SHARP = 2; // pixels for each unit of a drawing
const LONGEST = 1_000_000; // bytes of a saved game

/**
 * Save a content as a file of the browser.
 * @param {string} name
 * @param {string} kind
 * @param {string | Blob} content
 */
export function download(name, kind, content) {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Read a file that the person chooses; null if none is chosen or it is too long.
 * @returns {Promise<string | null>}
 */
export function upload() {
  return new Promise((resolve) => {
    const field = Object.assign(document.createElement("input"), {
      type: "file",
      accept: ".json,.jsonl,application/json",
      className: "unseen",
      ariaHidden: "true",
    });
    const done = async () => {
      const file = field.files?.[0];
      field.remove();
      resolve(file && file.size < LONGEST ? await file.text() : null);
    };
    field.addEventListener("change", done);
    field.addEventListener("cancel", done);
    document.body.append(field);
    field.click();
  });
}

/**
 * Return a field for a file in the words of the page; the browser's own speaks the language of the browser.
 * @param {string} text
 * @param {string} chosen The name of the file, or nothing.
 * @param {(files: FileList) => void} choose
 * @param {Record<string, any>} more
 */
export function fileField(text, chosen, choose, more) {
  return h("div", { class: "field file-field" },
    h("label", { for: "chosen-file" }, text),
    h("input", {
      id: "chosen-file",
      class: "unseen",
      type: "file",
      onclick: (event) => { event.currentTarget.value = ""; }, // the same file may be chosen again
      onchange: (event) => choose(event.currentTarget.files),
      ...more,
    }),
    h("div", { class: "row" },
      h("label", { for: "chosen-file", class: "quiet-button" }, say("web.choose_file")),
      h("span", { class: "quiet", role: "status" }, chosen || say("web.no_file_chosen")),
    ),
  );
}

/** Copy a text; return false if the browser does not allow it. @param {string} text */
export async function copy(text) {
  return (
    (await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )) ?? false
  );
}

/** Return a drawing as a PNG. @param {string} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const { width, height } = parsed(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: SHARP * width.baseVal.value,
    height: SHARP * height.baseVal.value,
  });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** A button that copies a text and confirms it. @extends {Component<{text: string, what: string}>} */
class CopyButton extends Component {
  said = "";

  async copy() {
    this.said = say((await copy(this.props.text)) ? "web.was_copied" : "web.copy_failed");
    announce(this.said);
    this.forceUpdate();
    setTimeout(() => {
      this.said = "";
      this.forceUpdate();
    }, 2_000);
  }

  /** @param {{what: string}} props */
  render({ what }) {
    return button(this.said || say("web.copy"), () => this.copy(), { "aria-label": say("web.copy_what", { what }) });
  }
}

/** Return a command to type in a terminal, with a button to copy it. @param {string} text */
export function command(text) {
  return h("div", { class: "command" },
    h("code", { tabindex: 0, role: "group", "aria-label": say("web.command") }, text),
    h(CopyButton, { text, what: text }),
  );
}

/**
 * Return a piece of code, with buttons to copy it and to save it as a file.
 * @param {string} title
 * @param {string} text
 * @param {string} file
 */
export function listing(title, text, file) {
  return h("div", { class: "listing" },
    h("pre", { tabindex: 0, role: "region", "aria-label": title }, h("code", {}, text)),
    h("div", { class: "row" },
      h(CopyButton, { text, what: title }),
      button(say("web.save_as", { file }), () => download(file, "text/plain", text)),
    ),
  );
}
