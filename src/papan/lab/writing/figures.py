"""Charts drawn by matplotlib: for print, for people who see colours otherwise, in any language.

Series differ by colour, and also by marker, dash or hatching.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

from papan.core import PapanError
from papan.lab.results import Chart, Series
from papan.lab.writing.words import scaled, show

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


def draw(chart: Chart, language: str, kind: str) -> bytes:
    """The figure of a chart as a file: svg, pdf or png."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise PapanError("lab.needs_extra") from None
    with DRAWING, rc_context(STYLE):
        figure = Figure(figsize=figure_size(chart, language), layout="constrained")
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
        colour = COLOURS[place % len(COLOURS)]
        look: dict[str, Any] = {
            "color": colour,
            "linestyle": DASHES[place % len(DASHES)],
            "marker": MARKERS[place % len(MARKERS)],
            "markersize": 4,
            "linewidth": 1.4,
            "label": show(series.label, language),
        }
        if chart.kind == "steps":
            look["drawstyle"] = "steps-post"
        axes.plot(series.x, series.y, **look)
        if series.low:
            axes.fill_between(series.x, series.low, series.high, color=colour, alpha=0.2, lw=0)
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
        errors = _errors(series)
        whisker: dict[str, Any] = {"ecolor": INK, "capsize": 2, "error_kw": {"elinewidth": 0.9}}
        if lying:
            axes.barh(spots, series.y, thick * 0.9, xerr=errors, **look, **whisker)
        else:
            axes.bar(spots, series.y, thick * 0.9, yerr=errors, **look, **whisker)
    if lying:
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
    else:
        axes.set_xticks(range(len(names)), names)
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
