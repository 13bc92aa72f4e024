"""The guard in front of the app: checks of requests, rate limits, quotas, safe headers, the log.

A server on loopback needs it as well: any page that its user visits can send requests to it. The
log has one JSON object a line and nothing personal: no address, position, room or search, only the
kind of the request.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from time import monotonic, perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from papan.core.message import Message
from papan.web.settings import DAY, ServerSettings
from papan.web.wire import refusal

MOST_ADDRESSES = 10_000
"""Number of addresses in a table; the least recently used is dropped first."""


class TokenBuckets:
    """A token bucket for each address: a request costs one token, and *rate* tokens a second come
    back (0: requests are unlimited).

    A bucket holds at most *burst* tokens and is full at first. An address may be any text that
    names who asks. The `MOST_ADDRESSES` that asked last are remembered; the bucket of any other is
    full again.
    """

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, now: float | None = None) -> float:
        """Take a token for *address* and return 0; or take none and return the seconds until there
        is one.

        *now* is in seconds and must not decrease; None: the monotonic clock.
        """
        if not self.rate:
            return 0
        now = monotonic() if now is None else now
        level, since = self._levels.pop(address, (float(self.burst), now))
        level = min(self.burst, level + (now - since) * self.rate)
        granted = level >= 1
        self._levels[address] = (level - granted, now)
        if len(self._levels) > MOST_ADDRESSES:
            self._levels.popitem(last=False)
        return 0 if granted else (1 - level) / self.rate


class Quota:
    """Counts the processor seconds of each address in a day; *seconds* are allowed, 0: unlimited.

    A day is 24 hours of the monotonic clock, so it does not begin at midnight: at each multiple of
    24 hours everything spent is forgotten.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._day = 0
        self._spent: defaultdict[str, float] = defaultdict(float)

    def wait(self, address: str, now: float | None = None) -> float:
        """Return 0 while *address* has seconds left, else the seconds of the clock until the next
        day.

        *now* is in seconds; None: the monotonic clock.
        """
        now = self._reset_at_midnight(now)
        spent = bool(self.seconds) and self._spent.get(address, 0) >= self.seconds
        return DAY - now % DAY if spent else 0

    def spend(self, address: str, seconds: float, now: float | None = None) -> None:
        """Charge *seconds* of processor time to *address*; it may go beyond the quota.

        *now* is in seconds; None: the monotonic clock.
        """
        if self.seconds:
            self._reset_at_midnight(now)
            self._spent[address] += seconds

    def _reset_at_midnight(self, now: float | None) -> float:
        """Forget what all addresses have spent if a new day of `Quota` has begun at *now*; return
        *now*.

        *now* is in seconds; None: the monotonic clock, whose seconds are returned.
        """
        now = monotonic() if now is None else now
        if self._day != now // DAY:
            self._day = int(now // DAY)
            self._spent.clear()
        return now


class AddressSlots:
    """Lets each client address hold at most *most* slots at the same time, one for each piece of
    work.

    Further work waits, first come first served.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()

    def slot_of(self, scope: MutableMapping[str, Any]) -> AbstractAsyncContextManager[None]:
        """Return the context in which the client of the ASGI *scope* holds a slot; entering it may
        wait.
        """
        return self.slot(client_address(dict(scope)))

    @asynccontextmanager
    async def slot(self, address: str) -> AsyncIterator[None]:
        """Wait for a slot of *address* without limit, and hold it while the context lasts."""
        slots = self._slots.setdefault(address, asyncio.Semaphore(self.most))
        self._users[address] += 1
        try:
            async with slots:
                yield
        finally:
            self._users[address] -= 1
            if not self._users[address]:
                del self._users[address], self._slots[address]

    @property
    def is_idle(self) -> bool:
        """True if no address holds a slot or waits for one."""
        return not self._slots


SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}


class TooLarge(Exception):  # noqa: N818 - a signal between two parts of the guard
    """Raised within the guard when the body of a request is longer than allowed; no client
    sees it.
    """


class RequestGuard:
    """ASGI middleware that refuses requests from foreign pages, to wrong hosts, too long or too
    frequent ones.

    A refused request gets a response of status 4xx; a refused WebSocket is closed before it is
    accepted, to which servers answer with status 403; a body that turns out too long gets 413.
    Every response of the app or of the guard gets the headers of `HEADERS`.

    *is_owner* returns whether a request is the owner's, who may send files.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        is_owner: Callable[[HTTPConnection], bool] = lambda asker: False,
    ) -> None:
        self.app, self.settings, self.is_owner = app, settings, is_owner
        self.buckets = TokenBuckets(settings.rate, settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        objection = self._objection(scope, Headers(scope=scope))
        if scope["type"] == "websocket":
            if objection is None:
                await self.app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
        else:
            answer = self._bounded if objection is None else objection
            await answer(scope, receive, _with_headers(send))

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer; send status 413 instead if the body is longer than allowed, whatever
        length was announced.

        The app must not begin its answer before it has read the body, which is not checked.
        """
        left = most = self._most_bytes(scope)

        async def received() -> AsgiMessage:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge
            return message

        async def sent(message: AsgiMessage) -> None:
            if left >= 0:  # not what the app answers to half a body
                await send(message)

        with suppress(TooLarge):
            await self.app(scope, received, sent)
        if left < 0:
            answer = refusal(413, Message("web.too_large", {"most": most}))
            await answer(scope, receive, send)

    def _objection(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """Return the response that refuses a request; None if it may pass.

        Status 400 without a path, 431 if path and headers are too long, 421 for a host that is not
        ours, 403 for a change or a WebSocket that a foreign page asks for, 413 if the announced
        body is too long or its length is no number, 429 if the client has no token left; one of its
        tokens is taken if nothing else is wrong. *headers* are those of *scope*.
        """
        if not scope["path"].startswith("/"):  # OPTIONS *, CONNECT
            return refusal(400, Message("web.no_path"))
        if _length(scope) > self.settings.head:
            return refusal(431, Message("web.head_too_large", {"most": self.settings.head}))
        if _name(headers.get("host", "")) not in self.settings.hosts:
            if self.settings.proxies:  # a public server does not list its names
                return refusal(421, Message("web.wrong_name"))
            return refusal(
                421, Message("web.wrong_host", {"hosts": ", ".join(self.settings.hosts)})
            )
        writes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if writes and not self._same_origin(headers):
            return refusal(403, Message("web.wrong_origin"))
        length, most = headers.get("content-length", "0"), self._most_bytes(scope)
        if not length.isdecimal() or int(length) > most:
            return refusal(413, Message("web.too_large", {"most": most}))
        if wait := self.buckets.wait(client_address(scope)):
            return refusal(429, Message("web.too_many", {"seconds": ceil(wait)}))
        return None

    def _most_bytes(self, scope: Scope) -> int:
        """Return the largest number of bytes that the body of a request may have.

        It is `ServerSettings.upload` for every PUT to one of `student_paths`, and for the owner's
        PUTs and requests to one of `file_paths`; else `ServerSettings.body`.
        """
        path, may_send = scope["path"], scope.get("method") == "PUT"
        if path not in self.settings.student_paths:  # their routes ask for a code first
            may_send = may_send or path in self.settings.file_paths
            may_send = may_send and self.is_owner(HTTPConnection(scope))
        return self.settings.upload if may_send else self.settings.body

    def _same_origin(self, headers: Headers) -> bool:
        """Return whether a request comes from our own pages: Origin names the host (and port) of
        Host.

        True without an Origin, as programs send none.
        """
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2] == headers.get("host")


def client_address(scope: Scope) -> str:
    """Return the address that limits apply to: the client's, in the form of `network_of`.

    Headers are not read here: `ProxyHeadersMiddleware` has applied those of trusted proxies.
    """
    client = scope.get("client")
    return network_of(client[0] if client else "")


@lru_cache(10_000)
def network_of(host: str) -> str:
    """Return the network that limits apply to: an IPv4 address itself, of IPv6 its /64 as
    ``2001:db8::/64``.

    IPv4 within IPv6 counts as IPv4. ``unknown`` if *host* is no address.
    """
    try:
        found = ip_address(host)
    except ValueError:
        return "unknown"
    found = getattr(found, "ipv4_mapped", None) or found
    return str(ip_network((found, 64), strict=False) if found.version == 6 else found)


def _length(scope: Scope) -> int:
    """Return the number of bytes of path, query and headers of the ASGI *scope*, without
    separators.
    """
    asked = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
    return asked + sum(len(name) + len(value) for name, value in scope["headers"])


def _name(host: str) -> str:
    """Return the host name in a Host header, in lower case and without the port; IPv6 keeps its
    brackets.
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _with_headers(send: Send) -> Send:
    """Return an ASGI *send* that adds `HEADERS` to each response."""

    async def sent(message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sent


LOGGER = logging.getLogger("papan.web")
LOG_CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "papan.web.guard.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "papan.web": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON.

    Its keys are time (ISO 8601 in UTC), level, event (the message), those of the dict *facts* of
    the record, if it has one, and error (a traceback) if there is an exception.
    """

    def format(self, record: logging.LogRecord) -> str:
        facts = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            facts["error"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False)


class ResponseLog:
    """ASGI middleware that logs each response of *app* when it has ended: method, kind, status,
    milliseconds.

    Status 0: none was sent. The kind is that of `request_kind`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def sent(message: AsgiMessage) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            facts = {
                "method": scope["method"],
                "kind": request_kind(scope["path"]),
                "status": status,
            }
            facts["ms"] = round((perf_counter() - began) * 1000)
            LOGGER.info("answer", extra={"facts": facts})


def request_kind(path: str) -> str:
    """Return the beginning of *path* that tells what is asked for, without names and codes after
    it.

    It is the first part, as ``/help`` of ``/help/dots``; of the API the first three, as
    ``/api/v1/rooms``. Empty if *path* does not begin with a slash.
    """
    words = path.split("/")
    if words[0] or len(words) < 2:  # not a path
        return ""
    return "/".join(words[:4] if words[1] == "api" else words[:2])
