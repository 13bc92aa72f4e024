"""How promising an Onet board looks to a search that must stop before the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.games.onet.rules import OnetPosition

FEW = 10
"""With so many links, half of what links can add is added."""


def estimate(position: OnetPosition) -> float:
    """The empty cells, and a bit less than one more the more pairs can be linked.

    So a search prefers what opens the board. A board that is stuck gets nothing on top.
    """
    links = len(position.moves())
    return position.tiles.count(0) + links / (links + FEW)
