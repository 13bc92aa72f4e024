"""Blind spots in Adjacency: the answer to a move, and cells far away."""

from __future__ import annotations

import random

from papan.core import Message, Move
from papan.core.slips import BlindSpots, Slip, in_any_order, most_liked
from papan.games.adjacency.rules import AdjacencyPosition

ADJACENCY_SPOTS: BlindSpots = {
    "greedy": range(2, 5),
    "far": range(1, 4),
    "count": range(1, 3),
}
"""The levels with each blind spot: looks at what it turns and not at the answer; looks around
one cell only; does not count what a cell turns, as long as it turns something."""
NEAR = {1: 1, 2: 2, 3: 3}
"""Rows and columns on each side of a cell that a level looks at when it overlooks what is far."""


class AdjacencySight:
    """Sight of a position with a blind spot."""

    def __init__(self, position: AdjacencyPosition) -> None:
        self.position, self.names = position, position.game.grid.names

    def slip(self, level: int, rng: random.Random) -> Slip | None:
        """Return what somebody of *level* plays who overlooks something here; None: nothing is."""
        ways = {
            "greedy": lambda: self._greedy(rng),
            "far": lambda: self._far(NEAR[level], rng),
            "count": lambda: self._count(rng),
        }
        found = (ways[spot]() for spot in in_any_order(ADJACENCY_SPOTS, level, rng))
        return next(filter(None, found), None) or (self._greedy(rng) if level == 1 else None)

    def _back(self, move: Move) -> tuple[int, str]:
        """Return how many marks the rival can turn after *move*, and where."""
        return self.position.child(move).most_turned()

    def _greedy(self, rng: random.Random) -> Slip | None:
        """Turn the most at once, though the answer turns more back than after another move."""
        position = self.position
        move = most_liked(position.moves(), position.turned_by, rng)
        back = {each: self._back(each) for each in position.moves()}
        better = max(back, key=lambda each: position.turned_by(each) - back[each][0])
        (lost, reply), (left, _) = back[move], back[better]
        now, instead = position.turned_by(move), position.turned_by(better)
        if now - lost >= instead - left or left >= lost:
            return None
        facts = {"marks": now, "reply": reply, "lost": lost, "left": left}
        return self._slip("greedy", move, better, facts | {"instead": instead})

    def _far(self, near: int, rng: random.Random) -> Slip | None:
        """Turn the most around one cell beside its marks, though more can be turned elsewhere."""
        position, wide = self.position, self.position.game.grid.columns
        if not (turning := self._turning()):
            return None
        row, column = divmod(rng.choice(turning), wide)
        seen = [
            cell
            for cell in position.moves()
            if abs(cell // wide - row) <= near and abs(cell % wide - column) <= near
        ]
        return self._turns_fewer("far", most_liked(seen, position.turned_by, rng))

    def _count(self, rng: random.Random) -> Slip | None:
        """Turn something, though another cell turns more."""
        turning = self._turning()
        return self._turns_fewer("count", rng.choice(turning)) if turning else None

    def _turning(self) -> list[Move]:
        """Return the cells that turn at least one mark."""
        return [each for each in self.position.moves() if self.position.turned_by(each)]

    def _turns_fewer(self, key: str, move: Move) -> Slip | None:
        """Return that another cell turns more than *move*; None if no cell does."""
        position = self.position
        better = max(position.moves(), key=position.turned_by)
        now, instead = position.turned_by(move), position.turned_by(better)
        if now >= instead:
            return None
        return self._slip(key, move, better, {"marks": now, "instead": instead})

    def _slip(self, key: str, move: Move, better: Move, facts: dict[str, object]) -> Slip:
        """Return a slip with its sentence."""
        moves = {"move": self.names[move], "better": self.names[better]}
        message = Message(f"adjacency.slip_{key}", {**moves, **facts})
        return Slip(move, message, (self.names[move], self.names[better]))
