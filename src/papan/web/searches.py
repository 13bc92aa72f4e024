"""Routes of searches: a turn of a game, an analysis, a review, and a request to stop."""

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import FastAPI, Path, Request
from fastapi.responses import Response
from pydantic import Field

from papan.core import PapanError, Position
from papan.core.reviewer import REVIEW_SECONDS
from papan.core.session import PERSON
from papan.web.boards import PositionCache
from papan.web.bot_folder import own_name
from papan.web.catalogue import allowed_agent
from papan.web.request_work import EventResponse, RequestWork
from papan.web.search_queue import SearchQueue
from papan.web.settings import Rank, ServerSettings
from papan.web.wire import EVENT_ANSWERS, GameLine, Refused, SpecText, error_body
from papan.web.worker_protocol import Task, event_line
from papan.web.workshop import Workshop

MOST_REVIEW_SECONDS = 6 * REVIEW_SECONDS
"""Most processor seconds of a review; its node limit ends it long before, except on slow
machines.
"""
SEARCH_ID = "^[A-Za-z0-9_-]{1,64}$"
"""Pattern of the id of a search."""


class LimitedRequest(GameLine):
    """A game so far, and the limits of a search from its last position."""

    seconds: Annotated[float, Field(gt=0, le=600)] = 2
    """Seconds of the search by the clock; `ServerSettings.most_seconds` at most."""
    nodes: Annotated[int, Field(ge=1, le=10**12)] | None = None
    """Nodes at most; null: no such limit."""


class SearchRequest(LimitedRequest):
    """A position to analyse, by which agent, and what to find out."""

    agent: SpecText = "level:5"
    """The spec of the agent that analyses it."""
    all_moves: bool = False
    """True for solvers to prove the value of every move, not only which moves are best."""
    hint: bool = False
    """True to add a hint for a person: the idea and the area of the best move."""


class TurnRequest(LimitedRequest):
    """A move of a person, if it is their turn, and the agents of all seats, one of which may answer
    it.
    """

    move: Annotated[str, Field(max_length=20)] = ""
    """The person's move, as they type it; empty if it is an agent's turn."""
    agents: Annotated[list[SpecText], Field(max_length=2)]
    """For each seat ``human``, or the spec of an agent."""


