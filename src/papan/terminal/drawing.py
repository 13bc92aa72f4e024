"""A picture made of characters, drawn larger: its lines, and the spot under each character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int]
"""Row and column of a character."""
Spots: TypeAlias = Mapping[str, Sequence[Place]]


class Scale(NamedTuple):
    """How many times wider and higher than the picture: 1, 2 and 4 put characters in the middle."""

    across: int
    down: int

    @property
    def half(self) -> int:
        """The rows that a cell gains above and below its character."""
        return (self.down - 1) // 2


SCALES = {Scale(4, 4): 2, Scale(2, 2): 1, Scale(1, 2): 3, Scale(2, 1): 2, Scale(1, 1): 0}
"""The largest first, each with the least distance between columns of spots at which it looks well:
lines must stay thinner than the boxes they make, and cells no narrower than high."""


REACH = 3
"""How many columns from a spot a click still means it."""


class Line(NamedTuple):
    """One line of a drawing, and the spot that each of its characters belongs to."""

    text: str
    owners: tuple[str | None, ...]


@dataclass(frozen=True)
class Drawing:
    """The larger picture."""

    lines: tuple[Line, ...]
    scale: Scale
    coloured: frozenset[Place]
    """Where characters are the marks of seats; elsewhere they are letters of coordinates."""

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def width(self) -> int:
        return max((len(line.text) for line in self.lines), default=0)

    @cached_property
    def places(self) -> dict[str, list[Place]]:
        """Where each spot is, row by row."""
        places: dict[str, list[Place]] = {}
        for row, line in enumerate(self.lines):
            for column, owner in enumerate(line.owners):
                if owner is not None:
                    places.setdefault(owner, []).append((row, column))
        return places

    def spot_near(self, row: int, column: int) -> str | None:
        """The spot at a place, or the nearest one within reach: lines are hard to hit."""
        best, spot = REACH + 1, None
        for above in range(-(REACH // 2), REACH // 2 + 1):
            for right in range(-REACH, REACH + 1):
                far = 2 * abs(above) + abs(right)  # a character is twice as high as it is wide
                owner = self._owner(row + above, column + right)
                if owner is not None and far < best:
                    best, spot = far, owner
        return spot

    def changes(self, other: Drawing) -> dict[Place, str]:
        """The characters that *other* shows in another way; none if its shape is another."""
        if (self.height, self.width) != (other.height, other.width):
            return {}
        return {
            (row, column): new
            for row, (mine, theirs) in enumerate(zip(self.lines, other.lines))
            for column, (old, new) in enumerate(zip(mine.text, theirs.text))
            if old != new
        }

    def _owner(self, row: int, column: int) -> str | None:
        if 0 <= row < self.height and 0 <= column < len(self.lines[row].owners):
            return self.lines[row].owners[column]
        return None


def fitting_scale(picture: str, spots: Spots, width: int, height: int) -> Scale:
    """The largest scale whose drawing fits; the smallest one where none does."""
    columns = sorted({column for places in spots.values() for _, column in places[:1]})
    pitch = min((right - left for left, right in pairwise(columns)), default=1)
    for scale, least in SCALES.items():
        drawing = draw(picture, spots, scale)
        if pitch >= least and drawing.width <= width and drawing.height <= height:
            break
    return scale


def draw(picture: str, spots: Spots, scale: Scale) -> Drawing:
    """The picture, *scale* times as large."""
    texts = picture.splitlines()
    width = max(map(len, texts))
    owners = {place: name for name, places in spots.items() for place in places}
    wide = {name for name, places in spots.items() if _is_wide(places)}
    pads = _pads(width, owners, scale.across - 1)
    lines = [
        Line(text.ljust(width), tuple(owners.get((row, column)) for column in range(width)))
        for row, text in enumerate(texts)
    ]
    stretched = [_stretch(line, pads, wide) for line in lines]
    stacked, rows = _stack(stretched, {row for row, _ in owners}, wide, scale)
    columns = _landed(pads, {column for _, column in owners})
    coloured = frozenset((row, column) for row in rows for column in columns)
    return Drawing(tuple(stacked), scale, coloured)


def _is_wide(places: Sequence[Place]) -> bool:
    """Is a spot wider than high? Such a spot is a line across, and grows along its length."""
    rows, columns = ({place[axis] for place in places} for axis in (0, 1))
    return len(columns) > 2 * len(rows)


def _pads(width: int, owners: Mapping[Place, str], pad: int) -> list[tuple[int, int]]:
    """How many characters go left and right of each column: words of a spot stay together."""
    used = {column for _, column in owners}
    joined = {
        column for (row, column), owner in owners.items() if owners.get((row, column + 1)) == owner
    }
    return [
        (pad * (column - 1 not in joined), pad * (column not in joined))
        if column in used
        else (0, 0)
        for column in range(width)
    ]


def _landed(pads: Sequence[tuple[int, int]], columns: set[int]) -> list[int]:
    """Where the *columns* of the picture are in the drawing."""
    landed, at = [], 0
    for column, (left, right) in enumerate(pads):
        if column in columns:
            landed.append(at + left)
        at += left + 1 + right
    return landed


def _stretch(line: Line, pads: Sequence[tuple[int, int]], wide: set[str]) -> Line:
    """A line of the picture with its pads: a spot owns its own, and wide ones their neighbours'."""
    text, owners = "", list[str | None]()
    last = len(pads) - 1
    for column, (left, right) in enumerate(pads):
        mark, owner = line.text[column], line.owners[column]
        before, after = max(column - 1, 0), min(column + 1, last)
        text += _line("-", mark, line.text[before]) * left
        owners += [owner or _only(line.owners[before], wide)] * left
        text += mark
        owners.append(owner)
        text += _line("-", mark, line.text[after]) * right
        owners += [owner or _only(line.owners[after], wide)] * right
    return Line(text, tuple(owners))


