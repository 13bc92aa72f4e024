"""How far work has come: a bar with the time left, what a search knows, or lines in a pipe."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from papan.core import Event, Listener
from papan.core.analysis import format_value
from papan.terminal.output import progress, rewrite, say

STEP = 10
"""Percent between two lines in a pipe."""
PAUSE = 1_000
"""Milliseconds between two lines of a search in a pipe."""
LONGEST = 12
"""How many moves of a line are shown."""
MOMENT = 1.5
"""Seconds of compiling that nobody needs to be told of."""


class Bar:
    """Hears how much is done: shows a bar on a terminal, lines in a pipe, and the time left."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._since = monotonic()
        self._before: float | None = None
        """How much was done already when this run began."""
        self._said = 0
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
            )
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

    def update(self, done: float, total: float, news: str = "") -> None:
        """So much of *total* is done; what was done before this run says nothing of its speed.

        With *news* of the one that was just done, there is a line for each in a pipe.
        """
        percent = int(100 * done / total)
        first = self._before is None
        if self._before is None:
            self._before = done - bool(news)
            self._since = self._since if news else monotonic()
            self._said = percent
            if self._bar is not None:
                self._bar.reset(self._task, total=total, completed=int(self._before))
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=news or self._name)
        elif news:
            left = say("tournament.time_left", time=self._left(done, total))
            progress(f"{done:g}/{total:g}  {left}  {news}")
        elif not first and self._said + STEP <= percent < 100:
            self._said = percent
            left = self._left(done, total)
            progress(say("lab.progress", paper=self._name, percent=percent, left=left))

    def _left(self, done: float, total: float) -> str:
        """The time left, if it goes on as it went."""
        assert self._before is not None
        seconds = (monotonic() - self._since) * (total - done) / (done - self._before)
        return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class CompilerCounter:
    """Shows on a terminal how many functions are compiled, where that takes more than a moment."""

    def __init__(self) -> None:
        self._count = 0
        self._began: float | None = None

    def update(self, begins: bool) -> None:
        """A function begins to be compiled, or is done; the line goes away when it is."""
        self._count += begins
        self._began = self._began or monotonic()
        if monotonic() - self._began > MOMENT:
            rewrite(say("cli.compiling", count=self._count) if begins else "")


class Findings:
    """Shows what a search knows so far: one line that changes, or lines where they are *wanted*."""

    def __init__(self, wanted: bool) -> None:
        self._live = Live(console=Console(stderr=True), transient=True)
        self._on_screen = sys.stderr.isatty()
        self._next = 0
        self._root: Event = {}
        """What was told last of the root."""
        self.listener: Listener | None = self._update if self._on_screen or wanted else None
        """Who hears the search; None where nobody looks."""

    def __enter__(self) -> Self:
        if self._on_screen:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._on_screen:
            self._live.stop()

    def _update(self, event: Event) -> None:
        if event["t"] == "root":
            self._root = event
        elif event["t"] != "progress":
            return
        known = {**self._root, **event}
        if self._on_screen:
            self._live.update(Text(findings(known)))
        elif event["ms"] >= self._next:
            self._next = event["ms"] + PAUSE
            progress(findings(known))


def findings(event: Event) -> str:
    """What is known of a search, in one line: bounds, work, speed, and the best play so far."""
    seconds = f"{event['ms'] / 1000:.1f}"
    work = say("progress.work", nodes=event["nodes"], speed=event["nps"], seconds=seconds)
    if "best" not in event:
        return work
    lines = {move["m"]: move.get("pv") for move in event["moves"]}
    line = lines.get(event["best"]) or [event["best"]]
    facts = {"work": work, "line": " ".join(line[:LONGEST])}
    if not event.get("bounds"):
        return say("progress.search", depth=event["depth"], **facts)
    low, high = event["bounds"]
    return say("progress.proof", low=format_value(low), high=format_value(high), **facts)
