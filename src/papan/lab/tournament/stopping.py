"""When a tournament has shown enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from papan.lab.tournament.plan import Stopping
from papan.lab.tournament.standings import Standings

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
