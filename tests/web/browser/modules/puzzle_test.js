// Boards that are typed or pasted.

import { notation } from "/static/js/puzzle.js";
import { equal, test } from "./asserts.js";

test("rows of numbers become a position of the game at hand", () => {
  equal(notation(" 1 2\n2 1 ", "onet:6,6,seed=3", "gravity"), "onet:2,2 1,2/2,1");
});

test("rows may be parted by slashes, numbers by commas, and points are empty", () => {
  equal(notation("1,.,1/.;2;2", "onet", "gravity"), "onet:2,3 1,0,1/0,2,2");
});

test("the level of the game at hand stays", () => {
  equal(notation("1 1", "onet:6,6,gravity=down,seed=3", "gravity"), "onet:1,2,gravity=down 1,1");
});

test("a whole position stays as it is", () => equal(notation(" onet:1,2 1,1 ", "onet:6,6", "gravity"), "onet:1,2 1,1"));
