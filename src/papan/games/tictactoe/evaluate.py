"""How a Tic Tac Toe position looks to a search that must stop before the end."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToePosition


GROWTH = 4.0
"""How much more a line is worth with each mark."""

MOST = 0.9
"""However good it looks, a position is worth less than a game that is won."""


def estimate(position: TicTacToePosition, seat: int) -> float:
    """Between -1 and 1: the lines still open to each side, long ones counting most."""
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    balance = 0.0
    for line in position.game.lines:
        own, rival = line & mine, line & theirs
        if own and not rival:
            balance += GROWTH ** own.bit_count()
        elif rival and not own:
            balance -= GROWTH ** rival.bit_count()
    return MOST * tanh(balance / GROWTH**position.game.connect)
