"""Text: what papan says in the languages of people, its errors, and specs that read back."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from decimal import Decimal
from difflib import get_close_matches
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

LANGUAGES = ("en", "id")
PACKAGE = Path(__file__).parents[1]
PLURAL = re.compile(r"\{(\w+)\|([^|{}]*)\|([^|{}]*)\}")
"""A word of a text that depends on a number: its name, the word for one, the word for more."""
PEOPLE = ("player", "rival")
"""The values of a text that are players."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of *language*, by key: shared ones, and those that a folder brings for itself."""
    own = f"texts.{language}.json"
    texts: dict[str, str] = {}
    for pattern in (f"locales/{language}.json", f"*/{own}", f"*/*/{own}"):
        for path in sorted(PACKAGE.glob(pattern)):
            texts |= json.loads(path.read_text(encoding="utf-8"))
    return texts


def say(key: str, language: str = "en", /, **values: object) -> str:
    """The text of *key* with its *values* filled in; a key that is unknown speaks for itself.

    ``{moves|move|moves}`` is the first word where *moves* is one, the second elsewhere, and
    ``{player|wins|win}`` the second where the player is *you*. A sentence that begins with a player
    begins with a capital letter. Plug-ins bring texts that no catalogue holds; a test makes sure
    that papan's own are all there.
    """
    text = catalogue(language).get(key)
    if text is None:
        return key

    def one(name: str) -> bool:
        you = catalogue(language).get("seat.alone")
        return values[name] != you if name in PEOPLE else str(values[name]) == "1"

    values = {
        name: in_figures(str(value), language) if isinstance(value, float) else value
        for name, value in values.items()
    }
    said = PLURAL.sub(lambda word: word[2 if one(word[1]) else 3], text)
    said = said.format(**values)
    begins_with_seat = text.startswith(tuple(f"{{{name}}}" for name in PEOPLE))
    return said[:1].upper() + said[1:] if begins_with_seat else said


MINUS = "\u2212"
"""The minus sign in text for people; data for programs has a hyphen."""


def in_figures(text: str, language: str) -> str:
    """Numbers as a language writes them: Indonesian has the comma for decimals."""
    if language != "id":
        return text
    marks = {".": ",", ",": "."}
    return re.sub(r"(?<=\d)[.,](?=\d)", lambda mark: marks[mark[0]], text).replace(", ", "; ")


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """Indonesian where the locale says so, English everywhere else."""
    names = (environment.get(name) for name in ("PAPAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "")
    return "id" if first.lower().startswith(("id", "in_")) else "en"


def first_line(thing: object) -> str:
    """What something says of itself in the first line of its docstring: a plug-in, a function.

    A dataclass without one has its signature there, which says nothing to people.
    """
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    return "" if line.startswith(f"{getattr(thing, '__name__', '')}(") else line


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
        values = {
            name: value.text(language) if isinstance(value, PapanError) else str(value)
            for name, value in self.values.items()
        }
        return say(self.key, language, **{name: _shown(text) for name, text in values.items()})

    @property
    def shown(self) -> dict[str, str]:
        """The values as a message shows them."""
        return {name: _shown(str(value)) for name, value in self.values.items()}

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.key, **self.values), ()


def in_one_line(error: BaseException | None) -> str:
    """What an error that is none of papan's says, with its kind."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class WrongTypeError(PapanError, TypeError):
    """An argument of a type that is not taken, such as a position in place of an agent."""


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


UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # what steers a terminal, in one byte or two
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # what turns text round, or ends lines
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # what nobody sees
    "\ud800-\udfff]"  # halves of characters
)
"""Characters that have no place in a text for people; ends of lines and tabs have."""


def printable(text: str) -> str:
    """The same text with a mark for each character that would steer or deceive a terminal."""
    return UNPRINTABLE.sub("\ufffd", text)


def to_json(data: object, indent: int | None = None) -> str:
    """JSON whose characters are all printable: others are escaped, so that none is lost.

    It is one line unless there is an *indent*.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return UNPRINTABLE.sub(lambda letter: json.dumps(letter[0])[1:-1], text)


T = TypeVar("T")

MOST_DIGITS = 18
"""What fits into a word of the machine, as compiled searches count."""


def option(default: Any) -> Any:
    """A dataclass field that a spec leaves out while it has its default."""
    return field(default=default, metadata={"option": True})


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str:
    """The known name that *name* was most likely meant to be; nothing where none is near."""
    lowered = {each.lower(): each for each in sorted(known)}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=cutoff)
    return lowered[close[0]] if close else ""


def build(spec: str, choices: Mapping[str, type[T]], noun: str = "agent", **settings: object) -> T:
    """The dataclass of *choices*, which are of one sort (*noun*), that *spec* names.

    With further *settings*.
    """
    name, _, options = spec.partition(":")
    if name not in choices:
        close = nearest(name, choices, cutoff=0.5)
        key = f"error.unknown_{noun}" if close else f"error.unknown_{noun}_far"
        known = ", ".join(sorted(choices))
        raise InvalidSpecError(key, name=name, nearest=close, known=known)
    kind: Any = choices[name]
    known_fields = [each.name for each in fields(kind) if each.init]
    texts = dict(_options(spec, options, known_fields))
    texts |= {key: _written(value) for key, value in settings.items()}
    hints = _hints(kind)
    for key in texts:
        if key not in known_fields:
            raise InvalidSpecError(
                "error.unknown_option",
                spec=spec,
                option=key,
                known=", ".join(known_fields) or "-",
            )
    built: T = kind(**{key: _value(spec, key, texts[key], hints[key]) for key in texts})
    return built


@cache  # the classes of games and agents are few, and reading their types takes long
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def write_spec(name: str, thing: Any, terse: bool = False) -> str:
    """The text that `build` reads back: sizes in order, then the options that were changed.

    *terse*: every field is an option.
    """
    words = []
    for each in fields(thing):
        value = getattr(thing, each.name)
        text = _written(value)
        if not (terse or each.metadata.get("option")):
            words.append(text)
        elif value != each.default:
            words.append(f"{each.name}={text}")
    return ":".join(filter(None, (name, ",".join(words))))


def _written(value: object) -> str:
    """The text of a value that `build` reads back: numbers with all digits and no exponent."""
    if isinstance(value, float) and isfinite(value):
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options(spec: str, text: str, known: list[str]) -> Iterable[tuple[str, str]]:
    """The options in *text*: by name, or by their place."""
    seen = set()
    for place, word in enumerate(text.split(",") if text else []):
        key, equals, value = word.partition("=")
        if not equals:
            key, value = (known[place] if place < len(known) else word), word
        key = key.strip()
        if key in seen:
            raise InvalidSpecError("error.repeated_option", spec=spec, option=key)
        seen.add(key)
        yield key, value.strip()


def _value(spec: str, key: str, text: str, kind: Any) -> object:
    """The value that *text* gives to an option of this *kind*."""
    if get_origin(kind) is Literal:
        if text in get_args(kind):
            return text
        wanted = " | ".join(get_args(kind))
    elif kind is bool:
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        wanted = "true | false"
    elif kind is int:
        if re.fullmatch(r"-?[0-9]+", text):
            if len(text.lstrip("-")) > MOST_DIGITS:
                raise InvalidSpecError("error.long_number", option=key, most=MOST_DIGITS)
            return int(text)
        wanted = "3"
    elif kind is float:
        if re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+|inf)", text):
            return float(text)
        wanted = "0.5"
    else:
        return text
    raise InvalidSpecError("error.bad_option", spec=spec, option=key, text=text, wanted=wanted)
