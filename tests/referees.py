"""Referees who stay for the next tournament: to start one takes longer than most of its games."""

from contextlib import suppress
from pathlib import Path

from papan.process.lines import Emit, LineProcess, WireMessage


class Referees:
    """Those who wait."""

    def __init__(self) -> None:
        self.waiting: list[Referee] = []

    def one(self, module: str, **environment: str) -> "Referee":
        """One who waits where the test is, and would find its bots, or a new one."""
        with suppress(IndexError):  # games are begun by several threads
            while (referee := self.waiting.pop()).place != Path.cwd():
                LineProcess.end(referee)
            return referee
        return Referee(self, module, **environment)

    def close(self) -> None:
        for referee in self.waiting:
            LineProcess.end(referee)


class Referee(LineProcess):
    """One who is ended only in the middle of a game, or when something has gone wrong."""

    def __init__(self, all_of_them: Referees, module: str, **environment: str) -> None:
        super().__init__(module, **environment)
        self.place = Path.cwd()
        self._all, self._busy = all_of_them, False

    def request(self, request: WireMessage, on_event: Emit = lambda event: None) -> WireMessage:
        self._busy = True
        answer = super().request(request, on_event)
        self._busy = False
        return answer

    def end(self) -> None:
        if self._busy:
            super().end()
        elif self not in self._all.waiting:  # a pool may end what it was just given back
            self._all.waiting.append(self)

    def fail(self, error: BaseException) -> None:
        super().end()
