"""The search of Adjacency: games that end before the board is full, and the score of a move.

Alpha-beta on the marks of both sides; games that fill the board are left to `kernel_full`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.native import ONE, WORD, ZERO, load, lowest, native, words_at
from papan.games.adjacency import kernel_full
from papan.games.adjacency.kernel_board import (
    BESIDE,
    BOARD,
    HALTED,
    INFINITE,
    LISTS,
    MIRROR,
    NUMBER,
    PAIR_OF_BOARDS,
    SCALE,
    TOOLS,
    WEIGHT_COUNT,
    WEIGHTS,
    WINDOW,
    U,
    around,
    beside_at_least,
    count,
    counted,
    most,
)
from papan.games.adjacency.kernel_bounds import (
    MOVE,
    after,
    ceiling,
    features,
    floor,
    last_plies,
    list_plainly,
    list_with_care,
)
from papan.games.adjacency.kernel_transpositions import NO_MOVE, entry, keep, place, recall

ARRAY = types.uint64[::1]
PAIR_OF_NUMBERS = types.UniTuple(NUMBER, 2)
NEAR = 5
"""So few plies before the end a plain order of the moves is enough, and nothing is remembered."""


@native()
def estimate(workspace, marks, plies, view):
    """The score as it looks: marks beside empty cells are in danger, chances to turn count some."""
    own, rival = marks
    empty, turns, saves = view
    weights = WEIGHTS + WEIGHT_COUNT * plies
    danger = beside_at_least(empty, own | rival)
    score = np.int64(load(workspace, weights + 4)) * (most(turns) - most(saves))
    for each in range(4):
        weight = np.int64(load(workspace, weights + each))
        score += weight * (count(own & danger[each]) - count(rival & danger[each]))
    return score


@native()
def mirrored(workspace, cells):
    """The cells seen in a mirror along the diagonal from the bottom left."""
    turn = cells ^ cells << U(36)
    cells ^= U(0xF0F0F0F00F0F0F0F) & (turn ^ cells >> U(36))
    turn = U(0xCCCC0000CCCC0000) & (cells ^ cells << U(18))
    cells ^= turn ^ turn >> U(18)
    turn = U(0xAA00AA00AA00AA00) & (cells ^ cells << U(9))
    cells ^= turn ^ turn >> U(9)
    return cells >> load(workspace, MIRROR)


@native()
def key_of(workspace, own, empty):
    """What the score depends on, or its mirror image, whichever is less, and whether it is that.

    It is the empty cells and who owns the marks beside them: other marks never turn again.
    """
    own &= around(empty)
    if load(workspace, MIRROR) < U(64):
        other = mirrored(workspace, empty)
        if other <= empty:
            other_own = mirrored(workspace, own)
            if other < empty or other_own < own:
                return (other_own, other), True
    return (own, empty), False


@native()
def seen(workspace, move, in_mirror):
    """A move as the table has it, and back."""
    if not in_mirror or move > MOVE:
        return move
    return lowest(mirrored(workspace, ONE << move))


@native(NUMBER(TOOLS, PAIR_OF_BOARDS, NUMBER, NUMBER, WINDOW))
def search(tools, marks, plies, depth, window):  # noqa: C901 - a recursion cannot be divided
    """The score; exact inside the *window*, a bound elsewhere, a guess where *depth* < *plies*."""
    if not counted(tools):
        return 0
    workspace = tools[1]
    if plies < 3:
        return last_plies(workspace, marks, plies, window)
    alpha, beta = window
    view = features(workspace, marks)
    low, high = floor(plies, view[1], view[2]), ceiling(plies, view[1], view[2])
    if low >= beta:
        return low
    if high <= alpha:
        return high
    if depth == 0:
        return min(high, max(low, estimate(workspace, marks, plies, view)))
    reach = min(depth, plies)
    remembers = reach > (NEAR if depth >= plies else 1)
    hint = NO_MOVE
    key, in_mirror = marks, False
    if remembers:
        key, in_mirror = key_of(workspace, marks[0], view[0])
        low, high, hint = recall(tools, place(tools, key), reach, (low, high))
        hint = seen(workspace, hint, in_mirror)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    if reach <= NEAR:
        end = list_plainly(workspace, plies, view, hint)
    else:
        end = list_with_care(workspace, marks, plies, view, hint)
    begin = LISTS + 64 * plies
    best, best_move = -INFINITE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in range(begin, end):
        move = load(workspace, at) & MOVE
        gain = SCALE * (1 + 2 * count(load(workspace, BESIDE + move) & marks[1]))
        child = after(workspace, marks, ONE << move)
        bar = max(least, best)
        score = INFINITE
        if at > begin:
            score = gain - search(tools, child, plies - 1, depth - 1, (gain - bar - 1, gain - bar))
        if at == begin or bar < score < roof:
            score = gain - search(tools, child, plies - 1, depth - 1, (gain - roof, gain - bar))
        if load(workspace, HALTED):
            return 0
        if score > best:
            best, best_move = score, move
            if best >= roof:
                break
    best = min(high, max(low, best))  # a guess may stray
    if remembers:
        bounds = best if best > least else low, best if best < roof else high
        keep(tools, place(tools, key), entry(bounds, reach, seen(workspace, best_move, in_mirror)))
    return best


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
        return gain - search(tools, (others, mine), plies - 1, depth - 1, reply)
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
