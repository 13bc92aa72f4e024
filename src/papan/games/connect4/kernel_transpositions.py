"""The transposition table of Connect 4: exact keys, both bounds, and how much work they took.

A key has two halves. The first is mixed, which can be undone, into the number of a bucket and a
tag; an entry holds the tag, the data above it, and the second half: no two positions share a key.
The second word is stored mixed with the first, so that an entry half written by another thread
matches nothing. Threads that share a table also note which positions they are searching: moves that
lead there are put off (ABDADA).
"""

from __future__ import annotations

import numpy as np

from papan.engine.memory import records_at
from papan.engine.native import (
    ONE,
    TWO,
    ZERO,
    Word,
    highest,
    kinds,
    load_shared,
    native,
    prefetch,
    signed,
    span,
    store_shared,
    words_at,
)

BOUND_BITS, BOUND = np.uint64(7), np.uint64(127)
BIAS = 64
WORK = np.uint64(14)
"""Where the work lies in the data: above both bounds."""
DATA_BITS = 19
BUCKET = np.uint64(4)
"""The entries of a bucket: one line of the cache."""
THREE = np.uint64(3)
SEARCH_MARKS = 1024
PLACE = np.uint64(SEARCH_MARKS - 1)
SMALL = 14
"""With fewer empty cells than that a search is soon over: to tell of it would cost more."""


class Entry:
    """What is known of a position."""

    tagged: Word
    """The data, and below them the tag."""
    rest: Word
    """The second half of the key, mixed with the first word."""


class Transpositions:
    """The table: where its entries are, and how large it is."""

    entries: Word
    key_bits: Word
    """The bits of each half of a key."""
    tag_bits: Word
    """Those of the first half that entries hold: its bucket tells the others."""
    most_buckets: Word
    grow_at: Word
    """The node at which it grows."""
    being_searched: Word
    """Where threads note the positions that they search; 0 if there is one thread."""


entry_at, table_at = records_at(Entry), records_at(Transpositions)


@native(inline=True)
def fetch(table: Transpositions, key: Word) -> None:
    """Ask for the entries of a mixed key before they are needed."""
    prefetch(words_at(table.entries), (key >> table.tag_bits) * BUCKET * TWO)


@native(inline=True)
def look_up(table: Transpositions, key: Word, rest: Word) -> Word:
    """What the table knows of a position, as data; 0 if it does not know it."""
    bits = table.tag_bits
    mask = (ONE << bits) - ONE
    place = (key >> bits) * BUCKET
    for number in span(BUCKET):
        entry = entry_at(table.entries, place + number)
        tagged = entry.tagged
        if tagged & mask == key & mask and tagged ^ entry.rest == rest:
            return tagged >> bits
    return ZERO


@native(inline=True)
def bounds_of(data: Word) -> tuple[int, int]:
    """The bounds that data hold; those of nothing are as wide as can be."""
    return signed(data & BOUND) - BIAS, BIAS - signed(data >> BOUND_BITS & BOUND)


@native(inline=True)
def data_of(low: int, high: int, work: Word) -> Word:
    """Bounds, and the nodes it took to find them, as data."""
    effort: Word = highest(work | ONE) + ONE
    return np.uint64(low + BIAS) | np.uint64(BIAS - high) << BOUND_BITS | effort << WORK


@native(inline=True)
def keep(table: Transpositions, key: Word, rest: Word, data: Word) -> None:
    """Write data of a position in the place of its own old ones, or of the least work."""
    bits = table.tag_bits
    mask = (ONE << bits) - ONE
    place = (key >> bits) * BUCKET
    chosen, least = place, ~ZERO
    for number in span(BUCKET):
        entry = entry_at(table.entries, place + number)
        tagged = entry.tagged
        if tagged & mask == key & mask and tagged ^ entry.rest == rest:
            chosen = place + number
            break
        if tagged >> bits + WORK < least:
            chosen, least = place + number, tagged >> bits + WORK
    tagged = data << bits | key & mask
    entry = entry_at(table.entries, chosen)
    entry.tagged, entry.rest = tagged, tagged ^ rest


@native()
def grow(table: Transpositions) -> None:
    """Make the table four times as large, in place: each bucket becomes four."""
    bits = table.tag_bits
    buckets = ONE << table.key_bits - bits
    table.grow_at = table.grow_at * TWO * TWO
    if buckets * TWO * TWO > table.most_buckets:
        table.grow_at = ~ZERO
        return
    table.tag_bits = bits - TWO
    for number in span(buckets):
        _split(table, buckets - ONE - number, bits)


@native(inline=True)
def _split(table: Transpositions, bucket: Word, bits: Word) -> None:
    """Spread the entries of a bucket over four; all buckets behind it have been spread."""
    mask = (ONE << bits - TWO) - ONE
    for number in span(BUCKET):
        entry = entry_at(table.entries, bucket * BUCKET + number)
        tagged, rest = entry.tagged, entry.tagged ^ entry.rest
        target = (bucket * BUCKET << TWO) + number
        for quarter in span(TWO * TWO):
            free = entry_at(table.entries, target + quarter * BUCKET)
            free.tagged, free.rest = ZERO, ZERO
        moved = tagged >> bits << bits - TWO | tagged & mask
        entry = entry_at(table.entries, target + (tagged >> bits - TWO & THREE) * BUCKET)
        entry.tagged, entry.rest = moved, moved ^ rest


@native(kinds.void(kinds.int64))
def grow_at_address(table: int) -> None:
    """Make a table larger, from its address."""
    grow(table_at(np.uint64(table), ZERO))


@native(inline=True)
def being_searched(table: Transpositions, key: Word) -> bool:
    """Is another thread searching the position of this key?"""
    marks = table.being_searched
    return bool(marks != ZERO and load_shared(words_at(marks), key & PLACE) == key)


@native(inline=True)
def mark_searched(table: Transpositions, key: Word, left: int) -> None:
    """Tell other threads that the position of this key is being searched."""
    if table.being_searched != ZERO and left >= SMALL:
        store_shared(words_at(table.being_searched), key & PLACE, key)


@native(inline=True)
def unmark_searched(table: Transpositions, key: Word, left: int) -> None:
    """Tell other threads that the search is over."""
    if table.being_searched != ZERO and left >= SMALL:
        store_shared(words_at(table.being_searched), key & PLACE, ZERO)
