// What a person has chosen, saved in this browser.

import { anySeed, change, isDark, save, read, settings } from "/static/js/settings.js";
import { equal, test } from "./asserts.js";

test("what was saved is read again", () => {
  save("papan.test", { a: [1, 2] });
  equal(read("papan.test"), { a: [1, 2] });
});

test("what cannot be read counts as nothing", () => {
  localStorage.setItem("papan.test", "{");
  equal([read("papan.test"), read("papan.missing")], [{}, {}]);
});

test("a change is saved with all other settings", () => {
  change({ speed: 4 });
  equal([settings.speed, read("papan.settings").speed, read("papan.settings").theme], [4, 4, "system"]);
});

test("a chosen theme wins over that of the system", () => {
  change({ theme: "dark" });
  const dark = isDark();
  change({ theme: "light" });
  equal([dark, isDark()], [true, false]);
  change({ theme: "system" });
});

test("a seed is a whole number from 1 to 999,999", () => {
  const { random } = Math;
  const seeds = [0, 0.5, 1 - 2 ** -53].map((value) => {
    Math.random = () => value;
    return anySeed();
  });
  Math.random = random;
  equal(seeds, [1, 500_000, 999_999]);
});
