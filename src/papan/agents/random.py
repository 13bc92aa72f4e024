"""Random: paper 003's random-iterative agent, the yardstick every other agent must beat."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, OutOfBudget, Position, Thinking


@dataclass
class Random(Agent):
    """Looks at every place of the board, lists the legal moves, then takes any of them."""

    seed: int = 0

    name: ClassVar[str] = "random"
    ends_by_itself: ClassVar[bool] = True

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        with suppress(OutOfBudget):  # the list is made in any case
            for _ in range(position.game.move_count):
                thinking.tick()
        moves = position.moves()
        choice = random.Random(f"{self.seed} {position}").choice(moves)
        if thinking.watched:
            names = position.game.move_name
            share = 1 / len(moves)
            candidates = [{"m": names(move), "v": share, "k": "visits", "n": 1} for move in moves]
            thinking.emit_root(1, names(choice), candidates)
        return Analysis((choice,))
