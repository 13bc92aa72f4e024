"""Standings of a tournament: points, encounters, ratings and their errors.

And its state: which games are missing, and when a rule ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from papan.core import Progress, Record
from papan.core.drawing import HtmlRepr
from papan.core.message import text_of
from papan.core.numbers import MINUS, in_figures
from papan.lab.match import Forfeits, MatchGame, distinct_pairs, forfeits_of
from papan.lab.statistics.elo import ScoreTally, elo_difference, superiority
from papan.lab.statistics.intervals import Interval, with_ends
from papan.lab.tournament.plan import Assignment, Stopping, TournamentPlan
from papan.lab.work import Executor, completed

if TYPE_CHECKING:  # they load numpy
    from papan.lab.statistics.ranking import Ranking
    from papan.lab.tournament.report import RatingsPlot

Outcomes = dict[tuple[int, int], list[int]]
"""For two agents (indexes) a list with 1 (won), 0 (drawn) or -1 (lost) for the first of them: one
number for each of their games, in games of one seat for each board.
"""


@dataclass(frozen=True)
class Score:
    """Numbers of wins, draws and losses; `points` has 1 for a win and 1/2 for a draw."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, outcomes: Sequence[int]) -> Score:
        """Return the counts of *outcomes*, each 1 (win), 0 (draw) or -1 (loss)."""
        return cls(outcomes.count(1), outcomes.count(0), outcomes.count(-1))

    @property
    def games(self) -> int:
        """Number of games counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for each win and 1/2 for each draw."""
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        """Return the counts as in ``+3 =1 -2``, with a typographic minus."""
        return f"+{self.wins} ={self.draws} {MINUS}{self.losses}"


