"""What all drawings of boards made of cells share: coordinates, cells, rings, labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papan.core.grid import Grid, letters
from papan.core.view import COLOURS, UNIT, document, label, tag

EDGE = 0.75 * UNIT
"""The room for coordinates left of and above the cells."""


def picture(grid: Grid, cells: Sequence[str]) -> str:
    """The board in characters, with its coordinates; *cells* are words of any width."""
    columns = [letters(column) for column in range(grid.columns)]
    margin, width = _measures(grid, cells)
    lines = [" " * margin + "".join(f" {name:>{width}}" for name in columns)]
    for row in range(grid.rows):
        words = cells[row * grid.columns : (row + 1) * grid.columns]
        lines.append(f"{row + 1:>{margin}}" + "".join(f" {word:>{width}}" for word in words))
    return "\n".join(lines)


def spots(grid: Grid, cells: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Where `picture` shows each cell: its name, and the (row, column) of its characters."""
    margin, width = _measures(grid, cells)
    places = {}
    for cell, name in enumerate(grid.names):
        row, column = divmod(cell, grid.columns)
        first = margin + column * (width + 1) + 1
        places[name] = [(row + 1, first + offset) for offset in range(width)]
    return places


def _measures(grid: Grid, cells: Sequence[str]) -> tuple[int, int]:
    """The width of the row numbers and of one cell."""
    widest = max(map(len, (letters(grid.columns - 1), *cells)))
    return len(str(grid.rows)), widest


def corner(grid: Grid, cell: int) -> tuple[float, float]:
    """The top left point of a cell."""
    row, column = divmod(cell, grid.columns)
    return EDGE + column * UNIT, EDGE + row * UNIT


def centre(grid: Grid, cell: int) -> tuple[float, float]:
    """The middle of a cell."""
    x, y = corner(grid, cell)
    return x + UNIT / 2, y + UNIT / 2


def square(grid: Grid, cell: int, **attributes: object) -> str:
    """The frame of a cell; ``data-cell`` names it for whoever makes it clickable."""
    x, y = corner(grid, cell)
    given: dict[str, Any] = {
        "fill": "none",
        "stroke": COLOURS["faint"],
        "class_": "cell",
    } | attributes
    return tag("rect", x=x, y=y, width=UNIT, height=UNIT, data_cell=grid.names[cell], **given)


def ring(grid: Grid, cell: int) -> str:
    """A dashed frame that points a cell out."""
    x, y = corner(grid, cell)
    return tag(
        "rect",
        x=x + 4,
        y=y + 4,
        width=UNIT - 8,
        height=UNIT - 8,
        rx=8,
        fill="none",
        stroke=COLOURS["highlight"],
        stroke_width=4,
        stroke_dasharray="8 5",
        class_="highlight",
    )


def cross(x: float, y: float, reach: float = UNIT * 0.28) -> str:
    """The mark of the first seat: a shape that needs no colour."""
    path = f"M{x - reach:g} {y - reach:g}L{x + reach:g} {y + reach:g}"
    path += f"M{x + reach:g} {y - reach:g}L{x - reach:g} {y + reach:g}"
    return tag("path", d=path, stroke=COLOURS["first"], stroke_width=6, class_="first")


def nought(x: float, y: float, reach: float = UNIT * 0.29) -> str:
    """The mark of the second seat: a shape that needs no colour."""
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=reach,
        fill="none",
        stroke=COLOURS["second"],
        stroke_width=6,
        class_="second",
    )


def marked(grid: Grid, cells: str, last: int | None) -> list[str]:
    """The frame of each cell with the mark on it, x or o; the *last* one is pointed out."""
    parts = []
    for cell, mark in enumerate(cells):
        attributes = {"fill": COLOURS["last"], "class_": "cell last"} if cell == last else {}
        parts.append(square(grid, cell, **attributes))
        if mark in "xo":
            shape = cross if mark == "x" else nought
            parts.append(shape(*centre(grid, cell)))
    return parts


def value(grid: Grid, cell: int, text: str) -> str:
    """A short text on a cell, such as the value of moving there."""
    return label(*centre(grid, cell), text, class_="value")


def sheet(grid: Grid, title: str, description: str, parts: Sequence[str]) -> str:
    """The whole picture of a board: coordinates, then *parts*."""
    columns = [
        label(EDGE + (column + 0.5) * UNIT, EDGE / 2, letters(column), fill=COLOURS["quiet"])
        for column in range(grid.columns)
    ]
    rows = [
        label(EDGE / 2, EDGE + (row + 0.5) * UNIT, str(row + 1), fill=COLOURS["quiet"])
        for row in range(grid.rows)
    ]
    width = EDGE + grid.columns * UNIT + EDGE / 3
    height = EDGE + grid.rows * UNIT + EDGE / 3
    return document(width, height, title, description, [*columns, *rows, *parts])
