"""The errors of papan: each carries a Message that says what is wrong and what would be right."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from papan.core.message import Message
from papan.core.printable import short


class PapanError(ValueError):
    """An error of papan with a sentence for people: ``PapanError(key, **values)``.

    *key* names a text of the catalogues, such as ``error.no_seat``; *values* are filled into it, as
    in `Message`. ``str(error)`` is the English sentence, and `text` returns it in either language.
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
        """The key of the error's message in the catalogues, such as ``error.no_seat``."""
        return self.message.key

    @property
    def values(self) -> dict[str, Any]:
        """The values of the error's message by name, as they were given, in a new dict."""
        return dict(self.message.values)

    @property
    def shown(self) -> Message:
        """The message of the error with values that are safe to show.

        A message among them stays as it is, and an error becomes its `shown`; any other value
        becomes text, one printable line of at most 400 characters.
        """
        return Message(
            self.key,
            {
                name: value.shown if isinstance(value, PapanError) else _printable(value)
                for name, value in self.values.items()
            },
        )

    def text(self, language: str) -> str:
        """Return the sentence in *language*, ``en`` or ``id``, with the values of `shown`.

        Raises KeyError if the text of the catalogue names a value that the error does not have.
        """
        return self.shown.text(language)

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.key, **self.values), ()


def _printable(value: object) -> object:
    """Return a message as it is, and any other *value* as text in one line: see `short`."""
    return value if isinstance(value, Message) else short(str(value))


def in_one_line(error: BaseException | None) -> str:
    """Return ``Type: text`` of any exception in one line, for errors that are not papan's.

    Each run of white space becomes one blank. It is ``NoneType: None`` for None.
    """
    return " ".join(f"{type(error).__name__}: {error}".split())


class WrongTypeError(PapanError, TypeError):
    """Raised for an argument of a wrong type, such as a position in place of an agent."""


class InvalidSpecError(PapanError):
    """Raised for text that names no game or agent, and for options or numbers out of range."""


class InvalidPositionError(PapanError):
    """Raised for text that describes no position of the game, and where a position is missing.

    Also for a spot, a content or a dial that a board being set up does not have.
    """


class InvalidMoveError(PapanError):
    """Raised for text that names no move of the game, or for a number that is none."""


class IllegalMoveError(PapanError):
    """Raised for a move that exists in the game, but is forbidden in the position at hand."""


class InvalidRulesError(PapanError):
    """Raised for a class that does not follow the interface of a game, a position or a part."""


class InvalidRecordError(PapanError):
    """Raised for text that is no record of a game, or whose moves do not lead to its result.

    Also raised if a file of records cannot be read or written.
    """


class InvalidDatabaseError(PapanError):
    """Raised for a file that is no database of solved positions for the game, or is damaged."""


class CannotPlayError(PapanError):
    """Raised if an agent cannot analyse a position.

    The agent does not play the game, the game is over, or the agent has failed: for example, its
    search was too deep or ran out of memory, or its answer is missing or of a wrong type.
    """


class OverdueError(PapanError):
    """Raised if an agent has not answered in time."""


class PapanWarning(UserWarning):
    """A warning of a fault that papan works around; *error* is the error that describes it.

    Its text is that of *error*, in English.
    """

    def __init__(self, error: PapanError) -> None:
        super().__init__(str(error))
        self.error = error
