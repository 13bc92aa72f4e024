"""Adjacency boards for the kernels: bit tricks, the words a search works on, its node count.

Every board lies in the top left corner of an 8x8 one: cell 8 * row + column, whatever its size.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.control import MOST_NODES, NODES, STOP
from papan.engine.native import (
    ONE,
    WORDS,
    ZERO,
    load,
    load_shared,
    native,
    popcount,
    store,
    store_shared,
)

U = np.uint64
NUMBER = types.int64
PAIR_OF_BOARDS = types.UniTuple(types.uint64, 2)
WINDOW = types.UniTuple(NUMBER, 2)
TOOLS = types.UniTuple(WORDS, 3)
"""What every search is handed: the words shared with the caller, the workspace, the table."""

SCALE = 8
"""Scores count eighths of a mark, so that estimates can be finer than the truth."""
INFINITE = 2_000  # a score beyond all others

HALTED, LOOK_AT, BOARD, FIVE, FOUR, ROOM, MIRROR = range(7)
"""The workspace's first words: has the search been stopped; at which node to check that; all cells;
 the cells with four neighbours, with three; the last slot of the table; how far a square
board lies from the far corner, where its diagonal can be a mirror (64: it is no square)."""
BESIDE = 16  # for each cell, the cells beside it
WEIGHTS, WEIGHT_COUNT = 80, 5  # for each number of plies left, what an estimate weighs
LISTS = WEIGHTS + WEIGHT_COUNT * 64  # for each number of plies left, the moves in the order to try
WORKSPACE = LISTS + 64 * 64

EIGHT = U(8)
NOT_FIRST, NOT_LAST = U(0xFEFEFEFEFEFEFEFE), U(0x7F7F7F7F7F7F7F7F)
LOOK_EVERY = U(4096)


@native()
def counted(tools):
    """Count one node; False when the search must stop."""
    words, workspace, _ = tools
    nodes = load(words, NODES)
    if nodes >= load(workspace, LOOK_AT):
        if nodes >= load(words, MOST_NODES) or load_shared(words, STOP):
            store(workspace, HALTED, ONE)
            return False
        store(workspace, LOOK_AT, min(nodes + LOOK_EVERY, load(words, MOST_NODES)))
    store_shared(words, NODES, nodes + ONE)
    return True


@native()
def count(cells):
    """How many cells, as a signed number."""
    return np.int64(popcount(cells))


@native()
def one_of(cells):
    """The first of the cells, none if there is none."""
    return cells & (ZERO - cells)


@native()
def around(cells):
    """Every cell that has one of *cells* beside it; it may lie off a small board."""
    return (cells & NOT_LAST) << ONE | (cells & NOT_FIRST) >> ONE | cells << EIGHT | cells >> EIGHT


@native()
def beside_at_least(cells, where):
    """The cells of *where* with at least one, two, three, four of *cells* beside them: *levels*."""
    left, right = (cells & NOT_LAST) << ONE, (cells & NOT_FIRST) >> ONE
    up, down = cells << EIGHT, cells >> EIGHT
    across, both_across = left | right, left & right
    along, both_along = up | down, up & down
    return (
        (across | along) & where,
        (both_across | both_along | across & along) & where,
        (both_across & along | both_along & across) & where,
        both_across & both_along & where,
    )


@native()
def within(levels, cells):
    """The same levels, of *cells* only."""
    return levels[0] & cells, levels[1] & cells, levels[2] & cells, levels[3] & cells


@native()
def nth(levels, number):
    """The number of neighbours that is *number*th from the top."""
    return (
        np.int64(count(levels[0]) >= number)
        + np.int64(count(levels[1]) >= number)
        + np.int64(count(levels[2]) >= number)
        + np.int64(count(levels[3]) >= number)
    )


@native()
def most(levels):
    """The largest number of neighbours that any cell has."""
    return (
        np.int64(levels[0] != ZERO)
        + np.int64(levels[1] != ZERO)
        + np.int64(levels[2] != ZERO)
        + np.int64(levels[3] != ZERO)
    )
