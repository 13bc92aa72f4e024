"""Positions as bitboards, and what is known of them without a search.

A bitboard is that of `rules.py`: columns from the left, each from the bottom, and an unused bit
above each column. What a player must do: win at once, stop a win, or give in. And the opening book,
the score of every quiet position with few stones: `tools/make_connect4_book.py` writes it. A file
begins with the number of stones; the scores follow as a `Ribbon`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from papan.core import Move
from papan.games.connect4.kernel import DATA_BITS

WORD = 64
BUCKET_BYTES = 64
SMALLEST_TRANSPOSITIONS = 10
"""The table begins with so many bits of buckets, and grows with the search."""


@dataclass(frozen=True)
class Layout:
    """The size of a board, and how many words hold it: one if it fits, else two."""

    rows: int
    columns: int
    limbs: int

    @staticmethod
    @cache
    def for_board(rows: int, columns: int, memory: int) -> Layout:
        """The fastest layout whose smallest table fits into so many bytes."""
        narrow = Layout(rows, columns, 1)
        fits = narrow.bits <= WORD and narrow.smallest_transpositions * BUCKET_BYTES <= memory
        return narrow if fits else Layout(rows, columns, 2)

    @property
    def bits(self) -> int:
        return self.step * self.columns

    @cached_property
    def step(self) -> int:
        """The bits of a column, the unused one included."""
        return self.rows + 1

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """From a cell to the next: up, and to the right, downwards, along, and upwards."""
        return 1, self.step - 1, self.step, self.step + 1

    @cached_property
    def lanes(self) -> int:
        """One for each column, and some to spare."""
        return 8 if self.columns <= 8 and self.limbs == 1 else 16

    @property
    def key_bits(self) -> int:
        """The bits of each half of a key."""
        return self.bits if self.limbs == 1 else (self.bits + 1) // 2

    @property
    def smallest_transpositions(self) -> int:
        """Buckets: what an entry does not hold of a key, its bucket must tell."""
        return int(1 << max(SMALLEST_TRANSPOSITIONS, self.key_bits + DATA_BITS - WORD))

    @cached_property
    def floor(self) -> int:
        """The lowest cells."""
        return sum(1 << column * self.step for column in range(self.columns))

    @cached_property
    def cells(self) -> int:
        return sum(self.floor << row for row in range(self.rows))

    def empty(self, taken: int) -> int:
        """How many cells are not taken."""
        return (self.cells & ~taken).bit_count()

    def column(self, number: int) -> int:
        """The cells of one column."""
        return (1 << self.rows) - 1 << number * self.step

    def whole_column(self, number: int) -> int:
        """The same, with the unused bit above."""
        return (1 << self.step) - 1 << number * self.step

    def mirror(self, board: int) -> int:
        """The mirror image of a bitboard."""
        whole = (1 << self.step) - 1
        last = self.step * (self.columns - 1)
        columns = range(0, self.bits, self.step)
        return sum((board >> start & whole) << last - start for start in columns)

    def words_of(self, board: int) -> list[int]:
        """A bitboard as words, the lowest bits first."""
        return [board >> WORD * limb & 2**WORD - 1 for limb in range(self.limbs)]


class Stones(NamedTuple):
    """A position as bitboards: the stones of the seat to move, and of its rival."""

    own: int
    rival: int


def winning_cells(layout: Layout, stones: int) -> int:
    """Every cell that makes four with three of *stones*, taken or not, as a bitboard."""
    cells = stones << 1 & stones << 2 & stones << 3
    for step in layout.steps[1:]:
        pairs = stones & stones << step
        cells |= pairs << step & (stones << 3 * step | stones >> step)
        cells |= pairs >> 2 * step & (stones << step | stones >> 3 * step)
    return cells & layout.cells


def landing_cells(layout: Layout, stones: Stones) -> int:
    """Where the next stone may land: in each column the lowest empty cell."""
    return stones.own + stones.rival + layout.floor & layout.cells


def play(stones: Stones, cell: int) -> Stones:
    """The position after a stone in *cell*."""
    return Stones(stones.rival, stones.own | cell)


def has_four(layout: Layout, stones: int) -> bool:
    """Do these stones hold four in a row?"""
    for step in layout.steps:
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def forced_line(layout: Layout, stones: Stones) -> tuple[list[Move], Stones]:
    """The moves that are forced one after the other, and the position after them.

    Of two wins to be stopped, and of moves that all lose at once, any one will do.
    """
    line: list[Move] = []
    over = has_four(layout, stones.rival)
    wins, threats = winning_cells(layout, stones.own), winning_cells(layout, stones.rival)
    while not over:
        landing = landing_cells(layout, stones)
        must = wins & landing or threats & landing
        if not must and not landing & ~(threats >> 1):
            must = landing
        if not must:
            break
        cell = must & -must
        over = bool(cell & wins)
        line.append((cell.bit_length() - 1) // layout.step)
        stones = play(stones, cell)
        wins, threats = threats, winning_cells(layout, stones.rival)
    return line, stones


def final_score(layout: Layout, stones: Stones) -> int | None:
    """The score of a game that is over for the seat to move; None if it is not over."""
    empty = layout.empty(stones.own | stones.rival)
    if has_four(layout, stones.rival):
        return -(empty // 2 + 1)
    return None if empty else 0


# The opening book.

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


# Numbers by key without the keys: as small as the numbers themselves, and a little more.
#
# Each key names 64 neighbouring slots, and some of them by their bits: together, by exclusive or,
# these give its number. The slots are found by solving that system of equations, whose band is
# narrow. A key that was not put in gives any number: ask only for those that were.

WIDTH = 64
ONES = 2**WIDTH - 1
HEADER = struct.Struct("<QQB")
SHARD = struct.Struct("<IB")


def mixed(number: int) -> int:
    """A word without pattern, made of a number."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & ONES
    number = (number ^ number >> 27) * 0x94D049BB133111EB & ONES
    return number ^ number >> 31


def share(word: int, count: int) -> int:
    """One of *count* numbers from 0 on, by the upper half of a word."""
    return (word >> 32) * count >> 32


def equation(key: int, seed: int, slots: int) -> tuple[int, int]:
    """The first slot of a key, and which of the slots from there on count, lowest bit first."""
    word = mixed(key + seed * 0x9E3779B97F4A7C15 & ONES)
    return share(word, slots - WIDTH + 1), mixed(word + 1 & ONES) | 1


class Ribbon:
    """What `ribbon_of` in `tools/make_connect4_book.py` wrote."""

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
