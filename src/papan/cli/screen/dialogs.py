"""Small windows over the board: text to read, a question, a line to type, a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from papan.cli.language import say


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
