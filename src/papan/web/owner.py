"""The owner of a server, proved by a token; and the lock of the data folder.

Only the owner may start work that goes on without a page. The token is never shown: the printed
address has a code that is exchanged for it, once and within ten minutes, and a cookie that scripts
cannot read holds it. The browser opens a page on the disk that only its user can read, because
other users of the machine can read command lines. A client on the same machine proves nothing:
other people may use it, and a proxy there passes on requests of strangers. Seats of rooms are
proved by tokens in the same way.

Two servers on one folder would overwrite each other's rooms, so a second one learns the address of
the first. The lock ends with the process that holds it; a file beside it, readable by its user
only, has the address and the token while the server runs.
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
from weakref import finalize

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from papan.core import PapanError
from papan.core.files import open_regular, read_regular
from papan.lab.files import LONGEST_RECORD, PRIVATE, write_whole
from papan.process.host import lock
from papan.web.settings import DAY, ServerSettings
from papan.web.wire import Refused

CODE_BYTES, TOKEN_BYTES = 10, 16


def new_code() -> str:
    """Return a random code of 80 bits, as ``abcd-efgh-ijkl-mnop``: 16 of the characters a-z and
    2-7.
    """
    letters = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))


def new_token() -> str:
    """Return a random token of 128 bits as 22 characters that URLs and cookies allow: a seat's
    secret.
    """
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token as 64 hexadecimal digits; it is stored in place of the
    token.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def same_key(one: str | None, other: str | None) -> bool:
    """Return whether two keys are equal, in constant time; False if one is None or empty.

    Raise TypeError if both have characters and one is not ASCII.
    """
    return bool(one and other and hmac.compare_digest(one, other))


PARAMETER = "code"
CODE_SECONDS = 600
"""Seconds in which a code can be used."""
MOST_CODES = 20
"""Number of unused codes that are valid; the oldest is dropped first."""
BEARER = "bearer "
CODES_PATH = "/api/v1/owner/codes"


class OwnerLink(BaseModel):
    """A one-time address; the first browser that opens it becomes the owner's."""

    address: str
    """Its path and query, ``/?code=CODE``."""
    seconds: int
    """Seconds in which it can be opened."""


class Owner:
    """Recognizes requests of the owner by the token of *settings*; as a dependency of a route it
    refuses others (403).

    *clock* returns the seconds by which codes expire.
    """

    def __init__(self, settings: ServerSettings, clock: Callable[[], float] = monotonic) -> None:
        self._token, self._key = settings.token, token_hash(settings.token)
        self._clock = clock
        self._codes: dict[str, float] = {}
        """Hashes of unused codes, each with the time in seconds of `_clock` until which it is
        valid.
        """
        self.cookie = f"papan_owner_{settings.port}"
        """The name has the port: browsers store cookies by name and host, without the port."""

    def __call__(self, request: Request) -> None:
        """Raise Refused (403) if *request* is not the owner's."""
        if not self.asks(request):
            raise Refused(403, "jobs.not_owner")

    def asks(self, asker: HTTPConnection) -> bool:
        """Return whether *asker* has the owner's token, in the cookie or as ``Authorization: Bearer
        TOKEN``.
        """
        header = asker.headers.get("authorization", "")
        bearer = header[len(BEARER) :] if header.lower().startswith(BEARER) else ""
        given = (asker.cookies.get(self.cookie), bearer)
        return any(self._is_right(token or "") for token in given)

    def code(self) -> str:
        """Return a new code with which one browser becomes the owner's, once, within
        `CODE_SECONDS`.

        Only the last `MOST_CODES` unused codes stay valid.
        """
        code = new_code()
        self._codes[token_hash(code)] = self._clock() + CODE_SECONDS
        while len(self._codes) > MOST_CODES:
            del self._codes[next(iter(self._codes))]
        return code

    def entrance(self, request: Request) -> Response | None:
        """Use up the code in the query of *request*: return a redirect that sets the owner's
        cookie.

        It leads to the same address without the code. If the code is wrong, used or expired, or the
        owner's token is empty, a client that is the owner already is redirected all the same,
        without a new cookie; for any other client return None. Raise KeyError if the query has no
        code.
        """
        until = self._codes.pop(token_hash(request.query_params[PARAMETER]), None)
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
        return bool(token) and same_key(token_hash(token), self._key)


def add_owner(api: FastAPI, owner: Owner) -> None:
    """Add the route ``owner/codes``, with which the owner gets codes for more browsers."""

    @api.post("/v1/owner/codes", tags=["server"], status_code=201, dependencies=[Depends(owner)])
    async def codes() -> OwnerLink:
        """Return an address with a new code, for one more browser of the owner; 403 for others."""
        return OwnerLink(address=with_code("/", owner.code()), seconds=CODE_SECONDS)


def with_code(url: str, code: str) -> str:
    """Return *url*, which has no query yet, with *code*: ``URL?code=CODE``."""
    return f"{url}?{PARAMETER}={code}"


CODE_TIMEOUT = 10.0
"""Seconds in which a running server must answer with a code."""


