"""Agents that do not search: chance, a person, a function."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal

from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Move,
    OutOfBudget,
    PapanError,
    Position,
    Thinking,
)
from papan.core.text import say


@dataclass
class Random(Agent):
    """Looks at every place of the board, lists the legal moves, then takes any of them.

    Paper 003's random-iterative agent, the yardstick every other agent must beat.
    """

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
