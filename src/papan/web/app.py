"""The whole web app: the API, the pages, and the guard in front of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from papan.web.answers import DOOR, add_refusals, refused
from papan.web.arena import add_arena
from papan.web.boards import Lines
from papan.web.bots import add_bots
from papan.web.catalogue import add_catalogue
from papan.web.edit import add_edit
from papan.web.folder_lock import FolderLock
from papan.web.games import add_games
from papan.web.guard import App, Guard
from papan.web.jobs import Jobs
from papan.web.lab import add_lab
from papan.web.learn import add_lessons
from papan.web.log import Logged
from papan.web.owner import Owner
from papan.web.pages import pages
from papan.web.rooms.routes import add_rooms
from papan.web.searches import add_searches
from papan.web.settings import Settings
from papan.web.worker_group import Count, uncounted
from papan.web.workers import Pool

COMPRESSION = 6
"""Of 9: the last levels take three times as long and gain a hundredth."""


def build(
    settings: Settings,
    lock: FolderLock | None = None,
    started: Callable[[], None] = lambda: None,
    count: Count = uncounted,
) -> App:
    """The app, to be run by any ASGI server; it takes charge of its data if nobody has yet.

    It answers at once; *started* is called when it answers quickly, or never will.
    """
    lock = lock or FolderLock(settings.data)
    pool, jobs, owner = Pool(settings, count=count), Jobs(settings, lock), Owner(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        lock.take()
        await pool.start()
        await jobs.start()
        announcing = asyncio.create_task(_announce(pool, started))
        try:
            yield
        finally:
            announcing.cancel()
            await jobs.close()
            await pool.close()
            lock.close()

    routes = [Mount("/api", build_api(settings, pool, jobs, owner)), *pages(owner)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused})
    compressed: Any = GZipMiddleware(app, compresslevel=COMPRESSION)
    guarded: Any = Guard(compressed, settings)
    if settings.proxies:
        guarded = ProxyHeadersMiddleware(guarded, list(settings.proxies))
    return Logged(guarded) if settings.log else guarded


class Health(BaseModel):
    """How the server is."""

    status: str
    """``ok``, or ``starting`` while none is alive."""
    version: str
    searches: int
    """How many run or wait."""
    workers: int
    """How many are alive."""
    compiling: Annotated[tuple[int, ...], Field(min_length=2, max_length=2)] | None = None
    """How many searches are compiled, of how many; null where nothing has to be."""


def build_api(settings: Settings, pool: Pool, jobs: Jobs, owner: Owner) -> FastAPI:
    """The API as an app of its own."""
    version = metadata.version("papan")
    api = FastAPI(title="papan", version=version, docs_url=None, redoc_url=None, responses=DOOR)
    add_refusals(api)
    lines = Lines()
    add_catalogue(api)
    add_games(api, pool, lines)
    add_edit(api)
    add_searches(api, settings, pool, lines)
    add_rooms(api, settings, lines)
    add_arena(api, settings, jobs, owner)
    add_lab(api, jobs, pool, owner)
    add_bots(api)
    add_lessons(api)

    @api.get("/v1/health", tags=["server"])
    def health() -> Health:
        """How the server is, how many searches run or wait, and how many workers are alive."""
        status = "ok" if pool.alive else "starting"
        return Health(
            status=status,
            version=version,
            searches=len(pool.searches),
            workers=pool.alive,
            compiling=pool.compiling,
        )

    return api


async def _announce(pool: Pool, started: Callable[[], None]) -> None:
    await pool.warm()
    started()
