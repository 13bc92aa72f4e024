"""Cells as people read them: numbers, percentages, times, intervals, in each language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from papan.core.text import say
from papan.lab.results import Answer, Cell, Chart, Form, Measure, Text

MINUS = "\u2212"
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"))
MARKS = {
    "en": {".": ".", ",": ",", "between": ", "},
    "id": {".": ",", ",": ".", "between": "; "},
}
"""How each language writes decimals, thousands, and what stands between two numbers."""


def show(cell: Cell, language: str) -> str:
    """The text of a cell."""
    if cell is None:
        return "\u2013"
    if isinstance(cell, Text):
        values = {name: show(value, language) for name, value in cell.values.items()}
        return say(cell.key, language, **values)
    if isinstance(cell, Answer):
        return say(f"lab.verdict_{cell.verdict}", language)
    if isinstance(cell, Measure):
        return _measure(cell, language)
    return cell if isinstance(cell, str) else number(cell, language)


def numbers(chart: Chart, language: str) -> Iterator[tuple[str, str]]:
    """What a chart shows, for whoever cannot see it: the name of each series, and its points."""
    for series in chart.series:
        places: Sequence[Cell] = chart.categories or series.x
        points = (
            f"{show(place, language)}: {show(value, language)}"
            for place, value in zip(places, series.y)
        )
        yield show(series.label, language), "; ".join(points)


def number(value: float, language: str) -> str:
    """A number with at most two decimals, its thousands set apart, and a real minus."""
    if not isfinite(value):
        return f"{MINUS if value < 0 else ''}\u221e"
    small = abs(value) < 1000 and not float(value).is_integer()
    text = f"{abs(value):,.2f}".rstrip("0").rstrip(".") if small else f"{abs(value):,.0f}"
    if abs(value) < 10_000:
        text = text.replace(",", "")
    marks = MARKS[language]
    text = "".join(marks.get(letter, letter) for letter in text)
    return (MINUS if value < 0 and text.strip("0.,") else "") + text


def scaled(value: float, form: Form, language: str) -> str:
    """A single value in its form: 12.5%, 3.2 ms, 7."""
    factor, unit = _scale(value, form)
    return _digits(value / factor, form, language) + unit


def _measure(cell: Measure, language: str) -> str:
    factor, unit = _scale(cell.value, cell.form)
    text = _digits(cell.value / factor, cell.form, language) + unit
    if cell.low is None or cell.high is None:
        return text
    if not (isfinite(cell.low) or isfinite(cell.high)):
        return say("lab.too_few", language, value=text)
    ends = (_digits(end / factor, cell.form, language) for end in (cell.low, cell.high))
    return f"{text} [{MARKS[language]['between'].join(ends)}]"


def _scale(value: float, form: Form) -> tuple[float, str]:
    """What a value is divided by, and the unit that it is in then."""
    if form == "share":
        return 0.01, "%"
    if form == "number":
        return 1.0, ""
    size, unit = next((each for each in UNITS if abs(value) >= each[0]), UNITS[-1])
    return size, f" {unit}"


def _digits(value: float, form: Form, language: str) -> str:
    return number(round(value, 1) if form == "share" else _significant(value), language)


def _significant(value: float) -> float:
    """Three digits that mean something, and all those before the decimal point."""
    return float(f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}")
