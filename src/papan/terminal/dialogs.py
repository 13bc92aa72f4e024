"""Small windows over the board, and the keys of a screen in a bar below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.table import Table
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from papan.terminal.output import say

GAP = 2
"""The blanks between two keys."""


class KeyBar(Widget):
    """The keys that do something now, as many as there is room for.

    The description of a binding is the key of its word in the catalogue, its tooltip that of the
    sentence in the help.
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[Binding] = []

    def show_keys(self) -> None:
        """Look again which keys do something now."""
        keys = useful_keys(self.screen)
        if keys != self.keys:
            self.keys = keys
            self.refresh()

    def render(self) -> Content:
        lines = (Content(" " * GAP).join(map(self._item, row)) for row in self._rows())
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        rows, end = self._rows(), 0
        for binding in rows[event.y] if event.y < len(rows) else []:
            end += self._item(binding).cell_length + GAP
            if event.x < end:
                self.app.simulate_key(binding.key)
                break

    def _rows(self) -> list[list[Binding]]:
        """The keys, line by line."""
        rows, room = [list[Binding]()], self.size.width
        for binding in self.keys:
            width = self._item(binding).cell_length
            if width > room:
                rows.append([])
                room = self.size.width
            rows[-1].append(binding)
            room -= width + GAP
        return rows[: self.size.height]

    def _item(self, binding: Binding) -> Content:
        key = self.app.get_key_display(binding)
        return Content.assemble((key, "$text-accent bold"), f" {say(binding.description)}")


def useful_keys(screen: Screen[Any]) -> list[Binding]:
    """The bindings that can be used now and belong into the bar."""
    active = screen.active_bindings
    return [key for key in own_keys(screen) if key.key in active and active[key.key].enabled]


def own_keys(screen: Screen[Any]) -> list[Binding]:
    """All bindings of *screen* that papan has words for."""
    return [
        binding
        for kind in reversed(type(screen).__mro__)
        if kind.__module__.startswith("papan.")
        for binding in vars(kind).get("BINDINGS", ())
        if binding.description
    ]


def help_table(screen: Screen[Any], board: bool = False) -> Table:
    """Every key of *screen*, with what it does; those of the *board* first."""
    table = Table.grid("", "", padding=(0, 2))
    for name in ("arrows", "mouse") if board else ():
        table.add_row(say(f"screen.{name}"), say(f"screen.help_{name}"))
    for key in own_keys(screen):
        table.add_row(screen.app.get_key_display(key), say(key.tooltip))
    return table


class Dialog(ModalScreen[str | None]):
    """A window with a title; Esc closes it and answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", show=False)]

    scrolls: ClassVar[bool] = False
    """Do the arrow keys scroll? Elsewhere they belong to what is in the window."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading = title

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="window", can_focus=self.scrolls) as window:
            window.border_title = self.heading
            window.border_subtitle = say("screen.closes")
            yield from self.body()

    def body(self) -> ComposeResult:
        """What is in the window."""
        yield from ()


class Reading(Dialog):
    """Something to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,q,question_mark", "dismiss", show=False)
    ]

    scrolls = True

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__(title)
        self.text = text

    def body(self) -> ComposeResult:
        yield Static(self.text)


class Choosing(Dialog):
    """One of several answers, by keyboard or mouse."""

    def __init__(self, title: str, choices: Mapping[str, str]) -> None:
        super().__init__(title)
        self.choices = choices

    def body(self) -> ComposeResult:
        yield OptionList(*(Option(text, id=key) for key, text in self.choices.items()))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


class Typing(Dialog):
    """One line of text."""

    def __init__(self, title: str, question: str, given: str = "") -> None:
        super().__init__(title)
        self.question = question
        self.given = given

    def body(self) -> ComposeResult:
        yield Label(self.question, markup=False)
        yield Input(self.given)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)
