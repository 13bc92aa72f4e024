"""The game screen: the board, the search of an agent, the keys, and windows over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isfinite
from pathlib import Path
from typing import Any, ClassVar

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Static

from papan.core import Agent, Analysis, Event, IllegalMoveError, Limit, PapanError, Position, Record
from papan.core.agent import Search
from papan.core.analysis import value_from_event
from papan.core.explain import EventLog
from papan.core.marks import MARKS
from papan.core.session import Session
from papan.terminal.board import Board
from papan.terminal.games import Clock, keep
from papan.terminal.output import about, agent_title, figure, language, say, seat_title
from papan.terminal.reasons import (
    STEP_EVENTS,
    move_line,
    result_line,
    step_line,
    who_sits,
    why_lines,
)

SEAT_COLOURS = ("#5fafff", "#ffaf5f")
"""Colours of the seats, blue and orange on a dark ground; they also differ by their marks."""
TURN = "\u25b6"
MOST_VALUES = 5


class SidePanel(Static):
    """A text widget that is redrawn only if its text changes; *name* is its id."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.shown = Text()

    def set_text(self, text: Text | str) -> None:
        """Show *text* without markup; do nothing if it is shown already."""
        text = Text(text) if isinstance(text, str) else text
        if text != self.shown:
            self.shown = text
            self.update(text)


def players(position: Position, record: Record, seconds_left: float, narrow: bool) -> Text:
    """Return one entry for each seat: mark, player and score; an arrow shows whose turn it is.

    The time that the people may still think in this game, *seconds_left*, follows, unless it is
    infinite. *narrow* puts each entry on a line of its own.
    """
    words = []
    for seat, score in enumerate(record.scores):
        turn = TURN if record.end == "open" and position.turn == seat else " "
        words.append(
            Text(f"{turn} {_seat(position, seat, record)} {figure(score)}", SEAT_COLOURS[seat])
        )
    if isfinite(seconds_left):
        words.append(Text(say("screen.clock", time=clock_text(seconds_left))))
    return Text("\n" if narrow else "  ").join(words)


