"""Local search: paper 001's steepest ascent, and two kinds that it calls less suitable.

All of them see no further than their own next move. The others are in the authors' program too.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from dataclasses import dataclass
from math import exp
from typing import ClassVar

from papan.core import Agent, Analysis, Guess, Move, OutOfBudget, Position, Thinking, margin
from papan.core.analysis import root_moves


class Climb:
    """One climb: where it stands, and how high the moves are that it has looked at."""

    def __init__(self, position: Position, thinking: Thinking) -> None:
        self.position, self.thinking = position, thinking
        self.moves = position.moves()
        self.place = self.moves[0]
        self.values: dict[Move, Guess] = {}

    def rise(self, move: Move) -> float:
        """Look at a *move*: how much higher it is than where it stands."""
        self.thinking.tick()
        if move not in self.values:
            height = margin(self.position.child(move), self.position.turn)
            self.values[move] = Guess(height, nodes=1)
        return self.values[move].margin - self.values[self.place].margin

    def go(self, move: Move, step: int) -> None:
        """Stand on a *move* that was looked at."""
        self.place = move
        height, name = self.values[move].margin, self.position.game.move_name(move)
        self.thinking.emit("climb", step=step, v=height, nbrs=len(self.values), restart=0, m=name)

    def analysis(self, why: str) -> Analysis:
        """Where it stands; tells how high it is here, and how many neighbours are as high as it."""
        if self.place not in self.values:
            return Analysis((self.place,), why=why)
        best, position = self.values[self.place].margin, self.position
        if self.thinking.watched:
            self.thinking.emit_root(
                1,
                position.game.move_name(self.place),
                root_moves(position.game, self.values),
                here=margin(position, position.turn),
                plateau=[value.margin for value in self.values.values()].count(best),
            )
        return Analysis((self.place,), best, values=self.values, why=why)


class LocalSearch(Agent):
    """Looks at moves one by one: at which, and when it goes there, differs."""

    ends_by_itself: ClassVar[bool] = True

    @abstractmethod
    def walk(self, climb: Climb) -> None:
        """Climb, until the method or the budget ends."""

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        climb, why = Climb(position, thinking), "done"
        try:
            self.walk(climb)
        except OutOfBudget as stop:
            why = str(stop)
        return climb.analysis(why)


@dataclass
class HillClimb(LocalSearch):
    """Looks at every move and takes the one with the largest margin right after it.

    Of equal moves it takes the first. It knows no rival, no sideways step and no restart: in a game
    a step cannot be taken back, so each move is one climb of one step.
    """

    name: ClassVar[str] = "hillclimb"

    def walk(self, climb: Climb) -> None:
        for move in climb.moves:
            if climb.rise(move) > 0 or move == climb.place:
                climb.go(move, step=1)


class Wander(LocalSearch):
    """Stands on a move at random and looks at others at random: when it goes there differs."""

    seed: int

    @abstractmethod
    def steps(self, moves: int) -> int:
        """How many moves it looks at, where there are so many."""

    @abstractmethod
    def accepts(self, rise: float, left: int, rng: random.Random) -> bool:
        """Does it go where it is higher by *rise*, with so many looks left?"""

    def walk(self, climb: Climb) -> None:
        rng, taken = random.Random(f"{self.seed} {climb.position}"), 0
        climb.place = rng.choice(climb.moves)
        climb.rise(climb.place)
        for left in reversed(range(self.steps(len(climb.moves)))):
            other = rng.choice(climb.moves)
            if self.accepts(climb.rise(other), left, rng) and other != climb.place:
                taken += 1
                climb.go(other, taken)


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
