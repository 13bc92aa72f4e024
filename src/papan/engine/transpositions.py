"""The transposition table: what a search has found about positions, in buckets of a few entries.

A key is two words. The first has as many bits as a table's `key_bits` says: its lower bits, as many
as `tag_bits`, are a tag, the upper ones the number of the bucket. An entry holds the tag and the
data (what is known) in its first word, and in its second word the key's second word XORed with all
other words of the entry: so an entry that another thread has half overwritten is not recognised,
and no locks are needed. Data are never 0: that marks an empty entry.

A search supplies what differs: how it makes keys, how many entries a bucket has, what the data
mean, and which entry is replaced. Searches in several threads also mark here what they are
searching, so that others search something else first (ABDADA).
"""

from __future__ import annotations

from typing import TypeAlias

from papan.engine.control import UNBOUNDED
from papan.engine.memory import address_of, aligned, kind
from papan.engine.native import (
    ONE,
    TWO,
    ZERO,
    Word,
    load_shared,
    load_word,
    native,
    prefetch,
    span,
    store,
    store_shared,
    words_at,
)

BucketShape: TypeAlias = tuple[Word, Word]
"""Entries in a bucket, and words in an entry: two, or more for words of the search's own."""
TableKey: TypeAlias = tuple[Word, Word]
"""The key of a position: two words."""
NOWHERE = ~ZERO
"""The place of an entry that is not there."""


class Transpositions:
    """A table as kernels see it: the address of its entries, and its size in bits."""

    entries: Word
    """Address of the first entry; all lie one after the other, bucket by bucket."""
    key_bits: Word
    """Bits of the first word of a key."""
    tag_bits: Word
    """Bits of it that entries hold; the bucket's number has the others."""
    most_buckets: Word
    """Buckets that the table may grow to."""
    grow_at: Word
    """The node count at which it grows."""


TRANSPOSITIONS = kind(Transpositions)


@native(inline=True)
def low_bits(table: Transpositions, word: Word) -> Word:
    """Return the lowest `key_bits` bits of *word*: what fits the first word of a key of *table*."""
    return word & (ONE << table.key_bits) - ONE


@native(inline=True)
def first_place(table: Transpositions, bucket: BucketShape, key: TableKey) -> Word:
    """Return the index of the first entry in the bucket of *key*; the others follow it.

    *bucket* is (entries in a bucket, words in an entry).
    """
    return (key[0] >> table.tag_bits) * bucket[0]


@native(inline=True)
def fetch(table: Transpositions, bucket: BucketShape, key: TableKey) -> None:
    """Prefetch the first entry in the bucket of *key* into the processor's cache.

    *bucket* is (entries in a bucket, words in an entry).
    """
    prefetch(words_at(table.entries), first_place(table, bucket, key) * bucket[1])


@native(inline=True)
def data_at(table: Transpositions, bucket: BucketShape, place: Word) -> Word:
    """Return the data of the entry at index *place*, without its tag; 0 if it is empty.

    *bucket* is (entries in a bucket, words in an entry).
    """
    tagged: Word = load_word(words_at(table.entries), place * bucket[1])
    return tagged >> table.tag_bits


@native(inline=True)
def rest_at(table: Transpositions, bucket: BucketShape, place: Word, tagged: Word) -> Word:
    """Return *tagged* XORed with all words but the first of the entry at index *place*.

    If *tagged* is the first word of the entry (data, and tag in the lowest bits), that is the
    second word of its key. *bucket* is (entries in a bucket, words in an entry).
    """
    words, at = words_at(table.entries), place * bucket[1]
    rest = tagged
    for each in span(ONE, bucket[1]):
        rest ^= load_word(words, at + each)
    return rest


