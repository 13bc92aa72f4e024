"""Watching a tournament that another process plays: only what is new is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papan.core import InvalidRecordError
from papan.lab.match import MatchGame
from papan.lab.tournament.effort import Efforts
from papan.lab.tournament.folder import Folder
from papan.lab.tournament.journal import parse_line
from papan.lab.tournament.state import TournamentState


class Watch:
    """The course of a tournament, as far as its folder tells."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.state = TournamentState(folder.plan)
        self.efforts = Efforts(folder.plan)
        self.latest: list[int] = []
        """The games in the order in which they were over."""
        self._journal, self._efforts = _Tail(folder.journal), _Tail(folder.efforts)

    def look(self) -> bool:
        """Read what is new; is there anything?"""
        for line in self._efforts.lines():
            self.efforts.add(line)
        games = dict(self._new_games())
        self.latest += games
        self.state.add(games)
        return bool(games)

    def _new_games(self) -> Iterator[tuple[int, MatchGame]]:
        """The games that are over since; what a power cut has left behind them is written anew."""
        for line in self._journal.lines():
            try:
                number, game = parse_line(line, self.folder.plan)
            except InvalidRecordError:
                self._journal.put_back(line)
                return
            if number not in self.state.games:
                yield number, game


class _Tail:
    """The lines of a file that are complete and have not been read yet."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def lines(self) -> Iterator[bytes]:
        """One line after another."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            self._read += len(line)
            yield line

    def put_back(self, line: bytes) -> None:
        """Read the last *line* again next time."""
        self._read -= len(line)
