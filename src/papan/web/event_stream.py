"""The events that leave a worker: throttled, but none is lost that a page needs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from papan.core import Event

PAUSE = 0.05
"""Seconds between two reports of how far a search is."""
MOST_DEPTHS = 64
"""How deep a search may go with a report about each depth."""
MOST_EVENTS = 5_000
"""How many events of other kinds one search may tell."""


class EventStream:
    """Hears every event of an agent and passes on what a page can show.

    Of the reports about the root the latest counts, and the last one before a search goes deeper
    than ever, so that its growth can be drawn; nodes of the tree travel together.
    """

    def __init__(self, say: Callable[[Event], None]) -> None:
        self._say = say
        self._root: Event | None = None
        self._nodes: list[Event] = []
        self._deepest = 0
        self._emitted = -PAUSE
        self._left = MOST_EVENTS

    def hear(self, event: Event) -> None:
        """Pass *event* on, now or later."""
        if event["t"] == "tree":
            self._nodes += event["add"]
        elif event["t"] == "root":
            if self._deepest < event.get("depth", 0) <= MOST_DEPTHS:
                self._deepest = event["depth"]
                self._report()
            self._root = event
            if monotonic() - self._emitted >= PAUSE:
                self._report()
        elif event["t"] == "progress":
            self._report()  # or what has waited would come later and count back
            self._say(event)
        elif self._left:
            self._left -= 1
            if event["t"] == "done":
                self.flush()
            self._say(event)

    def flush(self) -> None:
        """Pass on what has waited."""
        self._report()
        if self._nodes:
            self._say({"t": "tree", "add": self._nodes})
            self._nodes = []

    def _report(self) -> None:
        if self._root is not None:
            self._say(self._root)
            self._emitted = monotonic()
            self._root = None
