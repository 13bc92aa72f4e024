"""Run the server: its port, limits of its connections, the browser, and an orderly stop.

Connections have limits that uvicorn lacks: it counts all of them together, waits without limit for
a request to arrive, and answers every ping of a WebSocket. So `HttpConnection` and
`WebSocketConnection` override methods of its protocol classes (uvicorn 0.54, websockets 17). These
are no public interface: `tests/web/test_connections.py` fails if a later uvicorn changes one of
them.
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
from starlette.status import WS_1007_INVALID_FRAME_PAYLOAD_DATA, WS_1008_POLICY_VIOLATION
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from papan.core import PapanError
from papan.core.message import Message
from papan.core.progress import Progress
from papan.web.app import build_app
from papan.web.guard import LOG_CONFIGURATION, TokenBuckets, network_of
from papan.web.network import bare, bracketed, host_names
from papan.web.owner import FolderLock, Owner, link_page, with_code
from papan.web.settings import LOOPBACK, MESSAGE_SECONDS, MESSAGES, ServerSettings
from papan.web.wire import error_body

KEEP_ALIVE = 5
"""Seconds that a connection may be idle between two requests, or take for its last bytes."""


class ConnectionTimer:
    """Closes the connection of *protocol* some seconds after `start`, unless it is stopped
    before.
    """

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self.protocol: Any = protocol
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> None:
        """Close the connection in *seconds*; do nothing if the timer runs already."""
        if self._handle is None:
            self._handle = self.protocol.loop.call_later(seconds, self.end)

    def stop(self) -> None:
        """Stop the timer, so that it closes nothing; it may be started again."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def end(self) -> None:
        """Close the connection now; after `KEEP_ALIVE` seconds drop what its client has not
        read.
        """
        transport = self.protocol.transport
        transport.close()
        self.protocol.loop.call_later(KEEP_ALIVE, transport.abort)


class ReadDeadline(asyncio.Protocol):
    """Mixin for uvicorn's protocols: closes a connection whose client reads nothing for
    `ServerSettings.slow_seconds`.
    """

    settings: ServerSettings
    """The limits of the server."""
    _leaving: ConnectionTimer
    """Runs while the client does not read."""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._leaving.start(self.settings.slow_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._leaving.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leaving.stop()
        super().connection_lost(exc)


class HttpConnection(ReadDeadline, H11Protocol):
    """An HTTP connection, limited in number, with deadlines for its requests and responses.

    A connection beyond `ServerSettings.connections` of its address gets status 429 and is closed;
    for one beyond `ServerSettings.all_connections` another is closed, as `_close_another` says.
    Servers use the classes that `protocols` returns.
    """

    unused: dict[asyncio.Protocol, None]
    """Connections without a complete request, the oldest first; shared by all of a server."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._coming, self._leaving = ConnectionTimer(self), ConnectionTimer(self)
        self._coming.start(self.settings.slow_seconds)
        if self._is_one_too_many():
            transport.write(_too_many_connections())
            self._coming.end()
            return
        if len(self.connections) > self.settings.all_connections:
            self._close_another()
        self.unused[self] = None

    def data_received(self, data: bytes) -> None:
        self._coming.start(self.settings.slow_seconds)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._coming.stop()  # the request is complete
            self.unused.pop(self, None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:  # no next request yet
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

    def _close_another(self) -> None:
        """Close the connection that has been unused longest, of any address.

        If all are used, close one of the address that has most, provided that it has at least two
        more than the address of this connection; else none. So a new client that sends a request is
        served, and one that only connects is closed in turn.
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

    def _is_one_too_many(self) -> bool:
        """Return whether this client's address has too many connections; trusted proxies never
        have.
        """
        host = _host(self)
        if any(_within(host, proxy) for proxy in self.settings.proxies):
            return False
        own = network_of(host)
        count = sum(network_of(_host(each)) == own for each in self.connections)
        return count > self.settings.connections


class WebSocketConnection(ReadDeadline, WebSocketsSansIOProtocol):
    """A WebSocket that closes with 1008 after too many pings, pongs and fragments of messages.

    These three are counted together, apart from messages, and have the same limit as those:
    `MESSAGES` in `MESSAGE_SECONDS`. The first frame of a message is no fragment. A text that is not
    UTF-8 closes it with code 1007; uvicorn would also log a traceback.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._leaving = ConnectionTimer(self)
        self._credits = TokenBuckets(MESSAGES / MESSAGE_SECONDS, MESSAGES)

    def handle_ping(self) -> None:
        if self._granted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._granted():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._granted():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(WS_1007_INVALID_FRAME_PAYLOAD_DATA)
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._leaving.end()

    def _granted(self) -> bool:
        """Return whether one more ping, pong or fragment may be received, and count it.

        If there were too many, close the connection with 1008. False if it is closed already.
        """
        if self.close_sent or not self._credits.wait(""):
            return not self.close_sent
        self._fail(WS_1008_POLICY_VIOLATION)
        return False

    def _fail(self, code: int) -> None:
        """Close the connection with the WebSocket close code *code*."""
        self.conn.fail(code)
        self.handle_parser_exception()
        self._leaving.end()


def protocols(settings: ServerSettings) -> tuple[type[HttpConnection], type[WebSocketConnection]]:
    """Return the protocol classes of one server, for HTTP and for WebSockets, with the limits of
    *settings*.
    """
    shared = {"settings": settings}
    http = type("HttpConnection", (HttpConnection,), shared | {"unused": {}})
    return http, type("WebSocketConnection", (WebSocketConnection,), shared)


def _host(connection: object) -> str:
    """Return the IP address of the client of *connection*, a protocol; empty if it is unknown."""
    client = getattr(connection, "client", None)
    return str(client[0]) if client else ""


def _within(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:  # not an address, or the other IP version
        return False


def _too_many_connections() -> bytes:
    """Return the bytes of a 429 response, head and body, that is sent before any request
    was read.
    """
    body = json.dumps(
        error_body(Message("web.too_many_connections", {"seconds": KEEP_ALIVE}))
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
"""Seconds that responses may still take after the server was told to stop."""
BUSY_CONNECTIONS = 100
"""Connections allowed beyond `ServerSettings.all_connections` while none can be closed."""
ANYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all addresses of the machine."""


class ServerConsole(Protocol):
    """Shows the progress of a server to the person who started it."""

    def announce(self, url: str, lacking: PapanError | None) -> None:
        """Show the owner's address *url*, which has a code for one browser; called once, when it
        can be used.

        *lacking* is the reason why nothing can be stored (None: it can).
        """

    def on_compiled(self, progress: Progress | None) -> None:
        """Show how many searches are compiled, of how many; None: compiling has ended."""


def run_server(
    host: str, port: int | None, browse: bool, console: ServerConsole, settings: ServerSettings
) -> None:
    """Serve the app until Ctrl-C or SIGTERM; open the browser if *browse*.

    *host* is the address to listen at; unless it is one of `LOOPBACK`, the app is served with the
    limits of a network, except where *settings* name a proxy. *console* shows where the server is,
    and its progress. Without *port* use the one of *settings*, or any that is free. After an
    orderly stop the signal takes effect: Ctrl-C raises KeyboardInterrupt, SIGTERM ends the process.
    Raise FolderInUse if another server uses the same data folder, PapanError if the port cannot be
    used.
    """
    host = bare(host)
    lock = FolderLock(settings.data)
    lock.take()
    with closing(lock), listening(host, port, settings.port) as listener:
        number = listener.getsockname()[1]
        settings = replace(settings, port=number)
        if bracketed(host) not in LOOPBACK and not settings.proxies:
            settings = settings.for_a_network(host_names(host))
        name = host_names(host)[-1] if host in ANYWHERE else bracketed(host)
        url, owner = f"http://{name}:{number}/", Owner(settings)
        lock.announce(url, settings.token)

        def started() -> None:
            console.announce(with_code(url, owner.code()), lock.lacking)
            if browse:
                page = with_code(url, owner.code())
                Thread(target=open_browser, args=(settings.data, page), daemon=True).start()

        app = build_app(settings, lock, started, console.on_compiled, owner)
        logging.getLogger("uvicorn.error").addFilter(_is_fault)
        Server(configuration(settings, app)).run([listener])


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether to log *record*: all but the CancelledError of streams that the stopping
    server ends.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError)


