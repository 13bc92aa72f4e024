"""Ways to clear an Onet board, and tiles that can never be taken.

Without gravity, taking tiles away never closes a link. So to take all tiles of a kind at once,
where they can be linked, loses nothing; and a set of tiles of which none can be linked while only
that set stands can never be taken.

A pairing assigns each tile the one it is taken with. It works exactly when taking its pairs, as
they become linked, takes them all: no order is worse than another. Where it does not, let B be the
tiles that are left. Every way to clear the board takes a first pair with a tile of B, while all of
B stands; so that pair is linked when only B stands. Every pairing that works therefore contains one
of the pairs that touch B and are linked when only B stands.

For gravity, and for the paper's rule, there is a depth-first search with memory at the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import MOST_NODES, NODES, STOP, Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, scaled_random, signed, span, xorshift
from papan.games.onet.kernel import (
    OnetBoard,
    TileArray,
    alike,
    board_at,
    fill_board,
    joins,
    lift_tile,
    linked_pairs,
    narrow_pairs,
    put_tile,
    stands,
)

FEW_TILES = Word(4)
"""In kinds of more tiles than this, only one way to take them all is tried."""


@native()
def take(board: OnetBoard, moves: Words, taken: Word, first: Word, second: Word) -> Word:
    """Take a pair of tiles away and record it in *moves*; return *taken* + 1.

    *first* and *second* are the numbers of their cells, both with tiles; *taken* is the number of
    pairs in *moves* before, two words each.
    """
    lift_tile(board, first)
    lift_tile(board, second)
    moves[TWO * taken], moves[TWO * taken + ONE] = first, second
    return taken + ONE


@native()
def give_back(board: OnetBoard, moves: Words, taken: Word, keep: Word) -> Word:
    """Put the tiles of the pairs taken last back on the board; return *keep*.

    *moves* has *taken* pairs, two cells each, and is not changed; all after the first *keep* of
    them are put back.
    """
    for place in span(TWO * keep, TWO * taken):
        put_tile(board, moves[place])
    return keep


@native()
def take_links(board: OnetBoard, begin: Word, end: Word, moves: Words, taken: Word) -> Word:
    """Take linked pairs of one kind until none is linked; return the number of pairs taken so far.

    The cells of the kind are those from *begin* to *end* (not included) in `cells`; *taken* pairs
    were taken before, and are counted. Each new one is appended to *moves*.
    """
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
def any_stands(board: OnetBoard, begin: Word, end: Word) -> bool:
    """Return whether a tile of one kind still stands.

    Its cells are those from *begin* to *end* (not included) in `cells`.
    """
    place = begin
    while place < end and not stands(board, board.cells[place]):
        place += ONE
    return bool(place < end)


@native()
def take_kind(board: OnetBoard, kind: Word, moves: Words, taken: Word) -> Word:
    """Take all standing tiles of the kind numbered *kind*, or none; return the pairs taken so far.

    The result is *taken*, the number of pairs taken before, and those taken here; each new pair is
    appended to *moves*, two cells a pair. If the kind had more than FEW_TILES tiles at the start,
    only one way is tried, so that none may be taken where another way takes all.
    """
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
                if end - begin > FEW_TILES:
                    return taken
    return taken


@native()
def take_whole_kinds(board: OnetBoard, moves: Words, taken: Word) -> Word:
    """Take whole kinds of tiles until `take_kind` takes no more; return the pairs taken so far.

    The result is *taken*, the number of pairs taken before, and those taken here; each new pair is
    appended to *moves*, two cells a pair.
    """
    kind = quiet = ZERO  # how many kinds in a row could not be taken
    while quiet < board.kinds:
        before = taken
        taken = take_kind(board, kind, moves, taken)
        quiet = quiet + ONE if taken == before else ZERO
        kind = kind + ONE if kind + ONE < board.kinds else ZERO
    return taken


@native()
def prepare(board: OnetBoard, moves: Words, cells: Words) -> tuple[Word, int]:
    """Take whole kinds of tiles, as `take_whole_kinds` does; return (pairs taken, tiles that stay).

    Both are numbers. That loses nothing. Write the pairs to *moves*, two numbers of cells each, and
    the cells of the tiles that stay to *cells*; both must have room for all tiles: not checked.
    """
    return take_whole_kinds(board, moves, ZERO), standing_tiles(board, cells)


@native()
def random_below(board: OnetBoard, count: Word) -> Word:
    """Return a random number from 0 to *count* - 1, and advance the board's random state.

    *count* must be at least 1.
    """
    board.seed = xorshift(board.seed)
    return scaled_random(board.seed, count)


@native()
def put_all(board: OnetBoard, cells: Words) -> None:
    """Put the tiles back on *cells*, an array of their numbers."""
    for cell in cells:
        put_tile(board, cell)


@native()
def random_clearing(
    board: OnetBoard, whole: Words, moves: Words, pairs: Words, taken: Word
) -> Word:
    """Take random pairs until nothing is linked; return the number of pairs taken in all.

    First the tiles on the cells *whole* are put back: those that stood after `prepare`. *taken* is
    the number of pairs that `prepare` took; those taken here follow them in *moves*, two cells
    each. Before each random pair whole kinds are taken, as `take_whole_kinds` does. *pairs* is a
    buffer with room for `OnetBoard.pairs` pairs: not checked.
    """
    put_all(board, whole)
    while True:
        taken = take_whole_kinds(board, moves, taken)
        count = linked_pairs(board, pairs)
        if not count:
            return taken
        pick = TWO * random_below(board, count)
        taken = take(board, moves, taken, pairs[pick], pairs[pick + ONE])


@native()
def has_link(board: OnetBoard, cell: Word) -> bool:
    """Return whether a line links *cell*, a number, to another one that had a tile of its kind.

    The tile on the other cell may be gone.
    """
    begin, end = alike(board, board.kind[cell])
    for place in span(begin, end):
        if board.cells[place] != cell and joins(board, cell, board.cells[place]):
            return True
    return False


@native()
def standing_tiles(board: OnetBoard, cells: Words) -> int:
    """Write to *cells* the cells of all standing tiles, kind by kind; return their number."""
    count = 0
    for place in span(board.tiles):
        if stands(board, board.cells[place]):
            cells[count] = board.cells[place]
            count += 1
    return count


@native()
def relax(board: OnetBoard, cells: Words, count: int) -> int:
    """Take away single tiles that have a link, until none has; return how many still stand.

    The first *count* of *cells* are those of all tiles that stand. A link is one as in `has_link`.
    The tiles that still stand can never be taken; their cells come first in *cells* then.
    """
    again = True
    while again:
        again = False
        kept = 0
        for place in range(count):
            cell = cells[place]
            if has_link(board, cell):
                lift_tile(board, cell)
                again = True
            else:
                cells[kept] = cell
                kept += 1
        count = kept
    return count


@native()
def shrink(board: OnetBoard, cells: Words, count: int, scratch: Words) -> int:
    """Reduce a set of tiles that can never be taken to a part like it; return the part's size.

    No tile of the part can be left out: `relax` would take all others away. A smaller part of other
    tiles may exist. The first *count* of *cells* must be those of all tiles that stand, as `relax`
    leaves them: not checked. The cells of the part come first in *cells* then, and only its tiles
    stand. *scratch* is a buffer for *count* cells.
    """
    place = 0
    while place < count:
        lift_tile(board, cells[place])
        fewer = relax(board, scratch, standing_tiles(board, scratch))
        if fewer:
            for kept in range(fewer):
                cells[kept] = scratch[kept]
            count = fewer  # what was needed before is needed still, and stands in front
        else:
            for each in range(count):
                put_tile(board, cells[each])
            place += 1
    return count


@native()
def take_pairing(board: OnetBoard, cells: Words, count: int, moves: Words) -> int:
    """Take the pairs of `board.mate` that can be taken; return the number of tiles left.

    The first *count* of *cells* must be those of all tiles that stand, and `mate` must pair these:
    not checked. They are reordered, so that those of the tiles left come first. The pairs are
    written to *moves* from its beginning, two cells each.
    """
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
def opens(board: OnetBoard, cells: Words, count: int, lifted: Word) -> bool:
    """Return whether lifting the tile of *lifted* has linked one of the first *count* of *cells*.

    That is a link to any cell that had a tile of its kind. All are numbers of cells; the tile is
    lifted already, and is so again afterwards.
    """
    for place in range(count):
        cell = cells[place]
        begin, end = alike(board, board.kind[cell])
        for other in span(begin, end):
            if board.cells[other] != cell and joins(board, cell, board.cells[other]):
                put_tile(board, lifted)
                before = joins(board, cell, board.cells[other])
                lift_tile(board, lifted)
                if not before:
                    return True
    return False


@native()
def trim(board: OnetBoard, cells: Words, count: int) -> int:
    """Take away linked tiles that are in nobody's way; return how many are left, at least 1 if any.

    The first *count* of *cells* are those of all tiles that stand; those left come first then. A
    tile is taken away if that opens no link, as in `opens`, of another one. So fewer pairs are
    needed to explain why the rest cannot be taken.
    """
    place = 0
    while place < count and count > 1:
        cell = cells[place]
        if has_link(board, cell):
            lift_tile(board, cell)
            cells[place] = cells[count - 1]
            if not opens(board, cells, count - 1, cell):
                count -= 1
                continue
            cells[place] = cell
            put_tile(board, cell)
        place += 1
    return count


@native()
def touching_pairs(board: OnetBoard, cells: Words, count: int, pairs: Words) -> Word:
    """Write the linked pairs of equal cells with at least one of *cells*; return how many.

    The first *count* of *cells* are those of all tiles that stand: not checked. The other cell of a
    pair may have lost its tile. Each pair is two words of *pairs*, numbers of cells, and comes
    once; there must be room for `OnetBoard.pairs` of them.
    """
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
    """Try the pairing in `OnetBoard.mate`; return (tiles that block it, pairs to open them).

    Both are numbers. First the tiles on the cells *whole* are put back; the pairing must pair
    these, and no others may stand: not checked. Tiles: 0 if the pairing works; else the cells of
    those that block each other are the first of *cells*. Pairs: those that `touching_pairs` writes
    to *pairs*; any pairing that works has one of them. The pairs that were taken are written to
    *moves*, from its beginning. The board is given by its *address*: there are boards with
    thousands of pairings to try, and Python passes numbers faster than records.
    """
    board = board_at(Word(address), ZERO)
    put_all(board, whole)
    for place in range(whole.size):
        cells[place] = whole[place]
    count = trim(board, cells, take_pairing(board, cells, whole.size, moves))
    return count, touching_pairs(board, cells, count, pairs)


# Depth-first search with memory for boards where taking tiles may close links: with gravity, and by
# the paper's narrower rule. What was searched in vain is remembered. The search starts over now and
# then, with another order of moves and more patience, so that one bad early move does not hold it
# up for long.

CLEARED, EXHAUSTED, CLEARING_STOPPED, IMPATIENT = 1, 2, 3, 4
"""The outcome of a search: the board is cleared, every way was tried, it was stopped, or it
restarts.
"""

FIRST_BUDGET = 1_000
"""Nodes before the first restart."""
PROBES = 4
"""Words of the memory that may hold a position."""
POLL_MASK = np.uint64(255)
"""The stop flag is read when these bits of the node count are 0."""


class ClearingRecord:
    """Data that a depth-first search and its caller share, beside the controls."""

    narrow: Word
    """1 for the rule of the paper."""
    partial: Word
    """1 if some moves were left out for want of room."""
    taken: Word
    """Most pairs taken so far."""


class ClearingSearch(NamedTuple):
    """A depth-first search: the path to the current position, and its memory of positions."""

    words: Words
    """The controls: see `papan.engine.control`."""
    progress: NDArray[Any]
    """Array of one `ClearingRecord`."""
    board: NDArray[Any]
    """Array of one `OnetBoard`."""
    tiles: NDArray[np.int64]
    """The tiles at each depth: a row for each, from 0, the number of pairs taken."""
    paths: NDArray[np.int64]
    """The cells that tiles move along, a row for each path; -1 where one is shorter."""
    pairs: Words
    """The pairs that can be taken at each depth, two cells each, one depth after the other."""
    ends: Words
    """At index depth + 1 the end of that depth's pairs, counted in pairs; at index 0 stands 0."""
    tried: Words
    """For each depth the index of the next pair to try, counted in pairs."""
    best: Words
    """The pairs taken on the path that took most (`ClearingRecord.taken` pairs), two cells each."""
    memory: Words
    """Hashes of positions that were searched without success, else 0; a power of 2 words."""


