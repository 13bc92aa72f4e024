"""The transposition table: what a search has found out of positions, in buckets of a few entries.

A key is two words. The first, of a table's `key_bits`, says in its upper bits which bucket; the
lower ones are a tag. An entry holds the tag and what is known, the data, in its first word, and all
of the key's second word, mixed with everything else in the entry: so what another thread has half
overwritten is not recognised, and no locks are needed. Data are never 0, which an empty entry has.

A search brings what differs: how it makes keys, how many entries a bucket has, what the data mean,
and which entry gives way to a new one. Searches in several threads also mark here what they are
at, so that others turn to something else first (ABDADA).
"""

from __future__ import annotations

from typing import TypeAlias

from papan.engine.control import UNBOUNDED
from papan.engine.memory import address, aligned, kind
from papan.engine.native import (
    ONE,
    TWO,
    ZERO,
    Word,
    load,
    load_shared,
    native,
    prefetch,
    span,
    store,
    store_shared,
    words_at,
)

Bucket: TypeAlias = tuple[Word, Word]
"""How many entries a bucket has, and how many words an entry: two, or more for the search's own."""
Key: TypeAlias = tuple[Word, Word]
"""What the table knows a position by."""
NOWHERE = ~ZERO


class Transpositions:
    """A table: where its entries are, and how many."""

    entries: Word
    key_bits: Word
    """The bits of the first word of a key."""
    tag_bits: Word
    """Those that entries hold: the bucket tells the others."""
    most_buckets: Word
    """To how many it may grow."""
    grow_at: Word
    """The node at which it does."""


TRANSPOSITIONS = kind(Transpositions)


@native(inline=True)
def low_bits(table: Transpositions, word: Word) -> Word:
    """As many of the lowest bits of a word as the first word of a key has."""
    return word & (ONE << table.key_bits) - ONE


@native(inline=True)
def first_place(table: Transpositions, bucket: Bucket, key: Key) -> Word:
    """The place of the first entry in the bucket of a key."""
    return (key[0] >> table.tag_bits) * bucket[0]


@native(inline=True)
def fetch(table: Transpositions, bucket: Bucket, key: Key) -> None:
    """Ask for the bucket of a key before it is needed."""
    prefetch(words_at(table.entries), first_place(table, bucket, key) * bucket[1])


@native(inline=True)
def data_at(table: Transpositions, bucket: Bucket, place: Word) -> Word:
    """The data of the entry at a place."""
    tagged: Word = load(words_at(table.entries), place * bucket[1])
    return tagged >> table.tag_bits


@native(inline=True)
def rest_at(table: Transpositions, bucket: Bucket, place: Word, tagged: Word) -> Word:
    """The second word of the key of the entry at a place, whose first word is *tagged*."""
    words, at = words_at(table.entries), place * bucket[1]
    rest = tagged
    for each in span(ONE, bucket[1]):
        rest ^= load(words, at + each)
    return rest


@native(inline=True)
def found(table: Transpositions, bucket: Bucket, key: Key) -> tuple[Word, Word]:
    """The place of the entry of a position, and its data; NOWHERE and 0 if there is none."""
    bits = table.tag_bits
    mask = (ONE << bits) - ONE
    first = first_place(table, bucket, key)
    for place in span(first, first + bucket[0]):
        tagged = load(words_at(table.entries), place * bucket[1])
        if (tagged ^ key[0]) & mask == ZERO and rest_at(table, bucket, place, tagged) == key[1]:
            return place, tagged >> bits
    return NOWHERE, ZERO


@native(inline=True)
def put_entry(table: Transpositions, bucket: Bucket, place: Word, key: Key, data: Word) -> None:
    """Write an entry at a place, where the search has written its own words already."""
    words, at = words_at(table.entries), place * bucket[1]
    tagged = data << table.tag_bits | key[0] & (ONE << table.tag_bits) - ONE
    store(words, at, tagged)
    store(words, at + ONE, ZERO)
    store(words, at + ONE, rest_at(table, bucket, place, tagged) ^ key[1])


@native(inline=True)
def grow(table: Transpositions, bucket: Bucket, doublings: Word) -> None:
    """Double a table of entries of two words so many times, in place: each bucket is split."""
    bits = table.tag_bits
    buckets = ONE << table.key_bits - bits
    table.grow_at <<= doublings
    if buckets << doublings > table.most_buckets:
        table.grow_at = NOWHERE
        return
    table.tag_bits = bits - doublings
    for number in span(buckets):
        _split(table, bucket[0], buckets - ONE - number, doublings)


@native(inline=True)
def _split(table: Transpositions, ways: Word, number: Word, doublings: Word) -> None:
    """Spread the entries of a bucket over several; all buckets behind it have been spread."""
    words, bits, parts = words_at(table.entries), table.tag_bits, ONE << doublings
    for each in span(ways):
        at = (number * ways + each) * TWO
        tagged = load(words, at)
        rest = tagged ^ load(words, at + ONE)
        first = (number * parts * ways + each) * TWO
        for part in span(parts):
            store(words, first + part * ways * TWO, ZERO)
            store(words, first + part * ways * TWO + ONE, ZERO)
        at = first + (tagged >> bits & parts - ONE) * ways * TWO
        tagged = tagged >> bits + doublings << bits | tagged & (ONE << bits) - ONE
        store(words, at, tagged)
        store(words, at + ONE, tagged ^ rest)


@native(inline=True)
def is_marked(marks: Word, place: Word, name: Word) -> bool:
    """Is another thread searching the position of this name? *marks* is 0 where there is none."""
    return bool(marks != ZERO and load_shared(words_at(marks), place) == name)


@native(inline=True)
def mark(marks: Word, place: Word, name: Word) -> None:
    """Tell other threads that a position is being searched, or with the name 0 that it was."""
    if marks != ZERO:
        store_shared(words_at(marks), place, name)


class Table:
    """The memory of a table, with room for so many buckets: not touched before it is used."""

    def __init__(self, bucket: Bucket, most_buckets: int) -> None:
        ways, size = map(int, bucket)
        self.most_buckets, self.bucket_words = most_buckets, ways * size
        self.words = aligned(most_buckets * self.bucket_words)

    def fields(self, key_bits: int, buckets: int, grow_at: int = UNBOUNDED) -> tuple[object, ...]:
        """What a `Transpositions` says of the table when it has so many buckets."""
        tag_bits = key_bits - (buckets.bit_length() - 1)
        return address(self.words), key_bits, tag_bits, self.most_buckets, grow_at

    def size(self, table: Transpositions) -> int:
        """How many bytes of it are in use."""
        return 8 * self.bucket_words << int(table.key_bits) - int(table.tag_bits)
