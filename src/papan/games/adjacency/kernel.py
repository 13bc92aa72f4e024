"""The search of Adjacency, and the score of a move: alpha-beta, in two forms.

A score is what the side to move gains on its rival from the present margin to the final one, in
units of 1 / SCALE.

First games that fill the board: there only the empty cells matter. Each cell ends with the side
that makes the last move on it or beside it. So it is *closed*, for good, by the move that takes the
last empty cell among itself and its neighbours, and until then it does not matter who owns it. The
score counts the cells closed from here to the end, own less the rival's.

Two facts cut the search short. Write f(E) for the score with the empty cells E, and g(s) for what a
move s closes now. A *coin* is an empty cell that shares no neighbour with another one.
1. Two coins of the same worth cancel: taking one is answered by taking the other.
2. f(E) + f(E - s) <= 2 v - g(s), where v is the most that any move can ever close. Proof: after the
move s, f(E) would be g(s) - f(E - s), and g(s) <= v. After another move t let the rival answer s,
which closes no less than it would now: that makes f(E) at most g(t) - g(s) + f(E - t - s), and by
induction f(E - s) + f(E - s - t) is at most 2 v less what t closes after s.
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
    ADJACENCY_ABORTED,
    ADJACENCY_WORKSPACE,
    INFINITE_SCORE,
    MOVE,
    NO_MIRROR,
    NO_MOVE,
    PAIR_OF_BOARDS,
    SCALE,
    SCORE_TYPE,
    WINDOW_TYPE,
    AdjacencyMarks,
    AdjacencyView,
    AdjacencyWindow,
    AdjacencyWorkspace,
    MoveList,
    adjacency_workspace_at,
    after,
    around,
    beside_at_least,
    bounds_after,
    ceiling,
    cell_count,
    floor,
    is_halted,
    last_plies,
    list_plainly,
    list_with_care,
    most,
    recall_bounds,
    store_bounds,
    table_key,
    view_of,
)

FEW_CELLS = 3
"""In games that fill the board, positions with at most this many empty cells are not stored in the
table; pairs of coins that have cancelled do not count."""


@native()
def with_one(workspace: AdjacencyWorkspace, empty: Word) -> Word:
    """Return the cells with exactly one empty cell among themselves and their neighbours.

    One more mark closes them: they never change hands again. *empty* and the result are bitboards.
    """
    beside = beside_at_least(empty, workspace.cells)
    return (beside[0] ^ empty) & ~beside[1]


@native()
def closes_most(empty: Word, closing: Word) -> int:
    """Return the most cells that one move closes (that then never change hands again), 0 to 5.

    *empty* are the empty cells and *closing* the cells that one more mark closes, as `with_one`
    returns them; both are bitboards.
    """
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
    """Return the lowest bit of the bitboard *cells* if their number is odd, else 0."""
    return bottom_bit(cells) if cell_count(cells) & 1 else ZERO


@native()
def reduced(workspace: AdjacencyWorkspace, empty: Word) -> tuple[Word, Word, Word, Word]:
    """Return four bitboards: the empty cells that are no coins, then a coin worth 4, 3 and 5 each.

    A coin is an empty cell that shares no neighbour with another one; it is worth the cells that a
    move on it closes. A word is 0 if no coin of that worth is left: pairs of the same worth have
    cancelled each other.
    """
    closing = with_one(workspace, empty)
    coins = empty & closing & ~around(workspace.cells & ~closing)
    fives, fours = coins & workspace.fives, coins & workspace.fours
    return empty ^ coins, odd_one(fours), odd_one(coins ^ fives ^ fours), odd_one(fives)


@native()
def upper_bound(workspace: AdjacencyWorkspace, empty: Word) -> int:
    """Return an upper bound, 3 to 5, of the number of cells that any one move can ever close.

    *empty* are the empty cells, a bitboard. A closed cell never changes hands again.
    """
    if empty & workspace.fives:
        return 5
    return 4 if empty & workspace.fours else 3


@native()
def estimate_full(empty: Word, closing: Word) -> int:
    """Return an estimate of the score on a board to be filled, in 1/SCALE marks for the mover.

    It is made of what can be closed now and which side moves last; *empty* are the empty cells and
    *closing* those that one more mark closes, both bitboards.
    """
    now, cells = closes_most(empty, closing), cell_count(closing)
    if cell_count(empty) & 1:
        return SCALE * 5 // 2 + SCALE // 4 * now + SCALE // 8 * cells
    return -SCALE * 3 + SCALE * now - SCALE // 8 * cells


@native()
def list_moves(
    workspace: AdjacencyWorkspace, moves: MoveList, empty: Word, closing: Word, hint: Word
) -> Word:
    """Write to *moves* all moves: *hint* first, then those that close most and leave least.

    Return how many they are. *empty* are the empty cells and *closing* those that one more mark
    closes, both bitboards; *hint* is a cell's number or NO_MOVE. Each item has the move in its
    lowest six bits, the number of cells it closes in the bits from 8 to 15, and above them the
    number by which it is sorted: 128 for *hint*, else 64 + what it closes - the most that the
    answer can close.
    """
    listed, cells = ZERO, empty
    while cells:
        cell = bottom_bit(cells)
        cells ^= cell
        move, rest = lowest(cell), empty ^ cell
        closed = cell_count((workspace.beside[move] | cell) & closing)
        good = 64 + closed - closes_most(rest, with_one(workspace, rest))
        good = 128 if move == hint else good
        insert(moves.items, listed, Word(good) << Word(16) | Word(closed) << Word(8) | move)
        listed += ONE
    return listed


@native(SCORE_TYPE(ADJACENCY_WORKSPACE, WORD, SCORE_TYPE, WINDOW_TYPE))
def search_full(  # noqa: C901 - a recursion cannot be divided
    workspace: AdjacencyWorkspace, empty: Word, depth: int, window: AdjacencyWindow
) -> int:
    """Return the score of a game that fills the board, in 1/SCALE marks for the side to move.

    The score counts closed cells: see the head of this module. It is exact inside the *window*
    (alpha, beta); a lower bound from beta on, an upper one up to alpha; an estimate where *depth*,
    the plies to look ahead, is less than the number of empty cells; and 0 if the search was halted.
    *empty* is the bitboard of the empty cells.
    """
    alpha, beta = window
    rest, four, three, five = reduced(workspace, empty)
    empty = rest | four | three
    if five:
        gain = 5 * SCALE
        return gain - search_full(workspace, empty, depth, (gain - beta, gain - alpha))
    if is_halted(workspace) or empty == ZERO:
        return 0
    closing = with_one(workspace, empty)
    if depth == 0:
        return estimate_full(empty, closing)
    cells = cell_count(empty)
    high = SCALE * cell_count(workspace.cells & (empty | around(empty)))
    low, hint, reach = -high, NO_MOVE, min(depth, cells)
    table = workspace.transpositions
    key = table_key(table, (rest, Word(four != ZERO) | Word(three != ZERO) << ONE))
    if cells > FEW_CELLS:
        low, high, hint = recall_bounds(table, key, reach, (low, high))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    moves = workspace.lists[Word(cells)]
    listed = list_moves(workspace, moves, empty, closing, hint)
    bound = upper_bound(workspace, empty)
    best, best_move = -INFINITE_SCORE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in span(ZERO, listed):
        item = moves.items[at]
        move, gain = item & MOVE, SCALE * signed(item >> Word(8) & Word(255))
        child = empty ^ ONE << move
        bar = max(least, best)
        score = INFINITE_SCORE
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
    if cells > FEW_CELLS:
        bounds = bounds_after(best, (least, roof), (low, high))
        store_bounds(table, key, reach, bounds, best_move)
    return best


NEAR_END = 5
"""With at most this many plies to look ahead, moves are ordered by `list_plainly`; if these plies
also end the game, the result is not stored."""


@native()
def estimate(
    workspace: AdjacencyWorkspace, marks: AdjacencyMarks, plies: int, view: AdjacencyView
) -> int:
    """Return an estimate of the score in 1/SCALE marks, for the side to move with *plies* left.

    *marks* are those of the side to move, then its rival's; *view* must be what `view_of` returns
    for them: not checked. Marks beside empty cells, which can still be turned, count less than
    others; the most marks that a side could turn with one move count for that side.
    """
    own, rival = marks
    empty, turns, saves = view
    left = Word(plies)
    danger = beside_at_least(empty, own | rival)
    score = signed(workspace.weights[left, Word(4)]) * (most(turns) - most(saves))
    for each in range(4):
        exposed = cell_count(own & danger[each]) - cell_count(rival & danger[each])
        score += signed(workspace.weights[left, Word(each)]) * exposed
    return score


@native()
def mirrored_cells(workspace: AdjacencyWorkspace, cells: Word) -> Word:
    """Return the bitboard *cells* mirrored along the diagonal from the bottom left.

    The board must be square: not checked.
    """
    turn = cells ^ cells << Word(36)
    cells ^= Word(0xF0F0F0F00F0F0F0F) & (turn ^ cells >> Word(36))
    turn = Word(0xCCCC0000CCCC0000) & (cells ^ cells << Word(18))
    cells ^= turn ^ turn >> Word(18)
    turn = Word(0xAA00AA00AA00AA00) & (cells ^ cells << Word(9))
    cells ^= turn ^ turn >> Word(9)
    return cells >> workspace.mirror


@native()
def image_of(workspace: AdjacencyWorkspace, own: Word, empty: Word) -> tuple[AdjacencyMarks, bool]:
    """Return the bitboards (own, empty) that the score depends on, and whether they are mirrored.

    *own* are the marks of the side to move, *empty* the empty cells. Own marks that are not beside
    an empty cell are left out: they never turn again. On a square board the position or its mirror
    image is returned, whichever has the lesser word of empty cells, or if these are equal the
    lesser word of own marks. On another board it is the position.
    """
    own &= around(empty)
    if workspace.mirror < NO_MIRROR:
        other = mirrored_cells(workspace, empty)
        if other <= empty:
            other_own = mirrored_cells(workspace, own)
            if other < empty or other_own < own:
                return (other_own, other), True
    return (own, empty), False


@native()
def seen(workspace: AdjacencyWorkspace, move: Word, in_mirror: bool) -> Word:
    """Return *move*, a cell's number, as it is in the mirror image if *in_mirror*, else unchanged.

    NO_MOVE is returned unchanged.
    """
    if not in_mirror or move > MOVE:
        return move
    image: Word = lowest(mirrored_cells(workspace, ONE << move))
    return image


@native(SCORE_TYPE(ADJACENCY_WORKSPACE, PAIR_OF_BOARDS, SCORE_TYPE, SCORE_TYPE, WINDOW_TYPE))
def search(  # noqa: C901 - a recursion cannot be divided
    workspace: AdjacencyWorkspace,
    marks: AdjacencyMarks,
    plies: int,
    depth: int,
    window: AdjacencyWindow,
) -> int:
    """Return the score *plies* before the end, in 1/SCALE marks for the side to move.

    *marks* are that side's, then its rival's. The score is exact inside the *window* (alpha, beta);
    a lower bound from beta on, an upper one up to alpha; an estimate if *depth* (plies to look
    ahead) < *plies*; and 0 if the search was halted. Some cells must stay empty at the end: not
    checked.
    """
    if is_halted(workspace):
        return 0
    if plies < 3:
        return last_plies(workspace, marks, plies, window)
    alpha, beta = window
    view = view_of(workspace, marks)
    low, high = floor(plies, view[1], view[2]), ceiling(plies, view[1], view[2])
    if low >= beta:
        return low
    if high <= alpha:
        return high
    if depth == 0:
        return min(high, max(low, estimate(workspace, marks, plies, view)))
    reach = min(depth, plies)
    remembers = reach > (NEAR_END if depth >= plies else 1)
    hint = NO_MOVE
    table, key, in_mirror = workspace.transpositions, (ZERO, ZERO), False
    if remembers:
        image, in_mirror = image_of(workspace, marks[0], view[0])
        key = table_key(table, image)
        low, high, hint = recall_bounds(table, key, reach, (low, high))
        hint = seen(workspace, hint, in_mirror)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    moves = workspace.lists[Word(plies)]
    if reach <= NEAR_END:
        listed = list_plainly(moves, view, hint)
    else:
        listed = list_with_care(workspace, marks, moves, view, hint)
    best, best_move = -INFINITE_SCORE, ZERO
    least, roof = max(alpha, low), min(beta, high)
    for at in span(ZERO, listed):
        move = moves.items[at] & MOVE
        gain = SCALE * (1 + 2 * cell_count(workspace.beside[move] & marks[1]))
        child = after(workspace, marks, ONE << move)
        bar = max(least, best)
        score = INFINITE_SCORE
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
        store_bounds(table, key, reach, bounds, seen(workspace, best_move, in_mirror))
    return best


@native()
def safe_margin(own: Word, rival: Word, empty: Word) -> int:
    """Return the number of *own* marks that can never turn again, less that of *rival* marks.

    All are bitboards. *empty* are the empty cells: only marks beside them can still turn.
    """
    safe = ~around(empty)
    return cell_count(own & safe) - cell_count(rival & safe)


@native(SCORE_TYPE(WORD, PAIR_OF_BOARDS, WORD, WINDOW_TYPE, WINDOW_TYPE))
def score(
    address: Word,
    marks: AdjacencyMarks,
    cell: Word,
    plies_depth: tuple[int, int],
    window: AdjacencyWindow,
) -> int:
    """Return the score of a move, in 1/SCALE marks for the side that makes it.

    *marks* are that side's, then its rival's; *cell* is the move's bit; *plies_depth* are the plies
    left before it, and those to look ahead, the move included. The score is exact inside the
    *window* (alpha, beta), a bound elsewhere, and an estimate where the depth is less than the
    plies; ADJACENCY_ABORTED if the search was stopped. The workspace is given by its address: to
    pass a record takes Python as long as many a search.
    """
    workspace, (plies, depth) = adjacency_workspace_at(address, ZERO), plies_depth
    alpha, beta = window
    own, rival = marks
    others, mine = after(workspace, marks, cell)
    left = workspace.cells & ~(mine | others)
    if plies <= cell_count(left):
        gain = SCALE * (cell_count(mine) - cell_count(own) + cell_count(rival) - cell_count(others))
        reply = gain - beta, gain - alpha
        found = gain - search(workspace, (others, mine), plies - 1, depth - 1, reply)
    else:
        gain = SCALE * (safe_margin(mine, others, left) - cell_count(own) + cell_count(rival))
        reply = gain - beta, gain - alpha
        found = gain - search_full(workspace, left, depth - 1, reply)
    return ADJACENCY_ABORTED if workspace.halted else found


@native(WINDOW_TYPE(WORD, PAIR_OF_BOARDS, SCORE_TYPE))
def surely(address: Word, marks: AdjacencyMarks, plies: int) -> AdjacencyWindow:
    """Return bounds (low, high) of the score for the side to move, in 1/SCALE marks.

    They need no search. *address* is the address of the workspace; *marks* are those of the side to
    move, then its rival's; *plies*, 1 or more, are left until the end. In a game that fills the
    board the middle of both is the score by the marks that can never turn again.
    """
    workspace = adjacency_workspace_at(address, ZERO)
    empty, turns, saves = view_of(workspace, marks)
    if plies < cell_count(empty):
        return floor(plies, turns, saves), ceiling(plies, turns, saves)
    own, rival = marks
    safe = SCALE * (safe_margin(own, rival, empty) - cell_count(own) + cell_count(rival))
    cells = SCALE * cell_count(workspace.cells & (empty | around(empty)))
    return safe - cells, safe + cells
