// @ts-check
// The link to a room, and every way to hand it on.

import { announce, fill, h } from "../dom.js";
import { copy } from "../files.js";
import { say } from "../language.js";
import { tool } from "../tools.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** @param {import("./asking.js").State} state */
export function invitation({ name, room }) {
  const url = `${location.origin}/room/${name}`;
  const waiting = room.taken.includes(false);
  const field = h("input", { type: "text", readonly: true, value: url, "aria-label": say("room.link"), class: "room-link", onfocus: () => field.select() });
  const told = h("p", { class: "quiet", role: "status" });
  const done = async () => {
    const copied = await copy(url);
    if (!copied) field.select();
    fill(told, say(copied ? "web.copied" : "web.copy_by_hand"));
    announce(say(copied ? "web.copied" : "web.copy_by_hand"));
  };
  return h("div", { class: "invitation" },
    h("p", {}, say(waiting ? "room.invite" : "room.link_watch")),
    field,
    waiting && h("p", { class: "quiet" }, say("room.code_is", { code: name })),
    h("div", { class: "row" },
      tool("room.copy", done, { class: waiting && "primary" }),
      "share" in navigator && h("button", { type: "button", onclick: () => navigator.share({ title: "papan", url }).catch(() => {}) }, say("room.share"))),
    told,
    waiting && LOCAL.includes(location.hostname) && h("p", { class: "quiet" }, say("room.local_only")));
}
