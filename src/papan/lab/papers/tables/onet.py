"""Tables and charts of paper 002."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from papan.lab.papers.games import bars
from papan.lab.papers.measures import middle, share
from papan.lab.results import Answer, Chart, ReportTable, Text, holds
from papan.lab.work import Json

PLAYERS = 4
"""Who tries random boards: the paper's program, two players by the rule of Onet, the solver."""


class Ran(NamedTuple):
    """A board of the paper, played by one rule."""

    name: Text
    rule: str
    moves: list[str]
    left: int
    same: bool
    """Are the moves the known ones?"""


def rule_name(rule: str) -> Text:
    """What people call a rule."""
    return Text("paper002.rule_paper" if rule == "paper" else "paper002.rule_onet")


def run_table(runs: Sequence[Ran]) -> ReportTable:
    """All boards, by both rules."""
    rows = [
        (each.name, rule_name(each.rule), len(each.moves), each.left, Answer(holds(each.same)))
        for each in runs
    ]
    keys = ("lab.board", "paper002.rule", "lab.moves", "paper002.left", "paper002.as_expected")
    return ReportTable("runs", Text("paper002.table_runs"), tuple(map(Text, keys)), tuple(rows))


def move_table(runs: Sequence[Ran]) -> ReportTable:
    """An experiment move by move, under each rule."""
    moves = zip(*(each.moves for each in runs))
    rows = tuple((number, *each) for number, each in enumerate(moves, start=1))
    headings = (Text("lab.move"), *(rule_name(each.rule) for each in runs))
    return ReportTable("moves", Text("paper002.table_moves"), headings, rows)


def random_table(tries: Mapping[str, Json]) -> ReportTable:
    """Random boards: cleared, stuck, proved impossible, and the time."""
    rows = []
    for size, boards in tries.items():
        for place in range(PLAYERS):
            answers = [board[place][0] for board in boards]
            cleared, unknown = answers.count(True), answers.count(None)
            rest = len(answers) - cleared - unknown
            proved = place == PLAYERS - 1
            seconds = middle([board[place][1] for board in boards])
            outcome = (0, rest, unknown) if proved else (rest, 0, 0)
            name = Text(f"paper002.player_{place + 1}")
            rows.append(
                (size.replace(",", "x"), name, share(cleared, len(answers)), *outcome, seconds)
            )
    keys = ("lab.board", "lab.player", "paper002.cleared", "paper002.stuck", "paper002.impossible")
    headings = tuple(map(Text, (*keys, "paper002.unknown", "lab.time")))
    return ReportTable("random", Text("paper002.table_random"), headings, tuple(rows))


def cleared_chart(tries: Mapping[str, Json], kinds: Mapping[str, int]) -> Chart:
    """The share of random boards that each player clears."""
    series = []
    for size, boards in tries.items():
        rates = [
            share(sum(bool(board[place][0]) for board in boards), len(boards))
            for place in range(PLAYERS)
        ]
        label = Text("paper002.boards", {"size": size.replace(",", "x"), "kinds": kinds[size]})
        series.append(bars(label, rates))
    return Chart(
        "cleared",
        Text("paper002.chart_cleared"),
        Text("lab.player"),
        Text("paper002.cleared"),
        tuple(series),
        kind="bars",
        categories=tuple(Text(f"paper002.player_{place}") for place in range(1, PLAYERS + 1)),
        form="share",
    )
