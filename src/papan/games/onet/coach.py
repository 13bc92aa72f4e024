"""Onet in words: why two tiles cannot be taken, and why taking a pair was a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core import Coach, IllegalMoveError, Message, Move
from papan.games.onet.rules import Onet, OnetPosition

if TYPE_CHECKING:
    from papan.core.reasons import Mistake


class OnetCoach(Coach, game=Onet):
    """Reasons by tiles that are left over."""

    position: OnetPosition
    lesson_steps = {"onet.wrong_pair": "lesson.onet_order_task"}

    def why_illegal(self, move: Move) -> IllegalMoveError:
        key = self.position.why_not(*self.position.game.cells(move)) or "error.not_possible"
        return IllegalMoveError(key, move=self.position.game.move_name(move))

    def fault(self, mistake: Mistake) -> Message | None:
        """Return which tile was taken with the wrong one, or how many tiles are left at least."""
        first, second = self.position.game.cells(mistake.move)
        falls = self.position.game.gravity != "none"
        for pair in () if falls else mistake.plan:
            if pair != mistake.move and {first, second} & {*self.position.game.cells(pair)}:
                count = self.position.tiles.count(self.position.tiles[first])
                facts = {"pair": self.position.game.move_name(pair), "count": count}
                return Message("onet.wrong_pair", mistake.names | facts)
        left = len(self.position.tiles) - mistake.now.high
        if left <= 0:
            return None
        key = "onet.fell_apart" if falls else "onet.left_over"
        return Message(key, mistake.names | {"tiles": int(left)})
