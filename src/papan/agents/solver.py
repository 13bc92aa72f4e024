"""Solver: the exact truth about a position, for every game that has a solver of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Game, Position, Thinking


@dataclass
class Solver(Agent):
    """Hands the position to the game's own solver."""

    memory: int = 256
    """Megabytes for tables."""
    threads: int = 1

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)

    def plays(self, game: Game) -> bool:
        return game.has_solver

    def load(self, position: Position) -> None:
        game = position.game
        if game.has_solver and (own := game.solver()):
            own.load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        own = position.game.solver(memory=self.memory, threads=self.threads)
        assert own is not None
        return own.decide(position, thinking)
