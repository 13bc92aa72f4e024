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
    Feature,
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
from papan.core.drawing import COLOURS, PLAIN, UNIT, View, tag
from papan.core.marks import LineGame, LinePosition

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
        own, rival = position.arrays()
        return Planes(image(own, rival), tuple(position.moves()), position.utility())

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

    def svg(self, view: View = PLAIN) -> str:
        """The board with the last move, the winning line, highlights and labels."""
        grid = self.game.grid
        parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
        for cell in range(grid.size):
            parts.append(board.square(grid, cell, **(board.LIT if cell == view.last else {})))
        parts.append(_rules(grid))
        for cell, mark in enumerate(self.cells()):
            if mark in "xo":
                shape = board.cross if mark == "x" else board.nought
                parts.append(board.piece(grid.names[cell], shape(*board.centre(grid, cell)), "pen"))
        parts += [self.highlight(move) for move in view.highlights]
        parts += [board.value(grid, move, text) for move, text in view.labels.items()]
        rival = self.marks[1 - self.turn]
        parts += [_stroke(self.game, line) for line in self.game.lines if line & rival == line]
        return board.sheet(grid, str(self), self.picture(), parts)

    def features(self) -> list[Feature]:
        """How many of the legal moves really differ: no symmetry turns one into the other."""
        moves, cells = self.moves(), self.cells()
        symmetries = [
            image
            for image in self.game.grid.images
            if all(cells[place] == cell for place, cell in zip(image, cells))
        ]
        distinct = len({min(image[move] for image in symmetries) for move in moves})
        facts = {"moves": len(moves), "distinct": distinct}
        return [Feature("tictactoe.distinct", facts)] if moves else []


def _rules(grid: Grid) -> str:
    """The lines between the cells, ruled by hand."""
    edge, width, height = board.EDGE, grid.columns * UNIT, grid.rows * UNIT
    down = [f"M{edge + x * UNIT:g} {edge + 4:g}v{height - 8:g}" for x in range(1, grid.columns)]
    across = [f"M{edge + 4:g} {edge + y * UNIT:g}h{width - 8:g}" for y in range(1, grid.rows)]
    pen = {"stroke": COLOURS["faint"], "stroke_width": 3, "stroke_linecap": "round"}
    return tag("path", d="".join(down + across), fill="none", class_="rule", **pen)


def _stroke(game: TicTacToe, line: int) -> str:
    """A golden stroke through a line that has won."""
    cells = [cell for cell, bit in enumerate(game.bits) if bit & line]
    (x1, y1), (x2, y2) = (board.centre(game.grid, cell) for cell in (cells[0], cells[-1]))
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    pen = {"stroke_linecap": "round", "pathLength": 1}
    edge = {"stroke": COLOURS["gold-edge"], "stroke_width": 11, "class_": "won-edge"}
    gold = {"stroke": COLOURS["gold"], "stroke_width": 7, "class_": "won"}
    return tag("line", **ends, **pen, **edge) + tag("line", **ends, **pen, **gold)


def image(own: Any, rival: Any) -> Any:
    """The planes of a net: the marks of both, the board, and how full it is.

    Written with what NumPy and JAX have in common, so that play and training see the same.
    """
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    full = xp.sum(xp.astype(own | rival, xp.float32)) / board.size
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    return xp.stack([*marks, board, board * full], axis=-1)
