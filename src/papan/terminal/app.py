"""The app on the screen: a form to choose a game, then one game after another."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from math import inf
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from papan import catalog
from papan.core import Game, PapanError
from papan.core.session import PERSON, Session, rematch
from papan.terminal.dialogs import KeyBar, Reading, help_table
from papan.terminal.game_screen import ScreenContext
from papan.terminal.games import Clock, new_session
from papan.terminal.output import INTERRUPTED, about, language, say
from papan.terminal.play import PlayScreen, WatchScreen

USUAL_OPPONENT = "level:3"
MINUTES = (2, 5, 10)
FIELDS = ("size", "opponent", "seat", "time")


class HomeScreen(Screen[None]):
    """A form for one game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "play.word_help", tooltip="play.help_help"),
        Binding("q", "app.quit", "play.word_quit", tooltip="screen.help_leave"),
        Binding("p", "play", "screen.word_play", tooltip="screen.help_play"),
        Binding("tab", "app.focus_next", "screen.word_next", tooltip="screen.help_next"),
    ]

    class Chosen(Message):
        """A game to play."""

        def __init__(self, session: Session, clock: Clock) -> None:
            super().__init__()
            self.session = session
            self.clock = clock

    def compose(self) -> ComposeResult:
        yield Label(say("screen.home"), id="home-title")
        with Horizontal(id="home"):
            with VerticalScroll(id="form", can_focus=False):
                games = (Option(about(kind), id=name) for name, kind in catalog.GAMES.items())
                yield OptionList(*games, id="game")
                for name, choices in all_choices(next(iter(catalog.GAMES))).items():
                    with Horizontal(classes="field"):
                        yield Label(say(f"screen.{name}"))
                        yield Select[str](choices, id=name, allow_blank=False, compact=True)
                yield Button(say("screen.play"), id="play", variant="primary", compact=True)
            yield Static(id="preview", markup=False)
        yield Label("", id="home-status", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#game", OptionList).highlighted = 0
        self.query_one("#game").focus()
        self.query_one(KeyBar).show_keys()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        for name, choices in all_choices(str(event.option_id)).items():
            field = self._field(name)
            field.set_options(choices)
            field.disabled = len(choices) < 2
        usual = (value for _, value in all_choices(str(event.option_id))["opponent"])
        if USUAL_OPPONENT in usual:
            self._field("opponent").value = USUAL_OPPONENT

    def on_option_list_option_selected(self) -> None:
        self.action_play()

    def on_button_pressed(self) -> None:
        self.action_play()

    def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "size":
            picture = catalog.game(str(event.value)).start().picture()
            self.query_one("#preview", Static).update(picture)

    def action_play(self) -> None:
        """Start the game that the form describes."""
        size, opponent, seat, clock = (str(self._field(name).value) for name in FIELDS)
        try:
            session = new_session(size, opponent, int(seat), None)
        except PapanError as error:
            self.query_one("#home-status", Label).update(error.text(language()))
            return
        self.post_message(self.Chosen(session, Clock(float(clock))))

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(Reading(say("screen.keys"), help_table(self)))

    def _field(self, name: str) -> Select[str]:
        return self.query_one(f"#{name}", Select)


def all_choices(name: str) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen for a game, field by field: the words, and what they mean."""
    game = catalog.game(name)
    sizes = [game.spec, *game.presets]
    alone = game.seats == 1
    seats = ["1"] if alone else ["1", "2"]
    minutes = [(say("screen.minutes", minutes=each), f"{60 * each}") for each in MINUTES]
    return {
        "size": [(spec.partition(":")[2], spec) for spec in sizes],
        "opponent": [(say("screen.nobody"), PERSON)] if alone else opponents(game),
        "seat": [(say(f"seat.{seat}"), seat) for seat in seats],
        "time": [(say("screen.no_clock"), str(inf)), *minutes],
    }


def opponents(game: Game) -> list[tuple[str, str]]:
    """Another person, and every agent that plays *game*."""
    able = (name for name in catalog.agent_names(game) if name != PERSON)
    return [(say("screen.person"), PERSON), *((name, name) for name in able)]


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
