"""The errors of papan: each carries a Message that says what is wrong and what would be right."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from papan.core.message import Message
from papan.core.printable import short


class PapanError(ValueError):
    """An error with a sentence for people: ``PapanError(key, **values)``, as in `Message`.

    *key* is one of the catalogues, such as ``error.no_seat``. ``str`` of it is English.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.message = Message(key, values)

    @classmethod
    def of(cls, message: Message) -> Self:
        """Return an error of this class with *message*."""
        return cls(message.key, **message.values)

    @property
    def key(self) -> str:
        """The key of its message."""
        return self.message.key

    @property
    def values(self) -> dict[str, Any]:
        """The values of its message by name, as they were given."""
        return dict(self.message.values)

    @property
    def shown(self) -> Message:
        """Its message with values fit to be shown: each a message, or one printable line of at most
        400 characters.
        """
        return Message(
            self.key,
            {
                name: value.shown if isinstance(value, PapanError) else _printable(value)
                for name, value in self.values.items()
            },
        )

    def text(self, language: str) -> str:
        """Return the sentence in *language*, ``en`` or ``id``, in one printable line."""
        return self.shown.text(language)

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.key, **self.values), ()


def _printable(value: object) -> object:
    return value if isinstance(value, Message) else short(str(value))


def in_one_line(error: BaseException | None) -> str:
    """Return ``Type: text`` of any exception in one line, for errors that are not papan's.

    Blanks and ends of lines become single blanks. ``NoneType: None`` for None.
    """
    return " ".join(f"{type(error).__name__}: {error}".split())


class WrongTypeError(PapanError, TypeError):
    """An argument has the wrong type, such as a position in place of an agent."""


class InvalidSpecError(PapanError):
    """The text of a game or an agent makes no sense, or its options do not fit together."""


class InvalidPositionError(PapanError):
    """The text does not describe a position of this game."""


class InvalidMoveError(PapanError):
    """The text does not name a move of this game."""


class IllegalMoveError(PapanError):
    """The move exists in this game, but the rules forbid it in this position."""


class InvalidRulesError(PapanError):
    """The class does not follow the interface of a game, a position, or a part of a game."""


class InvalidRecordError(PapanError):
    """The text is not the record of a game, or its moves do not lead to its result."""


class InvalidDatabaseError(PapanError):
    """The file is not a database of solved positions for this game, or is damaged."""


class CannotPlayError(PapanError):
    """The agent cannot analyse this position.

    It does not play the game, the game is over, or it has failed: too deep, no memory, no answer.
    """


class OverdueError(PapanError):
    """The agent has not answered in time."""


class PapanWarning(UserWarning):
    """A warning of a fault that papan works around; *error* is the error that describes it.

    Its text is that of *error*, in English.
    """

    def __init__(self, error: PapanError) -> None:
        super().__init__(str(error))
        self.error = error
