"""The transposition table of Tic Tac Toe: bounds of scores by position; it grows as it fills."""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import int64, types

from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    WORDS,
    ZERO,
    load,
    native,
    popcount,
    store,
    words_at,
)
from papan.games.tictactoe.kernel_bounds import MASK, TRANSPOSITIONS

U = np.uint64

ENTRY, BUCKET = U(3), U(6)
"""Two entries in a bucket, each: own marks, rival marks, bounds."""
FIRST_BUCKETS = 1 << 10
BOTTOM = 128  # added to a score where it is written down, so that it is not negative
BYTE, EIGHT = U(255), U(8)


@native(WORD(WORD, WORD))
def mix(own, rival):
    """A number that spreads positions over the table."""
    mixed = own * U(0x9E3779B97F4A7C15) ^ rival * U(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> U(29)) * U(0xBF58476D1CE4E5B9)
    return mixed ^ mixed >> U(32)


@native(types.void(WORDS))
def double(workspace):
    """Make the table twice as large: whatever is at home in the new half moves there."""
    transpositions, buckets = words_at(load(workspace, TRANSPOSITIONS)), load(workspace, MASK) + ONE
    store(workspace, MASK, buckets + buckets - ONE)
    for entry in range(ZERO, buckets * BUCKET, ENTRY):
        own, rival = load(transpositions, entry), load(transpositions, entry + ONE)
        if mix(own, rival) & buckets:
            away = entry + buckets * BUCKET
            store(transpositions, away, own)
            store(transpositions, away + ONE, rival)
            store(transpositions, away + TWO, load(transpositions, entry + TWO))
            store(transpositions, entry + TWO, ZERO)


@native(types.UniTuple(int64, 2)(WORD, WORD, WORDS))
def recall(own, rival, workspace):
    """The bounds that the table has for a position."""
    transpositions = words_at(load(workspace, TRANSPOSITIONS))
    bucket = (mix(own, rival) & load(workspace, MASK)) * BUCKET
    for entry in (bucket, bucket + ENTRY):
        if load(transpositions, entry) == own and load(transpositions, entry + ONE) == rival:
            bounds = load(transpositions, entry + TWO)
            if bounds:
                return int64(bounds & BYTE) - BOTTOM, int64(bounds >> EIGHT) - BOTTOM
    return -BOTTOM, BOTTOM


@native(types.void(WORD, WORD, int64, int64, WORDS))
def remember(own, rival, low, high, workspace):
    """Put a position into the table: of the two in its bucket, the fuller board gives way."""
    transpositions = words_at(load(workspace, TRANSPOSITIONS))
    entry = (mix(own, rival) & load(workspace, MASK)) * BUCKET
    known_own, known_rival = load(transpositions, entry), load(transpositions, entry + ONE)
    fuller = popcount(own | rival) > popcount(known_own | known_rival)
    known = own == known_own and rival == known_rival
    if fuller and not known and load(transpositions, entry + TWO):
        entry += ENTRY
    store(transpositions, entry, own)
    store(transpositions, entry + ONE, rival)
    store(transpositions, entry + TWO, U(low + BOTTOM) | U(high + BOTTOM) << EIGHT)
