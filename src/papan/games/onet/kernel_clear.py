"""Ways to clear an Onet board without gravity, and tiles that no way can take.

Taking tiles away never closes a link. So to take all tiles of a kind at once, where they can be
linked, loses nothing; and a set of tiles of which none can be linked while only that set stands can
never be taken.

A pairing says for each tile which one it is to be taken with. It works exactly when taking its
pairs, as they become linked, takes them all: no order is worse than another. Where it does not, let
B be the tiles that are left. Whoever clears the board takes a first pair with a tile of B, while
all of B stands; so that pair is linked when only B stands. Every pairing that works therefore has
one of the pairs that touch B and are linked when only B stands.
"""

from __future__ import annotations

import numpy as np

from papan.engine.control import Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, span
from papan.games.onet.kernel import Board, alike, board_at, joins, lift, linked_pairs, put, stands

U = np.uint64
FEW = U(4)
"""In kinds of more tiles than these, one way to take them all is tried instead of every."""


@native()
def take(board: Board, moves: Words, taken: Word, first: Word, second: Word) -> Word:
    """Take a pair away and write it down; the number of pairs *taken* so far."""
    lift(board, first)
    lift(board, second)
    moves[TWO * taken], moves[TWO * taken + ONE] = first, second
    return taken + ONE


@native()
def give_back(board: Board, moves: Words, taken: Word, keep: Word) -> Word:
    """Put the pairs back that were taken last; *keep* the first ones."""
    for place in span(TWO * keep, TWO * taken):
        put(board, moves[place])
    return keep


@native()
def take_links(board: Board, begin: Word, end: Word, moves: Words, taken: Word) -> Word:
    """Take pairs of one kind, as they come, until none is linked."""
    place = begin
    while place < end:
        first = board.cells[place]
        place += ONE
        if not stands(board, first):
            continue
        for further in span(place, end):
            second = board.cells[further]
            if stands(board, second) and joins(board, first, second):
                taken = take(board, moves, taken, first, second)
                place = begin  # the pair may have been in the way of others
                break
    return taken


@native()
def any_stands(board: Board, begin: Word, end: Word) -> bool:
    """Does a tile of one kind still stand?"""
    place = begin
    while place < end and not stands(board, board.cells[place]):
        place += ONE
    return bool(place < end)


@native()
def take_kind(board: Board, kind: Word, moves: Words, taken: Word) -> Word:
    """Take all tiles of a kind, or none."""
    begin, end = alike(board, kind)
    before = taken
    for place in span(begin, end):
        for further in span(place + ONE, end):
            first, second = board.cells[place], board.cells[further]
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
def take_whole_kinds(board: Board, moves: Words, taken: Word) -> Word:
    """Take whole kinds while there are any that can be taken at once."""
    kind = quiet = ZERO  # how many kinds in a row could not be taken
    while quiet < board.kinds:
        before = taken
        taken = take_kind(board, kind, moves, taken)
        quiet = quiet + ONE if taken == before else ZERO
        kind = kind + ONE if kind + ONE < board.kinds else ZERO
    return taken


@native()
def prepare(board: Board, moves: Words, cells: Words) -> tuple[Word, int]:
    """Take whole kinds, which loses nothing: how many pairs these are, and how many tiles stay."""
    return take_whole_kinds(board, moves, ZERO), standing(board, cells)


@native()
def draw(board: Board, count: Word) -> Word:
    """A random number below *count*."""
    number = board.seed
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    board.seed = number
    return (number >> np.uint64(32)) * count >> np.uint64(32)


@native()
def put_all(board: Board, cells: Words) -> None:
    """Put the tiles back on *cells*."""
    for cell in cells:
        put(board, cell)


@native()
def play_out(board: Board, whole: Words, moves: Words, pairs: Words, taken: Word) -> Word:
    """Put the *whole* board up and take whole kinds, or else a random pair, until nothing is
    linked; the pairs taken.
    """
    put_all(board, whole)
    while True:
        taken = take_whole_kinds(board, moves, taken)
        count = linked_pairs(board, pairs)
        if not count:
            return taken
        pick = TWO * draw(board, count)
        taken = take(board, moves, taken, pairs[pick], pairs[pick + ONE])


@native()
def has_link(board: Board, cell: Word) -> bool:
    """Is *cell* linked to any cell that had a tile of its kind?"""
    begin, end = alike(board, board.kind[cell])
    for place in span(begin, end):
        if board.cells[place] != cell and joins(board, cell, board.cells[place]):
            return True
    return False


@native()
def standing(board: Board, cells: Words) -> int:
    """How many tiles stand; where goes to *cells*."""
    count = 0
    for place in span(board.tiles):
        if stands(board, board.cells[place]):
            cells[count] = board.cells[place]
            count += 1
    return count


@native()
def relax(board: Board, cells: Words, count: int) -> int:
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
def shrink(board: Board, cells: Words, count: int, scratch: Words) -> int:
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


@native()
def follow(board: Board, cells: Words, count: int, moves: Words) -> int:
    """Take the pairs of the pairing that can be taken, and write them down; the tiles left."""
    taken = ZERO
    again = True
    while again:
        again = False
        kept = 0
        for place in range(count):
            cell = cells[place]
            if not stands(board, cell):
                continue
            mate = board.mate[cell]
            if joins(board, cell, mate):
                taken = take(board, moves, taken, cell, mate)
                again = True
            else:
                cells[kept] = cell
                kept += 1
        count = kept
    return count


@native()
def opens(board: Board, cells: Words, count: int, lifted: Word) -> bool:
    """Has lifting one cell linked anything to one of the *cells* that was not linked before?"""
    for place in range(count):
        cell = cells[place]
        begin, end = alike(board, board.kind[cell])
        for other in span(begin, end):
            if board.cells[other] != cell and joins(board, cell, board.cells[other]):
                put(board, lifted)
                before = joins(board, cell, board.cells[other])
                lift(board, lifted)
                if not before:
                    return True
    return False


@native()
def trim(board: Board, cells: Words, count: int) -> int:
    """Lift tiles that are linked but block nothing: the rest says more with fewer pairs."""
    place = 0
    while place < count and count > 1:
        cell = cells[place]
        if has_link(board, cell):
            lift(board, cell)
            cells[place] = cells[count - 1]
            if not opens(board, cells, count - 1, cell):
                count -= 1
                continue
            cells[place] = cell
            put(board, cell)
        place += 1
    return count


@native()
def touching_pairs(board: Board, cells: Words, count: int, pairs: Words) -> Word:
    """How many pairs touch the *cells* and are linked when only these stand."""
    found = ZERO
    for place in range(count):
        cell = cells[place]
        begin, end = alike(board, board.kind[cell])
        for other in span(begin, end):
            mate = board.cells[other]
            if mate == cell or (mate < cell and stands(board, mate)):
                continue
            if joins(board, cell, mate):
                pairs[TWO * found], pairs[TWO * found + ONE] = cell, mate
                found += ONE
    return found


@native()
def try_pairing(
    address: int, whole: Words, cells: Words, moves: Words, pairs: Words
) -> tuple[int, Word]:
    """How many tiles block the pairing when all of the *whole* stand at first; 0 if it works.

    And how many pairs would open them. The board is known by its address: there are boards with
    thousands of pairings to try, and Python hands numbers over faster than records.
    """
    board = board_at(U(address), ZERO)
    put_all(board, whole)
    for place in range(whole.size):
        cells[place] = whole[place]
    count = trim(board, cells, follow(board, cells, whole.size, moves))
    return count, touching_pairs(board, cells, count, pairs)
