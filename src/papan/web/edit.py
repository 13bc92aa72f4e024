"""Setting up a board: a page says what to change, the server what becomes of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import PapanError, Position
from papan.core.editing import Dial, Draft, Piece, checked, checked_dial
from papan.web.answers import BODY
from papan.web.guard import complaint
from papan.web.models import Complaint, PositionText, Strict

Word = Annotated[str, Field(min_length=1, max_length=20)]


class Edit(Strict):
    """A board, and what to change: nothing, a spot, whose turn it is, a number, or all spots."""

    position: PositionText
    """A game or a position, even one that cannot come about."""
    spot: Word | None = None
    content: Word = "."
    """What is to stand at the spot; ``.`` is nothing."""
    turn: Annotated[int, Field(ge=0, le=1)] | None = None
    dial: Word | None = None
    value: Annotated[int, Field(ge=0, le=10_000)] = 0
    clear: bool = False


class Sketch(BaseModel):
    """A board as it is being set up."""

    position: str
    game: str
    name: str
    seats: int
    turn: int
    svg: str
    spots: dict[str, str]
    pieces: list[Piece]
    dials: list[Dial]
    problem: Complaint | None
    """Why no game can come to this position; nothing where one can."""


def add_edit(api: FastAPI) -> None:
    """The route of the editor."""

    @api.post("/v1/edit", tags=["games"], responses=BODY)
    def edit(change: Edit) -> Sketch:
        """A board after a change, and what is wrong with it, if anything."""
        return sketch(changed(change))


def changed(change: Edit) -> Draft:
    """The draft after a change; raises where the change makes no sense."""
    draft = draft_of(change.position)
    if change.clear:
        return draft_from(draft.cleared())
    if change.spot is not None:
        checked(draft, change.spot, change.content)
        return draft_from(_with_right_turn(draft.put(change.spot, change.content)))
    if change.dial is not None:
        checked_dial(draft, change.dial, change.value)
        return draft_from(draft.dialled(change.dial, change.value))
    if change.turn is not None and change.turn < draft.position.game.seats:
        return draft_from(draft.with_turn(change.turn))
    return draft


def draft_of(text: str) -> Draft:
    """The draft that *text* describes, whether its position can come about or not."""
    spec, *fields = text.split() or [""]
    game = catalog.game(spec)
    if len(fields) == len(game.fields):
        return draft_from(game.sketch(fields))
    return draft_from(catalog.position(text))


def draft_from(position: Position) -> Draft:
    """The draft of a position; raises where the game offers none."""
    draft = position.game.draft(position)
    if draft is None:
        raise PapanError("web.no_editor", game=position.game.name)
    return draft


def problem_of(position: Position) -> PapanError | None:
    """Why no game can come to *position*."""
    try:
        position.game.parse(str(position))
    except PapanError as error:
        return error
    return None


def sketch(draft: Draft) -> Sketch:
    """What a page shows of a draft."""
    position = draft.position
    problem = problem_of(position)
    return Sketch(
        position=str(position),
        game=position.game.spec,
        name=position.game.name,
        seats=position.game.seats,
        turn=position.turn,
        svg=position.svg(),
        spots=dict(draft.spots()),
        pieces=list(draft.pieces()),
        dials=list(draft.dials()),
        problem=Complaint.model_validate(complaint(problem.key, problem.shown))
        if problem
        else None,
    )


def _with_right_turn(position: Position) -> Position:
    """The same board with the other seat to move, where only that can come about."""
    if problem_of(position) and position.game.seats == 2:
        other = draft_from(position).with_turn(1 - position.turn)
        return position if problem_of(other) else other
    return position
