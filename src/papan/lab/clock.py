"""A clock for one person: time runs only while that person thinks."""

from __future__ import annotations

from math import inf
from time import monotonic


class Clock:
    """Counts down from *seconds* while it runs."""

    def __init__(self, seconds: float = inf) -> None:
        self._left = seconds
        self._since: float | None = None

    @property
    def left(self) -> float:
        """The seconds left; never below 0."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return max(0.0, self._left - running)

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        """Let the time run."""
        if self._since is None:
            self._since = monotonic()

    def stop(self) -> None:
        """Hold the time."""
        self._left = self.left
        self._since = None
