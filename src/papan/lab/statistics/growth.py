"""Laws of growth: exponential and power laws, fitted by least squares with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import fmean

from papan.lab.statistics.intervals import CONFIDENCE, Interval, student

LARGEST_LOG = 700
"""Beyond it a number is too large to be written, and no use to anyone."""


@dataclass(frozen=True)
class Growth:
    """A law that fits: *factor* times *rate* to the power x, or times x to the power *rate*."""

    factor: float
    rate: Interval
    """The base of an exponential law, or the exponent of a power law, with its 95 % interval."""


def exponential(points: Sequence[tuple[float, float]]) -> Growth | None:
    """The law y = factor * base^x; its base over depth is the effective branching factor."""
    line = _line([(x, log(y)) for x, y in points if y > 0])
    if line is None:
        return None
    slope, offset = line
    rate = Interval(*map(_exp, (slope.value, slope.low, slope.high)))
    return Growth(_exp(offset), rate)


def power(points: Sequence[tuple[float, float]]) -> Growth | None:
    """The law y = factor * x^exponent."""
    line = _line([(log(x), log(y)) for x, y in points if x > 0 and y > 0])
    return None if line is None else Growth(exp(line[1]), line[0])


def _exp(amount: float) -> float:
    return exp(amount) if amount < LARGEST_LOG else inf


def _line(points: Sequence[tuple[float, float]]) -> tuple[Interval, float] | None:
    """The slope and the offset of the straight line that fits best; None where there is none."""
    middle = fmean(x for x, _ in points) if points else 0.0
    width = sum((x - middle) ** 2 for x, _ in points)
    if width == 0:
        return None
    height = fmean(y for _, y in points)
    slope = sum((x - middle) * (y - height) for x, y in points) / width
    rests = sum((y - height - slope * (x - middle)) ** 2 for x, y in points)
    freedom = len(points) - 2
    reach = student(CONFIDENCE, freedom) * sqrt(rests / freedom / width) if freedom else inf
    return Interval(slope, slope - reach, slope + reach), height - slope * middle
