"""The arena: tournaments to start, watch, pause and take home."""

import json
from contextlib import suppress
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, get_args

from fastapi import Depends, FastAPI, Path, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from papan import catalog
from papan.core import Agent, InvalidSpecError, Limit, PapanError
from papan.lab.machine import cores
from papan.lab.results import as_latex
from papan.lab.statistics import Sprt
from papan.lab.tournament.folder import found
from papan.lab.tournament.plan import Plan, Stopping
from papan.lab.tournament.report import tournament_csv, tournament_facts, tournament_table
from papan.web.catalogue import agent_for
from papan.web.jobs import NAME, Job, Jobs
from papan.web.owner import Owner
from papan.web.settings import Settings
from papan.web.tournaments import (
    Course,
    Courses,
    TournamentFacts,
    TournamentOrder,
    TournamentReport,
)
from papan.web.wire import BODY, Language, as_file, download, refusals

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
    if not any(each.name == "depth" for each in fields(agent)):
        raise InvalidSpecError("arena.no_depth", agent=agent.spec)
    settings: dict[str, Any] = {"depth": depth}
    return replace(agent, **settings)


Name = Annotated[str, Path(pattern=NAME)]
Form = Literal["games.jsonl", "table.csv", "table.tex", "report.json"]


class Arena:
    """The tournaments that the questions are about."""

    def __init__(self, jobs: Jobs, owner: Owner) -> None:
        self.jobs, self.owner, self.courses = jobs, owner, Courses()

    def all(self, yours: bool) -> list[TournamentFacts]:
        """All tournaments in short; one that cannot be read is left out."""
        found = []
        for job in self.jobs.all("tournament"):
            with suppress(PapanError, OSError, ValueError):
                found.append(self.facts(job, yours))
        return found

    def job(self, name: Name) -> Job:
        """The job of that name; there may be none."""
        if job := self.jobs.find("tournament", name):
            return job
        raise HTTPException(404)

    def facts(self, job: Job, yours: bool = True) -> TournamentFacts:
        """A tournament in short."""
        return self.courses.facts(job, self.jobs.folder(job), yours)

    def course(self, job: Job) -> Course:
        """A tournament in full."""
        return self.courses.of(job, self.jobs.folder(job))


def add_arena(api: FastAPI, settings: Settings, jobs: Jobs, owner: Owner) -> None:
    """Add the questions about tournaments."""
    arena = Arena(jobs, owner)
    _watching(api, arena)
    _steering(api, arena)

    def planned(order: TournamentOrder) -> tuple[Plan, int]:
        width = min(order.concurrency or max(1, cores() - 1), cores())
        return plan_of(order, settings.most_memory), width

    @api.post(
        "/v1/tournaments",
        tags=["arena"],
        status_code=201,
        responses=BODY | refusals(503),
        dependencies=[Depends(owner)],
    )
    async def start(ready: Annotated[tuple[Plan, int], Depends(planned)]) -> TournamentFacts:
        """Hold a tournament; it goes on without the page. Only for the server's owner."""
        plan, width = ready
        job = jobs.add("tournament", {"concurrency": width}, lambda folder: found(folder, plan))
        return arena.facts(job)


def _steering(api: FastAPI, arena: Arena) -> None:
    common: dict[str, Any] = {
        "tags": ["arena"],
        "responses": refusals(404, 422, 503),
        "dependencies": [Depends(arena.owner)],
    }

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
        arena.courses.forget(job)


def _watching(api: FastAPI, arena: Arena) -> None:
    @api.get("/v1/tournaments", tags=["arena"])
    def tournaments(request: Request) -> list[TournamentFacts]:
        """All tournaments, the newest first."""
        return arena.all(arena.owner.asks(request))

    @api.get(
        "/v1/tournaments/{name}",
        tags=["arena"],
        responses=refusals(404, 422) | {304: {"description": "There is nothing new since."}},
        response_model=TournamentReport,
    )
    def tournament(request: Request, job: Annotated[Job, Depends(arena.job)]) -> Response:
        """Everything about a tournament; ask again as often as you like."""
        facts = arena.facts(job, arena.owner.asks(request))
        report = arena.course(job).report(job, facts)
        mark = f'"{report.seen}-{report.state}-{report.yours}"'
        headers = {"etag": mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(report.model_dump_json(), 200, headers, "application/json")

    @api.get(
        "/v1/tournaments/{name}/files/{form}",
        tags=["arena"],
        response_class=Response,
        responses=refusals(404, 422) | as_file(*get_args(Form)),
    )
    def file(
        job: Annotated[Job, Depends(arena.job)],
        form: Form,
        language: Language = "en",
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
            return json.dumps(tournament_facts(state), ensure_ascii=False, indent=2)
        journal = course.watch.folder.journal
        games = journal.read_bytes() if journal.exists() else b""
        return games[: games.rfind(b"\n") + 1]
