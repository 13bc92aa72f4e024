"""Dots and Boxes as a net sees it: planes of numbers over the dots, each with its two lines.

Written with what NumPy and JAX have in common, so that play and training see the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papan.core import Planes, margin

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

UNIT = 8.0
"""How many boxes ahead count as one."""


def sides(drawn: Any) -> Any:
    """How many sides of the box below right of each dot are drawn; 0 where there is no box."""
    xp = drawn.__array_namespace__()
    across, down = (xp.astype(drawn[..., kind], xp.int32) for kind in (0, 1))
    boxes = across[:-1, :-1] + across[1:, :-1] + down[:-1, :-1] + down[:-1, 1:]
    wide = xp.concat([boxes, xp.zeros_like(boxes[:, :1])], axis=1)
    return xp.concat([wide, xp.zeros_like(wide[:1])], axis=0)


def image(drawn: Any, dots: Any, boxes: Any, lines: Any) -> Any:
    """The lines right and down of each dot, boxes by their sides, and how many lines are left.

    *dots*, *boxes* and *lines* tell which of the array belong to the board.
    """
    xp = drawn.__array_namespace__()
    count = sides(drawn)
    left = xp.sum(xp.astype(lines & ~drawn, xp.float32))
    whole = xp.sum(xp.astype(lines, xp.float32))
    planes = [drawn[..., 0], drawn[..., 1], *(boxes & (count == each) for each in (2, 3, 4)), boxes]
    flat = [xp.astype(plane, xp.float32) for plane in (*planes, dots)]
    return xp.stack([*flat, flat[-1] * (left / whole), flat[-1] * (left % 2)], axis=-1)


def line_places(game: Dots) -> list[int]:
    """For each line its place among the two lines of each dot."""
    return [2 * first + (second - first != 1) for first, second in game.lines]


def planes(position: DotsPosition) -> Planes:
    """The position for a net."""
    game = position.game
    places, moves = line_places(game), position.moves()
    shape = game.dots.rows, game.dots.columns
    lines, drawn = np.zeros((2, *shape, 2), bool)
    lines.reshape(-1)[places] = True
    drawn.reshape(-1)[places] = [bool(position.drawn >> line & 1) for line in range(len(places))]
    boxes = np.zeros(shape, bool)
    boxes[:-1, :-1] = True
    ahead = margin(position, position.turn) / UNIT
    seen = image(drawn, np.ones(shape, bool), boxes, lines)
    return Planes(seen, tuple(places[move] for move in moves), ahead)
