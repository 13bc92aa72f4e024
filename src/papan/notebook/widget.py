"""The widget: the board of the web app, with the state of a game behind it."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Any, ClassVar

import anywidget
import traitlets

from papan.core.drawing import RichRepr
from papan.core.text import catalogue, locale_language
from papan.notebook.play import Stage, State

STYLES = ("base", "board", "widget")
IMPORT = re.compile(r'^(import [^;]*? from )"(\.[^"]+)";$', re.M | re.S)
LOADER = """\
const sources = {sources};
const places = {{}};
for (const [name, text] of sources) {{
  const whole = text.replace(/"papan:([^"]+)"/g, (_, other) => JSON.stringify(places[other]));
  places[name] = URL.createObjectURL(new Blob([whole], {{ type: "text/javascript" }}));
}}
const {{ render }} = await import(places[{entry}]);
for (const place of Object.values(places)) URL.revokeObjectURL(place);
export default {{ render }};
"""
"""A page loads the modules as they are, each from its own text; the last one is the way in."""


@cache
def script(entry: str) -> str:
    """The module *entry* and all that it imports, as one module."""
    sources: dict[str, str] = {}
    _collect(entry, sources, ())
    return LOADER.format(sources=json.dumps([*sources.items()]), entry=json.dumps(entry))


def _collect(name: str, sources: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after everything that it imports."""
    if name in sources:
        return
    assert name not in above, f"{name} imports itself by way of {above[-1]}"
    text = _read("js", name)

    def named(found: re.Match[str]) -> str:
        other = normpath(join(dirname(name), found[2]))
        _collect(other, sources, (*above, name))
        return f'{found[1]}"papan:{other}";'

    sources[name] = IMPORT.sub(named, text)


@cache
def style() -> str:
    """The style sheets, for what is inside ``.papan`` alone: nothing else of a notebook changes."""
    sheets = "\n".join(_read("css", f"{name}.css") for name in STYLES)
    sheets = re.sub(r"^html \{", "& {", sheets.replace(":root", "&"), flags=re.M)
    return f".papan {{\n{sheets}}}\n"


def _read(folder: str, name: str) -> str:
    place = files("papan").joinpath("web", "static", folder, *name.split("/"))
    return place.read_text(encoding="utf-8")


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
        self.on_msg(self._received)

    def present(self, stage: Stage) -> None:
        """Put *stage* on the page."""
        self.stage = stage
        stage.send()

    def send(self, state: State) -> None:
        """Show a new state."""
        self.state = state

    def in_characters(self) -> str:
        return self.stage.session.position.picture()

    def _received(self, _: object, content: Any, __: object) -> None:
        if isinstance(content, dict):
            self.stage.handle(content)

    def close(self) -> None:
        """Leave the page, and think no more."""
        self.stage.close()
        super().close()
