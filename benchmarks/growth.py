"""How the cost of solving grows: over plies, board sizes, sizes of the table, and threads.

    python -m benchmarks.growth          prints the figures and draws docs/images/growth.svg

Needs matplotlib; BitBully's curve is left out where it is not installed. Times are CPU seconds,
except for threads, where the clock counts. Each question starts with an empty table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks import connect4
from benchmarks.dots import truth
from benchmarks.tictactoe import solve
from papan.core import Limit, Thinking
from papan.games.connect4 import Connect4
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.solver import Connect4Memory, Connect4Prover, SearchTeam
from papan.games.connect4.stones import Layout, Stones
from papan.games.dots.rules import Dots
from papan.games.dots.solver import DotsProver as DotsTruth

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
TIC_TAC_TOE = ("3,3,3", "4,3,3", "5,4,4", "5,5,4", "5,6,4", "6,6,4")
CONNECT_4 = ((4, 4), (4, 5), (5, 5), (4, 7), (5, 6), (4, 8), (6, 6), (6, 7), (5, 8))
DOTS = ((2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (2, 6))
MEGABYTES = (1, 2, 4, 16, 64, 256)
SAMPLE = 12
"""Positions for each size of the table."""
COLOURS = {"papan": "#0072b2", "BitBully": "#d55e00", "Connect 4": "#0072b2"}
COLOURS |= {"Tic Tac Toe": "#009e73", "Dots and Boxes": "#cc79a7"}
MARKS = {"Connect 4": "o", "Tic Tac Toe": "s", "Dots and Boxes": "^", "papan": "o", "BitBully": "s"}

Curve = list[tuple[float, float]]


def checked(ply: str) -> list[str]:
    """The moves of the checked positions with so many stones."""
    pairs = json.loads(connect4.POSITIONS.read_text())[ply].split()
    return [pair.split(":")[0] for pair in pairs]


def seconds(work: Callable[[], Any], clock: Callable[[], float] = process_time) -> float:
    """How long *work* takes."""
    began = clock()
    work()
    return clock() - began


def by_ply() -> dict[str, Curve]:
    """Mean milliseconds for a Connect 4 position, by its stones."""
    curves: dict[str, Curve] = {"papan": [], "BitBully": []}
    peer = connect4.bitbully()
    for ply in json.loads(connect4.POSITIONS.read_text()):
        games = checked(ply)
        positions = [Connect4().start().after(moves) for moves in games]
        ours = mean(seconds(lambda: connect4.score(position)) for position in positions)  # noqa: B023
        curves["papan"].append((int(ply), ours * 1e3))
        if peer:
            curves["BitBully"].append((int(ply), mean(peer(moves)[2] for moves in games) * 1e3))
    return curves


def by_size() -> Iterator[tuple[str, Curve]]:
    """Nodes for an empty board, by its cells or lines."""
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


def by_transposition() -> Iterator[tuple[str, Curve]]:
    """Mean milliseconds by the megabytes of the table."""
    early = [Connect4().start().after(moves) for moves in islice(checked("8"), SAMPLE)]
    yield "Connect 4", [(float(size), _connect4_table(early, size)) for size in MEGABYTES]
    curve = [(float(size), seconds(lambda: _dots_table(size)) * 1e3) for size in MEGABYTES]  # noqa: B023
    yield "Dots and Boxes", curve


def _connect4_table(positions: list[Connect4Position], size: int) -> float:
    """The mean for positions with 8 stones."""
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
    """2x6 boxes from the start."""
    DotsTruth(Dots(2, 6), Thinking(Limit()), memory=size).value(0)


def by_threads() -> Iterator[tuple[str, float]]:
    """How many times faster two threads are."""
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


def draw(axes: Axes, curves: dict[str, Curve], title: str, labels: tuple[str, str]) -> None:
    """Curves on a scale of powers of ten."""
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1], yscale="log")
    for name, curve in curves.items():
        if curve:
            axes.plot(*zip(*curve), label=name, color=COLOURS[name], marker=MARKS[name])
            print(title, name, *(f"{x:g}: {y:,.3g}" for x, y in curve), sep="\n  ")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def draw_threads(axes: Axes, gains: dict[str, float]) -> None:
    """How much a second thread brings."""
    title = "Two threads"
    axes.set(title=title, ylabel="times as fast as one", ylim=(0, 2))
    bars = axes.bar(list(gains), list(gains.values()), color=[COLOURS[name] for name in gains])
    axes.bar_label(bars, fmt="%.2f")
    print(title, *(f"{name}: {gain:.2f}" for name, gain in gains.items()), sep="\n  ")


def main() -> None:
    """Measure everything, and draw it."""
    mpl.rcParams.update({"svg.hashsalt": "papan", "svg.fonttype": "none", "font.size": 9})
    connect4.score(Connect4().start().after("44444"))
    figure = Figure(figsize=(9, 7), layout="constrained")
    (plies, sizes), (tables, threads) = figure.subplots(2, 2)
    stones = "Connect 4, 6x7: one position"
    draw(plies, by_ply(), stones, ("stones on the board", "milliseconds"))
    draw(sizes, dict(by_size()), "Empty boards", ("cells, or lines of Dots and Boxes", "nodes"))
    table = "The table: 8 stones of Connect 4; 2x6 boxes"
    draw(tables, dict(by_transposition()), table, ("megabytes", "milliseconds"))
    tables.set_xscale("log", base=2)
    draw_threads(threads, dict(by_threads()))
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": "papan"})


if __name__ == "__main__":
    main()
