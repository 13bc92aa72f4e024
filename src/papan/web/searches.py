"""Searches as streams of events: begun by a question, ended when nobody listens."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Annotated, Any, ParamSpec, TypeVar

from fastapi import FastAPI, Path, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from papan import catalog
from papan.core import PapanError, Position
from papan.core.message import Message
from papan.core.review import SECONDS as REVIEW_SECONDS
from papan.core.session import PERSON
from papan.web.boards import Lines, board
from papan.web.catalogue import agent_for
from papan.web.guard import address
from papan.web.settings import Rank, Settings
from papan.web.wire import Answers, Line, Refused, SpecText, complaint
from papan.web.workers import Pool, Search, Task, event_line

EVENTS: Answers = {
    200: {
        "description": "Events, one JSON object a line; see docs/events.md.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
}
P = ParamSpec("P")
T = TypeVar("T")
NUMBER = "^[A-Za-z0-9_-]{1,64}$"
"""The form of the name of a search."""
FAILURES = (
    "web.busy",
    "web.crashed",
    "web.killed",
    "web.no_worker",
    "web.stopping",
    "web.worker_died",
)
"""What goes wrong here, and not by the question."""


class LimitedLine(Line):
    """What to think about, and for how long."""

    seconds: Annotated[float, Field(gt=0, le=600)] = 2
    nodes: Annotated[int, Field(ge=1, le=10**12)] | None = None


class SearchRequest(LimitedLine):
    """What to think about, and who thinks."""

    agent: SpecText = "level:5"
    all_moves: bool = False
    """Solvers: prove the value of every move, not only which ones are best."""


class TurnRequest(LimitedLine):
    """A move, and who is to answer it."""

    move: Annotated[str, Field(max_length=20)] = ""
    """The move of a person; nothing where an agent is to move already."""
    agents: Annotated[list[SpecText], Field(max_length=2)]
    """Who plays on each seat: ``human``, or an agent."""


class Stream(StreamingResponse):
    """Events as they come; when the stream ends, for any reason, so does what they tell of."""

    def __init__(self, lines: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]) -> None:
        super().__init__(lines, media_type="application/jsonl")
        # Chromium reports a stream that may not be stored as aborted, although it has ended well.
        self.headers["cache-control"] = "no-cache"
        self.close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await asyncio.shield(asyncio.ensure_future(self.close()))


class Work:
    """What workers do for one request, one search after the other."""

    def __init__(self, request: Request, pool: Pool) -> None:
        self.request, self.pool = request, pool
        self.client = address(dict(request.scope))
        self._search: Search | None = None

    async def heard(self, task: Task) -> AsyncIterator[bytes]:
        """Every event of a search; raises where there is no place for it."""
        self._search = self.pool.admit(task, self.client)
        async for line in self._search.lines():
            yield line
        await self.close()

    async def called(self, task: Task) -> bytes:
        """What a worker answers to *task*; what it refuses is refused as if it were asked here."""
        event: dict[str, Any] = json.loads([line async for line in self.heard(task)][-1])
        if event["t"] == "error":
            ours = event["key"] in FAILURES
            message = Message.from_json(event)
            raise Refused(503 if ours else 422, message.key, **message.values)
        if "base64" in event:
            return b64decode(event["base64"])
        if event["text"] is None:
            raise Refused(404, "web.no_file", name=task.arguments["name"])
        return str(event["text"]).encode()

    async def answer(self, content: Coroutine[Any, Any, T]) -> T:
        """What *content* comes to; leaving ends the work."""
        asked = asyncio.ensure_future(content)
        leaving = asyncio.ensure_future(_left(self.request))
        try:
            await asyncio.wait((asked, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():  # nobody reads this but the log
                raise Refused(503, "web.killed")
            return asked.result()
        finally:
            asked.cancel()
            leaving.cancel()
            await asyncio.shield(asyncio.ensure_future(self.close()))

    async def here(self, function: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
        """What a function gives that takes little time: in a thread, a few of each address."""
        async with self.pool.threads.taken(self.client):
            return await run_in_threadpool(function, *given, **named)

    async def reached(self, games: Lines, line: Line) -> Position:
        """The position that a game has reached; workers replay what takes a while."""
        if games.are_at_hand(line.start, line.moves):
            return games.reach(line.start, line.moves)[1]
        if await self.here(games.are_long, line.start):
            arguments = {"start": line.start, "moves": line.moves}
            text = await self.called(Task("position", arguments, rank="game"))
            return await self.here(catalog.position, text.decode())
        return (await self.here(games.reach, line.start, line.moves))[1]

    async def close(self) -> None:
        """End the search that is not over."""
        if self._search is not None:
            search, self._search = self._search, None
            await search.close()


async def answer(
    request: Request, pool: Pool, task: Task, kind: str = "application/json"
) -> Response:
    """What a worker answers to *task*, as a response of a *kind*; leaving ends the work."""
    work = Work(request, pool)
    return Response(await work.answer(work.called(task)), media_type=kind)


async def _left(request: Request) -> None:
    """Wait until who asked has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def drawn(work: Work, games: Lines, line: Line) -> bytes:
    """What a page shows of a game, as JSON; workers draw what takes a while."""

    def here() -> bytes:
        return board(*games.reach(line.start, line.moves)).model_dump_json().encode()

    if games.are_at_hand(line.start, line.moves):  # a thread would cost more than the board
        return here()
    if await work.here(games.are_long, line.start):
        arguments = {"start": line.start, "moves": line.moves}
        return await work.called(Task("board", arguments, rank="game"))
    return await work.here(here)


