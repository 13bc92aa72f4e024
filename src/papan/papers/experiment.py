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
    """Return the share of *successes* (0 to 1) with its 95 % interval (Clopper and Pearson).

    The interval is exact also near 0 and 1. Without trials the share is 0, with the interval 0 to
    1. Raise PapanError unless there are from 0 to *trials* successes.
    """
    return Measure.of(share_interval(successes, trials), "share")


def points(tally: Counts) -> Measure:
    """Return the share of points, 0 to 1, with its 95 % interval: a win is 1, a draw 1/2.

    Raise PapanError if *tally* has no games.
    """
    return Measure.of(score_interval(tally), "share")


def mean(samples: Sequence[float]) -> Measure:
    """Return the mean, in the unit of the samples, with Student's 95 % interval.

    With fewer than two samples the ends are infinite; without any the mean is 0.
    """
    if not samples:
        return Measure(0.0, -inf, inf, "number")
    return Measure.of(mean_interval(samples), "number")


def middle(samples: Sequence[float]) -> Measure:
    """Return the median of times in seconds, with its 95 % interval.

    The ends of the interval are two of the samples; they are infinite with fewer than six. Raise
    StatisticsError if there are no samples.
    """
    return Measure.of(median_interval(samples), "seconds")


def pooled(shares: Sequence[tuple[int, int]]) -> Measure:
    """Return the share (0 to 1) of all chances that were missed, with its 95 % interval.

    *shares* are the numbers (chances, missed) of each game. The interval is by resampling whole
    games, because the plies of one game are not independent. Without any chance the share is 0,
    with the interval 0 to 1.
    """
    rates = [(missed, chances) for chances, missed in shares if chances]
    if not rates:
        return Measure(0.0, 0.0, 1.0, "share")
    places = range(len(rates))
    found = bootstrap(places, lambda drawn: _rate([rates[int(place)] for place in drawn]))
    return Measure.of(found, "share")


def _rate(rates: Sequence[tuple[int, int]]) -> float:
    """Return the share (0 to 1) of chances that were missed, given (missed, chances) of each game.

    Raise ZeroDivisionError if there were no chances.
    """
    return sum(missed for missed, _ in rates) / sum(chances for _, chances in rates)


def share_above(line: Finding, successes: int, trials: int, least: float = 0.5) -> Finding:
    """Return *line* with the test whether the true share of successes is above *least* (0 to 1).

    *successes* and *trials* are numbers of cases. Without trials nothing is shown. `with_verdicts`
    makes the verdict of it later. Raise PapanError unless there are from 0 to *trials* successes.
    """
    evidence = Evidence("share", trials, *share_doubts(successes, trials, least))
    rule = Message("lab.rule_share", {"least": Measure(least, form="share")})
    return replace(line, evidence=evidence, rule=rule)


def out_of(part: int, whole: int) -> Message:
    """Return the message *part* of *whole*, such as 12 of 13."""
    return Message("lab.of", {"part": part, "all": whole})


def all_of(what: Message, paper: Cell, part: int, whole: int) -> Finding:
    """Return the finding that the claim *what* holds in *part* of *whole* cases.

    Its verdict is yes if it holds in all, else no. *paper* is the value that the paper prints.
    """
    return counted(what, paper, out_of(part, whole), part == whole, Message("lab.rule_all"))


@dataclass
class Perfect(Agent):
    """The agent ``perfect``: a random one of the moves that the solver proves best, by *seed*.

    The solver alone would always play the same game.
    """

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
    """The agent ``symmetric``: minimax to the end, with one table entry for symmetric positions.

    The eight rotations and mirror images of a square board share it. It is for games for two in
    which turns alternate, which is not checked.
    """

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
        """Return the final margin of the seat to move, in points, with best play.

        Turns must alternate: not checked. *transpositions* has values by `_image`, and gets those
        that are found. Raise OutOfBudget if the budget is spent before.
        """
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
    """Return the same text for all boards that are rotations or mirror images of each other.

    `Position.image` does the same and is a position: as a key it would take half as long again, and
    the time of this agent is one of the measured values. The board must be square.
    """
    rows = tuple(position.write()[0].split("/"))
    images = []
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1]))
        images += ["/".join(rows), "/".join(rows[::-1])]
    return min(images)


OWN: dict[str, type[Agent]] = {each.name: each for each in (Perfect, Symmetric)}


EQUIVALENCE_MARGIN = 0.05
"""Share of points too small to be worth mentioning: less than 55 to 45 of 100."""


LONGEST = 5.0
"""Largest weight of a work item that can be split: the most work that an interruption loses."""


