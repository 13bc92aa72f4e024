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

from __future__ import annotations

from papan.engine.native import ONE, WORD, ZERO, Word, lowest, native, signed, span
from papan.games.adjacency.kernel_board import (
    INFINITE,
    NO_MOVE,
    NUMBER,
    SCALE,
    WINDOW,
    WORKSPACE,
    MoveList,
    U,
    Window,
    Workspace,
    around,
    beside_at_least,
    bounds_after,
    count,
    keep,
    one_of,
    place_of,
    recall,
    spent,
)
from papan.games.adjacency.kernel_bounds import MOVE, insert

FEW = 3
"""So few empty cells are not worth remembering."""


@native()
def with_one(workspace: Workspace, empty: Word) -> Word:
    """The cells that have exactly one empty cell among themselves and their neighbours."""
    beside = beside_at_least(empty, workspace.cells)
    return (beside[0] ^ empty) & ~beside[1]


@native()
def closes_most(empty: Word, closing: Word) -> int:
    """The most cells that one move closes."""
    beside = beside_at_least(closing, empty)
    here = empty & closing
    return (
        signed(beside[0] | here != 0)
        + signed(beside[1] | beside[0] & here != 0)
        + signed(beside[2] | beside[1] & here != 0)
        + signed(beside[3] | beside[2] & here != 0)
        + signed(beside[3] & here != 0)
    )


@native()
def odd_one(cells: Word) -> Word:
    """One of the cells if their number is odd, else none."""
    return one_of(cells) if count(cells) & 1 else ZERO


@native()
def reduced(workspace: Workspace, empty: Word) -> tuple[Word, Word, Word, Word]:
    """The empty cells that matter: those that are no coins, then a four, a three, and a five."""
    closing = with_one(workspace, empty)
    coins = empty & closing & ~around(workspace.cells & ~closing)
    fives, fours = coins & workspace.fives, coins & workspace.fours
    return empty ^ coins, odd_one(fours), odd_one(coins ^ fives ^ fours), odd_one(fives)


@native()
def upper_bound(workspace: Workspace, empty: Word) -> int:
    """The most cells that any move can ever close."""
    if empty & workspace.fives:
        return 5
    return 4 if empty & workspace.fours else 3


@native()
def estimate(empty: Word, closing: Word) -> int:
    """The score as it looks: what can be closed now, and who will make the last move."""
    now, cells = closes_most(empty, closing), count(closing)
    if count(empty) & 1:
        return SCALE * 5 // 2 + SCALE // 4 * now + SCALE // 8 * cells
    return -SCALE * 3 + SCALE * now - SCALE // 8 * cells


@native()
def list_moves(
    workspace: Workspace, moves: MoveList, empty: Word, closing: Word, hint: Word
) -> Word:
    """Write the moves, those first that close most and leave least to the rival: how many."""
    listed, cells = ZERO, empty
    while cells:
        cell = one_of(cells)
        cells ^= cell
        move, rest = lowest(cell), empty ^ cell
        closed = count((workspace.beside[move] | cell) & closing)
        good = 64 + closed - closes_most(rest, with_one(workspace, rest))
        good = 128 if move == hint else good
        insert(moves, listed, U(good) << U(16) | U(closed) << U(8) | move)
        listed += ONE
    return listed


@native(NUMBER(WORKSPACE, WORD, NUMBER, WINDOW))
def search(  # noqa: C901 - a recursion cannot be divided
    workspace: Workspace, empty: Word, depth: int, window: Window
) -> int:
    """The score; exact inside the *window*, a bound elsewhere, a guess beyond *depth* plies."""
    alpha, beta = window
    rest, four, three, five = reduced(workspace, empty)
    empty = rest | four | three
    if five:
        gain = 5 * SCALE
        return gain - search(workspace, empty, depth, (gain - beta, gain - alpha))
    if spent(workspace) or empty == ZERO:
        return 0
    closing = with_one(workspace, empty)
    if depth == 0:
        return estimate(empty, closing)
    cells = count(empty)
    high = SCALE * count(workspace.cells & (empty | around(empty)))
    low, hint, reach = -high, NO_MOVE, min(depth, cells)
    place = place_of(workspace, (rest, U(four != ZERO) | U(three != ZERO) << ONE))
    if cells > FEW:
        low, high, hint = recall(workspace, place, reach, (low, high))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    moves = workspace.lists[U(cells)]
    listed = list_moves(workspace, moves, empty, closing, hint)
    bound = upper_bound(workspace, empty)
    best, best_move = -INFINITE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in span(ZERO, listed):
        item = moves.items[at]
        move, gain = item & MOVE, SCALE * signed(item >> U(8) & U(255))
        child = empty ^ ONE << move
        bar = max(least, best)
        score = INFINITE
        if at:
            score = gain - search(workspace, child, depth - 1, (gain - bar - 1, gain - bar))
        if at == ZERO or bar < score < roof:
            score = gain - search(workspace, child, depth - 1, (gain - roof, gain - bar))
        if workspace.halted:
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
        bounds = bounds_after(best, (least, roof), (low, high))
        keep(workspace, place, reach, bounds, best_move)
    return best
