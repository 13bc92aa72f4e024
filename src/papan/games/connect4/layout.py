"""How the kernel holds a board: masks for every lane, frames for every depth of a search.

A bitboard is that of `rules.py`: columns from the left, each from the bottom, and an unused bit
above each column. The cells of a column make pairs from the top down. Who answers every stone in
the lower cell of a pair gets the upper one: that is what most of the static bounds live on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from papan.engine.control import Words
from papan.games.connect4.kernel_layout import BUCKET, DATA_BITS, FRAME, SMALLEST_TRANSPOSITIONS

WORD = 64


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
        fits = narrow.bits <= WORD and narrow.smallest_transpositions * BUCKET * 8 <= memory
        return narrow if fits else Layout(rows, columns, 2)

    @property
    def bits(self) -> int:
        return self.step * self.columns

    @cached_property
    def step(self) -> int:
        """The bits of a column, the unused one included."""
        return self.rows + 1

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

    def mirror(self, board: int) -> int:
        """The mirror image of a bitboard."""
        whole = (1 << self.step) - 1
        last = self.step * (self.columns - 1)
        columns = range(0, self.bits, self.step)
        return sum((board >> start & whole) << last - start for start in columns)

    def words_of(self, board: int) -> list[int]:
        """A bitboard as words, the lowest bits first."""
        return [board >> WORD * limb & 2**WORD - 1 for limb in range(self.limbs)]

    def masks(self) -> Words:
        """The masks by their numbers, as lanes lie in memory."""
        lower = sum(self.floor << row for row in range(self.rows - 2, -1, -2))
        tops = self.floor << self.rows
        same = (self.floor, self.cells, tops, lower, self.cells ^ lower, 1)
        wholes = [((1 << self.step) - 1) << each * self.step for each in range(self.columns)]
        columns = [whole & self.cells for whole in wholes] + [0] * (self.lanes - self.columns)
        centre = [max(min(lane, self.columns - 1 - lane), 0) for lane in range(self.lanes)]
        spread = [[board] * self.lanes for board in (*same, *wholes)]
        boards = [columns, *spread[: len(same)], centre, *spread[len(same) :]]
        return aligned(np.array([self._lines(lanes) for lanes in boards], dtype=np.uint64))

    def frames(self) -> Words:
        """Room for the frames of a search to the end of the game."""
        depth = self.rows * self.columns + 2
        return aligned(np.zeros(depth * FRAME * self.limbs * self.lanes, dtype=np.uint64))

    def _lines(self, lanes: list[int]) -> list[int]:
        """Boards as lanes lie in memory: all first words, then all second ones."""
        words = [self.words_of(board) for board in lanes]
        return [each[limb] for limb in range(self.limbs) for each in words]


def aligned(words: Words) -> Words:
    """The same words where a line of the cache begins."""
    copy = aligned_room(words.size)
    copy[:] = words.ravel()
    return copy


def aligned_room(size: int) -> Words:
    """So many words, whatever is in them, where a line of the cache begins."""
    room = np.empty(size + 8, dtype=np.uint64)
    start = -room.ctypes.data // 8 % 8
    return room[start : start + size]
