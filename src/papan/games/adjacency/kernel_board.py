"""Adjacency boards for the kernels: what a search works on, its table, bounds, order of moves.

Every board lies in the top left corner of an 8x8 one: cell 8 * row + column, whatever its size.

First bit tricks, then the transposition table, and what shows without a search. There *turns* are
the levels of rival marks beside each empty cell: what a move there turns. *saves* are those of own
marks: what the rival could turn there. A score is what the side to move gains on its rival from the
present margin to the final one. Last the order in which moves are tried: pruning lives on it.
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
    Key,
    Transpositions,
    data_at,
    first_place,
    found,
    low_bits,
    put_entry,
)

U = np.uint64
NUMBER = kinds.int64
PAIR_OF_BOARDS = kinds.UniTuple(WORD, 2)
WINDOW = kinds.UniTuple(NUMBER, 2)
Marks: TypeAlias = tuple[Word, Word]
"""The marks of the side to move, then its rival's."""
Levels: TypeAlias = tuple[Word, Word, Word, Word]
"""The cells with at least one, two, three, four neighbours of some kind."""
View: TypeAlias = tuple[Word, Levels, Levels]
"""The empty cells, what a move on each turns, and what it saves."""
Window: TypeAlias = tuple[int, int]

SCALE = 8
"""Scores count eighths of a mark, so that estimates can be finer than the truth."""
INFINITE = 2_000  # a score beyond all others
ABORTED = 4_000  # what comes instead of a score from a search that was stopped
NO_MIRROR = U(64)

EIGHT = U(8)
NOT_FIRST, NOT_LAST = U(0xFEFEFEFEFEFEFEFE), U(0x7F7F7F7F7F7F7F7F)


class MoveList:
    """The moves of a position in the order to try: each in its lowest bits, see `MOVE`."""

    items: Annotated[Row[Word], 64]


class Workspace:
    """What one solution works with."""

    controls: Word
    """Where the words are that are shared with the caller: `papan.engine.control`."""
    transpositions: Transpositions
    halted: bool
    """Has the search been stopped?"""
    cells: Word
    """All cells; those with four neighbours; those with three."""
    fives: Word
    fours: Word
    mirror: Word
    """How far a square board lies from the far corner, where its diagonal can be a mirror."""
    beside: Annotated[Row[Word], 64]
    """For each cell, the cells beside it."""
    weights: Annotated[Row[np.int64], 64, 5]
    """For each number of plies left, what an estimate weighs."""
    lists: Annotated[Row[MoveList], 64]
    """For each number of plies left, the moves."""


WORKSPACE = kind(Workspace)
workspace_at = records_at(Workspace)


@native(kinds.boolean(WORKSPACE), inline=True)
def spent(workspace: Workspace) -> bool:
    """Count a node; True if there are no more to be spent."""
    if spend(words_at(workspace.controls)) == GOES_ON:
        return False
    workspace.halted = True
    return True


@native()
def count(cells: Word) -> int:
    """How many cells, as a signed number."""
    return signed(popcount(cells))


@native()
def around(cells: Word) -> Word:
    """Every cell that has one of *cells* beside it; it may lie off a small board."""
    return (cells & NOT_LAST) << ONE | (cells & NOT_FIRST) >> ONE | cells << EIGHT | cells >> EIGHT


@native()
def beside_at_least(cells: Word, where: Word) -> Levels:
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
def within(levels: Levels, cells: Word) -> Levels:
    """The same levels, of *cells* only."""
    return levels[0] & cells, levels[1] & cells, levels[2] & cells, levels[3] & cells


@native()
def nth(levels: Levels, number: int) -> int:
    """The number of neighbours that is *number*th from the top."""
    return (
        signed(count(levels[0]) >= number)
        + signed(count(levels[1]) >= number)
        + signed(count(levels[2]) >= number)
        + signed(count(levels[3]) >= number)
    )


@native()
def most(levels: Levels) -> int:
    """The largest number of neighbours that any cell has."""
    return (
        signed(levels[0] != ZERO)
        + signed(levels[1] != ZERO)
        + signed(levels[2] != ZERO)
        + signed(levels[3] != ZERO)
    )


