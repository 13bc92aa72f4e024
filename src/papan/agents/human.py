"""Human: asks a person at the terminal for each move."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from papan.core import Agent, Analysis, CannotPlayError, PapanError, Position, Thinking
from papan.core.text import say


@dataclass
class Human(Agent):
    """Shows the board, asks for the name of a move, and explains what is wrong with an answer.

    A person cannot be hurried: whoever grants the time must judge whether it was kept.
    """

    language: Literal["en", "id"] = "en"

    name: ClassVar[str] = "human"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.ask: Callable[[str], str] = ask
        self.show: Callable[[str], object] = show

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        seat = position.turn + 1
        self.show(position.picture())
        while True:
            try:
                answer = self.ask(say("human.prompt", self.language, seat=seat))
            except EOFError:
                raise CannotPlayError("human.gone", seat=seat) from None
            try:
                return Analysis((position.legal_move(answer.strip()),))
            except PapanError as error:
                self.show(error.text(self.language))


def show(text: str, end: str = "\n") -> None:
    """Show *text* to the person: on standard error, because standard output is for data."""
    print(text, end=end, file=sys.stderr, flush=True)


def ask(prompt: str) -> str:
    """What the person types."""
    show(prompt, end="")
    return input()
