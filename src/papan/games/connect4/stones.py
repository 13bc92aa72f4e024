"""Positions as bitboards, and what a player must do: win at once, stop a win, or give in.

A bitboard is that of `rules.py`: columns from the left, each from the bottom, and an unused bit
above each column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from papan.core import Move
from papan.games.connect4.kernel_transpositions import DATA_BITS

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
