"""A game as a moving picture to keep."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import Field

from papan.core import PapanError, View
from papan.core.film import film
from papan.web.answers import BODY
from papan.web.boards import Lines
from papan.web.models import Line

MOST_PLIES = 400
"""Longer films are too large to be of use."""
MOST_DRAWN = 200_000
"""How often a spot of the board is drawn, at most: a film of a large board takes seconds."""


class Film(Line):
    """A game, and how long each of its positions is seen."""

    seconds: Annotated[float, Field(ge=0.1, le=10)] = 1


class Picture(Response):
    """An SVG picture."""

    media_type = "image/svg+xml"


def add_film(api: FastAPI, lines: Lines) -> None:
    """The route of films."""
    content = {"image/svg+xml": {"schema": {"type": "string"}}}
    answers = BODY | {200: {"description": "An animated SVG picture.", "content": content}}

    @api.post("/v1/film", tags=["games"], responses=answers, response_class=Response)
    def show(order: Film) -> Picture:
        """Every position of a game, one after another, as one SVG that moves."""
        plies, last = lines.reach(order.start, order.moves)
        most = min(MOST_PLIES, MOST_DRAWN // max(1, len(last.spots())))
        if len(plies) > most:
            raise PapanError("web.film_long", moves=len(plies), most=most)
        positions = [*(position for position, _ in plies), last]
        pictures = [
            position.svg(View(played=plies[:ply])) for ply, position in enumerate(positions)
        ]
        names = " ".join(last.game.move_name(move) for _, move in plies)
        return Picture(film(pictures, last.game.spec, names or str(last), order.seconds))