# The transposition table. Of the key of a position 92 bits are kept, and its bucket tells more.

BUCKET = TWO, TWO
FACTOR, OTHER_FACTOR, HALF = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(32)
TAG_BITS = U(28)
SIX_BITS, TWELVE_BITS = U(2**6 - 1), U(2**12 - 1)
REACH_AT, LOW_AT, HIGH_AT = U(6), U(12), U(24)
"""The data of an entry: six bits of a move, six of the plies searched, twelve of either bound."""
MIDDLE = 2_048  # what makes a score positive
NO_MOVE = U(64)


@native()
def mixed(word: Word) -> Word:
    """A word in which every bit of *word* counts."""
    word *= FACTOR
    word ^= word >> HALF
    word *= OTHER_FACTOR
    return word ^ word >> HALF


@native()
def table_key(table: Transpositions, position: tuple[Word, Word]) -> Key:
    """What the table knows a position of two words by: mixed so that nothing is lost."""
    one, other = position
    one ^= mixed(other)
    other ^= mixed(one)
    return low_bits(table, other >> ONE << TAG_BITS | other >> U(64) - TAG_BITS), one


@native()
def reach_of(data: Word) -> int:
    """How many plies ahead the search looked."""
    return signed(data >> REACH_AT & SIX_BITS)


@native()
def recall(table: Transpositions, key: Key, reach: int, bounds: Window) -> tuple[int, int, Word]:
    """The bounds, as close as the table knows them *reach* plies ahead, and the best move."""
    low, high = bounds
    _, data = found(table, BUCKET, key)
    if data == ZERO:
        return low, high, NO_MOVE
    if reach_of(data) >= reach:
        low = max(low, signed(data >> LOW_AT & TWELVE_BITS) - MIDDLE)
        high = min(high, signed(data >> HIGH_AT & TWELVE_BITS) - MIDDLE)
    return low, high, data & SIX_BITS


@native()
def keep(table: Transpositions, key: Key, reach: int, bounds: Window, move: Word) -> None:
    """Remember a position: over what was known of it, or over a shorter search, or in slot two."""
    place, _ = found(table, BUCKET, key)
    if place == NOWHERE:
        place = first_place(table, BUCKET, key)
        if reach_of(data_at(table, BUCKET, place)) > reach:
            place += ONE
    data = U(bounds[0] + MIDDLE) << LOW_AT | U(bounds[1] + MIDDLE) << HIGH_AT
    put_entry(table, BUCKET, place, key, data | U(reach) << REACH_AT | move)


@native()
def bounds_after(found: int, window: Window, known: Window) -> Window:
    """The bounds of a score, once a search of a *window* has found it, that were *known* before."""
    return found if found > window[0] else known[0], found if found < window[1] else known[1]


# What shows without a search, near the end of a game.


@native()
def features(workspace: Workspace, marks: Marks) -> View:
    """The empty cells, what a move on each turns, and what it saves."""
    own, rival = marks
    empty = workspace.cells & ~(own | rival)
    return empty, beside_at_least(rival, empty), beside_at_least(own, empty)


@native()
def after(workspace: Workspace, marks: Marks, cell: Word) -> Marks:
    """The marks after a move on *cell*: those of the side to move then come first."""
    own, rival = marks
    turned = workspace.beside[lowest(cell)] & rival
    return rival ^ turned, own | turned | cell


@native()
def every_other(levels: Levels, picks: int, first: int) -> int:
    """The sum of *picks* numbers when two sides take the largest in turn; *first* is 0 or 1."""
    total = 0
    for each in range(4):
        total += (min(2 * picks - first, count(levels[each])) + first) // 2
    return total


@native()
def largest(levels: Levels) -> Word:
    """A cell with the largest number; none if all are 0."""
    cells = levels[0]
    for each in range(1, 4):
        if levels[each]:
            cells = levels[each]
    return bottom_bit(cells)


@native()
def beside_largest(levels: Levels, guards: int) -> int:
    """The largest number right beside the cells with the *guards* largest numbers."""
    cells = ZERO
    for _ in range(guards):
        cells |= largest(within(levels, ~cells))
    return most(within(levels, around(cells)))


