"""Onet boards as bits: which cells a line links, without searching for it; and by paper 002.

A word for each row and each column has a bit for each place where a tile stands; place 0 is just
outside the board and place 1 the first cell. The last bit is one place further outside than lines
may run, so that each of them ends. `links.py` tells the same in plain Python, for either rule.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import Words
from papan.engine.memory import Row, layout, records_at
from papan.engine.native import ONE, TWO, ZERO, Word, highest, lowest, native, signed, span

U = np.uint64
MOST_ROWS, MOST_COLUMNS = 16, 30
MOST_CELLS = MOST_ROWS * MOST_COLUMNS
MOST_TURNS = 2
OUTSIDE = -1

Tiles: TypeAlias = NDArray[np.int64]
"""The kind of the tile on each cell, from 1, and 0 where there is none."""


class Board:
    """A board: the tiles that it had at the start, and which of them still stand."""

    height: Word
    width: Word
    kinds: Word
    tiles: Word
    pairs: Word
    """How many kinds, tiles and pairs of equal tiles it had at the start."""
    seed: Word
    """The state of the random numbers."""
    rows: Annotated[Row[Word], MOST_ROWS + 2]
    columns: Annotated[Row[Word], MOST_COLUMNS + 2]
    """The places of each row, and of each column, where tiles stand."""
    row: Annotated[Row[Word], MOST_CELLS]
    column: Annotated[Row[Word], MOST_CELLS]
    """The place of each cell's row, and of its column."""
    kind: Annotated[Row[Word], MOST_CELLS]
    """The kind of the tile that each cell had at the start, counted from 0."""
    cells: Annotated[Row[Word], MOST_CELLS]
    """The cells of tiles, kind by kind."""
    begins: Annotated[Row[Word], MOST_CELLS + 1]
    """Where the cells of each kind begin; one word more ends the last."""
    mate: Annotated[Row[Word], MOST_CELLS]
    """The cell that each cell is to be paired with, where a pairing is tried."""


board_at = records_at(Board)


def new_board(tiles: Tiles, rows: int, columns: int) -> NDArray[Any]:
    """A board with tiles row by row: an array of one record, which Python hands over quickly."""
    board = np.zeros(1, layout(Board))
    board["seed"] = 1
    fill_board(board[0], tiles, rows, columns)
    return board


@native(inline=True)
def reach(line: Word, place: Word) -> Word:
    """The places that can be reached from *place* along its *line*, itself among them."""
    before = line & ((ONE << place) - ONE)
    start: Word = highest(before << ONE | ONE)  # 0 where no tile stands before
    after: Word = lowest(line >> (place + ONE)) + place + ONE
    return (ONE << after) - (ONE << start)


@native(inline=True)
def open_between(lines: Row[Word], places: Word, one: Word, other: Word) -> bool:
    """Is one of *places* free in every line strictly between two of the *lines*?"""
    low, high = (one, other) if one < other else (other, one)
    low += ONE
    while low < high and places:
        places &= ~lines[low]
        low += ONE
    return bool(places)


@native(inline=True)
def joins(board: Board, first: Word, second: Word) -> bool:
    """Does a line link two cells? It makes no difference whether tiles stand on them."""
    row, other_row = board.row[first], board.row[second]
    column, other_column = board.column[first], board.column[second]
    common = reach(board.rows[row], column) & reach(board.rows[other_row], other_column)
    if common and open_between(board.rows, common, row, other_row):
        return True
    common = reach(board.columns[column], row) & reach(board.columns[other_column], other_row)
    return bool(common) and open_between(board.columns, common, column, other_column)


@native(inline=True)
def stands(board: Board, cell: Word) -> bool:
    """Does a tile stand on *cell*?"""
    return bool(board.rows[board.row[cell]] >> board.column[cell] & ONE)


@native(inline=True)
def lift(board: Board, cell: Word) -> None:
    """Take the tile away from *cell*."""
    row, column = board.row[cell], board.column[cell]
    board.rows[row] &= ~(ONE << column)
    board.columns[column] &= ~(ONE << row)


