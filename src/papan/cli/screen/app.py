"""The app around the screens: it opens them one after another."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from papan.cli.interrupt import INTERRUPTED
from papan.cli.screen.game_screen import ScreenContext
from papan.cli.screen.home import HomeScreen
from papan.cli.screen.play import PlayScreen
from papan.lab.clock import Clock
from papan.lab.session import Session, rematch


class PapanApp(App[None]):
    """Games, one after another; *opening* makes the first screen."""

    TITLE = "papan"
    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (61, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self, context: ScreenContext, opening: Callable[[], Screen[None]]) -> None:
        super().__init__()
        self.context = context
        self.opening = opening

    def on_mount(self) -> None:
        self.push_screen(self.opening())

    def on_home_screen_chosen(self, message: HomeScreen.Chosen) -> None:
        self._play(message.session, message.clock)

    def on_play_screen_left(self, message: PlayScreen.Left) -> None:
        if message.again:
            self._play(rematch(message.session, secrets.randbelow(10**6)), Clock(message.seconds))
        else:
            self.switch_screen(HomeScreen())

    def action_interrupt(self) -> None:
        """End as other programs do on Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def _play(self, session: Session, clock: Clock) -> None:
        self.context.sessions.append(session)
        self.switch_screen(PlayScreen(session, self.context, clock))
