"""Stepping through a game that has been played."""

from __future__ import annotations

from papan.core.session import Session
from papan.notebook.stage import Send, Stage, State


class Step(Stage):
    """The same board for every moment of a game: its slider and its moves lead anywhere."""

    def __init__(
        self, session: Session, agents: tuple[str, ...], language: str, send: Send
    ) -> None:
        super().__init__(session, language, send)
        self._agents = agents

    @property
    def agents(self) -> tuple[str, ...]:
        """Who has played; nobody of them sits here now."""
        return self._agents

    def state(self) -> State:
        return super().state() | {"slider": self.say("notebook.slider")}

    def tools(self) -> list[State]:
        at, last = len(self.session.plies), len(self.session.plies) + len(self.session.undone)
        return [
            self.button("notebook.first", "go", at == 0, count=0),
            self.button("notebook.back", "go", at == 0, count=at - 1),
            self.button("notebook.forward", "go", at == last, count=at + 1),
            self.button("notebook.last", "go", at == last, count=last),
        ]

    def status(self) -> str:
        session = self.session
        if not session.undone and session.end != "open":
            return self.result()
        last = len(session.plies) + len(session.undone)
        return self.say("notebook.ply", ply=len(session.plies), last=last)
