"""Dots and Boxes for searches, its solver and learning agents: native form, estimate, planes."""

from __future__ import annotations

from random import Random
from typing import Any

from papan.core import Agent, Native, PapanError, Planes, Position, Support, margin
from papan.core.parts import NODES_A_SECOND
from papan.core.slips import Slip
from papan.games.dots import chains
from papan.games.dots.rules import Dots, DotsPosition
from papan.games.dots.slips import DotsSight


class DotsSupport(Support, game=Dots):
    """What searches, solvers and learning need of Dots and Boxes, such as its native form."""

    game: Dots
    solver_examples = ("dots:3,3",)

    def evaluate(self, position: Position, seat: int) -> float:
        """Return the estimated final margin of *seat* (0 or 1) in boxes, by `estimate`."""
        assert isinstance(position, DotsPosition)
        return estimate(position, seat)

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        """The probabilities (0 to 1) that agents level:1 to level:4 have a blind spot at a move.

        Mostly lower on larger boards, where a slip gives a longer chain away.
        """
        rates = {
            4: (0.6, 0.35, 0.25, 0.15),
            9: (0.45, 0.4, 0.2, 0.25),
            16: (0.4, 0.33, 0.2, 0.35),
            25: (0.35, 0.2, 0.18, 0.2),
        }
        return rates.get(len(self.game.boxes), (0.25, 0.2, 0.18, 0.12))

    def slip(self, position: Position, level: int, rng: Random) -> Slip | None:
        """Return a slip of a player of *level* (1 to 4), by `DotsSight`; None if there is none.

        The game must not be over: not checked.
        """
        assert isinstance(position, DotsPosition)
        return DotsSight(position).slip(level, rng)

    @property
    def has_solver(self) -> bool:
        """True if the board fits the solver: at most 36 boxes and 64 dots."""
        return len(self.game.boxes) <= 36 and self.game.dots.size <= 64

    def solver(self, **settings: Any) -> Agent | None:
        from papan.games.dots.solver import DotsSolver  # brings Numba, which play does not need

        return DotsSolver(**settings) if self.has_solver else None

    def databases(self) -> dict[str, PapanError | None]:
        from papan.games.dots.endgame_db_file import endgame_databases

        return endgame_databases()

    def proof_nodes(self, position: Position) -> int:
        """Return the most nodes of the proof that level 5 tries before a move: at most 200,000.

        Fewer on boards of more than 40 lines.
        """
        # What cannot be proved is played out, which takes longer with more lines.
        return min(200_000, 8_000_000 // self.game.move_count)

    @property
    def nodes_a_second(self) -> int:
        """Nodes that stand for a second of search, as reviews are limited by nodes.

        Fewer than `NODES_A_SECOND` on a board of more than 30 lines.
        """
        # Measured: each node costs more with more lines.
        return min(NODES_A_SECOND, 30_000_000 // self.game.move_count)

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, DotsPosition)
        from papan.games.dots.kernel_state import dots_form  # brings Numba

        return dots_form(position)

    def planes(self, position: Position) -> Planes:
        """Return the position as a net sees it: its nine planes by `image`, moves and lead.

        A move's place is by `line_places`; the lead is the present margin of the seat to move, in
        boxes divided by UTILITY_UNIT.
        """
        assert isinstance(position, DotsPosition)
        import numpy as np  # which play does not need

        places = line_places(self.game)
        shape = self.game.dots.rows, self.game.dots.columns
        lines, drawn = np.zeros((2, *shape, 2), bool)
        lines.reshape(-1)[places] = True
        drawn.reshape(-1)[places] = [
            bool(position.drawn >> move & 1) for move in range(len(places))
        ]
        boxes = np.zeros(shape, bool)
        boxes[:-1, :-1] = True
        seen = image(drawn, np.ones(shape, bool), boxes, lines)
        ahead = margin(position, position.turn) / UTILITY_UNIT
        return Planes(seen, tuple(places[move] for move in position.moves()), ahead)


CONTROL = 0.25
"""Expected gain of the seat whose rival must give boxes first, as a share of the boxes that have no
owner yet."""

SOON = 2
"""Largest number of safe lines at which the estimate predicts which seat runs out of them."""


def estimate(position: DotsPosition, seat: int) -> float:
    """Return the estimated final margin of *seat* (0 or 1), in boxes: its own less the rival's.

    It is the present margin of *seat*, plus what the seat to move gains if that is *seat*, else
    minus it: the boxes that it can take in this turn or, if there are none, `control`.
    """
    ahead = chains.boxes_to_take(position) or control(position)
    return margin(position, seat) + (ahead if seat == position.turn else -ahead)


def control(position: DotsPosition) -> float:
    """Return the boxes that the seat to move may expect to gain; negative if it may lose them.

    0 if *position* has more than SOON safe lines. Else the number is CONTROL times the boxes that
    have no owner yet, positive if the number of safe lines is odd, negative if it is even, as 0 is:
    the seats draw safe lines in turn, and the one that finds none must give boxes away. No box may
    be ready to take: not checked.
    """
    safe = len(chains.safe_lines(position))
    if safe > SOON:
        return 0.0
    expected = CONTROL * (len(position.game.boxes) - sum(position.owned))
    return expected if safe % 2 else -expected


# The planes of a net over the dots, each with its two lines, written with what NumPy and JAX have
# in common: play and training see the same.

UTILITY_UNIT = 8.0
"""Scale of a lead in the utility, in boxes."""


def sides(drawn: Any) -> Any:
    """Return for each dot the number of drawn sides (0 to 4) of the box below right of it.

    The array has a row and a column for each of the dots; 0 where there is no box. *drawn* is a
    boolean array (rows of dots, columns, 2): the lines to the right and down of each dot.
    """
    xp = drawn.__array_namespace__()
    across, down = (xp.astype(drawn[..., kind], xp.int32) for kind in (0, 1))
    boxes = across[:-1, :-1] + across[1:, :-1] + down[:-1, :-1] + down[:-1, 1:]
    wide = xp.concat([boxes, xp.zeros_like(boxes[:, :1])], axis=1)
    return xp.concat([wide, xp.zeros_like(wide[:1])], axis=0)


def image(drawn: Any, dots: Any, boxes: Any, lines: Any) -> Any:
    """Return the nine planes of a net as one float array (rows of dots, columns, 9).

    They are: lines drawn to the right and down of each dot; boxes with 2, 3 and 4 sides drawn; all
    boxes; all dots; at every dot the share of lines not drawn yet (0 to 1), and 1 if their number
    is odd, else 0. A box is at the dot at its top left. *drawn* and *lines* (all lines there are)
    are booleans as for `sides`; *dots* and *boxes* are True where a dot, and a box below right of
    it, belongs to the board.
    """
    xp = drawn.__array_namespace__()
    count = sides(drawn)
    left = xp.sum(xp.astype(lines & ~drawn, xp.float32))
    whole = xp.sum(xp.astype(lines, xp.float32))
    planes = [drawn[..., 0], drawn[..., 1], *(boxes & (count == each) for each in (2, 3, 4)), boxes]
    flat = [xp.astype(plane, xp.float32) for plane in (*planes, dots)]
    return xp.stack([*flat, flat[-1] * (left / whole), flat[-1] * (left % 2)], axis=-1)


def line_places(game: Dots) -> list[int]:
    """Return for each line, in order, its index in a flat array of two lines for each dot.

    That of the line to the right of a dot is 2 * dot, that of the line down 2 * dot + 1.
    """
    return [2 * first + (second - first != 1) for first, second in game.lines]
