"""How much stronger one of two players is: Elo, normalised Elo, likelihood of superiority.

All three come from the random weights of `papan.lab.statistics.dirichlet`. One imaginary result,
the worst there is, goes into the lower ends and one, the best there is, into the upper ends, which
keeps their promise at every number of results (Gaffke, 2005; Learned-Miller and Thomas, 2019): for
two kinds of results these are the ends of Clopper and Pearson. A better result makes every weighted
mean larger; so neither an end of a score or an Elo nor a likelihood ever falls by it.
"""

from __future__ import annotations

from functools import lru_cache
from math import copysign, inf, log, log10, sqrt

from papan.lab.statistics.dirichlet import negative, quantile
from papan.lab.statistics.fitting import Shares, halved_spread, moments, tangent, tilted
from papan.lab.statistics.intervals import CONFIDENCE, Interval
from papan.lab.statistics.tally import Tally

NORMALISED = 800 / log(10)
"""Normalised Elo for a player whose score per game lies one standard deviation above one half."""


def elo_of(score: float) -> float:
    """The Elo difference at which this score is expected."""
    if not 0 < score < 1:
        return -inf if score <= 0 else inf
    return 400 * log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """The score that is expected at this Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_interval(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """The mean score of a game, from 0 to 1, that the results speak for."""
    return _score_interval(tally.counts, confidence)


def share_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The share of successes, after Clopper and Pearson; of no trials, nothing is known."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    return _score_interval((trials - successes, successes), confidence)


def elo_difference(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """The Elo difference that the results speak for."""
    score = score_interval(tally, confidence)
    return Interval(*map(elo_of, (score.value, score.low, score.high)))


def normalised_elo(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """The lead in standard deviations of a game, on a scale like Elo's.

    It says how many games it takes to prove the difference, however drawish the game is.
    """
    mean, sigma = moments(tally.shares)
    lead = (mean - 0.5) / sigma if sigma else copysign(inf, mean - 0.5) if mean != 0.5 else 0.0
    risk, scale = (1 - confidence) / 2, NORMALISED / sqrt(tally.games_each)
    low, high = _lowest_lead(tally.counts, risk), -_lowest_lead(tally.counts[::-1], risk)
    return Interval(scale * lead, scale * min(low, lead), scale * max(lead, high))


def superiority(tally: Tally) -> float:
    """The likelihood that the player is the stronger one (LOS): between the worst and the best."""
    below = [
        negative([(score - 0.5, count) for score, count in _scored(counts)])
        for counts in (_worse(tally.counts), _worse(tally.counts[::-1])[::-1])
    ]
    return 1 - sum(below) / 2


@lru_cache(maxsize=4096)
def _score_interval(counts: tuple[int, ...], confidence: float) -> Interval:
    risk = (1 - confidence) / 2
    value = sum(score * count for score, count in _scored(counts)) / sum(counts)
    return Interval(value, _lowest_score(counts, risk), 1 - _lowest_score(counts[::-1], risk))


def _lowest_score(counts: tuple[int, ...], risk: float) -> float:
    return quantile([(score, 1.0, count) for score, count in _scored(_worse(counts))], risk)


@lru_cache(maxsize=4096)
def _lowest_lead(counts: tuple[int, ...], risk: float) -> float:
    """The lower end of the lead in standard deviations of a sample.

    That is no weighted mean, but near the likeliest distribution that has this lead it is the
    ratio of two: what a score adds to the lead over one half, and to the standard deviation.
    """
    counted = [each for each in _scored(_worse(counts)) if each[1]]
    if len(counted) == 1:
        return -inf
    total = sum(count for _, count in counted)
    seen: Shares = [(score, count / total) for score, count in counted]
    fit, lead, before = seen, 0.0, inf
    for _ in range(50):
        mean, sigma = moments(fit)
        ratios = [(score - 0.5, halved_spread(mean, sigma, score), n) for score, n in counted]
        lead = quantile(ratios, risk)
        if abs(lead - before) < 1e-6 * (1 + abs(lead)):
            break
        excess = tangent(mean, sigma, lead)
        sides = [excess(score) for score, _ in seen]
        if not min(sides) < 0 < max(sides):
            return -inf  # losses alone, and too few to tell how much they vary
        fit, before = tilted(seen, excess), lead
    return lead


def _worse(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The results and one more, the worst there is."""
    return counts[0] + 1, *counts[1:]


def _scored(counts: tuple[int, ...]) -> list[tuple[float, int]]:
    """Each score that a sample can have, from 0 to 1, and how often it was seen."""
    last = len(counts) - 1
    return [(place / last, count) for place, count in enumerate(counts)]
