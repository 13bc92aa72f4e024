"""Tic Tac Toe as a net sees it: planes of numbers over the board, the seat to move on one side.

Written with what NumPy and JAX have in common, so that play and training see the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core import Planes

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToePosition

SOON = 0.1
"""How much of a win is lost if it comes with the last mark: so that a won game is finished."""


def image(own: Any, rival: Any) -> Any:
    """The marks of both, the board, and how full it is."""
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    full = xp.sum(xp.astype(own | rival, xp.float32)) / board.size
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    return xp.stack([*marks, board, board * full], axis=-1)


def planes(position: TicTacToePosition) -> Planes:
    """The position for a net."""
    game, moves = position.game, tuple(position.moves())
    own, rival = (
        np.array([bool(marks & bit) for bit in game.bits]).reshape(game.rows, game.columns)
        for marks in position.sides
    )
    lost = not moves and game.has_line(position.marks[1 - position.turn])
    left = 1 - float((own | rival).mean())
    return Planes(image(own, rival), moves, -(1 - SOON + SOON * left) if lost else 0.0)
