"""Local search: paper 001's steepest ascent, and two kinds that it calls less suitable.

All of them see no further than their own next move. The others are in the authors' program too.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import ClassVar

from papan.core import Agent, Analysis, Guess, Move, OutOfBudget, Position, Thinking, margin
from papan.core.analysis import root_moves


@dataclass
class HillClimb(Agent):
    """Looks at every move and takes the one with the largest margin right after it.

    Of equal moves it takes the first. It knows no rival, no sideways step and no restart: in a game
    a step cannot be taken back, so each move is one climb of one step.
    """

    name: ClassVar[str] = "hillclimb"
    ends_by_itself: ClassVar[bool] = True

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        best, why = position.moves()[0], "done"
        values: dict[Move, Guess] = {}
        try:
            for move in position.moves():
                thinking.tick()
                height = margin(position.child(move), position.turn)
                values[move] = Guess(height, nodes=1)
                if move == best or height > values[best].margin:
                    best = move
                    name = position.game.move_name(move)
                    thinking.emit("climb", step=1, v=height, nbrs=len(values), restart=0, m=name)
        except OutOfBudget as stop:
            why = str(stop)
        if not values:
            return Analysis((best,), why=why)
        _emit(position, values, best, thinking)
        return Analysis((best,), values[best].margin, values=values, why=why)


def _emit(position: Position, values: Mapping[Move, Guess], best: Move, thinking: Thinking) -> None:
    """Tell of all neighbours: how high they are, how high it is here, how many are the highest."""
    if not thinking.watched:
        return
    heights = [value.margin for value in values.values()]
    thinking.emit_root(
        1,
        position.game.move_name(best),
        root_moves(position.game, values),
        here=margin(position, position.turn),
        plateau=heights.count(values[best].margin),
    )


class Wander(Agent):
    """Stands on a move at random and looks at others at random: when it goes there differs."""

    ends_by_itself: ClassVar[bool] = True
    seed: int

    @abstractmethod
    def steps(self, moves: int) -> int:
        """How many moves it looks at, where there are so many."""

    @abstractmethod
    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        """Does it go where it is higher by *rise*, with so many looks left?"""

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        moves, rng = position.moves(), random.Random(f"{self.seed} {position}")
        place, why = rng.choice(moves), "done"
        values: dict[Move, Guess] = {}
        steps, taken = self.steps(len(moves)), 0
        try:
            self._look(position, place, values, thinking)
            for left in range(steps - 1, -1, -1):
                other = rng.choice(moves)
                self._look(position, other, values, thinking)
                rise = values[other].margin - values[place].margin
                if self.accepts(rise, left, rng) and other != place:
                    place, taken = other, taken + 1
                    self._tell(position, place, values, taken, thinking)
        except OutOfBudget as stop:
            why = str(stop)
        if place not in values:
            return Analysis((place,), why=why)
        _emit(position, values, place, thinking)
        return Analysis((place,), values[place].margin, values=values, why=why)

    def _look(
        self, position: Position, move: Move, values: dict[Move, Guess], thinking: Thinking
    ) -> None:
        thinking.tick()
        values.setdefault(move, Guess(margin(position.child(move), position.turn), nodes=1))

    def _tell(
        self,
        position: Position,
        move: Move,
        values: Mapping[Move, Guess],
        taken: int,
        thinking: Thinking,
    ) -> None:
        name, height = position.game.move_name(move), values[move].margin
        thinking.emit("climb", step=taken, v=height, nbrs=len(values), restart=0, m=name)


@dataclass
class Stochastic(Wander):
    """Stochastic hill climbing: goes only where it is higher."""

    looks: int = 100
    """How many moves are drawn; the authors' program draws a hundred."""
    seed: int = 0

    name: ClassVar[str] = "stochastic"

    def __post_init__(self) -> None:
        self.demand("looks", 0, 100_000)

    def steps(self, moves: int) -> int:
        return self.looks

    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        return rise > 0


@dataclass
class Annealing(Wander):
    """Simulated annealing: goes down too, the hotter it is and the less it is down the likelier."""

    temperature: float = 0.0
    """How hot it is in the beginning; 0: as many degrees as there are moves. The authors' program
    begins with the plies that are left, which is the same where the board will be full."""
    cooling: float = 0.1
    """How much colder every look makes it; at 0 degrees it stays where it is."""
    seed: int = 0

    name: ClassVar[str] = "annealing"

    def __post_init__(self) -> None:
        self.demand("temperature", 0, 1000)
        self.demand("cooling", 0.001, 1000)

    def steps(self, moves: int) -> int:
        return int((self.temperature or moves) / self.cooling)

    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        heat = left * self.cooling
        return rise > 0 or (heat > 0 and rng.random() < exp(rise / heat))
