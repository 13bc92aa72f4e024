"""The exact truth about small positions, in plain Python: every line of play, once each."""

from __future__ import annotations

from papan.core import Move, Position, margin


class Truth:
    """What positions are worth under best play; what was worked out once is remembered."""

    def __init__(self) -> None:
        self._known: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        """The final margin for the seat to move."""
        if position not in self._known:
            values = self.moves(position).values()
            self._known[position] = max(values, default=margin(position, position.turn))
        return self._known[position]

    def moves(self, position: Position) -> dict[Move, float]:
        """The final margin after each legal move, for the seat that makes it."""
        return {move: self._after(position, move) for move in position.moves()}

    def best(self, position: Position) -> list[Move]:
        """All moves that keep what the position is worth."""
        values = self.moves(position)
        return [move for move, value in values.items() if value == self.value(position)]

    def _after(self, position: Position, move: Move) -> float:
        child = position.child(move)
        value = self.value(child)
        return value if child.turn == position.turn else -value
