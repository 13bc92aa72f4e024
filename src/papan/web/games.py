"""Routes of games: boards, boards being set up, starts, records, graphs, traces and films."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from papan import catalog
from papan.core import Feature, PapanError, Position, Record
from papan.core.editing import Dial, Draft, Piece, checked, checked_dial
from papan.core.graph import GraphForm, WalkOrder
from papan.core.parts import Drawing, Setup
from papan.core.session import picked_move
from papan.web.boards import (
    LARGE_TEXT,
    BoardFacts,
    GraphPage,
    PositionCache,
    board_facts,
    checked_record,
    shuffled_position,
)
from papan.web.catalogue import allowed_agent
from papan.web.request_work import RequestWork, worker_response
from papan.web.search_queue import SearchQueue
from papan.web.wire import (
    MEDIA_TYPES,
    ErrorBody,
    GameLine,
    PositionText,
    SeedNumber,
    SpecText,
    Strict,
    error_body,
    file_answers,
)
from papan.web.worker_protocol import Task

LONG_RECORD = 2_000
"""Characters from which a record takes long to replay, so that a worker process does it."""


class BoardRequest(GameLine):
    """A line of moves whose last position is shown, and the agents that are to play on from it.

    An agent that cannot play there is refused.
    """

    agents: Annotated[list[SpecText], Field(max_length=2)] = []
    """Specs of the agents, at most two."""


class DealRequest(Strict):
    """Order of the start of a game, dealt by a seed where the game has chance."""

    game: SpecText
    """The spec of the game."""
    seed: SeedNumber
    """The number that a random start is drawn from; unused where the game always starts alike."""


class ShuffleRequest(GameLine):
    """A line of moves, whose last position gets its pieces shuffled."""

    seed: SeedNumber
    """The number that the new places are drawn from."""


class RecordRequest(Strict):
    """A saved game to be checked."""

    record: Annotated[str, Field(min_length=2, max_length=14_000)]
    """The record as one line of JSON."""


class StartFacts(BaseModel):
    """Where a game starts: a position, as a text that a request for a board takes."""

    start: str
    """The spec of a game, which stands for its first position, or a position as text."""


class DealtStart(StartFacts):
    """The start of a game, and in addition its board."""

    board: BoardFacts | None
    """The board of the start; null if it is large."""


class FilmRequest(GameLine):
    """A game as a line of moves, to be shown as a film."""

    seconds: Annotated[float, Field(ge=0.1, le=10)] = 1
    """Seconds for each position."""


class GraphRequest(GameLine):
    """Which graph of the last position of a line of moves to show, and in which form."""

    name: Annotated[str, Field(max_length=20)] = ""
    """The name of the graph; empty: the first one."""
    origin: Annotated[str, Field(max_length=200)] = ""
    """The vertex at which a walk starts; empty: no walk."""
    order: WalkOrder = "breadth"
    """Order of the walk: ``breadth`` or ``depth`` first."""
    steps: Annotated[int, Field(ge=1, le=10**6)] | None = None
    """Number of vertices of the walk that are shown; null: all."""
    degrees: bool = False
    """Label the vertices with degrees instead of names."""
    form: GraphForm = "list"
    """Form of its text: adjacency ``list``, ``matrix``, ``incidence`` matrix, ``graphml``, ``json``
    or ``svg``.
    """


class MoveReading(BaseModel):
    """The legal move that a text names in a position, or the error that says why there is none."""

    name: str
    """The name of the legal move; empty if there is none."""
    problem: ErrorBody | None
    """Why it is not legal; null if it is."""


class TraceRequest(GameLine):
    """A move as a person types it, in the last position of a line of moves."""

    move: Annotated[str, Field(min_length=1, max_length=20)]
    """The name as a person types it, such as ``b2``."""


def check_agents(line: BoardRequest, most_memory: int) -> None:
    """Raise PapanError if an agent of *line* is unknown, a person, or cannot play its game.

    Raise it, too, if one needs over *most_memory* megabytes or more threads than there are cores,
    or if there is one to check and the start of *line* is invalid. Bots and programs of users are
    not checked.
    """
    for spec in line.agents:
        if not catalog.external_place(spec):
            allowed_agent(spec, catalog.position(line.start).game, most_memory)


ShortText = Annotated[str, Field(min_length=1, max_length=20)]


class EditRequest(Strict):
    """A board that is being set up, and one change of it: all spots, one spot, a number or the
    turn.
    """

    position: PositionText
    """A spec of a game or the text of a position, which need not be reachable."""
    spot: ShortText | None = None
    """The name of the spot to change; null: none."""
    content: ShortText = "."
    """The new content of the spot; ``.`` empties it."""
    turn: Annotated[int, Field(ge=0, le=1)] | None = None
    """The seat (0 or 1) that is to move; null: unchanged."""
    dial: ShortText | None = None
    """The name of the number to change, such as that of the rounds; null: none."""
    value: Annotated[int, Field(ge=0, le=10_000)] = 0
    """The new value of that number."""
    clear: bool = False
    """True to empty all spots; the first of clear, spot, dial and turn that is given counts."""


class DraftFacts(BaseModel):
    """A board that is being set up, with what can be put on it and why it is not reachable."""

    position: str
    """The board as text."""
    game: str
    """The spec of the game."""
    name: str
    """The name of the game."""
    seats: int
    """Number of seats, 1 or 2."""
    turn: int
    """The seat (from 0) that is to move."""
    svg: str
    """The picture of the board, an SVG document."""
    spots: dict[str, str]
    """The content of each spot, such as ``x`` or ``.`` for nothing, by the spot's name."""
    pieces: list[Piece]
    """The contents that a spot can have, each with its drawing."""
    dials: list[Dial]
    """The numbers of the position that can be changed, each with its least and most."""
    problem: ErrorBody | None
    """Reason why no game can reach this position; null if one can."""


