"""Adjacency boards as people set them up: the marks, whose turn it is, how many rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from papan.core.editing import Dial, GridDraft
from papan.games.adjacency.rules import AdjacencyPosition

ROUNDS = "rounds"


@dataclass(frozen=True)
class AdjacencyDraft(GridDraft):
    """A board, and the rounds of the game: those left follow from the marks."""

    position: AdjacencyPosition

    def dials(self) -> tuple[Dial, ...]:
        game = self.position.game
        return (Dial(ROUNDS, game.rounds, 1, game.most_rounds),)

    def dialled(self, name: str, value: int) -> AdjacencyPosition:
        return replace(self.position, game=replace(self.position.game, rounds=value))
