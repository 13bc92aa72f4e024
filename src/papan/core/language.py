"""Text for people: one catalogue for each language, found by key."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "id")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of *language*, by key."""
    text = files("papan").joinpath("locales", f"{language}.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(text)
    return texts


def say(key: str, language: str = "en", /, **values: object) -> str:
    """The text of *key* with its *values* filled in; a key that is unknown speaks for itself.

    Plug-ins bring texts that no catalogue holds; a test makes sure that papan's own are all there.
    """
    text = catalogue(language).get(key)
    return key if text is None else text.format(**values)


def locale_language(environment: Mapping[str, str] = os.environ) -> str:
    """Indonesian where the locale says so, English everywhere else."""
    names = (environment.get(name) for name in ("PAPAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "")
    return "id" if first.lower().startswith(("id", "in_")) else "en"


def first_line(thing: object) -> str:
    """What something says of itself in the first line of its docstring: a plug-in, a function."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
