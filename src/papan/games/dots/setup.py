"""Dots and Boxes as people set a board up: line by line."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papan.core import Position, Setup
from papan.core.drawing import COLOURS, UNIT, tag
from papan.core.editing import NOTHING, Dial, Draft, Piece
from papan.games.dots.rules import Dots, DotsPosition

LINE = "-"
BOXES = "boxes"


@dataclass(frozen=True)
class DotsDraft(Draft):
    """A board being set up: each line is drawn or not, and every complete box has an owner.

    A spot is a line, by its name such as ``a1b1``; its content is LINE if it is drawn, else
    NOTHING.
    """

    position: DotsPosition

    def pieces(self) -> tuple[Piece, Piece]:
        y = UNIT / 2
        line = tag("line", x1=6, y1=y, x2=UNIT - 6, y2=y, stroke=COLOURS["ink"], stroke_width=6)
        return Piece(NOTHING), Piece(LINE, line)

    def spots(self) -> dict[str, str]:
        """Return LINE for each drawn line and NOTHING for each other, by its name (``a1b1``)."""
        game, drawn = self.position.game, self.position.drawn
        return {
            game.move_name(line): LINE if drawn >> line & 1 else NOTHING
            for line in range(game.move_count)
        }

    def put(self, spot: str, content: str) -> DotsPosition:
        """Return the position with *content* (LINE or NOTHING) at the line *spot* (``a1b1``).

        A box that becomes complete belongs to the seat to move. A box that is no longer complete is
        taken from the second player, or from the first if the second has none left. Raise
        InvalidMoveError if *spot* is no line; any other *content* counts as NOTHING.
        """
        position = self.position
        bit = 1 << position.game.parse_move(spot)
        drawn = position.drawn | bit if content == LINE else position.drawn & ~bit
        first, second = position.owned
        complete = position.game.complete(drawn)
        gained = max(complete - first - second, 0) if position.turn == 0 else 0
        first = min(first + gained, complete)
        return replace(position, drawn=drawn, owned=(first, complete - first))

    def cleared(self) -> DotsPosition:
        return replace(self.position, drawn=0, owned=(0, 0))

    def dials(self) -> tuple[Dial, ...]:
        """Return one dial: how many of the complete boxes the first player owns, from 0 to all.

        Empty if none are complete.
        """
        owned = self.position.owned
        return (Dial(BOXES, owned[0], 0, sum(owned)),) if sum(owned) else ()

    def dialled(self, name: str, value: int) -> DotsPosition:
        """Return the position in which the first player owns *value* of the complete boxes.

        The second player owns the others. *name* is BOXES; neither is checked.
        """
        return replace(self.position, owned=(value, sum(self.position.owned) - value))


class DotsSetup(Setup, game=Dots):
    """Sets up a board on which each line is drawn or not."""

    def draft(self, position: Position) -> Draft:
        assert isinstance(position, DotsPosition)
        return DotsDraft(position)
