"""How a Connect 4 position looks to a search that must stop before the end."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.games.connect4.rules import Connect4Position

GROWTH = 3.0
"""How much more a four is worth with each stone; found by play: larger numbers overrate threes."""

MOST = 0.9
"""However good it looks, a position is worth less than a game that is won."""


def estimate(position: Connect4Position, seat: int) -> float:
    """Between -1 and 1: the fours still open to each side, those with most stones counting most."""
    mine, theirs = position.stones[seat], position.stones[1 - seat]
    balance = 0.0
    for four in position.game.fours:
        own, rival = four & mine, four & theirs
        if own and not rival:
            balance += GROWTH ** own.bit_count()
        elif rival and not own:
            balance -= GROWTH ** rival.bit_count()
    return MOST * tanh(balance / GROWTH**4)
