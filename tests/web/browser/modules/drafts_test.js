// Drafts of bots in the storage of this browser.

import { drafts, dropDraft, keepDraft } from "/static/js/drafts.js";
import { equal, test } from "./asserts.js";

const names = () => Object.keys(drafts());

test("a draft is kept with the version that it changes, until it is dropped", () => {
  keepDraft("a.py", { source: "one", over: "d1" });
  keepDraft("b.py", { source: "two", over: "" });
  equal(drafts(), { "a.py": { source: "one", over: "d1" }, "b.py": { source: "two", over: "" } });
  dropDraft("a.py");
  equal(names(), ["b.py"]);
});

test("of twenty-one drafts the one that was not written for longest is dropped", () => {
  for (let place = 0; place < 20; place += 1) keepDraft(`bot${place}.py`, { source: "x", over: "" });
  keepDraft("bot0.py", { source: "y", over: "" });
  equal([names().length, names().at(-1), drafts()["bot0.py"].source], [20, "bot0.py", "y"]);
  keepDraft("new.py", { source: "z", over: "" });
  equal([names().length, names()[0], names().includes("bot1.py")], [20, "bot2.py", false]);
});

test("what is no draft is left out", () => {
  localStorage.setItem("papan.drafts", JSON.stringify({ a: 1, b: { source: 2 }, c: { source: "s" }, d: null }));
  equal(drafts(), { c: { source: "s", over: "" } });
});
