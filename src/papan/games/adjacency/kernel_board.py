"""Adjacency boards for the kernels: what a search works on, its transposition table, bit tricks.

Every board lies in the top left corner of an 8x8 one: cell 8 * row + column, whatever its size.
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
    kinds,
    native,
    popcount,
    signed,
    span,
    words_at,
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
    transpositions: Word
    """Where the entries of the transposition table are."""
    mask: Word
    """The last slot of the table that has one after it."""
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
def one_of(cells: Word) -> Word:
    """The first of the cells, none if there is none."""
    return cells & (ZERO - cells)


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


# The transposition table. An entry is two words, and its key, 128 bits, is exact: it is mixed so
# that nothing is lost; one half is kept whole, of the other the top, and the bottom says where.

Place: TypeAlias = tuple[Word, Word, Word]
"""Where a key is kept, the first of two slots, and how to recognise it there: two words."""

FACTOR, OTHER_FACTOR, HALF = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(32)
FACTS = U(2**36 - 1)
"""The bits of an entry that are not its key: six of a move, six of the plies searched, twelve of
either bound."""
SIX_BITS, TWELVE_BITS = U(2**6 - 1), U(2**12 - 1)
REACH_AT, LOW_AT, HIGH_AT = U(6), U(12), U(24)
MIDDLE = 2_048  # what makes a score positive
NO_MOVE = U(64)


class Entry:
    """A position in the table."""

    half: Word
    """One half of its key."""
    rest: Word
    """The top of the other half, and what is known: the facts."""


entry_at = records_at(Entry)


@native()
def mixed(word: Word) -> Word:
    """A word in which every bit of *word* counts."""
    word *= FACTOR
    word ^= word >> HALF
    word *= OTHER_FACTOR
    return word ^ word >> HALF


@native()
def place_of(workspace: Workspace, key: tuple[Word, Word]) -> Place:
    """Where a key of two words is kept."""
    one, other = key
    one ^= mixed(other)
    other ^= mixed(one)
    return other & workspace.mask, one, other & ~FACTS


@native()
def is_at(entry: Entry, place: Place) -> bool:
    """Is an entry that of the key with this place?"""
    return bool(entry.half == place[1] and entry.rest & ~FACTS == place[2])


@native()
def reach_of(facts: Word) -> int:
    """How many plies ahead the search looked."""
    return signed(facts >> REACH_AT & SIX_BITS)


@native()
def recall(workspace: Workspace, place: Place, reach: int, bounds: Window) -> tuple[int, int, Word]:
    """The bounds, as close as the table knows them *reach* plies ahead, and the best move."""
    low, high = bounds
    for number in span(ZERO, TWO):
        entry = entry_at(workspace.transpositions, place[0] + number)
        facts = entry.rest & FACTS
        if facts and is_at(entry, place):
            if reach_of(facts) >= reach:
                low = max(low, signed(facts >> LOW_AT & TWELVE_BITS) - MIDDLE)
                high = min(high, signed(facts >> HIGH_AT & TWELVE_BITS) - MIDDLE)
            return low, high, facts & SIX_BITS
    return low, high, NO_MOVE


@native()
def keep(workspace: Workspace, place: Place, reach: int, bounds: Window, move: Word) -> None:
    """Remember a position: over what was known of it, or over a shorter search, or in slot two."""
    slot, one, other = place
    entry = entry_at(workspace.transpositions, slot)
    second = entry_at(workspace.transpositions, slot + ONE)
    if is_at(second, place) or (reach_of(entry.rest) > reach and not is_at(entry, place)):
        entry = second
    facts = U(bounds[0] + MIDDLE) << LOW_AT | U(bounds[1] + MIDDLE) << HIGH_AT
    entry.half, entry.rest = one, other | facts | U(reach) << REACH_AT | move


@native()
def bounds_after(found: int, window: Window, known: Window) -> Window:
    """The bounds of a score, once a search of a *window* has found it, that were *known* before."""
    return found if found > window[0] else known[0], found if found < window[1] else known[1]
