"""Tables and charts of paper 003."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from papan.lab.papers.games import Tally, bars
from papan.lab.papers.measures import middle, share
from papan.lab.papers.paper import Found
from papan.lab.papers.published import tictactoe as published
from papan.lab.results import Cell, Chart, Measure, ReportTable, Series, Text
from papan.lab.work import Json


def medians(plies: Json, place: int) -> dict[int, float]:
    """The median of one kind of number, by how many cells are empty."""
    return {empty: median(numbers) for empty, numbers in by_empty(plies, place).items()}


def by_empty(plies: Json, place: int) -> dict[int, list[float]]:
    """One kind of number of every ply, by how many cells were empty."""
    found: dict[int, list[float]] = {}
    for ply in plies:
        if ply[place] is not None:
            found.setdefault(ply[0], []).append(ply[place])
    return dict(sorted(found.items(), reverse=True))


def case_table(plies: dict[int, Json]) -> ReportTable:
    """Best, average and worst case: nodes of minimax by size and empty cells, beside b^m."""
    rows = []
    for size in published.SIZES:
        for empty, nodes in by_empty(plies[size], 3).items():
            counts = (min(nodes), Measure(fmean(nodes)), max(nodes))
            rows.append((f"{size}x{size}", empty, empty**empty, *counts))
    keys = ("lab.board", "paper003.empty", "paper003.formula", "lab.best", "lab.mean", "lab.worst")
    return ReportTable("cases", Text("paper003.table_cases"), tuple(map(Text, keys)), tuple(rows))


def time_table(plies: Json) -> ReportTable:
    """The running times of the paper's chart beside ours, move by move on 3x3."""
    scans, times = by_empty(plies, 2), by_empty(plies, 4)
    rows = []
    for place, empty in enumerate(times):
        known = place < len(published.MINIMAX_SECONDS)
        paper: tuple[Cell, Cell] = (None, None)
        if known:
            seconds = published.RANDOM_SECONDS[place], published.MINIMAX_SECONDS[place]
            paper = Measure(seconds[0], form="seconds"), Measure(seconds[1], form="seconds")
        ours = middle(scans[empty]), middle(times[empty])
        rows.append((empty, paper[0], ours[0], paper[1], ours[1]))
    keys = ("empty", "random_paper", "random_ours", "minimax_paper", "minimax_ours")
    headings = tuple(Text(f"paper003.{key}") for key in keys)
    return ReportTable("times", Text("paper003.table_times"), headings, tuple(rows))


def length_table(tree: Json) -> ReportTable:
    """The whole 3x3 tree: positions and finished games at each ply."""
    rows = [(ply, nodes, ends) for ply, (nodes, ends) in enumerate(tree)]
    headings = (Text("lab.ply"), Text("paper003.positions"), Text("paper003.ended"))
    return ReportTable("tree", Text("paper003.table_tree"), headings, tuple(rows))


def step_table(found: Found, steps: Sequence[str]) -> ReportTable:
    """Every suggestion: nodes, time, right moves, and games against random."""
    rows = []
    for step in steps:
        nodes, seconds = found[f"start/{step}"]
        right, judged = map(sum, zip(*found.under(f"right/{step}")))
        points = Tally.of(found, f"games/{step}").points
        rows.append((step, nodes, Measure(seconds, form="seconds"), share(right, judged), points))
    keys = ("lab.agent", "paper003.nodes", "lab.time", "paper003.right", "paper003.against_random")
    return ReportTable("steps", Text("paper003.table_steps"), tuple(map(Text, keys)), tuple(rows))


def time_chart(plies: dict[int, Json]) -> Chart:
    """Like the paper's chart: seconds for one move, with bands."""
    series = []
    for size in published.SIZES:
        for place, key in ((2, "paper003.random_on"), (4, "paper003.minimax_on")):
            found = by_empty(plies[size], place)
            series.append(
                line(Text(key, {"size": size}), found, [middle(each) for each in found.values()])
            )
    return Chart(
        "times",
        Text("paper003.chart_times"),
        Text("paper003.empty"),
        Text("lab.time"),
        tuple(series),
        log=True,
        form="seconds",
    )


def line(label: Text, found: dict[int, list[float]], measures: Sequence[Measure]) -> Series:
    """A line over the number of empty cells."""
    drawn = bars(label, measures)
    return Series(label, drawn.y, tuple(found), drawn.low, drawn.high)


def node_chart(plies: dict[int, Json]) -> Chart:
    """The nodes of minimax beside the paper's formula."""
    series = []
    for size in published.SIZES:
        found = by_empty(plies[size], 3)
        label = Text("paper003.minimax_on", {"size": size})
        series.append(line(label, found, [Measure(fmean(each)) for each in found.values()]))
    empty = tuple(range(9, 0, -1))
    series.append(Series(Text("paper003.formula"), tuple(float(m**m) for m in empty), empty))
    return Chart(
        "nodes",
        Text("paper003.chart_nodes"),
        Text("paper003.empty"),
        Text("paper003.nodes"),
        tuple(series),
        log=True,
    )


def step_chart(found: Found, steps: Sequence[str]) -> Chart:
    """The nodes that each step needs for the first move."""
    nodes = [Measure(found[f"start/{step}"][0]) for step in steps]
    return Chart(
        "steps",
        Text("paper003.chart_steps"),
        Text("lab.agent"),
        Text("paper003.nodes"),
        (bars(Text("paper003.nodes"), nodes),),
        kind="bars",
        categories=tuple(steps),
        log=True,
    )
