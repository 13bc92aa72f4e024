"""The sequential probability ratio test: play on until one of two hypotheses is accepted.

This is the generalised test (GSPRT) of fishtest and fastchess: each hypothesis is taken at the
distribution of results that fits both it and the observed results best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import log, sqrt
from typing import Literal, TypeAlias

from papan.core import PapanError
from papan.lab.statistics.difference import NORMALISED, expected_score
from papan.lab.statistics.tally import Tally

Verdict = Literal["H0", "H1", "continue"]
Shares: TypeAlias = Sequence[tuple[float, float]]
"""Each score that a sample can have, and its share."""

NEVER_SEEN = 1e-3
"""What a result counts that has not been seen yet: it may still come."""


LARGEST = 1000
"""The largest Elo difference of a hypothesis: beyond it there is nothing to test."""


@dataclass(frozen=True)
class Sprt:
    """Two hypotheses about an Elo difference, and how often each may be accepted wrongly."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    """How often the better hypothesis H1 is accepted although H0 holds."""
    beta: float = 0.05
    """How often H0 is accepted although H1 holds."""
    model: Literal["normalised", "logistic"] = "normalised"
    """Which Elo the two are; normalised Elo needs about equally many games for every game."""

    def __post_init__(self) -> None:
        errors = 0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1
        if not (errors and -LARGEST <= self.elo0 < self.elo1 <= LARGEST):
            raise PapanError("elo.bad_sprt", most=LARGEST, **asdict(self))

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, tally: Tally) -> float:
        """The log-likelihood ratio (LLR) of H1 to H0."""
        counts = [count or NEVER_SEEN for count in tally.counts]
        total, last = sum(counts), len(counts) - 1
        seen = [(place / last, count / total) for place, count in enumerate(counts)]
        if self.model == "logistic":
            fits = [_with_mean(seen, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        else:
            scale = sqrt(tally.games_each) / NORMALISED
            fits = [_with_lead(seen, elo * scale) for elo in (self.elo0, self.elo1)]
        worse, better = ([share for _, share in fit] for fit in fits)
        return sum(count * log(b / w) for count, w, b in zip(counts, worse, better))

    def verdict(self, tally: Tally) -> Verdict:
        """Which hypothesis is accepted, if one is."""
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "H0" if ratio <= low else "H1" if ratio >= high else "continue"


def _with_mean(seen: Shares, mean: float) -> Shares:
    """The likeliest distribution that has this mean."""
    return _tilted(seen, lambda score: score - mean)


def _with_lead(seen: Shares, lead: float) -> Shares:
    """The likeliest distribution whose mean lies *lead* standard deviations above one half."""
    fit: Shares = [(score, 1 / len(seen)) for score, _ in seen]
    for _ in range(100):
        mean = sum(score * share for score, share in fit)
        sigma = sqrt(sum(share * (score - mean) ** 2 for score, share in fit))
        before, fit = fit, _tilted(seen, _linearised(mean, sigma, lead))
        if max(abs(old[1] - new[1]) for old, new in zip(before, fit)) < 1e-12:
            break
    return fit


def _linearised(mean: float, sigma: float, lead: float) -> Callable[[float], float]:
    """The condition on the lead near a distribution with this mean and standard deviation."""
    return lambda score: score - 0.5 - lead * sigma * (1 + ((mean - score) / sigma) ** 2) / 2


def _tilted(seen: Shares, excess: Callable[[float], float]) -> Shares:
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
