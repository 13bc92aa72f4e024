"""The app on the screen: a form to choose a game, then screens to play and to watch games."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from math import inf
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from papan import catalog
from papan.core import Analysis, PapanError
from papan.core.hint import HINT_STEPS, Hint, hint_of
from papan.core.parts import Card, Drawing
from papan.core.session import PERSON, Session, picked_move, rematch
from papan.terminal.board import Board, spots_of
from papan.terminal.game_screen import (
    MORE_KEYS,
    Dialog,
    GameScreen,
    KeyBar,
    ReadingDialog,
    ScreenContext,
    Thinker,
    error_words,
    help_table,
)
from papan.terminal.games import FOLLOW, Clock, new_session
from papan.terminal.output import INTERRUPTED, about, agent_title, figure, language, say


class PlayScreen(GameScreen):
    """The screen of a game with at least one person: adds moves, hints, undo, a clock, typed moves.

    *session* is the game, which is added to those of *context*; *clock* is that of the people.
    """

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

    def __init__(self, session: Session, context: ScreenContext, clock: Clock) -> None:
        super().__init__(session, context, clock)
        context.sessions.append(session)
        self.seconds = clock.left
        self.hint: Hint | None = None
        """The hint for this position; None until one is found."""
        self.hint_step = 0
        """The step of the hint that is shown, 1 to 3; 0 if none is."""
        self.following = False

    def foot(self) -> ComposeResult:
        yield from super().foot()
        yield Input(placeholder=say("screen.type_here"), compact=True)

    def look(self) -> None:
        if self.clock.running and self.clock.left <= 0:
            self.session.give_up("timeout", self.session.position.turn)
            self.go_on()
        super().look()

    def begin_turn(self) -> None:
        """Start the search of the agent to move, or the clock of a person; after the end, neither.

        The hint for the last position is dropped, and the clock stops unless a person is to move.
        """
        self.hint, self.hint_step = None, 0
        if self.person_to_move:
            self.clock.start()
        else:
            self.clock.stop()
        if self.record.end == "open" and self.session.agent is not None:
            self.think(self.session.agent)

    def answered(self, thinker: Thinker) -> None:
        following, self.following = self.following, False
        if not self.person_to_move:
            super().answered(thinker)
        elif following and isinstance(thinker.answer, Analysis):
            self.session.play(thinker.answer.move)
            self.go_on()
        elif isinstance(thinker.answer, Analysis):
            self.hint = hint_of(self.session.position, thinker.answer)
            self.show_hint()
        else:
            self.note = error_words(thinker.answer)

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
        """Make the person's move called *name* and begin the next turn, or show why it is refused.

        It is refused if it is not legal, if an agent is to move, and after the end; then the picked
        spots are let go of.
        """
        try:
            if self.record.end != "open":
                raise PapanError("screen.over")
            if self.session.agent is not None:
                raise PapanError("screen.wait", agent=self.session.agent.spec)
            self.session.play(picked_move(self.session.position, name))
        except PapanError as error:
            self.note = error.text(language())
            self.board.picked = ()
            self.board.point()
        else:
            self.go_on()

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
        """Undo moves back to the last choice of a person, and tell how many.

        The clock is not set back.
        """
        self.go_on(say("play.undone", plies=self.session.undo()))

    def action_redo(self) -> None:
        """Redo the moves that were undone, to a person's next choice, and tell how many."""
        self.go_on(say("play.redone", plies=self.session.redo()))

    def action_hint(self) -> None:
        """Show one more step of the hint: the idea, the area, the move.

        The first time in a position, search for it in the background; that counts as a hint in the
        record. Only a note is shown if no person is to move; nothing happens while a search runs.
        """
        if not self.person_to_move:
            self.note = say("hint.later")
        elif self.hint is not None:
            self.hint_step = min(self.hint_step + 1, HINT_STEPS)
            self.show_hint()
        elif self.thinker is None:
            self.hint_step = 1
            self.session.hints[self.session.position.turn] += 1
            before = self.thought
            self.think(self.context.adviser)
            self.thought = before  # the panel stays with the opponent: its numbers would tell all
        self.show_state()

    def show_hint(self) -> None:
        """Show the current step of the hint, in words and on the board.

        Raise AssertionError if there is no hint.
        """
        assert self.hint is not None
        self.note = self.hint.text(self.hint_step, language())
        area = self.hint.area if self.hint_step == 2 else ()
        name = self.session.game.move_name(self.hint.move)
        shown = (name,) if self.hint_step == HINT_STEPS else area
        spots = (spots_of(self.board.spots, each) for each in shown)
        self.board.hint = tuple(spot for some in spots for spot in some)
        self.board.point()

    def follow(self) -> None:
        """Let the adviser move for the person: search, then make its move; it counts as a hint.

        A search for a hint is stopped. Do nothing if no person is to move.
        """
        if self.person_to_move:
            self.go_on()
            self.following = True
            self.session.hints[self.session.position.turn] += 1
            self.think(self.context.adviser)

    def action_move_now(self) -> None:
        """Stop the search, so that its best move so far is played (of a hint: shown).

        Do nothing if none runs.
        """
        if self.thinker is not None:
            self.thinker.stop()

    def action_shuffle(self) -> None:
        """Shuffle the remaining pieces of the game, and tell so.

        Raise PapanError if the game does not allow it now; `check_action` then disables the key.
        """
        self.session.shuffle()
        self.go_on(say("play.shuffled"))

    def action_resign(self) -> None:
        """Ask the person in a window, then resign the game.

        If an agent is to move, the person on the lowest seat resigns, else the person to move.
        """
        answers = {"yes": say("screen.yes"), "no": say("screen.no")}
        self.app.push_screen(Dialog(say("screen.resign"), choices(answers)), self._resign)

    def _resign(self, answer: str | None) -> None:
        """End the game as `action_resign` says if *answer* is ``yes`` and it has not ended yet."""
        if answer == "yes" and self.record.end == "open":
            turn = self.session.position.turn
            person = turn if self.session.agent is None else self.session.agents.index(None)
            self.session.give_up("resigned", person)
            self.go_on()

    def action_new(self) -> None:
        """Ask in a window which game comes next, and start it; one answer is to stay in this game.

        The others are a rematch, with the seats swapped and a fresh clock, and a game to be chosen
        in the form.
        """
        alone = self.session.game.seats == 1
        again = say("screen.again_alone" if alone else "screen.again")
        answers = {"again": again, "home": say("screen.other_game"), "stay": say("screen.stay")}
        self.app.push_screen(Dialog(say("screen.new"), choices(answers)), self._leave)

    def _leave(self, answer: str | None) -> None:
        """Begin what *answer* names: ``again`` or ``home``; for any other, or None, stay."""
        if answer == "again":
            session, clock = rematch(self.session, secrets.randbelow(10**6)), Clock(self.seconds)
            self.app.switch_screen(PlayScreen(session, self.context, clock))
        elif answer == "home":
            self.app.switch_screen(HomeScreen(self.context))

    def action_type(self) -> None:
        """Open the field in which a person types a move."""
        self.add_class("-typing")
        self.query_one(Input).focus()

    def action_stop_typing(self) -> None:
        """Close the field for moves; the board receives the keys again."""
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


