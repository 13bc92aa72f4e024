"""The exact truth about Dots and Boxes where it can be had, else the strongest play in the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Game, Position, Thinking
from papan.core.agent import load_once
from papan.games.dots.rules import Dots, DotsPosition


@dataclass
class DotsSolver(Agent):
    """Proves the final margin; where that is out of reach, plays what playouts like best."""

    memory: int = 256
    """Megabytes for the table."""
    threads: int = 1
    all_moves: bool = False
    """Prove the value of every move, not only which ones are best."""
    book: bool = True
    """Use the endgame database of the board, where one was made."""

    name: ClassVar[str] = "solver"

    def __post_init__(self) -> None:
        self.demand("memory", 1)
        self.demand("threads", 1)
        from papan.games.dots import solution  # noqa: F401 - compiled before any clock runs

    def plays(self, game: Game) -> bool:
        return isinstance(game, Dots) and game.has_solver

    def load(self, position: Position) -> None:
        load_once(self, position)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        from papan.games.dots.solution import Solution

        assert isinstance(position, DotsPosition)
        return Solution(position, thinking, self).analysis()
