"""How far a long piece of work has come: a bar with the time left, or lines where nobody looks."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from papan.cli.language import say
from papan.cli.output import progress

STEP = 10
"""Percent between two lines in a pipe."""
MOMENT = 1.5
"""Seconds of compiling that nobody needs to be told of."""


class Bar:
    """Hears how much is done, and shows it on standard error."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._began: tuple[float, float] | None = None
        """When, and with how much done already, this run began."""
        self._said = 0
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
            time_left = TimeRemainingColumn(elapsed_when_finished=True)
            self._bar = Progress(*columns, time_left, console=Console(stderr=True))
            self._task = self._bar.add_task(name, total=None)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def told(self, done: float, total: float) -> None:
        """So much of *total* is done; what was done before this run says nothing of its speed."""
        percent = int(100 * done / total)
        if self._began is None:
            self._began = monotonic(), done
            self._said = percent
            if self._bar is not None:
                self._bar.reset(self._task, total=total, completed=int(done))
        elif self._bar is not None:
            self._bar.update(self._task, completed=done)
        elif self._said + STEP <= percent < 100:
            self._said = percent
            left = self._left(done, total)
            progress(say("lab.progress", paper=self._name, percent=percent, left=left))

    def _left(self, done: float, total: float) -> str:
        """The time left, if it goes on as it went."""
        assert self._began is not None
        since, before = self._began
        seconds = (monotonic() - since) * (total - done) / (done - before)
        return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class CompilerCounter:
    """Shows on a terminal how many functions are compiled, where that takes more than a moment."""

    def __init__(self) -> None:
        self._count = 0
        self._began: float | None = None

    def hear(self, begins: bool) -> None:
        """A function begins to be compiled, or is done; the line goes away when it is."""
        if not sys.stderr.isatty():
            return
        self._count += begins
        self._began = self._began or monotonic()
        if monotonic() - self._began > MOMENT:
            line = say("cli.compiling", count=self._count) if begins else ""
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
