"""The web app: the API, the document of all pages, and the guard in front of them."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import secrets
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from hashlib import sha256
from html import escape
from importlib import metadata
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

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

from papan import catalog
from papan.core.game import Game
from papan.core.message import catalogue
from papan.core.parts import Card
from papan.web.arena import add_arena
from papan.web.boards import PositionCache
from papan.web.bundle import CODE_SCRIPT, Bundle, code_styles, game_modules, joined_styles
from papan.web.catalogue import add_catalogue, game_list
from papan.web.compression import COMPRESSION, packed_response
from papan.web.contest_routes import add_contests
from papan.web.contests import Contests
from papan.web.games import add_games, dealt_start_facts
from papan.web.guard import AddressSlots, RequestGuard, ResponseLog
from papan.web.hand_in import add_hand_in
from papan.web.help import add_help, docs_folder
from papan.web.jobs import JobQueue
from papan.web.learn import add_lessons, add_puzzles
from papan.web.offline import offline_folders
from papan.web.owner import PARAMETER, FolderLock, Owner, add_owner
from papan.web.papers import add_lab
from papan.web.room_routes import add_rooms
from papan.web.search_queue import THREADS, SearchQueue
from papan.web.searches import add_searches
from papan.web.settings import ServerSettings
from papan.web.wire import add_refusals, refused
from papan.web.worker_pool import OnCompiled, ignore_compiled
from papan.web.workshop import Workshop, add_workshop


def build_app(
    settings: ServerSettings,
    lock: FolderLock | None = None,
    on_started: Callable[[], None] = lambda: None,
    on_compiled: OnCompiled = ignore_compiled,
    owner: Owner | None = None,
) -> ASGIApp:
    """Return the web app for an ASGI server; it answers while searches are still being loaded.

    When it starts it takes *lock* (None: one made for the data folder) and raises FolderInUse if
    another server has it. *on_started* is called once all searches are loaded, at the latest after
    `LOADED_SECONDS`; *on_compiled* with the number of compiled searches whenever that changes, and
    with None at the end. *owner* recognizes requests of the server's owner; None: made from
    *settings*. Raise OSError if a file of the pages is missing.
    """
    lock = lock or FolderLock(settings.data)
    queue, jobs = SearchQueue(settings, on_compiled=on_compiled), JobQueue(settings, lock)
    owner = owner or Owner(settings)
    workshop = Workshop(settings, lock, owner)

    async def announce() -> None:
        await queue.fork_server.settled()
        on_started()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, SearchQueue]]:
        lock.take()
        await queue.start()
        await jobs.start()
        await workshop.start()
        announcing = asyncio.create_task(announce())
        try:
            yield {"queue": queue}  # for `papan.web.serving.Server.shutdown`
        finally:
            announcing.cancel()
            await jobs.close()
            await workshop.close()
            await queue.close()
            lock.close()

    routes = [Mount("/api", build_api(settings, queue, jobs, workshop)), *pages(owner)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused})
    compressed: Any = GZipMiddleware(app, compresslevel=COMPRESSION)
    guarded: Any = RequestGuard(compressed, settings, owner.asks)
    if settings.proxies:
        guarded = ProxyHeadersMiddleware(guarded, list(settings.proxies))
    return ResponseLog(guarded) if settings.log else guarded


class Health(BaseModel):
    """The state of the server: version, searches, live workers, and progress of the compiler."""

    status: str
    """``ok``, or ``starting`` while no worker is alive."""
    version: str
    """The version of papan."""
    searches: int
    """Number of searches that run or wait, without those of the owner's bots."""
    workers: int
    """Number of live workers, without those that run the owner's bots."""
    compiling: Annotated[tuple[int, ...], Field(min_length=2, max_length=2)] | None = None
    """Numbers of searches compiled and of all searches; null while nothing is being compiled."""


def thread_slot(queue: SearchQueue) -> Callable[[HTTPConnection], AsyncIterator[None]]:
    """Return a FastAPI dependency that limits how many threads each client address uses at once.

    Further requests wait; the limit is that of ``queue.threads``. It covers the routes that run in
    a thread; coroutines are let through, as they use a thread only for a part of their work.
    """

    async def slot(asker: HTTPConnection) -> AsyncIterator[None]:
        """Hold a slot of the client of *asker* while its route runs, unless that is a coroutine;
        may wait.
        """
        if inspect.iscoroutinefunction(asker.scope["endpoint"]):  # it takes slots itself
            yield
            return
        async with queue.threads.slot_of(asker.scope):
            yield

    return slot


