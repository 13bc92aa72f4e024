"""The whole web app: the API, the pages, and the guard in front of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from papan.web.answers import refused
from papan.web.api import build_api
from papan.web.folder_lock import FolderLock
from papan.web.guard import App, Guard
from papan.web.jobs import Jobs
from papan.web.log import Logged
from papan.web.owner import Owner
from papan.web.pages import pages
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


async def _announce(pool: Pool, started: Callable[[], None]) -> None:
    await pool.warm()
    started()
