"""The terminal screen, made with Textual: imported only when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from papan.cli.interrupt import INTERRUPTED
from papan.cli.screen.app import PapanApp
from papan.cli.screen.game_screen import ScreenContext as ScreenContext
from papan.cli.screen.home import HomeScreen
from papan.cli.screen.play import PlayScreen
from papan.cli.screen.watching import WatchScreen
from papan.lab.clock import Clock
from papan.lab.session import Session


def show(context: ScreenContext, session: Session, clock: Clock) -> None:
    """Play *session*, and more games if people like."""
    context.sessions.append(session)
    _run(context, lambda: PlayScreen(session, context, clock))


def choose_and_show(context: ScreenContext) -> None:
    """Let people choose a game and play it."""
    _run(context, HomeScreen)


def watch(context: ScreenContext, session: Session, speed: float) -> None:
    """Watch agents play *session*."""
    _run(context, lambda: WatchScreen(session, context, speed))


def _run(context: ScreenContext, opening: Callable[[], Screen[None]]) -> None:
    app = PapanApp(context, opening)
    app.run()
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    if app.return_code:
        raise SystemExit(app.return_code)
