"""Adjacency: place a mark, and the rival marks above, below, left and right of it become yours.

X begins with four marks in the bottom left corner, O with four in the top right one. A round is
one move of each. After *rounds* rounds, the seat with more marks wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

from papan.core import Grid, InvalidPositionError, InvalidSpecError, Move, option
from papan.core.marks import MARKS, MarkGame, MarkPosition

SMALLEST, LARGEST = 4, 15  # on fewer than 4 rows or columns the corners would touch
MARKS_AT_START = 8


@dataclass(frozen=True)
class Adjacency(MarkGame):
    """The rules of Adjacency: a move marks an empty cell and turns the rival's marks beside it.

    *rows* and *columns* are 4 to 15. In each of the *rounds* each seat moves once; *first* begins.
    Most marks win. A move is the number of a cell, from 0, row by row from the top left; a bitboard
    of cells is an int in which bit n stands for cell n. Seat 0 is x, seat 1 is o. Raise
    InvalidSpecError for other sizes, fewer than one round, or more rounds than `most_rounds`.
    """

    rows: int = 8
    columns: int = 8
    rounds: int = 28
    first: Literal["x", "o"] = option("x")

    name: ClassVar[str] = "adjacency"
    moves_stay: ClassVar[bool] = True

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not SMALLEST <= shorter <= longer <= LARGEST:
            raise InvalidSpecError(
                "adjacency.bad_size", spec=self.spec, smallest=SMALLEST, largest=LARGEST
            )
        if not 1 <= self.rounds <= self.most_rounds:
            raise InvalidSpecError("adjacency.bad_rounds", spec=self.spec, most=self.most_rounds)

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.rows, self.columns)

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """For each cell, by number, the cells above, left, right and below it, as a bitboard."""
        return tuple(sum(self.bits[cell] for cell in cells) for cells in self.grid.neighbours)

    @cached_property
    def board(self) -> int:
        """All cells, as a bitboard."""
        return (1 << self.grid.size) - 1

    def around(self, cells: int) -> int:
        """Return every cell of the board that has one of *cells* beside it; both are bitboards."""
        left, right = self._but_last_column & cells, self._but_first_column & cells
        shifted = left << 1 | right >> 1 | cells << self.columns | cells >> self.columns
        return shifted & self.board

    @cached_property
    def _but_first_column(self) -> int:
        """All cells but those of the first column, as a bitboard."""
        return sum(bit for cell, bit in enumerate(self.bits) if cell % self.columns)

    @cached_property
    def _but_last_column(self) -> int:
        """All cells but those of the last column, as a bitboard."""
        return self._but_first_column >> 1

    def start(self) -> AdjacencyPosition:
        wide = self.columns
        corner = 0b11 | 0b11 << wide  # two cells of each of two rows
        bottom_left = corner << (self.rows - 2) * wide
        top_right = corner << wide - 2
        return AdjacencyPosition(self, (bottom_left, top_right), MARKS.index(self.first))

    def read(self, fields: Sequence[str]) -> AdjacencyPosition:
        """Return the position of *fields*: the board and the seat to move.

        They are like ``x.oo/.ooo/xo../xx.x`` (rows from the top) and ``x`` or ``o``. Raise
        InvalidPositionError if they are malformed, or there are fewer marks than at the start or
        more than at the end. Whether play can lead there, also to that turn, is not checked.
        """
        position = self.sketched(fields)
        assert isinstance(position, AdjacencyPosition)
        marks = self.grid.size - position.empty.bit_count()
        most = MARKS_AT_START + 2 * self.rounds
        if not MARKS_AT_START <= marks <= most:
            raise InvalidPositionError(
                "adjacency.bad_marks", board=fields[0], marks=marks, least=MARKS_AT_START, most=most
            )
        return position

    def position(self, marks: tuple[int, int], turn: int) -> AdjacencyPosition:
        """Return the position with these *marks* (a bitboard for each seat) and seat to move.

        Nothing is checked.
        """
        return AdjacencyPosition(self, marks, turn)

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The ways to turn and mirror the board, each a tuple with one cell for each cell.

        ``image[cell]`` is the number of the cell whose content comes to *cell*; the first image is
        the board as it is. A square board has eight, others have four.
        """
        return self.grid.images

    @property
    def most_rounds(self) -> int:
        """The largest number of rounds that the board has room for."""
        return (self.grid.size - MARKS_AT_START) // 2


@dataclass(frozen=True, slots=True, repr=False)
class AdjacencyPosition(MarkPosition):
    """A position: the marks of each seat, 0 (x) and 1 (o), as bitboards, and the seat to move.

    Bit n is the cell with the number n.
    """

    game: Adjacency = field(hash=False)
    marks: tuple[int, int]
    turn: int = 0

    @property
    def empty(self) -> int:
        """The cells without a mark, as a bitboard."""
        return self.game.board & ~self.taken

    @property
    def plies_left(self) -> int:
        """The number of moves still to come: every move so far has left one more mark."""
        placed = self.game.grid.size - self.empty.bit_count() - MARKS_AT_START
        return 2 * self.game.rounds - placed

    @property
    def rounds_left(self) -> int:
        """The number of unfinished rounds, the current one included; 0 at the end."""
        return (self.plies_left + 1) // 2

    def moves(self) -> list[Move]:
        """Return the numbers of the empty cells in ascending order; empty once no round is left."""
        if not self.plies_left:
            return []
        empty = self.empty
        return [move for move, bit in enumerate(self.game.bits) if empty & bit]

    def flips(self, move: Move) -> list[int]:
        """Return the cells whose marks *move* would turn, as ascending numbers; empty if none.

        *move* must be the number of an empty cell: not checked.
        """
        return [cell for cell in self.game.grid.neighbours[move] if self._turned(move) >> cell & 1]

    def turned_by(self, move: Move) -> int:
        """Return how many rival marks *move*, an empty cell's number, would turn: 0 to 4."""
        return self._turned(move).bit_count()

    def most_turned(self) -> tuple[int, str]:
        """Return the most marks that the next move can turn (0 to 4), and the name of its cell.

        Of several such cells it is the first by number. 0 and "" at the end of the game.
        """
        most = max(self.moves(), key=self.turned_by, default=None)
        return (0, "") if most is None else (self.turned_by(most), self.game.move_name(most))

    def child(self, move: Move) -> AdjacencyPosition:
        """Return the position after a mark on the cell *move*, which must be empty: not checked.

        The rival marks beside it change hands; then the rival moves.
        """
        turned = self._turned(move)
        gained = self.game.bits[move] | turned
        x, o = self.marks
        marks = (x | gained, o ^ turned) if self.turn == 0 else (x ^ turned, o | gained)
        return AdjacencyPosition(self.game, marks, 1 - self.turn)

    def scores(self) -> tuple[float, float]:
        """Return the number of marks of seat 0 (x), and that of seat 1 (o)."""
        x, o = self.marks
        return x.bit_count(), o.bit_count()

    def exposed(self, seat: int) -> int:
        """Return the number of marks of *seat* beside an empty cell: only these can be turned."""
        return (self.game.around(self.empty) & self.marks[seat]).bit_count()

    def _turned(self, move: Move) -> int:
        """Return the rival marks beside the cell *move*, a number, as a bitboard."""
        return self.game.beside[move] & self.marks[1 - self.turn]
