"""Intervals that hold the true value with a given confidence: shares, means, medians, all else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, isfinite, pi, sin, sqrt
from statistics import NormalDist, fmean, median, stdev

from papan.core.worth import number

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A value that was measured, and the bounds between which the true one lies."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width: what people write after the plus-minus sign."""
        return (self.high - self.low) / 2


def with_error(interval: Interval) -> str:
    """The value and its error; only the bound that is known where the value has no end."""
    if isfinite(interval.value) and isfinite(interval.error):
        return f"{number(interval.value)} \u00b1 {interval.error:.2f}"
    if isfinite(interval.low):
        return f"\u2265 {number(interval.low)}"
    if isfinite(interval.high):
        return f"\u2264 {number(interval.high)}"
    return number(interval.value) if isfinite(interval.value) else "?"


def deviations(confidence: float = CONFIDENCE) -> float:
    """How many standard deviations to each side hold this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a share: good for few trials, and for shares of 0 and 1."""
    if trials <= 0:
        return Interval(share, 0.0, 1.0)
    spread = deviations(confidence) ** 2 / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Interval(share, min(low, share), max(high, share))  # whatever the rounding


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Student's interval of a mean."""
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, float("-inf"), float("inf"))
    reach = student(confidence, len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The order statistics that hold the median, whatever the distribution is."""
    ordered, half = sorted(values), len(values) / 2
    reach = deviations(confidence) * sqrt(len(values)) / 2
    low, high = max(int(half - reach), 0), min(int(half + reach + 0.5), len(values) - 1)
    return Interval(median(ordered), ordered[low], ordered[high])


def bootstrap(
    values: Sequence[float],
    measure: Callable[[Sequence[float]], float] = fmean,
    confidence: float = CONFIDENCE,
    rounds: int = 2000,
    seed: int = 0,
) -> Interval:
    """The interval of any *measure* of the values, from drawing them anew again and again."""
    rng = random.Random(seed)
    drawn = sorted(measure(rng.choices(values, k=len(values))) for _ in range(rounds))
    cut = int((1 - confidence) / 2 * rounds)
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
