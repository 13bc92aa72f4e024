"""Building blocks of experiments: measures, baseline agents, and many games as work items."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar, NamedTuple

from papan import api, catalog
from papan.core import Agent, Analysis, Game, Position, Proved, Thinking, margin
from papan.core.agent import reseeded
from papan.core.message import Message
from papan.core.parts import Support
from papan.lab.log import Json
from papan.lab.match import Match, MatchGame
from papan.lab.results import (
    Cell,
    Chart,
    Evidence,
    Finding,
    Measure,
    Method,
    ReportTable,
    Series,
    counted,
)
from papan.lab.statistics.elo import ScoreTally as Counts
from papan.lab.statistics.elo import score_doubts, score_interval, share_doubts, share_interval
from papan.lab.statistics.intervals import (
    bootstrap,
    mean_interval,
    median_interval,
)
from papan.lab.work import WorkItem
from papan.papers.paper import Found, batches


def share(successes: int, trials: int) -> Measure:
    """Share of *successes* with the interval of Clopper and Pearson, exact also near 0 and 1."""
    return Measure.of(share_interval(successes, trials), "share")


def points(tally: Counts) -> Measure:
    """Share of points: a win is 1, a draw 1/2."""
    return Measure.of(score_interval(tally), "share")


def mean(samples: Sequence[float]) -> Measure:
    """Mean with Student's interval; empty for no samples."""
    if not samples:
        return Measure(0.0, -inf, inf, "number")
    return Measure.of(mean_interval(samples), "number")


def middle(samples: Sequence[float]) -> Measure:
    """Median of times, with an interval of order statistics from six samples on."""
    return Measure.of(median_interval(samples), "seconds")


def pooled(shares: Sequence[tuple[int, int]]) -> Measure:
    """Share of all chances that were missed, with an interval by resampling whole games, because
    the plies of one game are not independent."""
    rates = [(missed, chances) for chances, missed in shares if chances]
    if not rates:
        return Measure(0.0, 0.0, 1.0, "share")
    places = range(len(rates))
    found = bootstrap(places, lambda drawn: _rate([rates[int(place)] for place in drawn]))
    return Measure.of(found, "share")


def _rate(rates: Sequence[tuple[int, int]]) -> float:
    return sum(missed for missed, _ in rates) / sum(chances for _, chances in rates)


def share_above(line: Finding, successes: int, trials: int, least: float = 0.5) -> Finding:
    """Return *line* with the test whether the true share is above *least*."""
    evidence = Evidence("share", trials, *share_doubts(successes, trials, least))
    rule = Message("lab.rule_share", {"least": Measure(least, form="share")})
    return replace(line, evidence=evidence, rule=rule)


def out_of(part: int, whole: int) -> Message:
    """Format a count as 'part of whole'."""
    return Message("lab.of", {"part": part, "all": whole})


def all_of(what: Message, paper: Cell, part: int, whole: int) -> Finding:
    """Return the finding on a claim about all of *whole* cases, of which *part* were counted."""
    return counted(what, paper, out_of(part, whole), part == whole, Message("lab.rule_all"))


@dataclass
class Perfect(Agent):
    """Plays a random one of the best moves; the solver alone would always play the same game."""

    seed: int = 0

    name: ClassVar[str] = "perfect"

    def plays(self, game: Game) -> bool:
        return Support.of(game).has_solver

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        solver = api.solver_for(position.game, all_moves=True)
        assert solver is not None
        truth = solver.decide(position, thinking)
        best = random.Random(f"{self.seed} {position}").choice(sorted(truth.best))
        return Analysis((best,), truth.guess, truth.proved)


@dataclass
class Symmetric(Agent):
    """Minimax with a table in which the eight symmetric images of a square board share an entry."""

    name: ClassVar[str] = "symmetric"

    def plays(self, game: Game) -> bool:
        board = game.start().write()[0].split("/")
        return game.seats == 2 and len(board) == len(board[0])

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        transpositions: dict[str, float] = {}
        thinking.tick()
        values = {
            move: Proved.exactly(-self._value(position.child(move), transpositions, thinking))
            for move in position.moves()
        }
        best = max(values, key=lambda move: values[move].low)
        return Analysis((best,), None, values[best], values)

    def _value(
        self, position: Position, transpositions: dict[str, float], thinking: Thinking
    ) -> float:
        """Return the final margin of the seat to move; turns alternate on such boards."""
        thinking.tick()
        moves = position.moves()
        if not moves:
            return margin(position, position.turn)
        key = _image(position)
        if key not in transpositions:
            transpositions[key] = max(
                -self._value(position.child(move), transpositions, thinking) for move in moves
            )
        return transpositions[key]


