"""Ribbon filter: numbers by key without the keys, hardly larger than the numbers themselves.

Each key selects some of 64 neighbouring slots; the exclusive or of these is its number. The slots
are found by solving this system of linear equations, whose band is narrow. A key that was not put
in gives any number: ask only for those that were.
"""

from __future__ import annotations

import struct

SLOTS_PER_KEY = 64
"""Neighbouring slots from which each key selects some."""
ONES = 2**SLOTS_PER_KEY - 1
HEADER = struct.Struct("<QQB")
"""The head of the bytes: number of shards, number of slots in all, and bits of a stored number."""
SHARD = struct.Struct("<IB")
"""For each shard, after the head: its first slot, and its seed."""


def mixed_number(number: int) -> int:
    """Return a 64-bit hash of *number* (SplitMix64 without its increment).

    Both are from 0 to 2**64 - 1.
    """
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & ONES
    number = (number ^ number >> 27) * 0x94D049BB133111EB & ONES
    return number ^ number >> 31


def scaled_share(word: int, count: int) -> int:
    """Return a number from 0 to *count* - 1, in proportion to *word*, 0 to 2**64 - 1.

    It is (word >> 32) * count >> 32.
    """
    return (word >> 32) * count >> 32


def equation(key: int, seed: int, slots: int) -> tuple[int, int]:
    """Return (first, mask): the first of the 64 slots of *key*, and which of these it selects.

    The first slot is counted from 0 in the key's shard; bit n of the mask stands for the slot n
    further on, and bit 0 is always set. *seed* is the seed of the shard, *slots* its number of
    slots, at least SLOTS_PER_KEY.
    """
    word = mixed_number(key + seed * 0x9E3779B97F4A7C15 & ONES)
    return scaled_share(word, slots - SLOTS_PER_KEY + 1), mixed_number(word + 1 & ONES) | 1


class Ribbon:
    """A table of numbers by key, from the bytes that `tools/make_connect4_book.py` writes.

    `ribbon[key]` looks a number up. Raise struct.error if *data* are too short for their head, or
    end within the entry of a shard that follows it. Nothing else is checked.
    """

    def __init__(self, data: bytes) -> None:
        self.shards, self.slots, self.bits = HEADER.unpack_from(data)
        start = HEADER.size + self.shards * SHARD.size
        self._shards = list(SHARD.iter_unpack(data[HEADER.size : start]))
        size = plane_size(self.slots)
        self._planes = [data[start + size * bit :][:size] for bit in range(self.bits)]

    def __getitem__(self, key: int) -> int:
        """Return the number stored for *key*, of 64 bits; an arbitrary number if none was stored.

        All numbers are below 2**bits.
        """
        number = scaled_share(mixed_number(key), self.shards)
        first, seed = self._shards[number]
        last = self._shards[number + 1][0] if number + 1 < self.shards else self.slots
        start, chosen = equation(key, seed, last - first)
        place, shift = divmod(first + start, 8)
        value = 0
        for bit, plane in enumerate(self._planes):
            window = int.from_bytes(plane[place : place + 9], "little") >> shift
            value |= ((window & chosen).bit_count() & 1) << bit
        return value


def plane_size(slots: int) -> int:
    """Return the bytes of one bit of each of *slots* slots: slots / 8 rounded up, and 8 more.

    The 8 are there to be read beyond the end.
    """
    return (slots + 7) // 8 + 8
