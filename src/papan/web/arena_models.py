"""What travels between the arena and the server."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from papan.core.record import End
from papan.web.jobs import State
from papan.web.models import Seed, SpecText, Strict

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
