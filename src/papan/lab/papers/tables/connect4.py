"""Tables and charts of paper 004."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from papan.lab.papers.games import Tally, bars, points_chart
from papan.lab.papers.published import connect4 as published
from papan.lab.results import Answer, Cell, Chart, Measure, ReportTable, Text, holds
from papan.lab.work import Json

Tallies: TypeAlias = Mapping[tuple[str, str], Tally]
"""What the games of an agent against a rival came to."""

FAULTS = tuple(Text(f"paper004.fault_{each}") for each in ("win", "block", "won"))


def cell_table(rows: Json) -> ReportTable:
    """Tables 4, 6 and 8: where the printed value is not ours, both stand there."""
    lines: list[tuple[Cell, ...]] = []
    for game, step, theirs, ours, column, _, _ in rows:
        cells: list[Cell] = [
            str(mine) if his == mine else Text("paper004.differs", {"paper": his, "ours": mine})
            for his, mine in zip(theirs, ours)
        ]
        same = theirs == ours
        lines.append((game, step, *cells, published.COLUMNS[column], Answer(holds(same))))
    headings = (Text("paper004.game"), Text("paper004.step"), *map(Text, published.COLUMNS))
    headings += (Text("lab.move"), Text("lab.agrees"))
    return ReportTable("cells", Text("paper004.table_cells"), headings, tuple(lines))


def review_table(reviews: Mapping[int, Json]) -> ReportTable:
    """The exact value of red's steps."""
    rows: list[tuple[Cell, ...]] = []
    for game, steps in reviews.items():
        for step, cell, before, after, best in steps:
            words = [Text(f"lab.result_{int(value) + 1}") for value in (before, after)]
            rows.append((game, step, cell, *words, "" if before == after else best))
    keys = ("paper004.game", "paper004.step", "lab.move", "lab.before", "lab.after", "lab.better")
    return ReportTable("review", Text("paper004.table_review"), tuple(map(Text, keys)), tuple(rows))


def match_table(tallies: Tallies) -> ReportTable:
    """Both agents against every rival."""
    rows = [
        (agent, rival, len(tally.outcomes), *tally.counts, tally.points)
        for (agent, rival), tally in tallies.items()
    ]
    keys = ("agent", "rival", "games", "won", "drawn", "lost", "points")
    headings = tuple(Text(f"lab.{key}") for key in keys)
    return ReportTable("matches", Text("paper004.table_matches"), headings, tuple(rows))


def fault_table(missed: Mapping[tuple[str, str], Sequence[Measure]]) -> ReportTable:
    """What agents missed, against every rival."""
    rows: list[tuple[Cell, ...]] = []
    for (agent, rival), rates in missed.items():
        rows.append((agent, rival, *rates))
    headings = (Text("lab.agent"), Text("lab.rival"), *FAULTS)
    return ReportTable("faults", Text("paper004.table_faults"), headings, tuple(rows))


def match_chart(tallies: Tallies) -> Chart:
    """The points of both agents against every rival."""
    return points_chart(
        Text("paper004.chart_matches"),
        tuple(dict.fromkeys(agent for agent, _ in tallies)),
        tuple(dict.fromkeys(rival for _, rival in tallies)),
        lambda agent, rival: tallies[agent, rival].points,
    )


def fault_chart(missed: Mapping[str, Sequence[Measure]]) -> Chart:
    """How often each chance was missed, over all rivals."""
    return Chart(
        "faults",
        Text("paper004.chart_faults"),
        Text("paper004.chance"),
        Text("paper004.missed"),
        tuple(bars(agent, rates) for agent, rates in missed.items()),
        kind="bars",
        categories=FAULTS,
        form="share",
    )
