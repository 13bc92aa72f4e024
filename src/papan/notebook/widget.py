"""The widgets: a stage whose state travels to the page of a notebook, and back."""

from __future__ import annotations

from typing import Any, ClassVar

import anywidget
import traitlets

from papan.core.drawing import RichRepr
from papan.core.text import catalogue, locale_language
from papan.notebook.bundle import script, style
from papan.notebook.stage import Stage, State

SPOKEN = (
    "web.spot_",
    "web.picked_first",
    "web.no_moves",
    *("web.tools", "web.more", "web.panels", "web.flipped"),
    *("web.show_features", "web.type_move", "web.enter"),
    "lab.moves",
    "seat.",
    "game.",
    "onet.tile_",
)
"""The beginnings of the keys that the scripts look up by themselves."""


class Widget(RichRepr, anywidget.AnyWidget):
    """A board that is shown inline, with buttons over its spots, as in the web app."""

    _esm: ClassVar[str] = script("widget.js")
    _css: ClassVar[str] = style()
    state = traitlets.Dict().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    language = traitlets.Unicode("en").tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.language = locale_language()
        texts = catalogue(self.language)
        self.texts = {key: text for key, text in texts.items() if key.startswith(SPOKEN)}
        self.on_msg(self._heard)

    def present(self, stage: Stage) -> None:
        """Put *stage* on the page."""
        self.stage = stage
        stage.send()

    def send(self, state: State) -> None:
        """Show a new state."""
        self.state = state

    def in_characters(self) -> str:
        return self.stage.session.position.picture()

    def _heard(self, _: object, content: Any, __: object) -> None:
        if isinstance(content, dict):
            self.stage.hear(content)

    def close(self) -> None:
        """Leave the page, and think no more."""
        self.stage.close()
        super().close()
