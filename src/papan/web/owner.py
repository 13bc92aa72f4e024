"""The owner of a server: only who has its token may start work that goes on without them.

It is printed when the server starts, in the address that the browser opens, and kept in a cookie
that no script can read. To be at the same machine proves nothing: others may use it too, and a
proxy there speaks for strangers.
"""

from __future__ import annotations

from fastapi import Request
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response

from papan.web.guard import complaint
from papan.web.refusals import Refused
from papan.web.rooms.keys import key_of, same
from papan.web.settings import DAY, Settings

PARAMETER = "token"
BEARER = "bearer "


class Owner:
    """Knows its token again. As a dependency of a route it turns everybody else away."""

    def __init__(self, settings: Settings) -> None:
        self._key = key_of(settings.token)
        self.cookie = f"papan_owner_{settings.port}"
        """Browsers keep cookies by name and host: two servers on one machine need two names."""

    def __call__(self, request: Request) -> None:
        """Raise unless the owner asks."""
        if not self.asks(request):
            raise Refused(403, "jobs.not_owner")

    def asks(self, asker: HTTPConnection) -> bool:
        """Does it come from the owner? Browsers prove it by the cookie, programs by a header."""
        header = asker.headers.get("authorization", "")
        bearer = header[len(BEARER) :] if header.lower().startswith(BEARER) else ""
        given = (asker.cookies.get(self.cookie), bearer)
        return any(self._is_right(token or "") for token in given)

    def entrance(self, request: Request) -> Response:
        """Change the token in an address for the cookie, and the address for one without it."""
        if not self._is_right(request.query_params[PARAMETER]):
            return JSONResponse(complaint("web.wrong_token", {}), 403)
        rest = request.url.remove_query_params(PARAMETER)
        address = f"{rest.path}?{rest.query}" if rest.query else rest.path
        response = RedirectResponse(address, 303, {"cache-control": "no-store"})
        response.set_cookie(
            self.cookie,
            request.query_params[PARAMETER],
            max_age=30 * DAY,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    def _is_right(self, token: str) -> bool:
        return bool(token) and same(key_of(token), self._key)
