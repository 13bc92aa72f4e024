"""Puzzles of Onet: boards with traps, and where tiles fall."""

from __future__ import annotations

from papan.core import Message, Move, Position
from papan.games.onet.rules import Onet
from papan.puzzles.themes import GENERAL, PuzzleThemes


class OnetThemes(PuzzleThemes, game=Onet):
    """The two general puzzle themes for one seat: pair and clear.

    In "pair" exactly one move lets the board be cleared, in "clear" not every move does. A question
    gives the direction in which tiles fall, if they do.
    """

    game: Onet
    claims = {name: GENERAL[name] for name in ("pair", "clear")}

    def situation(self, position: Position) -> list[Message]:
        falls = self.game.gravity != "none"
        return [Message(f"onet.falls_{self.game.gravity}")] if falls else []

    def gain(self, position: Position, move: Move) -> float:
        """Return the number of pairs that can be taken after *move*."""
        return len(position.child(move).moves())
