"""The likeliest distribution of results that meets a condition: its mean, or its lead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeAlias

Shares: TypeAlias = Sequence[tuple[float, float]]
"""Each score that a sample can have, from 0 to 1, and its share."""


def moments(shares: Shares) -> tuple[float, float]:
    """The mean and the standard deviation."""
    mean = sum(score * share for score, share in shares)
    return mean, sqrt(sum(share * (score - mean) ** 2 for score, share in shares))


def with_mean(seen: Shares, mean: float) -> Shares:
    """The likeliest distribution that has this mean."""
    return tilted(seen, lambda score: score - mean)


def with_lead(seen: Shares, lead: float) -> Shares:
    """The likeliest distribution whose mean lies *lead* standard deviations above one half.

    How far the mean exceeds what the lead demands is a convex function of the shares: from a
    distribution that exceeds it, each tangent leads to another one that does, and none can fail.
    """
    if lead < 0:
        return _turned(with_lead(_turned(seen), -lead))
    fit = _leading(seen, lead)
    for _ in range(100):
        before, fit = fit, tilted(seen, tangent(*moments(fit), lead))
        if max(abs(old[1] - new[1]) for old, new in zip(before, fit)) < 1e-12:
            break
    return fit


def tangent(mean: float, sigma: float, lead: float) -> Callable[[float], float]:
    """By how much a score exceeds the lead, near a distribution with these moments."""
    return lambda score: score - 0.5 - lead * halved_spread(mean, sigma, score)


def halved_spread(mean: float, sigma: float, score: float) -> float:
    """What a score adds to the standard deviation, near a distribution with these moments."""
    return sigma * (1 + ((score - mean) / sigma) ** 2) / 2


def tilted(seen: Shares, excess: Callable[[float], float]) -> Shares:
    """The likeliest distribution in which the mean *excess* is 0."""
    excesses = [excess(score) for score, _ in seen]
    low, high = -1 / max(excesses), -1 / min(excesses)
    for _ in range(100):  # the sum falls from +inf to -inf between the two
        tilt = (low + high) / 2
        if sum(share * e / (1 + tilt * e) for (_, share), e in zip(seen, excesses)) > 0:
            low = tilt
        else:
            high = tilt
    return [(score, share / (1 + tilt * e)) for (score, share), e in zip(seen, excesses)]


def _leading(seen: Shares, lead: float) -> Shares:
    """What was seen, with as many wins more as it takes to lead by more than this."""
    mean, sigma = moments(seen)
    if mean - 0.5 > lead * sigma:
        return seen
    *others, (best, share) = [(score, share / 2) for score, share in seen]
    return _leading([*others, (best, share + 0.5)], lead)


def _turned(shares: Shares) -> Shares:
    """The same seen by the other player."""
    return [(1 - score, share) for score, share in reversed(shares)]
