"""Many games between two agents, as units of work, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import NamedTuple

from papan import catalog
from papan.core import Agent, Record
from papan.lab.match import Match
from papan.lab.papers.baselines import Perfect, Symmetric
from papan.lab.papers.measures import mean, points
from papan.lab.papers.paper import Found, parts
from papan.lab.results import Cell, Chart, Measure, Series, Text
from papan.lab.statistics import Tally as Counts
from papan.lab.work import Json, WorkItem

OWN: dict[str, type[Agent]] = {each.name: each for each in (Perfect, Symmetric)}


LONGEST = 5.0
"""How much a unit weighs at most, where it can be split: that much is lost by an interruption."""


def agent(spec: str) -> Agent:
    """The agent that *spec* names: one of the laboratory's own, or one of the catalogue."""
    return OWN[spec]() if spec in OWN else catalog.agent(spec)


class Pairing(NamedTuple):
    """Who plays whom at what; both sit on either seat equally often."""

    first: str
    second: str
    game: str
    opening: int = 2
    """Random plies at the beginning, so that agents without luck do not repeat one game."""


class Outcome(NamedTuple):
    """A game as its first agent sees it."""

    seat: int
    result: int
    """1, 0 or -1."""
    mine: float
    theirs: float


def games(
    name: str, pairing: Pairing, pairs: int, seed: int, weight: float = 1.0
) -> Iterator[WorkItem]:
    """Units that play *pairs* of games, a pair weighs *weight*; what each finds are `Outcome`s."""
    largest = max(1, min(5, int(LONGEST / weight)))
    for item, first, count in parts(name, pairs, largest):
        yield WorkItem(item, play, (tuple(pairing), count, seed + first), weight * count)


def play(pairing: Sequence[Json], pairs: int, seed: int) -> Json:
    """The outcomes of some pairs of games."""
    return [outcome(*played) for played in records(Pairing(*pairing), pairs, seed)]


def records(pairing: Pairing, pairs: int, seed: int) -> Iterator[tuple[tuple[int, ...], Record]]:
    """Some pairs of games: which of the two agents sat on each seat, and the record."""
    agents = agent(pairing.first), agent(pairing.second)
    match = Match(agents, catalog.game(pairing.game), pairs, seed, opening=pairing.opening)
    for played in match.play():
        yield played.seating, played.record


def outcome(seating: tuple[int, ...], record: Record) -> Outcome:
    """A game as the first agent sees it."""
    seat = seating.index(0)
    winner = record.winner
    result = 0 if winner is None else 1 if winner == seat else -1
    return Outcome(seat, result, record.scores[seat], record.scores[1 - seat])


class Tally:
    """What games add up to for their first agent."""

    def __init__(self, outcomes: Iterable[Sequence[float]]) -> None:
        self.outcomes = [
            Outcome(int(seat), int(result), mine, theirs) for seat, result, mine, theirs in outcomes
        ]

    @classmethod
    def of(cls, found: Found, name: str) -> Tally:
        """The tally of the units that `games` made."""
        return cls(found.joined(name))

    def on_seat(self, seat: int) -> Tally:
        """Only the games in which the first agent sat there."""
        return Tally(each for each in self.outcomes if each.seat == seat)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Won, drawn, lost."""
        results = [each.result for each in self.outcomes]
        return results.count(1), results.count(0), results.count(-1)

    @property
    def points(self) -> Measure:
        """The share of points: a win is 1, a draw 1/2; the two games of a pair are one result."""
        if not self.outcomes:
            return Measure(0.0, 0.0, 1.0, "share")
        results = [each.result for each in self.outcomes]
        seats = [each.seat for each in self.outcomes]
        paired = seats[::2].count(0) == seats[1::2].count(1) == len(seats) / 2
        return points(Counts.of_pairs(results) if paired else Counts.of_games(results))

    @property
    def margin(self) -> Measure:
        """By how much the first agent was ahead on average."""
        return mean([each.mine - each.theirs for each in self.outcomes])

    @property
    def scores(self) -> tuple[Measure, Measure]:
        """The average score of both."""
        return mean([each.mine for each in self.outcomes]), mean(
            [each.theirs for each in self.outcomes]
        )


def match_headings() -> tuple[Text, ...]:
    """The headings over `match_row`."""
    keys = ("agent", "rival", "games", "won", "drawn", "lost", "points", "margin")
    return tuple(Text(f"lab.{key}") for key in keys)


def match_row(first: Cell, second: Cell, tally: Tally) -> tuple[Cell, ...]:
    """What a match came to, on one line of a table."""
    return first, second, len(tally.outcomes), *tally.counts, tally.points, tally.margin


def points_chart(
    title: Text,
    agents: Sequence[str],
    rivals: Sequence[str],
    points: Callable[[str, str], Measure],
) -> Chart:
    """Bars for the points of each agent against each rival."""
    series = []
    for each in agents:
        found = [points(each, rival) for rival in rivals]
        series.append(bars(each, found))
    return Chart(
        "points",
        title,
        Text("lab.rival"),
        Text("lab.points"),
        tuple(series),
        kind="bars",
        categories=tuple(rivals),
        form="share",
        level=0.5,
    )


def _drawn(end: float | None, value: float) -> float:
    """Where an end is drawn: at the value itself if there is none."""
    return end if end is not None and isfinite(end) else value


def bars(label: Cell, found: Sequence[Measure]) -> Series:
    """Bars for measures, with their intervals."""
    return Series(
        label,
        tuple(each.value for each in found),
        low=tuple(_drawn(each.low, each.value) for each in found),
        high=tuple(_drawn(each.high, each.value) for each in found),
    )
