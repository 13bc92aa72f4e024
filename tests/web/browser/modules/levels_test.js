// The levels of a puzzle in the spec of its game.

import { levelIn, levelsOf, withLevel, withoutLevel } from "/static/js/levels.js";
import { equal, test } from "./asserts.js";

test("levels are the choices of the option that the game names", () => {
  const options = [
    { name: "kinds", choices: [] },
    { name: "gravity", choices: ["none", "down"] },
  ];
  equal(levelsOf(/** @type {any} */ ({ options, level_option: "gravity" })), ["none", "down"]);
  equal(levelsOf(/** @type {any} */ ({ options, level_option: "" })), []);
  equal(levelsOf(undefined), []);
});

test("a spec names its level, or none", () => {
  equal(levelIn("onet:6,6,gravity=down,seed=3", "gravity"), "down");
  equal([levelIn("onet:6,6", "gravity"), levelIn("onet:6,6,gravity=down", "")], [undefined, undefined]);
});

test("a level is taken out of a spec", () => {
  equal(withoutLevel("onet:6,6,gravity=down,seed=3", "gravity"), "onet:6,6,seed=3");
  equal(withoutLevel("onet:6,6", ""), "onet:6,6");
});

test("a level takes the place of another", () => {
  equal(withLevel("onet:6,6,gravity=down,seed=3", "gravity", "left"), "onet:6,6,seed=3,gravity=left");
  equal(withLevel("onet", "gravity", "left"), "onet:gravity=left");
  equal(withLevel("onet:6,6", "gravity", undefined), "onet:6,6");
});
