"""The language of this run, and the words and values that all commands share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar

from papan.core import Agent, Game, PapanError, Position, Value
from papan.core.language import LANGUAGES, first_line
from papan.core.language import say as say_in

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


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """Indonesian where the locale says so, English everywhere else."""
    names = (environment.get(name) for name in ("PAPAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "")
    return "id" if first.lower().startswith(("id", "in_")) else "en"


def number(amount: float) -> str:
    """A number with its sign, as people write it: a real minus, no needless decimals."""
    text = f"{abs(amount):.2f}".rstrip("0").rstrip(".")
    return ("\u2212" if amount < 0 and text != "0" else "+" if amount > 0 else "") + text


SIGNS = {"exact": "=", "lower": "\u2265", "upper": "\u2264", "estimate": "~", "visits": "%"}
"""How sure a value is, in one character."""


def worth(value: Value) -> str:
    """A value with its kind: ``= +1``, ``~ +0.3``, or the share of visits."""
    if value.kind == "visits":
        return f"{value.margin:.0%}"
    return f"{SIGNS[value.kind]} {number(value.margin)}"


def player(position: Position, seat: int) -> str:
    """What people call a seat of this game."""
    if position.game.seats == 1:
        return say("seat.alone")
    return say(f"seat.{seat + 1}")
