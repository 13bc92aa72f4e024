"""Onet boards as bits: which cells a line links, without searching for it.

A word for each row and each column has a bit for each place where a tile stands; place 0 is just
outside the board and place 1 the first cell. The last bit is one place further outside than lines
may run, so that each of them ends. `links.py` tells the same in plain Python.

All words of a board are in one array: an array for each part would cost more than most questions.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, highest, lowest, native

MOST_ROWS, MOST_COLUMNS = 16, 30
MOST_CELLS = MOST_ROWS * MOST_COLUMNS

HEIGHT, WIDTH, KINDS, TILES = (np.uint64(place) for place in range(4))
"""The first words: the size of the board, and how many kinds and tiles it had at the start."""
ROWS = np.uint64(4)
COLUMNS = ROWS + np.uint64(MOST_ROWS + 2)
ROW = COLUMNS + np.uint64(MOST_COLUMNS + 2)
"""From here: the place of each cell's row, then of its column."""
COLUMN = ROW + np.uint64(MOST_CELLS)
KIND = COLUMN + np.uint64(MOST_CELLS)
"""From here: the kind of the tile that each cell had at the start, counted from 0."""
CELLS = KIND + np.uint64(MOST_CELLS)
"""From here: the cells of tiles, kind by kind."""
FIRST = CELLS + np.uint64(MOST_CELLS)
"""From here: where the cells of each kind begin; one word more ends the last."""
MATE = FIRST + np.uint64(MOST_CELLS + 1)
"""From here: the cell that each cell is to be paired with, where a pairing is tried."""
BOARD_WORDS = int(MATE) + MOST_CELLS


@native(inline=True)
def span(line, place):
    """The places that can be reached from *place* along its *line*, itself among them."""
    before = line & ((ONE << place) - ONE)
    start = highest(before << ONE | ONE)  # 0 where no tile stands before
    after = lowest(line >> (place + ONE)) + place + ONE
    return (ONE << after) - (ONE << start)


@native(inline=True)
def open_between(board, lines, places, one, other):
    """Is one of *places* free in every line strictly between two of the *lines*?"""
    low, high = (one, other) if one < other else (other, one)
    low += ONE
    while low < high and places:
        places &= ~board[lines + low]
        low += ONE
    return places != ZERO


@native(inline=True)
def joins(board, first, second):
    """Does a line link two cells? It makes no difference whether tiles stand on them."""
    row, other_row = board[ROW + first], board[ROW + second]
    column, other_column = board[COLUMN + first], board[COLUMN + second]
    common = span(board[ROWS + row], column) & span(board[ROWS + other_row], other_column)
    if common and open_between(board, ROWS, common, row, other_row):
        return True
    common = span(board[COLUMNS + column], row) & span(board[COLUMNS + other_column], other_row)
    return common != ZERO and open_between(board, COLUMNS, common, column, other_column)


@native(inline=True)
def stands(board, cell):
    """Does a tile stand on *cell*?"""
    return (board[ROWS + board[ROW + cell]] >> board[COLUMN + cell]) & ONE != ZERO


@native(inline=True)
def lift(board, cell):
    """Take the tile away from *cell*."""
    row, column = board[ROW + cell], board[COLUMN + cell]
    board[ROWS + row] &= ~(ONE << column)
    board[COLUMNS + column] &= ~(ONE << row)


@native(inline=True)
def put(board, cell):
    """Put the tile back on *cell*."""
    row, column = board[ROW + cell], board[COLUMN + cell]
    board[ROWS + row] |= ONE << column
    board[COLUMNS + column] |= ONE << row


@native(inline=True)
def cells_of(board, kind):
    """Where the cells of *kind* begin and end among the words of the board."""
    return CELLS + board[FIRST + kind], CELLS + board[FIRST + kind + ONE]


@native()
def lay(board, tiles, height, width):
    """Fill in the words of a board with *tiles*, kinds from 1 and 0 for none, row by row."""
    board[HEIGHT], board[WIDTH] = height, width
    sort_by_kind(board, tiles)
    for row in range(height + 2):
        board[ROWS + np.uint64(row)] = ONE << np.uint64(width + 2)
    for column in range(width + 2):
        board[COLUMNS + np.uint64(column)] = ONE << np.uint64(height + 2)
    for cell in range(tiles.size):
        board[ROW + np.uint64(cell)] = np.uint64(cell // width + 1)
        board[COLUMN + np.uint64(cell)] = np.uint64(cell % width + 1)
        if tiles[cell]:
            put(board, np.uint64(cell))


@native()
def sort_by_kind(board, tiles):
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
            board[FIRST + kinds] = begins[tile]
            kinds += ONE
    board[FIRST + kinds] = board[TILES] = total
    board[KINDS] = kinds
    for cell in range(tiles.size):
        if tiles[cell]:
            board[CELLS + begins[tiles[cell]]] = np.uint64(cell)
            begins[tiles[cell]] += ONE
    for kind in range(kinds):
        begin, end = cells_of(board, kind)
        for place in range(begin, end):
            board[KIND + board[place]] = kind


@native()
def linked_pairs(board, pairs):
    """How many pairs of equal tiles that stand can be linked; their cells go to *pairs*."""
    count = ZERO
    for kind in range(board[KINDS]):
        begin, end = cells_of(board, kind)
        for place in range(begin, end):
            first = board[place]
            if not stands(board, first):
                continue
            for further in range(place + ONE, end):
                second = board[further]
                if stands(board, second) and joins(board, first, second):
                    pairs[TWO * count], pairs[TWO * count + ONE] = first, second
                    count += ONE
    return count


@native()
def pairs_alike(board):
    """How many pairs of equal tiles there were at the start."""
    count = ZERO
    for kind in range(board[KINDS]):
        begin, end = cells_of(board, kind)
        count += (end - begin) * (end - begin - ONE) // TWO
    return count
