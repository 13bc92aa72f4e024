"""The ladder: which two players meet next, so that games are informative, and who is stronger.

At first everyone plays a few Swiss rounds, against players with about as many points. Then players
meet that are near each other in the ranking and whose order is uncertain, until every two
neighbours are distinguished with the probability `SURE_ENOUGH`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, exp, log2, sqrt
from typing import TYPE_CHECKING

from papan.lab.statistics.intervals import Interval

if TYPE_CHECKING:  # it loads NumPy
    from papan.lab.statistics.ranking import Ranking

Meeting = tuple[str, str]
"""Two players; the one whose name sorts first comes first."""
REACH = 4
"""Places between two players that may still meet after the Swiss rounds."""
SURE_ENOUGH = 0.975
"""Probability that one of two neighbours is the stronger one, at which they are told apart."""
MOST_PAIRS = 24
"""Pairs of games after which two neighbours count as equal."""
FIRST_PLACES, FIRST_WEIGHT = 10, 100.0
"""Number of places that are read aloud, and the factor by which pairings there are preferred."""
UNKNOWN_ERROR = 400.0
"""Error, in Elo, of the lead of a player who has not played."""
BATCH = 8
"""Number of pairings that are chosen from one ranking, for each hundred players."""


@dataclass
class Ladder:
    """The wins, draws and losses between all players, and the choice of the next pairing.

    Players are given by name; a pairing (`Meeting`) is two names in alphabetical order.
    """

    players: Sequence[str]
    """Names of the players that are ranked: house bots are not among them."""
    swiss: int = 0
    """Swiss rounds; 0: as many as it takes to halve the field down to one."""
    _scores: dict[Meeting, list[int]] = field(default_factory=dict)
    """Wins, draws and losses of the first of two players."""
    _totals: dict[str, list[int]] = field(default_factory=dict)
    """Half points and number of games of each player, by name."""
    _own_games: Counter[str] = field(default_factory=Counter)
    """Games of each player against the other players: not against house bots."""
    _chosen: list[Meeting] = field(default_factory=list)
    """Pairings that were chosen at once, and that `following` still has to return, in this order.
    """
    _ranking: Ranking | None = None
    """The ranking, computed when it is asked for; None after a new game."""

    def __post_init__(self) -> None:
        self._contestants = frozenset(self.players)
        self.swiss = self.swiss or ceil(log2(max(2, len(self.players))))

    def add(self, first: str, second: str, outcomes: Iterable[int]) -> None:
        """Add games of two players, given by name; each outcome is 1, 0 or -1 for *first*.

        That is won, drawn or lost. Either may be a house bot.
        """
        one, sign = pairing(first, second), 1 if first < second else -1
        score = self._scores.setdefault(one, [0, 0, 0])
        for outcome in outcomes:
            score[1 - sign * outcome] += 1
            for player, half_points in ((first, 1 + outcome), (second, 1 - outcome)):
                total = self._totals.setdefault(player, [0, 0])
                total[0] += half_points
                total[1] += 1
            if self._contestants.issuperset(one):  # house bots do not count
                self._own_games.update(one)
        self._ranking = None

    def pairs(self, one: Meeting) -> int:
        """Return how many pairs of games the two players of the pairing *one* have played.

        That is half the number of their games, rounded down.
        """
        return sum(self._scores.get(one, ())) // 2

    def score(self, first: str, second: str) -> tuple[int, int, int]:
        """Return the numbers of wins, draws and losses of *first* against *second*.

        All are 0 if they have not met.
        """
        wins, draws, losses = self._scores.get(pairing(first, second), (0, 0, 0))
        return (wins, draws, losses) if first < second else (losses, draws, wins)

    def points(self, player: str) -> tuple[float, int]:
        """Return a player's points (win 1, draw 1/2) and number of games, against house bots, too.

        (0, 0) if it has not played.
        """
        half_points, games = self._totals.get(player, (0, 0))
        return half_points / 2, games

    @property
    def ranking(self) -> Ranking:
        """Elo ratings (Bradley-Terry, mean 0) of all players that have played.

        Cached until `add`.
        """
        from papan.lab.statistics.ranking import Encounter, rank

        if self._ranking is None:
            self._ranking = rank([Encounter(*one, *score) for one, score in self._scores.items()])
        return self._ranking

    def rating(self, player: str) -> Interval | None:
        """Return the Elo of a player, relative to the mean of all, with its 95 % interval.

        None if it has not played.
        """
        return self.ranking.rating(player) if player in self.ranking.players else None

    def order(self) -> list[str]:
        """Return the names of the players, strongest first; last those that have not played.

        House bots are not among them. Equals are in alphabetical order.
        """
        found = dict(zip(self.ranking.players, self.ranking.ratings))
        return sorted(self.players, key=lambda each: (-found.get(each, -1e9), each))

    def superiority(self, first: str, second: str) -> float:
        """Return the probability, 0 to 1, that *first* is stronger than *second*.

        0.5 if one has not played.
        """
        known = self.ranking.players
        both = first in known and second in known
        return self.ranking.superiority(first, second) if both else 0.5

    def open_neighbours(self) -> list[Meeting]:
        """Return the pairings of neighbours in the ranking whose order is still uncertain.

        An order is settled at a probability of at least `SURE_ENOUGH`, or after `MOST_PAIRS` pairs
        of games. The pairings are in the order of the ranking, strongest first.
        """
        order = self.order()
        return [
            pairing(first, second)
            for first, second in pairwise(order)
            if self.superiority(first, second) < SURE_ENOUGH
            and self.pairs(pairing(first, second)) < MOST_PAIRS
        ]

    def following(self, running: Collection[Meeting]) -> Meeting | None:
        """Return the pairing to play next, for a pair of games; None if there is none now.

        *running* are the pairings that are being played, one item for each pair of games. Swiss
        rounds come first. After them several pairings are chosen at once, and each call returns one
        of them; later choices may have the same pairing again. If each of them was returned, choose
        anew; None if no pairing can be chosen, as every order of neighbours is settled, or as all
        pairings of players at most `REACH` places apart have `MOST_PAIRS` pairs of games, those
        that are being played included.
        """
        if found := self.swiss_pairing(running):
            return found
        if not self._chosen:
            self._chosen = self._most_informative(running)
        return self._chosen.pop(0) if self._chosen else None

    # Swiss rounds.

    def swiss_pairing(self, running: Collection[Meeting]) -> Meeting | None:
        """Return the next pairing of the Swiss rounds; None if there is none.

        First a player is chosen: of those with the fewest pairs of games against others, the one
        with the largest share of points. Then its rival: of those that it has not met and that have
        the fewest pairs of games, the one with the most similar share of points; players whose
        rounds are over come last. *running* are the pairings that are being played, which count as
        met and as played. None if all players have played `swiss` pairs, or if the player that is
        chosen first has met all others.
        """
        played = self._rounds(running)
        waiting = [each for each in self.players if played[each] < self.swiss]
        if not waiting:
            return None
        first = min(waiting, key=lambda each: (played[each], -self._share(each), each))
        met = {other for one in (*self._scores, *running) for other in _rival(one, first)}
        share = self._share(first)
        others = sorted(
            {*self.players} - met - {first},
            key=lambda each: (
                played[each] >= self.swiss,
                played[each] - played[first],
                abs(self._share(each) - share),
                each,
            ),
        )
        return pairing(first, others[0]) if others else None

    def _rounds(self, running: Iterable[Meeting]) -> Counter[str]:
        """Return how many pairs of games each player has played, or plays now, against others.

        Each pairing in *running* counts for both its players. Pairings with house bots, over or
        running, do not count.
        """
        rounds = Counter({each: games // 2 for each, games in self._own_games.items()})
        own = [one for one in running if self._contestants.issuperset(one)]
        rounds.update(player for one in own for player in one)
        return rounds

    def _share(self, player: str) -> float:
        """Return the share of points of *player* in all its games, 0 to 1; 0.5 without games."""
        points, games = self.points(player)
        return points / games if games else 0.5

    # Near and uncertain pairs.

    def _most_informative(self, running: Collection[Meeting]) -> list[Meeting]:
        """Return the pairings with the largest `_gain`, best first; [] without `open_neighbours`.

        They are at most `BATCH` for each hundred players, rounded down, but one at least; their
        players are at most `REACH` places apart. *running* are the pairings that are being played:
        the gain of a pairing that is n times among them is divided by n + 1. A pairing with
        `MOST_PAIRS` pairs of games, those included, is left out: if no other is left, the list is
        empty.
        """
        if not self.open_neighbours():
            return []
        order, busy = self.order(), Counter(running)
        gain: dict[Meeting, float] = {}
        for place, first in enumerate(order):
            for distance, second in enumerate(order[place + 1 : place + 1 + REACH], 1):
                one = pairing(first, second)
                if self.pairs(one) + busy[one] < MOST_PAIRS:
                    gain[one] = self._gain(place, distance, one) / (1 + busy[one])
        best = sorted(gain, key=lambda one: (-gain[one], one))
        return best[: max(1, BATCH * len(self.players) // 100)]

    def _gain(self, place: int, distance: int, one: Meeting) -> float:
        """Return how informative one more pair of games of the pairing *one* is; 0 or more.

        It is exp(-lead^2 / (2 error^2)) * error * p (1 - p) / sqrt(distance), times `FIRST_WEIGHT`
        if *place* is below `FIRST_PLACES`; 0 if the error is 0. Lead and its error are in Elo,
        0 and `UNKNOWN_ERROR` if one of the two has not played; p is the expected score. *place* is
        the rank, from 0, of the higher player, *distance* how many places the other is below.
        """
        known = self.ranking.players
        both = one[0] in known and one[1] in known
        lead, error = self.ranking.lead_and_error(*one) if both else (0.0, UNKNOWN_ERROR)
        doubt = exp(-(lead**2) / (2 * error**2)) if error else 0.0
        expected = 1 / (1 + 10 ** (-lead / 400))
        first = FIRST_WEIGHT if place < FIRST_PLACES else 1.0
        return first * doubt * error * expected * (1 - expected) / sqrt(distance)


def pairing(first: str, second: str) -> Meeting:
    """Return the two names in alphabetical order: the key of their pairing."""
    return (first, second) if first < second else (second, first)


def _rival(one: Meeting, player: str) -> tuple[str, ...]:
    """Return (rival,) of *player* in the pairing *one*; an empty tuple if it lacks *player*."""
    return (one[1 - one.index(player)],) if player in one else ()


def kendall_tau(order: Sequence[str], other: Mapping[str, int]) -> float:
    """Return Kendall's tau, -1 (reversed) to 1 (equal), of *order* and the places in *other*.

    *order* are names, *other* has the place of each; two with equal places count as 0. 0 for fewer
    than two names; raise KeyError if *other* lacks one.
    """
    places = [other[each] for each in order]
    pairs = [(a, b) for i, a in enumerate(places) for b in places[i + 1 :]]
    return sum((a < b) - (a > b) for a, b in pairs) / max(1, len(pairs))
