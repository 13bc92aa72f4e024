"""Estimates as the papers' tables show them: measures with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from papan.lab.results import Form, Measure
from papan.lab.statistics import Interval, mean_interval, median_interval, wilson


def share(successes: float, trials: int) -> Measure:
    """The share of *successes*, after Wilson: honest also near 0 and 1, and for few trials.

    A draw may count as half a success: that varies less, so the interval is rather too wide.
    """
    return _measure(wilson(successes / max(trials, 1), trials), "share")


def mean(samples: Sequence[float], form: Form = "number") -> Measure:
    """The mean, after Student; of nothing, nothing is known."""
    if not samples:
        return Measure(0.0, -inf, inf, form)
    if len(samples) < 2:
        return Measure(samples[0], form=form)
    return _measure(mean_interval(samples), form)


def middle(samples: Sequence[float], form: Form = "seconds") -> Measure:
    """The median, with the order statistics that hold it in 95 % of all cases."""
    return _measure(median_interval(samples), form)


def _measure(interval: Interval, form: Form) -> Measure:
    return Measure(interval.value, interval.low, interval.high, form)
