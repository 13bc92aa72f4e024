// Asserts for the tests of single modules, and the function that runs them: see test_modules.py.

import { takeTexts } from "/static/js/language.js";
import { h, render } from "/static/js/vendor/preact.mjs";

/** @type {{name: string, act: () => unknown}[]} */
const tests = [];
/** @type {Record<string, Promise<any>>} */
const texts = {};

/** Declare a test. @param {string} name @param {() => unknown} act */
export function test(name, act) { tests.push({ name, act }); }

/** Fail unless two values have the same JSON. @param {unknown} found @param {unknown} expected */
export function equal(found, expected) {
  const [one, other] = [found, expected].map((each) => JSON.stringify(each) ?? "undefined");
  if (one !== other) throw new Error(`found ${one}\nexpected ${other}`);
}

/** Fail unless a promise is rejected; return the error. @param {Promise<unknown>} promise @returns {Promise<any>} */
export async function rejected(promise) {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (!error) throw new Error("nothing was refused");
  return error;
}

/** Return an element with what a page would draw. @param {any} what @returns {HTMLElement} */
export function drawn(what) {
  const element = document.createElement("div");
  render(h("div", {}, what), element);
  return element;
}

/** Return what a page would draw, as the text that is read. @param {any} what */
export function textOf(what) { return (drawn(what).textContent ?? "").replaceAll(/\s+/g, " ").trim(); }

/** Use the texts of a language from here on. @param {"id" | "en"} language */
export async function speak(language) {
  texts[language] ??= fetch(`/api/v1/texts/${language}`).then((answer) => answer.json());
  takeTexts(await texts[language], language);
}

/**
 * Run all tests of a file, each with empty storage and in English; return what failed, by the name of the test.
 * @param {string} file
 * @returns {Promise<Record<string, string>>} An empty text for each test that passes.
 */
export async function run(file) {
  /** @type {Record<string, string>} */
  const outcomes = {};
  await import(`./${file}`);
  for (const { name, act } of tests.splice(0)) {
    localStorage.clear();
    await speak("en");
    try {
      await act();
      outcomes[name] = "";
    } catch (error) {
      outcomes[name] = String(error);
    }
  }
  return outcomes;
}
