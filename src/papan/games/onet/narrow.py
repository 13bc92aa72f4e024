"""The narrower links of paper 002: its breadth-first search, faults included.

Its lines do not leave the board, though any two tiles of the top row or of the left column count
as linked. It remembers a cell by direction alone: a later line that arrives there with fewer turns
is dropped. And it leaves a tile as if already on the way in some free direction, so that the other
directions cost a turn. So a link may work in one order of the tiles and fail in the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from papan.core import Grid
from papan.games.onet.links import MOST_TURNS, Point

OUTSIDE = -1


class NarrowLinks:
    """The links between the tiles of one board, as the paper's program finds them."""

    def __init__(self, grid: Grid, tiles: Sequence[int]) -> None:
        self._columns = grid.columns
        self._wide = grid.columns + 2  # the board with a frame, so that steps need no checks
        frame = [OUTSIDE] * self._wide
        self._board = list(frame)
        for first in range(0, grid.size, grid.columns):
            self._board += [OUTSIDE, *tiles[first : first + grid.columns], OUTSIDE]
        self._board += frame
        self._found: dict[int, set[int]] = {}

    def joins(self, first: int, second: int) -> bool:
        """Does the paper's search lead from the *first* cell to the *second*?"""
        row, column = divmod(first, self._columns)
        if (row == 0 and second < self._columns) or (column == second % self._columns == 0):
            return True
        if first not in self._found:
            self._found[first] = self._search(first)[0]
        return self._place(second) in self._found[first]

    def linked(self, first: int, second: int) -> bool:
        """Does it lead from one of the two cells to the other?"""
        return self.joins(first, second) or self.joins(second, first)

    def spread(self, cell: int) -> dict[Point, int]:
        """The empty cells that the search from a tile visits, each with the fewest turns to it."""
        turns: dict[Point, int] = {}
        for place, turn, _ in self._search(cell)[1]:
            row, column = divmod(place, self._wide)
            if place != self._place(cell):
                turns[row - 1, column - 1] = min(turn, turns.get((row - 1, column - 1), turn))
        return turns

    def _place(self, cell: int) -> int:
        """Where a cell is on the framed board."""
        row, column = divmod(cell, self._columns)
        return (row + 1) * self._wide + column + 1

    def _search(self, cell: int) -> tuple[set[int], list[tuple[int, int, int]]]:
        """The places of the tiles found, and everything visited: place, turns, direction.

        The paper searches for one tile at a time; one search finds them all, because a tile ends
        the line that meets it whether or not it is the wanted one.
        """
        board, start = self._board, self._place(cell)
        steps = (-self._wide, self._wide, -1, 1)
        found = {start + step for step in steps if board[start + step] > 0}
        queue = [(start, 0, way) for way, step in enumerate(steps) if board[start + step] == 0]
        seen = set()
        for place, turns, heading in queue:
            for way, step in enumerate(steps):
                there = place + step
                turned = turns + (way != heading)
                if turned > MOST_TURNS or board[there] == OUTSIDE:
                    continue
                if board[there]:
                    found.add(there)
                elif (there, way) not in seen:
                    seen.add((there, way))
                    queue.append((there, turned, way))
        return found - {start}, queue
