"""Tic Tac Toe on a board of any size, also known as the m,n,k game.

Two players mark empty cells in turn. The first to own *connect* cells in an unbroken row, column
or diagonal wins; a full board is a draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from papan.core import (
    Agent,
    Grid,
    InvalidSpecError,
    Move,
    Native,
    Patterns,
    Planes,
    Position,
    Strips,
    board,
)
from papan.core.marks import LineGame, LinePosition
from papan.games.tictactoe import draw

LARGEST = 15


@dataclass(frozen=True)
class TicTacToe(LineGame):
    """The rules: how large the board is and how long a winning line must be."""

    rows: int = 3
    columns: int = 3
    connect: int = 3

    name: ClassVar[str] = "tictactoe"
    place: ClassVar[int] = 1
    growth: ClassVar[float] = 4.0
    presets: ClassVar[tuple[str, ...]] = (
        "tictactoe:4,4,4",
        "tictactoe:5,5,5",
        "tictactoe:5,5,4",
        "tictactoe:15,15,5",
    )
    sample: ClassVar[str] = "tictactoe b2 a1 c3 a3 a2"
    lesson_steps: ClassVar[Mapping[str, str]] = {
        "review.missed_win": "lesson.tictactoe_win_task",
        "review.not_blocked": "lesson.tictactoe_block_task",
        "review.missed_double": "lesson.tictactoe_fork_task",
        "review.allowed_double": "lesson.tictactoe_defend_task",
    }
    moves_stay: ClassVar[bool] = True
    solver_examples: ClassVar[tuple[str, ...]] = ("tictactoe:3,3,3", "tictactoe:9,9,5")

    def __post_init__(self) -> None:
        shorter, longer = sorted((self.rows, self.columns))
        if not (1 <= shorter <= longer <= LARGEST and 3 <= self.connect <= longer):
            raise InvalidSpecError("tictactoe.bad_size", spec=self.spec, largest=LARGEST)

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.rows, self.columns)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell: the strips of a bitboard are the rows."""
        return tuple(1 << cell + cell // self.columns for cell in range(self.grid.size))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every winning line, as a bitboard."""
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
    def move_count(self) -> int:
        return self.grid.size

    @property
    def strip(self) -> int:
        return self.columns

    @property
    def forgiving(self) -> float:
        """Lines from edge to edge are few, and soon spoilt: the longer, the sooner."""
        return self.connect if self.connect == max(self.rows, self.columns) else 1

    def start(self) -> TicTacToePosition:
        return TicTacToePosition(self)

    def position(self, marks: tuple[int, int], turn: int) -> TicTacToePosition:
        return TicTacToePosition(self, marks, turn)

    def solver(self, **settings: Any) -> Agent:
        from papan.games.tictactoe.solver import TicTacToeSolver

        return TicTacToeSolver(**settings)

    def proof_nodes(self, position: Position) -> int:
        """On boards over 64 cells the engine of threats plays, whose nodes take far longer."""
        most = super().proof_nodes(position)
        return most if self.grid.size <= 64 else 2 * most // 5

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, TicTacToePosition)
        from papan.games.tictactoe.kernel_state import form  # brings Numba

        return form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.tictactoe.kernel_state import patterns  # brings Numba

        return patterns(self)

    @property
    def strips(self) -> Strips:
        return Strips(self.rows, self.columns, falls=False)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, TicTacToePosition)
        from papan.games.tictactoe.planes import planes  # brings NumPy

        return planes(position)

    def has_line(self, marks: int) -> bool:
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
    """The marks of each seat, as one bitboard each, and whose turn it is."""

    game: TicTacToe = field(hash=False)
    marks: tuple[int, int] = (0, 0)
    turn: int = 0

    svg = draw.svg
    features = draw.features

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

    def highlight(self, move: Move) -> str:
        return board.ring(self.game.grid, move)
