"""An app to ask without a network."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from threading import Thread
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp, Message

from papan.web import worker
from papan.web.app import build_api, build_app
from papan.web.jobs import JobQueue
from papan.web.owner import FolderLock, Owner
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from papan.web.worker_pool import Worker
from papan.web.worker_protocol import Task
from papan.web.workshop import Workshop

TOKEN = "the-owners-token"
QUIET = ServerSettings(warm=False, workers=1, spare=0, grace=1, token=TOKEN)


class InThisProcess(Worker):
    """A worker in a thread: it costs nothing to start, and is never killed."""

    @classmethod
    async def start(cls) -> Worker:
        ours, theirs = socket.socketpair()
        Thread(target=cls._serve, args=(theirs,), daemon=True).start()
        found = await cls(*await asyncio.open_connection(sock=ours, limit=2**24)).when_ready()
        found.pid = 0
        return found

    @staticmethod
    def _serve(connection: socket.socket) -> None:
        files = connection.makefile("r"), connection.makefile("w")
        with suppress(OSError), connection, files[0], files[1]:  # the other end may be closed
            worker.work(*files, memory=0, warm=False)


def thought(position: str, agent: str, seconds: float) -> Task:
    """What an agent is to think about."""
    asked = {"position": position, "agent": agent, "nodes": None, "all_moves": False, "hint": False}
    return Task("think", asked, seconds)


@cache
def made(settings: ServerSettings) -> tuple[SearchQueue, Any]:
    """Workers in this process, and the API: it takes longer to make than most questions take."""
    queue = SearchQueue(settings, InThisProcess.start)
    jobs = JobQueue(settings, FolderLock(settings.data))
    return queue, build_api(
        settings, queue, jobs, Workshop(settings, jobs.lock, Owner(settings), InThisProcess.start)
    )


@cache
def runner() -> asyncio.Runner:
    """The one event loop in which all that was made is asked."""
    return asyncio.Runner()


def ask(
    method: str, path: str, settings: ServerSettings = QUIET, **request: Any
) -> httpx2.Response:
    """The answer of an app to its owner; nobody has asked it before, but for its API."""
    queue, api = made(settings)

    async def question() -> httpx2.Response:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("papan.web.app.build_api", lambda *_: api)
            app = build_app(settings)
        try:
            async with client(app, token=settings.token) as asker:
                return await asker.request(method, path, **request)
        finally:
            await queue.close()

    return runner().run(question())


def client(app: ASGIApp, address: str = "127.0.0.1", token: str = "") -> httpx2.AsyncClient:
    """A client of *app*, seen by it as coming from *address*; with its *token*, its owner."""
    transport = httpx2.ASGITransport(app, client=(address, 1234), raise_app_exceptions=False)
    return httpx2.AsyncClient(
        transport=transport, base_url="http://localhost:8321", headers=bearing(token)
    )


def bearing(token: str) -> dict[str, str]:
    """The headers by which a program proves that its user owns a server."""
    return {"authorization": f"Bearer {token}"} if token else {}


@asynccontextmanager
async def alive(settings: ServerSettings) -> AsyncIterator[ASGIApp]:
    """An app from its start to its stop, as a server runs it: it leaves nothing open."""
    app = build_app(settings)
    orders: asyncio.Queue[Message] = asyncio.Queue()
    answers: asyncio.Queue[Message] = asyncio.Queue()
    life = asyncio.ensure_future(
        app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, orders.get, answers.put)
    )
    await orders.put({"type": "lifespan.startup"})
    await answers.get()
    try:
        yield app
    finally:
        await orders.put({"type": "lifespan.shutdown"})
        await life
