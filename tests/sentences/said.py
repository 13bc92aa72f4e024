"""A sentence about a move with all that it may speak of, and what positions are worth.

What a position is worth is found by trying everything, or by the solver where that would take too
long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan import api
from papan.core import Move, Position
from papan.core.reviewer import Verdict
from tests.brute_force import tried
from tests.sentences.boards import Lines

MOST_TRIED = 9
"""So many plies are tried out; before that the solver is asked."""


def best_play(position: Position) -> tuple[float, int | None]:
    if len(position.moves()) <= MOST_TRIED and position.game.name != "connect4":
        return tried(position)
    if position.game.name == "connect4" and str(position).count(".") <= MOST_TRIED:
        return tried(position)
    found = api.solve(position)
    assert found.exact
    return found.proved.low, found.distance


def best_for(position: Position, seat: int) -> float:
    value = best_play(position)[0]
    return value if position.turn == seat else -value


@dataclass
class Said:
    """A sentence about a move: its key, its values, and all that it may speak of."""

    key: str
    values: Any
    position: Any
    move: Move
    verdict: Verdict | None = None

    @property
    def seat(self) -> int:
        return int(self.position.turn)

    @property
    def after(self) -> Any:
        return self.position.child(self.move)

    @property
    def better(self) -> Any:
        assert self.verdict is not None
        return self.position.child(self.verdict.plan[0])

    @property
    def name(self) -> str:
        return str(self.position.game.move_name(self.move))

    @property
    def better_name(self) -> str:
        assert self.verdict is not None
        return str(self.position.game.move_name(self.verdict.plan[0]))

    @property
    def lines(self) -> tuple[Lines, Lines, Lines]:
        """The boards before and after the move, and after the better one."""
        return Lines(self.position), Lines(self.after), Lines(self.better)

    @property
    def plays(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The play after the move, with it, and the better play."""
        assert self.verdict is not None
        return (self.move, *self.verdict.refutation), self.verdict.plan

    def values_of_both(self) -> tuple[float, float]:
        """What the better move and the move are worth to who made it, by brute force."""
        return best_for(self.better, self.seat), best_for(self.after, self.seat)
