"""What the page about bots tells: a template, what the first commands print, and the reference.

Everything here is text to read and to copy. The server runs no code of its guests.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib.resources import files

from fastapi import FastAPI
from pydantic import BaseModel

import papan
from papan.core.text import first_line
from papan.web.wire import Language

CLASSES = ("Position", "Game", "Agent", "Thinking", "Analysis")
"""Whose methods a bot's maker needs."""


class Session(BaseModel):
    """A command, and what it prints."""

    command: str
    output: str


class Entry(BaseModel):
    """Something of the Python API: how it is called, and what it gives."""

    name: str
    call: str
    about: str


class Guide(BaseModel):
    """How to write a bot."""

    template: str
    sessions: list[Session]
    program: str
    """A whole bot in the shell, which speaks the line protocol."""
    reference: list[Entry]


def add_bots(api: FastAPI) -> None:
    """Add the route of the page about bots to *api*."""

    @api.get("/v1/bots", tags=["bots"])
    def guide(language: Language = "en") -> Guide:
        """How to write a bot: texts to read and to copy."""
        return Guide(
            template=_text(f"bot.{language}"),
            sessions=list(sessions(_text(f"session.{language}"))),
            program=_text("program"),
            reference=list(reference()),
        )


def sessions(text: str) -> Iterator[Session]:
    """The commands in a transcript, each with what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield Session(command=command, output=output.rstrip())


def reference() -> Iterator[Entry]:
    """The Python API: what papan offers, then what can be asked of positions, games and agents."""
    for name in sorted(papan.__all__, key=str.lower):
        yield _entry(f"papan.{name}", getattr(papan, name))
    for kind in CLASSES:
        for name, member in vars(getattr(papan, kind)).items():
            listed = inspect.isfunction(member) or isinstance(member, property)
            if listed and not name.startswith("_") and first_line(member):
                yield _entry(f"{kind}.{name}", member)


def _entry(name: str, thing: object) -> Entry:
    about = re.sub(r"`+|\*(?=\w)|(?<=\w)\*", "", first_line(thing))
    return Entry(name=name, call=name + _arguments(thing), about=about)


def _arguments(thing: object) -> str:
    """What something is called with, as one writes it: no types."""
    if isinstance(thing, (property, type)) or not callable(thing):
        return ""
    given = inspect.signature(thing).parameters.values()
    return f"({', '.join(_argument(each) for each in given if each.name != 'self')})"


def _argument(given: inspect.Parameter) -> str:
    if given.kind is given.VAR_KEYWORD:
        return f"**{given.name}"
    return given.name if given.default is given.empty else f"{given.name}={_plain(given.default)}"


def _plain(value: object) -> str:
    """A default as one writes it; what has no short text is left out."""
    return repr(value) if value is None or isinstance(value, (int, float, str)) else "\u2026"


def _text(name: str) -> str:
    return files("papan").joinpath("templates", f"{name}.txt").read_text(encoding="utf-8")
