// @ts-check
// The workshop: an editor for bots, with what their owner does with them.

import { Refusal, deleteBot, keepBot, keptSource, workshop } from "../api.js";
import { BotRun } from "../bot_run.js";
import { drafts, dropDraft, keepDraft } from "../drafts.js";
import { language, say, sayMessage } from "../language.js";
import { GamePicker, gameSelect } from "../pickers.js";
import { go } from "../router.js";
import { contestant } from "../screens/tournament.js";
import { anySeed, read, save } from "../settings.js";
import { Part, announce, button, confirmed, entry, form, labelled, openDialog, select } from "../ui.js";
import { h } from "../vendor/preact.mjs";
import { lineMarks } from "./bot_problems.js";
import { BotResults, playAddress } from "./bot_results.js";
/** @import { GameFacts, KeptBot, WorkshopFacts } from "../wire.d.ts" */
/** @import { CodeEditor } from "../code_editor.js" */

const CHOSEN = "papan.workshop";
const LEVELS = [1, 2, 3, 4, 5].map((each) => `level:${each}`);
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}\.(py|c|js|java)$/;
const FIRST = "mybot.py";

/**
 * @typedef {object} WorkshopProps
 * @property {WorkshopFacts} facts
 * @property {GameFacts[]} games
 * @property {typeof CodeEditor} editor
 * @property {AbortSignal} signal
 */

/** @extends {Part<WorkshopProps>} */
export class Workshop extends Part {
  /** @type {CodeEditor | null} */
  editor = null;
  /** @type {Map<string, KeptBot>} */
  kept = new Map(this.props.facts.bots.map((each) => [each.name, each]));
  chosen = { name: "", game: "", rival: "level:2", second: false, ...read(CHOSEN) };
  source = "";
  over = "";
  ready = false;
  /** @type {BotRun | null} */
  run = null;
  /** @type {import("../code_editor.js").LineMark[]} */
  marks = [];

  componentDidMount() {
    const { games, signal } = this.props;
    const known = games.some((each) => [each.spec, ...each.presets].includes(this.chosen.game));
    if (!known) this.chosen.game = games[0].spec;
    signal.addEventListener("abort", () => this.run?.stop());
    this.attempt(() => this.#openAny());
  }

  get names() {
    const names = [...Object.keys(drafts()).reverse(), ...this.kept.keys(), this.chosen.name];
    return [...new Set(names.filter(Boolean))];
  }

  get isDraft() { return this.chosen.name in drafts() || !this.kept.has(this.chosen.name); }

  /** Show the last bot, else any, else the template: no draft before something is written. */
  async #openAny() {
    const known = [this.chosen.name, ...this.names].find((each) => each in drafts() || this.kept.has(each));
    if (known) return this.open(known);
    [this.source, this.over] = [this.props.facts.templates[0].source, ""];
    this.#show(FIRST);
  }

  get game() {
    const name = this.chosen.game.split(":")[0];
    return this.props.games.find((each) => each.name === name) ?? this.props.games[0];
  }

  /** @param {Partial<typeof this.chosen>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    save(CHOSEN, this.chosen);
    this.problem = "";
    this.update();
  }

  /** Show a bot: the draft of this browser if there is one. @param {string} name */
  async open(name) {
    const draft = drafts()[name];
    if (draft) [this.source, this.over] = [draft.source, draft.over];
    else {
      const { bot, source } = await keptSource(name);
      [this.source, this.over] = [source, bot.digest];
    }
    this.#show(name);
  }

