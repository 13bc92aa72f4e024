"""Adjacency as a net sees it: planes of numbers over the board, the seat to move on one side.

Written with what NumPy and JAX have in common, so that play and training see the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core import Planes, margin

if TYPE_CHECKING:
    from papan.games.adjacency.rules import AdjacencyPosition

UNIT = 16.0
"""How many marks count as much as the win itself."""


def image(own: Any, rival: Any, left: Any) -> Any:
    """The marks of both, the board, and how many moves are left: in all, near the end, who ends."""
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    clocks = (left / 56, xp.minimum(left, xp.asarray(8)) / 8, left % 2)
    return xp.stack([*marks, board, *(board * clock for clock in clocks)], axis=-1)


def utility(ahead: Any) -> Any:
    """What an end *ahead* marks ahead is utility: half for winning at all, half for by how much."""
    xp = ahead.__array_namespace__()
    return 0.5 * xp.sign(ahead) + 0.5 * xp.tanh(ahead / UNIT)


def planes(position: AdjacencyPosition) -> Planes:
    """The position for a net."""
    game, moves = position.game, tuple(position.moves())
    own, rival = (
        np.array([bool(marks & bit) for bit in game.bits]).reshape(game.rows, game.columns)
        for marks in position.sides
    )
    ahead = 0.0 if moves else float(utility(np.array(margin(position, position.turn))))
    return Planes(image(own, rival, np.array(position.plies_left)), moves, ahead)
