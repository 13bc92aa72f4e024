"""Adjacency boards for the kernels: bit tricks, the table, bounds without search, move order.

Every board lies in the top left corner of an 8x8 one: cell 8 * row + column, whatever its size.

Levels are four bitboards: the cells with at least one, two, three and four cells of some kind, such
as rival marks, beside them; how many of the four a cell is in is its number, 0 to 4. *turns* are
the levels of rival marks beside the empty cells: what a move there turns. *saves* are those of own
marks: what the rival could turn there. A score is what the side to move gains on its rival from the
present margin to the final one, in units of 1 / SCALE.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from papan.engine.control import GOES_ON, spend
from papan.engine.memory import Row, kind, records_at
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    Word,
    bottom_bit,
    insert,
    kinds,
    lowest,
    native,
    popcount,
    signed,
    words_at,
)
from papan.engine.transpositions import (
    NOWHERE,
    TableKey,
    Transpositions,
    data_at,
    find_entry,
    first_place,
    low_bits,
    put_entry,
)

SCORE_TYPE = kinds.int64
PAIR_OF_BOARDS = kinds.UniTuple(WORD, 2)
WINDOW_TYPE = kinds.UniTuple(SCORE_TYPE, 2)
AdjacencyMarks: TypeAlias = tuple[Word, Word]
"""The marks of the side to move, then its rival's: a bitboard of 8x8 cells each."""
Levels: TypeAlias = tuple[Word, Word, Word, Word]
"""Four bitboards: the cells with at least one, two, three, four neighbours of some kind."""
AdjacencyView: TypeAlias = tuple[Word, Levels, Levels]
"""The empty cells (a bitboard), and the levels of rival marks and of own marks beside them.

The levels of rival marks are what a move on a cell turns; those of own marks are what it saves
from the rival.
"""
AdjacencyWindow: TypeAlias = tuple[int, int]
"""Two scores: the window (alpha, beta) of a search, or proved bounds (low, high)."""

SCALE = 8
"""Units of a score per mark, so that estimates can be finer than whole marks."""
INFINITE_SCORE = 2_000  # a score beyond all others
ADJACENCY_ABORTED = 4_000  # what comes instead of a score from a search that was stopped
NO_MIRROR = Word(64)

EIGHT = Word(8)
NOT_FIRST, NOT_LAST = Word(0xFEFEFEFEFEFEFEFE), Word(0x7F7F7F7F7F7F7F7F)


class MoveList:
    """The moves of a position in the order to try; the function that writes it returns how many.

    Each item has its cell's number in the lowest 6 bits, see `MOVE`.
    """

    items: Annotated[Row[Word], 64]
    """The moves from index 0 on; items behind the last move mean nothing."""


class AdjacencyWorkspace:
    """The memory of one search: the board, the table, and lists of moves.

    Cells are those of the 8x8 board at the head of this module.
    """

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    transpositions: Transpositions
    """The transposition table."""
    halted: bool
    """True if the search has been stopped."""
    cells: Word
    """All cells, as a bitboard, like the next two and the rows of `beside`."""
    fives: Word
    """Cells with four neighbours, on which a move can close five cells."""
    fours: Word
    """Cells with three neighbours, on which a move can close four."""
    mirror: Word
    """Bits to shift the mirror image of a square board by; NO_MIRROR for others."""
    beside: Annotated[Row[Word], 64]
    """For each cell, the cells beside it."""
    weights: Annotated[Row[np.int64], 64, 5]
    """For each number of plies left, the weights from `solver.estimate_weights`."""
    lists: Annotated[Row[MoveList], 64]
    """By plies left, or by empty cells if the game fills the board, a list of moves."""


ADJACENCY_WORKSPACE = kind(AdjacencyWorkspace)
adjacency_workspace_at = records_at(AdjacencyWorkspace)


@native(kinds.boolean(ADJACENCY_WORKSPACE), inline=True)
def is_halted(workspace: AdjacencyWorkspace) -> bool:
    """Count a node in the controls; return True, and set `halted`, if the search must stop.

    It must stop if the nodes are spent, or if the stop flag was seen to be set.
    """
    if spend(words_at(workspace.controls)) == GOES_ON:
        return False
    workspace.halted = True
    return True


