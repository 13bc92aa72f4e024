"""Compilation on demand: listeners, a switch that forbids it, and plain searches meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import TypeAlias

from papan.core.errors import PapanError
from papan.core.interrupts import stop_if_pressed

CompileListener: TypeAlias = Callable[[bool], None]
"""Called with True when the compilation of a function begins, and with False when it ends."""


class NotCompiledError(PapanError):
    """A function would have to be compiled where that is forbidden: see `unawaited`."""


class _Contexts:
    """Counts the contexts of one kind that are open, nested ones and those of all threads."""

    def __init__(self) -> None:
        self.depth = 0
        self._lock = Lock()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Add 1 to `depth` within the context, and subtract it at its end."""
        with self._lock:
            self.depth += 1
        try:
            yield
        finally:
            with self._lock:
                self.depth -= 1


_unawaited, _plain = _Contexts(), _Contexts()
_listeners: list[CompileListener] = []


def begin(name: str) -> None:
    """Notify listeners that the function *name* is about to be compiled; `end` must follow.

    Raises NotCompiledError within `unawaited`, and KeyboardInterrupt after Ctrl-C, as the compiler
    can be interrupted between two functions. Then nobody is notified, and no `end` follows.
    """
    stop_if_pressed()
    if _unawaited.depth:
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


def unawaited() -> AbstractContextManager[None]:
    """Forbid compilation within the context: what would compile raises NotCompiledError.

    In the whole process, not only in this thread; until the last of such contexts ends.
    """
    return _unawaited.entered()


def plain_searches() -> AbstractContextManager[None]:
    """Use the plain twins of compiled searches within the context, in the whole process.

    Not only in this thread, and until the last of such contexts ends. The agents `level` and `net`
    ask no solver meanwhile.
    """
    return _plain.entered()


def is_plain() -> bool:
    """Return whether searches must use their plain twins: within `plain_searches`."""
    return _plain.depth > 0
