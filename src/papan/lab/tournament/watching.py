"""Watching a tournament that another process plays: only what is new is read."""

from __future__ import annotations

from pathlib import Path

from papan.core import InvalidRecordError
from papan.lab.match import MatchGame
from papan.lab.tournament.contest import Contest
from papan.lab.tournament.effort import Efforts
from papan.lab.tournament.folder import Folder
from papan.lab.tournament.journal import parse_line


class Watch:
    """The course of a tournament, as far as its folder tells."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.contest = Contest(folder.plan)
        self.efforts = Efforts(folder.plan)
        self.latest: list[int] = []
        """The games in the order in which they were over."""
        self._journal, self._efforts = _Tail(folder.journal), _Tail(folder.efforts)

    def look(self) -> bool:
        """Read what is new; is there anything?"""
        for line in self._efforts.lines():
            self.efforts.add(line)
        games = dict[int, MatchGame]()
        for line in self._journal.lines():
            try:
                number, game = parse_line(line, self.folder.plan)
            except InvalidRecordError:  # whoever plays on will complain
                continue
            games.setdefault(number, game)
        self.latest += games
        self.contest.add(games)
        return bool(games)


class _Tail:
    """The lines of a file that are complete and have not been read yet."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def lines(self) -> list[bytes]:
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole.splitlines(keepends=True)
