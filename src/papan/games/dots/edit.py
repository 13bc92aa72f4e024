"""Dots and Boxes as people set it up: the lines, whose turn it is, who owns how many boxes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papan.core.drawing import COLOURS, UNIT, tag
from papan.core.editing import NOTHING, Dial, Draft, Piece
from papan.games.dots.rules import DotsPosition

LINE = "-"
BOXES = "boxes"


@dataclass(frozen=True)
class DotsDraft(Draft):
    """The lines that are drawn; complete boxes always have an owner."""

    position: DotsPosition

    def pieces(self) -> tuple[Piece, Piece]:
        y = UNIT / 2
        line = tag("line", x1=6, y1=y, x2=UNIT - 6, y2=y, stroke=COLOURS["ink"], stroke_width=6)
        return Piece(NOTHING), Piece(LINE, line)

    def spots(self) -> dict[str, str]:
        game, drawn = self.position.game, self.position.drawn
        return {
            game.move_name(line): LINE if drawn >> line & 1 else NOTHING
            for line in range(game.move_count)
        }

    def put(self, spot: str, content: str) -> DotsPosition:
        """A box that becomes complete belongs to who is to move; one that is opened to nobody."""
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
        """The boxes of the first player, where there are any to own."""
        owned = self.position.owned
        return (Dial(BOXES, owned[0], 0, sum(owned)),) if sum(owned) else ()

    def dialled(self, name: str, value: int) -> DotsPosition:
        return replace(self.position, owned=(value, sum(self.position.owned) - value))
