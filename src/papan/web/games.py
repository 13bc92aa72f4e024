"""Games in the API: boards and boards to set up, starts, saved games, traces of moves, films."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import Feature, PapanError, Position, Record
from papan.core.editing import Dial, Draft, Piece, checked, checked_dial
from papan.core.graph import Form, Order
from papan.core.parts import Drawing, Setup
from papan.core.session import picked_move
from papan.web.boards import (
    Board,
    GraphPage,
    Lines,
    reopened,
    shuffled,
)
from papan.web.catalogue import agent_for
from papan.web.searches import Work, answer, drawn
from papan.web.wire import (
    TYPES,
    Complaint,
    Line,
    PositionText,
    Seed,
    SpecText,
    Strict,
    as_file,
    complaint,
)
from papan.web.workers import Pool, Task

LONG_RECORD = 2_000
"""How many characters a record has that a worker replays: it takes a while."""


class BoardRequest(Line):
    """A game to show, and who is to play it: nobody who is not there, or does not know it."""

    agents: Annotated[list[SpecText], Field(max_length=2)] = []


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


class GraphRequest(Line):
    """A graph of the position that a game has reached."""

    name: Annotated[str, Field(max_length=20)] = ""
    """Which of its graphs; the first where none is named."""
    origin: Annotated[str, Field(max_length=200)] = ""
    """The vertex that a walk begins at; none: no walk."""
    order: Order = "breadth"
    steps: Annotated[int, Field(ge=1, le=10**6)] | None = None
    """How many vertices the walk has come to; nothing: all."""
    degrees: bool = False
    """Write degrees on the vertices instead of names."""
    form: Form = "list"


class Traced(Line):
    """A move in the position that a game has reached."""

    move: Annotated[str, Field(min_length=1, max_length=20)]


def check_agents(line: BoardRequest, most_memory: int) -> None:
    """Refuse agents that cannot play here; what a bot of somebody's has played can be looked at."""
    for spec in line.agents:
        if not catalog.external_place(spec):
            agent_for(spec, catalog.position(line.start).game, most_memory)


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
        return draft_from(Setup.of(game).sketch(fields))
    return draft_from(catalog.position(text))


def draft_from(position: Position) -> Draft:
    """The draft of a position; raises where the game offers none."""
    draft = Setup.of(position.game).draft(position)
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
        svg=Drawing.of(position).svg(),
        spots=dict(draft.spots()),
        pieces=list(draft.pieces()),
        dials=list(draft.dials()),
        problem=Complaint.model_validate(complaint(problem.shown)) if problem else None,
    )


def _with_right_turn(position: Position) -> Position:
    """The same board with the other seat to move, where only that can come about."""
    if problem_of(position) and position.game.seats == 2:
        other = draft_from(position).with_turn(1 - position.turn)
        return position if problem_of(other) else other
    return position


def add_games(api: FastAPI, pool: Pool, lines: Lines) -> None:
    """Add the questions about games."""

    @api.post("/v1/board", tags=["games"], response_model=Board)
    async def show(request: Request, line: BoardRequest) -> Response:
        """The position that moves lead to, with its picture and all legal moves."""
        work = Work(request, pool)
        if line.agents:
            await work.here(check_agents, line, pool.settings.most_memory)
        return Response(await work.answer(drawn(work, lines, line)), media_type="application/json")

    @api.post("/v1/deal", tags=["games"])
    def deal(order: Deal) -> Start:
        """The start of a game; where there is chance, the seed decides."""
        return Start(start=Setup.of(catalog.game(order.game)).deal(order.seed).spec)

    @api.post("/v1/shuffle", tags=["games"])
    async def shuffle(request: Request, order: Shuffle) -> Start:
        """The same tiles in another order, with a way to take them all."""
        work = Work(request, pool)
        position = await work.answer(work.reached(lines, order))
        return Start(start=await work.here(shuffled, position, order.seed))

    @api.post("/v1/edit", tags=["games"])
    def edit(change: Edit) -> Sketch:
        """A board after a change, and what is wrong with it, if anything."""
        return sketch(changed(change))

    _add_views(api, pool, lines)


def _add_views(api: FastAPI, pool: Pool, lines: Lines) -> None:
    """Add what shows a game in other ways than its board."""

    @api.post("/v1/record", tags=["games"], response_model=Record)
    async def reopen(request: Request, saved: Saved) -> Record | Response:
        """A saved game, replayed and checked."""
        if len(saved.record) > LONG_RECORD:
            task = Task("record", {"text": saved.record}, rank="game")
            return await answer(request, pool, task)
        return await Work(request, pool).here(reopened, saved.record)

    @api.post("/v1/trace", tags=["games"])
    async def trace(request: Request, order: Traced) -> list[Feature]:
        """The steps in which a legal move is found: none in most games."""

        def found(position: Position) -> list[Feature]:
            return list(Drawing.of(position).traced(picked_move(position, order.move)))

        work = Work(request, pool)
        return await work.here(found, await work.answer(work.reached(lines, order)))

    @api.post("/v1/graph", tags=["games"], response_model=GraphPage)
    async def graph(request: Request, order: GraphRequest) -> Response:
        """The position as a graph, and a walk through it."""
        return await answer(request, pool, Task("graph", order.model_dump(), rank="game"))

    @api.post("/v1/film", tags=["games"], responses=as_file("svg"), response_class=Response)
    async def film(request: Request, order: Film) -> Response:
        """Every position of a game, one after another, as one SVG that moves."""
        return await answer(request, pool, Task("film", order.model_dump()), TYPES["svg"])
