"""The arena: tournaments to start, watch, pause and take home; worked out anew with new games."""

import asyncio
import json
from collections.abc import Container
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Annotated, Any, Literal, get_args

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import Agent, InvalidSpecError, Limit, PapanError, View
from papan.core.message import Message
from papan.core.parts import Drawing
from papan.core.record import End, moves_of, replay
from papan.lab.machine import cores
from papan.lab.match import MatchGame
from papan.lab.results import as_latex
from papan.lab.statistics.elo import Sprt
from papan.lab.tournament.folder import EffortFacts, Folder, Watch, found, reopen
from papan.lab.tournament.plan import Plan, Stopping, command
from papan.lab.tournament.report import (
    TournamentResult,
    tournament_csv,
    tournament_facts,
    tournament_table,
)
from papan.web.catalogue import agent_for
from papan.web.jobs import Job, Jobs, State
from papan.web.owner import Owner
from papan.web.settings import Settings
from papan.web.wire import (
    Facts,
    Language,
    Refused,
    Seed,
    SpecText,
    Strict,
    as_file,
    download,
)

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
    title: Annotated[str, Field(max_length=80)] = ""
    """What its maker calls it."""


class TournamentFacts(Facts):
    """A tournament in a list."""

    id: str
    state: State
    why: Message | None
    made: str
    title: str
    game: str
    agents: list[str]
    games: int
    planned: int
    yours: bool
    """May whoever asks pause and delete it?"""


class PlayedGame(Facts):
    """A game that is over."""

    number: int
    agents: list[str]
    start: str
    moves: str
    end: End
    winner: int | None
    scores: list[float]


class LastGame(PlayedGame):
    """A game that has just ended, with the picture of its end."""

    svg: str


class GameList(BaseModel):
    """Games of a tournament, a page at a time."""

    total: int
    games: list[PlayedGame]


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
PAGE = 50
"""How many games a page of the list has."""


@lru_cache(1_000)
def plan_in(folder: Path) -> Folder:
    """The tournament in a folder of the disk, whose plan is written once."""
    return reopen(folder)


@lru_cache(1_000)
def _lines(journal: Path, size: int) -> int:
    """How many lines a file of that *size* has, counted anew when it has grown."""
    return journal.read_bytes().count(b"\n") if size else 0


class Course:
    """One tournament, followed while it is played."""

    def __init__(self, folder: Path) -> None:
        self.watch = Watch(plan_in(folder))
        self.plan = self.watch.folder.plan
        self.lock = Lock()
        self._report: TournamentReport | None = None
        self._due = 0.0

    def report(self, facts: TournamentFacts) -> TournamentReport:
        """Everything about it; while it runs, as of a moment ago."""
        with self.lock:
            self.watch.look()
            stale = self._report is None or len(self.watch.latest) != self._report.seen
            if stale and (facts.state != "running" or monotonic() >= self._due):
                began = monotonic()
                self._report = self._worked_out(facts)
                self._due = monotonic() + max(PAUSE, (monotonic() - began) / SHARE)
            assert self._report is not None
            return self._report.model_copy(update=dict(facts))

    def _worked_out(self, facts: TournamentFacts) -> TournamentReport:
        watch, plan = self.watch, self.plan
        latest = watch.latest[-LAST_GAMES:][::-1]
        return TournamentReport.of(
            facts,
            seen=len(watch.latest),
            order=plan.json(),
            contest=tournament_facts(watch.state),
            efforts=watch.efforts.facts(),
            pace=watch.efforts.pace,
            last=[self._last(number) for number in latest],
            command=command(plan),
        )

    def _last(self, number: int) -> LastGame:
        game = self.watch.state.games[number]
        return LastGame.of(played_game(self.plan, number, game), svg=_picture(game))

    def games(self, agents: Container[str], after: int) -> GameList:
        """A page of the games in which all who played are among *agents*, in their order."""
        with self.lock:
            self.watch.look()
            plan, games = self.plan, self.watch.state.games
            wanted = [
                number
                for number in sorted(games)
                if all(plan.names[agent] in agents for agent in games[number].seating)
            ]
            page = wanted[after : after + PAGE]
            return GameList(
                total=len(wanted),
                games=[played_game(plan, number, games[number]) for number in page],
            )


