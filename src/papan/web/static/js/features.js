// @ts-check
// What experts see in a position: in words, and on the board where people want it.

import { h } from "./dom.js";
import { say } from "./language.js";
import { change, settings } from "./settings.js";

/** @param {import("./api.js").Board} board @param {import("./board.js").BoardView} view */
export function featuresOf(board, view) {
  const box = h("input", { type: "checkbox", id: "features", checked: settings.features, onchange: () => {
    change({ features: box.checked });
    view.showFeatures(box.checked);
  } });
  /** @type {Map<string, {key: string, times: number}>} */
  const lines = new Map();
  for (const { key, values } of board.features) {
    const text = say(key, values);
    lines.set(text, { key, times: (lines.get(text)?.times ?? 0) + 1 });
  }
  return [
    board.features.some((each) => each.svg) && h("label", { class: "check" }, box, ` ${say("web.show_features")}`),
    h("ul", { class: "feature-list" }, [...lines].map(([text, { key, times }]) =>
      h("li", { "data-key": key }, times > 1 ? `${times} × ${text}` : text))),
  ];
}
