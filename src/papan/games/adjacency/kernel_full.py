"""Adjacency games that fill the board: there only the empty cells matter.

Each cell ends with whoever makes the last move on it or beside it. So it is *closed*, for good, by
the move that takes the last empty cell among itself and its neighbours, and until then it does not
matter who owns it. A score counts the cells closed from here to the end, ours less the rival's.

Two facts cut the search short. Write f(E) for the score with the empty cells E, and g(s) for what
a move s closes now. A *coin* is an empty cell that shares no neighbour with another one.
1. Two coins of the same worth cancel: whoever takes one is answered by the other.
2. f(E) + f(E - s) <= 2 v - g(s), where v is the most that any move can ever close. Proof: after the
   move s, f(E) would be g(s) - f(E - s), and g(s) <= v. After another move t let the rival answer
   s, which closes no less than it would now: that makes f(E) at most g(t) - g(s) + f(E - t - s),
   and by induction f(E - s) + f(E - s - t) is at most 2 v less what t closes after s.
So no move is better than s by more than 2 (v - g(s)), and a coin worth v is taken at once.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, WORD, ZERO, load, lowest, native
from papan.games.adjacency.kernel_board import (
    BESIDE,
    BOARD,
    FIVE,
    FOUR,
    HALTED,
    INFINITE,
    LISTS,
    NUMBER,
    SCALE,
    TOOLS,
    WINDOW,
    U,
    around,
    beside_at_least,
    count,
    counted,
    one_of,
)
from papan.games.adjacency.kernel_bounds import MOVE, insert
from papan.games.adjacency.kernel_transpositions import NO_MOVE, entry, keep, place, recall

FEW = 3
"""So few empty cells are not worth remembering."""


@native()
def with_one(workspace, empty):
    """The cells that have exactly one empty cell among themselves and their neighbours."""
    beside = beside_at_least(empty, load(workspace, BOARD))
    return (beside[0] ^ empty) & ~beside[1]


@native()
def closes_most(empty, closing):
    """The most cells that one move closes."""
    beside = beside_at_least(closing, empty)
    here = empty & closing
    return (
        np.int64(beside[0] | here != 0)
        + np.int64(beside[1] | beside[0] & here != 0)
        + np.int64(beside[2] | beside[1] & here != 0)
        + np.int64(beside[3] | beside[2] & here != 0)
        + np.int64(beside[3] & here != 0)
    )


@native()
def odd_one(cells):
    """One of the cells if their number is odd, else none."""
    return one_of(cells) if count(cells) & 1 else ZERO


@native()
def reduced(workspace, empty):
    """The empty cells that matter: those that are no coins, then a four, a three, and a five."""
    closing = with_one(workspace, empty)
    coins = empty & closing & ~around(load(workspace, BOARD) & ~closing)
    fives, fours = coins & load(workspace, FIVE), coins & load(workspace, FOUR)
    return empty ^ coins, odd_one(fours), odd_one(coins ^ fives ^ fours), odd_one(fives)


@native()
def upper_bound(workspace, empty):
    """The most cells that any move can ever close."""
    if empty & load(workspace, FIVE):
        return 5
    return 4 if empty & load(workspace, FOUR) else 3


@native()
def estimate(empty, closing):
    """The score as it looks: what can be closed now, and who will make the last move."""
    now, cells = closes_most(empty, closing), count(closing)
    if count(empty) & 1:
        return SCALE * 5 // 2 + SCALE // 4 * now + SCALE // 8 * cells
    return -SCALE * 3 + SCALE * now - SCALE // 8 * cells


@native()
def listed(workspace, empty, closing, hint):
    """Write the moves, first those that close most and leave least to the rival: where it ends."""
    begin = at = LISTS + 64 * count(empty)
    cells = empty
    while cells:
        cell = one_of(cells)
        cells ^= cell
        move, rest = lowest(cell), empty ^ cell
        closed = count((load(workspace, BESIDE + move) | cell) & closing)
        good = 64 + closed - closes_most(rest, with_one(workspace, rest))
        good = 128 if move == hint else good
        insert(workspace, begin, at, U(good) << U(16) | U(closed) << U(8) | move)
        at += 1
    return at


@native(NUMBER(TOOLS, WORD, NUMBER, WINDOW))
def search(tools, empty, depth, window):  # noqa: C901 - a recursion cannot be divided
    """The score; exact inside the *window*, a bound elsewhere, a guess beyond *depth* plies."""
    workspace = tools[1]
    alpha, beta = window
    rest, four, three, five = reduced(workspace, empty)
    empty = rest | four | three
    if five:
        gain = 5 * SCALE
        return gain - search(tools, empty, depth, (gain - beta, gain - alpha))
    if not counted(tools) or empty == ZERO:
        return 0
    closing = with_one(workspace, empty)
    if depth == 0:
        return estimate(empty, closing)
    cells = count(empty)
    high = SCALE * count(load(workspace, BOARD) & (empty | around(empty)))
    low, hint, reach = -high, NO_MOVE, min(depth, cells)
    key = rest, U(four != ZERO) | U(three != ZERO) << ONE
    if cells > FEW:
        low, high, hint = recall(tools, place(tools, key), reach, (low, high))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    begin, end = LISTS + 64 * cells, listed(workspace, empty, closing, hint)
    bound = upper_bound(workspace, empty)
    best, best_move = -INFINITE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in range(begin, end):
        item = load(workspace, at)
        move, gain = item & MOVE, SCALE * np.int64(item >> U(8) & U(255))
        child = empty ^ ONE << move
        bar = max(least, best)
        score = INFINITE
        if at > begin:
            score = gain - search(tools, child, depth - 1, (gain - bar - 1, gain - bar))
        if at == begin or bar < score < roof:
            score = gain - search(tools, child, depth - 1, (gain - roof, gain - bar))
        if load(workspace, HALTED):
            return 0
        if score > best:
            best, best_move = score, move
            if best >= roof:
                break
        high = min(high, score + 2 * (SCALE * bound - gain))
        if high <= max(least, best):
            best = high
            break
    best = min(high, max(low, best))
    if cells > FEW:
        bounds = best if best > least else low, best if best < roof else high
        keep(tools, place(tools, key), entry(bounds, reach, best_move))
    return best