def think_task(
    position: Position,
    spec: str,
    limits: LimitedRequest,
    settings: ServerSettings,
    rank: Rank = "analysis",
) -> Task:
    """Return the task in which the agent *spec* searches *position* within *limits* and *settings*.

    Its seconds are cut to those of *settings*; *rank* is what it is for. Raise PapanError if the
    agent is unknown, a person or cannot play here, needs more memory than *settings* allow or more
    threads than there are cores, or the game is over.
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


class Thinkers:
    """Decides where agents search for *request*: papan's own in *queue*, the owner's bots in
    *workshop*.
    """

    def __init__(self, request: Request, queue: SearchQueue, workshop: Workshop) -> None:
        self.workshop = workshop
        self.work = RequestWork(request, queue)
        self._bots = RequestWork(request, workshop.queue)

    async def task(
        self, position: Position, spec: str, limits: LimitedRequest, rank: Rank
    ) -> tuple[RequestWork, Task]:
        """Return where the agent *spec* is to search *position*, and the task of that search.

        *limits* are those of the search; *rank* does not count for the owner's bots. Raise what
        `think_task` or, for such a bot, `Workshop.play_task` raises: PapanError if the agent cannot
        play here or run, or the game is over.
        """
        if own_name(spec) is None:
            settings = self.work.queue.settings
            made = self.work.in_thread(think_task, position, spec, limits, settings, rank)
            return self.work, await made
        seconds, nodes = limits.seconds, limits.nodes
        play_task = self.workshop.play_task
        return self._bots, await self._bots.in_thread(play_task, position, spec, seconds, nodes)

    async def close(self) -> None:
        """End the searches that run, if any."""
        await self.work.close()
        await self._bots.close()


async def turn_events(
    thinkers: Thinkers, positions: PositionCache, line: GameLine, turn: TurnRequest, first: bytes
) -> AsyncIterator[bytes]:
    """Yield *first* unless it is empty, then the events of the search of the agent to move, and the
    board after the move that it chooses.

    All are lines of JSON. *line* is the game so far, with a person's move of this turn; of *turn*
    the agents of the seats and the limits count. Nothing is searched if a person is to move or the
    game is over, and no board follows a search that ends without a move. A PapanError is the last
    event, of the kind ``error``: the status of the response was sent before.
    """
    if first:
        yield first
    try:
        work = thinkers.work
        position = await work.position(positions, line)
        agent = turn.agents[position.turn]
        if agent == PERSON or position.is_over:
            return
        last = b"{}"
        rank: Rank = "game" if PERSON in turn.agents else "analysis"
        place, task = await thinkers.task(position, agent, turn, rank)
        async for last in place.events(task):
            yield last
        if move := json.loads(last).get("move"):
            after = GameLine(start=line.start, moves=f"{line.moves} {move}".strip())
            yield _board_event(await work.board_json(positions, after))
    except PapanError as error:
        yield event_line({"t": "error"} | error_body(error.shown))


def _board_event(text: bytes) -> bytes:
    """Return the event ``board`` as a line of JSON; *text* is the `BoardFacts` as JSON in UTF-8."""
    return b'{"t": "board", "board": %s}\n' % text


def add_searches(
    api: FastAPI, queue: SearchQueue, positions: PositionCache, workshop: Workshop
) -> None:
    """Add the routes ``turn``, ``think``, ``review`` and ``think/{number}/stop`` to *api*.

    Searches run in *queue*, those of the owner's bots in *workshop*; *positions* is the server's
    cache.
    """

    def stream(work: RequestWork, task: Task) -> EventResponse:
        search = queue.admit(task, work.client)
        return EventResponse(search.lines(), search.close)

    @api.post("/v1/turn", tags=["games"], responses=EVENT_ANSWERS, response_class=Response)
    async def play(request: Request, turn: TurnRequest) -> EventResponse:
        """Make a move and stream events: the board, the search of the next agent, the board after
        its move.

        Status 422 if the move is not legal or the agents do not fit the seats, 403 if one is a bot
        of the owner and the client is not, 429 or 503 if the board is large and no worker draws it.
        Later errors are events.
        """
        workshop.require_owner(request, turn.agents)
        thinkers = Thinkers(request, queue, workshop)
        work = thinkers.work
        _, start = await work.in_thread(positions.reach, turn.start, "")
        if len(turn.agents) != start.game.seats:
            counts = {"found": len(turn.agents), "seats": start.game.seats}
            raise PapanError("web.agents_for_seats", **counts)
        line, first = GameLine(start=turn.start, moves=f"{turn.moves} {turn.move}".strip()), b""
        if turn.move:
            first = _board_event(await work.until_disconnect(work.board_json(positions, line)))
        return EventResponse(turn_events(thinkers, positions, line, turn, first), thinkers.close)

    @api.post("/v1/think", tags=["searches"], responses=EVENT_ANSWERS, response_class=Response)
    async def think(request: Request, order: SearchRequest) -> EventResponse:
        """Stream the events of an agent's search of a position, ``analysis`` or ``error`` last.

        A disconnect ends it. Status 422 if the position or the agent is invalid or the game is
        over, 429 or 503 if the search is not admitted.
        """
        work = RequestWork(request, queue)  # checked first: a stream has no status for errors
        position = await work.until_disconnect(work.position(positions, order))
        task = await work.in_thread(think_task, position, order.agent, order, queue.settings)
        return stream(work, task)

    @api.post("/v1/review", tags=["searches"], responses=EVENT_ANSWERS, response_class=Response)
    async def review(request: Request, line: GameLine) -> EventResponse:
        """Stream the review of a game: one verdict a move, the last move first, then a summary.

        A disconnect ends it. Status 422 if a move is not legal, 429 or 503 if it is not admitted.
        """
        work = RequestWork(request, queue)
        await work.until_disconnect(work.position(positions, line))
        arguments = {"start": line.start, "moves": line.moves}
        task = Task("review", arguments, MOST_REVIEW_SECONDS)
        return stream(work, task)

    @api.post("/v1/think/{number}/stop", tags=["searches"], status_code=204)
    async def stop(number: Annotated[str, Path(pattern=SEARCH_ID)]) -> None:
        """Ask the search with the id *number* for its best move so far, which comes as its own last
        event.

        Status 404 if there is no such search.
        """
        if number not in queue.searches:
            raise Refused(404, "web.no_search", name=number)
        queue.searches[number].stop()
