"""Tic Tac Toe for searches, its solver and learning: native form, patterns, strips, planes."""

from __future__ import annotations

from functools import cache
from typing import Any

from papan.core import Agent, Move, Native, Patterns, Planes, Position, Strips
from papan.core.marks import LineSupport
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

FEW_CELLS = 64
"""Cells up to which a board is small: lines cross the whole of it."""
NEAR = 2
"""Rows and columns within which marks have to do with each other."""


class TicTacToeSupport(LineSupport, game=TicTacToe):
    """Give searches and learning agents what they need to play on the board of *game*.

    It makes a solver, the form of positions for compiled searches, the patterns (one cell longer
    than a winning line) and the strips (the rows) that tables of learned weights are for, and the
    planes that a net sees.
    """

    game: TicTacToe
    solver_examples = ("tictactoe:3,3,3", "tictactoe:9,9,5")

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        if self.game.grid.size > FEW_CELLS:
            return (0.92, 0.85, 0.82, 0.75)
        drawish = self.game.connect == max(self.game.rows, self.game.columns)
        return (0.7, 0.45, 0.25, 0.1) if drawish else (0.88, 0.73, 0.45, 0.04)

    def is_remote(self, position: Position, move: Move) -> bool:
        """Return whether no mark is within NEAR (2) rows and columns of *move*, a number of a cell.

        On an empty board the cell in the middle counts as marked.
        """
        assert isinstance(position, TicTacToePosition)
        game = self.game
        marked = position.taken or game.bits[game.rows // 2 * game.columns + game.columns // 2]
        return not marked & near_cells(game)[move]

    def solver(self, **settings: Any) -> Agent:
        from papan.games.tictactoe.solver import TicTacToeSolver  # brings Numba

        return TicTacToeSolver(**settings)

    def proof_nodes(self, position: Position) -> int:
        """Return the most nodes of the proof that level 5 tries before a move.

        It is the default of `Support.proof_nodes`; on boards of over 64 cells, where each node
        takes longer, it is two fifths of that, rounded down.
        """
        most = super().proof_nodes(position)
        return most if self.game.grid.size <= 64 else 2 * most // 5

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, TicTacToePosition)
        from papan.games.tictactoe.kernel_state import tictactoe_form  # brings Numba

        return tictactoe_form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.tictactoe.kernel_state import tictactoe_patterns  # brings Numba

        return tictactoe_patterns(self.game)

    @property
    def strips(self) -> Strips:
        return Strips(self.game.rows, self.game.columns, falls=False)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, TicTacToePosition)
        own, rival = position.arrays()
        return Planes(image(own, rival), tuple(position.moves()), position.utility())


def image(own: Any, rival: Any) -> Any:
    """Return the four planes of a net as one float array (rows, columns, planes).

    *own* and *rival* are boolean arrays (rows, columns): marks of the seat to move and of the
    other. The planes: these two, the board (all 1), and the share of taken cells, 0 to 1, the same
    number everywhere. The arrays may be of NumPy or of JAX, and so is the result: play and training
    see the same.
    """
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    full = xp.sum(xp.astype(own | rival, xp.float32)) / board.size
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    return xp.stack([*marks, board, board * full], axis=-1)


@cache
def near_cells(game: TicTacToe) -> tuple[int, ...]:
    """Return for each cell those within NEAR (2) rows and columns of it, itself too: a bitboard.

    The bits are those of `TicTacToe.bits`.
    """

    def around(row: int, column: int) -> int:
        rows = range(max(row - NEAR, 0), min(row + NEAR + 1, game.rows))
        columns = range(max(column - NEAR, 0), min(column + NEAR + 1, game.columns))
        return sum(game.bits[down * game.columns + right] for down in rows for right in columns)

    return tuple(around(*divmod(cell, game.columns)) for cell in range(game.grid.size))
