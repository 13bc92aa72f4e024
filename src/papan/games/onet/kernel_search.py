"""Depth-first search with memory for Onet boards where taking tiles may close links.

That can happen with gravity, and by the paper's narrower rule. What was searched in vain is
remembered. The search starts over now and then, with another order of moves and more patience, so
that one bad early move does not hold it up for long.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import MOST_NODES, NODES, STOP, Words
from papan.engine.native import ONE, TWO, ZERO, native
from papan.games.onet.kernel import HEIGHT, WIDTH, lay, linked_pairs, pairs_alike
from papan.games.onet.kernel_clear import draw
from papan.games.onet.kernel_narrow import narrow_pairs

BEST, NARROW, PARTIAL = 3, 4, 5
"""More words shared with the caller: the most pairs taken so far, the variant of the game, and
whether some moves were left out for want of room."""

CLEARED, EXHAUSTED, STOPPED, IMPATIENT = 1, 2, 3, 4
"""How a search ends: with the board cleared, with every way tried, or before."""

FIRST_BUDGET = 1_000  # nodes before the first new start
PROBES = 4
LOOK_EVERY = np.uint64(255)


class Search(NamedTuple):
    """The path from the start to the position looked at, and what is shared by all of them."""

    words: Words
    board: Words
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
    seed: Words


@native()
def fall(tiles, paths):
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
def fingerprint(tiles, salt):
    """A number that stands for the tiles."""
    number = salt
    for tile in tiles:
        number = (number ^ np.uint64(tile)) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(29)
    return number


@native()
def find(memory, tiles):
    """Where the tiles are remembered, or would be; and the word that stands for them."""
    word = fingerprint(tiles, np.uint64(0x2545F4914F6CDD1D)) | ONE
    place = fingerprint(tiles, np.uint64(0xD1342543DE82EF95)) & np.uint64(memory.size - PROBES)
    for probe in range(PROBES):
        there = place + np.uint64(probe)
        if memory[there] == word or memory[there] == ZERO:
            return there, word
    return place + (word >> np.uint64(62)), word


@native()
def expand(search, depth):
    """Find the pairs that can be taken at *depth*, in a random order."""
    board, tiles = search.board, search.tiles[depth]
    begin = search.ends[depth]
    lay(board, tiles, np.int64(board[HEIGHT]), np.int64(board[WIDTH]))
    search.tried[depth] = search.ends[depth + 1] = begin
    room = np.uint64(search.pairs.size) // TWO - begin
    if pairs_alike(board) > room:
        search.words[PARTIAL] = ONE
        return
    pairs = search.pairs[np.int64(TWO * begin) :]
    if search.words[NARROW]:
        count = narrow_pairs(board, tiles, pairs)
    else:
        count = linked_pairs(board, pairs)
    shuffle(pairs, count, search.seed)
    search.ends[depth + 1] = begin + count


@native()
def shuffle(pairs, count, seed):
    """Put pairs in a random order."""
    while count > ONE:
        other = TWO * draw(seed, count)
        count -= ONE
        last = TWO * count
        pairs[last], pairs[other] = pairs[other], pairs[last]
        pairs[last + ONE], pairs[other + ONE] = pairs[other + ONE], pairs[last + ONE]


@native()
def take_next(search, depth):
    """Take the next pair of *depth*; are there tiles left?"""
    pair = TWO * search.tried[depth]
    search.tried[depth] += ONE
    before, tiles, left = search.tiles[depth], search.tiles[depth + 1], -2
    for cell in range(tiles.size):
        tiles[cell] = before[cell]
        left += tiles[cell] > 0
    tiles[search.pairs[pair]] = tiles[search.pairs[pair + ONE]] = 0
    fall(tiles, search.paths)
    if np.uint64(depth) >= search.words[BEST]:
        search.words[BEST] = np.uint64(depth + 1)
        for taken in range(depth + 1):
            pair = TWO * (search.tried[taken] - ONE)
            search.best[2 * taken] = search.pairs[pair]
            search.best[2 * taken + 1] = search.pairs[pair + ONE]
    return left > 0


@native()
def descend(search, most_nodes):
    """Search from the start, for a while."""
    words, depth = search.words, 0
    expand(search, 0)
    while True:
        if search.tried[depth] == search.ends[depth + 1]:
            place, word = find(search.memory, search.tiles[depth])
            search.memory[place] = word
            if depth == 0:
                return STOPPED if words[PARTIAL] else EXHAUSTED
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
def explore(search):
    """Search until the board is cleared, every way is tried, or the caller stops it."""
    budget = np.uint64(FIRST_BUDGET)
    while True:
        outcome = descend(search, search.words[NODES] + budget)
        if outcome != IMPATIENT:
            return outcome
        budget *= TWO
