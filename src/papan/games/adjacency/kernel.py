"""The search of Adjacency, and the score of a move: alpha-beta, in two forms.

First games that fill the board: there only the empty cells matter.

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

Then games that end before the board is full, on the marks of both sides.
"""

from __future__ import annotations

from papan.engine.native import (
    ONE,
    WORD,
    ZERO,
    Word,
    bottom_bit,
    insert,
    lowest,
    native,
    signed,
    span,
)
from papan.games.adjacency.kernel_board import (
    ABORTED,
    INFINITE,
    MOVE,
    NO_MIRROR,
    NO_MOVE,
    NUMBER,
    PAIR_OF_BOARDS,
    SCALE,
    WINDOW,
    WORKSPACE,
    Marks,
    MoveList,
    U,
    View,
    Window,
    Workspace,
    after,
    around,
    beside_at_least,
    bounds_after,
    ceiling,
    count,
    features,
    floor,
    keep,
    last_plies,
    list_plainly,
    list_with_care,
    most,
    recall,
    spent,
    table_key,
    workspace_at,
)

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
    return bottom_bit(cells) if count(cells) & 1 else ZERO


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
def estimate_full(empty: Word, closing: Word) -> int:
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
        cell = bottom_bit(cells)
        cells ^= cell
        move, rest = lowest(cell), empty ^ cell
        closed = count((workspace.beside[move] | cell) & closing)
        good = 64 + closed - closes_most(rest, with_one(workspace, rest))
        good = 128 if move == hint else good
        insert(moves.items, listed, U(good) << U(16) | U(closed) << U(8) | move)
        listed += ONE
    return listed


@native(NUMBER(WORKSPACE, WORD, NUMBER, WINDOW))
def search_full(  # noqa: C901 - a recursion cannot be divided
    workspace: Workspace, empty: Word, depth: int, window: Window
) -> int:
    """The score; exact inside the *window*, a bound elsewhere, a guess beyond *depth* plies."""
    alpha, beta = window
    rest, four, three, five = reduced(workspace, empty)
    empty = rest | four | three
    if five:
        gain = 5 * SCALE
        return gain - search_full(workspace, empty, depth, (gain - beta, gain - alpha))
    if spent(workspace) or empty == ZERO:
        return 0
    closing = with_one(workspace, empty)
    if depth == 0:
        return estimate_full(empty, closing)
    cells = count(empty)
    high = SCALE * count(workspace.cells & (empty | around(empty)))
    low, hint, reach = -high, NO_MOVE, min(depth, cells)
    table = workspace.transpositions
    key = table_key(table, (rest, U(four != ZERO) | U(three != ZERO) << ONE))
    if cells > FEW:
        low, high, hint = recall(table, key, reach, (low, high))
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
            score = gain - search_full(workspace, child, depth - 1, (gain - bar - 1, gain - bar))
        if at == ZERO or bar < score < roof:
            score = gain - search_full(workspace, child, depth - 1, (gain - roof, gain - bar))
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
        keep(table, key, reach, bounds, best_move)
    return best


NEAR = 5
"""So few plies before the end a plain order of the moves is enough, and nothing is remembered."""


@native()
def estimate(workspace: Workspace, marks: Marks, plies: int, view: View) -> int:
    """The score as it looks: marks beside empty cells are in danger, chances to turn count some."""
    own, rival = marks
    empty, turns, saves = view
    left = U(plies)
    danger = beside_at_least(empty, own | rival)
    score = signed(workspace.weights[left, U(4)]) * (most(turns) - most(saves))
    for each in range(4):
        exposed = count(own & danger[each]) - count(rival & danger[each])
        score += signed(workspace.weights[left, U(each)]) * exposed
    return score


@native()
def mirrored(workspace: Workspace, cells: Word) -> Word:
    """The cells seen in a mirror along the diagonal from the bottom left."""
    turn = cells ^ cells << U(36)
    cells ^= U(0xF0F0F0F00F0F0F0F) & (turn ^ cells >> U(36))
    turn = U(0xCCCC0000CCCC0000) & (cells ^ cells << U(18))
    cells ^= turn ^ turn >> U(18)
    turn = U(0xAA00AA00AA00AA00) & (cells ^ cells << U(9))
    cells ^= turn ^ turn >> U(9)
    return cells >> workspace.mirror


