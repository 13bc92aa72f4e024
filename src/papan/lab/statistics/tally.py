"""How often each result happened: single games in three kinds, pairs of games in five."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from papan.core import PapanError

MOST = 10**15
"""More results of one kind than anyone will ever see; still far from where numbers overflow."""


@dataclass(frozen=True)
class Tally:
    """Counts of results, the worst first: losses, draws, wins, or pairs worth 0 to 4 half points.

    The two games of a pair share their opening and are not independent; counting pairs
    (a *pentanomial*) takes that into account, and gives smaller and truer intervals.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        fine = all(0 <= count <= MOST for count in self.counts) and any(self.counts)
        if len(self.counts) not in (3, 5) or not fine:
            raise PapanError("elo.bad_counts")

    @classmethod
    def of_games(cls, outcomes: Sequence[int]) -> Self:
        """From the outcome of each game: 1, 0 or -1."""
        return cls(tuple(outcomes.count(outcome) for outcome in (-1, 0, 1)))

    @classmethod
    def of_pairs(cls, outcomes: Sequence[int]) -> Self:
        """From the outcomes of games that come in pairs, one pair after another."""
        sums = [first + second for first, second in zip(outcomes[::2], outcomes[1::2], strict=True)]
        return cls(tuple(sums.count(total) for total in range(-2, 3)))

    @property
    def samples(self) -> int:
        """How many independent results there are."""
        return sum(self.counts)

    @property
    def games_each(self) -> int:
        """How many games one sample is: two if they are pairs."""
        return len(self.counts) // 2

    @property
    def games(self) -> int:
        return self.samples * self.games_each

    @cached_property
    def shares(self) -> tuple[tuple[float, float], ...]:
        """Each score that a sample can have, from 0 to 1, and its share."""
        last = len(self.counts) - 1
        return tuple((place / last, n / self.samples) for place, n in enumerate(self.counts))

    @property
    def score(self) -> float:
        """The mean score of a game, from 0 to 1."""
        return sum(score * share for score, share in self.shares)

    @property
    def variance(self) -> float:
        """The variance of the score of one sample."""
        mean = self.score
        return sum(share * (score - mean) ** 2 for score, share in self.shares)
