"""What moves have cost: nodes and time, kept beside the journal because no two runs agree on it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any

from papan.lab.match import MatchGame
from papan.lab.tournament.plan import Plan

MOST_MOVES = 50_000
"""Of so many of its latest moves the effort of an agent is told."""
RECENT_GAMES = 50
"""How many games the pace is taken from."""


def effort_line(number: int, game: MatchGame) -> str:
    """What a game has cost each seat, and when it was over."""
    seats = [[[nodes, seconds] for nodes, seconds in seat] for seat in game.effort]
    return json.dumps({"number": number, "at": round(time(), 3), "seats": seats})


@dataclass(frozen=True)
class Spread:
    """The middle of some numbers, and what only one in twenty of them exceeds."""

    median: float
    p95: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        ordered = sorted(values)
        return cls(_quantile(ordered, 0.5), _quantile(ordered, 0.95))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of some ordered values lies, or between two of them."""
    place = share * (len(ordered) - 1)
    below = ordered[int(place)]
    above = ordered[min(int(place) + 1, len(ordered) - 1)]
    return below + (above - below) * (place - int(place))


@dataclass
class Efforts:
    """What the agents of a tournament have spent on their moves."""

    plan: Plan
    _moves: dict[int, deque[tuple[int, float]]] = field(default_factory=dict)
    _ends: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT_GAMES))

    def add(self, line: bytes) -> None:
        """Count what `effort_line` wrote; a damaged line says nothing."""
        try:
            facts: dict[str, Any] = json.loads(line)
            seating = self.plan.seatings[facts["number"] % len(self.plan.seatings)]
            seats = [[(int(n), float(s)) for n, s in seat] for seat in facts["seats"]]
            self._ends.append(float(facts["at"]))
        except (ValueError, KeyError, TypeError):
            return
        for agent, moves in zip(seating, seats):
            self._moves.setdefault(agent, deque(maxlen=MOST_MOVES)).extend(moves)

    def nodes(self, agent: int) -> Spread | None:
        """The nodes of an agent's moves, if it has made any."""
        return self._spread([nodes for nodes, _ in self._moves.get(agent, ())])

    def milliseconds(self, agent: int) -> Spread | None:
        """The time of an agent's moves, if it has made any."""
        return self._spread([1000 * seconds for _, seconds in self._moves.get(agent, ())])

    @property
    def pace(self) -> float | None:
        """How many games are over each second, by the latest of them."""
        if len(self._ends) < 2 or self._ends[-1] <= self._ends[0]:
            return None
        return (len(self._ends) - 1) / (self._ends[-1] - self._ends[0])

    def _spread(self, values: Sequence[float]) -> Spread | None:
        return Spread.of(values) if values else None
