"""The pages: one document, which shows every screen, and the files that it needs."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from papan.web.owner import PARAMETER, Owner

STATIC = Path(str(files("papan.web"))) / "static"
SCREENS = (
    "/",
    "/play/{game}",
    "/watch/{game}",
    "/analyse/{game}",
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
)


CACHED = {"cache-control": "max-age=86400, immutable"}
FRESH = {"cache-control": "no-cache"}
"""A browser may keep this too, if it asks each time whether it is still the same."""


class Files(StaticFiles):
    """The files that the document needs, with what a browser may do with them."""

    def __init__(self, headers: dict[str, str]) -> None:
        super().__init__(directory=STATIC)
        self._headers = headers

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(self._headers)
        return response


def version() -> str:
    """A word that is another one as soon as any of the files is."""
    digest = sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(STATIC)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def pages(owner: Owner) -> list[BaseRoute]:
    """The routes of all screens; anything else is the same page, which says that it is lost.

    The document names its files by an address with their version, so that a browser asks for
    them once; scripts name each other by relative addresses, so theirs have it too."""
    versioned = f"/static/{version()}"
    document = (STATIC / "index.html").read_text(encoding="utf-8")
    document = document.replace('"/static/', f'"{versioned}/')

    async def page(request: Request) -> Response:
        """The document: its script reads the address."""
        if PARAMETER in request.query_params:
            return owner.entrance(request)
        return HTMLResponse(document, headers=FRESH)

    async def lost(request: Request) -> Response:
        """The same document for an address that leads nowhere."""
        return HTMLResponse(document, 404, headers=FRESH)

    return [
        *(Route(path, page) for path in SCREENS),
        Mount(versioned, Files(CACHED)),
        Mount("/static", Files(FRESH)),
        Route("/{lost:path}", lost),
    ]
