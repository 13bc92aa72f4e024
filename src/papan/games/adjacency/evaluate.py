"""How an Adjacency position looks to a search that must stop before the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.games.adjacency.rules import AdjacencyPosition

SAFE = 0.5
"""What a mark that nobody can turn any more is worth on top of being a mark."""


def estimate(position: AdjacencyPosition, seat: int) -> float:
    """The margin, with half a mark more for each mark that can no longer be turned.

    A mark is turned only by a move beside it: with no empty cell there, it is safe to the end.
    """
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    margin = mine.bit_count() - theirs.bit_count()
    if not position.plies_left:
        return margin
    exposed = position.game.around(position.empty)
    return margin + SAFE * ((mine & ~exposed).bit_count() - (theirs & ~exposed).bit_count())