@native(inline=True)
def find_entry(table: Transpositions, bucket: BucketShape, key: TableKey) -> tuple[Word, Word]:
    """Return the index and the data of the entry of *key*; NOWHERE and 0 if there is none.

    *bucket* is (entries in a bucket, words in an entry).
    """
    bits = table.tag_bits
    mask = (ONE << bits) - ONE
    first = first_place(table, bucket, key)
    for place in span(first, first + bucket[0]):
        tagged = load_word(words_at(table.entries), place * bucket[1])
        if (tagged ^ key[0]) & mask == ZERO and rest_at(table, bucket, place, tagged) == key[1]:
            return place, tagged >> bits
    return NOWHERE, ZERO


@native(inline=True)
def put_entry(
    table: Transpositions, bucket: BucketShape, place: Word, key: TableKey, data: Word
) -> None:
    """Write *key* and *data*, never 0, to the entry at index *place* of the key's bucket.

    *bucket* is (entries in a bucket, words in an entry). Words of the entry beyond two are the
    search's own: it must have written them before. Nothing is checked.
    """
    words, at = words_at(table.entries), place * bucket[1]
    tagged = data << table.tag_bits | key[0] & (ONE << table.tag_bits) - ONE
    store(words, at, tagged)
    store(words, at + ONE, ZERO)
    store(words, at + ONE, rest_at(table, bucket, place, tagged) ^ key[1])


@native(inline=True)
def grow(table: Transpositions, bucket: BucketShape, doublings: Word) -> None:
    """Multiply the buckets of a table by 2**doublings in place, and `grow_at` likewise.

    Each bucket is split into 2**doublings. If there would be more than `most_buckets`, the buckets
    stay as they are and never grow again: `grow_at` becomes NOWHERE. *bucket* is (entries in a
    bucket, words in an entry), which must be two words: not checked.
    """
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
    """Distribute the entries of bucket *number*, of *ways* entries, over its 2**doublings parts.

    An entry has two words. `tag_bits` of the *table* must be the new number already, lower by
    *doublings*, and the buckets behind this one must have been split: its parts lie from
    number * 2**doublings on. Nothing is checked.
    """
    words, bits, parts = words_at(table.entries), table.tag_bits, ONE << doublings
    for each in span(ways):
        at = (number * ways + each) * TWO
        tagged = load_word(words, at)
        rest = tagged ^ load_word(words, at + ONE)
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
    """Return whether another thread is searching the position *name*, a word that is not 0.

    *marks* is the address of the words in which threads mark, 0 if there is one thread: then it is
    False. *place* is the index of the word for this position, which other positions may share.
    """
    return bool(marks != ZERO and load_shared(words_at(marks), place) == name)


@native(inline=True)
def mark(marks: Word, place: Word, name: Word) -> None:
    """Write *name* at index *place*: the position is being searched; the name 0 ends that.

    *marks* is the address of these words; nothing is done if it is 0.
    """
    if marks != ZERO:
        store_shared(words_at(marks), place, name)


class Table:
    """The memory of a table of at most *most_buckets*, all of it empty at first.

    *bucket* is (entries in a bucket, words in an entry). The memory is reserved at once, and used
    by the system only as far as it is written.
    """

    def __init__(self, bucket: BucketShape, most_buckets: int) -> None:
        ways, size = map(int, bucket)
        self.most_buckets, self.bucket_words = most_buckets, ways * size
        self.words = aligned(most_buckets * self.bucket_words)

    def fields(self, key_bits: int, buckets: int, grow_at: int = UNBOUNDED) -> tuple[object, ...]:
        """Return the values of the fields of a `Transpositions` on this memory, in their order.

        *key_bits* is the number of bits of a key's first word, *buckets* how many the kernel uses
        at first, a power of 2 of at most *most_buckets* and 2**key_bits; *grow_at* is the node
        count at which the search enlarges that.
        """
        tag_bits = key_bits - (buckets.bit_length() - 1)
        return address_of(self.words), key_bits, tag_bits, self.most_buckets, grow_at

    def size(self, table: Transpositions) -> int:
        """Return the bytes that *table*, a record on this memory, uses of it now."""
        return 8 * self.bucket_words << int(table.key_bits) - int(table.tag_bits)