def choices(answers: dict[str, str]) -> OptionList:
    """Return a list in which a person chooses one of *answers*: texts by id, in their order.

    A `Dialog` with this list closes with the id of the chosen text.
    """
    return OptionList(*(Option(text, id=key) for key, text in answers.items()))


SLOWEST, FASTEST = 0.25, 16.0
"""Least and greatest speed, in moves a second."""


class WatchScreen(GameScreen):
    """The screen of a game between agents only; *speed* is in moves a second, 0: without pauses.

    It adds a timer that makes the moves, and keys to pause, step and change the speed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "screen.word_pause", tooltip="screen.help_pause"),
        Binding("right", "step", "screen.word_step", tooltip="screen.help_step"),
        Binding("left", "back", "screen.word_back", tooltip="screen.help_back"),
        Binding("plus", "speed(2)", "screen.word_faster", tooltip="screen.help_faster"),
        Binding("minus", "speed(0.5)", "screen.word_slower", tooltip="screen.help_slower"),
        *MORE_KEYS,
    ]

    def __init__(self, session: Session, context: ScreenContext, speed: float) -> None:
        super().__init__(session, context, Clock())
        self.speed = speed
        self.playing = True
        self._next: Timer | None = None

    def begin_turn(self) -> None:
        """Have `advance` called after 1 / `speed` seconds, unless the game is paused or over.

        With a speed of 0 that is at once. A call that was to come before is dropped.
        """
        if self._next is not None:
            self._next.stop()
        if self.playing and self.record.end == "open":
            self._next = self.set_timer(1 / self.speed if self.speed else 0.001, self.advance)

    def advance(self) -> None:
        """Make the next move: redo one that was undone, or let the agent search for a new one.

        The agent's move is made when its search ends. Do nothing while a search runs, or after the
        end.
        """
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
        return say("screen.playing", speed=figure(self.speed) if self.speed else "\u221e")

    def action_pause(self) -> None:
        """Pause the game, or continue it."""
        self.playing = not self.playing
        self.begin_turn()
        self.show_state()

    def action_step(self) -> None:
        """Pause, and make one move."""
        self.playing = False
        self.advance()
        self.show_state()

    def action_back(self) -> None:
        """Pause, stop a search, and undo one move; at the start there is none to undo."""
        self.playing = False
        self.session.undo()
        self.go_on()

    def action_speed(self, factor: float) -> None:
        """Multiply the speed by *factor*, within `SLOWEST` and `FASTEST` moves a second.

        A speed of 0 (without pauses) counts as `FASTEST` before. The move that is waited for still
        comes at the old speed.
        """
        self.speed = min(FASTEST, max(SLOWEST, (self.speed or FASTEST) * factor))
        self.show_state()


USUAL_OPPONENT = "level:3"
MINUTES = (2, 5, 10)
FIELDS = ("size", "opponent", "seat", "time")


class HomeScreen(Screen[None]):
    """The form in which a person chooses game, size, opponent, seat and clock; it shows the board.

    *context* is handed on to the games that are started in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "play.word_help", tooltip="play.help_help"),
        Binding("q", "app.quit", "play.word_quit", tooltip="screen.help_leave"),
        Binding("p", "play", "screen.word_play", tooltip="screen.help_play"),
        Binding("tab", "app.focus_next", "screen.word_next", tooltip="screen.help_next"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__()
        self.context = context

    def compose(self) -> ComposeResult:
        yield Label(say("screen.home"), id="home-title")
        with Horizontal(id="home"):
            with VerticalScroll(id="form", can_focus=False):
                games = (Option(about(kind), id=name) for name, kind in catalog.GAMES.items())
                yield OptionList(*games, id="game")
                for name, options in all_options(next(iter(catalog.GAMES))).items():
                    with Horizontal(classes="field"):
                        yield Label(say(f"screen.{name}"))
                        yield Select[str](options, id=name, allow_blank=False, compact=True)
                yield Button(say("screen.play"), id="play", variant="primary", compact=True)
            yield Static(id="preview", markup=False)
        yield Label("", id="home-status", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#game", OptionList).highlighted = 0
        self.query_one("#game").focus()
        self.query_one(KeyBar).show_keys()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        for name, options in all_options(str(event.option_id)).items():
            field = self._field(name)
            field.set_options(options)
            field.disabled = len(options) < 2
            if USUAL_OPPONENT in (value for _, value in options):
                field.value = USUAL_OPPONENT

    def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "size":
            picture = Drawing.of(catalog.game(str(event.value)).start()).picture()
            self.query_one("#preview", Static).update(picture)

    @on(OptionList.OptionSelected)
    @on(Button.Pressed)
    def action_play(self) -> None:
        """Start the game that the form describes, in place of the form; show an error if it cannot.

        Its seed is drawn.
        """
        size, opponent, seat, clock = (str(self._field(name).value) for name in FIELDS)
        try:
            session = new_session(size, opponent, int(seat), None)
        except PapanError as error:
            self.query_one("#home-status", Label).update(error.text(language()))
            return
        self.app.switch_screen(PlayScreen(session, self.context, Clock(float(clock))))

    def action_help(self) -> None:
        """Show the list of keys in a window."""
        self.app.push_screen(ReadingDialog(say("screen.keys"), Static(help_table(self))))

    def _field(self, name: str) -> Select[str]:
        return self.query_one(f"#{name}", Select)


def all_options(name: str) -> dict[str, list[tuple[str, str]]]:
    """Return by field of the form (`FIELDS`) the choices for the game *name*, as (text, value).

    Values are specs, a seat (from 1) and seconds (``inf``: no clock), all as text. Raise PapanError
    if the game is unknown.
    """
    game = catalog.game(name)
    able = (name for name in catalog.agent_names(game) if name != PERSON)
    opponents = [(say("screen.person"), PERSON), *((agent_title(each), each) for each in able)]
    minutes = [(say("screen.minutes", minutes=each), f"{60 * each}") for each in MINUTES]
    return {
        "size": [(spec.partition(":")[2], spec) for spec in (game.spec, *Card.of(game).presets)],
        "opponent": [(say("screen.nobody"), PERSON)] if game.seats == 1 else opponents,
        "seat": [(say(f"seat.{seat}"), str(seat)) for seat in range(1, game.seats + 1)],
        "time": [(say("screen.no_clock"), str(inf)), *minutes],
    }


class PapanApp(App[None]):
    """The app, which shows one screen at a time; *opening* makes the first, once the app runs."""

    TITLE = "papan"
    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (61, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self, opening: Callable[[], Screen[None]]) -> None:
        super().__init__()
        self.opening = opening

    def on_mount(self) -> None:
        self.push_screen(self.opening())

    def action_interrupt(self) -> None:
        """End the app with 130, the exit code of Ctrl-C, as other programs do."""
        self.exit(return_code=INTERRUPTED)


def run_session(context: ScreenContext, session: Session, clock: Clock) -> None:
    """Play *session* on the screen, and more games until the person leaves.

    *clock* has the time that people may think in each game. Games are collected in *context*, not
    saved. Raise KeyboardInterrupt after Ctrl-C, SystemExit if the app fails.
    """
    _run(lambda: PlayScreen(session, context, clock))


def choose_and_show(context: ScreenContext) -> None:
    """Show the form on the screen and play the chosen games until the person leaves.

    Games are collected in *context*, not saved. Raise KeyboardInterrupt after Ctrl-C, SystemExit if
    the app fails.
    """
    _run(lambda: HomeScreen(context))


def run_watched(context: ScreenContext, session: Session, speed: float) -> None:
    """Show a game between agents on the screen, at *speed* moves a second (0: without pauses).

    Raise KeyboardInterrupt after Ctrl-C, SystemExit if the app fails.
    """
    _run(lambda: WatchScreen(session, context, speed))


def _run(opening: Callable[[], Screen[None]]) -> None:
    """Run the app, whose first screen *opening* makes, until it ends.

    Raise KeyboardInterrupt after Ctrl-C, SystemExit if it fails.
    """
    app = PapanApp(opening)
    app.run()
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    if app.return_code:
        raise SystemExit(app.return_code)