@native()
def cell_count(cells: Word) -> int:
    """Return the number of cells in a bitboard, as a signed number."""
    return signed(popcount(cells))


@native()
def around(cells: Word) -> Word:
    """Return every cell that has one of *cells* beside it; both are bitboards of 8x8 cells.

    Some may lie off a board that is smaller than 8x8.
    """
    return (cells & NOT_LAST) << ONE | (cells & NOT_FIRST) >> ONE | cells << EIGHT | cells >> EIGHT


@native()
def beside_at_least(cells: Word, where: Word) -> Levels:
    """Return the cells of *where* with at least one, two, three and four of *cells* beside them.

    All are bitboards of 8x8 cells.
    """
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
def within(levels: Levels, cells: Word) -> Levels:
    """Return *levels* restricted to *cells*, a bitboard: all other cells have no marks beside."""
    return levels[0] & cells, levels[1] & cells, levels[2] & cells, levels[3] & cells


@native()
def nth(levels: Levels, number: int) -> int:
    """Return the *number*th largest count of marks beside a cell, 0 to 4, among all of *levels*.

    *levels* are as `beside_at_least` returns them: they say of which cells and which marks the
    counts are. *number* is 1 for the largest count, 2 for the second largest, which may equal it,
    and so on. 0 if fewer than *number* cells have a mark beside them.
    """
    return (
        signed(cell_count(levels[0]) >= number)
        + signed(cell_count(levels[1]) >= number)
        + signed(cell_count(levels[2]) >= number)
        + signed(cell_count(levels[3]) >= number)
    )


@native()
def most(levels: Levels) -> int:
    """Return the largest count of marks beside a cell, 0 to 4, among all of *levels*.

    *levels* are as `beside_at_least` returns them: they say of which cells and which marks the
    counts are. 0 if no cell has a mark beside it.
    """
    return (
        signed(levels[0] != ZERO)
        + signed(levels[1] != ZERO)
        + signed(levels[2] != ZERO)
        + signed(levels[3] != ZERO)
    )


# The transposition table. An entry holds 92 bits of a key, and its bucket has the others.

ADJACENCY_BUCKET = TWO, TWO
FACTOR, OTHER_FACTOR, HALF_WORD_BITS = Word(0x9E3779B97F4A7C15), Word(0xBF58476D1CE4E5B9), Word(32)
TAG_BITS = Word(28)
SIX_BITS, TWELVE_BITS = Word(2**6 - 1), Word(2**12 - 1)
REACH_AT, LOW_AT, HIGH_AT = Word(6), Word(12), Word(24)
"""The data of an entry: six bits of a move, six of the plies searched, twelve of either bound."""
SCORE_OFFSET = 2_048  # what makes a score positive
NO_MOVE = Word(64)


@native()
def mixed_word(word: Word) -> Word:
    """Return a hash of *word* in which every bit counts: a bijection on 64 bits."""
    word *= FACTOR
    word ^= word >> HALF_WORD_BITS
    word *= OTHER_FACTOR
    return word ^ word >> HALF_WORD_BITS


@native()
def table_key(table: Transpositions, position: tuple[Word, Word]) -> TableKey:
    """Return the transposition table's key of a position, given as two words: (own, empty).

    These are bitboards of the marks of the side to move and of the empty cells, as by
    `kernel.image_of`. For a game that fills the board the words are the empty cells without coins,
    and the coins left (see `kernel.reduced`): bit 0 for one worth 4, bit 1 for one worth 3.
    """
    one, other = position
    one ^= mixed_word(other)
    other ^= mixed_word(one)
    return low_bits(table, other >> ONE << TAG_BITS | other >> Word(64) - TAG_BITS), one


@native()
def reach_of(data: Word) -> int:
    """Return how many plies ahead the search looked that wrote an entry's *data*: see REACH_AT."""
    return signed(data >> REACH_AT & SIX_BITS)


