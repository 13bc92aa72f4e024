"""Running a tournament that has a folder: every game is kept the moment it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from papan.lab.match import MatchGame
from papan.lab.tournament.collect import Collector, Warn
from papan.lab.tournament.contest import Contest, Venue
from papan.lab.tournament.folder import Folder
from papan.lab.tournament.journal import Journal

Watch = Callable[[Contest, int], None]
"""Hears of each game that is over, by its number."""


def run(folder: Folder, venue: Venue, catalog: str, watch: Watch, warn: Warn) -> Contest:
    """Play what is still to be played; whatever ends this, no game that is over is lost."""
    with (
        Journal(folder.journal, folder.plan) as journal,
        closing(Collector(folder, warn)) as collector,
    ):
        contest = Contest(folder.plan, journal.games)
        collector.add(journal.games)

        def keep(number: int, game: MatchGame) -> None:
            journal.write(number, game)
            collector.add({number: game})

        for number in contest.play(venue, keep, catalog):
            watch(contest, number)
        return contest
