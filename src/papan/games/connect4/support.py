"""Connect 4 for searches, its solver and learning agents: native form, patterns, strips, planes."""

from __future__ import annotations

from typing import Any

from papan.core import Agent, Native, Patterns, Planes, Position, Strips
from papan.core.line_slips import FALLING_SPOTS
from papan.core.marks import LineSupport
from papan.games.connect4.rules import Connect4, Connect4Position

SOLVED_SOON = 44
"""The most empty cells with which a short proof is tried.

With 44 or fewer, two million nodes proved 26 of 27 positions from games of level:3, on 7x6, 8x7 and
10x7; with 47 or 52 they proved 2 of 6."""


class Connect4Support(LineSupport, game=Connect4):
    """What searches and learning agents need of Connect 4, by the board of *game*.

    It makes a solver, the form of positions for compiled searches, the patterns of four cells and
    the strips (the columns) that tables of learned weights are for, and the planes that a net sees.
    `blind_spots` are what levels 1 to 4 may overlook, each with the levels that have it.
    """

    game: Connect4
    solver_examples = ("connect4:6,7", "connect4:5,9", "connect4:7,10")
    blind_spots = FALLING_SPOTS

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        if self.game.columns <= 7:
            return (0.8, 0.67, 0.73, 0.3)
        wide = {8: (0.78, 0.68, 0.82, 0.5), 9: (0.7, 0.64, 0.86, 0.53)}
        return wide.get(self.game.columns, (0.6, 0.56, 0.9, 0.64))

    def solver(self, **settings: Any) -> Agent:
        from papan.games.connect4.solver import Connect4Solver  # brings Numba

        solver = Connect4Solver(**settings)
        solver.prepare(self.game)
        return solver

    def proof_nodes(self, position: Position) -> int:
        assert isinstance(position, Connect4Position)
        game = self.game
        left = game.grid.size - position.taken.bit_count()
        words = (game.rows + 1) * game.columns // 65 + 1  # two take 4 times as long
        return super().proof_nodes(position) // words**2 if left <= SOLVED_SOON else 0

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, Connect4Position)
        from papan.games.connect4.kernel_state import connect4_form  # brings Numba

        return connect4_form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.connect4.kernel_state import connect4_patterns  # brings Numba

        return connect4_patterns(self.game)

    @property
    def strips(self) -> Strips:
        return Strips(self.game.columns, self.game.rows, falls=True)

    def planes(self, position: Position) -> Planes:
        assert isinstance(position, Connect4Position)
        own, rival = position.arrays()
        board = own | ~own  # all of it
        rows = landing(own, rival, board).argmax(axis=0)
        places = (int(rows[move]) * self.game.columns + move for move in position.moves())
        return Planes(image(own, rival, board), tuple(places), position.utility())


# The planes of a net, written with what NumPy and JAX have in common: play and training see the
# same. In training the board may be a part of the array.


def landing(own: Any, rival: Any, board: Any) -> Any:
    """Return the boolean plane of the cells where the next stone of each column would come to rest.

    It and the arguments are boolean arrays (rows from the top, columns): stones of the mover,
    stones of its rival, and the cells of the board.
    """
    xp = own.__array_namespace__()
    empty = board & ~(own | rival)
    below = xp.cumulative_sum(xp.astype(xp.flip(empty, axis=0), xp.int32), axis=0)
    return empty & (xp.flip(below, axis=0) == 1)


def image(own: Any, rival: Any, board: Any) -> Any:
    """Return the six planes of a net as one float array (rows, columns, planes).

    The arguments are those of `landing`. The planes: the mover's stones, the rival's, the board,
    its even rows (second, fourth, … from below), the landing cells, and the share of taken cells, 0
    to 1, in every cell of the board. If the board is only a part of the arrays, it must begin in
    their top left cell: not checked.
    """
    xp = own.__array_namespace__()
    rows = xp.sum(xp.astype(board[:, 0], xp.int32))
    height = rows - 1 - xp.arange(own.shape[0])[:, None]
    taken = own | rival
    full = xp.sum(xp.astype(taken, xp.float32)) / xp.sum(xp.astype(board, xp.float32))
    planes = (own, rival, board, board & (height % 2 == 1), landing(own, rival, board))
    flat = [xp.astype(plane, xp.float32) for plane in planes]
    return xp.stack([*flat, xp.astype(board, xp.float32) * full], axis=-1)
