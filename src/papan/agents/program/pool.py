"""Programs that wait for their next question: starting one for each move would take too long."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeAlias

from papan.agents.program.child import Child

Key: TypeAlias = tuple[tuple[str, ...], int, int]
"""The command, the memory that it is granted, and when it was last changed."""

MOST_IDLE = 4

_idle: list[tuple[Key, Child]] = []
_lock = Lock()


@contextmanager
def borrowed(key: Key, start: Callable[[], Child]) -> Iterator[Child]:
    """A program for one question; one that fails to answer, for whatever reason, is ended."""
    child = taken(key) or start()
    try:
        yield child
    except BaseException as error:
        child.fail(error)
        raise
    _give_back(key, child)


def taken(key: Key) -> Child | None:
    """A program that waits, for whoever takes it from now on."""
    with _lock:
        for place, (other, child) in enumerate(_idle):
            if other == key:
                del _idle[place]
                return child
    return None


def _give_back(key: Key, child: Child) -> None:
    with _lock:
        _idle.append((key, child))
        superfluous = [_idle.pop(0)[1] for _ in range(len(_idle) - MOST_IDLE)]
    for each in superfluous:
        each.end()


def _forget() -> None:
    """In a copy of papan: the programs belong to the original."""
    global _lock
    _lock = Lock()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