def task_of(
    position: Position, spec: str, effort: LimitedLine, settings: Settings, rank: Rank = "analysis"
) -> Task:
    """What the agent *spec* is to do; raises where it cannot."""
    agent = agent_for(spec, position.game, settings.most_memory)
    if position.is_over:
        raise PapanError("error.nothing_to_play", position=str(position))
    asked = {
        "position": str(position),
        "agent": agent.spec,
        "nodes": effort.nodes,
        "all_moves": isinstance(effort, SearchRequest) and effort.all_moves,
    }
    seconds = min(effort.seconds, settings.most_seconds)
    return Task("think", asked, seconds, getattr(agent, "threads", 1), rank)


async def turn_events(
    work: Work, games: Lines, line: Line, turn: TurnRequest, first: bytes
) -> AsyncIterator[bytes]:
    """After the *first* event, what the agent thinks that is to move, and the board it leads to.

    What goes wrong is the last event, as it is too late for a status.
    """
    if first:
        yield first
    try:
        position = await work.reached(games, line)
        agent = turn.agents[position.turn]
        if agent == PERSON or position.is_over:
            return
        last = b"{}"
        rank: Rank = "game" if PERSON in turn.agents else "analysis"
        task = await work.here(task_of, position, agent, turn, work.pool.settings, rank)
        async for last in work.heard(task):
            yield last
        if move := json.loads(last).get("move"):
            after = Line(start=line.start, moves=f"{line.moves} {move}".strip())
            yield _board_event(await drawn(work, games, after))
    except PapanError as error:
        yield event_line({"t": "error"} | complaint(error.shown))


def _board_event(text: bytes) -> bytes:
    return b'{"t": "board", "board": %s}\n' % text


def add_searches(api: FastAPI, pool: Pool, games: Lines) -> None:
    """Add the questions that agents think about."""

    def stream(work: Work, task: Task) -> Stream:
        search = pool.admit(task, work.client)
        return Stream(search.lines(), search.close)

    @api.post("/v1/turn", tags=["games"], responses=EVENTS, response_class=Response)
    async def play(request: Request, turn: TurnRequest) -> Stream:
        """A move and the answer of the agent that is next, as events: boards and its search."""
        work = Work(request, pool)
        _, start = await work.here(games.reach, turn.start, "")
        if len(turn.agents) != start.game.seats:
            counts = {"found": len(turn.agents), "seats": start.game.seats}
            raise PapanError("web.agents_for_seats", **counts)
        line, first = Line(start=turn.start, moves=f"{turn.moves} {turn.move}".strip()), b""
        if turn.move:
            first = _board_event(await work.answer(drawn(work, games, line)))
        return Stream(turn_events(work, games, line, turn, first), work.close)

    @api.post("/v1/think", tags=["searches"], responses=EVENTS, response_class=Response)
    async def think(request: Request, order: SearchRequest) -> Stream:
        """What an agent thinks of a position, event by event; leaving ends the search."""
        work = Work(request, pool)  # checked first: later it is too late for a status
        position = await work.answer(work.reached(games, order))
        task = await work.here(task_of, position, order.agent, order, pool.settings)
        return stream(work, task)

    @api.post("/v1/review", tags=["searches"], responses=EVENTS, response_class=Response)
    async def review(request: Request, line: Line) -> Stream:
        """A game in words, a verdict on each move as it is found; leaving ends the review."""
        work = Work(request, pool)
        await work.answer(work.reached(games, line))
        arguments = {"start": line.start, "moves": line.moves}
        task = Task("review", arguments, REVIEW_SECONDS, threads=2)  # its solver has helpers
        return stream(work, task)

    @api.post("/v1/think/{number}/stop", tags=["searches"], status_code=204)
    async def stop(number: Annotated[str, Path(pattern=NUMBER)]) -> None:
        """Ask a search for its best move so far: it answers in its own stream."""
        if number not in pool.searches:
            raise Refused(404, "web.no_search", name=number)
        pool.searches[number].stop()
