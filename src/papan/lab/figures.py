"""Charts drawn by matplotlib: for print, for people who see colours otherwise, in any language.

Series differ by colour, and also by marker, dash or hatching.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from textwrap import wrap
from threading import Lock
from typing import TYPE_CHECKING, Any

from papan.core import PapanError
from papan.core.message import say
from papan.lab.complexity import SearchRun, Survey, scan
from papan.lab.files import PUBLIC, write_whole
from papan.lab.results import Chart, Series, scaled, show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""After Okabe and Ito: told apart with any kind of colour vision, and in grey."""
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
HATCHES = ("", "//", "..", "xx", "\\\\", "++")
INK = "#1f2328"
"""The colour of text and axes; a page of HTML puts its own in its place."""

STYLE: Any = {
    "font.size": 9,
    "font.family": "DejaVu Sans",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.color": "white",
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "papan",
    "pdf.fonttype": 42,
}
DRAWING = Lock()
"""The settings of matplotlib are those of the whole process: one figure is drawn at a time."""
LONG = 12
"""Names of bars longer than this are written beside them, not below."""


@contextmanager
def _drawing(style: Any) -> Iterator[type[Figure]]:
    """The class of figures, with the settings of matplotlib; raises where that is not installed."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise PapanError("lab.needs_extra") from None
    with DRAWING, rc_context(style):
        yield Figure


def draw(chart: Chart, language: str, kind: str) -> bytes:
    """The figure of a chart as a file: svg, pdf or png."""
    with _drawing(STYLE) as new_figure:
        figure = new_figure(figsize=figure_size(chart, language), layout="constrained")
        _fill(figure, chart, language)
        page = io.BytesIO()
        date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
        figure.savefig(page, format=kind, dpi=200, transparent=kind == "svg", metadata=date)
    return page.getvalue()


def inline(chart: Chart, name: str, language: str) -> str:
    """The figure as a part of a page, whose ink it takes: it brings no style, and no id twice."""
    picture = draw(chart, language, "svg").decode()
    picture = picture[picture.index("<svg") :].replace(INK, "currentColor")
    picture = re.sub(r"<style.*?</style>|<metadata>.*?</metadata>", "", picture, flags=re.S)
    picture = re.sub(r'\bstyle="([^"]*)"', _attributes, picture)
    picture = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{name}-", picture)
    title = escape(show(chart.title, language))
    spoken = f'<svg role="img" aria-label="{title}" stroke-linejoin="round"'
    return picture.replace("<svg", spoken, 1)


def _attributes(style: re.Match[str]) -> str:
    """The same as attributes of the element: the policy of a page may forbid styles inside it."""
    rules = (rule.partition(":") for rule in style[1].split(";"))
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, _, value in rules)


def figure_size(chart: Chart, language: str) -> tuple[float, float]:
    """The width and height in inches: bars that lie need room for each of them."""
    if not _lying(chart, language):
        return 6.4, 3.4
    return 6.4, 1.3 + 0.22 * len(chart.categories) * max(len(chart.series), 1.6)


def _lying(chart: Chart, language: str) -> bool:
    """Do the bars lie, because their names are long?"""
    return any(len(show(each, language)) > LONG for each in chart.categories)


def _fill(figure: Figure, chart: Chart, language: str) -> None:
    axes = figure.add_subplot()
    names = [show(chart.x, language), show(chart.y, language)]
    lying = chart.kind == "bars" and _lying(chart, language)
    if chart.kind == "bars":
        _bars(axes, chart, language, lying)
    else:
        _lines(axes, chart, language)
    axes.set_xlabel(names[1] if lying else names[0])
    axes.set_ylabel(names[0] if lying else names[1])
    _scale_axis(axes, chart, language, lying)
    if len(chart.series) > 1:
        figure.legend(loc="outside upper left", ncols=min(len(chart.series), 3))


def _lines(axes: Axes, chart: Chart, language: str) -> None:
    from matplotlib.ticker import MaxNLocator

    for place, series in enumerate(chart.series):
        look = _look(place, place, show(series.label, language))
        look |= {"markersize": 4, "linewidth": 1.4}
        if chart.kind == "steps":
            look["drawstyle"] = "steps-post"
        axes.plot(series.x, series.y, **look)
        if series.low:
            band = {"color": look["color"], "alpha": 0.2, "lw": 0}
            axes.fill_between(series.x, series.low, series.high, **band)
    axes.grid(axis="y", color="#8884", linewidth=0.6)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _bars(axes: Axes, chart: Chart, language: str, lying: bool) -> None:
    thick = 0.8 / len(chart.series)
    names = [show(each, language) for each in chart.categories]
    for place, series in enumerate(chart.series):
        shift = (place - (len(chart.series) - 1) / 2) * thick
        spots = [spot + shift for spot in range(len(names))]
        look: dict[str, Any] = {
            "color": COLOURS[place % len(COLOURS)],
            "hatch": HATCHES[place % len(HATCHES)],
            "label": show(series.label, language),
        }
        whisker: dict[str, Any] = {"ecolor": INK, "capsize": 2, "error_kw": {"elinewidth": 0.9}}
        whisker["xerr" if lying else "yerr"] = _errors(series)
        draw_bars = axes.barh if lying else axes.bar
        draw_bars(spots, series.y, thick * 0.9, **look, **whisker)
    (axes.set_yticks if lying else axes.set_xticks)(range(len(names)), names)
    if lying:
        axes.invert_yaxis()
    axes.grid(axis="x" if lying else "y", color="#8884", linewidth=0.6)


def _errors(series: Series) -> Sequence[Sequence[float]] | None:
    """How far the interval reaches to either side; nothing to draw where it has no width."""
    if not series.low or series.low == series.high:
        return None
    below = [y - low for y, low in zip(series.y, series.low)]
    return below, [high - y for y, high in zip(series.y, series.high)]


def _scale_axis(axes: Axes, chart: Chart, language: str, lying: bool) -> None:
    """The axis of values: from 0 to 1 for shares, in powers of ten where asked, in words."""
    from matplotlib.ticker import LogLocator

    axis = axes.xaxis if lying else axes.yaxis
    if chart.log:
        (axes.set_xscale if lying else axes.set_yscale)("log")
        axis.set_major_locator(LogLocator(numticks=5 if lying else 9))
    if chart.form == "share":
        (axes.set_xlim if lying else axes.set_ylim)(0, 1.02)
    axis.set_major_formatter(lambda value, _: scaled(value, chart.form, language))
    if chart.level is not None:
        across = axes.axvline if lying else axes.axhline
        across(chart.level, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))


SUFFIXES = (".svg", ".png", ".pdf")
THEORY: dict[str, Any] = {"color": "#666666", "linewidth": 1}
THEORY_DASHES = ("--", ":", "-.")
DRAWN_FORMULAS = ("b^m", "nPr", "b^(m/2)")
ROOM = 10
"""How far a formula may leave the measurements behind before it leaves the picture."""


WIDEST = 62
"""How many characters of a sentence stand in a line over a panel."""


def draw_survey(survey: Survey, path: Path, language: str = "en") -> None:
    """Write the chart to *path*, whole or not at all; its ending names the format."""
    panels = 3 if len(survey.boards) > 1 else 2
    # In SVG text stays text: it can be searched and read aloud.
    style = {"axes.grid": True, "grid.alpha": 0.3, "svg.fonttype": "none"}
    with _drawing(style) as new_figure:
        figure = new_figure(figsize=(4.6 * panels, 5.2), layout="constrained")
        axes = figure.subplots(1, panels)
        _nodes_over_depth(axes[0], survey)
        _finish(axes[0], "complexity.depth", "complexity.nodes", language)
        for axis, sentence in zip(axes, _captions(survey, language)):
            axis.set_title("\n".join(wrap(sentence, WIDEST)), fontsize=8, loc="left")
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
        picture = io.BytesIO()
        figure.savefig(picture, format=path.suffix[1:], dpi=150)
    write_whole(path, picture.getvalue(), PUBLIC)


def _captions(survey: Survey, language: str) -> list[str]:
    """What each panel shows, in a sentence that a student can repeat."""
    board = survey.boards[0]
    found = {each.key: each.values for each in survey.conclusions(board)}
    facts = found.get("complexity.says_nodes")
    both = [
        say(f"complexity.says_{what}", language, **facts) if facts else ""
        for what in ("nodes", "seconds")
    ]
    grown = [f"{each.agent}: n^{each.nodes.rate.value:.2g}" for each in survey.exponents]
    sizes = say("complexity.says_sizes", language, depth=survey.depth or "-", laws=", ".join(grown))
    return [*both, sizes]


def _nodes_over_depth(axes: Axes, survey: Survey) -> None:
    most = 1
    for runs, look in _curves(survey):
        axes.plot([run.depth or 0 for run in runs], [run.nodes for run in runs], **look)
        most = max(most, *(run.nodes for run in runs))
    for name, dashes in zip(DRAWN_FORMULAS, THEORY_DASHES):
        label = f"{name}, b = {', '.join(str(board.moves) for board in survey.boards)}"
        for board in survey.boards:
            depths = range(1, 1 + max((len(sweep.runs) for sweep in board.sweeps), default=0))
            values = [board.formula(name, depth) for depth in depths]
            seen = [value for value in values if value is not None and value <= ROOM * most]
            if seen:  # some formulas say nothing about some games
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
    """The nodes of each agent at one depth that all reached on every board, and n^2."""
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


def _curves(survey: Survey) -> list[tuple[list[SearchRun], dict[str, Any]]]:
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
    return {
        "color": COLOURS[agent % len(COLOURS)],
        "linestyle": DASHES[agent % len(DASHES)],
        "marker": MARKERS[board % len(MARKERS)],
        "markersize": 5,
        "label": label,
    }


def _finish(axes: Axes, across: str, up: str, language: str) -> None:
    axes.set_yscale("log")
    axes.set_xlabel(say(across, language))
    axes.set_ylabel(say(up, language))
