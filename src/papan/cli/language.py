"""The language of this run, and the words and values that all commands share."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

from papan.core import Agent, Game, PapanError, Position
from papan.core.text import LANGUAGES, first_line, locale_language
from papan.core.text import say as say_in

_language: ContextVar[str] = ContextVar("language", default="en")


def use_language(language: str) -> None:
    """Speak *language* from now on."""
    _language.set(language)


def language() -> str:
    """The language that is spoken now."""
    return _language.get()


def say(key: str, /, **values: object) -> str:
    """The text of *key* in the language of this run."""
    return say_in(key, language(), **values)


def about(kind: type[Game] | type[Agent]) -> str:
    """What people call a game, or what an agent does; a plug-in says so in its first line."""
    key = f"{'game' if issubclass(kind, Game) else 'agent'}.{kind.name}"
    text = say(key)
    return text if text != key else first_line(kind) or kind.name


def take_language(arguments: list[str], environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """The language that ``--lang`` or else the locale asks for, and the other arguments."""
    left, chosen, words = list[str](), "", iter(arguments)
    for word in words:
        if word == "--lang":
            chosen = next(words, "")
        elif word.startswith("--lang="):
            chosen = word.partition("=")[2]
        else:
            left.append(word)
            continue
        if chosen not in LANGUAGES:
            raise PapanError("error.unknown_language", name=chosen, known=", ".join(LANGUAGES))
    return chosen or locale_language(environment), left


def player(position: Position, seat: int) -> str:
    """What people call a seat of this game."""
    if position.game.seats == 1:
        return say("seat.alone")
    return say(f"seat.{seat + 1}")
