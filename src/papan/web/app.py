"""The whole web app: the API, the one document of all pages, and the guard in front of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from html import escape
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from papan.core.message import catalogue
from papan.web.arena import add_arena
from papan.web.boards import Lines
from papan.web.catalogue import add_catalogue
from papan.web.games import add_games
from papan.web.guard import Guard, Logged
from papan.web.help import add_help, folder
from papan.web.jobs import Jobs
from papan.web.learn import add_lessons, add_puzzles
from papan.web.owner import PARAMETER, FolderLock, Owner, add_owner
from papan.web.papers import add_lab
from papan.web.rooms import add_rooms
from papan.web.searches import add_searches
from papan.web.settings import Settings
from papan.web.wire import add_refusals, refused
from papan.web.worker_group import Count, uncounted
from papan.web.workers import Pool

COMPRESSION = 6
"""Of 9: the last levels take three times as long and gain a hundredth."""


def build(
    settings: Settings,
    lock: FolderLock | None = None,
    started: Callable[[], None] = lambda: None,
    count: Count = uncounted,
    owner: Owner | None = None,
) -> ASGIApp:
    """The app, to be run by any ASGI server; it takes charge of its data if nobody has yet.

    It answers at once; *started* is called when it answers quickly, or never will.
    """
    lock = lock or FolderLock(settings.data)
    pool, jobs = Pool(settings, count=count), Jobs(settings, lock)
    owner = owner or Owner(settings)

    async def announce() -> None:
        await pool.fork_server.decided()
        started()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Pool]]:
        lock.take()
        await pool.start()
        await jobs.start()
        announcing = asyncio.create_task(announce())
        try:
            yield {"pool": pool}  # the server must know whom to tell that it stops
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


def in_turn(pool: Pool) -> Callable[[HTTPConnection], AsyncIterator[None]]:
    """A dependency of all routes: threads of the server work at a few things of each address."""

    async def turn(asker: HTTPConnection) -> AsyncIterator[None]:
        if asyncio.iscoroutinefunction(asker.scope["endpoint"]):  # it takes a thread by itself
            yield
            return
        async with pool.threads.of(asker.scope):
            yield

    return turn


def build_api(settings: Settings, pool: Pool, jobs: Jobs, owner: Owner) -> FastAPI:
    """The API as an app of its own."""
    version = metadata.version("papan")
    api = FastAPI(
        title="papan",
        version=version,
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(in_turn(pool))],
    )
    lines = Lines()
    add_catalogue(api)
    add_games(api, pool, lines)
    add_searches(api, pool, lines)
    add_rooms(api, settings, lines, pool.threads)
    add_arena(api, settings, jobs, owner)
    add_lab(api, jobs, pool, owner)
    add_lessons(api, pool)
    add_puzzles(api, pool)
    add_help(api, settings, owner)
    add_owner(api, owner)

    @api.get("/v1/health", tags=["server"])
    def health() -> Health:
        """How the server is, how many searches run or wait, and how many workers are alive."""
        status = "ok" if pool.alive else "starting"
        return Health(
            status=status,
            version=version,
            searches=len(pool.searches),
            workers=pool.alive,
            compiling=pool.fork_server.compiled,
        )

    add_refusals(api)
    return api


STATIC = Path(str(files("papan.web"))) / "static"
SCREENS = (
    "/",
    "/play/{game}",
    "/watch",
    "/watch/{game}",
    "/analyse",
    "/analyse/{game}",
    "/solve",
    "/solve/{game}",
    "/room",
    "/room/{code}",
    "/arena",
    "/arena/{name}",
    "/lab",
    "/lab/{paper}",
    "/bots",
    "/learn",
    "/learn/{name}",
    "/puzzles",
    "/puzzles/{name}",
    "/games",
    "/help",
    "/help/{page}",
    "/about",
)


CACHED = {"cache-control": "max-age=86400, immutable"}
FRESH = {"cache-control": "no-cache"}
"""A browser may keep this too, if it asks each time whether it is still the same."""


class Files(StaticFiles):
    """The files that the document needs, with what a browser may do with them."""

    def __init__(self, headers: dict[str, str], directory: Path = STATIC) -> None:
        super().__init__(directory=directory, check_dir=False)  # a bare copy has no pages to read
        self._headers = headers

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(self._headers)
        return response


def files_version() -> str:
    """A word that is another one as soon as any of the files is."""
    digest = sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(STATIC)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def previewed(document: str, request: Request) -> str:
    """The document as other apps show a link to it: its game, in the language of who asks."""
    language = "id" if request.headers.get("accept-language", "").startswith("id") else "en"
    texts = catalogue(language)
    game = texts.get(f"game.{request.path_params.get('game', '').partition(':')[0]}")
    origin = escape(f"{request.url.scheme}://{request.url.netloc}")
    for name, words in (
        ("og:title", f"{game} \u00b7 papan" if game else "papan"),
        ("og:description", texts["web.lead"]),
        ("description", texts["web.lead"]),
    ):
        document = document.replace(f'"{name}" content="papan"', f'"{name}" content="{words}"')
    return document.replace('content="/static/', f'content="{origin}/static/')


def pages(owner: Owner) -> list[BaseRoute]:
    """The routes of all screens; anything else is the same page, which says that it is lost.

    The document names its files by an address with their version, so that a browser asks for
    them once; scripts name each other by relative addresses, so theirs have it too."""
    versioned = f"/static/{files_version()}"

    def text(name: str) -> str:
        """A file that names others, each by its version."""
        found = (STATIC / name).read_text(encoding="utf-8")
        return re.sub(r'"/static(?=["/])', f'"{versioned}', found)

    def notice(name: str) -> str:
        """A page that needs no server: the frame of all notices around what a file says."""
        return re.sub("<!--.*?-->", lambda _: text(name), text("notice.html"))

    document, gone, spent = text("index.html"), notice("offline.html"), notice("spent.html")
    service_worker = text("js/service_worker.js")

    async def page(request: Request) -> Response:
        """The document: its script reads the address."""
        if PARAMETER in request.query_params and request.method == "GET":  # previews use no code up
            return owner.entrance(request) or HTMLResponse(spent, 403, headers=FRESH)
        return HTMLResponse(previewed(document, request), headers=FRESH)

    async def lost(request: Request) -> Response:
        """The same document for an address that leads nowhere."""
        return HTMLResponse(document, 404, headers=FRESH)

    async def offline(request: Request) -> Response:
        """What a browser keeps to show when this server is gone."""
        return HTMLResponse(gone, headers=FRESH)

    async def between(request: Request) -> Response:
        """The service worker: its address says that it may serve all pages."""
        return Response(service_worker, media_type="text/javascript", headers=FRESH)

    return [
        *(Route(path, page) for path in SCREENS),
        Route("/offline", offline),
        Route("/service-worker.js", between),
        Mount(versioned, Files(CACHED)),
        Mount("/static", Files(FRESH)),
        Mount("/docs/images", Files(FRESH, folder() / "images")),
        Route("/{lost:path}", lost),
    ]
