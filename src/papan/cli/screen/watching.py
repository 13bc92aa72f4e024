"""The screen on which agents play each other: play, pause, step, back, speed."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer

from papan.cli.language import say
from papan.cli.screen.game_screen import MORE_KEYS, GameScreen, ScreenContext
from papan.lab.session import Session

SLOWEST, FASTEST = 0.25, 16.0
"""Moves a second."""


class WatchScreen(GameScreen):
    """A game of agents only; *speed* is moves a second, 0 for as fast as they come."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "screen.word_pause", tooltip="screen.help_pause"),
        Binding("right", "step", "screen.word_step", tooltip="screen.help_step"),
        Binding("left", "back", "screen.word_back", tooltip="screen.help_back"),
        Binding("plus", "speed(2)", "screen.word_faster", tooltip="screen.help_faster"),
        Binding("minus", "speed(0.5)", "screen.word_slower", tooltip="screen.help_slower"),
        *MORE_KEYS,
    ]

    def __init__(self, session: Session, context: ScreenContext, speed: float) -> None:
        super().__init__(session, context)
        self.speed = speed
        self.playing = True
        self._next: Timer | None = None

    def begin_turn(self) -> None:
        """Wait a moment, so that people can follow."""
        if self._next is not None:
            self._next.stop()
        if self.playing and self.record.end == "open":
            self._next = self.set_timer(1 / self.speed if self.speed else 0.001, self.advance)

    def advance(self) -> None:
        """Make the next move: one that was taken back, or a new one."""
        if self.thinker is not None or self.record.end != "open":
            return
        if self.session.undone:
            self.session.redo()
            self.go_on()
        elif self.session.agent is not None:
            self.think(self.session.agent)

    def turn_line(self) -> str:
        if self.record.end != "open" or self.thinker is not None:
            return super().turn_line()
        if not self.playing:
            return say("screen.paused")
        return say("screen.playing", speed=f"{self.speed:g}" if self.speed else "\u221e")

    def action_pause(self) -> None:
        """Pause, or play on."""
        self.playing = not self.playing
        self.begin_turn()
        self.show_state()

    def action_step(self) -> None:
        """One move on, then pause."""
        self.playing = False
        self.advance()
        self.show_state()

    def action_back(self) -> None:
        """One move back, then pause."""
        self.playing = False
        self.session.undo()
        self.go_on()

    def action_speed(self, factor: float) -> None:
        """Faster or slower."""
        self.speed = min(FASTEST, max(SLOWEST, (self.speed or FASTEST) * factor))
        self.show_state()
