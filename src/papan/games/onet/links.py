"""The links of an Onet board: lines between tiles over empty cells, or one cell outside the board.

A line with at most two turns runs along the row of its first tile, then along a column, then along
the row of its second tile; or the other way round, column, row, column. With fewer turns some of
these parts have no length. So two tiles are linked exactly when both reach a common column along
their rows and nothing stands in it between those rows; or the same with a common row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from papan.core import Grid

LinkPoint: TypeAlias = tuple[int, int]
"""Row and column of a cell, from 0; -1 and the size of the board are just outside."""

MOST_LINK_TURNS = 2


class OnetLinks:
    """The links between the tiles of one board, by the rules of Onet.

    *tiles* are the kinds by cell, row by row; 0 is an empty cell.
    """

    def __init__(self, grid: Grid, tiles: Sequence[int]) -> None:
        # A bit for each tile of a row or column: place 0 is outside, place 1 the first cell. The
        # last bit is one cell further outside than lines may run, so that each of them ends.
        self._points = [divmod(cell, grid.columns) for cell in range(grid.size)]
        self._rows = [1 << grid.columns + 2] * (grid.rows + 2)
        self._columns = [1 << grid.rows + 2] * (grid.columns + 2)
        for cell, tile in enumerate(tiles):
            if tile:
                row, column = self._points[cell]
                self._rows[row + 1] |= 2 << column
                self._columns[column + 1] |= 2 << row

    def joins(self, first: int, second: int) -> bool:
        """Return whether a line of at most two turns leads from cell *first* to *second*.

        Both are numbers of cells; what lies on these two does not count.
        """
        return bool(self._common_columns(first, second) or self._common_rows(first, second))

    linked = joins  # by these rules a line leads both ways

    def path(self, first: int, second: int) -> tuple[LinkPoint, ...]:
        """Return the ends and corners of the line with the fewest turns, the shortest of them.

        They are two to four points, from *first* to *second*, which are numbers of cells. Raise
        ValueError if these are not linked.
        """
        start, end = self._points[first], self._points[second]
        columns = _places(self._common_columns(first, second))
        rows = _places(self._common_rows(first, second))
        lines = [
            *((start, (start[0], column), (end[0], column), end) for column in columns),
            *((start, (row, start[1]), (row, end[1]), end) for row in rows),
        ]
        return min(map(_corners, lines), key=lambda line: (len(line), length(line)))

    def spread(self, cell: int, turns: int = MOST_LINK_TURNS) -> dict[LinkPoint, int]:
        """Return the empty cells that lines from cell *cell* reach, each with its fewest turns.

        Cells just outside the board are among them, *cell* is not. *turns* is the most that a line
        may have.
        """
        start = self._points[cell]
        fewest: dict[LinkPoint, int] = {}
        reached = {start}
        for turn in range(turns + 1):
            reached = {point for corner in reached for point in self._straight(corner)}
            reached -= fewest.keys() | {start}
            fewest |= dict.fromkeys(reached, turn)
            if not reached:
                break
        return fewest

    def reaches(self, first: int, second: int) -> bool:
        """Return whether a line of any number of turns leads from cell *first* to *second*.

        Ask `joins` first: of two neighbours without empty cells around them this is False.
        """
        row, column = self._points[second]
        beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        return not beside.isdisjoint(self.spread(first, turns=len(self._points)))

    def _straight(self, point: LinkPoint) -> Iterator[LinkPoint]:
        """Yield the points that straight lines from *point* reach, up to the next tiles.

        *point* itself is among them, twice; so are points just outside the board.
        """
        row, column = point
        for each in _places(_span(self._rows[row + 1], column + 1)):
            yield row, each
        for each in _places(_span(self._columns[column + 1], row + 1)):
            yield each, column

    def _common_columns(self, first: int, second: int) -> int:
        """Return the columns that could be the middle part of a line between two cells; 0 if none.

        As bits: bit 0 is the column just outside the board on the left.
        """
        between = self._between_rows[self._points[first][0]][self._points[second][0]]
        return self._across[first] & self._across[second] & ~between

    def _common_rows(self, first: int, second: int) -> int:
        """Return the rows that could be the middle part of a line between two cells; 0 if none.

        As bits: bit 0 is the row just above the board.
        """
        between = self._between_columns[self._points[first][1]][self._points[second][1]]
        return self._down[first] & self._down[second] & ~between

    @cached_property
    def _across(self) -> list[int]:
        """For each cell the columns that lines reach from it along its row, its own included.

        They are bits: bit 0 is the column just outside on the left, bit 1 the first column.
        """
        return [_span(self._rows[row + 1], column + 1) for row, column in self._points]

    @cached_property
    def _down(self) -> list[int]:
        """For each cell the rows that lines reach from it along its column, its own included.

        They are bits: bit 0 is the row just above the board, bit 1 the first row.
        """
        return [_span(self._columns[column + 1], row + 1) for row, column in self._points]

    @cached_property
    def _between_rows(self) -> list[list[int]]:
        """For each two rows the columns taken in any row strictly between them, as bits.

        The indexes are the two rows, from 0, in either order; bit 0 is the column just outside on
        the left.
        """
        return _between(self._rows[1:-1])

    @cached_property
    def _between_columns(self) -> list[list[int]]:
        """For each two columns the rows taken in any column strictly between them, as bits.

        The indexes are the two columns, from 0, in either order; bit 0 is the row just above the
        board.
        """
        return _between(self._columns[1:-1])


def _span(line: int, place: int) -> int:
    """Return the places, as bits, from *place* (included) to the next tiles of its *line*.

    Those tiles are not among them. *line* has a bit for each place where a tile stands.
    """
    before, after = line & (1 << place) - 1, line >> place + 1
    nearest_after = place + (after & -after).bit_length()
    return (1 << nearest_after) - (1 << before.bit_length())


def _between(lines: list[int]) -> list[list[int]]:
    """Return a table of the places taken strictly between two of *lines*, as bits.

    Its indexes are those of the two lines, in either order. A line is a row or a column: a bit for
    each place where a tile stands.
    """
    table = [[0] * len(lines) for _ in lines]
    for low in range(len(lines)):
        taken = 0
        for high in range(low + 1, len(lines)):
            table[low][high] = table[high][low] = taken
            taken |= lines[high]
    return table


def _places(bits: int) -> list[int]:
    """Return the rows or columns whose bits are set, in ascending order.

    Bit 0 is -1, just outside the board.
    """
    return [place - 1 for place in range(bits.bit_length()) if bits >> place & 1]


def _corners(points: Sequence[LinkPoint]) -> tuple[LinkPoint, ...]:
    """Return the ends of a line and the points where it really turns, in their order.

    *points* are its ends and corners, some of them equal or on a straight line.
    """
    line = [point for point, after in pairwise(points) if point != after] + [points[-1]]
    turns = [
        here
        for before, here, after in zip(line, line[1:], line[2:])
        if len({before[0], here[0], after[0]}) > 1 and len({before[1], here[1], after[1]}) > 1
    ]
    return (points[0], *turns, points[-1])


def length(points: Sequence[LinkPoint]) -> int:
    """Return the number of steps from cell to cell between the ends of a line.

    *points* are its ends and corners in order.
    """
    return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(points))


OUTSIDE_TILE = -1


class NarrowLinks:
    """The narrower links of paper 002: its breadth-first search, faults included.

    Its lines do not leave the board, though any two tiles of the top row or of the left column
    count as linked. It remembers a cell by direction alone: a later line that arrives there with
    fewer turns is dropped. And it leaves a tile as if already on the way in some free direction, so
    that the other directions cost a turn. So a link may work in one order of the tiles and fail in
    the other. *tiles* are the kinds by cell, row by row; 0 is an empty cell.
    """

    def __init__(self, grid: Grid, tiles: Sequence[int]) -> None:
        self._columns = grid.columns
        self._wide = grid.columns + 2  # the board with a frame, so that steps need no checks
        frame = [OUTSIDE_TILE] * self._wide
        self._board = list(frame)
        for first in range(0, grid.size, grid.columns):
            self._board += [OUTSIDE_TILE, *tiles[first : first + grid.columns], OUTSIDE_TILE]
        self._board += frame
        self._found: dict[int, set[int]] = {}

    def joins(self, first: int, second: int) -> bool:
        """Return whether the paper's search leads from the *first* cell to the *second*.

        Both are numbers of cells with tiles. The order matters; kinds do not.
        """
        row, column = divmod(first, self._columns)
        if (row == 0 and second < self._columns) or (column == second % self._columns == 0):
            return True
        if first not in self._found:
            self._found[first] = self._search(first)[0]
        return self._place(second) in self._found[first]

    def linked(self, first: int, second: int) -> bool:
        """Return whether the paper's search leads from one of two cells to the other, either way.

        *first* and *second* are their numbers.
        """
        return self.joins(first, second) or self.joins(second, first)

    def spread(self, cell: int) -> dict[LinkPoint, int]:
        """Return the empty cells that the paper's search visits, each with its fewest turns.

        It begins at the tile on *cell*, a number of the grid, which is not among them.
        """
        turns: dict[LinkPoint, int] = {}
        for place, turn, _ in self._search(cell)[1]:
            row, column = divmod(place, self._wide)
            if place != self._place(cell):
                turns[row - 1, column - 1] = min(turn, turns.get((row - 1, column - 1), turn))
        return turns

    def _place(self, cell: int) -> int:
        """Return the index of cell number *cell* in `_board`, which has a frame around it."""
        row, column = divmod(cell, self._columns)
        return (row + 1) * self._wide + column + 1

    def _search(self, cell: int) -> tuple[set[int], list[tuple[int, int, int]]]:
        """Return the places of the tiles found, and all steps visited as (place, turns, direction).

        A place is an index by `_place`; directions are 0 to 3: up, down, left and right. The paper
        searches for one tile at a time; one search finds them all, because a tile ends the line
        that meets it whether or not it is the wanted one.
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
                if turned > MOST_LINK_TURNS or board[there] == OUTSIDE_TILE:
                    continue
                if board[there]:
                    found.add(there)
                elif (there, way) not in seen:
                    seen.add((there, way))
                    queue.append((there, turned, way))
        return found - {start}, queue