@lru_cache(MOST_CACHED)
def course(folder: Path) -> Course:
    """The tournament in *folder*, in full; who was asked for last stays."""
    return Course(folder)


def played_game(plan: Plan, number: int, game: MatchGame) -> PlayedGame:
    """A game that is over."""
    agents = [plan.names[agent] for agent in game.seating]
    return PlayedGame.of(game.record, number=number, agents=agents)


def _picture(game: MatchGame) -> str:
    try:
        positions = replay(game.record, catalog.game(game.record.game))
    except PapanError:  # the rules have changed since
        return ""
    moves = moves_of(game.record, positions)
    return Drawing.of(positions[-1]).svg(View(played=tuple(zip(positions, moves))))


USUAL_NODES = 10_000
AMPLE_NODES = 10**9
"""What ends a search that is to end by its depth, if nothing else does."""
MOST_GAMES = 20_000
"""How many games a tournament of the arena may have; the terminal knows no such bound."""


def plan_of(order: TournamentOrder, most_memory: int) -> Plan:
    """The plan that is asked for; raises if it makes no sense."""
    rules = catalog.game(order.game)
    agents = [agent_for(spec, rules, most_memory) for spec in order.agents]
    if order.depth is not None:
        agents = [_at_depth(agent, order.depth) for agent in agents]
    sprt = Sprt(**order.sprt.model_dump()) if order.sprt else None
    plan = Plan(
        rules.spec,
        tuple(agent.spec for agent in agents),
        rules.seats,
        order.pairs,
        order.seed,
        order.opening,
        order.gauntlet,
        _limit(order),
        stopping=Stopping(sprt, order.error),
    )
    if plan.games > MOST_GAMES:
        raise InvalidSpecError("tournament.too_many", games=plan.games, most=MOST_GAMES)
    return plan


def _limit(order: TournamentOrder) -> Limit:
    chosen = [bound for bound in (order.seconds, order.nodes, order.depth) if bound is not None]
    if len(chosen) > 1:
        raise InvalidSpecError("arena.one_budget")
    if order.seconds is not None:
        return Limit(seconds=order.seconds)
    return Limit(nodes=AMPLE_NODES if order.depth else order.nodes or USUAL_NODES)


def _at_depth(agent: Agent, depth: int) -> Agent:
    if not agent.has_setting("depth"):
        raise InvalidSpecError("arena.no_depth", agent=agent.spec)
    return agent.with_settings(depth=depth)


Form = Literal["games.jsonl", "table.csv", "table.tex", "report.json"]


class Arena:
    """The tournaments that the questions are about."""

    def __init__(self, jobs: Jobs, owner: Owner) -> None:
        self.jobs, self.owner = jobs, owner

    def job(self, name: str) -> Job:
        """The job of that name; there may be none."""
        if job := self.jobs.find("tournament", name):
            return job
        raise Refused(404, "web.no_tournament", name=name)

    def facts(self, job: Job, yours: bool = True) -> TournamentFacts:
        """A tournament in short: its plan, and how many of its games are over."""
        made = plan_in(self.jobs.folder(job))
        size = made.journal.stat().st_size if made.journal.exists() else 0
        return TournamentFacts.of(
            job,
            title=str(job.order.get("title", "")),
            game=made.plan.game,
            agents=made.plan.names,
            games=_lines(made.journal, size),
            planned=made.plan.games,
            yours=yours,
        )

    def course(self, job: Job) -> Course:
        """A tournament in full."""
        return course(self.jobs.folder(job))


def add_arena(api: FastAPI, settings: Settings, jobs: Jobs, owner: Owner) -> None:
    """Add the questions about tournaments."""
    arena = Arena(jobs, owner)
    _watching(api, arena)
    _steering(api, arena, settings.most_memory)


