"""Weighted means whose weights are random and share one: how they are distributed, exactly.

Every result gets a random weight (a Dirichlet distribution, Rubin's Bayesian bootstrap of 1981).
A weighted mean is below a bound where a sum of gamma variables is negative; that probability is an
integral along a line through the saddle point, known to some twelve digits for any results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, cos, cosh, exp, log, log1p, pi, sinh, sqrt
from statistics import NormalDist
from typing import TypeAlias

Shifts: TypeAlias = Sequence[tuple[float, int]]
"""By how much each kind of result lies above a bound, and how often it was seen."""
Ratios: TypeAlias = Sequence[tuple[float, float, int]]
"""For each kind of result what counts, what that is divided by (above 0), and how often."""

STEP = 0.15
"""Between two places of an integral: it leaves an error of about e to the power -pi^2 / step."""
LEAST = 1e-300
"""Probabilities are told apart down to this one."""
SURE = 1e-12
"""How well a quantile is found, in standard deviations."""


def negative(shifts: Shifts) -> float:
    """The probability that the weighted mean of the shifts is below 0."""
    apart = [(shift, count) for shift, count in shifts if shift and count]
    if all(shift > 0 for shift, _ in apart):
        return 0.0 if apart else 0.5
    if all(shift < 0 for shift, _ in apart):
        return 1.0
    if sum(shift * count for shift, count in apart) < 0:
        return 1 - _positive(apart)
    return _positive([(-shift, count) for shift, count in apart])


def quantile(ratios: Ratios, share: float) -> float:
    """The bound that this share of all ratios of two weighted means stays below."""
    seen = [each for each in ratios if each[2]]
    low, high = (choose(part / whole for part, whole, _ in seen) for choose in (min, max))
    parts, wholes = (sum(each[place] * each[2] for each in seen) for place in (0, 1))
    place = parts / wholes
    spread = sqrt(sum(n * (part - place * whole) ** 2 for part, whole, n in seen)) / wholes
    target = NormalDist().inv_cdf(share)
    before, short = place, target  # near the middle the normal distribution is close enough
    place += target * spread
    for _ in range(100):
        if not low < place < high:
            place = (low + high) / 2
        reached = negative([(part - place * whole, n) for part, whole, n in seen])
        missing = target - NormalDist().inv_cdf(min(max(reached, LEAST), 1 - SURE))
        if abs(missing) < SURE or high - low <= SURE * spread:
            break
        low, high = (place, high) if missing > 0 else (low, place)
        slope = (short - missing) / (place - before) if place != before else 1 / spread
        before, short = place, missing
        place = place + missing / slope if slope > 0 else low
    return place


def _positive(shifts: Shifts) -> float:
    """The probability that the mean is above 0 where it is expected to be below."""
    saddle = _saddle(shifts)
    curvature = 1 / saddle**2 + sum(
        count * (shift / (1 - shift * saddle)) ** 2 for shift, count in shifts
    )
    width, total, place = 1 / sqrt(curvature), 0.0, 0
    while True:
        across = width * sinh(place * STEP)
        size, angle = -log(saddle**2 + across**2) / 2, -atan2(across, saddle)
        for shift, count in shifts:
            real, imaginary = shift * saddle, shift * across
            size -= count * log1p(real * real - 2 * real + imaginary * imaginary) / 2
            angle += count * atan2(imaginary, 1 - real)
        term = exp(size) * width * cosh(place * STEP)
        total += term * cos(angle) if place else term / 2
        if term <= 1e-17 * abs(total) or term < LEAST:
            return min(max(total * STEP / pi, 0.0), 1.0)
        place += 1


def _saddle(shifts: Shifts) -> float:
    """About where the transform of the sum, divided by its variable, is smallest."""
    low, high = 0.0, 1 / max(shift for shift, _ in shifts)
    while high - low > 0.01 * high:
        place = (low + high) / 2
        rises = place * sum(count * shift / (1 - shift * place) for shift, count in shifts) > 1
        low, high = (low, place) if rises else (place, high)
    return (low + high) / 2


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