class Server(uvicorn.Server):
    """A uvicorn server that asks searches for their answers before it closes their streams."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in order, even on a second Ctrl-C, where uvicorn would break off: it takes only
        seconds.
        """
        super().handle_exit(sig, frame)
        self.force_exit = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        stopping = asyncio.create_task(self.lifespan.state["queue"].stop())
        await super().shutdown(sockets)
        stopping.cancel()


def configuration(settings: ServerSettings, app: ASGIApp) -> uvicorn.Config:
    """Return uvicorn's configuration for *app* with the limits of *settings*; it logs warnings and
    errors.
    """
    http, ws = protocols(settings)
    return uvicorn.Config(
        app,
        log_config=LOG_CONFIGURATION if settings.log else LOGGING_CONFIG,
        log_level="warning",
        access_log=False,
        http=http,
        ws=ws,
        h11_max_incomplete_event_size=settings.head,
        limit_concurrency=settings.all_connections + BUSY_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        proxy_headers=False,  # the app reads those of its own proxies
        server_header=False,
        ws_max_size=4096,
    )


def open_browser(folder: Path, url: str) -> None:
    """Open *url*, which has a code, through a page in *folder* that redirects to it.

    Other users can read command lines, and so the code in *url*; if *folder* cannot be written, the
    address is opened without the code. Nothing tells whether there is a browser.
    """
    page = url.partition("?")[0]
    with suppress(OSError):
        page = link_page(folder, url)
    webbrowser.open(page)


def listening(host: str, port: int | None, usual: int = 0) -> socket.socket:
    """Return a socket that listens on *host* and *port*; None: on *usual*, or on any free port if
    that is taken or 0.

    *host* is an address or name as `bare` returns it. Raise PapanError if the port is taken or
    cannot be used.
    """
    number = usual if port is None else port
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, number))
        listener.listen()  # connections wait from now on, however long the start takes
    except (OSError, OverflowError) as error:
        listener.close()
        busy = getattr(error, "errno", 0) == errno.EADDRINUSE
        if busy and port is None and usual:
            return listening(host, port)
        key = "web.port_taken" if busy else "web.cannot_listen"
        raise PapanError(key, host=host, port=number, why=error) from None
    return listener
