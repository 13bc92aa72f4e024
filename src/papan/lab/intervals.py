"""Estimates with their 95 % intervals, from what was counted and measured."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, median, stdev

from papan.lab.results import Form, Measure

Z = 1.959963984540054
"""The normal quantile that leaves 2.5 % on either side."""


def share(successes: float, trials: int) -> Measure:
    """The share of *successes*, after Wilson: honest also near 0 and 1, and for few trials.

    A draw may count as half a success: that varies less, so the interval is rather too wide.
    """
    if trials == 0:
        return Measure(0.0, 0.0, 1.0, "share")
    rate = successes / trials
    spread = Z * sqrt(rate * (1 - rate) / trials + (Z / trials) ** 2 / 4)
    centre, scale = rate + Z**2 / trials / 2, 1 + Z**2 / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return Measure(rate, min(max(low, 0.0), rate), max(min(high, 1.0), rate), "share")


def mean(samples: Sequence[float], form: Form = "number") -> Measure:
    """The mean, after Student; of nothing, nothing is known."""
    if not samples:
        return Measure(0.0, -inf, inf, form)
    if len(samples) < 2:
        return Measure(fmean(samples), form=form)
    centre = fmean(samples)
    error = student(len(samples) - 1) * stdev(samples) / sqrt(len(samples))
    return Measure(centre, centre - error, centre + error, form)


def middle(samples: Sequence[float], form: Form = "seconds") -> Measure:
    """The median, with the order statistics that hold it in 95 % of all cases."""
    ordered, count = sorted(samples), len(samples)
    reach = Z * sqrt(count) / 2
    first = max(int(count / 2 - reach), 0)
    last = min(int(count / 2 + reach + 0.5), count - 1)
    return Measure(median(ordered), ordered[first], ordered[last], form)


def student(freedom: int) -> float:
    """Student's quantile for 95 %: the first terms of its series, exact to a percent from 3 on."""
    few = {1: 12.706, 2: 4.303}
    if freedom in few:
        return few[freedom]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3