@native()
def image_of(workspace: Workspace, own: Word, empty: Word) -> tuple[Marks, bool]:
    """What the score depends on, or its mirror image, whichever is less, and whether it is that.

    It is the empty cells and who owns the marks beside them: other marks never turn again.
    """
    own &= around(empty)
    if workspace.mirror < NO_MIRROR:
        other = mirrored(workspace, empty)
        if other <= empty:
            other_own = mirrored(workspace, own)
            if other < empty or other_own < own:
                return (other_own, other), True
    return (own, empty), False


@native()
def seen(workspace: Workspace, move: Word, in_mirror: bool) -> Word:
    """A move as the table has it, and back."""
    if not in_mirror or move > MOVE:
        return move
    image: Word = lowest(mirrored(workspace, ONE << move))
    return image


@native(NUMBER(WORKSPACE, PAIR_OF_BOARDS, NUMBER, NUMBER, WINDOW))
def search(  # noqa: C901 - a recursion cannot be divided
    workspace: Workspace, marks: Marks, plies: int, depth: int, window: Window
) -> int:
    """The score; exact inside the *window*, a bound elsewhere, a guess where *depth* < *plies*."""
    if spent(workspace):
        return 0
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
    table, key, in_mirror = workspace.transpositions, (ZERO, ZERO), False
    if remembers:
        image, in_mirror = image_of(workspace, marks[0], view[0])
        key = table_key(table, image)
        low, high, hint = recall(table, key, reach, (low, high))
        hint = seen(workspace, hint, in_mirror)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    moves = workspace.lists[U(plies)]
    if reach <= NEAR:
        listed = list_plainly(moves, view, hint)
    else:
        listed = list_with_care(workspace, marks, moves, view, hint)
    best, best_move = -INFINITE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in span(ZERO, listed):
        move = moves.items[at] & MOVE
        gain = SCALE * (1 + 2 * count(workspace.beside[move] & marks[1]))
        child = after(workspace, marks, ONE << move)
        bar = max(least, best)
        score = INFINITE
        if at:
            null = gain - bar - 1, gain - bar
            score = gain - search(workspace, child, plies - 1, depth - 1, null)
        if at == ZERO or bar < score < roof:
            reply = gain - roof, gain - bar
            score = gain - search(workspace, child, plies - 1, depth - 1, reply)
        if workspace.halted:
            return 0
        if score > best:
            best, best_move = score, move
            if best >= roof:
                break
    best = min(high, max(low, best))  # a guess may stray
    if remembers:
        bounds = bounds_after(best, (least, roof), (low, high))
        keep(table, key, reach, bounds, seen(workspace, best_move, in_mirror))
    return best


@native()
def safe_margin(own: Word, rival: Word, empty: Word) -> int:
    """How many more marks that never turn again are *own*."""
    safe = ~around(empty)
    return count(own & safe) - count(rival & safe)


@native(NUMBER(WORD, PAIR_OF_BOARDS, WORD, WINDOW, WINDOW))
def score(
    address: Word, marks: Marks, cell: Word, plies_depth: tuple[int, int], window: Window
) -> int:
    """The score of a move on *cell* for the side that makes it.

    It is what that side gains on its rival from the present margin to the final one. It is exact
    inside the *window*, a bound elsewhere, and a guess where the *depth* is less than the *plies*.
    The workspace comes by its address: to hand over a record takes Python as long as many a search.
    """
    workspace, (plies, depth) = workspace_at(address, ZERO), plies_depth
    alpha, beta = window
    own, rival = marks
    others, mine = after(workspace, marks, cell)
    left = workspace.cells & ~(mine | others)
    if plies <= count(left):
        gain = SCALE * (count(mine) - count(own) + count(rival) - count(others))
        reply = gain - beta, gain - alpha
        found = gain - search(workspace, (others, mine), plies - 1, depth - 1, reply)
    else:
        gain = SCALE * (safe_margin(mine, others, left) - count(own) + count(rival))
        reply = gain - beta, gain - alpha
        found = gain - search_full(workspace, left, depth - 1, reply)
    return ABORTED if workspace.halted else found


@native(WINDOW(WORD, PAIR_OF_BOARDS, NUMBER))
def surely(address: Word, marks: Marks, plies: int) -> Window:
    """The bounds of the score of the side to move that show without a search."""
    workspace = workspace_at(address, ZERO)
    empty, turns, saves = features(workspace, marks)
    if plies < count(empty):
        return floor(plies, turns, saves), ceiling(plies, turns, saves)
    own, rival = marks
    safe = SCALE * (safe_margin(own, rival, empty) - count(own) + count(rival))
    cells = SCALE * count(workspace.cells & (empty | around(empty)))
    return safe - cells, safe + cells