def dealt_start_facts(spec: str, seed: int) -> DealtStart:
    """Return the start of the game *spec* that *seed* deals, with its board (None if it is large).

    A board is large if its text has more than `LARGE_TEXT` characters. Raise PapanError if *spec*
    is invalid.
    """
    dealt = Setup.of(catalog.game(spec)).deal(seed)
    first = dealt.start()
    small = len(str(first)) <= LARGE_TEXT
    return DealtStart(start=dealt.spec, board=board_facts((), first) if small else None)


def move_reading(position: Position, text: str) -> MoveReading:
    """Return the legal move of *position* that *text* names, or why there is none; never raises
    PapanError.
    """
    try:
        return MoveReading(name=position.game.move_name(picked_move(position, text)), problem=None)
    except PapanError as error:
        return MoveReading(name="", problem=ErrorBody.model_validate(error_body(error.shown)))


def edited_draft(change: EditRequest) -> Draft:
    """Return the draft after one change: the first given of clear, spot, dial and turn.

    After a change of spots the turn passes to the other seat if a game can reach the position only
    then. Without a change, or with a turn of a seat that the game does not have, the draft stays as
    it is. Raise PapanError if the position or the change is invalid, or the game has no editor.
    """
    draft = draft_of(change.position)
    if change.clear:
        return draft_from(_with_right_turn(draft.cleared()))
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
    """Return the position in *text* as a `Draft`, which can be edited, whether play can reach it or
    not.

    *text* is a spec, alone or with the fields of a position. Raise PapanError if it is invalid or
    its game has no editor.
    """
    spec, *fields = text.split() or [""]
    game = catalog.game(spec)
    if len(fields) == len(game.fields):
        return draft_from(Setup.of(game).sketch(fields))
    return draft_from(catalog.position(text))


def draft_from(position: Position) -> Draft:
    """Return *position* as a `Draft`, which can be edited; raise PapanError if its game has no
    editor.
    """
    draft = Setup.of(position.game).draft(position)
    if draft is None:
        raise PapanError("web.no_editor", game=position.game.name)
    return draft


def problem_of(position: Position) -> PapanError | None:
    """Return the error that says why no game can reach *position*; None if one can."""
    try:
        position.game.parse(str(position))
    except PapanError as error:
        return error
    return None


def draft_facts(draft: Draft) -> DraftFacts:
    """Return what a page shows of *draft*: picture, spots, pieces, numbers, and why it is not
    reachable.
    """
    position = draft.position
    problem = problem_of(position)
    return DraftFacts(
        position=str(position),
        game=position.game.spec,
        name=position.game.name,
        seats=position.game.seats,
        turn=position.turn,
        svg=Drawing.of(position).svg(),
        spots=dict(draft.spots()),
        pieces=list(draft.pieces()),
        dials=list(draft.dials()),
        problem=ErrorBody.model_validate(error_body(problem.shown)) if problem else None,
    )


def _with_right_turn(position: Position) -> Position:
    """Return *position*, or the same with the other seat to move if play can reach only that."""
    if problem_of(position) and position.game.seats == 2:
        other = draft_from(position).with_turn(1 - position.turn)
        return position if problem_of(other) else other
    return position


