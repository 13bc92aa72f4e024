"""Tic Tac Toe for searches, its solver and learning agents: native form, strips, planes."""

from __future__ import annotations

from typing import Any

from papan.core import Agent, Native, Patterns, Planes, Position, Strips
from papan.core.marks import LineSupport
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition


class TicTacToeSupport(LineSupport, game=TicTacToe):
    """Compiled rules, learned patterns, planes for nets, and a solver for every size."""

    game: TicTacToe
    solver_examples = ("tictactoe:3,3,3", "tictactoe:9,9,5")

    @property
    def error_factor(self) -> float:
        """Length of a line that spans the board, else 1: any play spoils long lines."""
        game = self.game
        return game.connect if game.connect == max(game.rows, game.columns) else 1

    def solver(self, **settings: Any) -> Agent:
        from papan.games.tictactoe.solver import TicTacToeSolver  # brings Numba

        return TicTacToeSolver(**settings)

    def proof_nodes(self, position: Position) -> int:
        """Return fewer nodes over 64 cells, where the engine of threats takes longer for each."""
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
    """Return the planes of a net: the marks of both, the board, and the share of full cells.

    Written with what NumPy and JAX have in common, so that play and training see the same.
    """
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    full = xp.sum(xp.astype(own | rival, xp.float32)) / board.size
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    return xp.stack([*marks, board, board * full], axis=-1)
