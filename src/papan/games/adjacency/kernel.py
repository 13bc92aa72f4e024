"""Adjacency for the solver: the score of a move, and the bounds that show without a search."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from numba import types

from papan.engine.native import WORD, load, native, words_at
from papan.games.adjacency import kernel_full, kernel_rounds
from papan.games.adjacency.kernel_board import (
    BOARD,
    NUMBER,
    PAIR_OF_BOARDS,
    SCALE,
    WINDOW,
    around,
    count,
)
from papan.games.adjacency.kernel_bounds import after, ceiling, features, floor

ARRAY = types.uint64[::1]
PAIR_OF_NUMBERS = types.UniTuple(NUMBER, 2)


@native()
def safe_margin(own, rival, empty):
    """How many more marks that never turn again are *own*."""
    safe = ~around(empty)
    return count(own & safe) - count(rival & safe)


@native(NUMBER(types.UniTuple(ARRAY, 3), PAIR_OF_BOARDS, WORD, PAIR_OF_NUMBERS, WINDOW))
def score(arrays, marks, cell, plies_depth, window):
    """The score of a move on *cell* for the side that makes it.

    It is what that side gains on its rival from the present margin to the final one. It is exact
    inside the *window*, a bound elsewhere, and a guess where the *depth* is less than the *plies*.
    """
    words, workspace, transpositions = arrays
    tools = (
        words_at(words.ctypes.data),
        words_at(workspace.ctypes.data),
        words_at(transpositions.ctypes.data),
    )
    plies, depth = plies_depth
    alpha, beta = window
    own, rival = marks
    others, mine = after(tools[1], marks, cell)
    left = load(tools[1], BOARD) & ~(mine | others)
    if plies <= count(left):
        gain = SCALE * (count(mine) - count(own) + count(rival) - count(others))
        reply = gain - beta, gain - alpha
        return gain - kernel_rounds.search(tools, (others, mine), plies - 1, depth - 1, reply)
    gain = SCALE * (safe_margin(mine, others, left) - count(own) + count(rival))
    return gain - kernel_full.search(tools, left, depth - 1, (gain - beta, gain - alpha))


@native(WINDOW(ARRAY, PAIR_OF_BOARDS, NUMBER))
def surely(workspace, marks, plies):
    """The bounds of the score of the side to move that show without a search."""
    workspace = words_at(workspace.ctypes.data)
    empty, turns, saves = features(workspace, marks)
    if plies < count(empty):
        return floor(plies, turns, saves), ceiling(plies, turns, saves)
    own, rival = marks
    safe = SCALE * (safe_margin(own, rival, empty) - count(own) + count(rival))
    cells = SCALE * count(load(workspace, BOARD) & (empty | around(empty)))
    return safe - cells, safe + cells
