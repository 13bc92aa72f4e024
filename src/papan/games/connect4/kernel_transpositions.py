"""The transposition table of Connect 4: exact keys, both bounds, and how much work they took.

A key has two halves. The first is mixed, which can be undone, into the number of a bucket and a
tag; an entry holds the tag, the data above it, and the second half: no two positions share a key.
The second word is stored mixed with the first, so that an entry half written by another thread
matches nothing. Threads that share a table also note which positions they are searching: moves that
lead there are put off (ABDADA).
"""

# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np

from papan.engine.native import (
    ONE,
    TWO,
    ZERO,
    highest,
    load,
    load_shared,
    native,
    store,
    store_shared,
    words_at,
)
from papan.games.connect4.kernel_layout import (
    BEING_SEARCHED,
    BUCKET,
    GROW_AT,
    KEY_BITS,
    MOST_BUCKETS,
    SEARCH_MARKS,
    TAG_BITS,
    TRANSPOSITIONS,
)

MIX, MIX_REST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
BOUND_BITS, BOUND = np.uint64(7), np.uint64(127)
BIAS = 64
WORK = np.uint64(14)
"""Where the work lies in the data: above both bounds."""
BUCKET_WORDS = np.uint64(BUCKET)
NOTHING = np.uint64(0)
THREE = np.uint64(3)


@native(inline=True)
def bucket_of(words, key):
    """Where the bucket of a mixed key begins."""
    return (key >> load(words, TAG_BITS)) * BUCKET_WORDS


@native(inline=True)
def look_up(words, key, rest):
    """What the table knows of a position, as data; nothing if it does not know it."""
    transpositions, bits = words_at(load(words, TRANSPOSITIONS)), load(words, TAG_BITS)
    mask = (ONE << bits) - ONE
    place = (key >> bits) * BUCKET_WORDS
    for _ in range(BUCKET // 2):
        first, second = load(transpositions, place), load(transpositions, place + ONE)
        if first & mask == key & mask and first ^ second == rest:
            return first >> bits
        place += TWO
    return NOTHING


@native(inline=True)
def bounds_of(data):
    """The bounds that data hold; those of nothing are as wide as can be."""
    low = np.int64(data & BOUND) - BIAS
    return low, BIAS - np.int64(data >> BOUND_BITS & BOUND)


@native(inline=True)
def data_of(low, high, work):
    """Bounds, and the nodes it took to find them, as data."""
    effort = highest(work | ONE) + ONE
    return np.uint64(low + BIAS) | np.uint64(BIAS - high) << BOUND_BITS | effort << WORK


@native(inline=True)
def keep(words, key, rest, data):
    """Write data of a position in the place of its own old ones, or of the least work."""
    transpositions, bits = words_at(load(words, TRANSPOSITIONS)), load(words, TAG_BITS)
    mask = (ONE << bits) - ONE
    place = (key >> bits) * BUCKET_WORDS
    chosen, least = place, ~ZERO
    for _ in range(BUCKET // 2):
        first, second = load(transpositions, place), load(transpositions, place + ONE)
        if first & mask == key & mask and first ^ second == rest:
            chosen = place
            break
        if first >> bits + WORK < least:
            chosen, least = place, first >> bits + WORK
        place += TWO
    entry = data << bits | key & mask
    store(transpositions, chosen, entry)
    store(transpositions, chosen + ONE, entry ^ rest)


@native()
def grow(words):
    """Make the table four times as large, in place: each bucket becomes four."""
    transpositions, bits = words_at(load(words, TRANSPOSITIONS)), load(words, TAG_BITS)
    buckets = ONE << load(words, KEY_BITS) - bits
    store(words, GROW_AT, load(words, GROW_AT) * TWO * TWO)
    if buckets * TWO * TWO > load(words, MOST_BUCKETS):
        store(words, GROW_AT, ~ZERO)
        return
    store(words, TAG_BITS, bits - TWO)
    for number in range(buckets):
        _split(transpositions, buckets - ONE - np.uint64(number), bits)


@native(inline=True)
def _split(transpositions, bucket, bits):
    """Spread the entries of a bucket over four; all buckets behind it have been spread."""
    mask = (ONE << bits - TWO) - ONE
    for entry in range(BUCKET // 2):
        place = bucket * BUCKET_WORDS + TWO * np.uint64(entry)
        first, second = load(transpositions, place), load(transpositions, place + ONE)
        target = (bucket * BUCKET_WORDS << TWO) + TWO * np.uint64(entry)
        for quarter in range(4):
            store(transpositions, target + np.uint64(quarter) * BUCKET_WORDS, ZERO)
            store(transpositions, target + np.uint64(quarter) * BUCKET_WORDS + ONE, ZERO)
        target += (first >> bits - TWO & THREE) * BUCKET_WORDS
        moved = first >> bits << bits - TWO | first & mask
        store(transpositions, target, moved)
        store(transpositions, target + ONE, moved ^ first ^ second)


PLACE = np.uint64(SEARCH_MARKS - 1)
SMALL = 14
"""With fewer empty cells than that a search is soon over: to tell of it would cost more."""


@native(inline=True)
def being_searched(words, key):
    """Is another thread searching the position of this key?"""
    notes = load(words, BEING_SEARCHED)
    return notes != ZERO and load_shared(words_at(notes), key & PLACE) == key


@native(inline=True)
def mark_searched(words, key, left):
    """Tell other threads that the position of this key is being searched."""
    notes = load(words, BEING_SEARCHED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, key)


@native(inline=True)
def unmark_searched(words, key, left):
    """Tell other threads that the search is over."""
    notes = load(words, BEING_SEARCHED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, ZERO)