@dataclass(frozen=True)
class Standings(HtmlRepr):
    """Results of whole pairs of games; half a pair does not count yet.

    Its methods take agents as indexes into *names*.
    """

    names: tuple[str, ...]
    """The names of the agents, in the order of the plan: `TournamentPlan.names`."""
    pairings: tuple[tuple[int, int], ...]
    """The pairs of agents that meet, as indexes into *names*."""
    outcomes: Outcomes
    """For each of *pairings*: 1 (won), 0 or -1 for its first agent in each game, or, in games of
    one seat, on each board.

    They are in the order of rounds; the two games of a pair are adjacent.
    """
    paired: bool
    """True if outcomes come in pairs; in games of one seat, there is one for each board."""
    games: tuple[MatchGame, ...]
    """The games that count, in the order of rounds."""

    @classmethod
    def of(cls, plan: TournamentPlan, games: Mapping[int, MatchGame], rounds: int) -> Standings:
        """Return the standings after *rounds* rounds of *plan*; *games* are by number, from 0.

        Games of later rounds are ignored. Of a round in which games are missing, only the pairs
        that are complete count.
        """
        outcomes: Outcomes = {pairing: [] for pairing in plan.pairings}
        counted = list[MatchGame]()
        size = len(plan.seatings)
        for each in sorted({number // size for number in games if number < rounds * size}):
            numbers = range(each * size, (each + 1) * size)
            played = {games[number].seating: games[number] for number in numbers if number in games}
            counted += _count(plan, played, outcomes)
        pairings = tuple(plan.pairings)
        return cls(plan.names, pairings, outcomes, plan.seats == 2, tuple(counted))

    def __str__(self) -> str:
        """Return one line for each agent, the strongest first: its name, wins, draws and losses."""
        return "\n".join(f"{self.names[agent]}: {self.total(agent)}" for agent in self.order())

    def __repr__(self) -> str:
        """Return one line with the number of games and the lines of ``str``."""
        return f"<Standings of {len(self.games)} games: {', '.join(str(self).splitlines())}>"

    def json(self) -> dict[str, Any]:
        """Return the standings as JSON data: the fields of `StandingsFacts`."""
        from papan.lab.tournament.report import standings_facts

        return asdict(standings_facts(self))

    def plot(self, path: str | Path | None = None) -> RatingsPlot:
        """Return a chart of the ratings with their errors.

        Also write the SVG to the file *path*, unless it is None. Raise InvalidSpecError if *path*
        does not end in ``.svg``, OSError if it cannot be written.
        """
        from papan.lab.tournament.report import plot_ratings

        return plot_ratings(self, None if path is None else Path(path))

    def met(self, first: int, second: int) -> list[int]:
        """Return the outcomes between two agents, given by index: 1, 0 or -1 for the first in each
        game.

        In games of one seat, for each board. Empty if they have not met. The list must not be
        changed: it may be that of `outcomes`.
        """
        if (first, second) in self.outcomes:
            return self.outcomes[first, second]
        return [-outcome for outcome in self.outcomes.get((second, first), [])]

    def score(self, first: int, second: int) -> Score:
        """Return the wins, draws and losses of the first of two agents (indexes) against the
        second.
        """
        return Score.of(self.met(first, second))

    def total(self, agent: int) -> Score:
        """Return the wins, draws and losses of an agent (index) against all others."""
        others = (other for other in range(len(self.names)) if other != agent)
        return Score.of([outcome for other in others for outcome in self.met(agent, other)])

    def tally(self, first: int, second: int) -> ScoreTally:
        """Return the counts of pairs of games between two agents (indexes), from the first one's
        view.

        In games of one seat they are of boards. Raise PapanError if the two have not met.
        """
        met = self.met(first, second)
        return ScoreTally.of_pairs(met) if self.paired else ScoreTally.of_games(met)

    def lead(self, first: int, second: int) -> Interval:
        """Return the Elo of the first agent minus the second's, from their own games alone.

        Both are indexes. Raise PapanError if they have not met.
        """
        return elo_difference(self.tally(first, second))

    def pairs(self, first: int, second: int) -> int:
        """Return how many pairs of games two agents (indexes) have played; 0 if they have not met.

        In games for one seat it is the number of boards that both have played.
        """
        return len(self.met(first, second)) // (2 if self.paired else 1)

    def distinct(self, first: int, second: int) -> int:
        """Return the number of different pairs of games between two agents (indexes).

        Pairs that are the same in openings, moves and ends count once.
        """
        both = {first, second}
        return distinct_pairs([game for game in self.games if both.issuperset(game.seating)])

    @cached_property
    def ranking(self) -> Ranking:
        """Ratings, by name, of all agents that have played, from all games that count."""
        from papan.lab.statistics.ranking import Encounter, rank

        return rank(
            [
                Encounter(self.names[a], self.names[b], *astuple(self.score(a, b)))
                for a, b in self.pairings
                if self.outcomes[a, b]
            ]
        )

    def rating(self, agent: int) -> Interval:
        """Return the Elo of an agent (index) above the mean of all, with its 95 % interval.

        Of two agents, the ends are half of those of their `lead`; the value is finite even if one
        has always won. Raise ValueError if the agent has not played.
        """
        rating = self.ranking.rating(self.names[agent])
        if len(self.names) > 2:
            return rating
        lead = self.lead(agent, 1 - agent)
        return Interval(rating.value, lead.low / 2, lead.high / 2)

    @property
    def error(self) -> float:
        """Largest error of an Elo: of the difference between two agents, or of a rating of many.

        An error is the distance from the value to the farther end of its 95 % interval; it may be
        infinite. Raises PapanError or ValueError if an agent has not played.
        """
        if len(self.names) == 2:
            return self.lead(0, 1).error
        return max(self.rating(agent).error for agent in range(len(self.names)))

    def superiority(self, first: int, second: int) -> float:
        """Return the probability, 0 to 1, that the first of two agents (indexes) is the stronger
        one (LOS).

        It is from their own games; if they have not met, from the ratings: then raise ValueError if
        one has not played.
        """
        if self.met(first, second):
            return superiority(self.tally(first, second))
        return self.ranking.superiority(self.names[first], self.names[second])

    def order(self) -> list[int]:
        """Return the agents (indexes), strongest first; those that have not played come last."""
        everyone = range(len(self.names))
        played = [agent for agent in everyone if self.total(agent).games]
        ratings = {agent: round(self.rating(agent).value, 6) for agent in played}
        idle = [agent for agent in everyone if agent not in ratings]
        return sorted(played, key=lambda agent: -ratings[agent]) + idle

    def endings(self) -> Counter[str]:
        """Return the number of games by kind of end, such as ``win``."""
        return Counter(game.record.end for game in self.games)

    @property
    def adjudicated(self) -> int:
        """Number of games that the exact solver played to their end."""
        return sum(game.record.adjudicated is not None for game in self.games)

    def forfeits(self, agent: int) -> Counter[str]:
        """Return the number of forfeits of an agent (index) by kind of end, such as ``crash``.

        A resignation counts, as ``resigned``. Kinds that have not occurred have no key.
        """
        return Counter(game.record.end for game in self.games if game.culprit == agent)

    def faults(self, agent: int) -> list[Forfeits]:
        """Return the forfeits of an agent (index), grouped by reason, the most frequent first."""
        return forfeits_of(self.games, agent)


def _count(
    plan: TournamentPlan, played: Mapping[tuple[int, ...], MatchGame], outcomes: Outcomes
) -> Iterable[MatchGame]:
    """Add the outcomes of one round to *outcomes*; return the games that count, in whole pairs.

    *played* has the games of the round by seating.
    """
    counted = dict[tuple[int, ...], MatchGame]()
    for a, b in plan.pairings:
        seatings: list[tuple[int, ...]] = [(a,), (b,)] if plan.seats == 1 else [(a, b), (b, a)]
        games = [played[seating] for seating in seatings if seating in played]
        if len(games) < 2:
            continue
        if plan.seats == 1:
            outcomes[a, b].append(games[0].against(games[1]))
        else:
            outcomes[a, b] += [game.outcome(a) for game in games]
        counted |= zip(seatings, games)
    return counted.values()


CROSS = ("rank", "agent", "rating", "points", "wins", "draws", "losses", "forfeits")
"""Keys of the columns of a table for people."""


def column_titles(keys: Iterable[str], language: str) -> list[str]:
    """Return the titles in *language* of columns: the texts ``tournament.column_KEY`` for *keys*.

    A key is such as ``rank``; `CROSS` has those of the cross table.
    """
    return [text_of(f"tournament.column_{key}", language) for key in keys]


def cross_table(standings: Standings, language: str) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the table for people, as texts in *language*, strongest agent
    first.

    Its columns are those of `CROSS`; with more than two agents, also one for the score against
    each.
    """
    order = standings.order()
    others = order if len(order) > 2 else []
    headings = [*column_titles(CROSS, language), *(str(place + 1) for place in range(len(others)))]
    rows = []
    for rank, agent in enumerate(order, 1):
        total = standings.total(agent)
        rating = with_ends(standings.rating(agent)) if total.games else ""
        met = [_met_text(standings, agent, other) for other in others]
        rows.append(
            [
                str(rank),
                standings.names[agent],
                in_figures(rating, language),
                in_figures(f"{total.points:g}/{total.games}", language),
                *map(str, (total.wins, total.draws, total.losses)),
                forfeits_text(standings, agent, language),
                *(in_figures(score, language) for score in met),
            ]
        )
    return headings, rows


def _met_text(standings: Standings, agent: int, other: int) -> str:
    """Return one agent's wins, draws and losses against another (indexes), such as ``+3 =1 -2``.

    The minus is a typographic one. A dot if they have not met.
    """
    return str(standings.score(agent, other)) if standings.met(agent, other) else "\u00b7"


def forfeits_text(standings: Standings, agent: int, language: str) -> str:
    """Return the number of an agent's forfeits by kind, in words of *language*, such as ``crash
    2``.

    *agent* is an index; "0" if there are none.
    """
    kinds = standings.forfeits(agent).items()
    return ", ".join(f"{text_of(f'end.{kind}', language)} {count}" for kind, count in kinds) or "0"


def repetitions(standings: Standings) -> str:
    """Return how many pairs of games are distinct, such as ``7/10``, for agents that repeat some.

    Empty if no pair repeats another move by move. With more than two agents their names precede
    each count.
    """
    counts = {
        (a, b): (standings.distinct(a, b), pairs)
        for a, b in standings.pairings
        if (pairs := standings.pairs(a, b))
    }
    names = standings.names
    return ", ".join(
        f"{names[a]} - {names[b]} {distinct}/{pairs}" if len(names) > 2 else f"{distinct}/{pairs}"
        for (a, b), (distinct, pairs) in counts.items()
        if distinct < pairs
    )


FEWEST_ROUNDS = 8
"""Number of rounds before which an error estimate is not reliable."""


@dataclass(frozen=True)
class TournamentEnd:
    """Reason of a tournament's end: all games, a hypothesis accepted, or a small enough error."""

    reason: Literal["all", "H0", "H1", "error"]
    """``all``, ``H0`` or ``H1`` (the hypothesis that was accepted), or ``error``."""


def due(rounds: int) -> bool:
    """Return whether to test the rules after *rounds* rounds, counted from 1.

    After each of the first 63, then 32 times per doubling.
    """
    return rounds % (1 << max(0, rounds.bit_length() - 6)) == 0


def enough(stopping: Stopping, standings: Standings, rounds: int) -> TournamentEnd | None:
    """Return the reason why the tournament may end after *rounds* rounds; None if it may not.

    *stopping* are the rules of its plan, *standings* those after these rounds: all agents must have
    played in them, else PapanError or ValueError may be raised. The rule about the error counts
    only from `FEWEST_ROUNDS` on; it ends the tournament if the error is at most `Stopping.error`.
    """
    if stopping.sprt:
        verdict = stopping.sprt.verdict(standings.tally(0, 1))
        if verdict != "continue":
            return TournamentEnd(verdict)
    precise = stopping.error is not None and rounds >= FEWEST_ROUNDS
    return TournamentEnd("error") if precise and standings.error <= (stopping.error or 0) else None


def refereed_game(seating: tuple[int, ...], facts: dict[str, Any]) -> MatchGame:
    """Return the game that a referee process has answered with as JSON data, *facts*.

    *facts* has all fields of `Record` by name, and ``effort`` and ``memory`` as in `MatchGame`,
    both of which may be missing. Raise KeyError if a field of the record is missing. *seating* is
    that of `MatchGame`.
    """
    lists = {key: tuple(facts[key]) for key in ("agents", "scores", "names", "hints")}
    effort = tuple(
        tuple((int(n), float(s), float(cpu)) for n, s, cpu in each)
        for each in facts.get("effort", ())
    )
    record = {each.name: facts[each.name] for each in fields(Record)} | lists
    return MatchGame(seating, Record(**record), effort, tuple(map(int, facts.get("memory", ()))))


class TournamentState:
    """A plan and its games that are over, by number; `ending` says why it has ended, None if not
    yet.

    A rule that ends the tournament looks at whole rounds in their order, never at games that merely
    ended sooner. So it ends after the same game on any number of processes, and after any number of
    interruptions.
    """

    def __init__(self, plan: TournamentPlan, games: Mapping[int, MatchGame] | None = None) -> None:
        self.plan = plan
        self.games = dict(games or {})
        self.ending: TournamentEnd | None = None
        self.rounds = 0
        """Number of complete rounds from the first one on, up to the end of the tournament."""
        self._advance()

    @property
    def standings(self) -> Standings:
        """The standings of the games that count, computed anew.

        While the tournament goes on these are the pairs that are complete; after its end, those of
        the rounds up to it.
        """
        last = self.rounds if self.ending else self.plan.pairs
        return Standings.of(self.plan, self.games, last)

    @property
    def left(self) -> int:
        """Number of games to be played if no rule ends the tournament early; 0 after its end."""
        return 0 if self.ending else self.plan.games - len(self.games)

    def add(self, games: Mapping[int, MatchGame]) -> None:
        """Add games that are over, by number from 0; set `ending` if a rule ends the tournament."""
        self.games |= games
        self._advance()

    def progress(self, number: int) -> Progress:
        """Return how many games are over, of how many at most, with a line about game *number*.

        That must be over, else KeyError is raised.
        """
        return Progress(len(self.games), self.plan.games, self.games[number].message())

    def play(
        self, executor: Executor, keep: Callable[[int, MatchGame], None], catalog: str
    ) -> Iterator[int]:
        """Play the missing games; yield the number of each after *keep* has recorded it.

        No more games are begun once a rule has ended the tournament; some that still run then are
        not recorded. *keep* gets the number and the game; then the game is added to the state.
        *catalog* is the module that finds games and agents. Raise what *keep* and *executor* raise,
        such as LostError.
        """
        tasks = (
            (number, Assignment(self.plan, number, catalog).text)
            for number in range(self.plan.games)
            if number not in self.games
        )
        over = completed(executor, lambda running: next(tasks, None), lambda: bool(self.ending))
        for number, future in over:
            game = refereed_game(self.plan.seating(number), future.result())
            keep(number, game)
            self.add({number: game})
            yield number

    def _advance(self) -> None:
        """Set `rounds` to the number of complete rounds, and `ending` if the tournament has ended.

        It ends after the first round, of those that are `due`, that satisfies a rule, else after
        the last one. Rounds after a round in which a game is missing do not count.
        """
        size = len(self.plan.seatings)
        while not self.ending and self.rounds < self.plan.pairs:
            first = self.rounds * size
            if any(number not in self.games for number in range(first, first + size)):
                return
            self.rounds += 1
            if self.plan.stopping.early and due(self.rounds):
                standings = Standings.of(self.plan, self.games, self.rounds)
                self.ending = enough(self.plan.stopping, standings, self.rounds)
        if not self.ending and self.rounds == self.plan.pairs:
            self.ending = TournamentEnd("all")