def _image(position: Position) -> str:
    """Return one text for all boards that turn or mirror into each other.

    `Position.image` says the same and is a position: as a key it would take half as long again,
    and the time of this agent is one of the figures.
    """
    rows = tuple(position.write()[0].split("/"))
    images = []
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1]))
        images += ["/".join(rows), "/".join(rows[::-1])]
    return min(images)


OWN: dict[str, type[Agent]] = {each.name: each for each in (Perfect, Symmetric)}


EQUIVALENCE_MARGIN = 0.05
"""Share of points that is no difference worth mentioning: less than 55 to 45 of 100."""


LONGEST = 5.0
"""Maximum weight of a unit that can be split: the most work that an interruption loses."""


def paper_agent(spec: str) -> Agent:
    """Return the agent that *spec* names: one of OWN, or one of the catalogue."""
    return OWN[spec]() if spec in OWN else catalog.agent(spec)


class Pairing(NamedTuple):
    """Two agents and a game, as specs; each agent plays both seats equally often."""

    first: str
    second: str
    game: str
    opening: int = 2
    """Random plies before each game, so that deterministic agents do not replay one game."""


class GameOutcome(NamedTuple):
    """The result of one game for the first agent of a pairing."""

    seat: int
    result: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    mine: float
    theirs: float


def play_pairs(pairing: Sequence[Json], seed: int, pairs: int) -> Json:
    """Play *pairs* of games from the pair number *seed* on; return their `GameOutcome`s."""
    return [game_outcome(game) for game in played_games(Pairing(*pairing), seed, pairs)]


def match_items(
    name: str, pairing: Pairing, pairs: int, seed: int, weight: float
) -> Iterator[WorkItem]:
    """Yield work items that play *pairs* of games; each returns a list of `GameOutcome`."""
    largest = max(1, min(5, int(LONGEST / weight)))
    return batches(WorkItem(name, play_pairs, (tuple(pairing),), weight), seed, pairs, largest)


def played_games(pairing: Pairing, seed: int, pairs: int) -> Iterator[MatchGame]:
    """Play *pairs* of games and yield each when it is over."""
    agents, game = (
        (paper_agent(pairing.first), paper_agent(pairing.second)),
        catalog.game(pairing.game),
    )
    return Match(agents, game, pairs, first_pair=seed, opening=pairing.opening).play()


def games_from_start(first: str, second: str, game: str, seed: int, count: int) -> Json:
    """Play *count* games under the paper's conditions: no opening, the first agent plays x."""
    found = []
    for each_seed in range(seed, seed + count):
        players = [reseeded(paper_agent(each), each_seed) for each in (first, second)]
        position = catalog.position(game)
        while position.moves():
            position = position.child(players[position.turn].analyse(position).move)
        x, o = position.scores()
        found.append(GameOutcome(0, (x > o) - (x < o), x, o))
    return found


def game_outcome(game: MatchGame) -> GameOutcome:
    """Return the result of *game* for the first agent."""
    seat, scores = game.seating.index(0), game.record.scores
    return GameOutcome(seat, game.outcome(0), scores[seat], scores[1 - seat])


