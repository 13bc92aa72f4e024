"""Tic Tac Toe on a board of any size, also known as the m,n,k game.

Two players mark empty cells in turn. The first to own *connect* cells in an unbroken row, column
or diagonal wins; a full board is a draw.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from papan.core import Grid, InvalidSpecError, Move
from papan.core.marks import LineGame, LinePosition

LARGEST = 15


@dataclass(frozen=True)
class TicTacToe(LineGame):
    """The rules of Tic Tac Toe: *rows* by *columns* (1 to 15), lines of *connect* cells.

    *connect* is from 3 to the longer side. A move is the number of a cell, from 0, row by row from
    the top left. Raise InvalidSpecError for other sizes.
    """

    rows: int = 3
    columns: int = 3
    connect: int = 3

    name: ClassVar[str] = "tictactoe"
    growth: ClassVar[float] = 4.0
    moves_stay: ClassVar[bool] = True

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not (1 <= shorter <= longer <= LARGEST and 3 <= self.connect <= longer):
            raise InvalidSpecError("tictactoe.bad_size", spec=self.spec, largest=LARGEST)

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.rows, self.columns)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell, by its number: row by row, and an unused bit after each row."""
        return tuple(1 << cell + cell // self.columns for cell in range(self.grid.size))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every `connect` cells in a row, column or diagonal, as a bitboard made of `bits`."""
        lines = []
        for cell in range(self.grid.size):
            row, column = divmod(cell, self.columns)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                reach = self.connect - 1
                last_row, last_column = row + down * reach, column + right * reach
                if last_row < self.rows and 0 <= last_column < self.columns:
                    step = down * self.columns + right
                    cells = range(cell, cell + step * self.connect, step)
                    lines.append(sum(self.bits[each] for each in cells))
        return tuple(lines)

    @property
    def strip(self) -> int:
        return self.columns

    def start(self) -> TicTacToePosition:
        return TicTacToePosition(self)

    def position(self, marks: tuple[int, int], turn: int) -> TicTacToePosition:
        return TicTacToePosition(self, marks, turn)

    def has_line(self, marks: int) -> bool:
        """Return whether the bitboard *marks* has `connect` cells in a row, column or diagonal.

        The unused bits of *marks* must be 0: not checked.
        """
        below = self.columns + 1
        for step in (1, below - 1, below, below + 1):
            starts = marks
            for _ in range(self.connect - 1):
                starts &= starts >> step  # keeps the cells whose line still goes on
            if starts:
                return True
        return False


@dataclass(frozen=True, slots=True, repr=False)
class TicTacToePosition(LinePosition):
    """A position: the marks of each seat, 0 (x) and 1 (o), as bitboards, and the seat to move.

    The bit of each cell is that of `TicTacToe.bits`. Nothing is checked.
    """

    game: TicTacToe = field(hash=False)
    marks: tuple[int, int] = (0, 0)
    turn: int = 0

    def moves(self) -> list[Move]:
        if self.just_won():
            return []
        taken = self.taken
        return [move for move, bit in enumerate(self.game.bits) if not taken & bit]

    def child(self, move: Move) -> TicTacToePosition:
        x, o = self.marks
        bit = self.game.bits[move]
        marks = (x | bit, o) if self.turn == 0 else (x, o | bit)
        return TicTacToePosition(self.game, marks, 1 - self.turn)
