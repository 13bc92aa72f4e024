"""Ratings of many players from all of their games: Bradley-Terry with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.lab.statistics.intervals import CONFIDENCE, Interval, deviations

Matrix: TypeAlias = NDArray[np.float64]

PER_ELO = log(10) / 400
RATING_PRECISION = 1e-9
"""Step, in natural units, below which the iteration of ratings ends."""


class Encounter(NamedTuple):
    """Results of two players against each other, counted for the first."""

    first: str
    """The name of a player."""
    second: str
    """The name of the other one."""
    wins: int
    """Games that the first has won."""
    draws: int
    losses: int
    """Games that the second has won."""


@dataclass(frozen=True)
class Ranking:
    """Elo ratings of players with mean 0, and their covariance."""

    players: tuple[str, ...]
    """The names of the players, each once."""
    ratings: tuple[float, ...]
    """The Elo of each player, in the order of *players*."""
    covariance: tuple[tuple[float, ...], ...]
    """Covariance of the ratings of two players, in squared Elo, by row and column."""
    virtual_draws: float
    """Number of drawn games against an average player that each player was given: 1 if there was no
    maximum without them (see `rank`), else 0.
    """

    def rating(self, player: str, confidence: float = CONFIDENCE) -> Interval:
        """Return the Elo of a player above the mean, with its interval at *confidence* (0 to 1).

        Raise ValueError if the player is unknown.
        """
        place = self.players.index(player)
        reach = deviations(confidence) * sqrt(self.covariance[place][place])
        value = self.ratings[place]
        return Interval(value, value - reach, value + reach)

    def lead(self, first: str, second: str, confidence: float = CONFIDENCE) -> Interval:
        """Return the Elo of the first player minus that of the second, with its interval.

        *confidence* is between 0 and 1. Raise ValueError if one is unknown.
        """
        value, error = self.lead_and_error(first, second)
        reach = deviations(confidence) * error
        return Interval(value, value - reach, value + reach)

    def superiority(self, first: str, second: str) -> float:
        """Return the probability that the first player is the stronger one (LOS), 0 to 1.

        0.5 for a player and itself. Raise ValueError if one is unknown.
        """
        value, error = self.lead_and_error(first, second)
        return NormalDist().cdf(value / error) if error else 0.5

    def lead_and_error(self, first: str, second: str) -> tuple[float, float]:
        """Return the Elo of the first player minus that of the second, and its standard error.

        Raise ValueError if one is unknown.
        """
        a, b = self.players.index(first), self.players.index(second)
        variance = self.covariance[a][a] + self.covariance[b][b] - 2 * self.covariance[a][b]
        return self.ratings[a] - self.ratings[b], sqrt(max(0.0, variance))


def rank(encounters: Sequence[Encounter]) -> Ranking:
    """Return the maximum-likelihood Elo ratings of all players; a draw is half a win.

    Players are in the order in which they occur first. If there is no maximum, because some players
    have won, or lost, every game against the others or never met them, each player is given one
    drawn game against an average player. Without *encounters* there are no players.
    """
    players = tuple(dict.fromkeys(name for each in encounters for name in each[:2]))
    points, draws = _tables(encounters, players)
    virtual_draws = 0.0 if _comparable(points) else 1.0
    ratings = _likeliest(points, virtual_draws)
    covariance = _covariance(ratings, points + points.T, draws, virtual_draws)
    centre = np.eye(len(players)) - 1 / max(1, len(players))
    return Ranking(
        players,
        tuple((centre @ ratings / PER_ELO).tolist()),
        tuple(map(tuple, (centre @ covariance @ centre / PER_ELO**2).tolist())),
        virtual_draws,
    )


def _tables(encounters: Sequence[Encounter], players: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Return two matrices: points of the row's player against the column's, and their drawn
    games.

    Both have a row and a column for each of *players*, in this order; a draw is half a point.
    """
    places = {name: place for place, name in enumerate(players)}
    points, draws = np.zeros((2, len(players), len(players)))
    for each in encounters:
        a, b = places[each.first], places[each.second]
        points[a, b] += each.wins + each.draws / 2
        points[b, a] += each.losses + each.draws / 2
        draws[a, b] += each.draws
        draws[b, a] += each.draws
    return points, draws


def _comparable(points: Matrix) -> bool:
    """Return whether a maximum exists: every player reaches every other by scoring (Ford, 1957).

    *points* has the points of the row's player against the column's.
    """
    reaches = (points > 0) | np.eye(len(points), dtype=bool)
    for _ in range(len(points).bit_length()):
        reaches = reaches @ reaches
    return bool(reaches.all())


def _likeliest(points: Matrix, virtual_draws: float) -> Matrix:
    """Return the ratings at which expected scores equal actual ones, by Newton's method.

    There is one for each player, in natural units (Elo * ln 10 / 400). *points* has those of the
    row's player against the column's; *virtual_draws* is how many drawn games against an average
    player each is given.
    """
    games, scored = points + points.T, points.sum(axis=1)
    ratings = np.zeros(len(points))
    for _ in range(200):
        expected = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        against_mean = 1 / (1 + np.exp(-ratings))
        surplus = scored - (games * expected).sum(axis=1) + virtual_draws * (0.5 - against_mean)
        step = np.linalg.pinv(_information(ratings, games, virtual_draws)) @ surplus
        ratings = ratings + np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < RATING_PRECISION:
            break
    return ratings


def _information(ratings: Matrix, games: Matrix, virtual_draws: float) -> Matrix:
    """Return the Fisher information matrix of the ratings, players by players.

    *ratings* are in natural units, *games* is the number of games of each two players,
    *virtual_draws* that of the drawn games against an average player that each is given besides.
    """
    return _laplacian(games * _spread(ratings)) + np.diag(
        virtual_draws / (2 + 2 * np.cosh(ratings))
    )


def _covariance(ratings: Matrix, games: Matrix, draws: Matrix, virtual_draws: float) -> Matrix:
    """Return the covariance of the ratings in natural units (Elo * ln 10 / 400).

    All matrices are players by players: *games* has the games of each two, *draws* the drawn ones;
    *virtual_draws* is as in `_information`. The variance of a game's score is that without draws,
    less a quarter of the share of draws, counted as if one game more had been played: else a series
    of draws would have variance 0.
    """
    inverse = np.linalg.pinv(_information(ratings, games, virtual_draws))
    variances = np.maximum(_spread(ratings) - draws / (games + 1) / 4, 0)
    virtual = np.diag(virtual_draws / (2 + 2 * np.cosh(ratings)))
    covariance: Matrix = inverse @ (_laplacian(games * variances) + virtual) @ inverse
    return covariance


def _spread(ratings: Matrix) -> Matrix:
    """Return, for every two players, the variance of the score (0 to 1) of a game without draws.

    *ratings* are in natural units; the matrix is players by players.
    """
    spread: Matrix = 1 / (2 + 2 * np.cosh(ratings[None, :] - ratings[:, None]))
    return spread


def _laplacian(weights: Matrix) -> Matrix:
    """Return the Laplacian matrix of *weights* between players: its rows sum to 0."""
    laplacian: Matrix = np.diag(weights.sum(axis=1)) - weights
    return laplacian
