"""Draw charts as SVG: those of reports in any language, and those of measured growth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from papan.core import InvalidSpecError
from papan.core.message import text_of
from papan.lab.complexity import SearchRun, Survey, scan
from papan.lab.files import PUBLIC, write_whole
from papan.lab.plotting import (
    CHART_COLOURS,
    FONT,
    GAP,
    PADDING,
    SMALL,
    Axis,
    Bars,
    Curve,
    CurveLook,
    PlotPanel,
    category_axis,
    chart_text,
    definitions,
    extent,
    legend,
    linear_ticks,
    svg_chart,
    value_axis,
)
from papan.lab.results import Chart, cell_text, scaled

WIDTH, HEIGHT = 640.0, 340.0
"""Width and height of a chart in SVG units, without the lines of its legend beyond the first."""
LONG = 12
"""Letters of a name beside a bar beyond which all bars are horizontal."""
LYING_BAR, AROUND_LYING = 22.0, 100.0
"""Height of a horizontal bar, and of legend, numbers and label together, in SVG units."""
BLACK = "#1f2328"
"""Text colour of a drawing that stands alone."""


def draw_chart(chart: Chart, language: str) -> str:
    """Return a chart as a whole SVG, for a file of its own; *language* is ``en`` or ``id``."""
    return _drawn(chart, chart.name, language, BLACK)


def inline_chart(chart: Chart, name: str, language: str) -> str:
    """Return a chart as SVG inside a page, whose text colour it takes; *language* is ``en`` or
    ``id``.

    Its ids begin with *name*, which no other drawing of the page may have.
    """
    return _drawn(chart, name, language, "")


def _drawn(chart: Chart, name: str, language: str, color: str) -> str:
    """Return a chart as SVG whose ids begin with *name*, its words in *language*.

    *color* is that of text and axes; empty: that of the page around it.
    """
    lying = chart.kind == "bars" and _lying(chart, language)
    panel = _panel(chart, name, language, lying)
    series: Sequence[Curve | Bars] = panel.bars or panel.curves
    body, above = list[str](), 0.0
    if len(series) > 1:
        body, above = legend(series, FONT, 0.0, WIDTH - 2 * FONT)
    height = HEIGHT
    if lying:
        height = AROUND_LYING + LYING_BAR * len(chart.categories) * max(len(series), 1.6)
    body += panel.draw(0.0, above, WIDTH, height - above)
    return svg_chart(
        WIDTH, height, cell_text(chart.title, language), [definitions(panel.bars), *body], color
    )


def _lying(chart: Chart, language: str) -> bool:
    """Return whether bars are horizontal: if the name of a category has over `LONG` letters.

    Names are in *language*, ``en`` or ``id``.
    """
    return any(len(cell_text(each, language)) > LONG for each in chart.categories)


def _panel(chart: Chart, name: str, language: str, lying: bool) -> PlotPanel:
    """Return the panel of a chart, its words in *language*; *lying*: its bars are horizontal.

    Ids of its drawing begin with *name*.
    """
    names = cell_text(chart.x, language), cell_text(chart.y, language)
    if chart.kind == "bars":
        bars = [
            Bars(cell_text(each.label, language), each.y, place, each.low, each.high, name)
            for place, each in enumerate(chart.series)
        ]
        values = _values(chart, names[1], bars, language)
        shown = [cell_text(each, language) for each in chart.categories]
        categories = category_axis(names[0], shown, downwards=lying)
        across, up = (values, categories) if lying else (categories, values)
        return PlotPanel(across, up, bars=bars, lying=lying, level=chart.level)
    curves = [
        Curve(
            cell_text(each.label, language),
            each.x,
            each.y,
            CurveLook(place, place, place + place // len(CHART_COLOURS)),
            each.low,
            each.high,
            steps=chart.kind == "steps",
        )
        for place, each in enumerate(chart.series)
    ]
    across = _whole_axis(names[0], [x for each in curves for x in each.x], language)
    return PlotPanel(across, _values(chart, names[1], curves, language), curves, level=chart.level)


def _values(chart: Chart, label: str, series: Sequence[Curve | Bars], language: str) -> Axis:
    """Return the axis of values: from 0 to 1 for shares, logarithmic if the chart asks for it.

    *label* is its name, *series* what it must show besides the chart's level, *language* (``en`` or
    ``id``) that of its numbers. Raise ValueError for a logarithmic axis if it is of shares, or of
    bars of which none is above 0.
    """
    found = extent(series) + ([] if chart.level is None else [chart.level])
    ends = None
    if chart.form == "share":
        ends = 0.0, 1.02
    elif chart.kind == "bars" and chart.log:
        ends = min(each for each in found if each > 0) / 2, 2 * max(found)
    elif chart.kind == "bars":
        low, high = min(0.0, *found), max(0.0, *found)
        room = PADDING * (high - low) or 1.0
        ends = low - room * (low < 0), high + room * (high > 0 or low == high)

    def form(value: float) -> str:
        return scaled(value, chart.form, language)

    return value_axis(label, found, form, log=chart.log, ends=ends)


def _whole_axis(label: str, values: Sequence[float], language: str) -> Axis:
    """Return an axis that shows *values* (none: 0 to 1), with ticks at whole numbers.

    There are no ticks below 0 unless a value is. *label* is the axis' name, *language* (``en`` or
    ``id``) that of its numbers.
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = PADDING * (high - low) or 1.0
    ticks = linear_ticks(low - room, high + room, 10, least=1.0)
    ticks = tuple(each for each in ticks if each >= min(low, 0.0))
    texts = tuple(scaled(each, "number", language) for each in ticks)
    return Axis(label, low - room, high + room, ticks, texts)