@native()
def fall(tiles: TileArray, paths: NDArray[np.int64]) -> None:
    """Move *tiles* along the *paths* into the holes, in place; on each path they keep their order.

    *paths* are those of `ClearingSearch.paths`.
    """
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
def tiles_hash(tiles: TileArray, salt: Word) -> Word:
    """Return a 64-bit hash of the tiles of all cells; another *salt* gives another hash."""
    number = salt
    for tile in tiles:
        number = (number ^ np.uint64(tile)) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(29)
    return number


@native()
def memory_place(memory: Words, tiles: TileArray) -> tuple[Word, Word]:
    """Return the index at which a position is or would be in the *memory*, and its hash, never 0.

    PROBES words are looked at; where all are taken by others, the hash picks the one to overwrite.
    The position is there if the word at the index is the hash.
    """
    word = tiles_hash(tiles, np.uint64(0x2545F4914F6CDD1D)) | ONE
    place = tiles_hash(tiles, np.uint64(0xD1342543DE82EF95)) & np.uint64(memory.size - PROBES)
    for probe in range(PROBES):
        there = place + np.uint64(probe)
        if memory[there] == word or memory[there] == ZERO:
            return there, word
    return place + (word >> np.uint64(62)), word


@native()
def list_pairs(search: ClearingSearch, depth: int) -> None:
    """Write to `search.pairs` the pairs that can be taken at *depth*, in random order.

    *depth* is the number of pairs taken before. Fill `search.board` with the tiles of that depth,
    and write `tried` (the first pair) and the end of the pairs, in `ends`. If there is no room for
    all pairs of equal tiles, write no pair and set `partial` to 1.
    """
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
def shuffle(board: OnetBoard, pairs: Words, count: Word) -> None:
    """Put the first *count* of *pairs*, two words each, into random order, in place."""
    while count > ONE:
        other = TWO * random_below(board, count)
        count -= ONE
        last = TWO * count
        pairs[last], pairs[other] = pairs[other], pairs[last]
        pairs[last + ONE], pairs[other + ONE] = pairs[other + ONE], pairs[last + ONE]


