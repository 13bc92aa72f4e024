"""The lessons of Connect 4: threats and zugzwang, and the agent of the paper."""

from __future__ import annotations

from dataclasses import replace

from papan import catalog
from papan.core import Event, Position
from papan.core.parts import Drawing
from papan.lessons import Guide, Lesson, Scene, Story, TextValue, columns, reply


def connect4(story: Story) -> Guide:
    """Return the guided tour of Connect 4: to win, to block, two threats at once, and zugzwang.

    All its steps, with their tasks and questions, are added to *story*.
    """
    guide = Guide(story)
    start = catalog.position("connect4")
    guide.show("connect4_rules", start, "4 4 3 5")
    guide.task("connect4_win", _late("xoo..x./oxxo.x./xoox.x./oxoo.o./xxoxxo./oxxooxo x"))
    guide.task("connect4_block", _late("..ox.xo/..ox.oo/..xoxxx/.oxxooo/.oxxoxo/xooxoxx x"))
    guide.task("connect4_double", _late("oo...oo/xx...xo/ox.x.ox/oxoo.xo/xoxx.oo/xxxoxxo x"))
    zugzwang = _late("o.o.xox/o.o.oxx/x.x.xxo/ooo.oox/xoo.xxo/xxooxxx x")
    guide.features("connect4_threats", zugzwang)
    guide.task("connect4_zugzwang", zugzwang)
    guide.show("connect4_end", start)
    return guide


def _late(text: str) -> Position:
    """Return the position on the board of 6x7 that *text* describes: its cells and turn."""
    return catalog.position(f"connect4:6,7 {text}")


GAME = Lesson("connect4", "connect4", connect4, place=2)


# The greedy agent of the Connect 4 paper: a sum of priorities, and what is wrong with it.

START = "connect4:6,7 ......./......./o....../oo...../xxx..../xoxx.oo x"
"""The paper's second game, before its seventh move."""


def events_of(position: Position, kind: str) -> list[Event]:
    """Return the events of one *kind*, such as ``reason``, of the agent `priority` in a position.

    The kind of an event is its field ``t``.
    """
    return [event for event in catalog.agent("priority").think(position) if event["t"] == kind]


def reasons_for(position: Position) -> dict[int, list[tuple[str, str, int]]]:
    """Return for each open column, from 0, the rules that fire there: (rule, line, points) each.

    Rule and line are text keys. The list is empty where no rule fires.
    """
    found: dict[int, list[tuple[str, str, int]]] = {column: [] for column in position.moves()}
    for event in events_of(position, "reason"):
        if event["line"]:  # else no rule fires
            column = position.game.parse_move(event["m"])
            found[column].append((event["rule"], event["line"], event["v"]))
    return found


def teach_priority(story: Story) -> dict[int, int]:
    """Add all steps of the lesson to *story*; return the points of each open column, from 0."""
    root = catalog.position(START)
    name = root.game.move_name
    totals = dict[int, int]()
    story.scene = Scene(root)
    rows = tuple((each["rule"], each["v"]) for each in events_of(root, "root")[-1]["rules"])
    rules = columns("rule worth", rows)
    story.add_step("priority_start", line="function", table=rules)
    _name_elements(story, root)
    for column, reasons in reasons_for(root).items():
        total = sum(adds for _, _, adds in reasons)
        facts: dict[str, TextValue] = {"column": name(column), "worth": total}
        table = columns("rule line worth", reasons) if reasons else None
        if reasons:
            counted: dict[str, TextValue] = {"column": name(column), "count": len(reasons)}
            story.scene = Scene(root, marks=(column,), values=dict(totals))
            story.add_step("priority_look", counted, line="rules", variables="column", table=table)
        if len(reasons) > 1:
            slips = {
                "priority_slip_most": max(adds for _, _, adds in reasons),
                "priority_slip_rules": len(reasons),
            }
            story.ask_number("worth", total, "priority_worth", slips, **counted)
        totals[column] = total
        story.scene = Scene(root, marks=(column,), values=dict(totals))
        key, line = ("priority_sum", "sum") if reasons else ("priority_nothing", "rules")
        story.add_step(key, facts, line=line, variables="column worth", table=table)
    best = max(totals, key=lambda column: totals[column])
    story.scene = Scene(root, values=totals, best=best)
    win = next(column for column in totals if not root.child(column).moves())
    why = {
        name(column): reply(
            "priority_why_win" if column == win else "priority_move_why",
            column=name(column),
            worth=total,
        )
        for column, total in totals.items()
    }
    story.ask_choice("column", name(best), list(why), "priority_move", why)
    story.add_step(
        "priority_play",
        {"column": name(best), "worth": totals[best]},
        line="return",
        variables="column worth",
    )
    story.add_step("priority_erratum", line="return")
    _criticise(story, root, totals, best, win)
    return totals