def clock_text(seconds: float) -> str:
    """Return *seconds* as ``minutes:seconds``, rounded up: 0:00 is the end. They must be finite."""
    minutes, rest = divmod(-int(-seconds // 1), 60)
    return f"{minutes}:{rest:02d}"


def moves(session: Session) -> Text:
    """Return all plies of the game as one text, each as ``1.X a1``: number (from 1), mark, move.

    There is no mark in a game for one; the text is empty before the first ply.
    """
    name = session.game.move_name
    words = [
        Text(f"{ply}.{_mark(position, position.turn)}{name(move)}", SEAT_COLOURS[position.turn])
        for ply, (position, move) in enumerate(session.plies, start=1)
    ]
    return Text(" ").join(words)


def thoughts(position: Position, news: dict[str, Event]) -> list[str]:
    """Return what is known of a search in *position* so far, as lines; empty at first.

    *news* has the last event of each kind, such as ``root``, by kind.
    """
    lines = _root_lines(position, news["root"]) if "root" in news else []
    lines += [step_line(news[kind]) for kind in STEP_EVENTS if kind in news]
    if "reason" in news:
        lines.append(f"{news['reason']['m']}: {say(news['reason']['rule'])}")
    if "done" in news:
        lines.append(say(f"why.{news['done']['why']}"))
    return lines


def _root_lines(position: Position, event: Event) -> list[str]:
    """Return what a ``root`` *event* of a search says, as lines for the panel.

    These are the depth in plies, the work (nodes, nodes a second, seconds), the best move with its
    value and the expected line, then the best `MOST_VALUES` moves with their values; infinite
    values come last. Values are for the seat to move in *position*.
    """
    lines = [
        say("screen.depth", depth=event["depth"]),
        say(
            "screen.work",
            nodes=event["nodes"],
            speed=event["nps"],
            seconds=figure(event["ms"] / 1000, ".1f"),
        ),
        say("screen.best", move=event["best"]),
    ]
    best = [each for each in event["moves"] if each["m"] == event["best"]]
    if best:
        who = seat_title(position, position.turn)
        kind = say(f"kind.{best[0]['k']}")
        lines.append(say("screen.value", value=value_from_event(best[0]), kind=kind, player=who))
        if len(best[0].get("pv", ())) > 1:
            lines.append(say("screen.line", line=" ".join(best[0]["pv"])))
    # What is not finite has no number in an event: it comes last.
    ranked = sorted(event["moves"], key=lambda each: inf if each["v"] is None else -each["v"])
    lines += [f"  {each['m']} {value_from_event(each)}" for each in ranked[:MOST_VALUES]]
    return lines


def _seat(position: Position, seat: int, record: Record) -> str:
    """Return mark, name and player of *seat* (0 or 1); in a game for one the player alone."""
    if position.game.seats == 1:
        return who_sits(record, seat)
    return f"{_mark(position, seat)}{seat_title(position, seat)} ({who_sits(record, seat)})"


def _mark(position: Position, seat: int) -> str:
    """Return the mark of *seat* (0 or 1) and a blank; in a game for one an empty text."""
    return "" if position.game.seats == 1 else f"{MARKS[seat]} "


class Thinker(Search):
    """A search that runs in the background; adds `log`, in which its events are kept."""

    def __init__(self, agent: Agent, position: Position, limit: Limit) -> None:
        self.log = EventLog()
        super().__init__(agent, position, limit, self.log)


PAUSE = 0.1
"""Seconds between two updates of the clock and of the search panel."""

MORE_KEYS: list[BindingType] = [
    Binding("w", "why", "play.word_why", tooltip="play.help_why"),
    Binding("p", "panel", "screen.word_panel", tooltip="screen.help_panel"),
    Binding("s", "save", "play.word_save", tooltip="screen.save"),
]
"""Keys of every game, which are left out first if there is little room."""


@dataclass
class ScreenContext:
    """The state that all games of one run of the app share: limits, adviser and sessions."""

    limit: Callable[[Agent], Limit]
    """Returns the limit of a move of an agent."""
    adviser: Agent
    """The agent that gives hints."""
    sessions: list[Session] = field(default_factory=list)
    """Every game with a person that was played in this run; the caller saves them, as by
    `saved_on_exit`.
    """


_GAP = 2
"""Number of blanks between two keys."""


class KeyBar(Widget):
    """A bar of the keys that can be used now, as many as there is room for; a click presses one.

    The description of a binding is the key of its word in the catalogue, its tooltip that of the
    sentence in the help.
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[Binding] = []

    def show_keys(self) -> None:
        """Show the keys that can be used now; redraw only if they have changed."""
        keys = useful_keys(self.screen)
        if keys != self.keys:
            self.keys = keys
            self.refresh()

    def render(self) -> Content:
        lines = (Content(" " * _GAP).join(map(self._item, row)) for row in self._rows())
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        rows, end = self._rows(), 0
        for binding in rows[event.y] if event.y < len(rows) else []:
            end += self._item(binding).cell_length + _GAP
            if event.x < end:
                self.app.simulate_key(binding.key)
                break

    def _rows(self) -> list[list[Binding]]:
        """Return the bindings of each line of the bar, in order; those without room are left out.

        A key that does not fit into a line begins the next one; lines beyond the height of the bar
        are left out.
        """
        rows, room = [list[Binding]()], self.size.width
        for binding in self.keys:
            width = self._item(binding).cell_length
            if width > room:
                rows.append([])
                room = self.size.width
            rows[-1].append(binding)
            room -= width + _GAP
        return rows[: self.size.height]

    def _item(self, binding: Binding) -> Content:
        """Return the key of *binding* and its word, in the run's language, as a styled text."""
        key = self.app.get_key_display(binding)
        return Content.assemble((key, "$text-accent bold"), f" {say(binding.description)}")


def useful_keys(screen: Screen[Any]) -> list[Binding]:
    """Return the bindings of *screen* that the bar shows: those of `own_keys` enabled now."""
    active = screen.active_bindings
    return [key for key in own_keys(screen) if key.key in active and active[key.key].enabled]


def own_keys(screen: Screen[Any]) -> list[Binding]:
    """Return all bindings of *screen* with a description, those of its base classes first.

    Those that Textual's own classes define are left out.
    """
    return [
        binding
        for kind in reversed(type(screen).__mro__)
        if kind.__module__.startswith("papan.")
        for binding in vars(kind).get("BINDINGS", ())
        if binding.description
    ]


def help_table(screen: Screen[Any], board: bool = False) -> Table:
    """Return a table of every key of `own_keys` with what it does, a row for each.

    With *board*, a row for the arrows and one for the mouse come first.
    """
    table = Table.grid("", "", padding=(0, 2))
    for name in ("arrows", "mouse") if board else ():
        table.add_row(say(f"screen.{name}"), say(f"screen.help_{name}"))
    for key in own_keys(screen):
        table.add_row(screen.app.get_key_display(key), say(key.tooltip))
    return table


class Dialog(ModalScreen[str | None]):
    """A window with a title over a screen; it closes with what was chosen or typed in it.

    Its result is the id of an option, or a text; None after Esc or an empty text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", show=False)]

    scrolls: ClassVar[bool] = False
    """True if the arrow keys scroll it; False if they belong to its content."""

    def __init__(self, title: str, *inside: Widget) -> None:
        super().__init__()
        self.heading, self.inside = title, inside

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="window", can_focus=self.scrolls) as window:
            window.border_title = self.heading
            window.border_subtitle = say("screen.closes")
            yield from self.inside

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


class ReadingDialog(Dialog):
    """A window with a text to read, which can scroll; several keys close it. Its result is None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,q,question_mark", "dismiss", show=False)
    ]

    scrolls = True


class GameScreen(Screen[None]):
    """Base of the screens of one game: shows it, and runs agents in the background.

    *session* is the game, *context* what games of one run share, *clock* that of the people.
    Subclasses define `begin_turn`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "play.word_help", tooltip="play.help_help"),
        Binding("q", "app.quit", "play.word_quit", tooltip="play.help_quit"),
    ]

    @dataclass
    class Answered(Message):
        """Message from the thread of a search to the screen: it has ended."""

        thinker: Thinker
        """The search that has ended."""

    AUTO_FOCUS = ""  # the board is focused as soon as it is there

    def __init__(self, session: Session, context: ScreenContext, clock: Clock) -> None:
        super().__init__()
        self.session = session
        self.context = context
        self.clock = clock
        self.board = Board(session.position, steered=None in session.agents)
        self.record = session.record()
        """The record so far: computed once a move, because some games take long."""
        self.note = ""
        """Text of the last event that was not a move; empty if there was none."""
        self.reasons: list[str] = []
        self.thinker: Thinker | None = None
        self.thought: Thinker | None = None
        """The last search, which the panel shows until another begins; None before the first."""

    def compose(self) -> ComposeResult:
        yield SidePanel("players")
        with Horizontal(id="area"):
            yield self.board
            with Vertical(id="panel"):
                yield SidePanel("title")
                yield SidePanel("thinking")
                with VerticalScroll(id="history", can_focus=False):
                    yield SidePanel("moves")
        yield SidePanel("status")
        with Container(id="foot"):
            yield from self.foot()

    def foot(self) -> ComposeResult:
        """Yield the widgets below everything else: the keys; subclasses add to them."""
        yield KeyBar()

    @property
    def person_to_move(self) -> bool:
        return self.record.end == "open" and self.session.agent is None

    def on_mount(self) -> None:
        self.query_one("#title", SidePanel).set_text(self.session.game.spec)
        self.board.focus()
        self.set_interval(PAUSE, self.look)
        self.go_on()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_state)  # by then the screen knows whether it is narrow

    def on_unmount(self) -> None:
        self.clock.stop()
        self.stop_thinking()

    def go_on(self, note: str = "") -> None:
        """Stop the search, show the session's position with *note*, and begin the next turn.

        An empty *note* shows the last move instead. Picked spots and the hint are let go of.
        """
        self.stop_thinking()
        self.note = note
        self.record = self.session.record()
        self.board.picked = self.board.hint = ()
        self.board.show(self.session.position, self.session.view, self.person_to_move)
        self.begin_turn()
        self.show_state()

    def begin_turn(self) -> None:
        """Begin the turn of the player to move; subclasses define it, here nothing happens."""

    def think(self, agent: Agent) -> None:
        """Start a search of *agent* in the present position, in the background.

        `answered` gets it when it has ended. One that runs already is stopped, its answer ignored.
        """
        self.stop_thinking()
        limit = self.context.limit(agent)
        self.thinker = self.thought = Thinker(agent, self.session.position, limit)
        self.thinker.start(self._report)

    def stop_thinking(self) -> None:
        """Stop the running search and ignore its answer; do nothing if none runs."""
        if self.thinker is not None:
            self.thinker.stop()
            self.thinker = None

    def _report(self, thinker: Thinker) -> None:
        """Post that a search has ended, from its thread to the app's.

        Do nothing if the app has ended.
        """
        try:
            self.post_message(self.Answered(thinker))
        except RuntimeError:  # the app has ended meanwhile
            return

    def on_game_screen_answered(self, message: Answered) -> None:
        if message.thinker is self.thinker:
            self.thinker = None
            self.answered(message.thinker)
            self.show_state()

    def answered(self, thinker: Thinker) -> None:
        """Make the move of an agent whose search ended; after an error the agent forfeits the game.

        It forfeits by an illegal move, or else by a crash, and the error is shown; the record has
        at most 200 characters of it. *thinker* is the search that `think` started last; older ones
        do not come here.
        """
        answer, turn = thinker.answer, thinker.position.turn
        if isinstance(answer, Analysis):
            self.reasons = why_lines(thinker.position, thinker.agent, thinker.log, answer)
            self.session.play(answer.move)
            self.go_on()
            return
        self.session.give_up(
            "illegal" if isinstance(answer, IllegalMoveError) else "crash", turn, repr(answer)[:200]
        )
        self.go_on(error_words(answer))

    def look(self) -> None:
        """Redraw the search panel and the clock while a search or a clock runs.

        A timer calls it every `PAUSE` seconds.
        """
        if self.thinker is not None or isfinite(self.clock.left):
            self.show_state()

    def show_state(self) -> None:
        """Update the panels around the board; what has not changed is not redrawn."""
        texts: dict[str, Text | str] = {
            "players": players(
                self.session.position, self.record, self.clock.left, self.has_class("-narrow")
            ),
            "thinking": self._thinking(),
            "moves": moves(self.session),
            "status": "\n".join((self._news(), self.turn_line())),
        }
        for name, text in texts.items():
            self.query_one(f"#{name}", SidePanel).set_text(text)
        self.query_one("#history").scroll_end(animate=False)
        self.query_one(KeyBar).show_keys()

    def _news(self) -> str:
        """Return the note or else the last move as a sentence; before the first move a welcome."""
        if self.note or not self.session.plies:
            return self.note or say("play.welcome", game=about(type(self.session.game)))
        position, move = self.session.plies[-1]
        who = who_sits(self.record, position.turn)
        return move_line(position, who, move)

    def turn_line(self) -> str:
        """Return a sentence: how the game ended, which agent thinks, or else whose turn it is.

        The sentence about an agent that thinks has the nodes searched so far. After the end of a
        game in which hints were asked for, a second sentence tells how many.
        """
        position = self.session.position
        if self.record.end != "open":
            return result_line(position, self.record)
        if self.thinker is not None:
            news = self.thinker.log.last
            nodes = max(news.get(kind, {}).get("nodes", 0) for kind in ("root", "progress"))
            return say("screen.thinks", agent=self.thinker.agent.spec, nodes=nodes)
        if position.game.seats == 1:
            return say("screen.turn_alone")
        return say("screen.turn", player=seat_title(position, position.turn))

    def _thinking(self) -> Text:
        """Return what the last search has found so far, for the panel.

        Before the first search it is a sentence that there was none.
        """
        if self.thought is None:
            return Text(say("screen.no_thoughts"))
        lines = thoughts(self.thought.position, dict(self.thought.log.last))
        return Text("\n").join(
            [Text(agent_title(self.thought.agent.spec), "bold"), *map(Text, lines)]
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self.reasons) if action == "why" else True

    def action_help(self) -> None:
        """Show the list of keys in a window."""
        table = help_table(self, self.board.can_focus)
        self.app.push_screen(ReadingDialog(say("screen.keys"), Static(table)))

    def action_panel(self) -> None:
        """Switch between the board with the panel beside it and the board alone."""
        self.toggle_class("-panel")
        self.board.focus()

    def action_why(self) -> None:
        """Show why the agent made its last move, in a window; the key is off before that."""
        self.app.push_screen(
            ReadingDialog(say("screen.why"), Static(Text("\n".join(self.reasons))))
        )

    def action_save(self) -> None:
        """Ask in a window for a file name, and save the game there; an error is shown."""
        question = Label(say("screen.file_name"), markup=False)
        name = Input(str(self.session.file or f"{self.session.game.name}.json"))
        self.app.push_screen(Dialog(say("screen.save"), question, name), self._save)

    def _save(self, name: str | None) -> None:
        if name is None:
            return
        try:
            self.note = say("play.saved", path=keep(self.session, Path(name)))
        except PapanError as error:
            self.note = error.text(language())
        self.show_state()


def error_words(error: Any) -> str:
    """Return an error as text: a PapanError in the run's language, any other as Python's repr."""
    return error.text(language()) if isinstance(error, PapanError) else repr(error)