PANEL_WIDTH, PANEL_HEIGHT = 460.0, 400.0
"""Width and height of one panel of a survey, in SVG units."""
LINES = 3
"""Number of lines of the sentence above each panel, at most."""
SENTENCE = 66
"""Number of letters in such a line, at most."""
TITLE = 16.0
_FORMULAS = ("b^m", "nPr", "b^(m/2)")
"""Formulas that are drawn, each with a dash pattern of its own."""
FACTOR = 10
"""A formula is drawn up to this many times the largest measured value."""


def check_chart(path: Path) -> None:
    """Raise InvalidSpecError if *path* does not end in ``.svg``."""
    if path.suffix != ".svg":
        raise InvalidSpecError("complexity.bad_chart", path=path)


def draw_survey(survey: Survey, path: Path, language: str = "en") -> None:
    """Write the chart of a survey to *path* as SVG, whole or not at all, readable by everyone.

    Its words are in *language*, ``en`` or ``id``. Raise OSError if the file cannot be written,
    IndexError if the survey has no board. The suffix is not checked: see `check_chart`.
    """
    write_whole(path, survey_drawing(survey, language) + "\n", PUBLIC)


def survey_drawing(survey: Survey, language: str) -> str:
    """Return a survey as SVG: nodes and seconds over depth, and nodes over size.

    Its words are in *language*, ``en`` or ``id``. The panel of nodes over size is left out unless
    the survey has several boards. Raise IndexError if the survey has no board.
    """
    panels = [_nodes_over_depth(survey, language), _seconds_over_depth(survey, language)]
    if len(survey.boards) > 1:
        panels.append(_nodes_over_size(survey, language))
    top = TITLE + LINES * (SMALL + 3) + 3 * GAP
    width, below = PANEL_WIDTH * len(panels), 0.0
    title = text_of("complexity.chart", language, game=survey.boards[0].game.split(":")[0])
    body = [chart_text(width / 2, TITLE + GAP, title, font_size=TITLE)]
    for place, (panel, sentence) in enumerate(zip(panels, _captions(survey, language))):
        left = place * PANEL_WIDTH
        lines = wrap(sentence, SENTENCE)[:LINES]
        for line, text in enumerate(reversed(lines)):
            where = left + 5 * FONT, top - GAP - line * (SMALL + 3)
            body.append(chart_text(*where, text, font_size=SMALL, text_anchor="start"))
        body += panel.draw(left, top, PANEL_WIDTH, PANEL_HEIGHT)
    for left, room, panel in ((0, 2, panels[0]), (2, 1, panels[-1]))[: len(panels) - 1]:
        named = [curve for curve in panel.curves if curve.label]
        start = left * PANEL_WIDTH + 5 * FONT
        entries, height = legend(named, start, top + PANEL_HEIGHT, room * PANEL_WIDTH - 5 * FONT)
        body, below = [*body, *entries], max(below, height)
    return svg_chart(width, top + PANEL_HEIGHT + below + GAP, title, body, BLACK)


def _captions(survey: Survey, language: str) -> list[str]:
    """Return the sentences above the panels in *language*: nodes, seconds, nodes over size.

    There are always three. The first two are about the first board, and empty unless two agents
    with a depth were measured on it. Raise IndexError if the survey has no board.
    """
    board = survey.boards[0]
    found = {each.key: each.values for each in survey.conclusions(board)}
    facts = found.get("complexity.says_nodes")
    both = [
        text_of(f"complexity.says_{what}", language, **facts) if facts else ""
        for what in ("nodes", "seconds")
    ]
    grown = [f"{each.agent}: n^{each.nodes.rate.value:.2g}" for each in survey.exponents]
    sizes = text_of(
        "complexity.says_sizes", language, depth=survey.depth or "-", laws=", ".join(grown)
    )
    return [*both, sizes]


