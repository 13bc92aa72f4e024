"""Games in the API: boards, starts, saved games, how a move is found, and games as films."""

from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from papan import catalog
from papan.core import Feature
from papan.core.session import picked_move
from papan.web.answers import BODY, refusals
from papan.web.boards import (
    Board,
    Lines,
    Reopened,
    dealt,
    reopened,
    shuffled,
)
from papan.web.models import Line, Seed, SpecText, Strict
from papan.web.searches import Work, answer, drawn
from papan.web.workers import Call, Pool

LONG_RECORD = 2_000
"""How many characters a record has that a worker replays: it takes a while."""
SVG = "image/svg+xml"


class Deal(Strict):
    """A game to begin."""

    game: SpecText
    seed: Seed


class Shuffle(Line):
    """A board whose pieces are to be put in another order."""

    seed: Seed


class Saved(Strict):
    """The record of a game, as one line of JSON."""

    record: Annotated[str, Field(min_length=2, max_length=14_000)]


class Start(BaseModel):
    """Where a game begins."""

    start: str


class Film(Line):
    """A game, and how long each of its positions is seen."""

    seconds: Annotated[float, Field(ge=0.1, le=10)] = 1


class Traced(Line):
    """A move in the position that a game has reached."""

    move: Annotated[str, Field(min_length=1, max_length=20)]


def add_games(api: FastAPI, pool: Pool, lines: Lines) -> None:
    """Add the questions about games."""
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

    @api.post("/v1/trace", tags=["games"], responses=BODY)
    def trace(order: Traced) -> list[Feature]:
        """The steps in which a legal move is found: none in most games."""
        _, position = lines.reach(order.start, order.moves)
        return list(position.traced(picked_move(position, order.move)))

    content = {SVG: {"schema": {"type": "string"}}}
    picture = {200: {"description": "An animated SVG picture.", "content": content}}
    answers = BODY | refusals(503) | picture

    @api.post("/v1/film", tags=["games"], responses=answers, response_class=Response)
    async def film(request: Request, order: Film) -> Response:
        """Every position of a game, one after another, as one SVG that moves."""
        return await answer(request, pool, Call("film", order.model_dump()), SVG)
