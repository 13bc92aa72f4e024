"""Onet boards as bits: which cells a line links, without searching for it; and by paper 002.

A word for each row and each column has a bit for each place where a tile stands; place 0 is just
outside the board and place 1 the first cell. The last bit is one place further outside than lines
may run, so that each of them ends. `links.py` is the plain twin, for either rule.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import Words
from papan.engine.memory import Row, layout, records_at
from papan.engine.native import ONE, TWO, ZERO, Word, highest, lowest, native, signed, span

MOST_KERNEL_ROWS, MOST_KERNEL_COLUMNS = 16, 30
MOST_KERNEL_CELLS = MOST_KERNEL_ROWS * MOST_KERNEL_COLUMNS
PAPER_TURNS = 2
FRAME_PLACE = -1

TileArray: TypeAlias = NDArray[np.int64]
"""The kind of the tile on each cell, from 1; 0 where there is none."""


class OnetBoard:
    """A board: the tiles that it had at the start, and which of them still stand.

    Cells are numbered row by row from 0. The place of a row or column is its number + 1: place 0 is
    just outside the board.
    """

    height: Word
    """Number of rows."""
    width: Word
    """Number of columns."""
    kinds: Word
    """Number of kinds at the start."""
    tiles: Word
    """Number of tiles at the start."""
    pairs: Word
    """Number of pairs of equal tiles at the start."""
    seed: Word
    """The state that random numbers are drawn from; never 0."""
    rows: Annotated[Row[Word], MOST_KERNEL_ROWS + 2]
    """By the place of a row, the bits of the places where tiles stand; one more bit ends lines."""
    columns: Annotated[Row[Word], MOST_KERNEL_COLUMNS + 2]
    """By the place of a column, the bits of the places where tiles stand; one more ends lines."""
    row: Annotated[Row[Word], MOST_KERNEL_CELLS]
    """The place of each cell's row."""
    column: Annotated[Row[Word], MOST_KERNEL_CELLS]
    """The place of each cell's column."""
    kind: Annotated[Row[Word], MOST_KERNEL_CELLS]
    """The kind of the tile that each cell had at the start, from 0; unset for cells without one."""
    cells: Annotated[Row[Word], MOST_KERNEL_CELLS]
    """The cells of tiles at the start, kind by kind; see `begins`."""
    begins: Annotated[Row[Word], MOST_KERNEL_CELLS + 1]
    """Index of the first cell of each kind in `cells`; one more ends the last."""
    mate: Annotated[Row[Word], MOST_KERNEL_CELLS]
    """For each cell the one that it is to be paired with, where a pairing is tried."""


board_at = records_at(OnetBoard)


def new_board(tiles: TileArray, rows: int, columns: int) -> NDArray[Any]:
    """Return a board with *tiles* row by row: an array of one `OnetBoard` record.

    *tiles* are the kinds by cell, 0 for an empty one. At most 16 *rows* and 30 *columns* of cells:
    not checked.
    """
    board = np.zeros(1, layout(OnetBoard))
    board["seed"] = 1
    fill_board(board[0], tiles, rows, columns)
    return board


@native(inline=True)
def reach(line: Word, place: Word) -> Word:
    """Return the places reached from *place* (included) along its *line*, as bits.

    *line* has a bit for each place where a tile stands: a word of `OnetBoard.rows` or `columns`.
    Those tiles are not among the places, but *place* is, tile or not.
    """
    before = line & ((ONE << place) - ONE)
    start: Word = highest(before << ONE | ONE)  # 0 where no tile stands before
    after: Word = lowest(line >> (place + ONE)) + place + ONE
    return (ONE << after) - (ONE << start)


@native(inline=True)
def open_between(lines: Row[Word], places: Word, one: Word, other: Word) -> bool:
    """Return whether one of *places* is free in every line strictly between two of the *lines*.

    *lines* are those of `OnetBoard.rows` or `columns`, *places* is bits of places, *one* and
    *other* are indexes of lines, in either order. If no line is between, return whether there are
    any *places*.
    """
    low, high = (one, other) if one < other else (other, one)
    low += ONE
    while low < high and places:
        places &= ~lines[low]
        low += ONE
    return bool(places)


