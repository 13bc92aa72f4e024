// @ts-check
// Elements from code: no text is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | Node | null | undefined | false} Leaf */
/** @typedef {Leaf | Children} Child */
/** @typedef {{readonly [place: number]: Child, readonly length: number, flat: Function}} Children A list, of lists perhaps. */
/** @typedef {Record<string, any>} Attributes */

/** @param {Element} element @param {Attributes} attributes */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]} */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  const { value, ...rest } = attributes;
  dress(element, rest);
  append(element, children);
  if (value !== undefined) Reflect.set(element, "value", value); // a select needs its options first
  return element;
}

/** An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children
 * @returns {SVGElement} */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(element, attributes);
  append(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Put children in place of what an element holds.
 * @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** The drawing that the server made, as an element of this document.
 * @param {string} text @returns {SVGSVGElement} */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {any} */ (document.importNode(parsed, true));
}

/** Parts of a drawing, in a group.
 * @param {string} text @param {string} name @returns {SVGElement} */
export function group(text, name) {
  const parsed = drawing(`<svg xmlns="${SVG}"><g class="${name}">${text}</g></svg>`);
  return /** @type {SVGElement} */ (parsed.firstElementChild);
}

/** Say something to people who do not see the page.
 * @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}
