"""Adjacency as people set a board up: marks, and the rounds of the game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papan.core import Position
from papan.core.editing import Dial, GridDraft, mark_pieces
from papan.core.marks import MarkSetup
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition


@dataclass(frozen=True)
class AdjacencyDraft(GridDraft):
    """A board being set up cell by cell, with one number besides: the rounds of the whole game.

    This is the `Dial` called ``rounds``, from 1 to the most that the board has room for. The rounds
    left follow from the marks.
    """

    position: AdjacencyPosition

    def dials(self) -> tuple[Dial, ...]:
        game = self.position.game
        return (Dial("rounds", game.rounds, 1, game.most_rounds),)

    def dialled(self, name: str, value: int) -> AdjacencyPosition:
        return replace(self.position, game=replace(self.position.game, rounds=value))


class AdjacencySetup(MarkSetup, game=Adjacency):
    """Sets up a board of x and o, and the number of rounds of the game: see `AdjacencyDraft`."""

    def draft(self, position: Position) -> AdjacencyDraft:
        assert isinstance(position, AdjacencyPosition)
        return AdjacencyDraft(position, self.game.grid, mark_pieces())