@native(inline=True)
def joins(board: OnetBoard, first: Word, second: Word) -> bool:
    """Return whether a line of at most two turns links two cells, tiles on them or not.

    *first* and *second* are their numbers. It runs over cells without tiles, also just outside the
    board. Kinds do not count.
    """
    row, other_row = board.row[first], board.row[second]
    column, other_column = board.column[first], board.column[second]
    common = reach(board.rows[row], column) & reach(board.rows[other_row], other_column)
    if common and open_between(board.rows, common, row, other_row):
        return True
    common = reach(board.columns[column], row) & reach(board.columns[other_column], other_row)
    return bool(common) and open_between(board.columns, common, column, other_column)


@native(inline=True)
def stands(board: OnetBoard, cell: Word) -> bool:
    """Return whether a tile stands on cell number *cell*."""
    return bool(board.rows[board.row[cell]] >> board.column[cell] & ONE)


@native(inline=True)
def lift_tile(board: OnetBoard, cell: Word) -> None:
    """Take the tile away from cell number *cell*, in place; nothing if there is none."""
    row, column = board.row[cell], board.column[cell]
    board.rows[row] &= ~(ONE << column)
    board.columns[column] &= ~(ONE << row)


@native(inline=True)
def put_tile(board: OnetBoard, cell: Word) -> None:
    """Put a tile on cell number *cell*, in place; its kind is the one that the cell had at first.

    The cell must have had a tile when the board was filled: not checked.
    """
    row, column = board.row[cell], board.column[cell]
    board.rows[row] |= ONE << column
    board.columns[column] |= ONE << row


@native(inline=True)
def alike(board: OnetBoard, kind: Word) -> tuple[Word, Word]:
    """Return the indexes at which the cells of *kind* begin and end (not included) in `cells`.

    *kind* is a number of the board, from 0. Tiles that no longer stand are among them.
    """
    return board.begins[kind], board.begins[kind + ONE]


@native()
def fill_board(board: OnetBoard, tiles: TileArray, height: int, width: int) -> None:
    """Write all fields of *board* but `seed` and `mate`, from *tiles*, which all stand then.

    *tiles* are the kinds by cell, row by row, 0 for an empty one. *height* and *width* are in
    cells, at most 16 and 30: not checked.
    """
    board.height, board.width = Word(height), Word(width)
    sort_by_kind(board, tiles)
    clear_tiles(board)
    for cell in span(Word(tiles.size)):
        board.row[cell] = cell // board.width + ONE
        board.column[cell] = cell % board.width + ONE
        if tiles[cell]:
            put_tile(board, cell)


@native()
def clear_tiles(board: OnetBoard) -> None:
    """Take all tiles away; the kinds of the cells stay, as do the bits that end lines."""
    for row in span(board.height + TWO):
        board.rows[row] = ONE << board.width + TWO
    for column in span(board.width + TWO):
        board.columns[column] = ONE << board.height + TWO


@native()
def sort_by_kind(board: OnetBoard, tiles: TileArray) -> None:
    """Write the fields of *board* about kinds: all that do not depend on sizes and standing tiles.

    They are `kinds`, `tiles`, `pairs`, `kind`, `cells` and `begins`. *tiles* are the kinds by cell,
    0 for an empty one; the board numbers them anew from 0, in their order, without gaps. The cells
    of a kind are in ascending order.
    """
    begins = np.zeros(tiles.max() + 1, np.uint64)
    for tile in tiles:
        begins[tile] += ONE
    kinds = total = begins[0] = ZERO
    for tile in range(1, begins.size):
        count = begins[tile]
        begins[tile] = total
        total += count
        if count:
            board.begins[kinds] = begins[tile]
            kinds += ONE
    board.begins[kinds] = board.tiles = total
    board.kinds, board.pairs = kinds, ZERO
    for cell in span(Word(tiles.size)):
        if tiles[cell]:
            board.cells[begins[tiles[cell]]] = cell
            begins[tiles[cell]] += ONE
    for kind in span(kinds):
        begin, end = alike(board, kind)
        board.pairs += (end - begin) * (end - begin - ONE) // TWO
        for place in span(begin, end):
            board.kind[board.cells[place]] = kind


@native()
def linked_pairs(board: OnetBoard, pairs: Words) -> Word:
    """Write to *pairs* all pairs of equal standing tiles that a line links; return how many.

    Each pair is two words, numbers of cells, the lower one first. There must be room for
    `OnetBoard.pairs` of them: not checked.
    """
    count = ZERO
    for kind in span(board.kinds):
        begin, end = alike(board, kind)
        for place in span(begin, end):
            first = board.cells[place]
            if not stands(board, first):
                continue
            for further in span(place + ONE, end):
                second = board.cells[further]
                if stands(board, second) and joins(board, first, second):
                    pairs[TWO * count], pairs[TWO * count + ONE] = first, second
                    count += ONE
    return count


