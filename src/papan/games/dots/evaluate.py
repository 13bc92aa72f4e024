"""How a Dots and Boxes position looks to a search that must stop before the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core.game import margin
from papan.games.dots.chains import boxes_to_take, safe_lines

if TYPE_CHECKING:
    from papan.games.dots.rules import DotsPosition

CONTROL = 0.25
"""The share of the open boxes that whoever is not forced to open them may hope to gain."""

SOON = 2
"""With more safe lines than this, nobody can tell yet who will run out of them."""


def estimate(position: DotsPosition, seat: int) -> float:
    """The boxes owned, those there for the taking, and a guess about who must open the chains."""
    taken = boxes_to_take(position)
    ahead = taken or control(position)
    return margin(position, seat) + (ahead if seat == position.turn else -ahead)


def control(position: DotsPosition) -> float:
    """What the seat to move may hope for when no box can be taken.

    Whoever finds no safe line must give boxes away, so the seat to move wants an odd number of
    them: then it draws the last one.
    """
    safe = len(safe_lines(position))
    if safe > SOON:
        return 0.0
    expected = CONTROL * (len(position.game.boxes) - sum(position.owned))
    return expected if safe % 2 else -expected
