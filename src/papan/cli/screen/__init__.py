"""The terminal screen, made with Textual: imported only when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from papan.cli.interrupt import INTERRUPTED
from papan.cli.screen.app import PapanApp
from papan.cli.screen.home import HomeScreen
from papan.cli.screen.play import PlayScreen
from papan.cli.screen.table import Table as Table
from papan.cli.screen.watching import WatchScreen
from papan.lab.clock import Clock
from papan.lab.session import Session


def show(table: Table, session: Session, clock: Clock) -> None:
    """Play *session*, and more games if people like."""
    table.sessions.append(session)
    _run(table, lambda: PlayScreen(session, table, clock))


def choose_and_show(table: Table) -> None:
    """Let people choose a game and play it."""
    _run(table, HomeScreen)


def watch(table: Table, session: Session, speed: float) -> None:
    """Watch agents play *session*."""
    _run(table, lambda: WatchScreen(session, table, speed))


def _run(table: Table, opening: Callable[[], Screen[None]]) -> None:
    app = PapanApp(table, opening)
    app.run()
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    if app.return_code:
        raise SystemExit(app.return_code)
