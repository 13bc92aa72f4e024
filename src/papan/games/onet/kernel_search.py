"""Depth-first search with memory for Onet boards where taking tiles may close links.

That can happen with gravity, and by the paper's narrower rule. What was searched in vain is
remembered. The search starts over now and then, with another order of moves and more patience, so
that one bad early move does not hold it up for long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.engine.control import MOST_NODES, NODES, STOP, Words
from papan.engine.native import ONE, TWO, ZERO, Word, native, signed
from papan.games.onet.kernel import Board, Tiles, fill_board, linked_pairs, narrow_pairs
from papan.games.onet.kernel_clear import draw

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