@native()
def recall_bounds(
    table: Transpositions, key: TableKey, reach: int, bounds: AdjacencyWindow
) -> tuple[int, int, Word]:
    """Return (low, high, move): *bounds* narrowed by the entry of *key*, and its best move.

    The bounds are scores; they are returned unchanged if there is no entry, or if its search looked
    fewer than *reach* plies ahead. The move is the number of a cell, also from such a shorter
    search; NO_MOVE if there is no entry.
    """
    low, high = bounds
    _, data = find_entry(table, ADJACENCY_BUCKET, key)
    if data == ZERO:
        return low, high, NO_MOVE
    if reach_of(data) >= reach:
        low = max(low, signed(data >> LOW_AT & TWELVE_BITS) - SCORE_OFFSET)
        high = min(high, signed(data >> HIGH_AT & TWELVE_BITS) - SCORE_OFFSET)
    return low, high, data & SIX_BITS


@native()
def store_bounds(
    table: Transpositions, key: TableKey, reach: int, bounds: AdjacencyWindow, move: Word
) -> None:
    """Store in *table* what a search has found about the position with *key*.

    *bounds* are (low, high) of its score, *reach* is how many plies ahead the search looked, *move*
    the best one, a cell's number. Bounds must be above -SCORE_OFFSET and below SCORE_OFFSET,
    *reach* at most 63: not checked. The new entry replaces the position's own entry if there is
    one; else the first of its bucket if that is empty or its search looked no further; else the
    second.
    """
    place, _ = find_entry(table, ADJACENCY_BUCKET, key)
    if place == NOWHERE:
        place = first_place(table, ADJACENCY_BUCKET, key)
        if reach_of(data_at(table, ADJACENCY_BUCKET, place)) > reach:
            place += ONE
    data = Word(bounds[0] + SCORE_OFFSET) << LOW_AT | Word(bounds[1] + SCORE_OFFSET) << HIGH_AT
    put_entry(table, ADJACENCY_BUCKET, place, key, data | Word(reach) << REACH_AT | move)


@native()
def bounds_after(found: int, window: AdjacencyWindow, known: AdjacencyWindow) -> AdjacencyWindow:
    """Return the bounds (low, high) of a score after a search of a *window* returned *found*.

    *known* were those before. *found* is exact inside the window (alpha, beta), a lower bound from
    beta on, an upper bound up to alpha.
    """
    return found if found > window[0] else known[0], found if found < window[1] else known[1]


# What shows without a search, near the end of a game.


@native()
def view_of(workspace: AdjacencyWorkspace, marks: AdjacencyMarks) -> AdjacencyView:
    """Return the empty cells, the levels of rival marks beside them, and those of own marks.

    *marks* are those of the side to move, then its rival's; all are bitboards. Levels tell how many
    marks are beside each cell: see the head of this module.
    """
    own, rival = marks
    empty = workspace.cells & ~(own | rival)
    return empty, beside_at_least(rival, empty), beside_at_least(own, empty)


@native()
def after(workspace: AdjacencyWorkspace, marks: AdjacencyMarks, cell: Word) -> AdjacencyMarks:
    """Return the marks after a move on *cell*, a bit; it must be empty: not checked.

    *marks* are those of the side to move, then its rival's. In the result the marks of the rival,
    who is to move now, come first.
    """
    own, rival = marks
    turned = workspace.beside[lowest(cell)] & rival
    return rival ^ turned, own | turned | cell


@native()
def every_other(levels: Levels, picks: int, first: int) -> int:
    """Return the sum of every other number, as if two sides took in turn the largest one left.

    The numbers are the counts of marks beside each cell, by *levels*. Added up are *picks* of them,
    fewer if there are fewer: the first, third, ... largest if *first* is 1, the second, fourth, ...
    largest if it is 0.
    """
    total = 0
    for each in range(4):
        total += (min(2 * picks - first, cell_count(levels[each])) + first) // 2
    return total


@native()
def largest(levels: Levels) -> Word:
    """Return the bit of the cell with the most marks beside it, by *levels*; 0 if no cell has any.

    Of several such cells it is the one with the lowest bit.
    """
    cells = levels[0]
    for each in range(1, 4):
        if levels[each]:
            cells = levels[each]
    return bottom_bit(cells)


@native()
def beside_largest(levels: Levels, guards: int) -> int:
    """Return the largest count of *levels*, 0 to 4, among neighbours of the *guards* best cells.

    The best cells are those with the most marks beside them, fewer than *guards* if fewer have any.
    If the rival places a mark on one of them, a move on a neighbour turns this new mark, and at
    most as many old ones as this function returns.
    """
    cells = ZERO
    for _ in range(guards):
        cells |= largest(within(levels, ~cells))
    return most(within(levels, around(cells)))


