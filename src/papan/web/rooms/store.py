"""Rooms on the disk: one small file each, so that a game outlives the server that it began on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Literal

from pydantic import TypeAdapter

from papan.core import PapanError
from papan.lab.files import write_whole
from papan.web.rooms.messages import CODE
from papan.web.rooms.room_game import RoomGame


@dataclass(frozen=True)
class SavedRoom:
    """What a file holds."""

    version: Literal[1]
    table: RoomGame
    """The game; files of earlier versions call it so, too."""


FORM = TypeAdapter(SavedRoom)


class RoomStore:
    """A folder of rooms. The time on their clocks is that of *clock*."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self.folder, self.clock = folder, clock

    def keep(self, code: str, room_game: RoomGame) -> None:
        """Write a room; raises where the disk refuses it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(code), FORM.dump_json(SavedRoom(1, self._now(room_game))))
        except OSError as error:
            raise PapanError("room.cannot_keep", why=error.strerror) from error

    def forget(self, code: str) -> None:
        """Take a room away."""
        with suppress(OSError):
            self._path(code).unlink()

    def rooms(self) -> Iterator[tuple[str, RoomGame, float]]:
        """Every room that can be read: its code, its game, and when it last changed.

        Files know that by the calendar, which may be set back; from now on *clock* counts.
        """
        for path in sorted(self.folder.glob("*.json")):
            with suppress(OSError, ValueError):
                if re.fullmatch(CODE, path.stem):
                    saved = FORM.validate_json(path.read_bytes())
                    quiet = max(0.0, time() - path.stat().st_mtime)
                    yield path.stem, self._resumed(saved.table), self.clock() - quiet

    def _now(self, room_game: RoomGame) -> RoomGame:
        clocks = room_game.clocks
        return replace(room_game, clocks=clocks and clocks.held(self.clock(), clocks.running))

    def _resumed(self, room_game: RoomGame) -> RoomGame:
        """The clocks go on from here: nobody pays for the time that the server was away."""
        return replace(
            room_game, clocks=room_game.clocks and replace(room_game.clocks, since=self.clock())
        )

    def _path(self, code: str) -> Path:
        return self.folder / f"{code}.json"
