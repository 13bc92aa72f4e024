"""The whole web app: the API, the pages, and the guard in front of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from papan.web.answers import refused
from papan.web.api import build_api
from papan.web.guard import App, Guard
from papan.web.jobs import Jobs
from papan.web.log import Logged
from papan.web.pages import pages
from papan.web.settings import Settings
from papan.web.workers import Pool


def build(settings: Settings) -> App:
    """The app, to be run by any ASGI server."""
    pool, jobs = Pool(settings), Jobs(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pool.start()
        await jobs.start()
        try:
            yield
        finally:
            await jobs.close()
            await pool.close()

    routes = [Mount("/api", build_api(settings, pool, jobs)), *pages()]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused})
    guarded: Any = Guard(app, settings)  # type: ignore[arg-type]
    if settings.proxies:
        guarded = ProxyHeadersMiddleware(guarded, list(settings.proxies))
    return Logged(guarded) if settings.log else guarded
