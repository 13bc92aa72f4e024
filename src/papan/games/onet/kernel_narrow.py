"""The links that the program of paper 002 finds, by its search; `narrow.py` tells what it does."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, native
from papan.games.onet.kernel import COLUMN, HEIGHT, KINDS, ROW, WIDTH, cells_of

MOST_TURNS = 2
OUTSIDE = -1


@native()
def framed(board, tiles):
    """The tiles with a frame around them, so that steps need no checks."""
    size = (board[HEIGHT] + TWO) * (board[WIDTH] + TWO)
    places = np.full(np.int64(size), OUTSIDE, np.int64)
    for cell in range(tiles.size):
        places[framed_place(board, np.uint64(cell))] = tiles[cell]
    return places


@native()
def spread(places, wide, start, seen, queue):
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
def on_one_edge(board, first, second):
    """Are both cells in the top row, or both in the left column? The paper links them at once."""
    top = board[ROW + first] == board[ROW + second] == ONE
    return top or board[COLUMN + first] == board[COLUMN + second] == ONE


@native()
def narrow_pairs(board, tiles, pairs):
    """How many pairs of equal tiles are linked in one order or the other; they go to *pairs*."""
    places = framed(board, tiles)
    wide = np.int64(board[WIDTH]) + 2
    seen = np.empty(places.size * 5, np.bool_)
    queue = np.empty((places.size * 4 + 4, 3), np.int64)
    found = np.zeros((tiles.size, tiles.size), np.bool_)
    count = ZERO
    for kind in range(board[KINDS]):
        begin, end = cells_of(board, kind)
        for place in range(begin, end):
            cell = board[place]
            spread(places, wide, framed_place(board, cell), seen, queue)
            for other in range(begin, end):
                found[cell, board[other]] = seen[framed_place(board, board[other])]
        for place in range(begin, end):
            first = board[place]
            for further in range(place + ONE, end):
                second = board[further]
                if (
                    found[first, second]
                    or found[second, first]
                    or on_one_edge(board, first, second)
                ):
                    pairs[TWO * count], pairs[TWO * count + ONE] = first, second
                    count += ONE
    return count


@native()
def framed_place(board, cell):
    """Where a cell is on the framed board."""
    return np.int64(board[ROW + cell] * (board[WIDTH] + TWO) + board[COLUMN + cell])
