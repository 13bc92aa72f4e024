// Texts by key: values filled in, numbers and names as people write them.

import { Refusal } from "/static/js/api.js";
import * as language from "/static/js/language.js";
import { equal, speak, test } from "./asserts.js";

const { say, takeTexts } = language;

test("values are filled into a text", () => {
  takeTexts({ greet: "{who} has {count} of {all}" }, "en");
  equal(say("greet", { who: "Ani", count: 2 }), "Ani has 2 of {all}");
});

test("an unknown key is returned unchanged", () => equal(say("no.such_key"), "no.such_key"));

test("a word depends on whether a number is one", () => {
  takeTexts({ moves: "{n} {n|move|moves}" }, "en");
  equal(
    [1, 2, "1"].map((n) => say("moves", { n })),
    ["1 move", "2 moves", "1 move"],
  );
});

test("a verb depends on whether the player is you, and a player begins with a capital", () => {
  takeTexts({ wins: "{player} {player|wins|win}", "seat.alone": "you" }, "en");
  equal(
    ["you", "player 1"].map((player) => say("wins", { player })),
    ["You win", "Player 1 wins"],
  );
});

test("a message inside a message is said, too", () => {
  takeTexts({ outer: "because {why}", inner: "{n} threats" }, "en");
  equal(say("outer", { why: { key: "inner", values: { n: 2 } } }), "because 2 threats");
});

test("what the server refuses is said in its own words, all else in one sentence", () => {
  equal(language.trouble(new Refusal(422, "web.paused", {})), say("web.paused"));
  equal(language.trouble(new Error("x")), say("web.failed"));
});

test("a signed number has a real minus and no needless decimals", () => {
  equal([1, -2, 0, 0.5, -0.125, 0.001].map(language.signed), ["+1", "\u22122", "0", "+0.5", "\u22120.13", "0"]);
});

test("Indonesian numbers have a comma", async () => {
  await speak("id");
  equal(
    [language.signed(0.5), language.count(12345), language.rounded(1.25, 1), language.decimal("3.5")],
    ["+0,5", "12.345", "1,3", "3,5"],
  );
});

test("English numbers have a point", () => {
  equal([language.count(12345), language.rounded(1, 2), language.decimal("3.5")], ["12,345", "1.00", "3.5"]);
});

test("minutes have two digits of seconds", () => equal([5, 65, 600].map(language.minutes), ["0:05", "1:05", "10:00"]));

test("a person alone is you, two are numbered", () => {
  equal([language.player(0, 1), language.player(0, 2), language.player(1, 2)], ["you", "player 1", "player 2"]);
});

test("the name of a plug-in speaks for itself", () => {
  equal([language.gameName("hexagon"), language.agentTitle("my_bot:depth=3")], ["Hexagon", "My bot, depth 3"]);
});

test("a size is written as people read it", () => {
  equal(["tictactoe:4,4,3", "dots:3,5", "onet", "hexagon:7", "hexagon:7,7,2"].map(language.sizeTitle), [
    "4 × 4, 3 in a row",
    "3 × 5",
    "",
    "7",
    "7 × 7 × 2",
  ]);
  equal(language.gameTitle("dots:3,5"), `${language.gameName("dots")} · 3 × 5`);
});

test("an algorithm is named with its settings, but without its seed", () => {
  equal(language.agentTitle("alphabeta:depth=4,seed=17"), "Alpha-beta, depth 4");
});

test("two numbers in a row are kept apart by a semicolon where a comma is a decimal one", async () => {
  equal(language.separator(), ", ");
  await speak("id");
  equal(language.separator(), "; ");
});

test("levels have the names of animals", () => equal(language.agentTitle("level:3,seed=9"), "Kancil"));

test("the only person is you, and agents have their names", () => {
  equal(language.calledInWords(["human", "level:3"], [], 2), ["you", "Kancil"]);
});

test("two people are called by name, or by their seats", () => {
  equal(language.calledInWords(["human", "human"], ["Ani", ""], 2), ["Ani", "player 2"]);
});

test("players that would be called the same are called by their seats", () => {
  equal(language.calledInWords(["level:3", "level:3"], [], 2), ["player 1", "player 2"]);
});

test("shares and bytes are rounded", () => {
  equal([language.percent(0.256), language.percent(0.256, 1), language.percent(1)], ["26%", "25.6%", "100%"]);
  equal([0, 2 ** 20, 2.6 * 2 ** 20].map(language.megabytes), ["0", "1", "3"]);
  equal([59.9, 60, 3599].map(language.minutes), ["0:59", "1:00", "59:59"]);
});

test("the file of a bot is its name", () => {
  const specs = ["bot:my_bot.py", "program:/home/ani/my-bot.c.compiled,memory=5", "bot:x.js,deadline=3", "level:3", "bot:x.exe"];
  equal(specs.map(language.fileOfBot), ["my_bot.py", "my-bot.c", "x.js", "", ""]);
  equal(language.algorithmTitle("bot:my_bot.py,memory=512"), "my_bot.py");
  equal(language.calledInWords(["human", "bot:my_bot.py,memory=512"], [], 2), ["you", "my_bot.py"]);
});

test("in sentences an algorithm has no settings", () => {
  equal(language.calledInWords(["alphabeta:depth=4", "human"], [], 2), ["Alpha-beta", "you"]);
  equal(language.calledInWords([], [], 1), ["you"]);
});

test("a choice has the name of its setting, else a name of its own, else itself", () => {
  takeTexts({ "web.choice_order_best": "best first", "web.choice_best": "the best" }, "id");
  equal([language.choiceName("order", "best"), language.choiceName("pick", "best"), language.choiceName("rate", "0.5")], [
    "best first",
    "the best",
    "0,5",
  ]);
});

test("several values of a text are listed, a missing one leaves its place", () => {
  takeTexts({ all: "{moves}; {none}", inner: "{n} win", outer: "{list}" }, "en");
  equal(say("all", { moves: ["a1", "b2"], none: null }), "a1, b2; {none}");
  const inner = (/** @type {number} */ number) => ({ key: "inner", values: { n: { number, form: "signed" } } });
  equal(say("outer", { list: [inner(1), inner(-2)] }), "+1 win, \u22122 win");
  equal(say("all", { moves: 0, none: "" }), "0; ");
});

test("a message inside a message has its people, and exchanges them where it speaks of the rival's move", () => {
  takeTexts({ outer: "{theirs}, {ours}", inner: "{player} before {rival}" }, "en");
  const inner = { key: "inner", values: {} };
  equal(say("outer", { theirs: inner, ours: inner, player: "Ani", rival: "Budi" }), "Budi before Ani, Ani before Budi");
});

test("all messages are said in their order", () => {
  takeTexts({ one: "One {n}.", two: "Two." }, "en");
  equal(language.sayAll([{ key: "one", values: { n: 1 } }, { key: "two", values: {} }]), "One 1. Two.");
  equal(language.sayMessage({ key: "one", values: { n: 1 } }, { n: 3 }), "One 3.");
});
