"""What an experiment found, as typed data: claims beside measurements, tables and charts.

Words are keys of the catalogues, so that one result can be written in any language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Verdict = Literal["yes", "no", "open", "none"]
"""Does a claim hold? *open*: the interval does not decide it; *none*: the paper claims nothing."""

Form = Literal["number", "share", "seconds"]
"""How a measure is written: as it is, in percent, or in a unit of time that fits."""


@dataclass(frozen=True)
class Text:
    """A sentence of the catalogues with the values it speaks of."""

    key: str
    values: Mapping[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A number with its 95 % interval; without one it was counted, not estimated.

    Infinite ends say that it was estimated from too few values to have one.
    """

    value: float
    low: float | None = None
    high: float | None = None
    form: Form = "number"

    @property
    def counted(self) -> bool:
        return self.low is None


@dataclass(frozen=True)
class Answer:
    """Does a claim hold?"""

    verdict: Verdict


Cell: TypeAlias = "int | float | str | Text | Measure | Answer | None"


@dataclass(frozen=True)
class Finding:
    """One line of the comparison: what the paper says, what we measured, whether they agree."""

    what: Text
    paper: Cell
    ours: Cell = None
    agrees: Verdict = "none"


@dataclass(frozen=True)
class ReportTable:
    """Rows of cells under headings; *name* is that of its files."""

    name: str
    title: Text
    headings: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Series:
    """One line, or one kind of bar, of a chart; *low* and *high* are its 95 % band."""

    label: Cell
    y: tuple[float, ...]
    x: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Chart:
    """What a figure shows; how it is drawn is decided where it is drawn."""

    name: str
    title: Text
    x: Text
    y: Text
    series: tuple[Series, ...]
    kind: Literal["lines", "steps", "bars"] = "lines"
    categories: tuple[Cell, ...] = ()
    """The names along the x axis of bars."""
    log: bool = False
    form: Form = "number"
    """How the y axis is written."""
    level: float | None = None
    """A value to compare with, drawn across."""


@dataclass(frozen=True)
class Conclusions:
    """Everything that one paper's experiments led to."""

    findings: tuple[Finding, ...]
    tables: tuple[ReportTable, ...] = ()
    charts: tuple[Chart, ...] = ()


def measured(estimate: Measure, above: float) -> Verdict:
    """Is an estimate surely above a number, surely below it, or neither?"""
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    return "yes" if low > above else "no" if high < above else "open"


def within(estimate: Measure, low: float, high: float) -> Verdict:
    """Is an estimate surely between two numbers, surely not, or neither?"""
    sides = measured(estimate, low), measured(estimate, high)
    return "yes" if sides == ("yes", "no") else "no" if "open" not in sides else "open"


def holds(claim: bool) -> Verdict:
    """The verdict on what can be counted."""
    return "yes" if claim else "no"
