"""A game as a moving picture to keep."""

from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import Field

from papan.web.answers import BODY, refusals
from papan.web.models import Line
from papan.web.searches import answer
from papan.web.workers import Call, Pool

SVG = "image/svg+xml"


class Film(Line):
    """A game, and how long each of its positions is seen."""

    seconds: Annotated[float, Field(ge=0.1, le=10)] = 1


def add_film(api: FastAPI, pool: Pool) -> None:
    """The route of films."""
    content = {SVG: {"schema": {"type": "string"}}}
    picture = {200: {"description": "An animated SVG picture.", "content": content}}
    answers = BODY | refusals(503) | picture

    @api.post("/v1/film", tags=["games"], responses=answers, response_class=Response)
    async def show(request: Request, order: Film) -> Response:
        """Every position of a game, one after another, as one SVG that moves."""
        return await answer(request, pool, Call("film", order.model_dump()), SVG)
