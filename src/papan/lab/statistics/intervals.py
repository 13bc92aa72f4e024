"""Confidence intervals, rank tests, and fitted laws of growth.

With too few values for an interval, both ends are infinite. Laws of growth, exponential and power
laws, are fitted by least squares, with intervals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from statistics import NormalDist, fmean, median, stdev

from papan.core.numbers import MINUS

CONFIDENCE = 0.95
WIDE = 100.0
"""Half-width from which an interval is shown without decimals."""
FEWEST_DRAWN = 20
"""Number of values below which the bootstrap is not used."""


@dataclass(frozen=True)
class Interval:
    """A measured value, and the two ends of its confidence interval, in the unit of the value.

    The confidence is 95 % where nothing else is said. Both ends are infinite if there were too few
    values.
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Distance of the value to the farther end of the interval; may be infinite."""
        return max(self.high - self.value, self.value - self.low)


def with_ends(interval: Interval) -> str:
    """Return the value and both ends as text, such as ``+12.3 ± 14.5`` or ``+52.3 [+38.1, +70.0]``.

    The plus-minus sign is used if both sides are equal in the digits that are shown: the wider the
    interval, the fewer decimals, two to none. If one end is infinite, the other one alone is shown,
    such as ``≥ +8``; if both are, the text is "?".
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
    """Return a number with its sign, *digits* decimals and a typographic minus; 0 has no sign."""
    return f"{amount:+.{digits}f}".replace("-", MINUS) if round(amount, digits) else "0"


def deviations(confidence: float = CONFIDENCE) -> float:
    """Return how many standard deviations on both sides of 0 contain *confidence* of a normal law.

    *confidence* must be from 0 to below 1; StatisticsError is raised if it is 1 or more.
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the mean of *values* with Student's interval: mean +- t * deviation / sqrt(n).

    *confidence* is between 0 and 1. One value alone has infinite ends. Raise StatisticsError if
    there is none.
    """
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, -inf, inf)
    reach = student(confidence, len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the median of *values* with an interval whose ends are two of the values.

    It holds for any distribution: the ends are the order statistics between which the true median
    lies with at least *confidence*, between 0 and 1. With too few values for that (below six at
    95 %) both ends are infinite. Raise StatisticsError if there is no value.
    """
    count, ordered = len(values), sorted(values)
    ways, fewer, place = 1, 0, -1  # of 2^count cases: place + 1 values below the median, or fewer
    while (fewer + ways) / 2**count <= (1 - confidence) / 2:
        fewer, place = fewer + ways, place + 1
        ways = ways * (count - place) // (place + 1)
    ends = (ordered[place], ordered[-1 - place]) if place >= 0 else (-inf, inf)
    return Interval(median(ordered), *ends)


def bootstrap(
    values: Sequence[float],
    measure: Callable[[Sequence[float]], float] = fmean,
    confidence: float = CONFIDENCE,
    rounds: int = 4000,
    seed: int = 0,
) -> Interval:
    """Return the *measure* of the values (default: mean) with its bootstrap interval.

    *rounds* is the number of resamples, which *seed* draws; *confidence* is between 0 and 1.

    Resampled values vary less than new ones, so the percentiles are expanded by Student's factor
    (Hesterberg, 2015). Fewer than `FEWEST_DRAWN` values give infinite ends. Raises what *measure*
    raises: for no values, the mean raises StatisticsError.
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
    """Return how many standard errors on both sides contain *confidence* of Student's distribution.

    *confidence* is between 0 and 1; *freedom*, 1 or more, is the number of degrees of freedom.
    """
    low, high = 0.0, pi / 2  # the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        angle = (low + high) / 2
        if _within(angle, freedom) < confidence:
            low = angle
        else:
            high = angle
    return sqrt(freedom) * sin(angle) / cos(angle)


def _within(angle: float, freedom: int) -> float:
    """Return the share of Student's distribution within *angle*, in radians, on both sides of 0.

    It has *freedom* degrees of freedom; the angle is that of Abramowitz and Stegun 26.7.3-4.
    """
    total, term = 0.0, cos(angle) if freedom % 2 else 1.0
    for step in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * step / (step + 1)
    if freedom % 2:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total


LARGEST_LOG = 700
"""Largest logarithm whose exponential is computed; beyond it the result is infinite."""


@dataclass(frozen=True)
class Growth:
    """A fitted law: *factor* * *rate* ** x (exponential) or *factor* * x ** *rate* (power)."""

    factor: float
    rate: Interval
    """Base of an exponential law or exponent of a power law, with its 95 % interval; from two
    points alone the ends are 0 and infinity for a base, both infinite for an exponent.
    """


def exponential_law(points: Sequence[tuple[float, float]]) -> Growth | None:
    """Return the law y = factor * base ** x fitted to *points* (x, y); None if all x are equal.

    Over depth, the base is the branching factor. Points with y <= 0 are ignored; None, too, if no
    point is left.
    """
    line = _line([(x, log(y)) for x, y in points if y > 0])
    if line is None:
        return None
    slope, offset = line
    rate = Interval(*map(_exp, (slope.value, slope.low, slope.high)))
    return Growth(_exp(offset), rate)


def power_law(points: Sequence[tuple[float, float]]) -> Growth | None:
    """Return the law y = factor * x ** exponent fitted to *points* (x, y); None if all x are equal.

    Points with x <= 0 or y <= 0 are ignored; None, too, if no point is left.
    """
    line = _line([(log(x), log(y)) for x, y in points if x > 0 and y > 0])
    return None if line is None else Growth(_exp(line[1]), line[0])


def _exp(amount: float) -> float:
    """Return e to the power of *amount*; infinite from `LARGEST_LOG` on."""
    return exp(amount) if amount < LARGEST_LOG else inf


def _line(points: Sequence[tuple[float, float]]) -> tuple[Interval, float] | None:
    """Return slope, with its 95 % interval, and offset (y at x = 0) of the least-squares line.

    From two points the ends of the interval are infinite. None if all x of the *points* (x, y) are
    equal, or if there is no point.
    """
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