# The links that the program of paper 002 finds, by its search.


@native()
def narrow_pairs(board: OnetBoard, tiles: TileArray, pairs: Words) -> Word:
    """Write to *pairs* all pairs of equal tiles that paper 002's program links; return how many.

    It links two tiles if its search from either one finds the other, or if both are in the top row
    or both in the left column. *tiles* must be those that *board* was filled from, kinds by cell, 0
    for an empty one, and none may have been taken since: not checked. Each pair is two words,
    numbers of cells, the lower one first. There must be room for `OnetBoard.pairs` of them: not
    checked.
    """
    places = framed(board, tiles)
    seen = np.empty(places.size * 5, np.bool_)
    queue = np.empty((places.size * 4 + 4, 3), np.int64)
    found = np.zeros((tiles.size, tiles.size), np.bool_)
    count = ZERO
    for kind in span(board.kinds):
        begin, end = alike(board, kind)
        for place in span(begin, end):
            cell = board.cells[place]
            mark_reached(places, signed(board.width) + 2, framed_place(board, cell), seen, queue)
            for other in span(begin, end):
                found[cell, board.cells[other]] = seen[framed_place(board, board.cells[other])]
        for place in span(begin, end):
            first = board.cells[place]
            for further in span(place + ONE, end):
                second = board.cells[further]
                either = found[first, second] or found[second, first]
                if either or on_one_edge(board, first, second):
                    pairs[TWO * count], pairs[TWO * count + ONE] = first, second
                    count += ONE
    return count


@native()
def framed(board: OnetBoard, tiles: TileArray) -> TileArray:
    """Return the kinds of *tiles*, row by row, with a frame of FRAME_PLACE around them.

    The array has (rows + 2) * (columns + 2) items; 0 is an empty cell. With the frame, steps from
    cell to cell need no checks. *board* must have been filled with as many cells as *tiles* has:
    not checked.
    """
    size = (board.height + TWO) * (board.width + TWO)
    places = np.full(signed(size), FRAME_PLACE, np.int64)
    for cell in span(Word(tiles.size)):
        places[framed_place(board, cell)] = tiles[cell]
    return places


@native()
def framed_place(board: OnetBoard, cell: Word) -> int:
    """Return the index of cell number *cell* in the array of `framed`."""
    return signed(board.row[cell] * (board.width + TWO) + board.column[cell])


@native()
def mark_reached(
    places: TileArray, wide: int, start: int, seen: NDArray[np.bool_], queue: TileArray
) -> None:
    """Mark in *seen*, by place, the tiles that the paper's search from *start* finds.

    Places are indexes of *places*, the board by `framed`, which is *wide* columns wide. *seen* has
    five parts of that size: the first for tiles, where *start* itself may be marked too; the others
    for the directions in which empty cells were entered. It is emptied first. *queue* is a buffer
    of rows (place, turns, direction), four for each place and four more: not checked.
    """
    steps = (-wide, wide, -1, 1)
    seen[:] = False
    last = 0
    for way in range(4):
        if places[start + steps[way]] > 0:
            seen[start + steps[way]] = True
        elif places[start + steps[way]] == 0:
            queue[last, 0], queue[last, 1], queue[last, 2] = start, 0, way
            last += 1
    place = 0
    while place < last:
        for way in range(4):
            there = queue[place, 0] + steps[way]
            turns = queue[place, 1] + (way != queue[place, 2])
            if turns > PAPER_TURNS or places[there] == FRAME_PLACE:
                continue
            mark = there if places[there] else there + places.size * (way + 1)
            if not seen[mark] and not places[there]:
                queue[last, 0], queue[last, 1], queue[last, 2] = there, turns, way
                last += 1
            seen[mark] = True
        place += 1


@native()
def on_one_edge(board: OnetBoard, first: Word, second: Word) -> bool:
    """Return whether both cells are in the top row, or both in the left column.

    The paper's program links any two of these. *first* and *second* are numbers of cells.
    """
    top = board.row[first] == board.row[second] == ONE
    return bool(top or board.column[first] == board.column[second] == ONE)
