// @ts-check
// The editor for code: Prism code editor with the languages of bots, and problems beside their lines.

import { defaultCommands } from "./vendor/prism-code-editor/extensions/commands/index.js";
import { createEditor } from "./vendor/prism-code-editor/index.js";
import "./vendor/prism-code-editor/languages/clike.js";
import "./vendor/prism-code-editor/languages/python.js";
import "./vendor/prism-code-editor/prism/languages/c.js";
import "./vendor/prism-code-editor/prism/languages/java.js";
import "./vendor/prism-code-editor/prism/languages/javascript.js";
import "./vendor/prism-code-editor/prism/languages/python.js";
import { Component, createRef, h } from "./vendor/preact.mjs";
/** @import { PrismEditor } from "./vendor/prism-code-editor/index.js" */

const LANGUAGES = /** @type {Record<string, string>} */ ({ py: "python", c: "c", js: "javascript", java: "java" });

/** @typedef {{line: number, text: string}} LineMark A problem beside its line, counted from 1. */
/**
 * @typedef {object} CodeEditorProps Give it the name of the file as key.
 * @property {string} name The name of the file: its ending tells the language.
 * @property {string} value
 * @property {string} label
 * @property {string} describedBy The id of what tells its keys.
 * @property {LineMark[]} marks
 * @property {(value: string) => void} change
 * @property {(editor: CodeEditor) => void} hold Gets the editor once it is there.
 */

/** An editor for one file. @extends {Component<CodeEditorProps>} */
export class CodeEditor extends Component {
  place = createRef();
  /** @type {PrismEditor | undefined} */
  editor = undefined;

  componentDidMount() {
    const { name, value, label, describedBy } = this.props;
    const language = LANGUAGES[name.split(".").pop() ?? ""] ?? "text";
    const options = { value, language, tabSize: 4, onUpdate: (/** @type {string} */ text) => this.#changed(text) };
    this.editor = createEditor(this.place.current, options, defaultCommands());
    const { textarea } = this.editor;
    textarea.setAttribute("aria-label", label);
    textarea.setAttribute("aria-describedby", describedBy);
    this.#mark();
    this.props.hold(this);
  }

  /** @param {CodeEditorProps} before */
  componentDidUpdate(before) {
    const { value, marks } = this.props;
    if (this.editor && value !== this.editor.value) this.editor.setOptions({ value });
    if (marks !== before.marks) this.#mark();
  }

  componentWillUnmount() { this.editor?.remove(); }

  /** @param {string} text */
  #changed(text) { if (this.editor && text !== this.props.value) this.props.change(text); }

  /** Draw the problems beside their lines. */
  #mark() {
    const { container, lines } = /** @type {PrismEditor} */ (this.editor);
    for (const each of container.querySelectorAll(".line-problem")) each.remove();
    for (const each of container.querySelectorAll(".faulty")) each.classList.remove("faulty");
    for (const { line, text } of this.props.marks) {
      const place = lines[line]; // the first child holds what lies above the lines
      if (!place) continue;
      const note = Object.assign(document.createElement("span"), { className: "line-problem", textContent: text });
      note.style.setProperty("--columns", String(place.textContent?.trimEnd().length ?? 0));
      place.classList.add("faulty");
      place.append(note);
    }
  }

  /** Put the caret at the beginning of a line and show it. @param {number} line Counted from 1. */
  goTo(line) {
    const { textarea, lines, value } = /** @type {PrismEditor} */ (this.editor);
    const place = value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    textarea.focus();
    textarea.setSelectionRange(place, place);
    lines[line]?.scrollIntoView({ block: "nearest" });
  }

  render() { return h("div", { class: "code-editor", translate: false, ref: this.place }); }
}
