"""A game as one moving picture: SVG that shows the pictures of its positions one after another.

What many pictures share is written once, and shown while it is there. The film runs once and ends
with its last picture; who prefers no motion sees only that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from papan.core.view import tag

_TAG = re.compile(r"<(/?)[a-zA-Z]+[^>]*?(/?)>")


def film(pictures: Sequence[str], title: str, description: str, seconds: float = 1.0) -> str:
    """The *pictures*, all of one size and each from `document`, as a film; each is seen so long."""
    frames = [list(_drawn(picture)) for picture in pictures]
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
    """The elements right below the root of a picture."""
    depth, start = 0, 0
    for found in _TAG.finditer(picture):
        closes, empty = found.groups()
        if not closes:
            depth += 1
            start = found.start() if depth == 2 else start
        if closes or empty:
            depth -= 1
            if depth == 1:
                yield picture[start : found.end()]


def _drawn(picture: str) -> Iterator[str]:
    """Those of its elements that are seen."""
    return (part for part in _parts(picture) if not part.startswith(("<title", "<desc")))


def _in_order(frames: Sequence[Sequence[str]]) -> list[str]:
    """Every part once, below all that lies on top of it in any picture."""
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
    """When each reel is seen: without motion, only those of the last picture."""
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
    """The moments at which a reel appears and disappears."""
    keys, seen = [], None
    for number in range(count):
        now = number in when
        if now != seen:
            state = "visible" if now else "hidden"
            keys.append(f"{100 * number / count:.4g}%{{visibility:{state}}}")
            seen = now
    keys.append(f"to{{visibility:{'visible' if seen else 'hidden'}}}")
    return "".join(keys)
