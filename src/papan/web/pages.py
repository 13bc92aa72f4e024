"""The pages: one document, which shows every screen, and the files that it needs."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
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


class Fresh(StaticFiles):
    """Files that a browser may keep, if it asks each time whether they are still the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def pages(owner: Owner) -> list[BaseRoute]:
    """The routes of all screens; anything else is the same page, which says that it is lost."""

    async def page(request: Request) -> Response:
        """The document: its script reads the address."""
        if PARAMETER in request.query_params:
            return owner.entrance(request)
        return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})

    return [
        *(Route(path, page) for path in SCREENS),
        Mount("/static", Fresh(directory=STATIC)),
        Route("/{lost:path}", lost),
    ]


async def lost(request: Request) -> Response:
    """The same document for an address that leads nowhere."""
    return FileResponse(STATIC / "index.html", 404, headers={"cache-control": "no-cache"})
