"""Tables and charts of paper 001."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from papan.lab.papers.games import Tally, bars
from papan.lab.papers.measures import mean
from papan.lab.results import Chart, ReportTable, Series, Text
from papan.lab.work import Json

Tallies: TypeAlias = Mapping[tuple[str, str, int], Tally]
"""What the games of two agents came to, by their names and the number of rounds."""


def match_table(tallies: Tallies) -> ReportTable:
    """Every pairing at every number of rounds, with its scores."""
    rows = []
    for (first, second, rounds), tally in tallies.items():
        counts = (len(tally.outcomes), *tally.counts)
        rows.append((first, second, rounds, *counts, tally.points, *tally.scores))
    keys = ("agent", "rival", "rounds", "games", "won", "drawn", "lost", "points")
    headings = tuple(Text(f"lab.{key}") for key in (*keys, "score", "rival_score"))
    return ReportTable("matches", Text("paper001.table_matches"), headings, tuple(rows))


def points_chart(tallies: Tallies) -> Chart:
    """The points of the first agent of each pairing, by rounds."""
    pairings = dict.fromkeys((first, second) for first, second, _ in tallies)
    return Chart(
        "points",
        Text("paper001.chart_points"),
        Text("paper001.pairing"),
        Text("lab.points"),
        tuple(
            bars(
                Text("paper001.rounds", {"rounds": rounds}),
                [tallies[first, second, rounds].points for first, second in pairings],
            )
            for rounds in dict.fromkeys(rounds for _, _, rounds in tallies)
        ),
        kind="bars",
        categories=tuple(" - ".join(pairing) for pairing in pairings),
        form="share",
        level=0.5,
    )


def fitness_chart(curves: Json) -> Chart:
    """How fit the chromosomes are, generation by generation, over many first moves."""
    series = []
    for place, key in enumerate(("best", "mean", "worst")):
        each = [mean([curve[step][place] for curve in curves]) for step in range(len(curves[0]))]
        line = bars(Text(f"lab.{key}"), each)
        series.append(Series(line.label, line.y, tuple(range(len(each))), line.low, line.high))
    return Chart(
        "fitness",
        Text("paper001.chart_fitness"),
        Text("paper001.generation"),
        Text("paper001.fitness"),
        tuple(series),
    )