def _steering(api: FastAPI, arena: Arena, most_memory: int) -> None:
    common: dict[str, Any] = {"tags": ["arena"], "dependencies": [Depends(arena.owner)]}

    @api.post("/v1/tournaments", status_code=201, **common)
    async def start(order: TournamentOrder) -> TournamentFacts:
        """Hold a tournament; it goes on without the page. Only for the server's owner."""
        plan = await asyncio.to_thread(plan_of, order, most_memory)
        width = min(order.concurrency or max(1, cores() - 1), cores())
        terms = {"concurrency": width, "title": order.title.strip()}
        job = arena.jobs.add("tournament", terms, lambda folder: found(folder, plan))
        return arena.facts(job)

    @api.post("/v1/tournaments/{name}/pause", **common)
    async def pause(job: Annotated[Job, Depends(arena.job)]) -> TournamentFacts:
        """Stop a tournament for now. Only for the server's owner."""
        await arena.jobs.pause(job)
        return arena.facts(job)

    @api.post("/v1/tournaments/{name}/go-on", **common)
    async def go_on(job: Annotated[Job, Depends(arena.job)]) -> TournamentFacts:
        """Go on with a tournament that was paused. Only for the server's owner."""
        arena.jobs.go_on(job)
        return arena.facts(job)

    @api.delete("/v1/tournaments/{name}", status_code=204, **common)
    async def delete(job: Annotated[Job, Depends(arena.job)]) -> None:
        """Delete a tournament and all its games. Only for the server's owner."""
        await arena.jobs.delete(job)


def _watching(api: FastAPI, arena: Arena) -> None:
    @api.get("/v1/tournaments", tags=["arena"])
    def tournaments(request: Request) -> list[TournamentFacts]:
        """All tournaments, the newest first; one that cannot be read is left out."""
        found, yours = [], arena.owner.asks(request)
        for job in arena.jobs.all("tournament"):
            with suppress(PapanError, OSError, ValueError):
                found.append(arena.facts(job, yours))
        return found

    @api.get(
        "/v1/tournaments/{name}",
        tags=["arena"],
        responses={304: {"description": "There is nothing new since."}},
        response_model=TournamentReport,
    )
    def tournament(request: Request, job: Annotated[Job, Depends(arena.job)]) -> Response:
        """Everything about a tournament; ask again as often as you like."""
        facts = arena.facts(job, arena.owner.asks(request))
        report = arena.course(job).report(facts)
        mark = f'"{report.seen}-{report.state}-{report.yours}"'
        headers = {"etag": mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(report.model_dump_json(), 200, headers, "application/json")

    @api.get("/v1/tournaments/{name}/games", tags=["arena"])
    def games(
        job: Annotated[Job, Depends(arena.job)],
        one: Annotated[str, Query(max_length=1000)] = "",
        other: Annotated[str, Query(max_length=1000)] = "",
        after: Annotated[int, Query(ge=0, le=MOST_GAMES)] = 0,
    ) -> GameList:
        """All games in their order, or those between two agents: so many, after so many."""
        course = arena.course(job)
        chosen = {one, other} - {""} or set(course.plan.names)
        return course.games(chosen, after)

    @api.get(
        "/v1/tournaments/{name}/files/{form}",
        tags=["arena"],
        response_class=Response,
        responses=as_file(*get_args(Form)),
    )
    def file(
        job: Annotated[Job, Depends(arena.job)], form: Form, language: Language = "en"
    ) -> Response:
        """The games as JSON Lines, or the table as CSV, LaTeX or JSON."""
        return download(_text(arena.course(job), form, language), f"papan-{job.id}-{form}")


def _text(course: Course, form: Form, language: Language) -> str | bytes:
    """The file that is asked for."""
    with course.lock:
        course.watch.look()
        state = course.watch.state
        if form == "table.csv":
            return tournament_csv(state)
        if form == "table.tex":
            return as_latex(tournament_table(state), language, "tournament")
        if form == "report.json":
            return json.dumps(asdict(tournament_facts(state)), ensure_ascii=False, indent=2)
        journal = course.watch.folder.journal
        games = journal.read_bytes() if journal.exists() else b""
        return games[: games.rfind(b"\n") + 1]