@native()
def take_next(search: ClearingSearch, depth: int) -> bool:
    """Take the next pair of *depth* and write the tiles after it, fallen, at *depth* + 1.

    *depth* is the number of pairs taken before. Return whether tiles are left. A path longer than
    any before is recorded in `search.best`, and its length in `ClearingRecord.taken`. There must be
    a next pair: not checked.
    """
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
def descend(search: ClearingSearch, most_nodes: Word) -> int:
    """Search from the start until *most_nodes* have been counted, those before this call included.

    The start is the first row of `search.tiles`, with at least one tile: not checked. Return
    CLEARED (`search.best` has the pairs), EXHAUSTED (every way was tried), IMPATIENT (*most_nodes*
    reached), or CLEARING_STOPPED: by the controls, or at the end of a search in which some moves
    were left out. A node is a pair taken.
    """
    words, depth = search.words, 0
    list_pairs(search, 0)
    while True:
        if search.tried[depth] == search.ends[depth + 1]:
            place, word = memory_place(search.memory, search.tiles[depth])
            search.memory[place] = word
            if depth == 0:
                return CLEARING_STOPPED if search.progress[0].partial else EXHAUSTED
            depth -= 1
            continue
        if words[NODES] >= words[MOST_NODES] or (words[NODES] & POLL_MASK == 0 and words[STOP]):
            return CLEARING_STOPPED
        if words[NODES] >= most_nodes:
            return IMPATIENT
        words[NODES] += ONE
        if not take_next(search, depth):
            return CLEARED
        place, word = memory_place(search.memory, search.tiles[depth + 1])
        if search.memory[place] != word:
            depth += 1
            list_pairs(search, depth)


@native()
def explore(search: ClearingSearch) -> int:
    """Search with restarts; return CLEARED, EXHAUSTED or CLEARING_STOPPED, as `descend` does.

    The nodes before a restart double each time.
    """
    budget = np.uint64(FIRST_BUDGET)
    while True:
        outcome = descend(search, search.words[NODES] + budget)
        if outcome != IMPATIENT:
            return outcome
        budget *= TWO
