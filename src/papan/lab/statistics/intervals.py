"""Intervals that hold the true value with a given confidence, rank tests, and laws of growth.

Where there are too few values for an interval, both ends are infinite: nothing is known. Laws of
growth, exponential and power laws, are fitted by least squares, with such intervals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import (
    cos,
    exp,
    inf,
    isfinite,
    log,
    pi,
    sin,
    sqrt,
)
from statistics import NormalDist, fmean, median, stdev, variance

from papan.core.numbers import MINUS

CONFIDENCE = 0.95
WIDE = 100.0
"""An interval that reaches this far needs no decimals."""
FEWEST_DRAWN = 20
"""With fewer values than this, drawing them anew says too little about all others."""


@dataclass(frozen=True)
class Interval:
    """A value that was measured, and the ends between which the true one lies."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """How far the true value may lie from the one that was measured: to the farther end."""
        return max(self.high - self.value, self.value - self.low)


def with_ends(interval: Interval) -> str:
    """The value and both ends, or the one end that is known; digits by how wide the interval is.

    The plus-minus sign is for intervals whose two sides are equal in the digits that are shown.
    """
    value, low, high = interval.value, interval.low, interval.high
    reach = interval.error if isfinite(interval.error) else WIDE
    digits = 0 if reach >= WIDE else 1 if reach >= WIDE / 10 else 2
    if isfinite(low) and isfinite(high):
        below, above = f"{value - low:.{digits}f}", f"{high - value:.{digits}f}"
        if below == above:
            return f"{_signed(value, digits)} \u00b1 {above}"
        return f"{_signed(value, digits)} [{_signed(low, digits)}, {_signed(high, digits)}]"
    if isfinite(low) or isfinite(high):
        return f"\u2265 {_signed(low, 0)}" if isfinite(low) else f"\u2264 {_signed(high, 0)}"
    return "?"


def _signed(amount: float, digits: int) -> str:
    """A number with its sign and a real minus; nothing has none."""
    return f"{amount:+.{digits}f}".replace("-", MINUS) if round(amount, digits) else "0"


def deviations(confidence: float = CONFIDENCE) -> float:
    """How many standard deviations to each side hold this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval of a mean."""
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, -inf, inf)
    reach = student(confidence, len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The innermost order statistics that hold the median, whatever the distribution is.

    Fewer than six values hold it in less than 95 % of all cases, even all of them together.
    """
    count, ordered = len(values), sorted(values)
    ways, fewer, place = 1, 0, -1  # of 2^count: that so many values, or fewer, are below the median
    while (fewer + ways) / 2**count <= (1 - confidence) / 2:
        fewer, place = fewer + ways, place + 1
        ways = ways * (count - place) // (place + 1)
    ends = (ordered[place], ordered[-1 - place]) if place >= 0 else (-inf, inf)
    return Interval(median(ordered), *ends)


def ratio_interval(
    values: Sequence[float], others: Sequence[float], confidence: float = CONFIDENCE
) -> Interval:
    """How many times as large as the others the values are, all above 0: between geometric means.

    It is Welch's interval of the difference between their logarithms.
    """
    logs = [[log(value) for value in each] for each in (values, others)]
    lead = fmean(logs[0]) - fmean(logs[1])
    if min(map(len, logs)) < 2:
        return Interval(exp(lead), -inf, inf)
    parts = [variance(each) / len(each) for each in logs]
    freedoms = sum(part**2 / (len(each) - 1) for part, each in zip(parts, logs))
    freedom = int(sum(parts) ** 2 / freedoms) if freedoms else 1
    reach = student(confidence, max(1, freedom)) * sqrt(sum(parts))
    return Interval(exp(lead), exp(lead - reach), exp(lead + reach))


def rank_doubts(values: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """How likely the values rank so high among the others, or higher, by chance alone; or lower.

    The exact test of Wilcoxon, Mann and Whitney: all ways to deal out the ranks are counted. Equal
    numbers count as if they spoke against it, whichever side is asked.
    """
    first, second = len(values), len(others)
    wins = sum(value > other for value in values for other in others)
    losses = sum(value < other for value in values for other in others)
    ways = _rank_ways(first, second)
    total = sum(ways)
    return sum(ways[wins:]) / total, sum(ways[losses:]) / total


@cache
def _rank_ways(first: int, second: int) -> tuple[int, ...]:
    """In how many orders of both kinds so many pairs have the first kind above the second."""
    if not first or not second:
        return (1,)
    found = [0] * (first * second + 1)
    for wins, ways in enumerate(_rank_ways(first - 1, second)):  # one of the first on top
        found[wins + second] += ways
    for wins, ways in enumerate(_rank_ways(first, second - 1)):
        found[wins] += ways
    return tuple(found)


def bootstrap(
    values: Sequence[float],
    measure: Callable[[Sequence[float]], float] = fmean,
    confidence: float = CONFIDENCE,
    rounds: int = 4000,
    seed: int = 0,
) -> Interval:
    """The interval of any *measure* of the values, from drawing them anew again and again.

    Drawn values vary less than true ones, so less is cut off than the risk alone says, by
    Student's factor (the expanded percentiles of Hesterberg, 2015).
    """
    count = len(values)
    if count < FEWEST_DRAWN:
        return Interval(measure(values), -inf, inf)
    rng = random.Random(seed)
    drawn = sorted(measure(rng.choices(values, k=count)) for _ in range(rounds))
    farther = student(confidence, count - 1) * sqrt(count / (count - 1))
    cut = int(NormalDist().cdf(-farther) * rounds)
    return Interval(measure(values), drawn[cut], drawn[rounds - 1 - cut])


def student(confidence: float, freedom: int) -> float:
    """How many standard errors to each side hold this share of Student's distribution."""
    low, high = 0.0, pi / 2  # the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        angle = (low + high) / 2
        if _within(angle, freedom) < confidence:
            low = angle
        else:
            high = angle
    return sqrt(freedom) * sin(angle) / cos(angle)


def _within(angle: float, freedom: int) -> float:
    """The share of Student's distribution within the angle (Abramowitz and Stegun, 26.7.3-4)."""
    total, term = 0.0, cos(angle) if freedom % 2 else 1.0
    for step in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * step / (step + 1)
    if freedom % 2:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total


LARGEST_LOG = 700
"""Beyond it a number is too large to be written, and no use to anyone."""


@dataclass(frozen=True)
class Growth:
    """A law that fits: *factor* times *rate* to the power x, or times x to the power *rate*."""

    factor: float
    rate: Interval
    """The base of an exponential law, or the exponent of a power law, with its 95 % interval."""


def exponential_law(points: Sequence[tuple[float, float]]) -> Growth | None:
    """The law y = factor * base^x; its base over depth is the effective branching factor."""
    line = _line([(x, log(y)) for x, y in points if y > 0])
    if line is None:
        return None
    slope, offset = line
    rate = Interval(*map(_exp, (slope.value, slope.low, slope.high)))
    return Growth(_exp(offset), rate)


def power_law(points: Sequence[tuple[float, float]]) -> Growth | None:
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
