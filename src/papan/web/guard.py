"""In front of the app: what no request may do, how many may come, safe headers, and the log.

A server on loopback needs the guard as well: any page that its user visits can send requests to it.
What is written down is one JSON object a line, and nothing that tells who asked. No address, no
position, no name of a room or a search: only what kind of question it was.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncIterator, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from time import monotonic, perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from papan.core.message import Message
from papan.web.settings import DAY, Settings
from papan.web.wire import refusal

MOST_ADDRESSES = 10_000
"""How many addresses are remembered; who has been quiet longest is forgotten first."""


class Buckets:
    """A bucket for each address: a request takes one token out."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, now: float | None = None) -> float:
        """Take a token for *address*: 0, or the seconds until there is one."""
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
    """How long each address has let the server think today, by a clock that nobody can set."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._day = 0
        self._spent: defaultdict[str, float] = defaultdict(float)

    def wait(self, address: str, now: float | None = None) -> float:
        """0 while *address* has seconds left, else how long it is until the next day."""
        now = self._turn_the_page(now)
        spent = bool(self.seconds) and self._spent.get(address, 0) >= self.seconds
        return DAY - now % DAY if spent else 0

    def spend(self, address: str, seconds: float, now: float | None = None) -> None:
        """Note down how long a search took."""
        if self.seconds:
            self._turn_the_page(now)
            self._spent[address] += seconds

    def _turn_the_page(self, now: float | None) -> float:
        now = monotonic() if now is None else now
        if self._day != now // DAY:
            self._day = int(now // DAY)
            self._spent.clear()
        return now


class Turns:
    """Lets each address have so many things done at a time; the others of it wait in order."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._places: dict[str, asyncio.Semaphore] = {}
        self._askers: Counter[str] = Counter()

    def of(self, scope: MutableMapping[str, Any]) -> AbstractAsyncContextManager[None]:
        """Wait for the turn of whoever asks, and have it."""
        return self.taken(address(dict(scope)))

    @asynccontextmanager
    async def taken(self, address: str) -> AsyncIterator[None]:
        """Wait until it is the turn of *address*, and have it."""
        place = self._places.setdefault(address, asyncio.Semaphore(self.most))
        self._askers[address] += 1
        try:
            async with place:
                yield
        finally:
            self._askers[address] -= 1
            if not self._askers[address]:
                del self._askers[address], self._places[address]


SAFE = ("GET", "HEAD", "OPTIONS")

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
    """The body of a request is longer than allowed."""


class Guard:
    """Wraps the whole app: checks each request before anything else sees it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.buckets = Buckets(settings.rate, settings.burst)

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
        """Let the app answer, unless the body is too long: also where no length was announced."""
        left = self.settings.body

        async def received() -> AsgiMessage:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLarge
            return message

        async def sent(message: AsgiMessage) -> None:
            if left >= 0:  # what the app makes of half a body is nobody's answer
                await send(message)

        with suppress(TooLarge):
            await self.app(scope, received, sent)
        if left < 0:
            answer = refusal(413, Message("web.too_large", {"most": self.settings.body}))
            await answer(scope, receive, send)

    def _objection(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        """What turns a request away; None for a good one."""
        if not scope["path"].startswith("/"):  # OPTIONS *, CONNECT
            return refusal(400, Message("web.no_path"))
        if _length(scope) > self.settings.head:
            return refusal(431, Message("web.head_too_large", {"most": self.settings.head}))
        if _name(headers.get("host", "")) not in self.settings.hosts:
            if self.settings.proxies:  # strangers are told no names
                return refusal(421, Message("web.wrong_name"))
            return refusal(
                421, Message("web.wrong_host", {"hosts": ", ".join(self.settings.hosts)})
            )
        writes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if writes and not self._same_origin(headers):
            return refusal(403, Message("web.wrong_origin"))
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.body:
            return refusal(413, Message("web.too_large", {"most": self.settings.body}))
        if wait := self.buckets.wait(address(scope)):
            return refusal(429, Message("web.too_many", {"seconds": ceil(wait)}))
        return None

    def _same_origin(self, headers: Headers) -> bool:
        """Does it come from our own pages? Programs that are no browsers name no origin."""
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2] == headers.get("host")


def address(scope: Scope) -> str:
    """Who is asking. No header is believed here: a proxy's are only read where it is trusted.

    A network has many addresses of the sixth version: what their first half says counts.
    """
    client = scope.get("client")
    return network_of(client[0] if client else "")


@lru_cache(10_000)
def network_of(host: str) -> str:
    """What counts as one of an address."""
    try:
        found = ip_address(host)
    except ValueError:
        return "unknown"
    found = getattr(found, "ipv4_mapped", None) or found
    return str(ip_network((found, 64), strict=False) if found.version == 6 else found)


def _length(scope: Scope) -> int:
    """The bytes of what comes before the body."""
    asked = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
    return asked + sum(len(name) + len(value) for name, value in scope["headers"])


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _with_headers(send: Send) -> Send:
    async def armed(message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return armed


LOGGER = logging.getLogger("papan.web")
CONFIGURATION: dict[str, Any] = {
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
    """Each record as one line of JSON."""

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


class Logged:
    """Wraps the app: a line for each answer, when it is complete."""

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
            facts = {"method": scope["method"], "kind": kind(scope["path"]), "status": status}
            facts["ms"] = round((perf_counter() - began) * 1000)
            LOGGER.info("answer", extra={"facts": facts})


def kind(path: str) -> str:
    """What a path asks for: the screen, or the question of the API, without what it is about."""
    words = path.split("/")
    if words[0] or len(words) < 2:  # no path at all
        return ""
    return "/".join(words[:4] if words[1] == "api" else words[:2])