def _nodes_over_depth(survey: Survey, language: str) -> PlotPanel:
    """Return a panel with the nodes of each search over its depth in plies.

    The formulas b^m, nPr and b^(m/2) of `complexity.FORMULAS` are drawn beside them in grey.
    """
    curves = [
        Curve(label, _depths(runs), [run.nodes for run in runs], look)
        for label, runs, look in _sweeps(survey)
    ]
    curves += _formulas(survey, max([1.0, *extent(curves)]))
    return _over_depth(curves, text_of("complexity.nodes", language), language)


def _formulas(survey: Survey, most: float) -> list[Curve]:
    """Return the curves of `_FORMULAS`, in nodes over depth, up to `FACTOR` times *most* nodes.

    Each formula has one curve for each board to which it applies, unless all its values are larger;
    it reaches to the greatest depth that was searched on this board. Only a formula's first curve
    has a label, so that the legend names a formula once.
    """
    found = []
    for place, name in enumerate(_FORMULAS):
        label = f"{name}, b = {', '.join(str(board.moves) for board in survey.boards)}"
        for board in survey.boards:
            depths = range(1, 1 + max((len(sweep.runs) for sweep in board.sweeps), default=0))
            values = [board.formula(name, depth) for depth in depths]
            drawn = [value for value in values if value is not None and value <= FACTOR * most]
            if drawn:  # some formulas say nothing about some games
                look = CurveLook(-1, place + 1, None)
                found.append(Curve(label, depths[: len(drawn)], drawn, look))
                label = ""
    return found


def _seconds_over_depth(survey: Survey, language: str) -> PlotPanel:
    """Return a panel with the seconds of each search, with quartiles, over its depth in plies."""
    curves = []
    for label, runs, look in _sweeps(survey):
        times = [run.seconds for run in runs]
        low, high = [each.low for each in times], [each.high for each in times]
        values = [each.value for each in times]
        curves.append(Curve(label, _depths(runs), values, look, low, high, whiskers=True))
    return _over_depth(curves, text_of("complexity.seconds", language), language, seconds=True)


def _over_depth(
    curves: Sequence[Curve], label: str, language: str, seconds: bool = False
) -> PlotPanel:
    """Return a panel of *curves* over depth in plies, with a logarithmic axis of values named
    *label*.

    The values are seconds if *seconds* is True, else plain numbers. Words are in *language*.
    """

    def form(value: float) -> str:
        return scaled(value, "seconds" if seconds else "number", language)

    depths = [depth for curve in curves for depth in curve.x]
    across = _whole_axis(text_of("complexity.depth", language), depths, language)
    return PlotPanel(across, value_axis(label, extent(curves), form, log=True), curves)


def _nodes_over_size(survey: Survey, language: str) -> PlotPanel:
    """Return a panel with the nodes of each agent over the side of the board, and the curve n^2.

    The nodes are those at the depth that all agents have reached on every board.
    """
    curves = []
    for place, exponent in enumerate(survey.exponents):
        points = [
            (board.side, run.nodes)
            for board in survey.boards
            for sweep in board.sweeps
            for run in sweep.runs
            if (sweep.agent, run.depth) == (exponent.agent, exponent.depth)
        ]
        depth = "" if exponent.depth is None else f", m = {exponent.depth}"
        sides, nodes = zip(*sorted(points))
        curves.append(
            Curve(f"{exponent.agent}{depth}", sides, nodes, CurveLook(place, place, place))
        )
    all_sides = sorted({board.side for board in survey.boards})
    squares = [scan(side) for side in all_sides]
    curves.append(Curve("n^2", all_sides, squares, CurveLook(-1, 1, None)))
    ends = value_axis("", all_sides, str, log=True)
    label = text_of("complexity.side", language)
    texts = tuple(f"{side:.3g}" for side in all_sides)
    across = Axis(label, ends.low, ends.high, tuple(all_sides), texts, log=True)
    nodes_label = text_of("complexity.nodes", language)

    def form(value: float) -> str:
        return scaled(value, "number", language)

    return PlotPanel(across, value_axis(nodes_label, extent(curves), form, log=True), curves)


def _sweeps(survey: Survey) -> list[tuple[str, list[SearchRun], CurveLook]]:
    """Return every sweep with a depth, by board and agent: its label, its searches, and its look.

    The colour is that of the agent, the marker that of the board.
    """
    found = []
    for board_place, board in enumerate(survey.boards):
        for place, sweep in enumerate(board.sweeps):
            runs = [run for run in sweep.runs if run.depth is not None]
            if runs:
                look = CurveLook(place, place, board_place)
                found.append((f"{sweep.agent}  {board.game}", runs, look))
    return found


def _depths(runs: Sequence[SearchRun]) -> list[float]:
    """Return the depth of each search in plies; 0 for one without a depth."""
    return [float(run.depth or 0) for run in runs]
