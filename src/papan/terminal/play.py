"""The screens on which people play, and on which agents play each other."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from papan.core import Analysis, PapanError
from papan.core.session import Session, picked_move
from papan.terminal.board import Board, spots_of
from papan.terminal.dialogs import Choosing
from papan.terminal.game_screen import MORE_KEYS, GameScreen, ScreenContext, Thinker, words
from papan.terminal.games import Clock
from papan.terminal.line_mode import FOLLOW
from papan.terminal.output import language, say


class PlayScreen(GameScreen):
    """A game with at least one person."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "play.word_undo", tooltip="play.help_undo"),
        Binding("h", "hint", "play.word_hint", tooltip="screen.help_hint"),
        Binding("m", "move_now", "screen.word_now", tooltip="screen.help_now"),
        Binding("S", "shuffle", "play.word_shuffle", tooltip="play.help_shuffle"),
        Binding("n", "new", "screen.word_new", tooltip="screen.help_new"),
        *MORE_KEYS,
        Binding("r", "redo", "play.word_redo", tooltip="play.help_redo"),
        Binding("slash", "type", "screen.word_type", tooltip="screen.help_type"),
        Binding("x", "resign", "play.word_resign", tooltip="play.help_resign"),
        Binding("escape", "stop_typing", show=False),
    ]

    class Left(Message):
        """The players want another game: the same one *again*, or one to choose."""

        def __init__(self, session: Session, seconds: float, again: bool) -> None:
            super().__init__()
            self.session = session
            self.seconds = seconds
            self.again = again

    def __init__(self, session: Session, context: ScreenContext, clock: Clock) -> None:
        super().__init__(session, context)
        self.clock = clock
        self.seconds = clock.left
        self.hints = False
        self.following = False

    def foot(self) -> ComposeResult:
        yield from super().foot()
        yield Input(placeholder=say("screen.type_here"), compact=True)

    @property
    def seconds_left(self) -> float:
        return self.clock.left

    def on_unmount(self) -> None:
        self.clock.stop()

    def look(self) -> None:
        if self.clock.running and self.clock.left <= 0:
            self.session.give_up("timeout", self.session.position.turn)
            self.go_on()
        super().look()

    def begin_turn(self) -> None:
        """Let an agent think: the one to move, or the adviser while hints are on."""
        if self.person_to_move:
            self.clock.start()
        else:
            self.clock.stop()
        if self.record.end == "open" and self.session.agent is not None:
            self.think(self.session.agent)
        elif self.record.end == "open" and self.hints:
            self.think(self.context.adviser)

    def answered(self, thinker: Thinker) -> None:
        following, self.following = self.following, False
        if not self.person_to_move:
            super().answered(thinker)
        elif following and isinstance(thinker.answer, Analysis):
            self.session.play(thinker.answer.move)
            self.go_on()
        elif isinstance(thinker.answer, Analysis):
            name = self.session.game.move_name(thinker.answer.move)
            self.note = say("play.hint", move=name)
            self.board.hint = spots_of(self.board.spots, name)
            self.board.point()
        else:
            self.note = words(thinker.answer)

    def turn_line(self) -> str:
        if self.board.picked:
            return say("screen.second", spot=self.board.picked[0])
        if self.record.end == "stuck" and self.session.can_shuffle:
            return say("screen.stuck")
        return super().turn_line()

    def on_board_picked(self, message: Board.Picked) -> None:
        if message.spot in self.board.picked:  # picked twice: let go of it
            self.board.picked = ()
        elif self.board.move_by(message.spot) is None and self.person_to_move:
            self.board.picked = (*self.board.picked, message.spot)
        else:
            self.attempt("".join((*self.board.picked, message.spot)))
        self.board.point()
        self.show_state()

    def attempt(self, name: str) -> None:
        """Make the move of this *name*, or say why not."""
        refusal = self._refusal(name)
        if refusal is None:
            self.session.play(name)
            self.go_on()
        else:
            self.note = refusal
            self.board.picked = ()
            self.board.point()

    def _refusal(self, name: str) -> str | None:
        """Why the move of this *name* cannot be made now."""
        position = self.session.position
        if self.record.end != "open":
            return say("screen.over")
        if self.session.agent is not None:
            return say("screen.wait", agent=self.session.agent.spec)
        try:
            picked_move(position, name)
        except PapanError as error:
            return error.text(language())
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        session, end = self.session, self.record.end
        possible = {
            "undo": bool(session.plies) and end != "timeout",
            "redo": bool(session.undone),
            "hint": end == "open",
            "move_now": self.thinker is not None,
            "shuffle": session.can_shuffle,
            "resign": end == "open",
            "type": end == "open",
        }
        return possible.get(action, super().check_action(action, parameters))

    def action_undo(self) -> None:
        """Take back to the last choice of a person."""
        self.go_on(say("play.undone", plies=self.session.undo()))

    def action_redo(self) -> None:
        """Make the moves again that were taken back."""
        self.go_on(say("play.redone", plies=self.session.redo()))

    def action_hint(self) -> None:
        """Switch the hints on or off; they stay as they are until then."""
        self.hints = not self.hints
        note = say("screen.hints_on" if self.hints else "screen.hints_off")
        if self.person_to_move:
            self.go_on(note)
        else:
            self.note = note
            self.show_state()

    def follow(self) -> None:
        """Make the move that the adviser would make."""
        if self.person_to_move:
            self.go_on()
            self.following = True
            self.think(self.context.adviser)

    def action_move_now(self) -> None:
        """Take the best move so far of whoever thinks."""
        if self.thinker is not None:
            self.thinker.stop()

    def action_shuffle(self) -> None:
        """Put the pieces in another order."""
        self.session.shuffle()
        self.go_on(say("play.shuffled"))

    def action_resign(self) -> None:
        """Ask, then give up."""
        answers = {"yes": say("screen.yes"), "no": say("screen.no")}
        self.app.push_screen(Choosing(say("screen.resign"), answers), self._resign)

    def _resign(self, answer: str | None) -> None:
        if answer == "yes" and self.record.end == "open":
            turn = self.session.position.turn
            person = turn if self.session.agent is None else self.session.agents.index(None)
            self.session.give_up("resigned", person)
            self.go_on()

    def action_new(self) -> None:
        """Ask which game comes next."""
        alone = self.session.game.seats == 1
        again = say("screen.again_alone" if alone else "screen.again")
        choices = {"again": again, "home": say("screen.other_game"), "stay": say("screen.stay")}
        self.app.push_screen(Choosing(say("screen.new"), choices), self._leave)

    def _leave(self, answer: str | None) -> None:
        if answer in ("again", "home"):
            self.post_message(self.Left(self.session, self.seconds, answer == "again"))

    def action_type(self) -> None:
        """Let a person type a move."""
        self.add_class("-typing")
        self.query_one(Input).focus()

    def action_stop_typing(self) -> None:
        """Back to the board."""
        self.remove_class("-typing")
        self.query_one(Input).clear()
        self.board.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        names = self.session.game.split_moves(event.value)
        self.action_stop_typing()
        if names == [FOLLOW]:
            self.follow()
        elif names:
            self.attempt(names[0])
        self.show_state()


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
