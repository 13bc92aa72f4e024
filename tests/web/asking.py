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
from papan.web.app import build, build_api
from papan.web.jobs import Jobs
from papan.web.owner import FolderLock, Owner
from papan.web.settings import Settings
from papan.web.worker_group import Worker
from papan.web.workers import Pool, Task

TOKEN = "the-owners-token"
QUIET = Settings(warm=False, workers=1, spare=0, grace=1, token=TOKEN)


class InThisProcess(Worker):
    """A worker in a thread: it costs nothing to start, and is never killed."""

    @classmethod
    async def start(cls) -> Worker:
        ours, theirs = socket.socketpair()
        Thread(target=cls._serve, args=(theirs,), daemon=True).start()
        found = await cls(*await asyncio.open_connection(sock=ours, limit=2**24)).wakes_up()
        found.pid = 0
        return found

    @staticmethod
    def _serve(connection: socket.socket) -> None:
        files = connection.makefile("r"), connection.makefile("w")
        with suppress(OSError), connection, files[0], files[1]:  # nobody may hear the last word
            worker.work(*files, memory=0, warm=False)


def thought(position: str, agent: str, seconds: float) -> Task:
    """What an agent is to think about."""
    asked = {"position": position, "agent": agent, "nodes": None, "all_moves": False}
    return Task("think", asked, seconds)


@cache
def made(settings: Settings) -> tuple[Pool, Any]:
    """Workers in this process, and the API: it takes longer to make than most questions take."""
    pool = Pool(settings, InThisProcess.start)
    jobs = Jobs(settings, FolderLock(settings.data))
    return pool, build_api(settings, pool, jobs, Owner(settings))


@cache
def runner() -> asyncio.Runner:
    """The one event loop in which all that was made is asked."""
    return asyncio.Runner()


def ask(method: str, path: str, settings: Settings = QUIET, **request: Any) -> httpx2.Response:
    """The answer of an app to its owner; nobody has asked it before, but for its API."""
    pool, api = made(settings)

    async def question() -> httpx2.Response:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("papan.web.app.build_api", lambda *_: api)
            app = build(settings)
        try:
            async with client(app, token=settings.token) as asker:
                return await asker.request(method, path, **request)
        finally:
            await pool.close()

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
async def alive(settings: Settings) -> AsyncIterator[ASGIApp]:
    """An app from its start to its stop, as a server runs it: it leaves nothing open."""
    app = build(settings)
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
