"""The API: pure questions about games, searches as streams of events, and rooms."""

import asyncio
from collections.abc import Callable
from importlib import metadata
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from papan import catalog
from papan.core import PapanError
from papan.core.language import LANGUAGES, catalogue
from papan.core.record import parse_record, replay
from papan.web import catalogue as offer
from papan.web.arena import add_arena
from papan.web.boards import Lines, board, dealt, shuffled
from papan.web.bots import add_bots
from papan.web.edit import add_edit
from papan.web.film import add_film
from papan.web.guard import address, complaint
from papan.web.jobs import Jobs, Refused
from papan.web.lab import add_lab
from papan.web.learn import add_lessons
from papan.web.models import (
    AgentFacts,
    Board,
    Complaint,
    Deal,
    GameFacts,
    Health,
    Line,
    Reopened,
    Saved,
    Shuffle,
    SpecText,
    Start,
    Thought,
)
from papan.web.rooms.routes import add_rooms
from papan.web.settings import Settings
from papan.web.trace import add_trace
from papan.web.workers import RETRY_SECONDS, Busy, Pool, Search, Task

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Complaint, "description": "The body is not JSON."},
    413: {"model": Complaint, "description": "The body is too large."},
    422: {"model": Complaint, "description": "Something in the question makes no sense."},
}
DOOR: dict[int | str, dict[str, Any]] = {
    403: {"model": Complaint, "description": "The question comes from a foreign page."},
    421: {"model": Complaint, "description": "The server has no such name."},
    429: {"model": Complaint, "description": "Too many questions; Retry-After says when."},
}
BUSY: dict[int | str, dict[str, Any]] = REFUSALS | {
    200: {
        "description": "Events, one JSON object a line; see docs/events.md.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    },
    503: {"model": Complaint, "description": "Every worker is busy; Retry-After says when."},
}
SEARCH = "^[A-Za-z0-9_-]{1,64}$"
"""The form of the name of a search."""


class Stream(StreamingResponse):
    """The events of a search; its end, however it comes, ends the search."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.lines(), media_type="application/jsonl")
        # Chromium reports a stream that may not be stored as aborted, although it has ended well.
        self.headers["cache-control"] = "no-cache"
        self.search = search

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await asyncio.shield(asyncio.ensure_future(self.search.close()))


def build_api(settings: Settings, pool: Pool, jobs: Jobs) -> FastAPI:
    """The API as an app of its own."""
    version = metadata.version("papan")
    api = FastAPI(title="papan", version=version, docs_url=None, redoc_url=None, responses=DOOR)
    _errors(api)
    lines = Lines()
    _questions(api, lines)
    add_edit(api, REFUSALS)
    add_film(api, lines, REFUSALS)
    add_trace(api, lines, REFUSALS)
    _searches(api, settings, pool, lines)
    add_rooms(api, settings, lines)
    add_arena(api, settings, jobs)
    add_lab(api, jobs)
    add_bots(api)
    add_lessons(api)

    @api.get("/v1/health", tags=["server"])
    def health() -> Health:
        """How the server is, and how many searches run or wait."""
        found = len(pool.searches)
        return Health(status="ok", version=version, searches=found, workers=settings.workers)

    return api


def _questions(api: FastAPI, lines: Lines) -> None:
    @api.get("/v1/games", tags=["catalogue"])
    def games() -> list[GameFacts]:
        """Every game with its sizes and options."""
        return offer.games()

    @api.get("/v1/agents", tags=["catalogue"], responses=REFUSALS)
    def agents(game: Annotated[SpecText, Query()]) -> list[AgentFacts]:
        """Every agent that can play a game."""
        return offer.agents(catalog.game(game))

    @api.get("/v1/texts/{language}", tags=["catalogue"], responses={404: {"model": Complaint}})
    def texts(language: str) -> dict[str, str]:
        """Everything that papan says, in one language."""
        if language not in LANGUAGES:
            raise HTTPException(404)
        return dict(catalogue(language))

    @api.post("/v1/board", tags=["games"], responses=REFUSALS)
    async def show(line: Line) -> Board:
        """The position that moves lead to, with its picture and all legal moves."""
        if lines.are_at_hand(line.start, line.moves):  # a thread would cost more than the board
            return _shown(lines, line)
        return await run_in_threadpool(_shown, lines, line)

    @api.post("/v1/deal", tags=["games"], responses=REFUSALS)
    def deal(order: Deal) -> Start:
        """The start of a game; where there is chance, the seed decides."""
        return Start(start=dealt(catalog.game(order.game), order.seed))

    @api.post("/v1/shuffle", tags=["games"], responses=REFUSALS)
    def shuffle(order: Shuffle) -> Start:
        """The same tiles in another order, with a way to take them all."""
        _, position = lines.reach(order.start, order.moves)
        return Start(start=shuffled(position, order.seed))

    @api.post("/v1/record", tags=["games"], responses=REFUSALS)
    def reopen(saved: Saved) -> Reopened:
        """A saved game, replayed and checked."""
        record = parse_record(saved.record)
        replay(record, catalog.game(record.game))
        return Reopened(
            start=record.start,
            moves=record.moves,
            agents=list(record.agents),
            end=record.end,
            blame=record.blame,
            reason=record.reason,
        )


def _shown(lines: Lines, line: Line) -> Board:
    return board(*lines.reach(line.start, line.moves))


def _searches(api: FastAPI, settings: Settings, pool: Pool, lines: Lines) -> None:
    def task(thought: Thought) -> Task:
        """Checked before the answer begins: afterwards it is too late for a status."""
        _, position = lines.reach(thought.start, thought.moves)
        agent = offer.agent_for(thought.agent, position.game, settings.most_memory)
        if not position.moves():
            raise PapanError("error.nothing_to_play", position=str(position))
        seconds = min(thought.seconds, settings.most_seconds)
        threads = getattr(agent, "threads", 1)
        return Task(str(position), agent.spec, seconds, thought.nodes, thought.all_moves, threads)

    @api.post("/v1/think", tags=["searches"], responses=BUSY, response_class=Response)
    async def think(request: Request, ready: Annotated[Task, Depends(task)]) -> Stream:
        """What an agent thinks of a position, event by event; leaving ends the search."""
        return Stream(pool.admit(ready, address(dict(request.scope))))

    @api.post(
        "/v1/think/{number}/stop",
        tags=["searches"],
        status_code=204,
        responses=REFUSALS | {404: {"model": Complaint}},
    )
    async def stop(number: Annotated[str, Path(pattern=SEARCH)]) -> None:
        """Ask a search for its best move so far: it answers in its own stream."""
        if number not in pool.searches:
            raise HTTPException(404)
        pool.searches[number].stop()


def _errors(api: FastAPI) -> None:
    """Every refusal has one form."""

    def answers(kind: type[Exception], status: int, text: Callable[[Any], Any]) -> None:
        @api.exception_handler(kind)
        async def answer(request: Request, error: Exception) -> JSONResponse:
            return JSONResponse(text(error), status)

    answers(PapanError, 422, lambda error: complaint(error.key, error.shown))
    answers(Exception, 500, lambda error: complaint("web.failed", {}))

    @api.exception_handler(RequestValidationError)
    async def misread(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][1:]) or "body"
        status = 400 if first["type"] == "json_invalid" else 422
        values = {"field": field, "problem": first["msg"][:200]}
        return JSONResponse(complaint("web.bad_request", values), status)

    @api.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> JSONResponse:
        values = {"seconds": error.seconds}
        headers = {"retry-after": str(error.seconds)}
        return JSONResponse(complaint(error.key, values), error.status, headers)

    @api.exception_handler(Refused)
    async def turned_away(request: Request, error: Refused) -> JSONResponse:
        headers = {"retry-after": str(RETRY_SECONDS)} if error.status == 503 else {}
        return JSONResponse(complaint(error.key, error.shown), error.status, headers)

    api.add_exception_handler(HTTPException, refused)


async def refused(request: Request, error: Exception) -> JSONResponse:
    """What there is not, or may not be done."""
    assert isinstance(error, HTTPException)
    values = {"status": error.status_code}
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return JSONResponse(complaint("web.refused", values), error.status_code, headers)


def _methods(request: Request) -> set[str]:
    """What may be done at an address: one that can be read and written is several routes."""
    routes = [each for each in request.app.routes if isinstance(each, Route)]
    found = [each for each in routes if each.matches(request.scope)[0] != Match.NONE]
    return {method for each in found for method in each.methods or ()}
