"""Connect 4: stones fall to the lowest empty cell of their column.

Two players drop stones in turn. The first to own four cells in an unbroken row, column or diagonal
wins; a full board is a draw.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from papan.core import (
    Agent,
    Grid,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidSpecError,
    Move,
    Native,
    Patterns,
    Planes,
    Position,
    Strips,
)
from papan.core.board import letters
from papan.core.marks import LineGame, LinePosition
from papan.games.connect4 import draw

ROWS = range(4, 9)
COLUMNS = range(4, 11)

SOLVED_SOON = 44
"""With so many empty cells two million nodes proved 26 of 27 positions from games of level:3, on
7x6, 8x7 and 10x7; with 47 or 52 they proved 2 of 6."""


@dataclass(frozen=True)
class Connect4(LineGame):
    """The rules: how large the board is.

    The strips of a bitboard are the columns from the left, each from the bottom to the top.
    """

    rows: int = 6
    columns: int = 7

    name: ClassVar[str] = "connect4"
    place: ClassVar[int] = 2
    growth: ClassVar[float] = 3.0  # found by play: larger numbers overrate threes
    presets: ClassVar[tuple[str, ...]] = ("connect4:7,8", "connect4:7,9", "connect4:7,10")
    sample: ClassVar[str] = "connect4 4 4 4 3 5 2 3 3 6"
    lesson_steps: ClassVar[Mapping[str, str]] = {
        "review.missed_win": "lesson.connect4_win_task",
        "review.not_blocked": "lesson.connect4_block_task",
        "review.allowed_win": "lesson.connect4_threats",
        "review.missed_double": "lesson.connect4_double_task",
        "review.allowed_double": "lesson.connect4_double_task",
    }
    solver_examples: ClassVar[tuple[str, ...]] = ("connect4:6,7", "connect4:5,9", "connect4:7,10")

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
        """The bit of each cell of the grid."""
        return tuple(
            self.bottoms[column] << height
            for height in reversed(range(self.rows))
            for column in range(self.columns)
        )

    @cached_property
    def bottoms(self) -> tuple[int, ...]:
        """The bit of the lowest cell of each column."""
        return tuple(1 << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def tops(self) -> tuple[int, ...]:
        """The bit of the highest cell of each column."""
        return tuple(bottom << self.rows - 1 for bottom in self.bottoms)

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """How far the next bit of a line is: along a row, a column, a diagonal up and down."""
        right = self.rows + 1
        return (right, 1, right + 1, right - 1)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every four cells in a row, as a bitboard."""
        return tuple(four for fours in self.fours_along.values() for four in fours)

    @cached_property
    def fours_along(self) -> dict[int, tuple[int, ...]]:
        """The same, by the step that leads from each cell to the next."""
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
        """The column of a number, a letter or a cell; the key 0, after 9, means column 10."""
        number = "10" if text == "0" else text.strip().lower()
        for column in range(self.columns):
            if number in (self.move_name(column), letters(column), *self.cells_in(column)):
                return column
        raise InvalidMoveError(
            "connect4.not_a_column", text=text, last=self.columns, letter=letters(self.columns - 1)
        )

    def split_moves(self, text: str) -> list[str]:
        """The columns in *text*: ``4 4, 5 3``, or without spaces as in ``4453`` and ``ddec``.

        A letter with a digit is a cell, ``d1 d2``. In another word without spaces each character is
        one move, and 0 is column 10: ``1090`` means 1, 10, 9, 10. Only the word ``10`` means column
        10 alone; write ``1 10`` or ``aj`` for both.
        """
        names = []
        for word in re.findall(r"[^\s,]+", text):
            compact = re.fullmatch("[0-9a-jA-J]+", word) and word != "10"
            cells = re.fullmatch("(?:[a-jA-J][1-9])+", word)
            names += re.findall("..", word) if cells else list(word) if compact else [word]
        return names

    def cells_in(self, column: Move) -> tuple[str, ...]:
        """The names of a column's cells, from the bottom to the top."""
        return self.grid.names[column :: self.columns][::-1]

    def read(self, fields: Sequence[str]) -> Connect4Position:
        position = super().read(fields)
        assert isinstance(position, Connect4Position)
        if position.taken & ~(position.taken << 1 | sum(self.bottoms)):
            raise InvalidPositionError("connect4.floating", board=fields[0])
        return position

    def solver(self, **settings: Any) -> Agent:
        from papan.games.connect4.solver import Connect4Solver

        solver = Connect4Solver(**settings)
        solver.prepare(self)
        return solver

    def proof_nodes(self, position: Position) -> int:
        assert isinstance(position, Connect4Position)
        left = self.grid.size - position.taken.bit_count()
        words = (self.rows + 1) * self.columns // 65 + 1  # two take 4 times as long
        return super().proof_nodes(position) // words**2 if left <= SOLVED_SOON else 0

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, Connect4Position)
        from papan.games.connect4.kernel_state import form  # brings Numba

        return form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.connect4.kernel_state import patterns  # brings Numba

        return patterns(self)

    @property
    def strips(self) -> Strips:
        return Strips(self.columns, self.rows, falls=True)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, Connect4Position)
        own, rival = position.arrays()
        board = own | ~own  # all of it
        rows = landing(own, rival, board).argmax(axis=0)
        places = (int(rows[move]) * self.columns + move for move in position.moves())
        return Planes(image(own, rival, board), tuple(places), position.utility())

    def has_line(self, marks: int) -> bool:
        for step in self.steps:
            pairs = marks & marks >> step
            if pairs & pairs >> 2 * step:
                return True
        return False


