"""Collecting the games of a tournament in its store, which may be away for a while."""

from __future__ import annotations

from collections.abc import Callable

from papan.core import PapanError
from papan.lab.match import MatchGame
from papan.lab.store import Store, StoreError
from papan.lab.tournament.folder import Folder

Warn = Callable[[PapanError], None]


class Collector:
    """Adds games to the store; what it cannot add now it adds later, for the journal has it."""

    def __init__(self, folder: Folder, warn: Warn) -> None:
        self._folder = folder
        self._warn = warn
        self._away = False
        self._pending: dict[int, MatchGame] = {}
        self._store = Store(folder.store_url, writable=True)

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def add(self, games: dict[int, MatchGame]) -> None:
        """Add *games* and whatever could not be added before."""
        self._pending |= games
        try:
            self._store.add(self._folder, self._pending)
        except StoreError as error:
            if not self._away:  # say it once
                self._warn(error)
            self._away = True
            return
        self._pending.clear()
        self._away = False