ELEMENTS = ("candidates", "solution", "selection", "feasibility", "objective")
STRATEGIES = ("lesson.priority_defend", "lesson.priority_plan")


def _name_elements(story: Story, root: Position) -> None:
    """Add the steps on the five elements of a greedy algorithm, and on the paper's strategy.

    They go to *story*; the examples are of the position *root*, where the lesson begins.
    """
    rows = tuple((f"lesson.greedy_{name}", f"lesson.greedy_{name}_here") for name in ELEMENTS)
    table = columns("element here", rows)
    cells = sum(row.count(".") for row in root.write()[0].split("/"))
    story.add_step("priority_elements", {"candidates": cells}, line="function", table=table)
    feasible = len(root.moves())
    slips = {"priority_slip_candidates": cells}
    story.ask_number("feasible", feasible, "priority_feasible", slips, candidates=cells)
    facts = {"feasible": feasible, "candidates": cells}
    story.scene = Scene(root, marks=tuple(root.moves()))
    story.add_step("priority_feasible", facts, line="each", variables="feasible candidates")
    story.scene = Scene(root)
    story.add_step("priority_strategies", line="function")
    story.ask_choice("strategy", STRATEGIES[0], STRATEGIES, "priority_strategy")
    defends = {"strategy": STRATEGIES[0]}
    story.add_step("priority_strategy", defends, line="rules", variables="strategy")


TRICK = "connect4:6,7 ......./......./......./..oxx../..xoxoo/x.oxoox x"
"""The paper's figures 2 and 3: a coin on f3 threatens g3 and g4, one above the other."""


def _show_the_trick(story: Story) -> None:
    """Add the steps with two threats in one column to *story*: no defence stops these.

    The agent's sum of points finds the move that makes them.
    """
    root = catalog.position(TRICK)
    reasons = reasons_for(root)
    totals = {column: sum(each[2] for each in reasons[column]) for column in reasons}
    best = max(totals, key=lambda column: totals[column])
    story.scene = Scene(root, values=totals, best=best)
    facts: dict[str, TextValue] = {"column": root.game.move_name(best), "worth": totals[best]}
    story.add_step("priority_trick", facts, line="sum")
    after = root.child(best)
    drawing = "".join(each.svg for each in Drawing.of(after).features())
    story.scene = replace(Scene(root).after(best), drawing=drawing)
    story.add_step("priority_trick_done", line="rules")


def _criticise(story: Story, root: Position, totals: dict[int, int], best: int, win: int) -> None:
    """Add the steps that show what the paper's agent misses, and how the corrected one decides.

    *totals* are the points by column, *best* the column that the agent plays, *win* the one that
    wins at once in the position *root*. Columns count from 0. The steps are added to *story*.
    """
    name = root.game.move_name
    story.scene = Scene(root).after(win)
    facts: dict[str, TextValue] = {
        "column": name(win),
        "worth": totals[win],
        "played": name(best),
        "more": totals[best],
    }
    story.add_step("priority_missed", facts, line="sum")
    fixed = catalog.agent("priority-fixed").analyse(root)
    values = {column: value.number for column, value in fixed.values.items()}
    story.scene = Scene(root, values=values, best=fixed.move)
    story.add_step("priority_fixed", {"column": name(fixed.move)}, line="rules")
    _show_the_trick(story)
    story.add_step("priority_end", line="return")


PRIORITY = Lesson(
    "priority",
    "connect4",
    teach_priority,
    ("function", "each", "rules", "sum", "return"),
    agent="priority",
    variants=("priority", "priority-fixed"),
    place=2,
)
