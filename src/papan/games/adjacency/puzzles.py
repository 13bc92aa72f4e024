"""Puzzles of Adjacency: a question gives the number of rounds left."""

from __future__ import annotations

from papan.core import Message, Position
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition
from papan.puzzles.themes import PuzzleThemes


class AdjacencyThemes(PuzzleThemes, game=Adjacency):
    """The general themes; a question gives the number of rounds left."""

    def situation(self, position: Position) -> list[Message]:
        assert isinstance(position, AdjacencyPosition)
        return [Message("adjacency.rounds_to_go", {"rounds": position.rounds_left})]
