"""Puzzles of Onet: boards with traps, and where tiles fall."""

from __future__ import annotations

import random
from dataclasses import replace

from papan.core import Message, Position
from papan.games.onet.rules import Onet, OnetPosition
from papan.puzzles.themes import PuzzleThemes


class OnetThemes(PuzzleThemes, game=Onet):
    """The general themes for one seat; a question gives the direction in which tiles fall."""

    game: Onet

    def situation(self, position: Position) -> list[Message]:
        falls = self.game.gravity != "none"
        return [Message(f"onet.falls_{self.game.gravity}")] if falls else []

    def first_position(self, seed: int, rng: random.Random) -> Position:
        """Return a board in any order: those that are dealt to be cleared have few traps."""
        tiles = replace(self.game, seed=seed).start().tiles
        return OnetPosition(self.game, tuple(rng.sample(tiles, len(tiles))))
