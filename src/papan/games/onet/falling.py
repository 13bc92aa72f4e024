"""Where the tiles of Onet move to fill holes: gravity in nine forms, one for each level of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from papan.core import Grid

Gravity: TypeAlias = Literal[
    "none", "down", "up", "left", "right", "sides", "centre", "poles", "equator"
]
"""In the order of levels. *sides*: the left half moves left and the right half right; *centre*:
both move to the middle column. *poles* and *equator*: so do the upper and the lower half."""

Path: TypeAlias = Sequence[int]
"""Cells that tiles move along, from where they pile up."""


def paths(grid: Grid, gravity: Gravity) -> tuple[Path, ...]:
    """All ways that tiles move along; where a line cannot be halved, its second half is longer."""
    size, wide = grid.size, grid.columns
    if gravity in ("left", "right", "sides", "centre"):
        lines = [range(first, first + wide) for first in range(0, size, wide)]
    else:
        lines = [range(first, size, wide) for first in range(wide)]
    return tuple(path for line in lines for path in _piles(line, gravity) if path)


def _piles(line: range, gravity: Gravity) -> tuple[range, ...]:
    """The ways along one row or column, given from its left or upper end."""
    half = len(line) // 2
    match gravity:
        case "none":
            return ()
        case "left" | "up":
            return (line,)
        case "right" | "down":
            return (line[::-1],)
        case "sides" | "poles":
            return line[:half], line[half:][::-1]
        case "centre" | "equator":
            return line[:half][::-1], line[half:]
