"""Whose a server is: its owner has a token, and it alone has the lock of its data folder.

Only who has the token may start work that goes on without them. Nobody ever sees it: the address
that is printed has a code, which is changed for the token once and within ten minutes, and the
token is kept in a cookie that no script can read. The browser is opened on a page of the disk,
which its user alone can read: other users of the machine can read command lines. To be at the same
machine proves nothing: others may use it too, and a proxy there speaks for strangers. The seats of
rooms are proved by tokens in the same way.

Two servers on one folder would overwrite each other's rooms: a second one learns where the first
is. The lock goes with the process that holds it; a file beside it, for its own user alone, has the
address and the token of the server while it runs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from contextlib import ExitStack, suppress
from html import escape
from http.client import HTTPException
from pathlib import Path
from time import monotonic, sleep
from typing import IO
from urllib.request import ProxyHandler, build_opener
from urllib.request import Request as Question

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from papan.core import PapanError
from papan.core.files import open_regular, read_regular
from papan.lab.files import LARGEST_FILE, PRIVATE, write_whole
from papan.process.host import lock
from papan.web.settings import DAY, Settings
from papan.web.wire import Refused

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


PARAMETER = "code"
CODE_SECONDS = 600
"""How long a code can be used."""
MOST_CODES = 20
"""How many codes can be used at the same time; the oldest is forgotten first."""
BEARER = "bearer "
CODES = "/api/v1/owner/codes"


class Entrance(BaseModel):
    """An address that makes whoever opens it first the owner."""

    address: str
    """Its path, and a code."""
    seconds: int
    """How long it can be opened."""


class Owner:
    """Knows its token again. As a dependency of a route it turns everybody else away."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._token, self._key = settings.token, key_of(settings.token)
        self._clock = clock
        self._codes: dict[str, float] = {}
        """The keys of codes that nobody has used, and until when they can be."""
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

    def code(self) -> str:
        """A new code, to be used once and soon."""
        code = new_code()
        self._codes[key_of(code)] = self._clock() + CODE_SECONDS
        while len(self._codes) > MOST_CODES:
            del self._codes[next(iter(self._codes))]
        return code

    def entrance(self, request: Request) -> Response | None:
        """Change the code in an address for the cookie, and the address for one without it.

        The owner's own browser may open the address again; for all others a code that is wrong,
        used or too old gives None.
        """
        until = self._codes.pop(key_of(request.query_params[PARAMETER]), None)
        rest = request.url.remove_query_params(PARAMETER)
        address = f"{rest.path}?{rest.query}" if rest.query else rest.path
        response = RedirectResponse(address, 303, {"cache-control": "no-store"})
        if not self._token or until is None or until < self._clock():
            return response if self.asks(request) else None
        response.set_cookie(
            self.cookie,
            self._token,
            max_age=30 * DAY,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    def _is_right(self, token: str) -> bool:
        return bool(token) and same(key_of(token), self._key)


def add_owner(api: FastAPI, owner: Owner) -> None:
    """Add what the owner alone may ask for: more codes."""

    @api.post("/v1/owner/codes", tags=["server"], status_code=201, dependencies=[Depends(owner)])
    async def codes() -> Entrance:
        """An address with a new code, for one more browser of the owner."""
        return Entrance(address=with_code("/", owner.code()), seconds=CODE_SECONDS)


def with_code(url: str, code: str) -> str:
    """The address that makes whoever opens it first the owner."""
    return f"{url}?{PARAMETER}={code}"


ASKING = 10.0
"""Seconds in which a server that runs must have made a code."""


def address_with_code(url: str, token: str) -> str:
    """The address of a server that runs, with a new code of it; without one where it gives none."""
    question = Question(url.rstrip("/") + CODES, b"", {"authorization": f"{BEARER}{token}"})
    direct = build_opener(ProxyHandler({}))  # no proxy may hear the token
    try:
        with direct.open(question, timeout=ASKING) as answer:
            return url.rstrip("/") + str(json.load(answer)["address"])
    except (OSError, HTTPException, ValueError, KeyError):
        return url


LOCK, OWNER, DOOR = "in-charge", "owner.json", "open.html"
STARTING = 10.0
"""Seconds in which a server that has just taken charge must say where it is."""


class FolderInUse(PapanError):  # noqa: N818 - an answer, not a fault
    """Another server is in charge; *url* is its page, *token* that of its owner."""

    def __init__(self, folder: Path, url: str, token: str) -> None:
        super().__init__("serve.elsewhere", folder=folder, url=url)
        self.folder, self.url, self.token = folder, url, token


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
            raise FolderInUse(self.folder, *self._address()) from None
        except Refused as reason:
            self.lacking = reason
        else:
            self._clear()  # what an earlier server left that was killed

    def require(self) -> None:
        """Raise unless things can be kept here, and by nobody else."""
        self.take()
        if self.lacking is not None:
            raise self.lacking

    def close(self) -> None:
        """Leave the folder to the next server."""
        if self._lock is not None:
            self._clear()
            self._lock.close()
            self._lock = None

    def announce(self, url: str, token: str) -> None:
        """Write down where this server is, for the user whose server it is."""
        if self._lock is not None:
            with suppress(OSError):  # the disk is full: whoever comes second is told less
                write_whole(self.folder / OWNER, json.dumps({"url": url, "token": token}))

    def _clear(self) -> None:
        """Forget where the server was: its token dies with it."""
        for name in (OWNER, DOOR):
            with suppress(OSError):
                (self.folder / name).unlink()

    def _address(self) -> tuple[str, str]:
        """Where the server in charge is and its token, as soon as it says so."""
        until = monotonic() + STARTING
        while not (facts := self._facts()).get("url") and monotonic() < until:
            sleep(0.05)
        return facts.get("url", ""), facts.get("token", "")

    def _facts(self) -> dict[str, str]:
        try:
            facts = json.loads(read_regular(self.folder / OWNER, LARGEST_FILE))
        except (OSError, ValueError):
            return {}
        fields = facts.items() if isinstance(facts, dict) else ()
        return {name: value for name, value in fields if isinstance(value, str)}


def door(folder: Path, url: str) -> str:
    """The address of a page on the disk that leads to *url*, which its user alone can read.

    Raises OSError where the folder cannot be written.
    """
    link = escape(url)
    page = (
        '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0;url={link}"><title>papan</title>'
        f'<a href="{link}">papan</a>\n'
    )
    return write_whole(folder.resolve() / DOOR, page).as_uri()


def _locked(path: Path) -> IO[bytes]:
    """A file that no other process has locked; raises if one has, or if there can be none."""
    with ExitStack() as unless_locked:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = unless_locked.enter_context(open_regular(path, "ab", PRIVATE))
            with suppress(OSError):
                path.chmod(PRIVATE)  # an earlier papan let all read it, and so lock it
            lock(file)
        except BlockingIOError:
            raise
        except OSError as error:  # also a file system without locks
            raise Refused(503, "serve.cannot_keep", why=error.strerror) from None
        except PapanError as error:  # the system has no locks, or the file is a link
            raise Refused(503, error.key, **error.values) from None
        unless_locked.pop_all()
        return file
