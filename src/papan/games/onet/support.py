"""Onet for searches and its solver: native form and estimate."""

from __future__ import annotations

from typing import Any

from papan.core import Agent, Native, Position, Support
from papan.core.parts import NODES_A_SECOND
from papan.games.onet.rules import Onet, OnetPosition


class OnetSupport(Support, game=Onet):
    """What searches and the solver need of Onet: an estimate of the final score, compiled rules.

    There are compiled rules only for games without gravity and with the usual rule for links.
    """

    game: Onet
    solver_examples = (
        "onet:4,4 1,1,2,2/3,4,5,3/3,5,4,3/2,2,1,1",
        "onet:4,6 4,1,8,7,9,3/4,5,7,6,5,2/9,8,3,7,6,8/2,3,7,1,8,3",
    )

    @property
    def slip_rates(self) -> tuple[float, float, float, float]:
        """The probabilities (0 to 1) that levels 1 to 4 take any pair at a move, without looking.

        High because nearly any play clears a board.
        """
        return (0.833625, 0.578125, 0.341497, 0.142625)

    def evaluate(self, position: Position, seat: int) -> float:
        assert isinstance(position, OnetPosition)
        return estimate(position)

    def solver(self, **settings: Any) -> Agent:
        from papan.games.onet.solver import OnetSolver  # brings Numba, which play does not need

        return OnetSolver(**settings)

    @property
    def nodes_a_second(self) -> int:
        # Measured: each node costs more with more pairs of cells.
        return min(NODES_A_SECOND, 10_000_000_000 // self.game.move_count)

    def native(self, position: Position) -> Native | None:
        assert isinstance(position, OnetPosition)
        if self.game.rule != "onet" or self.game.gravity != "none":
            return None
        from papan.games.onet.kernel_state import onet_form  # brings Numba

        return onet_form(position)


FEW = 10
"""The number of links that adds half a cell to an estimate."""


def estimate(position: OnetPosition) -> float:
    """Return the estimated number of empty cells at the end.

    It is those now + links / (links + FEW), where links are the pairs that can be linked: so a
    search prefers what opens the board. A board that is stuck gets nothing on top.
    """
    links = len(position.moves())
    return position.tiles.count(0) + links / (links + FEW)
