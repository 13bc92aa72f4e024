"""The tiles to choose from when people set up an Onet board."""

from __future__ import annotations

from papan.core.drawing import UNIT
from papan.core.editing import NOTHING, Piece
from papan.games.onet.glyphs import motif
from papan.games.onet.rules import OnetPosition


def pieces(position: OnetPosition) -> tuple[Piece, ...]:
    """Nothing, the kinds of this game, and whatever else lies on the board."""
    kinds = sorted({*range(1, position.game.kinds + 1), *position.tiles} - {0})
    middle = UNIT / 2
    drawn = (Piece(str(kind), motif(kind, middle, middle, 18)) for kind in kinds)
    return (Piece(NOTHING), *drawn)
