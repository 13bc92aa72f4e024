"""Connect 4 as a net sees it: planes of numbers over the board, with the seat to move on one side.

Written with what NumPy and JAX have in common, so that play and training see the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core import Planes

if TYPE_CHECKING:
    from papan.games.connect4.rules import Connect4Position

SOON = 0.1
"""How much of a win is lost if it comes with the last stone: so that a won game is finished."""


def landing(own: Any, rival: Any, board: Any) -> Any:
    """The cell of each column where a stone comes to rest, as a plane of truths."""
    xp = own.__array_namespace__()
    empty = board & ~(own | rival)
    below = xp.cumulative_sum(xp.astype(xp.flip(empty, axis=0), xp.int32), axis=0)
    return empty & (xp.flip(below, axis=0) == 1)


def image(own: Any, rival: Any, board: Any) -> Any:
    """Stones, the board (a part of the array), odd rows from below, where stones land, how full."""
    xp = own.__array_namespace__()
    rows = xp.sum(xp.astype(board[:, 0], xp.int32))
    height = rows - 1 - xp.arange(own.shape[0])[:, None]
    taken = own | rival
    full = xp.sum(xp.astype(taken, xp.float32)) / xp.sum(xp.astype(board, xp.float32))
    planes = (own, rival, board, board & (height % 2 == 1), landing(own, rival, board))
    flat = [xp.astype(plane, xp.float32) for plane in planes]
    return xp.stack([*flat, xp.astype(board, xp.float32) * full], axis=-1)


def planes(position: Connect4Position) -> Planes:
    """The position for a net."""
    game = position.game
    shape = game.rows, game.columns
    own, rival = (
        np.array([bool(stones & bit) for bit in game.bits]).reshape(shape)
        for stones in position.sides
    )
    board = np.ones(shape, bool)
    moves = position.moves()
    if not moves:
        left = 1 - position.taken.bit_count() / game.grid.size
        lost = game.has_line(position.marks[1 - position.turn])
        return Planes(image(own, rival, board), (), -(1 - SOON + SOON * left) if lost else 0.0)
    rows = landing(own, rival, board).argmax(axis=0)
    places = tuple(int(rows[move]) * game.columns + move for move in moves)
    return Planes(image(own, rival, board), places)
