"""The journal: the games of a tournament, one line each, on the disk before anyone hears of them.

It is the truth of a tournament's folder: whatever is killed, what it says has happened.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from papan.core import InvalidRecordError, PapanError
from papan.core.record import parse_record
from papan.lab.match import MatchGame
from papan.lab.tournament.plan import Plan
from papan.process.host import lock


class Journal:
    """The games that are over, by their numbers; one process at a time may add to them."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.games: dict[int, MatchGame] = {}
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise PapanError("error.cannot_write", path=path, why=error.strerror) from None
        try:
            lock(self._file)
        except OSError:
            self._file.close()
            raise PapanError("tournament.locked", path=path.parent) from None
        try:
            self._recover(path, plan)
        except PapanError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, number: int, game: MatchGame) -> None:
        """Keep a game; when this returns, no power cut can lose it."""
        self._file.write(journal_line(number, game).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.games[number] = game

    def _recover(self, path: Path, plan: Plan) -> None:
        """Read what is there; a last line that was not written to its end is dropped."""
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        whole = 0
        for count, line in enumerate(lines, 1):
            try:
                number, game = parse_line(line, plan)
            except InvalidRecordError:
                if count < len(lines):
                    raise InvalidRecordError("tournament.bad_line", path=path, line=count) from None
                break
            self.games.setdefault(number, game)
            whole += len(line)
        self._file.truncate(whole)
        os.fsync(self._file.fileno())


def journal_line(number: int, game: MatchGame) -> str:
    """A game as one line: its record, with its number and who sat on the seats."""
    facts = {"number": number, "players": game.seating, **json.loads(game.record.json())}
    return json.dumps(facts, ensure_ascii=False)


def parse_line(line: bytes, plan: Plan) -> tuple[int, MatchGame]:
    """The game of the plan that `journal_line` wrote; raises InvalidRecordError."""
    text = line.decode("utf-8", errors="replace")
    record = parse_record(text)  # raises unless it is a whole object
    facts: dict[str, Any] = json.loads(text)
    number, players = facts.get("number"), facts.get("players")
    fits = type(number) is int and 0 <= number < plan.games
    if not (line.endswith(b"\n") and fits):
        raise InvalidRecordError("error.not_a_record", text=text[:80])
    assert isinstance(number, int)
    seating = plan.seatings[number % len(plan.seatings)]
    if players != list(seating) or len(record.agents) != len(seating):
        raise InvalidRecordError("error.not_a_record", text=text[:80])
    return number, MatchGame(seating, replace(record, scores=whole_numbers(record.scores)))


def whole_numbers(scores: tuple[float, ...]) -> tuple[float, ...]:
    """The same scores, written as they were: 1 and not 1.0."""
    return tuple(int(score) if score == int(score) else score for score in scores)