def paper_agent(spec: str) -> Agent:
    """Return the agent that *spec* names: one of `OWN`, or of the catalogue.

    Raise PapanError if it is unknown.
    """
    return OWN[spec]() if spec in OWN else catalog.agent(spec)


class Pairing(NamedTuple):
    """Two agents and a game, as specs (text); each agent plays both seats equally often."""

    first: str
    second: str
    game: str
    opening: int = 2
    """Random plies before each game, so that deterministic agents do not replay one game."""


class GameOutcome(NamedTuple):
    """One game for the first agent of a pairing: its seat, the result, and both scores."""

    seat: int
    """Seat of the first agent, 0 or 1."""
    result: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    mine: float
    """Score of the first agent, in points of the game."""
    theirs: float
    """Score of the second agent, in points of the game."""


def play_pairs(pairing: Sequence[Json], seed: int, pairs: int) -> Json:
    """Play *pairs* pairs of games from the pair number *seed* on; return their `GameOutcome`s.

    *pairing* has the fields of a `Pairing` in a list, as JSON has no tuples. The two games of a
    pair follow each other. Raise PapanError if an agent or the game is unknown.
    """
    return [game_outcome(game) for game in played_games(Pairing(*pairing), seed, pairs)]


def match_items(
    name: str, pairing: Pairing, pairs: int, seed: int, weight: float
) -> Iterator[WorkItem]:
    """Yield work items that play *pairs* pairs of games; each returns a list of `GameOutcome`.

    They are called ``NAME/1``, ``NAME/2`` and so on. Each has five pairs, or fewer if they would
    take more than `LONGEST` CPU seconds, but at least one. *seed* is the number of the first pair,
    *weight* the expected CPU seconds of a pair, above 0.
    """
    largest = max(1, min(5, int(LONGEST / weight)))
    return batches(WorkItem(name, play_pairs, (tuple(pairing),), weight), seed, pairs, largest)


def played_games(pairing: Pairing, seed: int, pairs: int) -> Iterator[MatchGame]:
    """Play *pairs* pairs of games from the pair number *seed* on; yield each game when it is over.

    Different seeds draw other openings. Raise PapanError if an agent or the game is unknown.
    """
    agents, game = (
        (paper_agent(pairing.first), paper_agent(pairing.second)),
        catalog.game(pairing.game),
    )
    return Match(agents, game, pairs, first_pair=seed, opening=pairing.opening).play()


def games_from_start(first: str, second: str, game: str, seed: int, count: int) -> Json:
    """Play *count* games without opening, *first* always on seat 0; return their `GameOutcome`s.

    *first*, *second* and *game*, a game for two, are specs. Each game has a seed of its own, from
    *seed* on, which both agents get. Raise PapanError if an agent or the game is unknown.
    """
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
    """Return the result of *game* for the first agent of its pairing."""
    seat, scores = game.seating.index(0), game.record.scores
    return GameOutcome(seat, game.outcome(0), scores[seat], scores[1 - seat])


