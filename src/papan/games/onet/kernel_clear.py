"""Ways to clear an Onet board, and tiles that no way can take.

Without gravity, taking tiles away never closes a link. So to take all tiles of a kind at once,
where they can be linked, loses nothing; and a set of tiles of which none can be linked while only
that set stands can never be taken.

A pairing says for each tile which one it is to be taken with. It works exactly when taking its
pairs, as they become linked, takes them all: no order is worse than another. Where it does not, let
B be the tiles that are left. Whoever clears the board takes a first pair with a tile of B, while
all of B stands; so that pair is linked when only B stands. Every pairing that works therefore has
one of the pairs that touch B and are linked when only B stands.

With gravity, and by the paper's rule, a depth-first search with memory stands at the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import MOST_NODES, NODES, STOP, Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, scaled, signed, span, xorshift
from papan.games.onet.kernel import (
    Board,
    Tiles,
    alike,
    board_at,
    fill_board,
    joins,
    lift,
    linked_pairs,
    narrow_pairs,
    put,
    stands,
)

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
    board.seed = xorshift(board.seed)
    return scaled(board.seed, count)


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


# Depth-first search with memory for boards where taking tiles may close links: with gravity, and by
# the paper's narrower rule. What was searched in vain is remembered. The search starts over now and
# then, with another order of moves and more patience, so that one bad early move does not hold it
# up for long.

CLEARED, EXHAUSTED, STOPPED, IMPATIENT = 1, 2, 3, 4
"""How a search ends: with the board cleared, with every way tried, or before."""

FIRST_BUDGET = 1_000  # nodes before the first new start
PROBES = 4
LOOK_EVERY = np.uint64(255)


class Progress:
    """What a search and its caller tell each other."""

    narrow: Word
    """Is it the rule of the paper?"""
    partial: Word
    """Were some moves left out for want of room?"""
    taken: Word
    """The most pairs taken so far."""


class Search(NamedTuple):
    """The path from the start to the position looked at, and what is shared by all of them."""

    words: Words
    """See `papan.engine.control`."""
    progress: NDArray[Any]
    board: NDArray[Any]
    """One record each."""
    tiles: NDArray[np.int64]
    """The tiles at each depth."""
    paths: NDArray[np.int64]
    """The cells that tiles move along, a row for each way; -1 where one is shorter."""
    pairs: Words
    """The pairs that can be taken at each depth, one depth after the other."""
    ends: Words
    """Where the pairs of each depth end; before the first depth they end at 0."""
    tried: Words
    """Which pair of each depth was taken last, plus one."""
    best: Words
    """The pairs taken on the path that took most."""
    memory: Words
    """Fingerprints of positions that were searched in vain."""


@native()
def fall(tiles: Tiles, paths: NDArray[np.int64]) -> None:
    """Move tiles along the *paths* into the holes, in the order they stand in."""
    for path in paths:
        filled = 0
        for cell in path:
            if cell < 0:
                break
            tile = tiles[cell]
            if tile:
                tiles[cell] = 0
                tiles[path[filled]] = tile
                filled += 1


@native()
def fingerprint(tiles: Tiles, salt: Word) -> Word:
    """A number that stands for the tiles."""
    number = salt
    for tile in tiles:
        number = (number ^ np.uint64(tile)) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(29)
    return number


@native()
def find(memory: Words, tiles: Tiles) -> tuple[Word, Word]:
    """Where the tiles are remembered, or would be; and the word that stands for them."""
    word = fingerprint(tiles, np.uint64(0x2545F4914F6CDD1D)) | ONE
    place = fingerprint(tiles, np.uint64(0xD1342543DE82EF95)) & np.uint64(memory.size - PROBES)
    for probe in range(PROBES):
        there = place + np.uint64(probe)
        if memory[there] == word or memory[there] == ZERO:
            return there, word
    return place + (word >> np.uint64(62)), word


@native()
def expand(search: Search, depth: int) -> None:
    """Find the pairs that can be taken at *depth*, in a random order."""
    board, tiles = search.board[0], search.tiles[depth]
    begin = search.ends[depth]
    fill_board(board, tiles, signed(board.height), signed(board.width))
    search.tried[depth] = search.ends[depth + 1] = begin
    room = np.uint64(search.pairs.size) // TWO - begin
    if board.pairs > room:
        search.progress[0].partial = ONE
        return
    pairs = search.pairs[np.int64(TWO * begin) :]
    if search.progress[0].narrow:
        count = narrow_pairs(board, tiles, pairs)
    else:
        count = linked_pairs(board, pairs)
    shuffle(board, pairs, count)
    search.ends[depth + 1] = begin + count


@native()
def shuffle(board: Board, pairs: Words, count: Word) -> None:
    """Put pairs in a random order."""
    while count > ONE:
        other = TWO * draw(board, count)
        count -= ONE
        last = TWO * count
        pairs[last], pairs[other] = pairs[other], pairs[last]
        pairs[last + ONE], pairs[other + ONE] = pairs[other + ONE], pairs[last + ONE]


@native()
def take_next(search: Search, depth: int) -> bool:
    """Take the next pair of *depth*; are there tiles left?"""
    pair = TWO * search.tried[depth]
    search.tried[depth] += ONE
    before, tiles, left = search.tiles[depth], search.tiles[depth + 1], -2
    for cell in range(tiles.size):
        tiles[cell] = before[cell]
        left += tiles[cell] > 0
    tiles[search.pairs[pair]] = tiles[search.pairs[pair + ONE]] = 0
    fall(tiles, search.paths)
    if np.uint64(depth) >= search.progress[0].taken:
        search.progress[0].taken = np.uint64(depth + 1)
        for taken in range(depth + 1):
            pair = TWO * (search.tried[taken] - ONE)
            search.best[2 * taken] = search.pairs[pair]
            search.best[2 * taken + 1] = search.pairs[pair + ONE]
    return left > 0


@native()
def descend(search: Search, most_nodes: Word) -> int:
    """Search from the start, for a while."""
    words, depth = search.words, 0
    expand(search, 0)
    while True:
        if search.tried[depth] == search.ends[depth + 1]:
            place, word = find(search.memory, search.tiles[depth])
            search.memory[place] = word
            if depth == 0:
                return STOPPED if search.progress[0].partial else EXHAUSTED
            depth -= 1
            continue
        if words[NODES] >= words[MOST_NODES] or (words[NODES] & LOOK_EVERY == 0 and words[STOP]):
            return STOPPED
        if words[NODES] >= most_nodes:
            return IMPATIENT
        words[NODES] += ONE
        if not take_next(search, depth):
            return CLEARED
        place, word = find(search.memory, search.tiles[depth + 1])
        if search.memory[place] != word:
            depth += 1
            expand(search, depth)


@native()
def explore(search: Search) -> int:
    """Search until the board is cleared, every way is tried, or the caller stops it."""
    budget = np.uint64(FIRST_BUDGET)
    while True:
        outcome = descend(search, search.words[NODES] + budget)
        if outcome != IMPATIENT:
            return outcome
        budget *= TWO