def add_games(api: FastAPI, queue: SearchQueue, positions: PositionCache) -> None:
    """Add the routes of boards, starts, editing, records, traces, graphs and films to *api*.

    Positions are cached in *positions*; workers of *queue* do what takes long.
    """

    @api.post("/v1/board", tags=["games"], response_model=BoardFacts)
    async def show(request: Request, line: BoardRequest) -> Response:
        """Return the position after a line of moves, with its picture and all legal moves.

        Status 422 if a move is not legal or an agent cannot play, 429 or 503 if the board is large
        and no worker draws it.
        """
        work = RequestWork(request, queue)
        if line.agents:
            await work.in_thread(check_agents, line, queue.settings.most_memory)
        board = await work.until_disconnect(work.board_json(positions, line))
        return Response(board, media_type="application/json")

    @api.post("/v1/move", tags=["games"])
    async def read(request: Request, order: TraceRequest) -> MoveReading:
        """Return the legal move that a text names, or why there is none, both with status 200.

        Status 422 if the line of moves before it is not legal, 429 or 503 if a large board would
        have to wait for too long.
        """
        work = RequestWork(request, queue)
        position = await work.until_disconnect(work.position(positions, order))
        return await work.in_thread(move_reading, position, order.move)

    @api.post("/v1/deal", tags=["games"])
    def deal(order: DealRequest) -> DealtStart:
        """Return the start of a game, dealt by the seed if it is random; 422 if the game is
        invalid.
        """
        return dealt_start_facts(order.game, order.seed)

    @api.post("/v1/shuffle", tags=["games"])
    async def shuffle(request: Request, order: ShuffleRequest) -> StartFacts:
        """Return the position with its tiles on other places, from where all of them can be
        cleared.

        Status 422 if the game has no shuffle or a move is not legal, 429 or 503 if a large board
        would have to wait for too long.
        """
        work = RequestWork(request, queue)
        position = await work.until_disconnect(work.position(positions, order))
        return StartFacts(start=await work.in_thread(shuffled_position, position, order.seed))

    @api.post("/v1/edit", tags=["games"])
    def edit(change: EditRequest) -> DraftFacts:
        """Return a board after one change, and why no game can reach it (null if one can).

        Status 422 if the board or the change is invalid, or the game has no editor.
        """
        return draft_facts(edited_draft(change))

    _add_views(api, queue, positions)


def _add_views(api: FastAPI, queue: SearchQueue, positions: PositionCache) -> None:
    """Add the routes of records, traces, graphs and films to *api*; see `add_games`."""

    @api.post("/v1/record", tags=["games"], response_model=Record)
    async def reopen(request: Request, saved: RecordRequest) -> Record | Response:
        """Replay a saved game and return its record; 422 if it is invalid.

        Status 429 or 503 if it is longer than `LONG_RECORD` characters and no worker replays it.
        """
        if len(saved.record) > LONG_RECORD:
            task = Task("record", {"text": saved.record}, rank="game")
            return await worker_response(request, queue, task)
        return await RequestWork(request, queue).in_thread(checked_record, saved.record)

    @api.post("/v1/trace", tags=["games"])
    async def trace(request: Request, order: TraceRequest) -> list[Feature]:
        """Return the steps by which a move is found to be legal, in order, such as a path between
        two tiles.

        Empty in most games. Status 422 if the move is not legal, 429 or 503 if a large board would
        have to wait for too long.
        """

        def steps(position: Position) -> list[Feature]:
            return list(Drawing.of(position).traced(picked_move(position, order.move)))

        work = RequestWork(request, queue)
        position = await work.until_disconnect(work.position(positions, order))
        return await work.in_thread(steps, position)

    @api.post("/v1/graph", tags=["games"], response_model=GraphPage)
    async def graph(request: Request, order: GraphRequest) -> Response:
        """Return a graph of the position, and a walk through it if one is asked for.

        Status 422 if a move is not legal or there is no graph or vertex of that name, 429 or 503 if
        no worker makes it.
        """
        task = Task("graph", order.model_dump(), rank="game")
        return await worker_response(request, queue, task)

    @api.post("/v1/film", tags=["games"], responses=file_answers("svg"), response_class=Response)
    async def film(request: Request, order: FilmRequest) -> Response:
        """Return all positions of a game, one after another, as an animated SVG.

        Status 422 if a move is not legal or the film would be too long, 429 or 503 if no worker
        makes it.
        """
        task = Task("film", order.model_dump())
        return await worker_response(request, queue, task, MEDIA_TYPES["svg"])
