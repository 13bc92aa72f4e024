"""What pages are told of tournaments: worked out anew only when another game is over."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Annotated, Any

from pydantic import BaseModel, Field

from papan import catalog
from papan.core import PapanError, View
from papan.core.record import End, replay
from papan.lab.match import MatchGame
from papan.lab.tournament.folder import reopen
from papan.lab.tournament.journal import Watch
from papan.lab.tournament.plan import Plan, command
from papan.lab.tournament.report import effort_facts, tournament_facts
from papan.web.jobs import Job, State
from papan.web.wire import Seed, SpecText, Strict

Elo = Annotated[float, Field(ge=-1000, le=1000)]
Risk = Annotated[float, Field(gt=0, lt=0.5)]


class SprtOrder(Strict):
    """The two hypotheses of a sequential test, and its risks."""

    elo0: Elo = 0
    elo1: Elo = 10
    alpha: Risk = 0.05
    beta: Risk = 0.05


class TournamentOrder(Strict):
    """A tournament to be held; seconds, nodes or depth are granted to every agent alike."""

    game: SpecText
    agents: Annotated[list[SpecText], Field(min_length=2, max_length=12)]
    seconds: Annotated[float, Field(gt=0, le=60)] | None = None
    nodes: Annotated[int, Field(ge=1, le=10**9)] | None = None
    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    pairs: Annotated[int, Field(ge=1, le=10_000)] = 10
    opening: Annotated[int, Field(ge=0, le=40)] = 2
    seed: Seed = 0
    gauntlet: bool = False
    sprt: SprtOrder | None = None
    error: Annotated[float, Field(gt=0, le=1000)] | None = None
    """Stop when every Elo is known to plus or minus this."""
    concurrency: Annotated[int, Field(ge=1, le=64)] | None = None


class Why(BaseModel):
    """A sentence of the catalogue."""

    key: str
    values: dict[str, Any]


class TournamentFacts(BaseModel):
    """A tournament in a list."""

    id: str
    state: State
    why: Why | None
    made: str
    game: str
    agents: list[str]
    games: int
    planned: int
    yours: bool
    """May whoever asks pause and delete it?"""


class IntervalFacts(BaseModel):
    """A value with its 95 % interval; what is not known is null."""

    value: float | None
    low: float | None
    high: float | None


class ScoreFacts(BaseModel):
    """Games won, drawn and lost."""

    wins: int
    draws: int
    losses: int


class SpreadFacts(BaseModel):
    """The middle of some numbers, and what only one in twenty of them exceeds."""

    median: float
    p95: float


class FaultFacts(BaseModel):
    """Games that an agent lost by the same fault of its own."""

    kind: End
    reason: str
    games: int
    output: str
    """What it had printed the first time, its traceback among it."""


class ContestantFacts(ScoreFacts):
    """How an agent did."""

    agent: str
    elo: IntervalFacts | None
    games: int
    points: float
    seats: list[ScoreFacts]
    """On the first and on the second seat; empty where everyone plays alone."""
    forfeits: dict[str, int]
    faults: list[FaultFacts]


class EncounterFacts(ScoreFacts):
    """How the first of two agents did against the second."""

    first: str
    second: str
    pentanomial: list[int] | None
    games: int
    score: float
    elo: IntervalFacts
    normalised_elo: IntervalFacts
    los: float


class SprtFacts(BaseModel):
    """How a sequential test stands."""

    llr: float
    bounds: tuple[float, float]
    verdict: str


class EffortFacts(BaseModel):
    """What the moves of an agent have cost."""

    agent: str
    nodes: SpreadFacts | None
    milliseconds: SpreadFacts | None


class TournamentResult(BaseModel):
    """What the games of a tournament have shown."""

    game: str
    seed: int
    games: int
    planned: int
    ending: str | None
    agents: list[ContestantFacts]
    """The strongest first."""
    superiority: list[list[float | None]]
    """How likely each of them is stronger than each other one, in the same order."""
    encounters: list[EncounterFacts]
    endings: dict[str, int]
    adjudicated: int
    sprt: SprtFacts | None = None


class LastGame(BaseModel):
    """A game that has just ended."""

    number: int
    agents: list[str]
    start: str
    moves: str
    end: End
    winner: int | None
    scores: list[float]
    svg: str


class TournamentReport(TournamentFacts):
    """Everything about a tournament."""

    seen: int
    """Of so many games it tells; while the tournament runs there may be a few more."""
    order: dict[str, Any]
    """The plan: agents, game, limits, seed and whatever else decides the games."""
    contest: TournamentResult
    efforts: list[EffortFacts]
    pace: float | None
    """Games a second."""
    last: list[LastGame]
    command: str
    """What plays the same tournament in a terminal."""


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
