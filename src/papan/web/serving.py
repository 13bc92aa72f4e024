"""A server from start to stop: a free port, the browser, its connections, and a quiet end.

Connections have limits that uvicorn lacks: it counts all of them together, waits for ever for a
request that never comes, and answers every ping of a WebSocket, whoever reads the answers.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import socket
import webbrowser
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any, Protocol

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from papan.core import PapanError
from papan.core.message import Message
from papan.web.app import build
from papan.web.guard import CONFIGURATION, Buckets, network_of
from papan.web.owner import FolderLock, Owner, door, with_code
from papan.web.settings import LOOPBACK, MESSAGE_SECONDS, MESSAGES, Settings
from papan.web.wire import complaint
from papan.web.worker_group import Compiled

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

    unused: dict[asyncio.Protocol, None]
    """Connections without a whole request, the longest first; all of a server share it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._coming, self._leaving = Timer(self), Timer(self)
        self._coming.start(self.settings.slow_seconds)
        if self._crowded():
            transport.write(_refusal())
            self._coming.end()
            return
        if len(self.connections) > self.settings.all_connections:
            self._shed()
        self.unused[self] = None

    def data_received(self, data: bytes) -> None:
        self._coming.start(self.settings.slow_seconds)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._coming.stop()  # the whole request is here
            self.unused.pop(self, None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:  # else the next came
            self.unused[self] = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._leaving.end()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._coming.stop()
        self.unused.pop(self, None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._coming.stop()
        self.unused.pop(self, None)
        super().connection_lost(exc)

    def _shed(self) -> None:
        """End the connection that has been of no use for longest, else one of whoever has most.

        Who comes now, and asks, is served; who only comes is the oldest some day.
        """
        victim: Any = next(iter(self.unused), None)
        if victim is None:
            shares = Counter(network_of(_host(each)) for each in self.connections)
            greediest, most = shares.most_common(1)[0]
            if most < shares[network_of(_host(self))] + 2:
                return
            theirs = (each for each in self.connections if network_of(_host(each)) == greediest)
            victim = next(theirs)
        self.unused.pop(victim, None)
        victim.transport.abort()

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
    return type("Http", (Http,), terms | {"unused": {}}), type("Socket", (Socket,), terms)


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
    body = json.dumps(
        complaint(Message("web.too_many_connections", {"seconds": KEEP_ALIVE}))
    ).encode()
    head = (
        "HTTP/1.1 429 Too Many Requests",
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"retry-after: {KEEP_ALIVE}",
        "connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


DRAIN_SECONDS = 5
"""How long answers may still take once the server is told to stop."""
BUSY_CONNECTIONS = 100
"""How many more than `Settings.all_connections` there may be, where none of them can be ended."""
ELSEWHERE = "192.0.2.1"  # an address that nobody has
ANYWHERE = ("0.0.0.0", "::")
"""What a server listens on that takes requests at all addresses of the machine."""


class Terminal(Protocol):
    """Where the server was started."""

    def announce(self, url: str, lacking: PapanError | None) -> None:
        """Hear the address for the owner, and why nothing can be kept, where that is so."""

    def count(self, compiled: Compiled) -> None:
        """Hear how far the compiler is."""


def serve(
    host: str, port: int | None, browse: bool, terminal: Terminal, settings: Settings
) -> None:
    """Serve until told to stop; raises `FolderInUse` where another server has the same data."""
    host = bare(host)
    lock = FolderLock(settings.data)
    lock.take()
    with closing(lock), listening(host, port, settings.port) as listener:
        number = listener.getsockname()[1]
        settings = replace(settings, port=number)
        if bracketed(host) not in LOOPBACK and not settings.proxies:
            settings = settings.for_a_network(names(host))
        place = names(host)[-1] if host in ANYWHERE else bracketed(host)
        url, owner = f"http://{place}:{number}/", Owner(settings)
        lock.announce(url, settings.token)

        def started() -> None:
            terminal.announce(with_code(url, owner.code()), lock.lacking)
            if browse:
                page = with_code(url, owner.code())
                Thread(target=show, args=(settings.data, page), daemon=True).start()

        app = build(settings, lock, started, terminal.count, owner)
        logging.getLogger("uvicorn.error").addFilter(_is_a_fault)
        Server(configuration(settings, app)).run([listener])


def _is_a_fault(record: logging.LogRecord) -> bool:
    """Is it worth telling? What the server itself cancels when its time is over is no fault."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError)


class Server(uvicorn.Server):
    """A server whose searches say their last word before it cuts their streams."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """It stops within seconds: who is impatient (Ctrl-C once more) changes nothing."""
        super().handle_exit(sig, frame)
        self.force_exit = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        stopping = asyncio.create_task(self.lifespan.state["pool"].stop())
        await super().shutdown(sockets)
        stopping.cancel()


def configuration(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    """The app as uvicorn runs it, within the bounds of *settings*."""
    http, ws = protocols(settings)
    return uvicorn.Config(
        app,
        log_config=CONFIGURATION if settings.log else LOGGING_CONFIG,
        log_level="warning",
        access_log=False,
        http=http,
        ws=ws,
        h11_max_incomplete_event_size=settings.head,
        limit_concurrency=settings.all_connections + BUSY_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        proxy_headers=False,  # the app itself reads those of proxies that it knows
        server_header=False,
        ws_max_size=4096,
    )


def show(folder: Path, url: str) -> None:
    """Open the browser, however long that takes; its command line tells nobody the code in *url*.

    Where no page can be left in *folder*, it is opened without the code.
    """
    page = url.partition("?")[0]
    with suppress(OSError):
        page = door(folder, url)
    webbrowser.open(page)


def bare(host: str) -> str:
    """An address as sockets know it."""
    return host.strip("[]")


def bracketed(host: str) -> str:
    """An address as browsers write it: one of the sixth version in brackets."""
    return f"[{host}]" if ":" in host else host


def names(host: str) -> tuple[str, ...]:
    """What others may call this machine when it listens on *host*: its names and addresses."""
    own = socket.gethostname().lower()
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ELSEWHERE, 1))  # sends nothing: only asks which address would be used
            address = probe.getsockname()[0]
        except OSError:  # there is no network
            address = host
    return (*LOOPBACK, bracketed(host.lower()), own, f"{own}.local", bracketed(address))


def listening(host: str, port: int | None, usual: int = 0) -> socket.socket:
    """A socket on the port that was asked for; else on the usual one, or any that is free."""
    number = usual if port is None else port
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, number))
        listener.listen()  # from here on nobody is refused, however long the start takes
    except (OSError, OverflowError) as error:
        listener.close()
        busy = getattr(error, "errno", 0) == errno.EADDRINUSE
        if busy and port is None and usual:
            return listening(host, port)
        key = "web.port_taken" if busy else "web.cannot_listen"
        raise PapanError(key, host=host, port=number, why=error) from None
    return listener
