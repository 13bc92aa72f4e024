"""Tic Tac Toe on a board of any size, also known as the m,n,k game.

Two players mark empty cells in turn. The first to own *connect* cells in an unbroken row, column
or diagonal wins; a full board is a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import tanh
from typing import Any, ClassVar

from papan.core import (
    PLAIN,
    Agent,
    Feature,
    Graph,
    Grid,
    InvalidPositionError,
    InvalidSpecError,
    Move,
    Native,
    Patterns,
    Planes,
    Position,
    Strips,
    View,
    board,
)
from papan.core.board import MARKS, MarkGame, MarkPosition
from papan.core.editing import Draft, GridDraft, marks
from papan.games.tictactoe import draw

LARGEST = 15


@dataclass(frozen=True)
class TicTacToe(MarkGame):
    """The rules: how large the board is and how long a winning line must be."""

    rows: int = 3
    columns: int = 3
    connect: int = 3

    name: ClassVar[str] = "tictactoe"
    place: ClassVar[int] = 1
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
        """The bit of each cell. An unused bit after each row keeps lines from wrapping around."""
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
    def largest_margin(self) -> float:
        return 1

    @property
    def forgiving(self) -> float:
        """Long lines from edge to edge are few, and soon spoilt: see `benchmarks/ladder.py`."""
        return 3 if self.connect == max(self.rows, self.columns) > 3 else 1

    def start(self) -> TicTacToePosition:
        return TicTacToePosition(self)

    def read(self, fields: Sequence[str]) -> TicTacToePosition:
        text, turn = fields
        position = self.sketch(fields)
        lead = text.count("x") - text.count("o")
        if (lead, position.turn) not in {(0, 0), (1, 1)}:
            raise InvalidPositionError("tictactoe.wrong_turn", turn=turn, board=text)
        if self.has_line(position.marks[position.turn]):
            raise InvalidPositionError("tictactoe.already_won", turn=turn, board=text)
        return position

    def sketch(self, fields: Sequence[str]) -> TicTacToePosition:
        text, turn = fields
        placed = self.parse_marks(text)
        if turn not in ("x", "o"):
            raise InvalidPositionError("tictactoe.wrong_turn", turn=turn, board=text)
        return TicTacToePosition(self, placed, MARKS.index(turn))

    def draft(self, position: Position) -> Draft:
        return GridDraft(position, self.grid, marks())

    def evaluate(self, position: Position, seat: int) -> float:
        assert isinstance(position, TicTacToePosition)
        return estimate(position, seat)

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
        """Do these marks hold a winning line?"""
        below = self.columns + 1
        for step in (1, below - 1, below, below + 1):
            starts = marks
            for _ in range(self.connect - 1):
                starts &= starts >> step  # keeps the cells whose line still goes on
            if starts:
                return True
        return False


@dataclass(frozen=True, slots=True, repr=False)
class TicTacToePosition(MarkPosition):
    """The marks of each seat, as one bitboard each, and whose turn it is."""

    game: TicTacToe = field(hash=False)
    marks: tuple[int, int] = (0, 0)
    turn: int = 0

    def moves(self) -> list[Move]:
        if self._just_won():
            return []
        taken = self.marks[0] | self.marks[1]
        return [move for move, bit in enumerate(self.game.bits) if not taken & bit]

    def child(self, move: Move) -> TicTacToePosition:
        x, o = self.marks
        bit = self.game.bits[move]
        marks = (x | bit, o) if self.turn == 0 else (x, o | bit)
        return TicTacToePosition(self.game, marks, 1 - self.turn)

    def scores(self) -> tuple[float, float]:
        if not self._just_won():
            return (0, 0)
        return (0, 1) if self.turn == 0 else (1, 0)

    def cells(self) -> str:
        return self.game.write_marks(self.marks)

    def picture(self, view: View = PLAIN) -> str:
        return draw.picture(self)

    def svg(self, view: View = PLAIN) -> str:
        return draw.svg(self, view)

    def highlight(self, move: Move) -> str:
        return board.ring(self.game.grid, move)

    def features(self) -> Sequence[Feature]:
        return draw.features(self)

    def graphs(self) -> tuple[Graph]:
        bits = self.game.bits
        lines = [[cell for cell, bit in enumerate(bits) if line & bit] for line in self.game.lines]
        return (board.line_graph(self.game.grid, self.cells(), lines),)

    def _just_won(self) -> bool:
        """Only the seat that has just moved can own a new line."""
        return self.game.has_line(self.marks[1 - self.turn])


GROWTH = 4.0
"""How much more a line is worth with each mark."""

MOST = 0.9
"""However good it looks, a position is worth less than a game that is won."""


def estimate(position: TicTacToePosition, seat: int) -> float:
    """A guess, from -1 to 1: the lines open to each side, long ones counting most."""
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    balance = board.open_lines(position.game.lines, mine, theirs, GROWTH)
    return MOST * tanh(balance / GROWTH**position.game.connect)