class MatchTally:
    """Sums and intervals over games, for their first agent."""

    def __init__(self, outcomes: Iterable[Sequence[float]]) -> None:
        self.outcomes = [
            GameOutcome(int(seat), int(result), mine, theirs)
            for seat, result, mine, theirs in outcomes
        ]

    @classmethod
    def of(cls, found: Found, name: str) -> MatchTally:
        """Make the tally of the units that `match_items` made."""
        return cls(found.joined(name))

    def on_seat(self, seat: int) -> MatchTally:
        """Return the tally of the games in which the first agent had *seat*."""
        return MatchTally(each for each in self.outcomes if each.seat == seat)

    def turned(self) -> MatchTally:
        """Return the tally for the second agent of the pairing."""
        return MatchTally(
            (1 - seat, -result, theirs, mine) for seat, result, mine, theirs in self.outcomes
        )

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of games won, drawn and lost."""
        results = [each.result for each in self.outcomes]
        return results.count(1), results.count(0), results.count(-1)

    @property
    def points(self) -> Measure:
        """The share of points: a win is 1, a draw 1/2; the two games of a pair are one result."""
        return points(self._tally) if self.outcomes else Measure(0.0, 0.0, 1.0, "share")

    @property
    def _tally(self) -> Counts:
        results = [each.result for each in self.outcomes]
        seats = [each.seat for each in self.outcomes]
        paired = len(seats) % 2 == 0 and all(
            one != other for one, other in zip(seats[::2], seats[1::2])
        )
        return Counts.of_pairs(results) if paired else Counts.of_games(results)

    def ahead(self, least: float = 0.5, alike: bool = False) -> Evidence:
        """Test whether the first agent gets more than the share *least* of the points; with
        *alike* also whether it gets hardly more and hardly less."""
        if not self.outcomes:
            return Evidence("games", 0, 1.0, 1.0)
        tally = self._tally
        method: Method = "pairs" if tally.games_each == 2 else "games"
        different = None
        if alike:
            above, _ = score_doubts(tally, least - EQUIVALENCE_MARGIN)
            _, below = score_doubts(tally, least + EQUIVALENCE_MARGIN)
            different = max(above, below)
        return Evidence(method, tally.samples, *score_doubts(tally, least), different)

    def line(self, what: Message, paper: Cell, least: float = 0.5, alike: bool = False) -> Finding:
        """Make the finding on a claim that the first agent gets more than *least* of the points."""
        shares = {
            "least": Measure(least, form="share"),
            "alike": Measure(EQUIVALENCE_MARGIN, form="share"),
        }
        rule = Message("lab.rule_points_alike" if alike else "lab.rule_points", shares)
        return Finding(what, paper, self.points, evidence=self.ahead(least, alike), rule=rule)

    @property
    def margin(self) -> Measure:
        """Mean margin of the first agent."""
        return mean([each.mine - each.theirs for each in self.outcomes])

    @property
    def scores(self) -> tuple[Measure, Measure]:
        """Mean score of the first agent, and of the second."""
        mine, theirs = ([each[place] for each in self.outcomes] for place in (2, 3))
        return mean(mine), mean(theirs)


def together(tallies: Iterable[MatchTally]) -> MatchTally:
    """Join tallies with equal weight: of each, as many games as the smallest has."""
    each = [tally.outcomes for tally in tallies]
    least = min(map(len, each))
    return MatchTally(outcome for outcomes in each for outcome in outcomes[:least])


MATCH = tuple(
    f"lab.{key}" for key in ("agent", "rival", "games", "won", "drawn", "lost", "points", "margin")
)
"""The headings over `match_row`."""


def match_row(first: Cell, second: Cell, tally: MatchTally) -> tuple[Cell, ...]:
    """Results of a match as one row of a table."""
    return first, second, len(tally.outcomes), *tally.counts, tally.points, tally.margin


def report_table(
    number: str, name: str, headings: Iterable[str], rows: Iterable[tuple[Cell, ...]]
) -> ReportTable:
    """Make a table of paper *number*, with keys or plain words for headings."""
    title = Message(f"paper{number}.table_{name}")
    return ReportTable(name, title, tuple(map(Message, headings)), tuple(rows))


def bar_chart(
    number: str,
    name: str,
    axes: tuple[str, str],
    bars: Iterable[Series],
    categories: Iterable[Cell],
    **look: Any,
) -> Chart:
    """Make a chart of paper *number* with bars of each series in each category."""
    title, (x, y) = Message(f"paper{number}.chart_{name}"), map(Message, axes)
    categories = tuple(categories)
    return Chart(name, title, x, y, tuple(bars), kind="bars", categories=categories, **look)


def points_chart(
    number: str, name: str, met: Mapping[str, Sequence[MatchTally]], rivals: Iterable[Cell]
) -> Chart:
    """Make a chart of the points of each agent against each rival, as bars."""
    bars = (Series.of(each, [tally.points for tally in tallies]) for each, tallies in met.items())
    axes = "lab.rival", "lab.points"
    return bar_chart(number, name, axes, bars, rivals, form="share", level=0.5)


def match_table(
    number: str,
    name: str,
    met: Mapping[str, Sequence[MatchTally]],
    rivals: Sequence[Cell],
    columns: Sequence[str] = MATCH,
) -> ReportTable:
    """Table of the results of each agent against each rival."""
    rows = (
        match_row(each, rival, tally)[: len(columns)]
        for each, tallies in met.items()
        for rival, tally in zip(rivals, tallies)
    )
    return report_table(number, name, columns, rows)
