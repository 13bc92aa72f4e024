"""The API: pure questions about games, and the parts that bring questions of their own."""

from importlib import metadata
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from papan import catalog
from papan.core.text import LANGUAGES, catalogue
from papan.web import catalogue as offer
from papan.web.answers import BODY, DOOR, add_refusals, refusals
from papan.web.arena import add_arena
from papan.web.boards import Lines, dealt, reopened, shuffled
from papan.web.bots import add_bots
from papan.web.edit import add_edit
from papan.web.film import add_film
from papan.web.jobs import Jobs
from papan.web.lab import add_lab
from papan.web.learn import add_lessons
from papan.web.models import (
    AgentFacts,
    Board,
    Deal,
    GameFacts,
    Health,
    Line,
    Reopened,
    Saved,
    Shuffle,
    SpecText,
    Start,
)
from papan.web.owner import Owner
from papan.web.rooms.routes import add_rooms
from papan.web.searches import Work, add_searches, answer, drawn
from papan.web.settings import Settings
from papan.web.trace import add_trace
from papan.web.workers import Call, Pool

LONG_RECORD = 2_000
"""How many characters a record has that a worker replays: it takes a while."""


def build_api(settings: Settings, pool: Pool, jobs: Jobs, owner: Owner) -> FastAPI:
    """The API as an app of its own."""
    version = metadata.version("papan")
    api = FastAPI(title="papan", version=version, docs_url=None, redoc_url=None, responses=DOOR)
    add_refusals(api)
    lines = Lines()
    _catalogue(api)
    _games(api, pool, lines)
    add_edit(api)
    add_film(api, pool)
    add_trace(api, lines)
    add_searches(api, settings, pool, lines)
    add_rooms(api, settings, lines)
    add_arena(api, settings, jobs, owner)
    add_lab(api, jobs, pool, owner)
    add_bots(api)
    add_lessons(api)

    @api.get("/v1/health", tags=["server"])
    def health() -> Health:
        """How the server is, how many searches run or wait, and how many workers are alive."""
        status = "ok" if pool.alive else "starting"
        return Health(
            status=status,
            version=version,
            searches=len(pool.searches),
            workers=pool.alive,
            compiling=pool.compiling,
        )

    return api


def _catalogue(api: FastAPI) -> None:
    @api.get("/v1/games", tags=["catalogue"])
    def games() -> list[GameFacts]:
        """Every game with its sizes and options."""
        return offer.games()

    @api.get("/v1/agents", tags=["catalogue"], responses=refusals(422))
    def agents(game: Annotated[SpecText, Query()]) -> list[AgentFacts]:
        """Every agent that can play a game."""
        return offer.agents(catalog.game(game))

    @api.get("/v1/texts/{language}", tags=["catalogue"], responses=refusals(404))
    def texts(language: str) -> dict[str, str]:
        """Everything that papan says, in one language."""
        if language not in LANGUAGES:
            raise HTTPException(404)
        return dict(catalogue(language))


def _games(api: FastAPI, pool: Pool, lines: Lines) -> None:
    heavy = BODY | refusals(503)

    @api.post("/v1/board", tags=["games"], responses=heavy, response_model=Board)
    async def show(request: Request, line: Line) -> Response:
        """The position that moves lead to, with its picture and all legal moves."""
        work = Work(request, pool)
        return Response(await work.answer(drawn(work, lines, line)), media_type="application/json")

    @api.post("/v1/deal", tags=["games"], responses=BODY)
    def deal(order: Deal) -> Start:
        """The start of a game; where there is chance, the seed decides."""
        return Start(start=dealt(catalog.game(order.game), order.seed))

    @api.post("/v1/shuffle", tags=["games"], responses=BODY)
    def shuffle(order: Shuffle) -> Start:
        """The same tiles in another order, with a way to take them all."""
        _, position = lines.reach(order.start, order.moves)
        return Start(start=shuffled(position, order.seed))

    @api.post("/v1/record", tags=["games"], responses=heavy, response_model=Reopened)
    async def reopen(request: Request, saved: Saved) -> Reopened | Response:
        """A saved game, replayed and checked."""
        if len(saved.record) > LONG_RECORD:
            call = Call("record", {"text": saved.record}, rank="game")
            return await answer(request, pool, call)
        return await run_in_threadpool(reopened, saved.record)
