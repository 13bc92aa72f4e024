"""Whose a server is: its owner has a token, and it alone has the lock of its data folder.

Only who has the token may start work that goes on without them. It is printed when the server
starts, in the address that the browser opens, and kept in a cookie that no script can read. To be
at the same machine proves nothing: others may use it too, and a proxy there speaks for strangers.
The seats of rooms are proved by tokens in the same way.

Two servers on one folder would overwrite each other's rooms: a second one learns where the first
is. The lock goes with the process that holds it; a file beside it, for its own user alone, has the
address of the server.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from fastapi import Request
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from papan.core import PapanError
from papan.lab.files import write_whole
from papan.process.host import lock
from papan.web.settings import DAY, Settings
from papan.web.wire import Refused, refusal

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
            return refusal(403, "web.wrong_token", {})
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


LOCK, OWNER = "in-charge", "owner.json"
STARTING = 10.0
"""Seconds in which a server that has just taken charge must say where it is."""


class FolderInUse(PapanError):  # noqa: N818 - an answer, not a fault
    """Another server is in charge; *url* is its page, with the owner's token."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__("serve.elsewhere", folder=folder, url=url.partition("?")[0])
        self.url = url


class FolderLock:
    """The lock of one folder, once it is taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: IO[bytes] | None = None
        self.lacking: Refused | None = None
        """Why nothing can be kept here; None where all is well."""

    def take(self) -> None:
        """Be the one server of this folder; raises where another one is.

        Where nothing can be kept a server works all the same, and says so when it is asked to.
        """
        if self._lock is not None:
            return
        try:
            self._lock, self.lacking = _locked(self.folder / LOCK), None
        except BlockingIOError:
            raise FolderInUse(self.folder, self._address()) from None
        except Refused as reason:
            self.lacking = reason
        else:
            if token := self.token():
                self.announce(None, token)  # where an earlier server was is of no use to anybody

    def require(self) -> None:
        """Raise unless things can be kept here, and by nobody else."""
        self.take()
        if self.lacking is not None:
            raise self.lacking

    def close(self) -> None:
        """Leave the folder to the next server."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def token(self) -> str | None:
        """The owner's token as an earlier server left it: cookies outlive a restart."""
        return self._facts().get("token")

    def announce(self, url: str | None, token: str) -> None:
        """Write down where this server is, for the user whose server it is."""
        if self._lock is not None:
            with suppress(OSError):  # the disk is full: whoever comes second is told less
                write_whole(self.folder / OWNER, json.dumps({"url": url, "token": token}))

    def _address(self) -> str:
        """Where the server in charge is, as soon as it says so."""
        until = monotonic() + STARTING
        while not (url := self._facts().get("url")) and monotonic() < until:
            sleep(0.05)
        return url or ""

    def _facts(self) -> dict[str, str]:
        try:
            facts = json.loads((self.folder / OWNER).read_bytes())
        except (OSError, ValueError):
            return {}
        fields = facts.items() if isinstance(facts, dict) else ()
        return {name: value for name, value in fields if isinstance(value, str)}


def _locked(path: Path) -> IO[bytes]:
    """A file that no other process has locked; raises if one has, or if there can be none."""
    with ExitStack() as unless_locked:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = unless_locked.enter_context(path.open("ab"))
            lock(file)
        except BlockingIOError:
            raise
        except OSError as error:  # also a file system without locks
            raise Refused(503, "serve.cannot_keep", why=error.strerror) from None
        except PapanError as error:  # the system has no locks
            raise Refused(503, error.key) from None
        unless_locked.pop_all()
        return file
