"""The game itself, ply by ply: how many positions there are, and how many ways lead to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from papan.core import Position


@dataclass(frozen=True)
class Ply:
    """All that can have happened after a number of moves."""

    ply: int
    positions: int
    """Different positions."""
    lines: int
    """Different orders of moves that lead to them (perft)."""
    moves: int
    """Moves to go on with, over all lines: the lines of the next ply."""

    @property
    def branching(self) -> float:
        """Moves to go on with, in the mean over all lines."""
        return self.moves / self.lines


@dataclass(frozen=True)
class Tree:
    """The plies of a game from its start, as many as were counted."""

    plies: tuple[Ply, ...]
    complete: bool
    """True where the last ply is the end of the longest game."""

    @property
    def positions(self) -> int:
        """Different positions in all."""
        return sum(ply.positions for ply in self.plies)


def grown(start: Position, most: int) -> Tree:
    """The tree below *start*: as many whole plies as have at most *most* positions in all."""
    layer: Counter[Position] | None = Counter({start: 1})
    plies, seen = list[Ply](), 0
    while layer:
        moves = sum(ways * len(position.moves()) for position, ways in layer.items())
        plies.append(Ply(len(plies), len(layer), layer.total(), moves))
        seen += len(layer)
        layer = _following(layer, most - seen)
    return Tree(tuple(plies), complete=layer is not None)


def _following(layer: Counter[Position], room: int) -> Counter[Position] | None:
    """The next ply, each position with the number of ways to it; None if there is no room."""
    following: Counter[Position] = Counter()
    for position, ways in layer.items():
        for move in position.moves():
            following[position.child(move)] += ways
        if len(following) > room:
            return None
    return following
