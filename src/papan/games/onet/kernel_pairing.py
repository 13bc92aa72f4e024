"""What a pairing of all tiles comes to: a way to clear an Onet board, or tiles that block it.

A pairing says for each tile which one it is to be taken with. It works exactly when taking its
pairs, as they become linked, takes them all: without gravity no order is worse than another. Where
it does not, let B be the tiles that are left. Whoever clears the board takes a first pair with a
tile of B, while all of B stands; so that pair is linked when only B stands. Every pairing that
works therefore has one of the pairs that touch B and are linked when only B stands.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from papan.engine.native import ONE, TWO, ZERO, native
from papan.games.onet.kernel import KIND, MATE, cells_of, joins, lift, put, stands
from papan.games.onet.kernel_clear import has_link, take


@native()
def follow(board, cells, count, moves):
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
            mate = board[MATE + cell]
            if joins(board, cell, mate):
                taken = take(board, moves, taken, cell, mate)
                again = True
            else:
                cells[kept] = cell
                kept += 1
        count = kept
    return count


@native()
def opens(board, cells, count, lifted):
    """Has lifting one cell linked anything to one of the *cells* that was not linked before?"""
    for place in range(count):
        cell = cells[place]
        begin, end = cells_of(board, board[KIND + cell])
        for other in range(begin, end):
            if board[other] != cell and joins(board, cell, board[other]):
                put(board, lifted)
                before = joins(board, cell, board[other])
                lift(board, lifted)
                if not before:
                    return True
    return False


@native()
def trim(board, cells, count):
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
def touching_pairs(board, cells, count, pairs):
    """How many pairs touch the *cells* and are linked when only these stand."""
    found = ZERO
    for place in range(count):
        cell = cells[place]
        begin, end = cells_of(board, board[KIND + cell])
        for other in range(begin, end):
            mate = board[other]
            if mate == cell or (mate < cell and stands(board, mate)):
                continue
            if joins(board, cell, mate):
                pairs[TWO * found], pairs[TWO * found + ONE] = cell, mate
                found += ONE
    return found


@native()
def put_all(board, cells):
    """Put the tiles back on *cells*."""
    for cell in cells:
        put(board, cell)


@native()
def try_pairing(board, whole, cells, moves):
    """How many tiles block the pairing when all of the *whole* stand at first; 0 if it works."""
    put_all(board, whole)
    for place in range(whole.size):
        cells[place] = whole[place]
    count = follow(board, cells, whole.size, moves)
    return trim(board, cells, count)
