"""Agents that misbehave, each in its own way."""

import time
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from papan.core import Agent, Analysis, Position, Thinking


@dataclass
class Cheater(Agent):
    """Plays on a cell that is taken."""

    name: ClassVar[str] = "cheater"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        legal = position.moves()
        taken = [move for move in range(position.game.move_count) if move not in legal]
        return Analysis((taken[0] if taken else legal[0],))


@dataclass
class Babbler(Agent):
    """Answers with something that is no move at all."""

    answer: str = "nonsense"

    name: ClassVar[str] = "babbler"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        answers: dict[str, Any] = {
            "nonsense": "b2", "true": True, "none": None, "far": 10**9, "below": -1, "half": 0.5,
        }  # fmt: skip
        return Analysis((answers[self.answer],))


@dataclass
class Crasher(Agent):
    """Fails while it thinks; *how* names the exception."""

    how: str = "ZeroDivisionError"

    name: ClassVar[str] = "crasher"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.how == "nothing":
            return cast(Analysis, None)
        if self.how == "empty":
            return Analysis(())
        raise {"ZeroDivisionError": ZeroDivisionError, "SystemExit": SystemExit}[self.how]("oops")


@dataclass
class Sleeper(Agent):
    """Does not come back before the game is long over."""

    name: ClassVar[str] = "sleeper"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        time.sleep(20)
        return Analysis((position.moves()[0],))
