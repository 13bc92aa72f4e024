"""Sentences for people: a Message is a key of the catalogues with the values to fill in."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from papan.core.numbers import Number, in_figures

LANGUAGES = ("en", "id")
PACKAGE = Path(__file__).parents[1]
PLURAL = re.compile(r"\{(\w+)\|([^|{}]*)\|([^|{}]*)\}")
"""A word of a text that depends on a number: its name, the word for one, the word for more."""
PEOPLE = ("player", "rival")
"""The names of values that are players."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return all texts of *language*, ``en`` or ``id``, by key.

    They are in ``locales/LANGUAGE.json``, and in ``texts.LANGUAGE.json`` in folders of the package
    and their subfolders, such as that of a game; of equal keys the latter count. A file that is not
    JSON is left out. The mapping is empty for another language; it is cached, so do not change it.
    """
    own = f"texts.{language}.json"
    texts: dict[str, str] = {}
    for pattern in (f"locales/{language}.json", f"*/{own}", f"*/*/{own}"):
        for path in sorted(PACKAGE.glob(pattern)):
            with suppress(ValueError):  # papan doctor names a folder whose texts cannot be read
                texts |= texts_in(path)
    return texts


def texts_in(path: Path) -> dict[str, str]:
    """Return the texts of one file of a catalogue, by key.

    Raises ValueError if it is not JSON, or not an object with a text for each key, and OSError if
    it is missing or cannot be read.
    """
    found = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(found, dict) and all(isinstance(each, str) for each in found.values()):
        return found
    raise ValueError("not an object of texts")


@runtime_checkable
class Sayable(Protocol):
    """A value that has a text of its own in each language, such as a `Message` or an error."""

    def text(self, language: str) -> str:
        """Return the text in *language*, ``en`` or ``id``."""
        ...


@dataclass(frozen=True)
class Message:
    """A sentence of the catalogues: its *key* and the *values* that it is filled with.

    A value is a number, a string, a `Sayable` such as another message or a `Number`, or a tuple of
    these, which is written with commas. Two messages are equal if their keys and values are; one
    is hashable if its values are.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, language: str = "en") -> str:
        """Return the sentence in *language*, ``en`` or ``id``; an unknown key is returned as it is.

        Raises KeyError if the text names a value that is not given.
        """
        return text_of(self.key, language, **self.values)

    def json(self) -> dict[str, Any]:
        """Return the message as JSON data: ``{"key": …, "values": …}``.

        Messages and numbers among the values have their own `json`, tuples are lists, others as
        they are.
        """
        return {
            "key": self.key,
            "values": {name: _data(each) for name, each in self.values.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the message that `json` wrote.

        Lists among its values become tuples. Raises KeyError if *data*, or a message in it, lacks
        a key; types are not checked.
        """
        return cls(data["key"], {name: _read(each) for name, each in data["values"].items()})

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self.values.items())))

    def __str__(self) -> str:
        return self.text()


def _data(value: object) -> object:
    """Return a value of a message as JSON data, which `_read` reads back.

    Messages and numbers become their `json`, tuples lists; anything else stays as it is.
    """
    if isinstance(value, tuple | list):
        return [_data(each) for each in value]
    return value.json() if isinstance(value, Message | Number) else value


def _read(data: object) -> object:
    """Return the value that `_data` wrote as *data*: a list becomes a tuple, a dict what it was.

    A dict with ``number`` is a `Number`, any other a `Message`; raises KeyError if it lacks a key.
    """
    if isinstance(data, list):
        return tuple(_read(each) for each in data)
    if isinstance(data, dict):
        return Number.from_json(data) if "number" in data else Message.from_json(data)
    return data


def seat_message(seat: int, seats: int) -> Message:
    """Return the name of *seat* (0 or 1) as a message, for a game of one or two *seats*."""
    return Message("seat.alone" if seats == 1 else f"seat.{seat + 1}")


def text_of(key: str, language: str = "en", /, **values: object) -> str:
    """Return the text of *key* filled with *values*; an unknown key is returned unchanged.

    Raises KeyError if the text names a value that is not given.

    ``{moves|move|moves}`` is the first word if *moves* is 1, else the second; of the `PEOPLE`
    ``{player|wins|win}`` is the second if the player is *you*, else the first. A sentence that
    begins with a player begins with a capital letter. Texts of plug-ins are in no catalogue: they
    are their own keys.
    """
    text = catalogue(language).get(key)
    if text is None:
        return key

    def one(name: str) -> bool:
        """Return whether the first of two words goes with the value *name*."""
        you = catalogue(language).get("seat.alone")
        return values[name] != you if name in PEOPLE else str(values[name]) == "1"

    values = {name: _filled_in(value, language) for name, value in values.items()}
    sentence = PLURAL.sub(lambda word: word[2 if one(word[1]) else 3], text).format(**values)
    begins_with_seat = text.startswith(tuple(f"{{{name}}}" for name in PEOPLE))
    return sentence[:1].upper() + sentence[1:] if begins_with_seat else sentence


def game_title(name: str, language: str) -> str:
    """Return the title of the game *name* (the first word of its spec) in *language*.

    If the catalogues have none, *name* with a capital letter.
    """
    return catalogue(language).get(f"game.{name}") or name[:1].upper() + name[1:]


def _filled_in(value: object, language: str) -> object:
    """Return *value* as it is filled into a text of *language*.

    Messages and other `Sayable` become text, so do floats, with the language's decimal sign. Tuples
    and lists become one text, their items separated by commas. Anything else, such as str and int,
    stays as it is.
    """
    if isinstance(value, float):
        return in_figures(str(value), language)
    if isinstance(value, tuple | list):
        return ", ".join(str(_filled_in(each, language)) for each in value)
    return value.text(language) if isinstance(value, Sayable) else value


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return ``"id"`` if the locale in *environment* is Indonesian, else ``"en"``.

    The first of PAPAN_LANG, LC_ALL, LC_MESSAGES and LANG that is set and not empty decides.
    """
    names = (environment.get(name) for name in ("PAPAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "")
    return "id" if first.lower().startswith(("id", "in_")) else "en"


def first_line(thing: object) -> str:
    """Return the first line of the docstring of *thing*, also an inherited one; empty without.

    A dataclass without a docstring has its signature there, which counts as none.
    """
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    return "" if line.startswith(f"{getattr(thing, '__name__', '')}(") else line
