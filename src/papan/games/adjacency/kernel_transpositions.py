"""The transposition table of Adjacency: bounds of a score, the depth searched, the best move.

Two words for each position. Its key, 128 bits, is mixed so that nothing is lost: one half is kept
whole, of the other half the top is kept and the bottom says where.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, load, native, store
from papan.games.adjacency.kernel_board import ROOM, U

FACTOR, OTHER_FACTOR, HALF = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(32)
ENTRY = U(2**36 - 1)
SIX_BITS, TWELVE_BITS = U(2**6 - 1), U(2**12 - 1)
REACH_AT, LOW_AT, HIGH_AT = U(6), U(12), U(24)
MIDDLE = 2_048  # what makes a score positive
NO_MOVE = U(64)


@native()
def mixed(word):
    """A word in which every bit of *word* counts."""
    word *= FACTOR
    word ^= word >> HALF
    word *= OTHER_FACTOR
    return word ^ word >> HALF


@native()
def place(tools, key):
    """Where a key of two words is kept: the first of two slots, and how to recognise it there."""
    one, other = key
    one ^= mixed(other)
    other ^= mixed(one)
    return (other & load(tools[1], ROOM)) * TWO, one, other & ~ENTRY


@native()
def entry(bounds, reach, move):
    """What is kept of a position in one word, which is not 0."""
    low, high = bounds
    word = U(low + MIDDLE) << LOW_AT | U(high + MIDDLE) << HIGH_AT
    return word | U(reach) << REACH_AT | move


@native()
def reach_of(word):
    """How many plies ahead the search looked whose entry is in *word*."""
    return np.int64(word >> REACH_AT & SIX_BITS)


@native()
def find(tools, at):
    """The entry of a position, 0 if there is none."""
    transpositions = tools[2]
    slot, one, other = at
    for each in (slot, slot + TWO):
        word = load(transpositions, each + ONE)
        if load(transpositions, each) == one and word & ~ENTRY == other:
            return word & ENTRY
    return ZERO


@native()
def recall(tools, at, reach, bounds):
    """The bounds, as close as the table knows them *reach* plies ahead, and the best move."""
    word = find(tools, at)
    low, high = bounds
    if word and reach_of(word) >= reach:
        low = max(low, np.int64(word >> LOW_AT & TWELVE_BITS) - MIDDLE)
        high = min(high, np.int64(word >> HIGH_AT & TWELVE_BITS) - MIDDLE)
    return low, high, word & SIX_BITS if word else NO_MOVE


@native()
def keep(tools, at, word):
    """Remember a position: over what was known of it, or over a shorter search, or in slot two."""
    transpositions = tools[2]
    slot, one, other = at
    first, second = load(transpositions, slot + ONE), load(transpositions, slot + TWO + ONE)
    if load(transpositions, slot + TWO) == one and second & ~ENTRY == other:
        slot += TWO
    elif load(transpositions, slot) != one or first & ~ENTRY != other:
        slot += TWO if reach_of(first) > reach_of(word) else ZERO
    store(transpositions, slot, one)
    store(transpositions, slot + ONE, other | word)
