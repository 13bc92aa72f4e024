"""Compilation on demand: listeners, a switch that forbids it, and plain searches meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from papan.core.errors import PapanError
from papan.core.interrupts import stop_if_pressed

CompileListener: TypeAlias = Callable[[bool], None]
"""Called with True when the compilation of a function begins, and with False when it ends."""


class NotCompiledError(PapanError):
    """A function would have to be compiled where that is forbidden: see `unawaited`."""


_may_compile, _plain = True, False
_listeners: list[CompileListener] = []


def begin(name: str) -> None:
    """Notify listeners that the function *name* is about to be compiled; `end` must follow.

    Raises NotCompiledError within `unawaited`. Between two functions the compiler can be
    interrupted: raises KeyboardInterrupt after Ctrl-C.
    """
    stop_if_pressed()
    if not _may_compile:
        raise NotCompiledError("error.not_compiled", name=name)
    for listener in _listeners:
        listener(True)


def end() -> None:
    """Notify all listeners that the compilation that `begin` announced is over."""
    for listener in _listeners:
        listener(False)


@contextmanager
def notifying(listener: CompileListener) -> Iterator[None]:
    """Call *listener* when a compilation begins (True) and ends (False), within the context.

    Of any thread of this process; it is called in the thread that compiles.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def unawaited() -> Iterator[None]:
    """Forbid compilation within the context: what would compile raises NotCompiledError.

    In the whole process, not only in this thread. It does not nest: the end of any such context
    allows it again.
    """
    global _may_compile
    _may_compile = False
    try:
        yield
    finally:
        _may_compile = True


@contextmanager
def plain_searches() -> Iterator[None]:
    """Use the plain twins of compiled searches within the context; levels then have no solvers.

    In the whole process, not only in this thread. It does not nest.
    """
    global _plain
    _plain = True
    try:
        yield
    finally:
        _plain = False


def is_plain() -> bool:
    """Return whether searches must use their plain twins: within `plain_searches`."""
    return _plain
