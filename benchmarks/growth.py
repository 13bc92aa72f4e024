"""Measure how the cost of solving grows with plies, board size, table size, and threads.

    python -m benchmarks.growth          prints the figures and draws docs/images/growth.svg

BitBully's curve is left out where it is not installed. Times are CPU seconds,
except for threads, where the clock counts. Each question starts with an empty table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks import connect4
from benchmarks.dots import truth
from benchmarks.tictactoe import solve
from papan.core import Limit, Thinking
from papan.games.connect4 import Connect4
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.search_memory import Connect4Memory, SearchTeam
from papan.games.connect4.solver import Connect4Prover
from papan.games.connect4.stones import Layout, Stones
from papan.games.dots.rules import Dots
from papan.games.dots.solver import DotsProver as DotsTruth
from papan.lab.figures import BLACK
from papan.lab.plotting import (
    Axis,
    Bars,
    Curve,
    CurveLook,
    PlotPanel,
    category_axis,
    chart_text,
    extent,
    legend,
    svg_chart,
    value_axis,
)

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
TIC_TAC_TOE = ("3,3,3", "4,3,3", "5,4,4", "5,5,4", "5,6,4", "6,6,4")
CONNECT_4 = ((4, 4), (4, 5), (5, 5), (4, 7), (5, 6), (4, 8), (6, 6), (6, 7), (5, 8))
DOTS = ((2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (2, 6))
MEGABYTES = (1, 2, 4, 16, 64, 256)
SAMPLE = 12
"""Number of positions for each size of the table."""
LOOKS = {
    "papan": CurveLook(0, 0, 0),
    "BitBully": CurveLook(1, 0, 1),
    "Connect 4": CurveLook(0, 0, 0),
    "Tic Tac Toe": CurveLook(2, 0, 1),
    "Dots and Boxes": CurveLook(3, 0, 2),
}
PANEL_WIDTH, PANEL_HEIGHT, HEAD = 450.0, 300.0, 40.0
"""Size of one panel, and height of its title and legend above it, in SVG units."""

Points = list[tuple[float, float]]
"""Pairs of x and y."""


def checked(ply: str) -> list[str]:
    """Return the moves of the positions at a *ply* whose values the tests know."""
    pairs = json.loads(connect4.POSITIONS.read_text())[ply].split()
    return [pair.split(":")[0] for pair in pairs]


def seconds(work: Callable[[], Any], clock: Callable[[], float] = process_time) -> float:
    """Return the seconds of *clock* (default: CPU time) that *work* takes."""
    began = clock()
    work()
    return clock() - began


def by_ply() -> dict[str, Points]:
    """Return the curves of mean milliseconds for a Connect 4 position, by its stones."""
    curves: dict[str, Points] = {"papan": [], "BitBully": []}
    peer = connect4.bitbully()
    for ply in json.loads(connect4.POSITIONS.read_text()):
        games = checked(ply)
        positions = [Connect4().start().after(moves) for moves in games]
        ours = mean(seconds(lambda: connect4.score(position)) for position in positions)  # noqa: B023
        curves["papan"].append((int(ply), ours * 1e3))
        if peer:
            curves["BitBully"].append((int(ply), mean(peer(moves)[2] for moves in games) * 1e3))
    return curves


def by_size() -> Iterator[tuple[str, Points]]:
    """Yield for each game the nodes to solve an empty board, by its cells or lines."""
    nodes = [(_cells(size), solve(size)[0].nodes) for size in TIC_TAC_TOE]
    yield "Tic Tac Toe", sorted(nodes)
    boards = [(rows * columns, Connect4(rows, columns).start()) for rows, columns in CONNECT_4]
    yield "Connect 4", sorted((cells, connect4.score(board)[1]) for cells, board in boards)
    yield "Dots and Boxes", [_dots_nodes(Dots(*size)) for size in DOTS]


def _cells(size: str) -> int:
    rows, columns, _ = map(int, size.split(","))
    return rows * columns


def _dots_nodes(game: Dots) -> tuple[float, float]:
    solver = truth(game)
    solver.value(0)
    return game.move_count, solver.nodes


def by_transposition() -> Iterator[tuple[str, Points]]:
    """Yield for each game the mean milliseconds of a solution, by the megabytes of the table."""
    early = [Connect4().start().after(moves) for moves in islice(checked("8"), SAMPLE)]
    yield "Connect 4", [(float(size), _connect4_table(early, size)) for size in MEGABYTES]
    curve = [(float(size), seconds(lambda: _dots_table(size)) * 1e3) for size in MEGABYTES]  # noqa: B023
    yield "Dots and Boxes", curve


def _connect4_table(positions: list[Connect4Position], size: int) -> float:
    """Return the mean milliseconds for *positions* with a table of *size* megabytes."""
    layout = Layout.for_board(6, 7, size << 20)
    workspace = Connect4Memory(layout, size << 20)
    times = []
    for position in positions:
        stones = Stones(*position.sides)
        workspace.clear(stones)
        search = Connect4Prover(SearchTeam(workspace, 1), lambda nodes: None)
        times.append(seconds(lambda: search.score(search.begin(stones))))  # noqa: B023
    return mean(times) * 1e3


def _dots_table(size: int) -> None:
    """Solve 2x6 boxes from the start with a table of *size* megabytes."""
    DotsTruth(Dots(2, 6), Thinking(Limit()), memory=size).value(0)


def by_threads() -> Iterator[tuple[str, float]]:
    """Yield the speed-up of two threads over one in wall time, by game."""
    early = [Connect4().start().after(moves) for moves in islice(checked("8"), SAMPLE)]
    questions: dict[str, Callable[[int], object]] = {
        "Connect 4": lambda count: [connect4.score(position, count) for position in early],
        "Dots and Boxes": lambda count: truth(Dots(2, 6), count).value(0),
    }
    for name, ask in questions.items():
        runs = [
            seconds(lambda: ask(1), perf_counter) / seconds(lambda: ask(2), perf_counter)  # noqa: B023
            for _ in range(3)
        ]
        yield name, median(runs)


def panel(title: str, curves: dict[str, Points], labels: tuple[str, str], x: Axis) -> Drawn:
    """Return a panel of curves over *x* on a logarithmic scale, and print their points."""
    drawn = []
    for name, points in curves.items():
        if points:
            x_values, y_values = [x for x, _ in points], [y for _, y in points]
            drawn.append(Curve(name, x_values, y_values, LOOKS[name]))
            print(title, name, *(f"{x:g}: {y:,.3g}" for x, y in points), sep="\n  ")
    y = value_axis(labels[1], extent(drawn), "{:,g}".format, log=True)
    return Drawn(title, PlotPanel(replace(x, label=labels[0]), y, drawn), drawn)


def over(curves: dict[str, Points]) -> Axis:
    """Return an axis for the x values of *curves*."""
    return value_axis("", [x for points in curves.values() for x, _ in points], "{:g}".format)


def threads_panel(gains: dict[str, float]) -> Drawn:
    """Return a panel with a bar for each speed-up, and print them."""
    title = "Two threads"
    print(title, *(f"{name}: {gain:.2f}" for name, gain in gains.items()), sep="\n  ")
    names = category_axis("", [f"{name}: {gain:.2f}" for name, gain in gains.items()])
    y = value_axis("times as fast as one", [], "{:g}".format, ends=(0.0, 2.0))
    return Drawn(title, PlotPanel(names, y, bars=[Bars("", [*gains.values()], 0)], level=1.0), [])


class Drawn(NamedTuple):
    """A panel with its title and the series of its legend."""

    title: str
    panel: PlotPanel
    series: list[Curve]


def picture(panels: list[Drawn]) -> str:
    """Return panels two in a row, each below its title and legend, as SVG."""
    body = list[str]()
    for place, each in enumerate(panels):
        left, top = place % 2 * PANEL_WIDTH, place // 2 * (PANEL_HEIGHT + HEAD)
        body.append(chart_text(left + PANEL_WIDTH / 2, top + 16, each.title, font_size=14))
        body += legend(each.series, left + 60, top + 20, PANEL_WIDTH - 60)[0]
        body += each.panel.draw(left, top + HEAD, PANEL_WIDTH, PANEL_HEIGHT)
    rows = (len(panels) + 1) // 2
    size = 2 * PANEL_WIDTH, rows * (PANEL_HEIGHT + HEAD)
    return svg_chart(*size, "How the cost of solving grows", body, BLACK)


def main() -> None:
    """Measure everything, and draw the figure."""
    connect4.score(Connect4().start().after("44444"))
    plies, sizes, tables = by_ply(), dict(by_size()), dict(by_transposition())
    logarithmic = value_axis("", MEGABYTES, "{:g}".format, log=True)
    megabytes = replace(
        logarithmic, ticks=tuple(map(float, MEGABYTES)), texts=tuple(map(str, MEGABYTES))
    )
    cells = "cells, or lines of Dots and Boxes"
    table = "The table: 8 stones of Connect 4; 2x6 boxes"
    panels = [
        panel(
            "Connect 4, 6x7: one position",
            plies,
            ("stones on the board", "milliseconds"),
            over(plies),
        ),
        panel("Empty boards", sizes, (cells, "nodes"), over(sizes)),
        panel(table, tables, ("megabytes", "milliseconds"), megabytes),
        threads_panel(dict(by_threads())),
    ]
    PICTURE.write_text(picture(panels) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