@native(inline=True)
def put(board: Board, cell: Word) -> None:
    """Put the tile back on *cell*."""
    row, column = board.row[cell], board.column[cell]
    board.rows[row] |= ONE << column
    board.columns[column] |= ONE << row


@native(inline=True)
def alike(board: Board, kind: Word) -> tuple[Word, Word]:
    """Where the cells of *kind* begin and end among the cells of the board."""
    return board.begins[kind], board.begins[kind + ONE]


@native()
def fill_board(board: Board, tiles: Tiles, height: int, width: int) -> None:
    """Fill in a board with *tiles*, row by row."""
    board.height, board.width = U(height), U(width)
    sort_by_kind(board, tiles)
    sweep(board)
    for cell in span(U(tiles.size)):
        board.row[cell] = cell // board.width + ONE
        board.column[cell] = cell % board.width + ONE
        if tiles[cell]:
            put(board, cell)


@native()
def sweep(board: Board) -> None:
    """Let no tile stand."""
    for row in span(board.height + TWO):
        board.rows[row] = ONE << board.width + TWO
    for column in span(board.width + TWO):
        board.columns[column] = ONE << board.height + TWO


@native()
def sort_by_kind(board: Board, tiles: Tiles) -> None:
    """Fill in the cells of each kind; kinds are numbered anew, without gaps."""
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
    for cell in span(U(tiles.size)):
        if tiles[cell]:
            board.cells[begins[tiles[cell]]] = cell
            begins[tiles[cell]] += ONE
    for kind in span(kinds):
        begin, end = alike(board, kind)
        board.pairs += (end - begin) * (end - begin - ONE) // TWO
        for place in span(begin, end):
            board.kind[board.cells[place]] = kind


@native()
def linked_pairs(board: Board, pairs: Words) -> Word:
    """How many pairs of equal tiles that stand can be linked; their cells go to *pairs*."""
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
def narrow_pairs(board: Board, tiles: Tiles, pairs: Words) -> Word:
    """How many pairs of equal tiles are linked in one order or the other; they go to *pairs*."""
    places = framed(board, tiles)
    seen = np.empty(places.size * 5, np.bool_)
    queue = np.empty((places.size * 4 + 4, 3), np.int64)
    found = np.zeros((tiles.size, tiles.size), np.bool_)
    count = ZERO
    for kind in span(board.kinds):
        begin, end = alike(board, kind)
        for place in span(begin, end):
            cell = board.cells[place]
            visit(places, signed(board.width) + 2, framed_place(board, cell), seen, queue)
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
def framed(board: Board, tiles: Tiles) -> Tiles:
    """The tiles with a frame around them, so that steps need no checks."""
    size = (board.height + TWO) * (board.width + TWO)
    places = np.full(signed(size), OUTSIDE, np.int64)
    for cell in span(U(tiles.size)):
        places[framed_place(board, cell)] = tiles[cell]
    return places


@native()
def framed_place(board: Board, cell: Word) -> int:
    """Where a cell is on the framed board."""
    return signed(board.row[cell] * (board.width + TWO) + board.column[cell])


@native()
def visit(places: Tiles, wide: int, start: int, seen: NDArray[np.bool_], queue: Tiles) -> None:
    """Mark in *seen*, by place, the tiles that the paper's search from *start* finds.

    The first part of *seen* is for tiles, the others for the ways in which cells were entered.
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
            if turns > MOST_TURNS or places[there] == OUTSIDE:
                continue
            mark = there if places[there] else there + places.size * (way + 1)
            if not seen[mark] and not places[there]:
                queue[last, 0], queue[last, 1], queue[last, 2] = there, turns, way
                last += 1
            seen[mark] = True
        place += 1


@native()
def on_one_edge(board: Board, first: Word, second: Word) -> bool:
    """Are both cells in the top row, or both in the left column? The paper links them at once."""
    top = board.row[first] == board.row[second] == ONE
    return bool(top or board.column[first] == board.column[second] == ONE)
