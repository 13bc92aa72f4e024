"""The survey as a chart: work over depth and over size, on log scales, beside the formulas."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.core import PapanError
from papan.core.text import say
from papan.lab.complexity.formulas import FORMULAS, scan
from papan.lab.complexity.runs import Run
from papan.lab.complexity.survey import Survey
from papan.lab.files import PUBLIC, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png", ".pdf")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which everyone can tell apart; agents also differ by their dashes."""
MARKERS = "osD^vP*X"
THEORY: dict[str, Any] = {"color": "#666666", "linewidth": 1}
THEORY_DASHES = ("--", ":")
ROOM = 10
"""How far a formula may leave the measurements behind before it leaves the picture."""


def draw(survey: Survey, path: Path, language: str = "en") -> None:
    """Write the chart to *path*, whole or not at all; its ending names the format."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise PapanError("lab.needs_extra") from None
    panels = 3 if len(survey.boards) > 1 else 2
    # In SVG text stays text: it can be searched and read aloud.
    with rc_context({"axes.grid": True, "grid.alpha": 0.3, "svg.fonttype": "none"}):
        figure = Figure(figsize=(4.6 * panels, 5.2), layout="constrained")
        axes = figure.subplots(1, panels)
        _nodes_over_depth(axes[0], survey)
        _finish(axes[0], "complexity.depth", "complexity.nodes", language)
        _seconds_over_depth(axes[1], survey)
        _finish(axes[1], "complexity.depth", "complexity.seconds", language)
        if panels == 3:
            _nodes_over_size(axes[2], survey)
            _finish(axes[2], "complexity.side", "complexity.nodes", language)
            axes[2].legend(fontsize=8)
        figure.suptitle(say("complexity.chart", language, game=survey.boards[0].game.split(":")[0]))
        handles, labels = axes[0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, labels, loc="outside lower center", ncols=panels, fontsize=8)
        picture = BytesIO()
        figure.savefig(picture, format=path.suffix[1:], dpi=150)
    write_whole(path, picture.getvalue(), PUBLIC)


def _nodes_over_depth(axes: Axes, survey: Survey) -> None:
    most = 1
    for runs, look in _curves(survey):
        axes.plot([run.depth or 0 for run in runs], [run.nodes for run in runs], **look)
        most = max(most, *(run.nodes for run in runs))
    for (name, formula), dashes in zip(FORMULAS.items(), THEORY_DASHES):
        label = f"{name}, b = {', '.join(str(board.moves) for board in survey.boards)}"
        for board in survey.boards:
            depths = range(1, 1 + max((len(sweep.runs) for sweep in board.sweeps), default=0))
            values = [formula(board.moves, depth) for depth in depths]
            seen = [value for value in values if value <= ROOM * most]
            axes.plot(depths[: len(seen)], seen, dashes, label=label, **THEORY)
            label = ""


def _seconds_over_depth(axes: Axes, survey: Survey) -> None:
    for runs, look in _curves(survey):
        times = [run.seconds for run in runs]
        below = [time.value - time.low for time in times]
        above = [time.high - time.value for time in times]
        depths = [run.depth or 0 for run in runs]
        axes.errorbar(depths, [time.value for time in times], [below, above], capsize=2, **look)


def _nodes_over_size(axes: Axes, survey: Survey) -> None:
    """The nodes of each agent at the depth that it reached on every board, and n^2."""
    for place, exponent in enumerate(survey.exponents):
        points = [
            (board.side, run.nodes)
            for board in survey.boards
            for sweep in board.sweeps
            for run in sweep.runs
            if (sweep.agent, run.depth) == (exponent.agent, exponent.depth)
        ]
        depth = "" if exponent.depth is None else f", m = {exponent.depth}"
        axes.plot(*zip(*points), **_look(place, 0, f"{exponent.agent}{depth}"))
    sides = sorted(board.side for board in survey.boards)
    axes.plot(sides, [scan(side) for side in sides], THEORY_DASHES[0], label="n^2", **THEORY)
    axes.set_xscale("log")
    axes.set_xticks(sides, [f"{side:.3g}" for side in sides])
    axes.set_xticks([], minor=True)


def _curves(survey: Survey) -> list[tuple[list[Run], dict[str, Any]]]:
    """Every search over depth, and how its line looks: the agent's colour, the board's marker."""
    curves = []
    for board_place, board in enumerate(survey.boards):
        for place, sweep in enumerate(board.sweeps):
            runs = [run for run in sweep.runs if run.depth is not None]
            if runs:
                label = f"{sweep.agent}  {board.game}"
                curves.append((runs, _look(place, board_place, label)))
    return curves


def _look(agent: int, board: int, label: str) -> dict[str, Any]:
    dashes = ("-", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
    return {
        "color": COLOURS[agent % len(COLOURS)],
        "linestyle": dashes[agent % len(dashes)],
        "marker": MARKERS[board % len(MARKERS)],
        "markersize": 5,
        "label": label,
    }


def _finish(axes: Axes, across: str, up: str, language: str) -> None:
    axes.set_yscale("log")
    axes.set_xlabel(say(across, language))
    axes.set_ylabel(say(up, language))
