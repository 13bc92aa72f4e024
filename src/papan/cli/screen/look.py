"""How a board looks: every character with the names of what it is, which the style sheet paints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from papan.cli.screen.drawing import Drawing, Place

MARKS = {"x": "first", "o": "second"}
"""The marks of the seats in pictures."""
LINES = {"-": "\u2501", "|": "\u2503"}
"""Lines between dots, drawn without gaps."""
NAMES = (
    *("spot", "odd", "first", "second", "last", "preview", "hint", "picked"),
    *("lit", "first-lit", "second-lit"),
)
"""All that a character can be."""

Cell = tuple[str, tuple[str, ...]]
"""A character and what it is, the most important last."""


@dataclass(frozen=True)
class Look:
    """A drawing, and what is to be seen on it; spots by their names."""

    drawing: Drawing
    odd: Collection[str] = ()
    """Spots in another shade, where cells touch each other."""
    last: Collection[Place] = ()
    """What the last move changed."""
    preview: Mapping[Place, str] = field(default_factory=dict)
    """What the move under the pointer would change."""
    hint: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    lit: str | None = None
    """The spot under the pointer."""

    def cells(self, row: int) -> list[Cell]:
        """The characters of a row."""
        text, owners = self.drawing.lines[row]
        brackets = self._brackets(row)
        cells = []
        for column, (mark, owner) in enumerate(zip(text, owners)):
            place = (row, column)
            mark = brackets.get(column, self.preview.get(place, mark))
            shown = LINES.get(mark, mark) if owner is not None else mark
            cells.append((shown, tuple(self._names(place, mark, owner))))
        return cells

    def _names(self, place: Place, mark: str, owner: str | None) -> list[str]:
        names = [] if owner is None else ["odd" if owner in self.odd else "spot"]
        seat = MARKS.get(mark) if place in self.drawing.coloured else None
        names += [seat] if seat else []
        names += ["last"] * (place in self.last) + ["preview"] * (place in self.preview)
        names += ["hint"] * (owner in self.hint) + ["picked"] * (owner in self.picked)
        if owner is not None and owner == self.lit:
            names += ["lit", f"{seat}-lit"] if seat else ["lit"]
        return names

    def _brackets(self, row: int) -> dict[int, str]:
        """Marks beside the hint and the picked spots, for those who see no colours."""
        marks = {}
        for names, (left, right) in ((self.hint, "[]"), (self.picked, "><")):
            for name in names:
                columns = self._columns(name, row)
                if columns:
                    outside = len(columns) < 3
                    marks[columns[0] - outside] = left
                    marks[columns[-1] + outside] = right
        text = self.drawing.lines[row].text
        return {column: mark for column, mark in marks.items() if text[column : column + 1] == " "}

    def _columns(self, spot: str, row: int) -> list[int]:
        """The columns of *spot* in *row*, if that is where its first characters are."""
        places = self.drawing.places.get(spot, [(-1, 0)])
        first = places[0][0] + self.drawing.scale.half
        return [column for line, column in places if line == row == first]
