"""Processes that wait for their next question: starting one for each would take too long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, Protocol, TypeVar

from papan.process.lines import ProcessEndedError


class Hosted(Protocol):
    """What a pool must know of a process."""

    def end(self) -> object:
        """End it, from any thread, whatever it is doing."""

    def fail(self, error: BaseException) -> object:
        """End it after an *error*, which may then say more about it."""


Process = TypeVar("Process", bound=Hosted)


class Pool(Generic[Process]):
    """Processes by what makes them interchangeable; each is lent to one borrower at a time."""

    def __init__(self, most_idle: int = sys.maxsize) -> None:
        self.most_idle = most_idle
        self.forget()

    def forget(self) -> None:
        """Begin without any: in a copy of papan, they belong to the original."""
        self._lock = Lock()
        self._idle: list[tuple[Hashable, Process]] = []
        self._lent: set[Process] = set()
        self.closed = False

    @contextmanager
    def borrowed(self, key: Hashable, start: Callable[[], Process]) -> Iterator[Process]:
        """A process for one question; one that fails to answer, for whatever reason, is ended."""
        process = self.taken(key) or start()
        try:
            with self._lock:
                self._lent.add(process)
                if self.closed:
                    raise ProcessEndedError("the pool is closed")
            yield process
        except BaseException as error:
            process.fail(error)
            raise
        finally:
            with self._lock:
                self._lent.discard(process)
        self._give_back(key, process)

    def taken(self, key: Hashable) -> Process | None:
        """A process that waits, for whoever takes it from now on."""
        with self._lock:
            if self.closed:
                raise ProcessEndedError("the pool is closed")
            for place, (other, process) in enumerate(self._idle):
                if other == key:
                    del self._idle[place]
                    return process
        return None

    def close(self) -> None:
        """End all processes at once, whatever they are doing."""
        with self._lock:
            self.closed = True
            idle, self._idle = self._idle, []
            lent = [*self._lent]
        for process in [*lent, *(process for _, process in idle)]:
            process.end()

    def _give_back(self, key: Hashable, process: Process) -> None:
        with self._lock:
            self._idle.append((key, process))
            most = 0 if self.closed else self.most_idle
            superfluous = [each for _, each in self._idle[: max(0, len(self._idle) - most)]]
            del self._idle[: len(superfluous)]
        for each in superfluous:
            each.end()
