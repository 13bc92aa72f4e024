// From an address to its screen, and back.

import { PLACES, isHere, screenName, wayBack } from "/static/js/places.js";
import { equal, test } from "./asserts.js";

test("the first part of an address names its screen", () => {
  equal(["/", "/play/dots:3,3", "/help", "/room/abc-def"].map(screenName), ["", "play", "help", "room"]);
});

test("a link is current on its own screen", () => {
  equal(
    PLACES.filter(([href]) => isHere(href, "/learn/minimax")).map(([href]) => href),
    ["/learn"],
  );
});

test("a game that is played belongs to the first page", () => {
  equal(
    PLACES.filter(([href]) => isHere(href, "/play/dots")).map(([href]) => href),
    ["/"],
  );
});

test("an address that leads nowhere leads back to its list, or to the games", () => {
  equal(
    ["/lab/999", "/room/gone", "/nowhere", "/play/x"].map((each) => wayBack(each)[0]),
    ["/lab", "/room", "/", "/"],
  );
});