  /** @param {string} name */
  #show(name) {
    this.run?.stop();
    [this.run, this.marks, this.ready] = [null, [], true];
    this.choose({ name });
  }

  /** @param {string} source */
  write(source) {
    this.source = source;
    this.marks = [];
    keepDraft(this.chosen.name, { source, over: this.over });
    this.update();
  }

  /** Save the bot to the folder; what was changed elsewhere is replaced only if the person says so. */
  async save() {
    const { name } = this.chosen;
    let over = this.over;
    for (;;) {
      try {
        const bot = await keepBot(name, { source: this.source, over });
        this.kept.set(name, bot);
        this.over = bot.digest;
        dropDraft(name);
        announce(say("workshop.saved", { name }));
        this.update();
        return true;
      } catch (error) {
        if (!(error instanceof Refusal) || error.key !== "workshop.changed") throw error;
        if (!(await confirmed(say("workshop.replace", { name }), say("workshop.replace_yes")))) return false;
        const { bots } = await workshop(language());
        over = bots.find((each) => each.name === name)?.digest ?? "";
      }
    }
  }

  async remove() {
    const { name } = this.chosen;
    if (!(await confirmed(say("workshop.delete_ask", { name }), say("workshop.delete")))) return;
    if (this.kept.has(name)) await deleteBot(name);
    this.kept.delete(name);
    dropDraft(name);
    await this.#openAny();
  }

  /** Ask for the name of a new bot, whose ending chooses the template. */
  create() {
    openDialog(say("workshop.new"), (close) => h(NewBot, {
      facts: this.props.facts,
      taken: this.names,
      make: (name, source) => {
        [this.source, this.over] = [source, ""];
        keepDraft(name, { source, over: "" });
        this.#show(name);
        close();
      },
    }));
  }

  /** @param {"check" | "watch" | "rate"} kind */
  async start(kind) {
    this.run?.stop();
    const { name, game, rival, second } = this.chosen;
    const seed = kind === "watch" ? anySeed() : 1;
    const order = { run: kind, name, source: this.source, game, rival, second, seed };
    const run = new BotRun(order, () => run === this.run && this.update());
    [this.run, this.marks] = [run, []];
    this.update();
    await run.go();
    if (run !== this.run || !run.answer) return;
    this.marks = lineMarks(run.answer.problems);
    this.update();
  }

  /** Save it and go where it plays. @param {string} address */
  async leaveFor(address) { if (!this.isDraft || (await this.save())) await go(address); }

  /** @param {WorkshopProps} props */
  render({ facts, editor }) {
    const { name } = this.chosen;
    return h("section", { class: "workshop", "aria-label": say("workshop.title") },
      facts.problem && h("p", { class: "bad", role: "alert" }, sayMessage(facts.problem)),
      this.#files(),
      this.ready && h(editor, {
        key: name,
        hold: (made) => {
          this.editor = made;
        },
        name,
        value: this.source,
        label: say("workshop.code_of", { name }),
        describedBy: "code-keys",
        marks: this.marks,
        change: (source) => this.write(source),
      }),
      h("p", { id: "code-keys", class: "quiet" }, say("workshop.keys")),
      this.#choices(),
      this.#actions(),
      h("p", { class: "bad", role: "alert" }, this.problem),
      this.run && h(BotResults, { run: this.run, jump: (line) => this.editor?.goTo(line) }),
    );
  }

  /** Which bot is shown, and whether it is saved. */
  #files() {
    const { name } = this.chosen;
    return h("div", { class: "bot-files" },
      labelled(
        say("workshop.bot"),
        select(name, this.names.map((each) => [each, each]), (each) => this.attempt(() => this.open(each))),
      ),
      h("div", { class: "row" },
        button(say("workshop.new"), () => this.create(), { "data-tool": "workshop.new" }),
        button(say("workshop.save"), () => this.attempt(() => this.save()), {
          "data-tool": "workshop.save",
          disabled: !this.isDraft,
        }),
        button(say("workshop.delete"), () => this.attempt(() => this.remove()), { "data-tool": "workshop.delete" }),
      ),
      h("p", { class: "quiet", role: "status" }, say(this.isDraft ? "workshop.draft" : "workshop.is_saved")),
    );
  }

  /** On which board, and against whom. */
  #choices() {
    const { games } = this.props;
    const { game, rival, second } = this.chosen;
    return h("div", { class: "bot-choices" },
      labelled(
        say("arena.game"),
        gameSelect(this.game, games, (chosen) => this.choose({ game: chosen.spec })),
      ),
      h(GamePicker, {
        key: this.game.name,
        game: this.game,
        spec: game,
        choose: (spec) => this.choose({ game: spec }),
      }),
      this.game.seats === 2 && [
        labelled(
          say("workshop.rival"),
          select(rival, LEVELS.map((each) => [each, contestant(each)]), (each) => this.choose({ rival: each })),
        ),
        labelled(
          say("workshop.begins"),
          select(second ? "rival" : "bot",
            [
              ["bot", say("workshop.bot_begins")],
              ["rival", say("workshop.rival_begins")],
            ],
            (each) => this.choose({ second: each === "rival" }),
          ),
        ),
      ],
    );
  }

  #actions() {
    const { name, game, rival } = this.chosen;
    const none = this.props.facts.problem !== null || !this.ready;
    const act = (/** @type {string} */ key, /** @type {() => unknown} */ work, /** @type {object} */ more = {}) =>
      button(say(key, { rival: contestant(rival) }), () => this.attempt(work), {
        "data-tool": key,
        disabled: none,
        ...more,
      });
    const address = `/arena?${new URLSearchParams({ game, agent: `bot:${name}` })}`;
    return h("div", { class: "row bot-actions" },
      act("workshop.check", () => this.start("check"), { class: "primary" }),
      this.game.seats === 2 && act("workshop.play", () => this.leaveFor(playAddress(game, name))),
      act(this.game.seats === 2 ? "workshop.watch_against" : "workshop.watch", () => this.start("watch")),
      act("workshop.rate", () => this.start("rate")),
      act("workshop.to_arena", () => this.leaveFor(address)),
      this.run?.running && button(say("web.stop"), () => this.run?.stop(), { "data-tool": "web.stop" }),
    );
  }
}

/**
 * The name of a new bot. Its ending chooses the template.
 * @extends {Part<{facts: WorkshopFacts, taken: string[], make: (name: string, source: string) => void}>}
 */
class NewBot extends Part {
  name = "";
  suffix = ".py";

  make() {
    const { facts, taken, make } = this.props;
    const name = `${this.name.trim().replace(/\.\w+$/, "")}${this.suffix}`;
    if (!NAME.test(name)) return this.complain(say("workshop.bad_name", { name, known: this.suffix }));
    if (taken.includes(name)) return this.complain(say("workshop.taken", { name }));
    make(name, facts.templates.find((each) => each.suffix === this.suffix)?.source ?? "");
  }

  render() {
    const { templates } = this.props.facts;
    return form({ class: "new-bot" }, (fields) => {
        this.name = fields.name.value;
        this.make();
      },
      labelled(
        say("workshop.name"),
        entry(this.name, (name) => { this.name = name; }, {
          type: "text", name: "name", required: true, maxlength: 46, autocomplete: "off", spellcheck: false,
        }),
      ),
      labelled(
        say("workshop.language"),
        select(this.suffix, templates.map(({ suffix }) => [suffix, say(`workshop.language_${suffix.slice(1)}`)]),
          (suffix) => {
            this.suffix = suffix;
            this.update();
          },
        ),
      ),
      h("p", { class: "bad", role: "alert" }, this.problem),
      h("button", { type: "submit", class: "primary" }, say("workshop.begin")),
    );
  }
}
