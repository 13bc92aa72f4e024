// @ts-check
// Files to keep and links to share.

import { h } from "./dom.js";

/** Let the browser save something as a file.
 * @param {string} name @param {string} kind @param {string | Blob} content */
export function download(name, kind, content) {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The text of a file that a person chooses; null where none is chosen or it is far too long.
 * @returns {Promise<string | null>} */
export function upload() {
  return new Promise((resolve) => {
    const field = h("input", { type: "file", accept: ".json,.jsonl,application/json", class: "unseen", "aria-hidden": "true" });
    field.addEventListener("change", async () => {
      const file = field.files?.[0];
      field.remove();
      resolve(file && file.size < 1_000_000 ? await file.text() : null);
    });
    field.addEventListener("cancel", () => { field.remove(); resolve(null); });
    document.body.append(field);
    field.click();
  });
}

/** Copy a text; false where the browser does not allow it.
 * @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A seed that nobody has chosen. */
export function anySeed() {
  return 1 + Math.floor(Math.random() * 999_999);
}
