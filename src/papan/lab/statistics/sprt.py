"""The sequential probability ratio test: play on until one of two hypotheses is accepted.

This is the generalised test (GSPRT) of fishtest and fastchess: each hypothesis is taken at the
distribution of results that fits both it and the observed results best.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log, sqrt
from typing import Literal

from papan.core import PapanError
from papan.lab.statistics.difference import NORMALISED, expected_score
from papan.lab.statistics.fitting import with_lead, with_mean
from papan.lab.statistics.tally import Tally

Verdict = Literal["H0", "H1", "continue"]

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
            fits = [with_mean(seen, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        else:
            scale = sqrt(tally.games_each) / NORMALISED
            fits = [with_lead(seen, elo * scale) for elo in (self.elo0, self.elo1)]
        worse, better = ([share for _, share in fit] for fit in fits)
        return sum(count * log(b / w) for count, w, b in zip(counts, worse, better))

    def verdict(self, tally: Tally) -> Verdict:
        """Which hypothesis is accepted, if one is."""
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "H0" if ratio <= low else "H1" if ratio >= high else "continue"
