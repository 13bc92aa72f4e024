"""The state of a tournament: which games are still to be played, and when enough is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, fields
from typing import Any, Literal

from papan.core import Record
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import Plan, Stopping, assignment
from papan.lab.tournament.standings import Standings
from papan.lab.work import Executor

FEWEST_ROUNDS = 8
"""Before that, an error bar says little about itself."""


@dataclass(frozen=True)
class Ending:
    """Why a tournament is over."""

    reason: Literal["all", "H0", "H1", "error"]


def due(rounds: int) -> bool:
    """Is it time to look at the rules? After each round at first, then 32 times per doubling."""
    return rounds % (1 << max(0, rounds.bit_length() - 6)) == 0


def enough(stopping: Stopping, standings: Standings, rounds: int) -> Ending | None:
    """Why the games so far are enough, if they are."""
    if stopping.sprt:
        verdict = stopping.sprt.verdict(standings.tally(0, 1))
        if verdict != "continue":
            return Ending(verdict)
    precise = stopping.error is not None and rounds >= FEWEST_ROUNDS
    return Ending("error") if precise and standings.error <= (stopping.error or 0) else None


class TournamentState:
    """A plan and the games of it that are over.

    A rule that ends the tournament looks at whole rounds in their order, never at games that
    merely happened to be over sooner. So it ends after the same game on any number of processes,
    and after any number of interruptions.
    """

    def __init__(self, plan: Plan, games: Mapping[int, MatchGame] | None = None) -> None:
        self.plan = plan
        self.games = dict(games or {})
        self.ending: Ending | None = None
        self.rounds = 0
        """How many rounds are complete, up to the one after which the tournament ended."""
        self._advance()

    @property
    def standings(self) -> Standings:
        """What the games add up to."""
        last = self.rounds if self.ending else self.plan.pairs
        return Standings.of(self.plan, self.games, last)

    @property
    def left(self) -> int:
        """How many games there are still to be played, if no rule ends the tournament before."""
        return 0 if self.ending else self.plan.games - len(self.games)

    def add(self, games: Mapping[int, MatchGame]) -> None:
        """Some more games are over."""
        self.games |= games
        self._advance()

    def play(
        self, executor: Executor, keep: Callable[[int, MatchGame], None], catalog: str
    ) -> Iterator[int]:
        """Play what is missing; tells the number of each game once it is kept."""
        missing = (number for number in range(self.plan.games) if number not in self.games)
        running: dict[Future[dict[str, Any]], int] = {}
        try:
            while not self.ending:
                width = executor.width()
                while len(running) < width and (number := next(missing, None)) is not None:
                    task = assignment(self.plan, number, catalog).json()
                    running[executor.submit(task)] = number
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number = running.pop(future)
                    game = self._game(number, future.result())
                    keep(number, game)
                    self.add({number: game})
                    yield number
        finally:
            for future in running:
                future.cancel()

    def _game(self, number: int, facts: dict[str, Any]) -> MatchGame:
        lists = {key: tuple(facts[key]) for key in ("agents", "scores", "names")}
        seating = self.plan.seatings[number % len(self.plan.seatings)]
        effort = tuple(
            tuple((int(n), float(s)) for n, s in each) for each in facts.get("effort", ())
        )
        record = {each.name: facts[each.name] for each in fields(Record)} | lists
        return MatchGame(seating, Record(**record), effort)

    def _advance(self) -> None:
        """Count the rounds that are complete, and end after the first that shows enough."""
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
            self.ending = Ending("all")