@native()
def one_pick(levels: Levels, rank: int, beside: int) -> int:
    """Return the most marks that a later move can turn: old marks alone, or with a new one.

    *levels* tell how many marks the side that moves can turn in each cell now. By the time of the
    move the best *rank* - 1 cells are taken, so of old marks it turns the *rank*th largest number
    (from 1) at most; or it turns one mark placed meanwhile and *beside* old ones, where *beside* is
    the result of `beside_largest`.
    """
    return max(nth(levels, rank), beside + 1)


@native()
def two_picks(levels: Levels, rank: int, beside: int) -> int:
    """Return the most marks that two later moves of a side can turn together.

    It is the greater of two sums. Either each move turns as many as by `one_pick`, the second one
    with *rank* + 2, as the rival takes a cell between them. Or the first turns the *rank*th largest
    number; and the second the number of *rank* + 2, or two marks placed meanwhile and *beside* old
    ones, whichever is more. *levels*, *rank* and *beside* are as in `one_pick`.
    """
    first, second = nth(levels, rank), nth(levels, rank + 2)
    each = one_pick(levels, rank, beside) + one_pick(levels, rank + 2, beside)
    return max(each, first + max(second, beside + 2))


@native()
def ceiling(plies: int, turns: Levels, saves: Levels) -> int:
    """Return an upper bound of the score *plies* before the end, in 1/SCALE marks.

    It is for the side to move, here called we; *turns* and *saves* are as by `view_of`.
    *plies* must be 1 or more, and less than the number of empty cells: not checked. Let the rival
    always take the cell beside most of its own marks, and with the last move of the game the one
    beside most of ours. So we turn at best every other of the numbers in *turns*, in falling order.
    The rival's new marks become ours at best, but for one placed with the last move. Near the end a
    move that turns a new mark, right beside it, turns less elsewhere.
    """
    if plies < 5:
        turned = most(turns) + one_pick(turns, 3, beside_largest(turns, 2)) - 1
    elif plies < 7:
        turned = most(turns) + two_picks(turns, 3, beside_largest(turns, 4)) - 2
    else:
        turned = every_other(turns, (plies + 1) // 2, 1)
    if plies & 1:
        return SCALE * (plies + 2 * turned)
    return SCALE * (plies - 2 + 2 * turned - 2 * nth(saves, plies))


@native()
def floor(plies: int, turns: Levels, saves: Levels) -> int:
    """Return a lower bound of the score *plies* before the end, in 1/SCALE marks.

    It is for the side to move: `ceiling` with the roles exchanged. *plies*, *turns* and *saves* are
    as there.
    """
    if plies < 4:
        turned = one_pick(saves, 2, beside_largest(saves, 1)) - 1
    elif plies < 6:
        turned = two_picks(saves, 2, beside_largest(saves, 3)) - 2
    else:
        turned = every_other(saves, plies // 2, 0)
    if plies & 1:
        return SCALE * (2 - plies - 2 * turned + 2 * nth(turns, plies))
    return SCALE * (-plies - 2 * turned)


@native()
def last_two(workspace: AdjacencyWorkspace, marks: AdjacencyMarks, window: AdjacencyWindow) -> int:
    """Return the score two plies before the end, in 1/SCALE marks for the side to move.

    It is exact inside the *window* (alpha, beta); a lower bound from beta on, an upper one up to
    alpha. *marks* are those of the side to move, then its rival's. At least two cells must be
    empty: not checked.
    """
    alpha, beta = window
    left, turns, saves = view_of(workspace, marks)
    answer, second, empty = most(saves), nth(saves, 2), left
    best = -INFINITE_SCORE
    for turned in range(4, -1, -1):
        upper = 2 * SCALE * (turned - second)  # the rival has at least the second best answer
        if upper <= max(alpha, best):
            return max(best, upper)
        cells = left & turns[turned - 1] if turned else left
        left ^= cells
        while cells:
            cell = bottom_bit(cells)
            cells ^= cell
            least = second if most(within(saves, cell)) == answer else answer
            score = 2 * SCALE * (turned - least)
            if score > max(alpha, best):
                _, mine = after(workspace, marks, cell)
                score = 2 * SCALE * (turned - most(beside_at_least(mine, empty ^ cell)))
            best = max(best, score)
            if best >= beta:
                return best
    return best


@native()
def last_plies(
    workspace: AdjacencyWorkspace, marks: AdjacencyMarks, plies: int, window: AdjacencyWindow
) -> int:
    """Return the score when at most two plies are left, in 1/SCALE marks for the side to move.

    *plies* are 0, 1 or 2. With two it is exact inside the *window* (alpha, beta) only, a bound
    elsewhere; with one, exact; with none, 0. *marks* are those of the side to move, then its
    rival's.
    """
    if plies == 2:
        return last_two(workspace, marks, window)
    _, turns, _ = view_of(workspace, marks)
    return SCALE * plies * (1 + 2 * most(turns))


MOVE = Word(63)
"""The bits of an item that are its move."""
PROMISE_OFFSET = 10_000  # what makes a promise positive; the hint promises most

PLAIN_ORDER = (
    *((4, 0), (3, 1), (3, 0), (2, 2), (2, 1), (1, 3), (2, 0), (1, 2), (0, 4), (1, 1)),
    *((0, 3), (1, 0), (0, 2), (0, 1), (0, 0)),
)
"""The order to try moves: numbers of marks that a move turns and of own marks that it saves."""


@native()
def exactly(levels: Levels, number: int, cells: Word) -> Word:
    """Return those of *cells*, a bitboard, beside which *levels* count exactly *number* marks.

    *number* is 0 to 4; the result is a bitboard.
    """
    if number:
        cells &= levels[number - 1]
    return cells & ~levels[number] if number < 4 else cells


@native()
def list_plainly(moves: MoveList, view: AdjacencyView, hint: Word) -> Word:
    """Write to *moves* all moves: *hint* first, then by PLAIN_ORDER; return how many they are.

    So those that turn and save most come early. Each item is the number of a cell, from index 0 on.
    *view* is a result of `view_of`. *hint* is the number of an empty cell, which is not checked, or
    NO_MOVE.
    """
    left, turns, saves = view
    count = ZERO
    if hint <= MOVE:
        left ^= ONE << hint
        moves.items[count] = hint
        count += ONE
    for turned, saved in PLAIN_ORDER:
        cells = exactly(saves, saved, exactly(turns, turned, left))
        while cells:
            moves.items[count] = lowest(cells)
            count += ONE
            cells &= cells - ONE
    return count


@native()
def move_score(
    workspace: AdjacencyWorkspace, marks: AdjacencyMarks, view: AdjacencyView, cell: Word
) -> int:
    """Return a move's number for the move order: what it turns and saves, less what it loses.

    *cell* is the bit of the move's cell; *view* is the result of `view_of` for *marks*. The number
    is between about -1700 and 800; the move of the highest number is tried first.
    """
    empty, turns, saves = view
    _, mine = after(workspace, marks, cell)
    answers = beside_at_least(mine, empty ^ cell)
    good = 200 * most(within(turns, cell)) + 100 * most(within(saves, cell))
    return good - 200 * most(answers) - 15 * cell_count(answers[1])


@native()
def list_with_care(
    workspace: AdjacencyWorkspace,
    marks: AdjacencyMarks,
    moves: MoveList,
    view: AdjacencyView,
    hint: Word,
) -> Word:
    """Write to *moves* all moves: *hint* first, then the others by falling `move_score`.

    Return how many they are. Each item, from index 0 on, has the cell's number in its lowest six
    bits, and above them PROMISE_OFFSET plus the move's score, or 2 * PROMISE_OFFSET for *hint*.
    *view* is that of *marks* by `view_of`; *hint* is a cell's number or NO_MOVE.
    """
    count, cells = ZERO, view[0]
    while cells:
        cell = bottom_bit(cells)
        cells ^= cell
        move = lowest(cell)
        good = PROMISE_OFFSET if move == hint else move_score(workspace, marks, view, cell)
        insert(moves.items, count, Word(good + PROMISE_OFFSET) << Word(6) | move)
        count += ONE
    return count
