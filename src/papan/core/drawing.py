"""Pictures: what a view shows besides the position, SVG, films of a game, and HTML in notebooks."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from importlib import import_module
from itertools import groupby, starmap
from typing import TYPE_CHECKING, Any

from papan.core.message import Message

if TYPE_CHECKING:
    from papan.core.game import Move, Position

UNIT = 60
"""The side of one cell in a drawing, in SVG units."""


@dataclass(frozen=True)
class View:
    """What a picture shows besides the position: plies before it, moves to highlight, labels.

    `PLAIN` is nothing of these.
    """

    played: tuple[tuple[Position, Move], ...] = ()
    """The plies so far, each with the position it was played in: the last one is marked."""
    highlights: tuple[Move, ...] = ()
    """Moves to point out, such as a hint or the expected line."""
    labels: Mapping[Move, str] = field(default_factory=dict)
    """A short text for each move that has one, such as its value."""

    @property
    def last(self) -> Move | None:
        """The last move of `played`; None if there is none."""
        return self.played[-1][1] if self.played else None


PLAIN = View()


@dataclass(frozen=True)
class Feature(Message):
    """A message about something in a position, such as a chain, with the SVG that points it out."""

    svg: str = ""
    """SVG elements in the coordinates of the picture; empty if it adds none."""

    __hash__ = Message.__hash__


COLOURS = {
    "paper": "#fbf7f0",
    "raised": "#f6f0e6",
    "surface": "#ffffff",
    "ink": "#1d2230",
    "quiet": "#585e6c",
    "faint": "#cbbfad",
    "slot": "#e9dfcf",
    "first": "#2446a8",
    "first-deep": "#17307c",
    "second": "#bd421c",
    "second-deep": "#8f2f11",
    "last": "#fbe3a6",
    "gold": "#e2a72e",
    "gold-edge": "#6f4700",
    "board": "#d5def7",
    "board-deep": "#a9bbea",
    "rim": "#6d87cc",
    "highlight": "#1b7045",
}
"""Colours of drawings: indigo and terracotta for the seats, gold for the last move and for a win.
Everyone can distinguish them, and no meaning depends on colour alone. Pages may restyle them."""


NAMESPACE = "http://www.w3.org/2000/svg"


def tag(name: str, body: str = "", /, **attributes: object) -> str:
    """Return the SVG element *name* around *body*, which is SVG as well.

    In the names of *attributes* a last ``_`` is dropped, as in ``class_``, and any other becomes
    ``-``; their values are escaped, floats written with six significant digits at most. *body* is
    not escaped.
    """
    words = " ".join([name, *starmap(_attribute, attributes.items())])
    return f"<{words}>{body}</{name}>" if body else f"<{words}/>"


@lru_cache(maxsize=8_192, typed=True)  # a board repeats the same few for every cell
def _attribute(key: str, value: object) -> str:
    """Return an attribute of an SVG element as text, such as ``rx="8"``; cached. See `tag`."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"'


def label(x: float, y: float, text: str, size: float = 16, /, **attributes: object) -> str:
    """Return the SVG of *text* centred on (x, y); *size* is the font size in SVG units.

    *text* is plain: it is escaped. *attributes* are further ones, or replace the usual ones, as
    `tag` takes them.
    """
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
    """Return a whole SVG document of *width* x *height* SVG units, on the colour of paper.

    *body* has its SVG elements, the lowest first, in coordinates from (0, 0) at the top left.
    *title* and *description* are plain texts for screen readers.
    """
    words = tag("title", escape(title)) + tag("desc", escape(description))
    paper = tag("rect", width=width, height=height, fill=COLOURS["paper"], class_="paper")
    size = {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}
    named = {"role": "img", "class_": "papan-board"}
    return tag("svg", "".join((words, paper, *body)), xmlns=NAMESPACE, **size, **named)


def text_svg(title: str, picture: str) -> str:
    """Return an SVG document with the lines of *picture*, a board in characters.

    For games without a drawing of their own. *title* is a plain text for screen readers. Raises
    ValueError for an empty *picture*.
    """
    lines = picture.replace(" ", "\u00a0").splitlines()  # plain spaces would run together
    width = 24 + 10 * max(map(len, lines))
    font = {"font_family": "monospace", "font_size": 16, "fill": COLOURS["ink"]}
    body = (
        tag("text", escape(line), x=12, y=28 + 20 * row, **font) for row, line in enumerate(lines)
    )
    return document(width, 24 + 20 * len(lines), title, picture, body)


PAINTER = "papan.notebook"
"""The module with the function `paint`, which returns an object as HTML, or None; a name only, as
core knows no pages."""