def address_with_code(url: str, token: str) -> str:
    """Ask the server at *url* for a new code and return its address with it; *token* is the
    owner's.

    Return *url* itself if the server refuses or does not answer in `CODE_TIMEOUT` seconds.
    """
    question = Question(url.rstrip("/") + CODES_PATH, b"", {"authorization": f"{BEARER}{token}"})
    direct = build_opener(ProxyHandler({}))  # no proxy may see the token
    try:
        with direct.open(question, timeout=CODE_TIMEOUT) as answer:
            return url.rstrip("/") + str(json.load(answer)["address"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):  # or it is no papan
        return url


LOCK_FILE, OWNER_FILE, LINK_FILE = "in-charge", "owner.json", "open.html"
ANNOUNCE_SECONDS = 10.0
"""Seconds in which a server that has taken the lock must have written its address."""


class FolderInUse(PapanError):  # noqa: N818 - an answer, not a fault
    """Raised if another server has the data folder *folder*.

    *url* and *token* are that server's address and its owner's token, empty if unknown.
    """

    def __init__(self, folder: Path, url: str, token: str) -> None:
        super().__init__("serve.elsewhere", folder=folder, url=url)
        self.folder, self.url, self.token = folder, url, token


class FolderLock:
    """The lock of the data folder *folder*: only one server at a time can hold it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: IO[bytes] | None = None
        self.lacking: Refused | None = None
        """Reason why nothing can be stored; None if the lock is held or was not tried."""

    def take(self) -> None:
        """Take the lock, unless it is held already; raise FolderInUse if another server has it.

        That may take `ANNOUNCE_SECONDS`. If nothing can be stored in the folder, set `lacking`: the
        server runs all the same.
        """
        if self._lock is not None:
            return
        try:
            self._lock, self.lacking = _locked(self.folder / LOCK_FILE), None
        except BlockingIOError:
            raise FolderInUse(self.folder, *self._address()) from None
        except Refused as reason:
            self.lacking = reason
        else:
            finalize(self, self._lock.close)  # where an app is dropped that was never shut down
            self._clear()  # files of a server that was killed

    def require(self) -> None:
        """Take the lock, unless it is held; raise FolderInUse, or Refused (503) if nothing can be
        stored.
        """
        self.take()
        if self.lacking is not None:
            raise self.lacking

    def close(self) -> None:
        """Release the lock, and delete the files with the address and the token.

        Do nothing if it is not held.
        """
        if self._lock is not None:
            self._clear()
            self._lock.close()
            self._lock = None

    def announce(self, url: str, token: str) -> None:
        """Write the address *url* and the owner's *token* of this server to `OWNER_FILE`, for other
        servers.

        Only its user can read the file. Do nothing if the lock is not held or the disk is full.
        """
        if self._lock is not None:
            with suppress(OSError):  # the disk is full: a second server cannot show the address
                write_whole(self.folder / OWNER_FILE, json.dumps({"url": url, "token": token}))

    def _clear(self) -> None:
        """Delete the files with the address and the token, if they exist."""
        for name in (OWNER_FILE, LINK_FILE):
            with suppress(OSError):
                (self.folder / name).unlink()

    def _address(self) -> tuple[str, str]:
        """Return the address and the owner's token of the server that has the lock.

        Wait for them for `ANNOUNCE_SECONDS`; both are empty if they are still unknown then.
        """
        until = monotonic() + ANNOUNCE_SECONDS
        while not (facts := self._facts()).get("url") and monotonic() < until:
            sleep(0.05)
        return facts.get("url", ""), facts.get("token", "")

    def _facts(self) -> dict[str, str]:
        """Return the texts in `OWNER_FILE`, url and token, by name; empty if it cannot be read."""
        try:
            facts = json.loads(read_regular(self.folder / OWNER_FILE, LONGEST_RECORD))
        except (OSError, ValueError):
            return {}
        fields = facts.items() if isinstance(facts, dict) else ()
        return {name: value for name, value in fields if isinstance(value, str)}


def link_page(folder: Path, url: str) -> str:
    """Write a page that redirects to *url* into *folder*, readable by its user only; return its
    ``file:`` address.

    Raise OSError if the folder cannot be written.
    """
    link = escape(url)
    page = (
        '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0;url={link}"><title>papan</title>'
        f'<a href="{link}">papan</a>\n'
    )
    return write_whole(folder.resolve() / LINK_FILE, page).as_uri()


def _locked(path: Path) -> IO[bytes]:
    """Open the file *path*, made if necessary, lock it and return it; the lock lasts until it is
    closed.

    Raise BlockingIOError if another process has the lock, Refused (503) if the file cannot be
    written or the system has no locks.
    """
    with ExitStack() as unless_locked:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = unless_locked.enter_context(open_regular(path, "ab", PRIVATE))
            with suppress(OSError):
                path.chmod(PRIVATE)  # earlier versions let all users read, and so lock it
            lock(file)
        except BlockingIOError:
            raise
        except OSError as error:  # or a file system without locks
            raise Refused(503, "serve.cannot_keep", why=error.strerror) from None
        except PapanError as error:  # no locks on this system, or the file is a link
            raise Refused(503, error.key, **error.values) from None
        unless_locked.pop_all()
        return file
