"""Compiled code that is not there yet: who hears of it, and what takes its place meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from papan.core.errors import PapanError
from papan.core.interrupts import stop_if_pressed

CompileListener: TypeAlias = Callable[[bool], None]
"""Is told each time when a function begins to be compiled (True), and when it is done (False)."""


class NotCompiledError(PapanError):
    """Something would have to be compiled, and nobody may wait for that."""


_waits, _plain = True, False
_listeners: list[CompileListener] = []


def begin(name: str) -> None:
    """Tell everybody that *name* is about to be compiled; raises where nobody waits for it.

    Between two functions the compiler can be left: Ctrl-C is heard here.
    """
    stop_if_pressed()
    if not _waits:
        raise NotCompiledError("error.not_compiled", name=name)
    for listener in _listeners:
        listener(True)


def end() -> None:
    """Tell everybody that a function is compiled."""
    for listener in _listeners:
        listener(False)


@contextmanager
def notifying(listener: CompileListener) -> Iterator[None]:
    """Within it, *listener* hears what is compiled."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def unawaited() -> Iterator[None]:
    """Within it, nothing is compiled: what would have to be raises NotCompiledError."""
    global _waits
    _waits = False
    try:
        yield
    finally:
        _waits = True


@contextmanager
def plain_searches() -> Iterator[None]:
    """Within it, searches take their plain twins, and levels do without the games' solvers."""
    global _plain
    _plain = True
    try:
        yield
    finally:
        _plain = False


def is_plain() -> bool:
    """Are searches to take their plain twins?"""
    return _plain
