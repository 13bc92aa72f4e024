"""Connect 4: stones fall to the lowest empty cell of their column.

Two players drop stones in turn. The first to own four cells in an unbroken row, column or diagonal
wins; a full board is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from papan.core import (
    Grid,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Move,
)
from papan.core.board import letters
from papan.core.marks import LineGame, LinePosition

ROWS = range(4, 9)
COLUMNS = range(4, 11)


@dataclass(frozen=True)
class Connect4(LineGame):
    """The rules of Connect 4 on a board of *rows* (4 to 8) by *columns* (4 to 10).

    A move is a column from 0. Raise InvalidSpecError for other sizes. A bitboard has the columns
    from the left, each from the bottom to the top, and an unused bit above each column. The strips
    for learning agents are the columns, in the same order.
    """

    rows: int = 6
    columns: int = 7

    name: ClassVar[str] = "connect4"
    growth: ClassVar[float] = 3.0  # found by play: larger numbers overrate threes

    def __post_init__(self) -> None:
        if self.rows not in ROWS or self.columns not in COLUMNS:
            raise InvalidSpecError(
                "connect4.bad_size",
                spec=self.spec,
                rows=f"{ROWS[0]}-{ROWS[-1]}",
                columns=f"{COLUMNS[0]}-{COLUMNS[-1]}",
            )

    @cached_property
    def grid(self) -> Grid:
        """The cells row by row from the top, as in the text of a position; named from below."""
        return Grid(self.rows, self.columns, from_below=True)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit (a bitboard with one cell) of each cell, by its number in the grid."""
        return tuple(
            self.bottoms[column] << height
            for height in reversed(range(self.rows))
            for column in range(self.columns)
        )

    @cached_property
    def bottoms(self) -> tuple[int, ...]:
        """The bit of the lowest cell of each column, from the left."""
        return tuple(1 << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def tops(self) -> tuple[int, ...]:
        """The bit of the highest cell of each column, from the left."""
        return tuple(bottom << self.rows - 1 for bottom in self.bottoms)

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """By how many bits neighbours on a line are apart, from left to right or from below.

        In this order: on a row, a column, a diagonal that goes up, and one that goes down.
        """
        right = self.rows + 1
        return (right, 1, right + 1, right - 1)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every four neighbouring cells of a row, column or diagonal, as a bitboard each."""
        return tuple(four for fours in self.fours_along.values() for four in fours)

    @cached_property
    def fours_along(self) -> dict[int, tuple[int, ...]]:
        """The fours of each direction, as bitboards, by the bits from one cell to the next.

        The keys are those of `steps`, in that order; a four is four neighbouring cells on a line.
        """
        board = sum(self.bits)
        fours = {
            step: [bit | bit << step | bit << 2 * step | bit << 3 * step for bit in self.bits]
            for step in self.steps
        }
        return {step: tuple(four for four in fours[step] if four & board == four) for step in fours}

    @property
    def move_count(self) -> int:
        return self.columns

    @property
    def strip(self) -> int:
        return self.rows

    def start(self) -> Connect4Position:
        return Connect4Position(self)

    def position(self, marks: tuple[int, int], turn: int) -> Connect4Position:
        return Connect4Position(self, marks, turn)

    def move_name(self, move: Move) -> str:
        return str(move + 1)

    def parse_move(self, text: str) -> Move:
        """Return the column (from 0) that *text* names: a number from 1, a letter, or a cell.

        Such as ``4``, ``d`` or ``d1``, in either case; ``0`` means column 10. Raise
        InvalidMoveError for any other text, and if this board has no such column or cell.
        """
        number = "10" if text == "0" else text.strip().lower()
        for column in range(self.columns):
            if number in (self.move_name(column), letters(column), *self.cells_in(column)):
                return column
        raise InvalidMoveError(
            "connect4.not_a_column", text=text, last=self.columns, letter=letters(self.columns - 1)
        )

    def split_moves(self, text: str) -> list[str]:
        """Return the names of the columns in *text*, such as ``4 4, 5 3`` or ``4453``, in order.

        Blanks and commas separate words. A letter with a digit is a cell, ``d1d2``. In another word
        of digits and the letters ``a`` to ``j`` each character is one move, as in ``ddec``, and 0
        is column 10: ``1090`` means 1, 10, 9, 10. Only the word ``10`` means column 10 alone; write
        ``1 10`` or ``aj`` for both. Any other word stays whole. Nothing is checked; empty for an
        empty text.
        """
        names = []
        for word in re.findall(r"[^\s,]+", text):
            compact = re.fullmatch("[0-9a-jA-J]+", word) and word != "10"
            cells = re.fullmatch("(?:[a-jA-J][1-9])+", word)
            names += re.findall("..", word) if cells else list(word) if compact else [word]
        return names

    def cells_in(self, column: Move) -> tuple[str, ...]:
        """Return the names of a column's cells, such as d1, from the bottom to the top."""
        return self.grid.names[column :: self.columns][::-1]

    def read(self, fields: Sequence[str]) -> Connect4Position:
        """Return the position of two *fields*: the cells, such as ``.../x.o``, and ``x`` or ``o``.

        Cells are given row by row from the top; the second field is the seat to move. Raise
        InvalidPositionError if they are malformed, a stone has an empty cell below it, the numbers
        of stones do not fit the turn, or the seat to move has won already.
        """
        taken = self.sketched(fields).taken
        floating = taken & ~(taken << 1 | sum(self.bottoms))
        if floating:  # reported first, because it is seen at once
            names = [self.grid.names[cell] for bit, cell in self.cell_at.items() if bit & floating]
            raise InvalidPositionError("connect4.floating", cells=", ".join(names))
        position = super().read(fields)
        assert isinstance(position, Connect4Position)
        return position

    def free_cells(self, taken: int) -> int:
        """Return the lowest empty cell of each column that is not full, as a bitboard.

        *taken* is the bitboard of all stones, none of which has an empty cell below it: not
        checked.
        """
        return (taken + sum(self.bottoms)) & self.every_cell  # carries through the stones

    def has_line(self, marks: int) -> bool:
        """Return whether the bitboard *marks* holds four cells in a row, column or diagonal.

        The unused bits of *marks* must be 0: not checked.
        """
        for step in self.steps:
            pairs = marks & marks >> step
            if pairs & pairs >> 2 * step:
                return True
        return False


@dataclass(frozen=True, slots=True, repr=False)
class Connect4Position(LinePosition):
    """A position: the stones of each seat, 0 (x) and 1 (o), as bitboards, and the seat to move.

    Bits go column by column from the left, each column from below and with one spare bit above its
    top. Nothing is checked: `Connect4.read` does that for texts.
    """

    game: Connect4 = field(hash=False)
    marks: tuple[int, int] = (0, 0)
    turn: int = 0

    def moves(self) -> list[Move]:
        if self.just_won():
            return []
        taken = self.taken
        return [move for move, top in enumerate(self.game.tops) if not taken & top]

    def child(self, move: Move) -> Connect4Position:
        x, o = self.marks
        bit = self.landing_bit(move)
        marks = (x | bit, o) if self.turn == 0 else (x, o | bit)
        return Connect4Position(self.game, marks, 1 - self.turn)

    def read_move(self, text: str) -> Move:
        """Return the column (from 0) that *text* names, as `Connect4.parse_move` reads it.

        The column may be full: whether the move is legal is not checked. Raise IllegalMoveError if
        it is legal, but *text* names another cell than the one where the stone lands. Raise
        InvalidMoveError if the text names no column.
        """
        move = self.game.parse_move(text)
        cell = text.strip().lower()
        if cell in self.game.cells_in(move) and self.allows(move):
            lands = self.game.grid.names[self.landing_cell(move)]
            if cell != lands:
                raise IllegalMoveError("connect4.other_cell", cell=cell, lands=lands)
        return move

    def landing_bit(self, move: Move) -> int:
        """Return the cell, as a bitboard, where a stone in *move* comes to rest.

        The column must be open: not checked.
        """
        # Adding one at the bottom carries through the stones, up to the first empty cell.
        return (self.taken + self.game.bottoms[move]) & ~self.taken

    def mark_of(self, move: Move) -> int:
        return self.landing_bit(move)

    def landing_cell(self, move: Move) -> int:
        """Return the cell, as a number of the grid, where a stone in *move* comes to rest.

        Raise ValueError if the column is full.
        """
        return self.game.bits.index(self.landing_bit(move))