def _stack(
    lines: Sequence[Line], used: set[int], wide: set[str], scale: Scale
) -> tuple[list[Line], list[int]]:
    """The lines with the gaps between them, and where the *used* ones are."""
    half = scale.half
    blank = Line(" " * len(lines[0].text), (None,) * len(lines[0].text))
    stacked, landed = list[Line](), list[int]()
    for row, line in enumerate(lines):
        above = lines[row - 1] if row - 1 in used else blank
        if row in used:
            gap = scale.down - 1 if row - 1 in used else half
            stacked += [_between(above, line, place, gap, wide) for place in range(gap)]
            landed.append(len(stacked))
        elif row - 1 in used:
            stacked += [_between(above, blank, place, half, wide) for place in range(half)]
        stacked.append(line)
    if len(lines) - 1 in used:
        stacked += [_between(lines[-1], blank, place, half, wide) for place in range(half)]
    return stacked, landed


def _between(above: Line, below: Line, place: int, gap: int, wide: set[str]) -> Line:
    """Line number *place* of the *gap* between two lines."""
    marks = "".join(_line("|", *pair) for pair in zip(above.text, below.text))
    owners = (
        _gap_owner(None if upper in wide else upper, None if lower in wide else lower, place, gap)
        for upper, lower in zip(above.owners, below.owners)
    )
    return Line(marks, tuple(owners))


def _gap_owner(upper: str | None, lower: str | None, place: int, gap: int) -> str | None:
    """A spot goes on through a gap; two different ones share it, with a line between them."""
    if not upper or not lower or upper == lower:
        return upper or lower
    half = (gap - 1) // 2
    return upper if place < half else lower if place >= gap - half else None


def _line(mark: str, *neighbours: str) -> str:
    """A line goes on through the gap beside it."""
    return mark if mark in neighbours else " "


def _only(owner: str | None, wide: set[str]) -> str | None:
    return owner if owner in wide else None