class RichRepr:
    """Something with a picture: a notebook shows its SVG or HTML, a terminal its characters."""

    __slots__ = ()

    def show(self) -> None:
        """Show it now: in a notebook its picture, elsewhere its text on standard output.

        A notebook shows by itself only what the last line of a cell returns.
        """
        if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
            import_module("IPython.display").display(self)
        else:
            print(self._repr_text_())

    def _repr_text_(self) -> str:
        """Return the picture as text for a terminal, without colours. Default: ``str(self)``."""
        return str(self)

    def __init_subclass__(cls) -> None:
        """Define ``_repr_pretty_`` per class: IPython prefers an own ``__repr__`` otherwise."""
        super().__init_subclass__()
        if "_repr_pretty_" not in vars(cls):
            cls._repr_pretty_ = RichRepr._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Write the picture as text to IPython's *printer*; *cycle* is ignored."""
        printer.text(self._repr_text_())


class HtmlRepr(RichRepr):
    """Something whose picture in a notebook is a piece of HTML, which `PAINTER` makes."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the picture as HTML, for notebooks; None if `PAINTER` has none."""
        picture: str | None = import_module(PAINTER).paint(self)
        return picture


_TAG = re.compile(r"<(/?)[a-zA-Z]+[^>]*?(/?)>")


def film(pictures: Sequence[str], title: str, description: str, seconds: float = 1.0) -> str:
    """Return an animated SVG that shows each of *pictures*, all from `document`, for *seconds*.

    An element that several pictures share is written once, and visible in these. The film runs once
    and ends with its last picture; who prefers no motion sees only that one. All have the size of
    the first. Raises IndexError without pictures; *title* and *description* are plain texts for
    screen readers.
    """
    frames = [list(_parts(picture)) for picture in pictures]
    shown: dict[str, list[int]] = {}
    for number, frame in enumerate(frames):
        for part in dict.fromkeys(frame):  # a picture may hold a part twice
            shown.setdefault(part, []).append(number)
    reels: dict[tuple[int, ...], int] = {}
    body = []
    for when, parts in groupby(_in_order(frames), key=lambda part: tuple(shown[part])):
        drawn = "".join(parts)
        if len(when) == len(frames):
            body.append(drawn)
        else:
            number = reels.setdefault(when, len(reels))
            body.append(tag("g", drawn, class_=f"r{number}"))
    style = _style(reels, len(frames), seconds)
    head = tag("title", escape(title)) + tag("desc", escape(description)) + style
    opening = pictures[0][: pictures[0].index(">") + 1]
    return f"{opening}{head}{''.join(body)}</svg>"


def _parts(picture: str) -> Iterator[str]:
    """Yield the elements directly below the root of an SVG *picture*, each with all within it.

    In their order, without ``title`` and ``desc``, which are not visible.
    """
    depth, start = 0, 0
    for found in _TAG.finditer(picture):
        closes, empty = found.groups()
        if not closes:
            depth += 1
            start = found.start() if depth == 2 else start
        if closes or empty:
            depth -= 1
            if depth == 1 and not picture.startswith(("<title", "<desc"), start):
                yield picture[start : found.end()]


def _in_order(frames: Sequence[Sequence[str]]) -> list[str]:
    """Return every part of all *frames* once, from the lowest to the topmost.

    A frame is the SVG elements of one picture in that order. The order of the first frame is kept;
    a part that is new in a later one comes right above the part below it there, or is the lowest. A
    frame that orders known parts in another way changes nothing.
    """
    order: list[str] = []
    for frame in frames:
        places = {part: place for place, part in enumerate(order)}
        fresh: dict[int, list[str]] = {}
        place = 0
        for part in dict.fromkeys(frame):
            if part in places:
                place = places[part] + 1
            else:
                fresh.setdefault(place, []).append(part)
        for place in sorted(fresh, reverse=True):
            order[place:place] = fresh[place]
    return order


def _style(reels: dict[tuple[int, ...], int], count: int, seconds: float) -> str:
    """Return the SVG element with the CSS that shows each reel in its frames of *seconds* each.

    A reel is the elements that are visible in the same frames, not in all. *reels* has, by the
    numbers of these frames (from 0, ascending), the number of its CSS class, ``r0`` and so on;
    *count* is the number of all frames. With reduced motion only the last frame is shown.
    """
    still = "".join(
        f".r{number}{{visibility:hidden}}" for when, number in reels.items() if when[-1] < count - 1
    )
    length = f"{count * seconds:g}s"
    moving = "".join(
        f".r{number}{{animation:r{number} {length} step-end both}}"
        f"@keyframes r{number}{{{_keys(when, count)}}}"
        for when, number in reels.items()
    )
    return tag("style", f"{still}@media (prefers-reduced-motion:no-preference){{{moving}}}")


def _keys(when: tuple[int, ...], count: int) -> str:
    """Return the CSS keyframes of a reel that is visible in the frames *when*, numbers from 0.

    *count* is the number of all frames, which take equal shares of the time. There is a key where
    the reel appears or disappears, and one at the end.
    """
    keys, seen = [], None
    for number in range(count):
        now = number in when
        if now != seen:
            state = "visible" if now else "hidden"
            keys.append(f"{100 * number / count:.4g}%{{visibility:{state}}}")
            seen = now
    keys.append(f"to{{visibility:{'visible' if seen else 'hidden'}}}")
    return "".join(keys)
