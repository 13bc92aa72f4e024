"""The owner of a server: only who has its token may start work that goes on without them.

It is printed when the server starts, in the address that the browser opens, and kept in a cookie
that no script can read. To be at the same machine proves nothing: others may use it too, and a
proxy there speaks for strangers. The seats of rooms are proved by tokens in the same way.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from fastapi import Request
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response

from papan.web.settings import DAY, Settings
from papan.web.wire import Refused, complaint

CODE_BYTES, TOKEN_BYTES = 10, 16


def new_code() -> str:
    """A code that nobody can guess, in groups that people can read out."""
    letters = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))


def new_token() -> str:
    """The secret of a seat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def key_of(token: str) -> str:
    """What is kept of a token: enough to know it again, too little to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(one: str | None, other: str | None) -> bool:
    """Are these the same key? Two that are missing are not."""
    return bool(one and other and hmac.compare_digest(one, other))


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
