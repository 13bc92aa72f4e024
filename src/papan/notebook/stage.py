"""What an inline board shows and hears: the state goes to the page, words come back from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, ClassVar, TypeAlias

from papan.core import PapanError
from papan.core.session import PERSON, Session
from papan.core.text import say
from papan.web.boards import board

State: TypeAlias = dict[str, Any]
Send: TypeAlias = Callable[[State], None]


class Stage:
    """A game in a notebook. The page holds no rules: it shows `state`, and sends what was done.

    A word such as ``{"do": "go", "count": 3}`` calls the method of that name, if it is a word.
    """

    words: ClassVar[tuple[str, ...]] = ("go",)

    def __init__(self, session: Session, language: str, send: Send) -> None:
        self.session = session
        self.language = language
        self.problem = ""
        self._send = send
        self._lock = RLock()

    def hear(self, message: Mapping[str, Any]) -> None:
        """Do what the page asks for; what is wrong with it is shown there, and changes nothing."""
        with self._lock:
            self.problem = ""
            word, values = message.get("do"), {**message}
            values.pop("do", None)
            if word in self.words:
                try:
                    getattr(self, str(word))(**values)
                except PapanError as error:
                    self.problem = error.text(self.language)
            self.send()

    def close(self) -> None:
        """The page has gone."""

    def send(self) -> None:
        """Show how things are."""
        self._send(self.state())

    def go(self, count: int) -> None:
        """To the position after so many moves."""
        self.session.go(count)

    def state(self) -> State:
        """Everything that the page shows."""
        session = self.session
        line = [*session.plies, *reversed(session.undone)]
        return {
            "board": board(tuple(session.plies), session.position).model_dump(),
            "line": [session.game.move_name(move) for _, move in line],
            "turns": [position.turn for position, _ in line],
            "names": [self.seat(seat) for seat in range(session.game.seats)],
            "seats": [self.title(agent) for agent in self.agents],
            "choices": [],
            "tools": self.tools(),
            "status": self.status(),
            "problem": self.problem,
            "live": False,
            "hint": None,
        }

    def tools(self) -> list[State]:
        """The buttons below the board."""
        return []

    def status(self) -> str:
        """How the game stands, in one sentence."""
        return self.result() if self.session.end != "open" else ""

    def result(self) -> str:
        """How the game ended."""
        record, agents = self.session.record(), self.agents
        how = self.say(f"end.{record.end}")
        if record.winner is None or self.session.game.seats == 1:
            return self.say("play.ended", how=how)
        winner = f"{self.seat(record.winner)} ({self.title(agents[record.winner])})"
        return self.say("play.won", how=how, player=winner)

    @property
    def agents(self) -> tuple[str, ...]:
        """Who sits on each seat, as text."""
        return self.session.record().agents

    def button(self, key: str, do: str, off: bool = False, **more: object) -> State:
        """A button with a text of the catalogue."""
        return {"text": self.say(key), "send": {"do": do, **more}, "off": off, "pressed": None}

    def seat(self, seat: int) -> str:
        """What people call a seat."""
        alone = self.session.game.seats == 1
        return self.say("seat.alone" if alone else f"seat.{seat + 1}")

    def title(self, spec: str) -> str:
        """What people call whoever sits on a seat."""
        name, _, number = spec.partition(":")
        key = {PERSON: "web.person", "level": f"web.level_{number[:1]}"}.get(name, spec)
        return self.say(key)

    def say(self, key: str, **values: object) -> str:
        """The text of *key* in the language of this notebook."""
        return say(key, self.language, **values)
