"""What a picture shows besides the position, and the SVG that all drawings share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import starmap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.core.position import Move, Position

UNIT = 60
"""The side of one cell in a drawing."""


@dataclass(frozen=True)
class View:
    """How a position is looked at: what was played before, and which moves to point out."""

    played: tuple[tuple[Position, Move], ...] = ()
    """The plies so far, each with the position it was played in: the last one is marked."""
    highlights: tuple[Move, ...] = ()
    """Moves to point out: a hint, the expected line, the link of two tiles."""
    labels: Mapping[Move, str] = field(default_factory=dict)
    """A short text on moves, such as their values."""

    @property
    def last(self) -> Move | None:
        return self.played[-1][1] if self.played else None


PLAIN = View()


@dataclass(frozen=True)
class Feature:
    """Something that experts see in a position: what to say of it, and its drawing."""

    key: str
    """A key of the catalogue."""
    values: Mapping[str, object] = field(default_factory=dict)
    svg: str = ""
    """What it adds to the picture of the position."""


COLOURS = {
    "paper": "#fbfaf5",
    "ink": "#22252b",
    "quiet": "#5c626d",
    "faint": "#b9bec7",
    "first": "#0b5fa5",
    "second": "#c2410c",
    "last": "#ffd866",
    "highlight": "#16803c",
}
"""Blue and orange, which everyone can tell apart, and never colour alone; pages may restyle it."""


def tag(name: str, /, body: str = "", **attributes: object) -> str:
    """One SVG element; ``class_`` becomes ``class``, and ``_`` in names becomes ``-``."""
    words = " ".join([name, *starmap(_attribute, attributes.items())])
    return f"<{words}>{body}</{name}>" if body else f"<{words}/>"


@lru_cache(maxsize=8_192, typed=True)  # a board repeats the same few for every cell
def _attribute(key: str, value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"'


def label(x: float, y: float, text: str, size: float = 16, **attributes: object) -> str:
    """Text centred on a point."""
    given = {
        "x": x,
        "y": y,
        "font_size": size,
        "font_family": "system-ui, sans-serif",
        "text_anchor": "middle",
        "dominant_baseline": "central",
        "fill": COLOURS["ink"],
    } | attributes
    return tag("text", escape(text), **given)


def document(width: float, height: float, title: str, description: str, body: Iterable[str]) -> str:
    """A whole SVG picture that scales, prints, and can be read aloud."""
    parts = [
        tag("title", escape(title)),
        tag("desc", escape(description)),
        tag("rect", width=width, height=height, fill=COLOURS["paper"], class_="paper"),
        *body,
    ]
    return tag(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
        class_="papan-board",
    )


def text_svg(title: str, picture: str) -> str:
    """A picture made of characters, for games that have no drawing of their own."""
    lines = picture.splitlines()
    width = 24 + 10 * max(map(len, lines))
    body = (
        tag(
            "text",
            escape(line.replace(" ", "\u00a0")),  # plain spaces would run together
            x=12,
            y=28 + 20 * row,
            font_family="monospace",
            font_size=16,
            fill=COLOURS["ink"],
        )
        for row, line in enumerate(lines)
    )
    return document(width, 24 + 20 * len(lines), title, picture, body)
