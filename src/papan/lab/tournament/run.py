"""Running a tournament that has a folder: every game is kept the moment it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from papan.core import PapanError
from papan.lab.match import MatchGame
from papan.lab.store import Store, StoreError
from papan.lab.tournament.executor import RefereePool, probed, this_machine
from papan.lab.tournament.folder import PLAN, Folder, Journal, effort_line, found, reopen
from papan.lab.tournament.plan import Plan
from papan.lab.tournament.standings import TournamentState
from papan.lab.work import Executor

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


Watch = Callable[[TournamentState, int], None]
"""Hears of each game that is over, by its number."""


def play_tournament(path: Path, plan: Plan, catalog: str, concurrency: int) -> TournamentState:
    """Play a tournament here to its end; one that was interrupted in this folder goes on."""
    with closing(RefereePool()) as pool:
        plan = probed(pool, plan, catalog)
        folder = reopen(path) if (path / PLAN).exists() else found(path, plan)
        if folder.plan != plan:
            raise PapanError("tournament.other_plan", path=path)
        with this_machine(pool, concurrency) as executor:
            return run(folder, executor, catalog)


def _ignore(*news: object) -> None:
    """Does not listen."""


def run(
    folder: Folder, executor: Executor, catalog: str, watch: Watch = _ignore, warn: Warn = _ignore
) -> TournamentState:
    """Play what is still to be played; whatever ends this, no game that is over is lost."""
    with (
        Journal(folder.journal, folder.plan) as journal,
        closing(Collector(folder, warn)) as collector,
        folder.efforts.open("a", encoding="utf-8") as efforts,
    ):
        state = TournamentState(folder.plan, journal.games)
        collector.add(journal.games)

        def keep(number: int, game: MatchGame) -> None:
            efforts.write(effort_line(number, game) + "\n")
            efforts.flush()
            journal.write(number, game)
            collector.add({number: game})

        for number in state.play(executor, keep, catalog):
            watch(state, number)
        return state
