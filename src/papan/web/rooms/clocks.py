"""The clocks of two players, kept by the server: a value that changes only by being replaced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field, FiniteFloat

FREE_MOVES = 2
"""Nobody's time runs before so many moves are made: the other one may still be on the way."""


@dataclass(frozen=True)
class Clocks:
    """What each player has left, and whose time runs since when."""

    seconds: FiniteFloat
    """What each of them began with."""
    increment: FiniteFloat
    """Seconds that a player gains when the turn passes on."""
    left: tuple[FiniteFloat, FiniteFloat]
    running: Annotated[int, Field(ge=0, le=1)] | None = None
    since: float = 0

    @classmethod
    def fresh(cls, seconds: float, increment: float) -> Clocks:
        """Two full clocks that stand still."""
        return cls(seconds, increment, (seconds, seconds))

    def at(self, now: float) -> tuple[float, float]:
        """What each player has left by now; never below 0."""
        first, second = self.left
        gone = max(0.0, now - self.since)
        if self.running == 0:
            first = max(0.0, first - gone)
        elif self.running == 1:
            second = max(0.0, second - gone)
        return first, second

    def fallen(self, now: float) -> int | None:
        """The seat whose time is over."""
        if self.running is None or self.at(now)[self.running] > 0:
            return None
        return self.running

    def pressed(self, now: float, runs: int | None) -> Clocks:
        """Whose time runs from now on; whoever passes the turn on gains the increment."""
        left = list(self.at(now))
        if self.running is not None and runs == 1 - self.running:
            left[self.running] += self.increment
        return replace(self, left=(left[0], left[1]), running=runs, since=now)

    def held(self, now: float, runs: int | None) -> Clocks:
        """Whose time runs from now on, without a move: nobody gains anything."""
        return replace(self, left=self.at(now), running=runs, since=now)
