"""Routes for searches: a turn of a game, an analysis, a review, and the end of a search."""

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import FastAPI, Path, Request
from fastapi.responses import Response
from pydantic import Field

from papan.core import PapanError, Position
from papan.core.review import REVIEW_SECONDS
from papan.core.session import PERSON
from papan.web.boards import PositionCache
from papan.web.catalogue import allowed_agent
from papan.web.request_work import EventResponse, RequestWork
from papan.web.search_queue import SearchQueue
from papan.web.settings import Rank, ServerSettings
from papan.web.wire import Answers, GameLine, Refused, SpecText, error_body
from papan.web.worker_protocol import Task, event_line

EVENT_ANSWERS: Answers = {
    200: {
        "description": "Events, one JSON object a line; see docs/events.md.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
}
MOST_REVIEW_SECONDS = 6 * REVIEW_SECONDS
"""Processor time of a review at most: its nodes end it long before, on all but slow machines."""
SEARCH_ID = "^[A-Za-z0-9_-]{1,64}$"
"""Pattern of the id of a search."""


class LimitedRequest(GameLine):
    """A game so far, and the limits of a search from there."""

    seconds: Annotated[float, Field(gt=0, le=600)] = 2
    nodes: Annotated[int, Field(ge=1, le=10**12)] | None = None


class SearchRequest(LimitedRequest):
    """A position to analyse, and the agent that does it."""

    agent: SpecText = "level:5"
    all_moves: bool = False
    """Solvers: prove the value of every move, not only which ones are best."""
    hint: bool = False
    """Also answer with the idea and the area of the move, for a person."""


class TurnRequest(LimitedRequest):
    """A move of a person, and the agents of all seats, one of which may answer."""

    move: Annotated[str, Field(max_length=20)] = ""
    """The person's move; empty if it is an agent's turn."""
    agents: Annotated[list[SpecText], Field(max_length=2)]
    """The player of each seat: ``human``, or the spec of an agent."""


def think_task(
    position: Position,
    spec: str,
    limits: LimitedRequest,
    settings: ServerSettings,
    rank: Rank = "analysis",
) -> Task:
    """Return the task in which the agent *spec* searches *position*.

    Raise PapanError if the agent cannot play here, needs more memory than *settings* allow, or the
    game is over.
    """
    agent = allowed_agent(spec, position.game, settings.most_memory)
    if position.is_over:
        raise PapanError("error.nothing_to_play", position=str(position))
    arguments = {
        "position": str(position),
        "agent": agent.spec,
        "nodes": limits.nodes,
        "all_moves": isinstance(limits, SearchRequest) and limits.all_moves,
        "hint": isinstance(limits, SearchRequest) and limits.hint,
    }
    seconds = min(limits.seconds, settings.most_seconds)
    return Task("think", arguments, seconds, getattr(agent, "threads", 1), rank)


async def turn_events(
    work: RequestWork, positions: PositionCache, line: GameLine, turn: TurnRequest, first: bytes
) -> AsyncIterator[bytes]:
    """Yield the *first* event if it is not empty, then the search of the agent whose turn it is and
    the board after its move.

    An error is the last event: the status of the response has been sent.
    """
    if first:
        yield first
    try:
        position = await work.position(positions, line)
        agent = turn.agents[position.turn]
        if agent == PERSON or position.is_over:
            return
        last = b"{}"
        rank: Rank = "game" if PERSON in turn.agents else "analysis"
        task = await work.in_thread(think_task, position, agent, turn, work.queue.settings, rank)
        async for last in work.events(task):
            yield last
        if move := json.loads(last).get("move"):
            after = GameLine(start=line.start, moves=f"{line.moves} {move}".strip())
            yield _board_event(await work.board_json(positions, after))
    except PapanError as error:
        yield event_line({"t": "error"} | error_body(error.shown))


def _board_event(text: bytes) -> bytes:
    return b'{"t": "board", "board": %s}\n' % text


def add_searches(api: FastAPI, queue: SearchQueue, positions: PositionCache) -> None:
    """Add the routes ``turn``, ``think``, ``review`` and ``think/{number}/stop``."""

    def stream(work: RequestWork, task: Task) -> EventResponse:
        search = queue.admit(task, work.client)
        return EventResponse(search.lines(), search.close)

    @api.post("/v1/turn", tags=["games"], responses=EVENT_ANSWERS, response_class=Response)
    async def play(request: Request, turn: TurnRequest) -> EventResponse:
        """Make a move and stream the answer of the agent that is next: boards and its search."""
        work = RequestWork(request, queue)
        _, start = await work.in_thread(positions.reach, turn.start, "")
        if len(turn.agents) != start.game.seats:
            counts = {"found": len(turn.agents), "seats": start.game.seats}
            raise PapanError("web.agents_for_seats", **counts)
        line, first = GameLine(start=turn.start, moves=f"{turn.moves} {turn.move}".strip()), b""
        if turn.move:
            first = _board_event(await work.until_disconnect(work.board_json(positions, line)))
        return EventResponse(turn_events(work, positions, line, turn, first), work.close)

    @api.post("/v1/think", tags=["searches"], responses=EVENT_ANSWERS, response_class=Response)
    async def think(request: Request, order: SearchRequest) -> EventResponse:
        """Stream what an agent thinks of a position; a disconnect ends the search."""
        work = RequestWork(request, queue)  # checked first: a stream has no status for errors
        position = await work.until_disconnect(work.position(positions, order))
        task = await work.in_thread(think_task, position, order.agent, order, queue.settings)
        return stream(work, task)

    @api.post("/v1/review", tags=["searches"], responses=EVENT_ANSWERS, response_class=Response)
    async def review(request: Request, line: GameLine) -> EventResponse:
        """Stream the review of a game, one verdict a move; a disconnect ends it."""
        work = RequestWork(request, queue)
        await work.until_disconnect(work.position(positions, line))
        arguments = {"start": line.start, "moves": line.moves}
        task = Task("review", arguments, MOST_REVIEW_SECONDS)
        return stream(work, task)

    @api.post("/v1/think/{number}/stop", tags=["searches"], status_code=204)
    async def stop(number: Annotated[str, Path(pattern=SEARCH_ID)]) -> None:
        """Ask a search for its best move so far, which it sends in its own stream."""
        if number not in queue.searches:
            raise Refused(404, "web.no_search", name=number)
        queue.searches[number].stop()
