"""Solver: the exact truth about a position, for games with a solver or with compiled rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Game, Position, Thinking, native_form


@dataclass
class Solver(Agent):
    """Hands the position to the game's own solver, or to the one of all games."""

    memory: int = 256
    """Megabytes for tables."""
    threads: int = 1

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)

    def plays(self, game: Game) -> bool:
        return game.has_solver or native_form(game.start()) is not None

    def load(self, position: Position) -> None:
        if self.plays(position.game):
            self._solver(position.game).load(position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return self._solver(position.game).decide(position, thinking)

    def _solver(self, game: Game) -> Agent:
        if game.has_solver and (own := game.solver(memory=self.memory, threads=self.threads)):
            return own
        from papan.engine.solver import NativeSolver  # brings Numba

        return NativeSolver(self.memory, self.threads)
