"""Specs: the text of a game or an agent, such as ``connect4:6,7``, written and read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from math import isfinite
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from papan.core.errors import InvalidSpecError

T = TypeVar("T")

MOST_DIGITS = 18
"""Digits of the largest whole number that fits a 64-bit word, as compiled searches count."""


def option(default: Any) -> Any:
    """Return a dataclass field with a *default*; a spec leaves it out while it has that value."""
    return field(default=default, metadata={"option": True})


def nearest(name: str, known: Iterable[str], cutoff: float = 0.0) -> str:
    """Return the *known* name most similar to *name*, capital letters or not.

    Empty if none has a similarity of *cutoff* (0 to 1, as `difflib` has it), or none is known.
    """
    lowered = {each.lower(): each for each in sorted(known)}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=cutoff)
    return lowered[close[0]] if close else ""


def build_from_spec(
    spec: str, choices: Mapping[str, type[T]], noun: str = "agent", **settings: object
) -> T:
    """Build the dataclass in *choices* that *spec*, such as ``mcts:seed=3``, names; return it.

    *choices* has the classes by name. *settings* are options by name, and replace those of *spec*.
    Raise InvalidSpecError if the name or an option is unknown, an option comes twice in *spec*, or
    a value does not fit its type; *noun* (``"agent"`` or ``"game"``) chooses the sentence for an
    unknown name. What the class itself raises is passed on, such as TypeError if a field without a
    default is missing.
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
    """Return the types of the fields of the dataclass *kind*, by name; cached."""
    return get_type_hints(kind)


def write_spec(name: str, thing: Any, terse: bool = False) -> str:
    """Return the text that `build_from_spec` reads back: sizes in order, then changed options.

    *name* is its first word. *thing* is a dataclass object. A field declared with `option` is
    written with its name if it does not have its default value, as in ``mcts:seed=3``, any other
    field (a size) without its name; if *terse*, all fields are written as options are.
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
    """Return *value* as text that `build_from_spec` reads back: ``true``, ``0.000001``, ``inf``.

    Numbers are in full, without exponent.
    """
    if isinstance(value, float) and isfinite(value):  # NumPy's among them
        return f"{Decimal(repr(float(value))):f}".removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options(spec: str, text: str, known: list[str]) -> Iterable[tuple[str, str]]:
    """Yield the options in *text*, such as ``6,12,kinds=9``, as (name, value), both texts.

    A word without ``=`` is the value of the option at its place in *known*, the names in order; a
    word beyond the end of *known* is yielded as name and value. That names are known is not
    checked. Raise InvalidSpecError, which shows *spec*, for a name that comes twice.
    """
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
    """Return *text* as a value of the type *kind* (a Literal, bool, int or float) of option *key*.

    For any other type it is *text* itself. Raise InvalidSpecError, which shows *spec*, if *text* is
    no such value; ranges are not checked.
    """
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
