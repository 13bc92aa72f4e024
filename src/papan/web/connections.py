"""Limits of connections, below HTTP: how many one address has, how long they may be silent.

What uvicorn lacks: it counts all connections together, waits for ever for a request that never
comes, and answers every ping of a WebSocket, whoever reads the answers.
"""

from __future__ import annotations

import asyncio
import json
from ipaddress import ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from papan.web.guard import Buckets, network_of
from papan.web.settings import MESSAGE_SECONDS, MESSAGES, Settings
from papan.web.wire import complaint

KEEP_ALIVE = 5
"""Seconds in which a connection may rest between two requests, and its last bytes may leave."""
FLOOD = 1008


class Timer:
    """Ends a connection in a while, unless it is stopped before."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self.protocol: Any = protocol
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> None:
        """Let the time run; one that runs already goes on as it is."""
        if self._handle is None:
            self._handle = self.protocol.loop.call_later(seconds, self.end)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def end(self) -> None:
        """Close the connection; what its client does not read by then is dropped."""
        transport = self.protocol.transport
        transport.close()
        self.protocol.loop.call_later(KEEP_ALIVE, transport.abort)


class Reader(asyncio.Protocol):
    """A connection that ends where its client does not read what it is sent."""

    settings: Settings
    _leaving: Timer

    def pause_writing(self) -> None:
        super().pause_writing()
        self._leaving.start(self.settings.slow_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._leaving.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leaving.stop()
        super().connection_lost(exc)


class Http(Reader, H11Protocol):
    """A connection for requests: each must have come, and its answer be read, in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._coming, self._leaving = Timer(self), Timer(self)
        self._coming.start(self.settings.slow_seconds)
        if self._crowded():
            transport.write(_refusal())
            self._coming.end()

    def data_received(self, data: bytes) -> None:
        self._coming.start(self.settings.slow_seconds)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._coming.stop()  # the whole request is here

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._leaving.end()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._coming.stop()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._coming.stop()
        super().connection_lost(exc)

    def _crowded(self) -> bool:
        """Has this address too many? A proxy has those of all its guests: it counts them itself."""
        host = _host(self)
        if any(_within(host, proxy) for proxy in self.settings.proxies):
            return False
        own = network_of(host)
        count = sum(network_of(_host(each)) == own for each in self.connections)
        return count > self.settings.connections


class Socket(Reader, WebSocketsSansIOProtocol):
    """A WebSocket whose pings and pieces of messages count as its messages do."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._leaving = Timer(self)
        self._credits = Buckets(MESSAGES / MESSAGE_SECONDS, MESSAGES)

    def handle_ping(self) -> None:
        if self._granted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._granted():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._granted():
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leaving.end()

    def _granted(self) -> bool:
        """May one more frame come? Else the connection ends."""
        if self.close_sent or not self._credits.wait(""):
            return not self.close_sent
        self.conn.fail(FLOOD)
        self.handle_parser_exception()
        self._leaving.end()
        return False


def protocols(settings: Settings) -> tuple[type[Http], type[Socket]]:
    """What a server speaks with its guests, within the bounds of *settings*."""
    terms = {"settings": settings}
    return type("Http", (Http,), terms), type("Socket", (Socket,), terms)


def _host(connection: object) -> str:
    """Where a connection comes from."""
    client = getattr(connection, "client", None)
    return str(client[0]) if client else ""


def _within(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:  # no address, or of the other version
        return False


def _refusal() -> bytes:
    """An answer to somebody who has not asked yet."""
    body = json.dumps(complaint("web.too_many_connections", {"seconds": KEEP_ALIVE})).encode()
    head = (
        "HTTP/1.1 429 Too Many Requests",
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"retry-after: {KEEP_ALIVE}",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body
