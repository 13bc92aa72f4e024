"""Positions as bitboards: sizes, forced moves, and the opening book.

A bitboard is that of `rules.py`: columns from the left, each from the bottom, and an unused bit
above each column. The opening book has the score of every quiet position (one without a forced
move) with few stones: `tools/make_connect4_book.py` writes it. A file begins with the most stones
of its positions, in one byte; the scores follow as a `Ribbon`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from papan.core import Move
from papan.games.connect4.kernel import DATA_BITS
from papan.games.connect4.ribbon import Ribbon

BITS_PER_WORD = 64
BUCKET_BYTES = 64
SMALLEST_TRANSPOSITIONS = 10
"""Binary logarithm of the buckets that the table begins with; it grows with the search."""


@dataclass(frozen=True)
class Layout:
    """How a board lies in bits: its size, and its words (*limbs*) of 64 bits, one or two.

    *rows* and *columns* count cells.
    """

    rows: int
    columns: int
    limbs: int

    @staticmethod
    @cache
    def for_board(rows: int, columns: int, memory: int) -> Layout:
        """Return the layout of one word if it holds the board, else the slower one of two words.

        Two words are taken also if the smallest transposition table of one word would not fit into
        *memory* bytes. *rows* and *columns* count cells. Cached.
        """
        narrow = Layout(rows, columns, 1)
        fits = (
            narrow.bits <= BITS_PER_WORD and narrow.smallest_transpositions * BUCKET_BYTES <= memory
        )
        return narrow if fits else Layout(rows, columns, 2)

    @property
    def bits(self) -> int:
        """Bits of the board, the unused bit above each column included."""
        return self.step * self.columns

    @cached_property
    def step(self) -> int:
        """Bits from one column to the next: the cells of a column and the unused bit above them."""
        return self.rows + 1

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """Bits from a cell to the next of a line: up, right and down, right, right and up."""
        return 1, self.step - 1, self.step, self.step + 1

    @cached_property
    def sideways(self) -> tuple[tuple[int, int, int], ...]:
        """For each line that is not vertical, the bits of one, two and three steps along it.

        The lines are, in this order: right and down, right, right and up.
        """
        return tuple((step, 2 * step, 3 * step) for step in self.steps[1:])

    @cached_property
    def lanes(self) -> int:
        """Number of lanes of a SIMD vector, 8 or 16: one for each column, the others are spare."""
        return 8 if self.columns <= 8 and self.limbs == 1 else 16

    @property
    def key_bits(self) -> int:
        """Number of bits of each of the two halves of a key in the transposition table."""
        return self.bits if self.limbs == 1 else (self.bits + 1) // 2

    @property
    def smallest_transpositions(self) -> int:
        """Buckets of the smallest transposition table: a power of two.

        The bits of a key that an entry does not hold must be in its bucket's number.
        """
        return int(1 << max(SMALLEST_TRANSPOSITIONS, self.key_bits + DATA_BITS - BITS_PER_WORD))

    @cached_property
    def floor(self) -> int:
        """The lowest cell of each column, as a bitboard."""
        return sum(1 << column * self.step for column in range(self.columns))

    @cached_property
    def cells(self) -> int:
        """All cells of the board, as a bitboard."""
        return sum(self.floor << row for row in range(self.rows))

    def empty(self, taken: int) -> int:
        """Return the number of cells that are not in the bitboard *taken*."""
        return (self.cells & ~taken).bit_count()

    def column(self, number: int) -> int:
        """Return the cells of column *number* (from 0 on the left), as a bitboard."""
        return (1 << self.rows) - 1 << number * self.step

    def whole_column(self, number: int) -> int:
        """Return the cells of column *number* and the unused bit above them, as a bitboard."""
        return (1 << self.step) - 1 << number * self.step

    def mirror(self, board: int) -> int:
        """Return the bitboard *board*, unused bits included, with left and right exchanged."""
        whole = (1 << self.step) - 1
        last = self.step * (self.columns - 1)
        columns = range(0, self.bits, self.step)
        return sum((board >> start & whole) << last - start for start in columns)

    def words_of(self, board: int) -> list[int]:
        """Return the bitboard *board* as `limbs` words of 64 bits, the lowest bits first."""
        if self.limbs == 1:
            return [board]
        return [board >> BITS_PER_WORD * limb & 2**BITS_PER_WORD - 1 for limb in range(self.limbs)]


class Stones(NamedTuple):
    """A position as two bitboards: the stones of the seat to move (*own*) and of its *rival*.

    Bits go column by column from the left, each from below, with an unused bit above each column.
    """

    own: int
    rival: int


def winning_cells(layout: Layout, stones: int) -> int:
    """Return a bitboard of every cell that makes four in a row with three of the bitboard *stones*.

    A cell may be taken already, and a stone need not be able to land there yet.
    """
    cells = stones << 1 & stones << 2 & stones << 3
    for once, twice, thrice in layout.sideways:
        after = stones << once
        pairs = stones & after
        if pairs:  # of three stones on four cells in a row, two are neighbours
            cells |= pairs << once & (stones << thrice | stones >> once)
            cells |= pairs >> twice & (after | stones >> thrice)
    return cells & layout.cells


def landing_cells(layout: Layout, stones: Stones) -> int:
    """Return where the next stone may land, as a bitboard: the lowest empty cell of each column."""
    return stones.own + stones.rival + layout.floor & layout.cells


def after_stone(stones: Stones, cell: int) -> Stones:
    """Return the position after the seat to move has put a stone in *cell*, a bitboard.

    Its rival is then to move.
    """
    return Stones(stones.rival, stones.own | cell)


def has_four(layout: Layout, stones: int) -> bool:
    """Return whether the bitboard *stones* holds four in a row, column or diagonal."""
    for step in layout.steps:
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def forced_line(layout: Layout, stones: Stones) -> tuple[list[Move], Stones]:
    """Return the moves (columns) that are forced one after the other, and the position after them.

    A move is forced if it wins, stops a win, or if every move loses at once; of several, the
    leftmost is taken. The line ends with a win, a full board, or where nothing is forced. If
    nothing is forced, or the game is over, the list is empty, and the position *stones* itself.
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
        stones = after_stone(stones, cell)
        wins, threats = threats, winning_cells(layout, stones.rival)
    return line, stones