@native()
def one_pick(levels: Levels, rank: int, beside: int) -> int:
    """What one move turns at most: the number of its *rank*, or a new mark and what is beside."""
    return max(nth(levels, rank), beside + 1)


@native()
def two_picks(levels: Levels, rank: int, beside: int) -> int:
    """What two moves turn at most: each as above, or the later one two new marks at once."""
    first, second = nth(levels, rank), nth(levels, rank + 2)
    each = one_pick(levels, rank, beside) + one_pick(levels, rank + 2, beside)
    return max(each, first + max(second, beside + 2))


@native()
def ceiling(plies: int, turns: Levels, saves: Levels) -> int:
    """The most that the side to move can gain: more would need a rival who does not defend.

    Let the rival always take the cell beside most of its own marks, and with the last move of the
    game the one beside most of ours. So we turn at best every other of the numbers in *turns*, in
    falling order. The rival's new marks become ours at best, but for one placed with the last move.
    Near the end it shows that whoever turns a new mark, right beside it, gets less elsewhere.
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
    """The least that the side to move can make sure of: the same with the roles exchanged."""
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
def last_two(workspace: Workspace, marks: Marks, window: Window) -> int:
    """The score two plies before the end; exact inside the *window*, a bound elsewhere."""
    alpha, beta = window
    left, turns, saves = features(workspace, marks)
    answer, second, empty = most(saves), nth(saves, 2), left
    best = -INFINITE
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
def last_plies(workspace: Workspace, marks: Marks, plies: int, window: Window) -> int:
    """The score when at most two plies are left."""
    if plies == 2:
        return last_two(workspace, marks, window)
    _, turns, _ = features(workspace, marks)
    return SCALE * plies * (1 + 2 * most(turns))


MOVE = U(63)
"""The part of an item that says which move it is."""
PROMISE = 10_000  # what makes a promise positive; the hint promises most

PLAIN = (
    *((4, 0), (3, 1), (3, 0), (2, 2), (2, 1), (1, 3), (2, 0), (1, 2), (0, 4), (1, 1)),
    *((0, 3), (1, 0), (0, 2), (0, 1), (0, 0)),
)
"""How many marks a move turns and how many own ones it saves, in the order to try."""


@native()
def exactly(levels: Levels, number: int, cells: Word) -> Word:
    """Those of *cells* that have exactly so many neighbours."""
    if number:
        cells &= levels[number - 1]
    return cells & ~levels[number] if number < 4 else cells


@native()
def list_plainly(moves: MoveList, view: View, hint: Word) -> Word:
    """Write the moves, after the hint those that turn and save most: how many there are."""
    left, turns, saves = view
    count = ZERO
    if hint <= MOVE:
        left ^= ONE << hint
        moves.items[count] = hint
        count += ONE
    for turned, saved in PLAIN:
        cells = exactly(saves, saved, exactly(turns, turned, left))
        while cells:
            moves.items[count] = lowest(cells)
            count += ONE
            cells &= cells - ONE
    return count


@native()
def move_score(workspace: Workspace, marks: Marks, view: View, cell: Word) -> int:
    """How good a move looks: what it turns and saves, less what the rival can turn next."""
    empty, turns, saves = view
    _, mine = after(workspace, marks, cell)
    answers = beside_at_least(mine, empty ^ cell)
    good = 200 * most(within(turns, cell)) + 100 * most(within(saves, cell))
    return good - 200 * most(answers) - 15 * count(answers[1])


@native()
def list_with_care(
    workspace: Workspace, marks: Marks, moves: MoveList, view: View, hint: Word
) -> Word:
    """Write the moves, after the hint the best promise: how many there are."""
    count, cells = ZERO, view[0]
    while cells:
        cell = bottom_bit(cells)
        cells ^= cell
        move = lowest(cell)
        good = PROMISE if move == hint else move_score(workspace, marks, view, cell)
        insert(moves.items, count, U(good + PROMISE) << U(6) | move)
        count += ONE
    return count