class MatchTally:
    """Results of games, with sums and intervals, for the first agent of a pairing.

    *outcomes* are the fields of a `GameOutcome` for each game, in the order of play: if the seats
    of each two games in turn differ, they count as pairs.
    """

    def __init__(self, outcomes: Iterable[Sequence[float]]) -> None:
        self.outcomes = [
            GameOutcome(int(seat), int(result), mine, theirs)
            for seat, result, mine, theirs in outcomes
        ]

    @classmethod
    def of(cls, found: Found, name: str) -> MatchTally:
        """Return the tally of the games in the work items ``NAME/1``, ``NAME/2`` …

        *found* has the results of the items: lists of the fields of a `GameOutcome`. It is empty if
        there are none.
        """
        return cls(found.joined(name))

    def on_seat(self, seat: int) -> MatchTally:
        """Return the tally of the games in which the first agent had *seat* (0 or 1)."""
        return MatchTally(each for each in self.outcomes if each.seat == seat)

    def turned(self) -> MatchTally:
        """Return the tally of the same games for the second agent of the pairing."""
        return MatchTally(
            (1 - seat, -result, theirs, mine) for seat, result, mine, theirs in self.outcomes
        )

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of games that the first agent won, drew and lost."""
        results = [each.result for each in self.outcomes]
        return results.count(1), results.count(0), results.count(-1)

    @property
    def points(self) -> Measure:
        """Share of points, 0 to 1, with its 95 % interval: a win is 1, a draw 1/2.

        If the games form pairs, the two of a pair count as one result, as they are not independent.
        Without games the share is 0, with the interval 0 to 1.
        """
        return points(self._tally) if self.outcomes else Measure(0.0, 0.0, 1.0, "share")

    @property
    def _tally(self) -> Counts:
        """Counts for statistics: of pairs of games if all games form pairs, else of games.

        They do if the first agent's seats in the first and second game differ, in the third and
        fourth, and so on to the last. Raises PapanError if there are no games.
        """
        results = [each.result for each in self.outcomes]
        seats = [each.seat for each in self.outcomes]
        paired = len(seats) % 2 == 0 and all(
            one != other for one, other in zip(seats[::2], seats[1::2])
        )
        return Counts.of_pairs(results) if paired else Counts.of_games(results)

    def ahead(self, least: float = 0.5, alike: bool = False) -> Evidence:
        """Return the test whether the first agent's share of points is above *least* (0 to 1).

        With *alike* also whether its share is within `EQUIVALENCE_MARGIN` of *least*. Without games
        nothing is shown: its *if_wrong* and *if_right* are 1.
        """
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
        """Return the finding on the claim *what*: the first agent's share of points is above
        *least*.

        *paper* is the paper's value; with *alike*, equivalence is tested, too (see `ahead`). It has
        no verdict until `with_verdicts` makes it.
        """
        shares = {
            "least": Measure(least, form="share"),
            "alike": Measure(EQUIVALENCE_MARGIN, form="share"),
        }
        rule = Message("lab.rule_points_alike" if alike else "lab.rule_points", shares)
        return Finding(what, paper, self.points, evidence=self.ahead(least, alike), rule=rule)

    @property
    def margin(self) -> Measure:
        """Mean margin of the first agent over the second, in points of the game, as of `mean`."""
        return mean([each.mine - each.theirs for each in self.outcomes])

    @property
    def scores(self) -> tuple[Measure, Measure]:
        """Mean scores of the first agent and of the second, in points of the game, as of `mean`."""
        mine, theirs = ([each[place] for each in self.outcomes] for place in (2, 3))
        return mean(mine), mean(theirs)


def together(tallies: Iterable[MatchTally]) -> MatchTally:
    """Return one tally of several with equal weight: of each, as many games as the smallest has.

    These are its first ones. Raise ValueError if there is no tally.
    """
    each = [tally.outcomes for tally in tallies]
    least = min(map(len, each))
    return MatchTally(outcome for outcomes in each for outcome in outcomes[:least])


MATCH = tuple(
    f"lab.{key}" for key in ("agent", "rival", "games", "won", "drawn", "lost", "points", "margin")
)
"""Keys of the headings above `match_row`."""


def match_row(first: Cell, second: Cell, tally: MatchTally) -> tuple[Cell, ...]:
    """Return a match as a row of a table, with a cell for each heading of `MATCH`.

    *first* and *second* name the agents; the rest are counts, share of points (0 to 1), mean
    margin.
    """
    return first, second, len(tally.outcomes), *tally.counts, tally.points, tally.margin


def report_table(
    number: str, name: str, headings: Iterable[str], rows: Iterable[tuple[Cell, ...]]
) -> ReportTable:
    """Return the table with the title ``paperNUMBER.table_NAME``, in which both are filled in.

    *number* is the paper's, *name* is also the name of the table's files. *headings* are whole keys
    of texts, such as ``lab.agent``, or words that are shown as they are; each of *rows* has a cell
    for each of them.
    """
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
    """Return the chart ``paperNUMBER.chart_NAME`` with a bar of each of *bars* in each category.

    *number* is the paper's, *name* is also the name of the chart's files. *axes* are the whole keys
    of what is along x and y, such as ``lab.points``; *look* has other fields of `Chart`.
    """
    title, (x, y) = Message(f"paper{number}.chart_{name}"), map(Message, axes)
    categories = tuple(categories)
    return Chart(name, title, x, y, tuple(bars), kind="bars", categories=categories, **look)


def points_chart(
    number: str, name: str, met: Mapping[str, Sequence[MatchTally]], rivals: Iterable[Cell]
) -> Chart:
    """Return the bar chart ``paperNUMBER.chart_NAME`` of agents' shares of points against *rivals*.

    *number* is the paper's, *name* is also the name of the chart's files. *met* has the results of
    each agent, by its spec, in the order of *rivals*.
    """
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
    """Return the table ``paperNUMBER.table_NAME`` of the results of each agent against each rival.

    *met* has the results of each agent, by its spec, in the order of *rivals*. *columns* are the
    keys of the headings: `MATCH`, or its beginning for a table without the last columns.
    """
    rows = (
        match_row(each, rival, tally)[: len(columns)]
        for each, tallies in met.items()
        for rival, tally in zip(rivals, tallies)
    )
    return report_table(number, name, columns, rows)
