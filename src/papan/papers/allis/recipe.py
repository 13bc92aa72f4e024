"""Paper 005, Connect 4: does the first player win, and with which first stone?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from papan import api, catalog
from papan.core.message import Message
from papan.lab.log import Json
from papan.lab.results import (
    EQUAL_RULE,
    Chart,
    Conclusions,
    Finding,
    Measure,
    ReportTable,
    Series,
    holds,
)
from papan.lab.work import WorkItem
from papan.papers.experiment import bar_chart, report_table
from papan.papers.paper import Exhibit, Found, Paper, PaperPosition, exhibit

# What the report proves: its title says who wins, its proof begins in the middle column.

GAME = "connect4"
COLUMNS = "abcdefg"
CENTRE = "d"
WIN = 1


class Amount(NamedTuple):
    """No amounts: nothing is drawn at random, the whole game is solved."""


def plan(amount: Amount, seed: int) -> Iterator[WorkItem]:
    """Yield the one work item: `first_stones`; *amount* and *seed* are unused."""
    yield WorkItem("first_stones", first_stones, weight=8.0)


def first_stones() -> Json:
    """Return the proved result for the first player by the column of its first stone, a to g.

    The result is 1 if it wins, 0 for a draw, -1 if it loses.
    """
    truth = api.solve(catalog.position(GAME), all_moves=True)
    return {COLUMNS[move]: value.number for move, value in truth.values.items()}


def conclude(found: Found) -> Conclusions:
    """Return findings, table and chart: what the report says beside what our solver has proved.

    The findings are on the result of the game, and on the first stones that win. Raise KeyError if
    *found* lacks the item ``first_stones``, or that lacks a column.
    """
    values = found["first_stones"]
    best, proved = max(values.values()), Message("lab.by_solver")
    winning = " ".join(column for column in COLUMNS if values[column] == WIN)
    return Conclusions(
        findings=(
            Finding(
                Message("paper005.wins"),
                Message("paper005.white_wins"),
                result(best),
                holds(best == WIN),
                proved,
                rule=EQUAL_RULE,
            ),
            Finding(
                Message("paper005.centre"),
                CENTRE,
                winning,
                holds(winning == CENTRE),
                proved,
                rule=EQUAL_RULE,
            ),
        ),
        tables=(value_table(values),),
        charts=(value_chart(values),),
    )


def result(value: float) -> Message:
    """Return the result *value* (-1, 0 or 1) in words: loss, draw or win."""
    return Message(f"lab.result_{int(value) + 1}")


def value_table(values: dict[str, float]) -> ReportTable:
    """Return the table of the first player's result, in words, by first stone.

    *values* is what `first_stones` returns; raise KeyError if it lacks a column.
    """
    rows = ((column, result(values[column])) for column in COLUMNS)
    return report_table("005", "values", ("lab.move", "paper005.result"), rows)


def value_chart(values: dict[str, float]) -> Chart:
    """Return the chart of the first player's points (0, 1/2, 1) by first stone.

    *values* is what `first_stones` returns; raise KeyError if it lacks a column.
    """
    points = [Measure((values[column] + 1) / 2, form="share") for column in COLUMNS]
    bars = (Series.of(Message("lab.points"), points),)
    return bar_chart("005", "values", ("lab.move", "lab.points"), bars, COLUMNS, form="share")


def exhibits() -> Iterator[Exhibit]:
    """Yield the report's first stone, in the middle column, to open on the board."""
    place = PaperPosition(GAME, then=CENTRE, agents=("solver",))
    keys = ("lab.move", "paper005.result")
    row = (CENTRE, Message("paper005.white_wins"))
    yield exhibit("first_stone", Message("printed.005_first_stone"), keys, [row], [place])


PAPER = Paper.declared("005", {"quick": Amount(), "full": Amount()}, plan, conclude, exhibits)