@dataclass(frozen=True, slots=True, repr=False)
class Connect4Position(LinePosition):
    """The stones of each seat, as one bitboard each, and whose turn it is."""

    game: Connect4 = field(hash=False)
    marks: tuple[int, int] = (0, 0)
    turn: int = 0

    picture = draw.picture
    spots = draw.spots
    svg = draw.svg
    highlight = draw.highlight
    label_point = draw.label_point
    features = draw.features

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
        """The column that *text* names; a cell must be the one where the stone comes to rest."""
        move = self.game.parse_move(text)
        cell = text.strip().lower()
        if cell in self.game.cells_in(move) and self.allows(move):
            lands = self.place_of(move)
            if cell != lands:
                raise IllegalMoveError("connect4.other_cell", cell=cell, lands=lands)
        return move

    def landing_bit(self, move: Move) -> int:
        """The cell where a stone dropped into this column comes to rest, as a bitboard."""
        # Adding one at the bottom carries through the stones, up to the first empty cell.
        return (self.taken + self.game.bottoms[move]) & ~self.taken

    def landing_cell(self, move: Move) -> int:
        """The number of that cell."""
        return self.game.bits.index(self.landing_bit(move))

    def why_illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError("connect4.column_full", column=self.game.move_name(move))

    def place_of(self, move: Move) -> str:
        """The cell: a column alone does not say what is completed there."""
        return self.game.grid.names[self.landing_cell(move)]


# The planes of a net, written with what NumPy and JAX have in common: play and training see the
# same. In training the board may be a part of the array.


def landing(own: Any, rival: Any, board: Any) -> Any:
    """The cell of each column where a stone comes to rest, as a plane of truths."""
    xp = own.__array_namespace__()
    empty = board & ~(own | rival)
    below = xp.cumulative_sum(xp.astype(xp.flip(empty, axis=0), xp.int32), axis=0)
    return empty & (xp.flip(below, axis=0) == 1)


def image(own: Any, rival: Any, board: Any) -> Any:
    """Stones, the board, odd rows from below, where stones land, how full."""
    xp = own.__array_namespace__()
    rows = xp.sum(xp.astype(board[:, 0], xp.int32))
    height = rows - 1 - xp.arange(own.shape[0])[:, None]
    taken = own | rival
    full = xp.sum(xp.astype(taken, xp.float32)) / xp.sum(xp.astype(board, xp.float32))
    planes = (own, rival, board, board & (height % 2 == 1), landing(own, rival, board))
    flat = [xp.astype(plane, xp.float32) for plane in planes]
    return xp.stack([*flat, xp.astype(board, xp.float32) * full], axis=-1)
