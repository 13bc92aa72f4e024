"""Searches as streams of events: begun by a question, ended when nobody listens."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Request
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from papan.core import PapanError
from papan.web.answers import BODY, Answers, refusals
from papan.web.boards import Lines
from papan.web.catalogue import agent_for
from papan.web.guard import address
from papan.web.models import Thought
from papan.web.refusals import Refused
from papan.web.settings import Settings
from papan.web.workers import Call, Pool, Search, Task

EVENTS: Answers = (
    BODY
    | refusals(503)
    | {
        200: {
            "description": "Events, one JSON object a line; see docs/events.md.",
            "content": {"application/jsonl": {"schema": {"type": "string"}}},
        },
    }
)
NUMBER = "^[A-Za-z0-9_-]{1,64}$"
"""The form of the name of a search."""
FAILURES = ("web.crashed", "web.killed", "web.no_worker", "web.worker_died")
"""What goes wrong here, and not by the question."""
GONE: dict[str, Any] = {"t": "error", "key": "web.killed", "values": {}}
"""The answer to those who have left: nobody reads it but the log."""


class Stream(StreamingResponse):
    """The events of a search; when the stream ends, for any reason, so does the search."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.lines(), media_type="application/jsonl")
        # Chromium reports a stream that may not be stored as aborted, although it has ended well.
        self.headers["cache-control"] = "no-cache"
        self.search = search

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await asyncio.shield(asyncio.ensure_future(self.search.close()))


async def answer(
    request: Request, pool: Pool, call: Call, kind: str = "application/json"
) -> Response:
    """What a worker answers to *call*, as a response of a *kind*; leaving ends the work.

    Raises where it does not: what it refuses as if it were asked here.
    """
    search = pool.admit(call, address(dict(request.scope)))
    heard = asyncio.ensure_future(_last_event(search))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((heard, leaving), return_when=asyncio.FIRST_COMPLETED)
        event = heard.result() if heard.done() else GONE
    finally:
        heard.cancel()
        leaving.cancel()
        await asyncio.shield(asyncio.ensure_future(search.close()))
    if event["t"] == "error":
        ours = event["key"] in FAILURES
        raise Refused(503 if ours else 422, event["key"], **event["values"])
    if event["text"] is None:
        raise HTTPException(404)
    return Response(event["text"], media_type=kind)


async def _last_event(search: Search) -> dict[str, Any]:
    event: dict[str, Any] = json.loads([line async for line in search.lines()][-1])
    return event


async def _left(request: Request) -> None:
    """Wait until who asked has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def add_searches(api: FastAPI, settings: Settings, pool: Pool, lines: Lines) -> None:
    """Add the questions that agents think about."""

    def task(thought: Thought) -> Task:
        """Checked before the answer begins: afterwards it is too late for a status."""
        _, position = lines.reach(thought.start, thought.moves)
        agent = agent_for(thought.agent, position.game, settings.most_memory)
        if not position.moves():
            raise PapanError("error.nothing_to_play", position=str(position))
        seconds = min(thought.seconds, settings.most_seconds)
        threads = getattr(agent, "threads", 1)
        return Task(
            str(position),
            agent.spec,
            seconds,
            thought.nodes,
            thought.all_moves,
            threads,
            thought.purpose,
        )

    @api.post("/v1/think", tags=["searches"], responses=EVENTS, response_class=Response)
    async def think(request: Request, ready: Annotated[Task, Depends(task)]) -> Stream:
        """What an agent thinks of a position, event by event; leaving ends the search."""
        return Stream(pool.admit(ready, address(dict(request.scope))))

    @api.post(
        "/v1/think/{number}/stop",
        tags=["searches"],
        status_code=204,
        responses=refusals(404, 422),
    )
    async def stop(number: Annotated[str, Path(pattern=NUMBER)]) -> None:
        """Ask a search for its best move so far: it answers in its own stream."""
        if number not in pool.searches:
            raise HTTPException(404)
        pool.searches[number].stop()
