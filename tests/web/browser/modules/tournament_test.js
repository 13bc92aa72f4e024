// Tests of screens/tournament.js: intervals, and how tournaments end.

import { endings, eloText } from "/static/js/screens/tournament.js";
import { equal, test } from "./asserts.js";

test("V04: lopsided intervals show both ends", () => {
  const known = [[120, 45, 210], [-30, -50, -10], [null, 93, null], [null, null, -93], [null, null, null]];
  const texts = known.map(([value, low, high]) => eloText({ value, low, high }));
  equal(texts, ["+120 [+45, +210]", "\u221230 \u00b1 20", "\u2265 +93", "\u2264 \u221293", "?"]);
});

test("T04: of pairs that were repeated the number is told", () => {
  const met = { first: "minimax", second: "hillclimb", games: 20, pentanomial: [] };
  const encounters = [{ ...met, distinct: 1 }, { ...met, distinct: 10 }];
  const text = endings({ endings: {}, encounters })[1].props.children;
  equal([text, /^Different pairs: [^,]+ - [^,]+ 1\/10\. The others .*$/.test(text)], [text, true]);
});
