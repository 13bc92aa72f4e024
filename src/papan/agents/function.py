"""Function: a function of the user's as an agent, such as one typed into a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from papan.core import Agent, Analysis, Move, Position, Thinking


@dataclass
class Function(Agent):
    """Plays what ``choose(position)`` answers: a move, or the name of one."""

    choice: Callable[[Position], Move | str]

    name: ClassVar[str] = "function"
    ends_by_itself: ClassVar[bool] = True

    @property
    def spec(self) -> str:
        """What the function is called; no text can bring it back."""
        return f"function:{getattr(self.choice, '__name__', '?')}"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        answer = self.choice(position)
        return Analysis((position.legal_move(answer) if isinstance(answer, str) else answer,))
