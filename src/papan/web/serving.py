"""A server from start to stop: a free port, the browser, and a quiet end."""

from __future__ import annotations

import errno
import socket
import webbrowser
from contextlib import closing
from dataclasses import replace
from threading import Thread
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG

from papan.core import PapanError
from papan.web import log
from papan.web.app import build
from papan.web.connections import KEEP_ALIVE, protocols
from papan.web.folder_lock import FolderLock
from papan.web.owner import PARAMETER
from papan.web.settings import LOOPBACK, Settings
from papan.web.worker_group import Compiled

DRAIN_SECONDS = 5
"""How long answers may still take once the server is told to stop."""
CONNECTIONS = 1_000
ELSEWHERE = "192.0.2.1"  # an address that nobody has


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
        settings = replace(settings, port=number, token=lock.token() or settings.token)
        if bracketed(host) not in LOOPBACK and not settings.proxies:
            settings = settings.for_a_network(names(host))
        url = f"http://{bracketed(host)}:{number}/?{PARAMETER}={settings.token}"
        lock.announce(url, settings.token)

        def started() -> None:
            terminal.announce(url, lock.lacking)
            if browse:
                show(url)

        app = build(settings, lock, started, terminal.count)
        uvicorn.Server(configuration(settings, app)).run([listener])


def configuration(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    """The app as uvicorn runs it, within the bounds of *settings*."""
    http, ws = protocols(settings)
    return uvicorn.Config(
        app,
        log_config=log.CONFIGURATION if settings.log else LOGGING_CONFIG,
        log_level="warning",
        access_log=False,
        http=http,
        ws=ws,
        h11_max_incomplete_event_size=settings.head,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        proxy_headers=False,  # the app itself reads those of proxies that it knows
        server_header=False,
        ws_max_size=4096,
    )


def show(url: str) -> None:
    """Open the browser, however long that takes."""
    Thread(target=webbrowser.open, args=[url], daemon=True).start()


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
    wanted = [usual, 0] if port is None else [port]
    for number in wanted:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen()  # from here on nobody is refused, however long the start takes
        except (OSError, OverflowError) as error:
            listener.close()
            busy = getattr(error, "errno", 0) == errno.EADDRINUSE
            if busy and number != wanted[-1]:
                continue
            key = "web.port_taken" if busy else "web.cannot_listen"
            raise PapanError(key, host=host, port=number, why=error) from None
        return listener
    raise AssertionError("there is always a last port to try")
