"""Adjacency for searches, its solver and learning agents: native form, estimate, planes."""

from __future__ import annotations

from random import Random
from typing import Any

from papan.core import Agent, Native, Patterns, Planes, Position, Support, margin
from papan.core.slips import Slip
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.games.adjacency.slips import AdjacencySight


class AdjacencySupport(Support, game=Adjacency):
    """What searches and learning need of Adjacency.

    It has a native form, patterns, planes, blind spots, and a solver up to 8x8.
    """

    game: Adjacency
    solver_examples = ("adjacency:4,4,4", "adjacency:4,4,2")

    def evaluate(self, position: Position, seat: int) -> float:
        """Return the estimated final margin of *seat* (0 or 1) in marks, by `estimate`."""
        assert isinstance(position, AdjacencyPosition)
        return estimate(position, seat)

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        """The probabilities (0 to 1) that levels 1 to 4 have a blind spot at a move of this game.

        They are higher in a game of more than 8 rounds, and of more than 16, in which a slip can be
        made up for.
        """
        if self.game.rounds > 16:
            return (0.84, 0.7, 1.0, 0.9)
        return (0.68, 0.5, 0.53, 0.36) if self.game.rounds > 8 else (0.6, 0.43, 0.3, 0.02)

    def slip(self, position: Position, level: int, rng: Random) -> Slip | None:
        """Return a slip of a player of *level* (1 to 4) by `AdjacencySight`; None if there is none.

        The game must not be over: not checked.
        """
        assert isinstance(position, AdjacencyPosition)
        return AdjacencySight(position).slip(level, rng)

    @property
    def has_solver(self) -> bool:
        """True if the board has at most 8 rows and columns: it fits into a word of 64 bits."""
        return max(self.game.rows, self.game.columns) <= 8

    def solver(self, **settings: Any) -> Agent | None:
        from papan.games.adjacency.solver import AdjacencySolver  # brings Numba

        return AdjacencySolver(**settings) if self.has_solver else None

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, AdjacencyPosition)
        from papan.games.adjacency.kernel_state import adjacency_form  # brings Numba

        return adjacency_form(position)

    def patterns(self) -> Patterns | None:
        from papan.games.adjacency.kernel_patterns import adjacency_patterns  # brings Numba

        return adjacency_patterns(self.game)

    def planes(self, position: Position) -> Planes:
        """Return the position as a net sees it, for the seat to move: six planes by `image`, moves.

        A move's place is its cell's number. `Planes.ahead` is 0 before the end of the game; at the
        end it is the `utility` of the final lead of the seat to move.
        """
        assert isinstance(position, AdjacencyPosition)
        import numpy as np  # which play does not need

        moves, ahead = tuple(position.moves()), np.array(margin(position, position.turn))
        seen = image(*position.arrays(), np.array(position.plies_left))
        return Planes(seen, moves, 0.0 if moves else float(utility(ahead)))


SAFE = 0.5
"""Points in the estimate for a mark that can no longer be turned, besides the mark's own."""


def estimate(position: AdjacencyPosition, seat: int) -> float:
    """Return the estimated final margin of *seat* in marks: its lead + SAFE * lead in safe marks.

    *seat* is 0 or 1. A mark is turned only by a move beside it: with no empty cell there, it is
    safe to the end. At the end of the game it is the lead.
    """
    mine, theirs = position.marks[seat], position.marks[1 - seat]
    margin = mine.bit_count() - theirs.bit_count()
    if not position.plies_left:
        return margin
    exposed = position.game.around(position.empty)
    return margin + SAFE * ((mine & ~exposed).bit_count() - (theirs & ~exposed).bit_count())


# The planes of a net, written with what NumPy and JAX have in common: play and training see the
# same.

UTILITY_UNIT = 16.0
"""Scale of a lead in the utility, in marks: the lead counts as tanh(lead / unit)."""


def image(own: Any, rival: Any, left: Any) -> Any:
    """Return the six planes of a net as one float array (rows, columns, planes).

    *own* and *rival* are boolean arrays (rows, columns): marks of the seat to move and of the
    other; *left* is an array without dimensions, the plies left. The planes are own marks, rival
    marks, the board (all 1), plies left / 56, min(plies left, 8) / 8, and 1 if the number of plies
    left is odd, else 0. Their numbers are of the type float32.
    """
    xp = own.__array_namespace__()
    board = xp.ones(own.shape, dtype=xp.float32)
    marks = [xp.astype(plane, xp.float32) for plane in (own, rival)]
    clocks = (left / 56, xp.minimum(left, xp.asarray(8)) / 8, left % 2)
    return xp.stack([*marks, board, *(board * clock for clock in clocks)], axis=-1)


def utility(ahead: Any) -> Any:
    """Return the utility of a final lead in marks: (sign + tanh(*ahead* / UTILITY_UNIT)) / 2.

    *ahead* is an array; the result has its shape and is from -1 to 1.
    """
    xp = ahead.__array_namespace__()
    return 0.5 * xp.sign(ahead) + 0.5 * xp.tanh(ahead / UTILITY_UNIT)
