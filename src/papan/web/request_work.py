"""Work for one HTTP request, done by a worker or a thread of the server; a disconnect ends it."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from papan import catalog
from papan.core import Position
from papan.core.message import Message
from papan.web.boards import PositionCache, board_facts
from papan.web.guard import client_address
from papan.web.search_queue import QueuedSearch, SearchQueue
from papan.web.wire import GameLine, Refused
from papan.web.worker_protocol import Task

P = ParamSpec("P")
T = TypeVar("T")
SERVER_FAILURES = (
    "web.busy",
    "process.crashed",
    "web.killed",
    "web.no_worker",
    "web.stopping",
    "web.worker_died",
)
"""Keys of the errors that are the server's fault, not the request's."""


class EventResponse(StreamingResponse):
    """A response that streams *lines*, one JSON object each, as ``application/jsonl``.

    It awaits *close*, once, when the stream ends or the client disconnects.
    """

    def __init__(self, lines: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]) -> None:
        super().__init__(lines, media_type="application/jsonl")
        # Chromium reports a stream with "no-store" as aborted although it has ended normally.
        self.headers["cache-control"] = "no-cache"
        self.close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await asyncio.shield(asyncio.ensure_future(self.close()))


class RequestWork:
    """Runs searches of *queue* for one request, one after the other; `close` ends the one that
    runs.
    """

    def __init__(self, request: Request, queue: SearchQueue) -> None:
        self.request, self.queue = request, queue
        self.client = client_address(dict(request.scope))
        self._search: QueuedSearch | None = None

    async def events(self, task: Task) -> AsyncIterator[bytes]:
        """Yield the events of *task* as lines of JSON, the final one last; an error is an event as
        well.

        If the iteration ends before the last one, the caller must `close`. Raise Refused (429 or
        503) if the task is not admitted.
        """
        self._search = self.queue.admit(task, self.client)
        async for line in self._search.lines():
            yield line
        await self.close()

    async def call(self, task: Task) -> bytes:
        """Return a worker's answer to *task*, a call of `CALLS`, as bytes, of text its UTF-8.

        Raise Refused with the worker's error: 503 if the server is to blame (`SERVER_FAILURES`),
        422 if the request is; 404 if the answer is None, which only a task with the argument *name*
        may have; 429 or 503 if the task is not admitted.
        """
        event: dict[str, Any] = json.loads([line async for line in self.events(task)][-1])
        if event["t"] == "error":
            status = 503 if event["key"] in SERVER_FAILURES else 422
            message = Message.from_json(event)
            raise Refused(status, message.key, **message.values)
        if "base64" in event:
            return b64decode(event["base64"])
        if event["text"] is None:
            raise Refused(404, "web.no_file", name=task.arguments["name"])
        return str(event["text"]).encode()

    async def until_disconnect(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of *work*, or raise what it raises; end the searches of this request
        then.

        If the client disconnects before, cancel *work* and raise Refused (503). The body of the
        request must have been read: what is left of it is lost.
        """
        running = asyncio.ensure_future(work)
        leaving = asyncio.ensure_future(_disconnected(self.request))
        try:
            await asyncio.wait((running, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not running.done():  # only the log shows this answer
                raise Refused(503, "web.killed")
            return running.result()
        finally:
            running.cancel()
            leaving.cancel()
            await asyncio.shield(asyncio.ensure_future(self.close()))

    async def in_thread(self, function: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
        """Call *function*, which must be fast, in a thread and return its result; raise what it
        raises.

        Each address has `THREADS` threads at the same time; further calls wait.
        """
        async with self.queue.threads.slot(self.client):
            return await run_in_threadpool(function, *given, **named)

    async def position(self, positions: PositionCache, line: GameLine) -> Position:
        """Return the position after *line*; raise PapanError if *line* is invalid.

        *positions* is the server's cache. A worker replays large boards; then raise Refused as
        `call` does: 422 if *line* is invalid, 429 or 503 if it is not admitted or fails.
        """
        if positions.is_cached(line.start, line.moves):
            return positions.reach(line.start, line.moves)[1]
        if await self.in_thread(positions.is_large, line.start):
            arguments = {"start": line.start, "moves": line.moves}
            text = await self.call(Task("position", arguments, rank="game"))
            return await self.in_thread(catalog.position, text.decode())
        return (await self.in_thread(positions.reach, line.start, line.moves))[1]

    async def board_json(self, positions: PositionCache, line: GameLine) -> bytes:
        """Return the `BoardFacts` after *line* as JSON in UTF-8; raise PapanError if *line* is
        invalid.

        *positions* is the server's cache. A worker draws large boards; then raise Refused as `call`
        does: 422 if *line* is invalid, 429 or 503 if it is not admitted or fails.
        """

        def drawn() -> bytes:
            return board_facts(*positions.reach(line.start, line.moves)).model_dump_json().encode()

        if positions.is_cached(line.start, line.moves):  # a thread would cost more than the board
            return drawn()
        if await self.in_thread(positions.is_large, line.start):
            arguments = {"start": line.start, "moves": line.moves}
            return await self.call(Task("board", arguments, rank="game"))
        return await self.in_thread(drawn)

    async def close(self) -> None:
        """End the search that runs and wait for that; do nothing if there is none."""
        if self._search is not None:
            search, self._search = self._search, None
            await search.close()


async def worker_response(
    request: Request, queue: SearchQueue, task: Task, media_type: str = "application/json"
) -> Response:
    """Return a worker's answer to *task* as a response with *media_type*; a disconnect ends the
    work.

    Raise Refused as `RequestWork.call` does: 404, 422, 429 or 503.
    """
    work = RequestWork(request, queue)
    return Response(await work.until_disconnect(work.call(task)), media_type=media_type)


async def _disconnected(request: Request) -> None:
    """Wait until the client of *request* disconnects, then return."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
