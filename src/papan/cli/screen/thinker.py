"""An agent in a background thread, so that the screen stays responsive."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Event as Signal
from threading import Thread

from papan.core import Agent, Analysis, Event, Limit, Position

Answer = Analysis | Exception
"""What comes back: what the agent thinks, or how it failed."""


class Thinker:
    """One analysis: it is heard while it goes on, and can be stopped at any time."""

    def __init__(self, agent: Agent, position: Position, limit: Limit) -> None:
        self.agent = agent
        self.position = position
        self.limit = limit
        self.news: dict[str, Event] = {}
        """The latest event of each kind: screens look at it when they have time."""
        self.reasons: list[Event] = []
        self.answer: Answer | None = None
        self._stop = Signal()

    def start(self, ready: Callable[[Thinker], object]) -> None:
        """Begin; *ready* is called in the agent's own thread when the answer is there."""
        # Textual finds its app through the context, which a new thread does not inherit. A daemon:
        # an agent that does not listen must not keep papan from ending.
        context = copy_context()
        Thread(target=context.run, args=(self._work, ready), daemon=True).start()

    def stop(self) -> None:
        """Ask the agent for its best move so far, now."""
        self._stop.set()

    def _work(self, ready: Callable[[Thinker], object]) -> None:
        try:
            self.answer = self.agent.analyse(
                self.position, self.limit, self._hear, self._stop.is_set
            )
        except Exception as error:  # whatever a bot does wrong is its own loss, not the screen's
            self.answer = error
        ready(self)

    def _hear(self, event: Event) -> None:
        self.news[event["t"]] = event
        if event["t"] == "reason":
            self.reasons.append(event)
