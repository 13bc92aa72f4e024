"""What pages are told of tournaments: worked out anew only when another game is over."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from time import monotonic

from papan import catalog
from papan.core import PapanError, View
from papan.core.record import replay
from papan.lab.match import MatchGame
from papan.lab.tournament.command import command
from papan.lab.tournament.folder import reopen
from papan.lab.tournament.plan import Plan
from papan.lab.tournament.report import effort_facts, tournament_facts
from papan.lab.tournament.watching import Watch
from papan.web.arena_models import (
    EffortFacts,
    LastGame,
    TournamentFacts,
    TournamentReport,
    TournamentResult,
    Why,
)
from papan.web.jobs import Job

MOST_CACHED = 6
"""How many tournaments are held in memory; who was asked for last stays."""
PAUSE = 1.0
"""Seconds between two reports of a tournament, however many people watch."""
SHARE = 0.1
"""How much of the time may be spent on working reports out."""
LAST_GAMES = 4


class Entry:
    """A tournament in a list: its plan, and how many of its games are over."""

    def __init__(self, folder: Path) -> None:
        self.made = reopen(folder)
        self._size = self._games = 0

    def facts(self, job: Job, yours: bool) -> TournamentFacts:
        """What the list says of it."""
        plan = self.made.plan
        return TournamentFacts(
            id=job.id,
            state=job.state,
            why=Why(**job.why) if job.why else None,
            made=job.made,
            game=plan.game,
            agents=list(plan.names),
            games=self.games(),
            planned=plan.games,
            yours=yours,
        )

    def games(self) -> int:
        """How many games are over: counted anew when there are more."""
        journal = self.made.journal
        size = journal.stat().st_size if journal.exists() else 0
        if size != self._size:
            self._size, self._games = size, journal.read_bytes().count(b"\n")
        return self._games


class Course:
    """One tournament, followed while it is played."""

    def __init__(self, folder: Path) -> None:
        self.watch = Watch(reopen(folder))
        self.lock = Lock()
        self._report: TournamentReport | None = None
        self._due = 0.0

    def report(self, job: Job, facts: TournamentFacts) -> TournamentReport:
        """Everything about it; while it runs, as of a moment ago."""
        with self.lock:
            stale = self._report is None or self.watch.look() or self._behind
            if stale and (job.state != "running" or monotonic() >= self._due):
                began = monotonic()
                self._report = self._worked_out(facts)
                self._due = monotonic() + max(PAUSE, (monotonic() - began) / SHARE)
            assert self._report is not None
            return self._report.model_copy(update=dict(facts))

    @property
    def _behind(self) -> bool:
        """Has it seen games that the report does not know?"""
        return self._report is None or len(self.watch.latest) != self._report.seen

    def _worked_out(self, facts: TournamentFacts) -> TournamentReport:
        self.watch.look()
        watch, plan = self.watch, self.watch.folder.plan
        latest = watch.latest[-LAST_GAMES:][::-1]
        return TournamentReport(
            **facts.model_dump(),
            seen=len(watch.latest),
            order=plan.json(),
            contest=TournamentResult.model_validate(tournament_facts(watch.state)),
            efforts=[EffortFacts.model_validate(each) for each in effort_facts(watch.efforts)],
            pace=watch.efforts.pace,
            last=[last_game(plan, number, watch.state.games[number]) for number in latest],
            command=command(plan),
        )


class Courses:
    """All tournaments in short, and those that were asked for last in full."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._cached: OrderedDict[str, Course] = OrderedDict()
        self._lock = Lock()

    def facts(self, job: Job, folder: Path, yours: bool) -> TournamentFacts:
        """The tournament in *folder*, in short."""
        with self._lock:
            if job.id not in self._entries:
                self._entries[job.id] = Entry(folder)
            return self._entries[job.id].facts(job, yours)

    def of(self, job: Job, folder: Path) -> Course:
        """The tournament in *folder*, in full."""
        with self._lock:
            course = self._cached.pop(job.id, None) or Course(folder)
            self._cached[job.id] = course
            if len(self._cached) > MOST_CACHED:
                self._cached.popitem(last=False)
            return course

    def forget(self, job: Job) -> None:
        """A tournament was deleted."""
        with self._lock:
            self._entries.pop(job.id, None)
            self._cached.pop(job.id, None)


def last_game(plan: Plan, number: int, game: MatchGame) -> LastGame:
    """A game that is over, with the picture of its end."""
    record = game.record
    return LastGame(
        number=number,
        agents=[plan.names[agent] for agent in game.seating],
        start=record.start,
        moves=record.moves,
        end=record.end,
        winner=record.winner,
        scores=list(record.scores),
        svg=_picture(game),
    )


def _picture(game: MatchGame) -> str:
    try:
        positions = replay(game.record, catalog.game(game.record.game))
    except PapanError:  # the rules have changed since
        return ""
    names = positions[0].game.split_moves(game.record.moves)
    moves = [before.game.parse_move(name) for before, name in zip(positions, names)]
    return positions[-1].svg(View(played=tuple(zip(positions, moves))))
