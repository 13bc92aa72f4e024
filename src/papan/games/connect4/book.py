"""Positions that were solved before: the score of every quiet one with few stones.

`scripts/make_connect4_book.py` writes them. A file begins with the number of stones; the scores
follow as a `Ribbon`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from papan.games.connect4.stones import Layout, Stones

# Numbers by key without the keys: as small as the numbers themselves, and a little more.
#
# Each key names 64 neighbouring slots, and some of them by their bits: together, by exclusive or,
# these give its number. The slots are found by solving that system of equations, whose band is
# narrow. A key that was not put in gives any number: ask only for those that were.

WIDTH = 64
WORD = 2**WIDTH - 1
KEYS_PER_SHARD = 2048
"""Keys are dealt into shards, each with a system of its own: a small one is easy to solve again."""
HEADER = struct.Struct("<QQB")
SHARD = struct.Struct("<IB")


def mixed(number: int) -> int:
    """A word without pattern, made of a number."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & WORD
    return number ^ number >> 31


def share(word: int, count: int) -> int:
    """One of *count* numbers from 0 on, by the upper half of a word."""
    return (word >> 32) * count >> 32


def equation(key: int, seed: int, slots: int) -> tuple[int, int]:
    """The first slot of a key, and which of the slots from there on count, lowest bit first."""
    word = mixed(key + seed * 0x9E3779B97F4A7C15 & WORD)
    return share(word, slots - WIDTH + 1), mixed(word + 1 & WORD) | 1


class Ribbon:
    """What `ribbon_of` wrote."""

    def __init__(self, data: bytes) -> None:
        self.shards, self.slots, self.bits = HEADER.unpack_from(data)
        start = HEADER.size + self.shards * SHARD.size
        self._shards = list(SHARD.iter_unpack(data[HEADER.size : start]))
        size = plane_size(self.slots)
        self._planes = [data[start + size * bit :][:size] for bit in range(self.bits)]

    def __getitem__(self, key: int) -> int:
        number = share(mixed(key), self.shards)
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
    """The bytes of one bit of every slot, and room to read beyond the last one."""
    return (slots + 7) // 8 + 8


def ribbon_of(numbers: Mapping[int, int], bits: int) -> bytes:
    """Numbers of so many bits by key, as bytes."""
    shards = max(1, len(numbers) // KEYS_PER_SHARD)
    dealt: list[dict[int, int]] = [{} for _ in range(shards)]
    for key, number in numbers.items():
        dealt[share(mixed(key), shards)][key] = number
    heads, slots = b"", list[int]()
    for shard in dealt:
        seed, solution = solved(shard)
        heads += SHARD.pack(len(slots), seed)
        slots += solution
    planes = (_plane(slots, bit) for bit in range(bits))
    return HEADER.pack(shards, len(slots), bits) + heads + b"".join(planes)


def _plane(slots: list[int], bit: int) -> bytes:
    text = "".join("1" if slot >> bit & 1 else "0" for slot in reversed(slots))
    return int(text, 2).to_bytes(plane_size(len(slots)), "little")


def solved(numbers: Mapping[int, int]) -> tuple[int, list[int]]:
    """The first seed that gives equations which can be solved, and the slots that do so."""
    slots = len(numbers) + len(numbers) // 16 + 2 * WIDTH
    for seed in range(256):
        rows = _rows(numbers, seed, slots)
        if rows is not None:
            return seed, list(_substituted(rows))[::-1]
    raise AssertionError("equations without a solution")


def _rows(numbers: Mapping[int, int], seed: int, slots: int) -> list[tuple[int, int]] | None:
    """The equations, one at most that begins with each slot; None if they contradict each other."""
    rows = [(0, 0)] * slots
    for key, number in numbers.items():
        start, chosen = equation(key, seed, slots)
        while chosen:
            skip = (chosen & -chosen).bit_length() - 1
            start, chosen = start + skip, chosen >> skip
            if not rows[start][0]:
                rows[start] = (chosen, number)
                break
            chosen, number = chosen ^ rows[start][0], number ^ rows[start][1]
        else:
            if number:
                return None
    return rows


def _substituted(rows: list[tuple[int, int]]) -> Iterator[int]:
    """The slots from the last to the first."""
    later: list[int] = []
    for chosen, number in reversed(rows):
        for distance in range(1, WIDTH):
            if chosen >> distance & 1:
                number ^= later[-distance]
        later.append(number)
        yield number


FOLDER = Path(__file__).parent
BITS = 5
DRAW = 15
UNKNOWN = 2**BITS - 1
"""The number of a draw, with losses below it and wins above; and of what does not fit: scores far
from 0, which a search finds at once."""


class Book:
    """The scores of one board, for positions of at most so many stones."""

    def __init__(self, data: bytes) -> None:
        self.plies = data[0]
        self._scores = Ribbon(data[1:])

    def covers(self, stones: Stones) -> bool:
        """Does the position have few enough stones?"""
        return (stones.own | stones.rival).bit_count() <= self.plies

    def score(self, layout: Layout, stones: Stones) -> int | None:
        """The score of a quiet position that can come up in play; None if it is not in the book."""
        if not self.covers(stones):
            return None
        number = self._scores[book_key(layout, stones)]
        return None if number == UNKNOWN else number - DRAW


@cache
def book_for(rows: int, columns: int) -> Book | None:
    """The book of a board, where there is one."""
    path = FOLDER / f"book_{rows}x{columns}.bin"
    return Book(path.read_bytes()) if path.exists() else None


def book_key(layout: Layout, stones: Stones) -> int:
    """The same number for a position and its mirror image, and for no other."""
    key = stones.own | stones.own + stones.rival + layout.floor
    return min(key, layout.mirror(key))


def comes_up(layout: Layout, stones: Stones) -> bool:
    """Can this position, in which nobody has a four, come up in play? Some can only be written."""
    seen = {stones}
    waiting = [stones]
    while waiting:
        own, rival = waiting.pop()
        if not own | rival:
            return True
        tops = (own + rival + layout.floor >> 1) & rival  # the last stone is one of these
        for bit in range(layout.bits):
            if tops >> bit & 1:
                before = Stones(rival ^ 1 << bit, own)
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)
    return False