def final_score(layout: Layout, stones: Stones) -> int | None:
    """Return the score of a finished game for the seat to move; None if it is not over.

    If the other side has just won, it is -(empty cells // 2 + 1); 0 on a full board without a four.
    """
    empty = layout.empty(stones.own | stones.rival)
    if has_four(layout, stones.rival):
        return -(empty // 2 + 1)
    return None if empty else 0


# The opening book.

FOLDER = Path(__file__).parent
BITS = 5
"""Bits of a score in the book."""
DRAW = 15
"""The number of a draw in the book: the number of a score is the score plus this."""
UNKNOWN = 2**BITS - 1
"""The number of scores too far from 0 to fit, which a search finds at once."""


class Book:
    """The opening book of one board: scores of its quiet positions of at most `plies` stones.

    In a quiet position no move is forced, as in `forced_line`. *data* is the content of a book's
    file: `plies` in the first byte, then a `Ribbon`. Raise IndexError if it is empty, struct.error
    as `Ribbon` does; nothing else is checked.
    """

    def __init__(self, data: bytes) -> None:
        self.plies = data[0]
        self._scores = Ribbon(data[1:])

    def covers(self, stones: Stones) -> bool:
        """Return whether a position has at most `plies` stones.

        Only if so can it be in the book, and it may be missing all the same.
        """
        return (stones.own | stones.rival).bit_count() <= self.plies

    def score(self, layout: Layout, stones: Stones) -> int | None:
        """Return the score, for the seat to move, of a quiet position that can come up in play.

        It is empty cells after a win // 2 + 1, negative for a loss, 0 for a draw. Return None if
        the position has too many stones, or its score is too far from 0 to be in the book. For a
        position that is not quiet, or cannot come up, the result means nothing: not checked.
        """
        if not self.covers(stones):
            return None
        number = self._scores[book_key(layout, stones)]
        return None if number == UNKNOWN else number - DRAW


@cache
def book_for(rows: int, columns: int) -> Book | None:
    """Return the opening book that papan ships for a board; None if it ships none.

    Cached. Raise OSError if the file cannot be read, and IndexError or struct.error as `Book` does.
    """
    path = FOLDER / f"book_{rows}x{columns}.bin"
    return Book(path.read_bytes()) if path.exists() else None


def book_key(layout: Layout, stones: Stones) -> int:
    """Return the number by which the book finds a position: only its mirror image has the same."""
    key = stones.own | stones.own + stones.rival + layout.floor
    return min(key, layout.mirror(key))


def comes_up(layout: Layout, stones: Stones) -> bool:
    """Return whether play from the empty board can lead to the position *stones*.

    It must have no four in a row: not checked. Some positions can only be written down. Stones are
    taken back one by one until the board is empty.
    """
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
