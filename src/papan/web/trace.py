"""How a move is found, where that takes a search of its own, such as the line between two tiles."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI
from pydantic import Field

from papan.web.answers import BODY
from papan.web.boards import Lines, legal_move, seen
from papan.web.models import Line, Seen


class Traced(Line):
    """A move in the position that a game has reached."""

    move: Annotated[str, Field(min_length=1, max_length=20)]


def add_trace(api: FastAPI, lines: Lines) -> None:
    """The route of traces."""

    @api.post("/v1/trace", tags=["games"], responses=BODY)
    def trace(order: Traced) -> list[Seen]:
        """The steps in which a legal move is found: none in most games."""
        _, position = lines.reach(order.start, order.moves)
        return seen(position.traced(legal_move(position, order.move)))