def build_api(
    settings: ServerSettings, queue: SearchQueue, jobs: JobQueue, workshop: Workshop
) -> FastAPI:
    """Return the API as an app with all its routes, to be mounted under ``/api``.

    It serves the searches of *queue*, the jobs of *jobs*, and the owner and the bots of *workshop*.
    """
    owner = workshop.owner
    version = metadata.version("papan")
    api = FastAPI(
        title="papan",
        version=version,
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(thread_slot(queue))],
    )
    positions = PositionCache()
    add_catalogue(api, queue)
    add_games(api, queue, positions)
    add_searches(api, queue, positions, workshop)
    add_rooms(api, settings, positions, queue.threads)
    add_arena(api, settings, jobs, workshop)
    add_lab(api, jobs, queue, owner)
    contests = Contests(settings, jobs)
    add_contests(api, contests, owner, queue)
    add_hand_in(api, contests, queue)
    add_lessons(api, queue)
    add_puzzles(api, queue)
    add_help(api, settings, owner)
    add_owner(api, owner)
    add_workshop(api, workshop)

    @api.get("/v1/health", tags=["server"])
    def health() -> Health:
        """Return the state of the server: numbers of searches, workers and compiled searches."""
        status, compiled = "ok" if queue.alive else "starting", queue.fork_server.compiled
        return Health(
            status=status,
            version=version,
            searches=len(queue.searches),
            workers=queue.alive,
            compiling=None if compiled is None else (int(compiled.done), int(compiled.total)),
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
    "/class",
    "/class/{name}",
    "/class/{name}/ladder",
    "/hand-in",
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
"""A browser may cache this, but must ask each time whether it has changed."""


class FilesWithHeaders(StaticFiles):
    """`StaticFiles` of *directory* that also sets *headers* (value by name), such as those for
    caching.
    """

    def __init__(self, headers: dict[str, str], directory: Path = STATIC) -> None:
        super().__init__(directory=directory, check_dir=False)  # a wheel has no docs beside it
        self._headers = headers

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(self._headers)
        return response


def files_version() -> str:
    """Return the first 16 hexadecimal digits of a SHA-256 of all static files and scripts of games.

    It is part of the addresses of the files: it changes with any of them. Raise OSError if one
    cannot be read.
    """
    digest = sha256()
    for name, source in game_modules(offline_folders()).items():
        digest.update(f"{name} {source}\n".encode())
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(STATIC)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def with_preview(document: str, request: Request) -> str:
    """Return *document* (HTML) with its meta tags for previews of a link filled in: title, text,
    image.

    The title has the name of the game in the path of *request*, if there is a known one; texts are
    in the language that the browser prefers; the image's address begins with the server's.
    """
    texts = catalogue(_language(request))
    game = texts.get(f"game.{request.path_params.get('game', '').partition(':')[0]}")
    origin = escape(f"{request.url.scheme}://{request.url.netloc}")
    for name, words in (
        ("og:title", f"{game} \u00b7 papan" if game else "papan"),
        ("og:description", texts["web.lead"]),
        ("description", texts["web.lead"]),
    ):
        document = document.replace(f'"{name}" content="papan"', f'"{name}" content="{words}"')
    return document.replace('content="/static/', f'content="{origin}/static/')


FIRST_AREAS = ("error", "game", "seat", "end", "kind")
"""Areas of texts that the server may name on a first visit, besides those that scripts name."""
MOST_SEEDS = 999_999


def given_facts(bundle: Bundle, request: Request) -> dict[str, Any]:
    """Return what a first visit needs, as JSON data: texts, games, and boards of the game.

    Its keys: *texts* (in the language of the browser: by language, then by key of the text),
    *games* (all `GameFacts`) and *dealt* (`DealtStart` by spec, for each of `usual_sizes`). *dealt*
    is empty except on ``/play/NAME`` without a query, NAME being that of a game, without a size.
    *bundle* has the scripts, which tell which texts are needed.
    """
    name = request.path_params.get("game", "") if request.url.path.startswith("/play/") else ""
    language, kind = _language(request), catalog.GAMES.get(name)
    areas = (*FIRST_AREAS, name.partition(":")[0] or "game")
    specs = usual_sizes(kind()) if kind and not request.query_params else []
    starts = {spec: dealt_start_facts(spec, secrets.randbelow(MOST_SEEDS) + 1) for spec in specs}
    return {
        "texts": {language: bundle.spoken(catalogue(language), areas)},
        "games": [each.model_dump(mode="json") for each in game_list()],
        "dealt": {spec: start.model_dump(mode="json") for spec, start in starts.items()},
    }


def usual_sizes(game: Game) -> list[str]:
    """Return one or two specs: that of *game*, then that of its first preset with more rows than
    columns.

    The second is missing if no preset is such, or if it equals the first.
    """
    upright = (spec for spec in Card.of(game).presets if _is_upright(spec))
    return list(dict.fromkeys((game.spec, *islice(upright, 1))))


def _is_upright(spec: str) -> bool:
    """Return whether *spec* such as ``connect4:7,6`` has more rows (its first number) than columns.

    False unless its options begin with two numbers.
    """
    sides = [int(each) for each in spec.partition(":")[2].split(",")[:2] if each.isdecimal()]
    return len(sides) == 2 and sides[0] > sides[1]


def with_given(document: str, facts: dict[str, Any]) -> str:
    """Return *document* (HTML) with *facts* as JSON in its element ``given``; unchanged if it has
    none.

    Every ``<`` is escaped, so that no text can end the element.
    """
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return document.replace('id="given">{}', f'id="given">{data}')


def _language(request: Request) -> Literal["en", "id"]:
    """Return ``id`` if a browser asks for Indonesian first, else ``en``, as the pages do."""
    return "id" if request.headers.get("accept-language", "").startswith("id") else "en"


def _joined(path: str, content: str, headers: dict[str, str]) -> Route:
    """Return a route for *path* that answers with *content* and *headers*, compressed if the
    browser takes gzip.

    *content* is a style sheet if *path* ends with ``.css``, else a script.
    """
    kind = "text/css" if path.endswith(".css") else "text/javascript"

    async def answer(request: Request) -> Response:
        return packed_response(request, content, kind, headers)

    return Route(path, answer)


@lru_cache(maxsize=1)
def joined_files(version: str) -> tuple[Bundle, dict[str, str]]:
    """Return the joined scripts, and the text of each file that is made of others, by file name.

    Such a name is ``js/first.js``. Making them takes 0.1 s, so they are cached for the last
    *version*, a text that changes with the files; the result must not be changed. Raise OSError if
    a file is missing.
    """
    bundle = Bundle(STATIC / "js", offline_folders())
    return bundle, {
        "js/first.js": bundle.first_script(),
        "js/rest.js": bundle.other_script(),
        f"js/{CODE_SCRIPT}": bundle.code_script(),
        "css/all.css": joined_styles(STATIC / "css"),
        "css/code.css": code_styles(STATIC),
        **{f"js/{name}": source for name, source in bundle.of_games.items()},
    }


def pages(owner: Owner) -> list[BaseRoute]:
    """Return the routes of all screens and files; the last one answers any other path with a 404.

    *owner* answers addresses with a one-time code. The addresses of files contain their version, so
    that browsers load each once; scripts import each other by relative addresses, which contain it
    too. Raise OSError if a file is missing.
    """
    versioned = f"/static/{files_version()}"

    def text(name: str) -> str:
        """Return the static file *name* as text, with the version put into the addresses in it."""
        content = (STATIC / name).read_text(encoding="utf-8")
        return re.sub(r'"/static(?=["/])', f'"{versioned}', content)

    def notice(name: str) -> str:
        """Return an HTML page that needs no server: ``notice.html`` around the content of the file
        *name*.
        """
        return re.sub("<!--.*?-->", lambda _: text(name), text("notice.html"))

    document = text("index.html")
    spent_page = notice("spent.html")
    service_worker = text("js/service_worker.js")
    bundle, parts = joined_files(versioned)
    slots = AddressSlots(THREADS)

    async def page(request: Request) -> Response:
        """Return the HTML document of all screens, whose script reads the address.

        An address with an owner's code is redirected; it gets 403 if the code is not valid and the
        client is not the owner already.
        """
        if (
            PARAMETER in request.query_params and request.method == "GET"
        ):  # a HEAD request must not use up the code
            return owner.entrance(request) or HTMLResponse(spent_page, 403, headers=FRESH)
        async with slots.slot_of(request.scope):  # whoever loads many pages waits for their own
            facts = await to_thread(given_facts, bundle, request)
        return HTMLResponse(with_given(with_preview(document, request), facts), headers=FRESH)

    async def lost(request: Request) -> Response:
        """Return the HTML document with status 404, for addresses that do not exist."""
        return HTMLResponse(document, 404, headers=FRESH)

    async def script(request: Request) -> Response:
        """Return the service worker; it is at the root so that it controls all pages."""
        return Response(service_worker, media_type="text/javascript", headers=FRESH)

    return [
        *(Route(path, page) for path in SCREENS),
        Route("/service-worker.js", script),
        *(_joined(f"{versioned}/{name}", content, CACHED) for name, content in parts.items()),
        *(_joined(f"/static/{name}", content, FRESH) for name, content in parts.items()),
        Mount(versioned, FilesWithHeaders(CACHED)),
        Mount("/static", FilesWithHeaders(FRESH)),
        Mount("/docs/images", FilesWithHeaders(FRESH, docs_folder() / "images")),
        Route("/{lost:path}", lost),
    ]
