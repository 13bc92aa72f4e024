"""Boards made of cells: the names of cells, their text, and their drawing in characters and SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from papan.core.drawing import COLOURS, UNIT, document, label, tag
from papan.core.errors import InvalidMoveError, InvalidPositionError
from papan.core.graph import Edge, Graph, Vertex


def letters(column: int) -> str:
    """Return the name of a *column*, counted from 0: ``a`` to ``z``, then ``aa``, ``ab``, …"""
    before, last = divmod(column, 26)
    return (letters(before - 1) if before else "") + ascii_lowercase[last]


PAIR = r"\(? ?[0-9]{1,3}(?: ?, ?| )[0-9]{1,3} ?\)?"
"""A cell as the papers type and print it: its row and its column, both counted from 0."""
BETWEEN = "(?: (?:to|dengan) | ?, ?| )"
"""Pattern of the separator of two such cells; its words are those of the papers' programs."""


@dataclass(frozen=True)
class Grid:
    """A rectangle of *rows* x *columns* cells, numbered row by row from 0 at the top left.

    A cell's name is the letter of its column and the number of its row, such as ``b2``: see
    `letters`. Rows are named from 1 at the top, or from 1 at the bottom if *from_below*; cell
    numbers are the same for both. Sizes are not checked.
    """

    rows: int
    columns: int
    from_below: bool = False
    """True if rows are named from below, because pieces fall."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def row_name(self, row: int) -> str:
        """Return the name of *row*, which counts from 0 at the top: ``1`` for row 0.

        If `from_below`, ``1`` is the name of the lowest row.
        """
        return str(self.rows - row if self.from_below else row + 1)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell, such as ``b2``, by its number: row by row from the top left."""
        return tuple(
            f"{letters(column)}{self.row_name(row)}"
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, by its number, the numbers of the cells that share a side with it.

        They are in the order above, left, right, below; those beyond the board are left out.
        """
        around = ((-1, 0), (0, -1), (0, 1), (1, 0))
        return tuple(
            tuple(
                (row + down) * self.columns + column + right
                for down, right in around
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @cached_property
    def images(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the board, each as a tuple of all cell numbers in a new order.

        ``image[cell]`` is the cell whose content comes to *cell*. The first image is the identity.
        A square has eight images, another board four, and one where pieces fall two, as only left
        and right can change places. On boards of one row or column some are equal.
        """
        cells = list(range(self.size))
        rows = [cells[first : first + self.columns] for first in range(0, self.size, self.columns)]
        flipped = [rows] if self.from_below else [rows, rows[::-1]]
        ways = [[row[::step] for row in way] for way in flipped for step in (1, -1)]
        if self.rows == self.columns and not self.from_below:
            ways += [[list(column) for column in zip(*way)] for way in ways]
        return tuple(tuple(cell for row in way for cell in row) for way in ways)

    def parse(self, text: str, count: int) -> list[int]:
        """Return the numbers of the *count* cells that *text* names: ``a1b1`` or ``0,0 0,1``.

        They are in the order of *text*, and may be equal. Names, in small or capital letters,
        follow one another without blanks; two numbers are a row and a column, from 0 at the top
        left. Raises InvalidMoveError if *text* has neither form, or names another number of cells
        or one beyond the board.
        """
        words = " ".join(text.lower().split())
        if re.fullmatch(BETWEEN.join([PAIR] * count), words):
            numbers = list(map(int, re.findall("[0-9]+", words)))
            pairs = list(zip(numbers[::2], numbers[1::2]))
            known = all(row < self.rows and column < self.columns for row, column in pairs)
            cells = [row * self.columns + column for row, column in pairs] if known else []
        else:
            names = re.findall("[a-z]{1,2}[0-9]{1,3}", words)
            known = "".join(names) == words and self._cells.keys() >= set(names)
            cells = [self._cells[name] for name in names] if known else []
        if len(cells) == count:
            return cells
        example, last = "".join(self.names[:count]), self.names[-1]
        corner = f"{self.rows - 1},{self.columns - 1}"
        raise InvalidMoveError(
            "error.not_a_cell", text=text, example=example, last=last, corner=corner
        )

    def split(self, text: str, count: int) -> list[str]:
        """Return *text* split into the texts of its moves, each of *count* cells, for `parse`.

        If *count* is 2, ``a1b1 0,0 0,1`` is the two texts ``a1b1`` and ``0,0 0,1``. They are not
        checked: what is no pair of numbers is split at blanks. Empty for an empty text.
        """
        one = BETWEEN.join([PAIR] * count)
        return re.findall(rf"{one}(?= |$)|\S+", " ".join(text.split()))

    @cached_property
    def _cells(self) -> dict[str, int]:
        """The number of each cell, by its name."""
        return {name: cell for cell, name in enumerate(self.names)}

    def board(self, cells: Sequence[str], between: str = "") -> str:
        """Return the text of a board: the words of *cells* joined by *between*, rows by ``/``.

        *cells* has one word for each cell, row by row from the top: ``x../.o./...``.
        """
        rows = range(0, self.size, self.columns)
        return "/".join(between.join(cells[first : first + self.columns]) for first in rows)

    def parse_board(self, text: str, alphabet: str) -> str:
        """Return the cells in the text of a board: one character of *alphabet* each, without ``/``.

        ``x../.o./...`` becomes ``x...o....``. Raises InvalidPositionError if the size, a ``/`` or a
        character is wrong; the error shows a board full of the last character of *alphabet*.
        """
        cells = text.replace("/", "")
        if len(cells) != self.size or self.board(cells) != text or not set(cells) <= set(alphabet):
            example = self.board(alphabet[-1] * self.size)
            raise InvalidPositionError(
                "error.not_a_board", text=text, example=example, alphabet=" ".join(alphabet)
            )
        return cells


EDGE = 0.75 * UNIT
"""The room for coordinates left of and above the cells, in SVG units (`UNIT` to a cell)."""


def picture(grid: Grid, cells: Sequence[str], heads: Sequence[str] = ()) -> str:
    """Return the board in characters with coordinates, as lines of text.

    *cells* has a word of any width for each cell, row by row from the top; *heads*, if given, a
    word to stand above each column. Letters name the columns: above the board, or below it if there
    are *heads*.
    """
    names = [letters(column) for column in range(grid.columns)]
    margin, width = _measures(grid, [*heads, *cells])
    lines = [("", *(heads or names))]
    for row in range(grid.rows):
        first = row * grid.columns
        lines.append((grid.row_name(row), *cells[first : first + grid.columns]))
    lines += [("", *names)] if heads else []
    return "\n".join(
        f"{name:>{margin}}" + "".join(f" {word:>{width}}" for word in words)
        for name, *words in lines
    )


def spots(grid: Grid, cells: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Return where `picture` shows each cell: by its name, the (row, column) of its characters.

    Rows are the lines of the picture, columns the characters of a line, both from 0. *cells* are
    the words given to `picture`; its *heads*, if any, must not be wider than the widest of *cells*
    and of the names of columns: not checked.
    """
    margin, width = _measures(grid, cells)
    places = {}
    for cell, name in enumerate(grid.names):
        row, column = divmod(cell, grid.columns)
        first = margin + column * (width + 1) + 1
        places[name] = [(row + 1, first + offset) for offset in range(width)]
    return places


def _measures(grid: Grid, cells: Sequence[str]) -> tuple[int, int]:
    """Return two widths in characters: of the row numbers, and of one cell.

    A cell is as wide as the widest of the words *cells* and of the names of columns.
    """
    widest = max(map(len, (letters(grid.columns - 1), *cells)))
    return len(str(grid.rows)), widest


def corner(grid: Grid, cell: int) -> tuple[float, float]:
    """Return the top left point (x, y) of a *cell*, given by its number, in SVG units."""
    row, column = divmod(cell, grid.columns)
    return EDGE + column * UNIT, EDGE + row * UNIT


def centre(grid: Grid, cell: int) -> tuple[float, float]:
    """Return the middle (x, y) of a *cell*, given by its number, in SVG units."""
    x, y = corner(grid, cell)
    return x + UNIT / 2, y + UNIT / 2


LIT: dict[str, object] = {"fill": COLOURS["last"], "rx": 12, "class_": "cell last lit"}
"""The look of a cell on which something has just happened."""


def square(grid: Grid, cell: int, /, **attributes: object) -> str:
    """Return the SVG frame of a *cell*, given by its number.

    Its ``data-cell``, the name of the cell, lets a page make it clickable. *attributes* are further
    ones of the SVG element, as `tag` takes them; ``fill`` and ``class_`` replace those it has.
    """
    x, y = corner(grid, cell)
    given = {"fill": "none", "class_": "cell"} | attributes
    return tag("rect", x=x, y=y, width=UNIT, height=UNIT, data_cell=grid.names[cell], **given)


def ring(grid: Grid, cell: int, rounding: float = 8) -> str:
    """Return the SVG of a dashed frame that points out a *cell*, given by its number.

    *rounding* is the radius of its corners in SVG units.
    """
    x, y = corner(grid, cell)
    shape = {"x": x + 4, "y": y + 4, "width": UNIT - 8, "height": UNIT - 8, "rx": rounding}
    pen = {"stroke": COLOURS["highlight"], "stroke_width": 4, "stroke_dasharray": "8 5"}
    return tag("rect", **shape, fill="none", **pen, class_="highlight")


def glow(grid: Grid, names: Iterable[str], rounding: float = 14) -> str:
    """Return the SVG of glowing frames around the cells of these *names*, such as ``b2``.

    Unknown names are ignored; empty if none is left. *rounding* is the radius of the corners in SVG
    units.
    """
    size = {"width": UNIT - 4, "height": UNIT - 4, "rx": rounding}
    look = {"fill": COLOURS["gold"], "fill_opacity": 0.16, "class_": "glow"}
    pen = {"stroke": COLOURS["gold-edge"], "stroke_width": 3}
    corners = (corner(grid, grid.names.index(name)) for name in names if name in grid.names)
    return "".join(tag("rect", x=x + 2, y=y + 2, **size, **look, **pen) for x, y in corners)


def cross(x: float, y: float, reach: float = UNIT * 0.28) -> str:
    """Return the SVG of the first seat's mark, a cross, centred on the point (*x*, *y*).

    All numbers are in SVG units; *reach* is half the width of the cross.
    """
    path = f"M{x - reach:g} {y - reach:g}L{x + reach:g} {y + reach:g}"
    path += f"M{x + reach:g} {y - reach:g}L{x - reach:g} {y + reach:g}"
    pen = {"stroke": COLOURS["first"], "stroke_width": 6, "stroke_linecap": "round"}
    return tag("path", d=path, **pen, pathLength=1, class_="first")


def nought(x: float, y: float, reach: float = UNIT * 0.29) -> str:
    """Return the SVG of the second seat's mark, a circle, centred on the point (*x*, *y*).

    All numbers are in SVG units; *reach* is the radius.
    """
    pen = {"fill": "none", "stroke": COLOURS["second"], "stroke_width": 6}
    return tag("circle", cx=x, cy=y, r=reach, **pen, pathLength=1, class_="second")


def piece(name: str, body: str, kind: str = "", **facts: object) -> str:
    """Return the SVG group of a piece on the spot *name*, such as ``b2``.

    *body* is the SVG of the piece, *kind* a further CSS class, and *facts* are further attributes,
    as `tag` takes them. Pages compare the groups of two pictures to show what has changed.
    """
    return tag("g", body, class_=f"piece {kind}".rstrip(), data_at=name, **facts)


def solid(x: float, y: float, seat: int, reach: float, rounding: float) -> str:
    """Return the SVG of a solid piece: a thick edge, a face, and the mark of its seat (0 or 1).

    It is a square centred on (x, y): *reach* is half its side, *rounding* the radius of its
    corners, both in SVG units.
    """
    name, mark = (("first", cross), ("second", nought))[seat]
    shape = {"x": x - reach, "width": 2 * reach, "height": 2 * reach, "rx": rounding}
    deep = {"fill": COLOURS[f"{name}-deep"], "class_": f"under-{name}"}
    under = tag("rect", y=y - reach + 3, **deep, **shape)
    face = tag("rect", y=y - reach, fill=COLOURS[name], class_=f"disc {name}", **shape)
    drawn = mark(x, y, reach * 0.44).replace(COLOURS[name], COLOURS["surface"])
    return under + face + drawn


def gold(x: float, y: float, reach: float, rounding: float, name: str) -> str:
    """Return the SVG of a golden frame around a piece, with a dark edge that shows on any colour.

    The frame is a square around the point (*x*, *y*): *reach* is half its side, *rounding* the
    radius of its corners, both in SVG units. *name* is its CSS class.
    """
    size = {"x": x - reach, "y": y - reach, "width": 2 * reach, "height": 2 * reach}
    shape = {**size, "rx": rounding, "fill": "none"}
    edge = tag("rect", stroke=COLOURS["gold-edge"], stroke_width=8, class_="gold-edge", **shape)
    return edge + tag("rect", stroke=COLOURS["gold"], stroke_width=5, class_=name, **shape)


def tray(width: float, height: float, rim: float = 8) -> str:
    """Return the SVG of the tray that the cells lie on, in the coordinates of `corner`.

    *width* and *height* are those of all cells together; on each side the tray is *rim* wider. All
    are in SVG units.
    """
    left = EDGE - rim
    size = {"width": width + 2 * rim, "height": height + 2 * rim, "rx": 14}
    return tag("rect", x=left, y=left, **size, fill=COLOURS["raised"], class_="tray")


def letter_size(rows: int, columns: int) -> float:
    """Return the font size of the coordinates of a board, in SVG units, by its size in cells.

    It is 2 * (the longer side + 1), at most 26.
    """
    return min(26, (max(rows, columns) + 1) * UNIT / 30)


def value(grid: Grid, cell: int, text: str) -> str:
    """Return the SVG of a short *text*, such as the value of a move, in the middle of a *cell*.

    The cell is given by its number.
    """
    return label(*centre(grid, cell), text, class_="value")


def column_name(x: float, y: float, text: str, size: float, **attributes: object) -> str:
    """Return the SVG of a column's name *text*, centred on the point (*x*, *y*).

    *size* is the font size; all are in SVG units. *attributes* are further ones, or replace the
    usual ones, as `label` takes them. By its class, pages keep it in sight on an enlarged board.
    """
    named = {"fill": COLOURS["quiet"], "class_": "column-name"}
    return label(x, y, text, size, **(named | attributes))


def row_name(x: float, y: float, text: str, size: float) -> str:
    """Return the SVG of a row's name *text*, centred on the point (*x*, *y*).

    *size* is the font size; all are in SVG units. By its class, pages keep it in sight on an
    enlarged board.
    """
    return label(x, y, text, size, fill=COLOURS["quiet"], class_="row-name")


def coordinates(grid: Grid, at: float, size: float, shift: float = 0) -> list[str]:
    """Return the names of all columns, then of all rows, each as an SVG element.

    Names of columns are *at* SVG units from the upper edge of the picture, names of rows as far
    from the left edge. Each is centred on the beginning of its column or row, moved by *shift*
    cells: 0.5 puts it in the middle. *size* is the font size in SVG units.
    """
    columns = (
        column_name(EDGE + (column + shift) * UNIT, at, letters(column), size)
        for column in range(grid.columns)
    )
    rows = (
        row_name(at, EDGE + (row + shift) * UNIT, grid.row_name(row), size)
        for row in range(grid.rows)
    )
    return [*columns, *rows]


def sheet(grid: Grid, title: str, description: str, parts: Sequence[str]) -> str:
    """Return the whole SVG document of a board: the SVG elements *parts*, then the coordinates.

    *parts* are where `corner` and `centre` put the cells. *title* and *description* are plain texts
    for screen readers.
    """
    size = letter_size(grid.rows, grid.columns)
    names = coordinates(grid, EDGE / 2, size, shift=0.5)
    width = 2 * EDGE + grid.columns * UNIT  # as much room on the right: the board is in the middle
    height = EDGE + grid.rows * UNIT + EDGE / 3
    return document(width, height, title, description, [*parts, *names])


SEATS = {"x": "first", "o": "second"}
"""Class in drawings of the seat that has each mark."""


def cell_vertices(grid: Grid, cells: str) -> tuple[Vertex, ...]:
    """Return a vertex for each cell, row by row from the top, with the name of the cell.

    *cells* has one character for each cell. The mark of the vertex is ``first`` for ``x``,
    ``second`` for ``o``, else empty.
    """
    return tuple(
        Vertex(name, centre(grid, cell), SEATS.get(cells[cell], ""))
        for cell, name in enumerate(grid.names)
    )


def grid_graph(grid: Grid, cells: str) -> Graph:
    """Return the graph named ``cells``: the cells, and an edge between any two side by side.

    *cells* has one character (``x``, ``o`` or another) for each cell, row by row from the top.
    """
    names = grid.names
    edges = tuple(
        Edge((names[cell], names[other]))
        for cell, beside in enumerate(grid.neighbours)
        for other in beside
        if cell < other
    )
    return Graph("cells", cell_vertices(grid, cells), edges)
