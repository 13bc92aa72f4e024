"""Baseline agents for experiments: a perfect one, and one that knows mirrored boards."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Game, Position, Proved, Thinking, margin


@dataclass
class Perfect(Agent):
    """Plays any of the best moves; the solver by itself would always play the same game."""

    seed: int = 0

    name: ClassVar[str] = "perfect"

    def plays(self, game: Game) -> bool:
        return game.has_solver

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        solver = position.game.solver(all_moves=True)
        assert solver is not None
        truth = solver.decide(position, thinking)
        best = random.Random(f"{self.seed} {position}").choice(sorted(truth.best))
        return Analysis((best,), truth.guess, truth.proved)


@dataclass
class Symmetric(Agent):
    """Minimax with a table in which the eight images of a square board are one."""

    name: ClassVar[str] = "symmetric"

    def plays(self, game: Game) -> bool:
        board = game.start().write()[0].split("/")
        return game.seats == 2 and len(board) == len(board[0])

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        transpositions: dict[str, float] = {}
        thinking.tick()
        values = {
            move: Proved.exactly(-self._value(position.child(move), transpositions, thinking))
            for move in position.moves()
        }
        best = max(values, key=lambda move: values[move].low)
        return Analysis((best,), None, values[best], values)

    def _value(
        self, position: Position, transpositions: dict[str, float], thinking: Thinking
    ) -> float:
        """The margin of the side to move, which alternates on such boards."""
        thinking.tick()
        moves = position.moves()
        if not moves:
            return margin(position, position.turn)
        key = image(position)
        if key not in transpositions:
            transpositions[key] = max(
                -self._value(position.child(move), transpositions, thinking) for move in moves
            )
        return transpositions[key]


def image(position: Position) -> str:
    """The same text for all boards that turn or mirror into each other."""
    rows = tuple(position.write()[0].split("/"))
    images = []
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1]))
        images += ["/".join(rows), "/".join(rows[::-1])]
    return min(images)
