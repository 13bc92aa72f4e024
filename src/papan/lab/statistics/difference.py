"""How much stronger one of two players is: Elo, normalised Elo, likelihood of superiority."""

from __future__ import annotations

from math import copysign, inf, log, log10, sqrt
from statistics import NormalDist

from papan.lab.statistics.intervals import CONFIDENCE, Interval, deviations, wilson
from papan.lab.statistics.tally import Tally

NORMALISED = 800 / log(10)
"""Normalised Elo for a player whose score per game lies one standard deviation above one half."""


def elo_of(score: float) -> float:
    """The Elo difference at which this score is expected."""
    if not 0 < score < 1:
        return -inf if score <= 0 else inf
    return -400 * log10(1 / score - 1)


def expected_score(elo: float) -> float:
    """The score that is expected at this Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """The Elo difference that the results speak for."""
    bounds = _score_bounds(tally, confidence)
    return Interval(elo_of(tally.score), elo_of(bounds[0]), elo_of(bounds[1]))


def normalised_elo(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """The lead in standard deviations of a game, on a scale like Elo's.

    It says how many games it takes to prove the difference, however drawish the game is.
    """
    lead = tally.score - 0.5
    if tally.variance == 0:
        value = copysign(inf, lead) if lead else 0.0
        return Interval(value, -inf if lead <= 0 else 0.0, inf if lead >= 0 else 0.0)
    value = NORMALISED * lead / sqrt(tally.variance * tally.games_each)
    error = NORMALISED * deviations(confidence) / sqrt(tally.games)
    return Interval(value, value - error, value + error)


def superiority(tally: Tally) -> float:
    """The likelihood that the player is the stronger one (LOS)."""
    lead = tally.score - 0.5
    if tally.variance == 0:  # always the same result: a uniform prior tells what it is worth
        certain = 0.5 ** (tally.samples + 1)
        return 0.5 if lead == 0 else certain if lead < 0 else 1 - certain
    return NormalDist().cdf(lead / sqrt(tally.variance / tally.samples))


def _score_bounds(tally: Tally, confidence: float) -> tuple[float, float]:
    if tally.variance == 0:  # nothing varied so far, which does not mean that nothing can
        interval = wilson(tally.score, tally.samples, confidence)
        return interval.low, interval.high
    reach = deviations(confidence) * sqrt(tally.variance / tally.samples)
    return tally.score - reach, tally.score + reach
