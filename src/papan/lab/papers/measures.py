"""Estimates as the papers' tables show them: measures with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from papan.lab.results import Form, Measure
from papan.lab.statistics import (
    Interval,
    Tally,
    mean_interval,
    median_interval,
    ratio_interval,
    score_interval,
    share_interval,
)


def share(successes: int, trials: int) -> Measure:
    """The share of *successes*, after Clopper and Pearson: exact also near 0 and 1."""
    return _measure(share_interval(successes, trials), "share")


def points(tally: Tally) -> Measure:
    """The share of points: a win is 1, a draw 1/2."""
    return _measure(score_interval(tally), "share")


def mean(samples: Sequence[float], form: Form = "number") -> Measure:
    """The mean, after Student; of nothing, nothing is known."""
    if not samples:
        return Measure(0.0, -inf, inf, form)
    return _measure(mean_interval(samples), form)


def middle(samples: Sequence[float], form: Form = "seconds") -> Measure:
    """The median, with the order statistics that hold it; fewer than six do not."""
    return _measure(median_interval(samples), form)


def ratio(samples: Sequence[float], others: Sequence[float]) -> Measure:
    """How many times as large the samples are as the others, after Welch, by their logarithms."""
    return _measure(ratio_interval(samples, others), "number")


def _measure(interval: Interval, form: Form) -> Measure:
    return Measure(interval.value, interval.low, interval.high, form)
