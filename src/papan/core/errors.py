"""The errors papan raises. Invalid: the text makes no sense. Illegal: the rules forbid it here."""

from __future__ import annotations

from functools import partial
from typing import Any

from papan.core.language import say

LONGEST = 400
"""How much of a value a message shows: it is one line, whatever was typed or read."""


class PapanError(ValueError):
    """What is wrong and what would be right: a key of the catalogue and the values it speaks of."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def text(self, language: str) -> str:
        """The message in *language*."""
        return say(self.key, language, **self.shown)

    @property
    def shown(self) -> dict[str, str]:
        """The values as a message shows them."""
        return {name: _shown(str(value)) for name, value in self.values.items()}

    def __str__(self) -> str:
        return self.text("en")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.key, **self.values), ()


class InvalidSpecError(PapanError):
    """The text of a game or an agent makes no sense, or its options do not fit together."""


class InvalidPositionError(PapanError):
    """The text does not describe a position of this game."""


class InvalidMoveError(PapanError):
    """The text does not name a move of this game."""


class IllegalMoveError(PapanError):
    """A move of this game, but not allowed in this position."""


class InvalidRulesError(PapanError):
    """A class that is not a game as papan wants it."""


class InvalidRecordError(PapanError):
    """The text is not the record of a game, or its moves do not lead where it says."""


class InvalidEndgameDbError(PapanError):
    """The file is not a table of this game, or not a whole one."""


class CannotPlayError(PapanError):
    """This agent cannot think about this position."""


class OverdueError(PapanError):
    """This agent has not answered in time."""


class PapanWarning(UserWarning):
    """What is wrong, where papan can do without it."""

    def __init__(self, error: PapanError) -> None:
        super().__init__(str(error))
        self.error = error


def _shown(text: str) -> str:
    """What a message shows of *text*: not too much, and nothing that would steer the terminal."""
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"
    flat = "".join(" " if letter.isspace() else letter for letter in cut)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in flat)
