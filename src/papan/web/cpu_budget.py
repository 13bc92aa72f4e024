"""The budget of a search in processor time, not by the clock.

A busy machine may give a search a tenth of a processor: then it is slow, and there is nothing
wrong with it. One that has used up what it was granted, and more, or does nothing at all, is stuck.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Literal

from papan.web.settings import Settings

Verdict = Literal["fine", "late", "stuck"]

LOADING = 600.0
"""Seconds of processor time to load what a search needs: it may even have to be compiled."""
LEAST = 0.1
"""Seconds of processor time that show, within a whole time of silence, that something goes on."""
UNMEASURED = 10
"""Where the system does not tell the processor time: a search gets a tenth of it, we suppose."""


class CpuBudget:
    """What one worker may still use before it is asked to stop, and before it is ended."""

    def __init__(
        self,
        settings: Settings,
        spent: Callable[[], float | None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.settings = settings
        self.asked = False
        """Was it asked to stop?"""
        self._read, self._clock = spent, clock
        self._began, self._first = clock(), spent()
        self._thinks = False
        self._seen = self._most = 0.0
        self._since = self._due = self._began
        self._grant(LOADING)

    @property
    def spent(self) -> float:
        """Seconds of processor time since it was handed over."""
        now = self._read()
        if now is None or self._first is None:
            return (self._clock() - self._began) / UNMEASURED
        return now - self._first

    def begin(self, seconds: float, threads: int) -> None:
        """Now it has loaded everything: from here on it has what it was granted."""
        self._thinks = True
        self._grant(0 if self.asked else seconds, threads)

    def ask(self) -> None:
        """It is asked to stop: from now on it has the grace, and no more."""
        if not self.asked:
            self.asked = True
            if self._thinks:  # else it cannot hear before it has loaded
                self._grant(0)

    def verdict(self) -> Verdict:
        """How it stands; *late*: it is time to ask it to stop."""
        spent, now = self.spent, self._clock()
        if spent - self._seen >= LEAST:
            self._seen, self._since = spent, now
        silent = now >= self._due and now - self._since >= self.settings.silence
        if spent < self._most and not silent:
            return "fine"
        return "stuck" if self.asked else "late"

    def _grant(self, seconds: float, threads: int = 1) -> None:
        """So many seconds more, and the grace; what happens from now on is new."""
        self._seen, self._since = self.spent, self._clock()
        self._most = self._seen + seconds * threads + self.settings.grace
        self._due = self._since + (seconds + self.settings.grace if self._thinks else 0)
