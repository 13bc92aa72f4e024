// @ts-check
// Keys of a page: none that belongs to the browser, a field or a dialog.

/** Is a key meant for the page itself?
 * @param {KeyboardEvent} event */
export function forPage({ ctrlKey, metaKey, altKey, target }) {
  const taken = target instanceof Element && target.closest("input, select, textarea");
  return !(ctrlKey || metaKey || altKey || taken || document.querySelector("dialog[open]"));
}

/** Does a key press what has the focus? The space bar does.
 * @param {KeyboardEvent} event */
export function presses({ key, target }) {
  return key === " " && target instanceof Element && target.closest("button, a, summary") !== null;
}
