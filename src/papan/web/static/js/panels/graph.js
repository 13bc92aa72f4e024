// @ts-check
// The position as a graph: its drawing, degrees, a walk through it, matrices and lists to copy.

import { graphOf } from "../api.js";
import { listing } from "../files.js";
import { known, say } from "../language.js";
import { Drawing, Part, check, labelled, select } from "../ui.js";
import { h } from "../vendor/preact.mjs";
/** @import { GraphPage, GraphRequest } from "../wire.d.ts" */
/** @typedef {{position: string}} GraphProps */

const FORMS = ["list", "matrix", "incidence", "graphml", "json", "svg"];
const ENDINGS = { list: "txt", matrix: "txt", incidence: "txt", graphml: "graphml", json: "json", svg: "svg" };

/** @extends {Part<GraphProps>} */
export class GraphPanel extends Part {
  shown = false; // nothing is requested before the panel is opened
  /** @type {Omit<GraphRequest, "start">} */
  wanted = { name: "", origin: "", order: "breadth", steps: null, degrees: false, form: "list" };
  /** @type {GraphPage | null} */
  page = null;

  /** @param {GraphProps} before */
  componentDidUpdate(before) {
    if (this.shown && before.position !== this.props.position) this.ask({ origin: "", steps: null });
  }

  /** Ask for another graph, or for more about this one. @param {Partial<GraphRequest>} change */
  ask(change) {
    const wanted = { ...this.wanted, ...change };
    this.wanted = wanted;
    return this.attempt(async () => {
      const page = await graphOf({ start: this.props.position, ...wanted });
      if (this.wanted !== wanted) return; // something else is wanted by now
      this.page = page;
      this.update();
    });
  }

  render() {
    return h("div", { class: "graph-panel" },
      check(
        say("graph.show"),
        this.shown,
        (shown) => {
          this.shown = shown;
          this.update();
          if (shown) this.ask({});
        },
        { id: "graph-shown" },
      ),
      this.problem && h("p", { class: "bad", role: "alert" }, this.problem),
      this.shown && this.page && this.#graph(this.page),
    );
  }

  /** Begin a walk where the drawing is clicked. @param {EventTarget | null} target */
  #begin(target) {
    const vertex = target instanceof Element ? target.closest("[data-vertex]") : null;
    if (vertex) this.ask({ origin: vertex.getAttribute("data-vertex") ?? "", steps: null });
  }

  /** @param {GraphPage} page */
  #graph({ name, names, vertices, svg, facts, text, visited }) {
    const { origin = "", order = "breadth", degrees = false, form = "list" } = this.wanted;
    const walks = [["", say("graph.no_walk")], ...vertices.map((each) => [each, each])];
    const titled = (/** @type {string} */ each) => (known(`graph.title_${each}`) ? say(`graph.title_${each}`) : each);
    const file = `${name}.${ENDINGS[/** @type {keyof typeof ENDINGS} */ (form)]}`;
    return [
      labelled(
        say("graph.which"),
        select(
          name,
          names.map((each) => [each, titled(each)]),
          (each) => this.ask({ name: each, origin: "", steps: null }),
          { "data-field": "graph" },
        ),
      ),
      h(
        "div",
        { class: "graph", "data-graph": name, onclick: (/** @type {Event} */ { target }) => this.#begin(target) },
        h(Drawing, { text: svg }),
      ),
      h("div", { class: "fields" },
        check(say("graph.degrees_shown"), degrees, (each) => this.ask({ degrees: each })),
        labelled(
          say("graph.walk_from"),
          select(origin, walks, (each) => this.ask({ origin: each, steps: null }), { "data-field": "origin" }),
        ),
        origin &&
          labelled(
            say("graph.order"),
            select(
              order,
              [
                ["breadth", say("graph.order_breadth")],
                ["depth", say("graph.order_depth")],
              ],
              (each) => this.ask({ order: /** @type {"breadth" | "depth"} */ (each), steps: null }),
              { "data-field": "order" },
            ),
          ),
        origin &&
          labelled(
            say("graph.steps", { steps: this.wanted.steps ?? visited, visited }),
            h("input", {
              type: "range",
              min: 1,
              max: visited,
              value: this.wanted.steps ?? visited,
              "data-field": "steps",
              oninput: (event) => this.ask({ steps: Number(event.currentTarget.value) }),
            }),
          ),
      ),
      h("ul", { class: "feature-list" },
        facts.map(({ key, values }) => h("li", { "data-key": key }, say(key, values))),
      ),
      labelled(
        say("graph.form"),
        select(
          form,
          FORMS.map((each) => [each, say(`graph.form_${each}`)]),
          (each) => this.ask({ form: /** @type {GraphRequest["form"]} */ (each) }),
          { "data-field": "form" },
        ),
      ),
      listing(say(`graph.form_${form}`), text, file),
    ];
  }
}
