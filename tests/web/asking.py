"""An app to ask without a network: each question is answered in an event loop of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from papan.web.app import build
from papan.web.guard import App
from papan.web.settings import Settings

TOKEN = "the-owners-token"
QUIET = Settings(warm=False, workers=1, grace=1, token=TOKEN)


def ask(method: str, path: str, settings: Settings = QUIET, **request: Any) -> httpx2.Response:
    """The answer of an app that runs no searches, to its owner."""

    async def question() -> httpx2.Response:
        async with client(build(settings), token=settings.token) as asker:
            return await asker.request(method, path, **request)

    return asyncio.run(question())


def client(app: App, address: str = "127.0.0.1", token: str = "") -> httpx2.AsyncClient:
    """A client of *app*, seen by it as coming from *address*; with its *token*, its owner."""
    transport = httpx2.ASGITransport(app, client=(address, 1234), raise_app_exceptions=False)  # type: ignore[arg-type]
    return httpx2.AsyncClient(
        transport=transport, base_url="http://localhost:8321", headers=bearing(token)
    )


def bearing(token: str) -> dict[str, str]:
    """The headers by which a program proves that its user owns a server."""
    return {"authorization": f"Bearer {token}"} if token else {}


@asynccontextmanager
async def alive(settings: Settings) -> AsyncIterator[App]:
    """An app from its start to its stop, as a server runs it: it leaves nothing open."""
    app = build(settings)
    orders: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    life = asyncio.ensure_future(
        app({"type": "lifespan", "asgi": {"version": "3.0"}}, orders.get, answers.put)
    )
    await orders.put({"type": "lifespan.startup"})
    await answers.get()
    try:
        yield app
    finally:
        await orders.put({"type": "lifespan.shutdown"})
        await life
