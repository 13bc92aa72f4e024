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
"""The levels with each blind spot. A player with "greedy" looks at what it turns and not at the
answer; with "far" it looks around one cell only (see `NEAR`); with "count" it does not count what a
cell turns, as long as it turns something."""
NEAR = {1: 1, 2: 2, 3: 3}
"""Rows and columns on each side of a cell that a level looks at when it overlooks what is far."""


class AdjacencySight:
    """Finds slips in *position*: moves of a player with a blind spot, and what it overlooks.

    The game must not be over: not checked.
    """

    def __init__(self, position: AdjacencyPosition) -> None:
        self.position, self.names = position, position.game.grid.names

    def slip(self, level: int, rng: random.Random) -> Slip | None:
        """Return a slip of a player of *level*, 1 to 4, who overlooks something here; else None.

        The blind spots of the level (`ADJACENCY_SPOTS`) are tried in an order that *rng* draws, as
        it draws among equal moves; the first that gives a slip counts. At level 1 "greedy" is tried
        last, if none has given one. None if no blind spot leads to a worse move.
        """
        ways = {
            "greedy": lambda: self._greedy(rng),
            "far": lambda: self._far(NEAR[level], rng),
            "count": lambda: self._count(rng),
        }
        found = (ways[spot]() for spot in in_any_order(ADJACENCY_SPOTS, level, rng))
        return next(filter(None, found), None) or (self._greedy(rng) if level == 1 else None)

    def _back(self, move: Move) -> tuple[int, str]:
        """Return how many marks the rival can turn after *move*, and the name of the cell where.

        0 and "" if *move* is the last one.
        """
        return self.position.child(move).most_turned()

    def _greedy(self, rng: random.Random) -> Slip | None:
        """Return a slip that turns the most at once, but loses more to the answer; else None.

        *rng* draws among the moves that turn the most. The drawn move is compared with the one
        (the first of several) that has the greatest difference of marks turned and marks that the
        rival's answer can turn back. It is a slip if its own difference is smaller, and more marks
        can be turned back.
        """
        position = self.position
        move = most_liked(position.moves(), position.turned_by, rng)
        back = {each: self._back(each) for each in position.moves()}
        better = max(back, key=lambda each: position.turned_by(each) - back[each][0])
        (lost, reply), (left, _) = back[move], back[better]
        now, instead = position.turned_by(move), position.turned_by(better)
        if now - lost >= instead - left or left >= lost:
            return None
        facts = {"marks": now, "reply": reply, "lost": lost, "left": left}
        key = "greedy" if left else "greedy_nothing"
        return self._slip(key, move, better, facts | {"instead": instead})

    def _far(self, near: int, rng: random.Random) -> Slip | None:
        """Return a slip that turns the most near one cell, though more turn elsewhere; else None.

        *rng* draws the one cell among those that turn something; only cells within *near* rows and
        *near* columns of it are looked at. None, too, if no cell turns anything.
        """
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
        """Return a slip that turns something, though another cell turns more; else None.

        Its move is drawn by *rng* from all that turn something; None, too, if there are none.
        """
        turning = self._turning()
        return self._turns_fewer("count", rng.choice(turning)) if turning else None

    def _turning(self) -> list[Move]:
        """Return the moves that turn at least one mark, in ascending order; may be empty."""
        return [each for each in self.position.moves() if self.position.turned_by(each)]

    def _turns_fewer(self, key: str, move: Move) -> Slip | None:
        """Return a slip by *move* because another cell turns more; None if no cell does.

        *key* is that of `_slip`; if *move* turns nothing, "far_nothing" is used instead.
        """
        position = self.position
        better = max(position.moves(), key=position.turned_by)
        now, instead = position.turned_by(move), position.turned_by(better)
        if now >= instead:
            return None
        facts: dict[str, object] = {"marks": now, "instead": instead}
        return self._slip(key if now else "far_nothing", move, better, facts)

    def _slip(self, key: str, move: Move, better: Move, facts: dict[str, object]) -> Slip:
        """Return a slip by *move* with its sentence, which names the *better* move.

        *key* is the end of the text's key (``adjacency.slip_KEY``), such as "greedy", "far" or
        "count", with ``_nothing`` where a number is 0; *facts* are further values of the text.
        """
        moves = {"move": self.names[move], "better": self.names[better]}
        message = Message(f"adjacency.slip_{key}", {**moves, **facts})
        return Slip(move, message, (self.names[move], self.names[better]))
