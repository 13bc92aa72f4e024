"""Ways to clear an Onet board without gravity, and tiles that no way can take.

Taking tiles away never closes a link. So to take all tiles of a kind at once, where they can be
linked, loses nothing; and a set of tiles of which none can be linked while only that set stands can
never be taken.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, native
from papan.games.onet.kernel import (
    CELLS,
    KIND,
    KINDS,
    TILES,
    cells_of,
    joins,
    lift,
    linked_pairs,
    put,
    stands,
)

FEW = np.uint64(4)
"""In kinds of more tiles than these, one way to take them all is tried instead of every."""


@native()
def take(board, moves, taken, first, second):
    """Take a pair away and write it down; the number of pairs *taken* so far."""
    lift(board, first)
    lift(board, second)
    moves[TWO * taken], moves[TWO * taken + ONE] = first, second
    return taken + ONE


@native()
def give_back(board, moves, taken, keep):
    """Put the pairs back that were taken last; *keep* the first ones."""
    for place in range(TWO * keep, TWO * taken):
        put(board, moves[place])
    return keep


@native()
def take_links(board, begin, end, moves, taken):
    """Take pairs of one kind, as they come, until none is linked."""
    place = begin
    while place < end:
        first = board[place]
        place += ONE
        if not stands(board, first):
            continue
        for further in range(place, end):
            second = board[further]
            if stands(board, second) and joins(board, first, second):
                taken = take(board, moves, taken, first, second)
                place = begin  # the pair may have been in the way of others
                break
    return taken


@native()
def any_stands(board, begin, end):
    """Does a tile of one kind still stand?"""
    place = begin
    while place < end and not stands(board, board[place]):
        place += ONE
    return place < end


@native()
def take_kind(board, kind, moves, taken):
    """Take all tiles of a kind, or none."""
    begin, end = cells_of(board, kind)
    before = taken
    for place in range(begin, end):
        for further in range(place + ONE, end):
            first, second = board[place], board[further]
            if stands(board, first) and stands(board, second) and joins(board, first, second):
                taken = take(board, moves, taken, first, second)
                taken = take_links(board, begin, end, moves, taken)
                if not any_stands(board, begin, end):
                    return taken
                taken = give_back(board, moves, taken, before)
                if end - begin > FEW:
                    return taken
    return taken


@native()
def take_whole_kinds(board, moves, taken):
    """Take whole kinds while there are any that can be taken at once."""
    kind = quiet = ZERO  # how many kinds in a row could not be taken
    while quiet < board[KINDS]:
        before = taken
        taken = take_kind(board, kind, moves, taken)
        quiet = quiet + ONE if taken == before else ZERO
        kind = kind + ONE if kind + ONE < board[KINDS] else ZERO
    return taken


@native()
def draw(seed, count):
    """A random number below *count*."""
    number = seed[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    seed[0] = number
    return (number >> np.uint64(32)) * count >> np.uint64(32)


@native()
def play_out(board, moves, pairs, taken, seed):
    """Take whole kinds, or else a random pair, until nothing is linked; the pairs taken."""
    while True:
        taken = take_whole_kinds(board, moves, taken)
        count = linked_pairs(board, pairs)
        if not count:
            return taken
        pick = TWO * draw(seed, count)
        taken = take(board, moves, taken, pairs[pick], pairs[pick + ONE])


@native()
def has_link(board, cell):
    """Is *cell* linked to any cell that had a tile of its kind?"""
    begin, end = cells_of(board, board[KIND + cell])
    for place in range(begin, end):
        if board[place] != cell and joins(board, cell, board[place]):
            return True
    return False


@native()
def standing(board, cells):
    """How many tiles stand; where goes to *cells*."""
    count = 0
    for place in range(CELLS, CELLS + board[TILES]):
        if stands(board, board[place]):
            cells[count] = board[place]
            count += 1
    return count


@native()
def relax(board, cells, count):
    """Take away each of the *cells* that has a link, even alone; how many can never be taken."""
    again = True
    while again:
        again = False
        kept = 0
        for place in range(count):
            cell = cells[place]
            if has_link(board, cell):
                lift(board, cell)
                again = True
            else:
                cells[kept] = cell
                kept += 1
        count = kept
    return count


@native()
def shrink(board, cells, count, scratch):
    """Leave a small part of the *cells*, only they standing, that can still never be taken."""
    place = 0
    while place < count:
        lift(board, cells[place])
        fewer = relax(board, scratch, standing(board, scratch))
        if fewer:
            for kept in range(fewer):
                cells[kept] = scratch[kept]
            count = fewer  # what was needed before is needed still, and stands in front
        else:
            for each in range(count):
                put(board, cells[each])
            place += 1
    return count
