"""Connect 4 boards, in characters and as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from papan.core import PLAIN, Feature, Move, View, board
from papan.core.drawing import COLOURS, UNIT, document, label, tag
from papan.core.marks import LineDrawing
from papan.games.connect4.rules import Connect4, Connect4Position

DISC = 25
"""The radius of a disc and of the hole before it, in SVG units."""
RIM = 10
"""Width of the frame beyond the cells, in SVG units."""


class Connect4Drawing(LineDrawing, game=Connect4):
    """Draws a board as a frame with holes.

    Columns are named by number, as moves are, and by letter.
    """

    position: Connect4Position

    def picture(self, view: View = PLAIN) -> str:
        """Return the board as lines of text, the top row first.

        Column numbers stand above, column letters below, and row numbers beside it. *view* is not
        looked at.
        """
        game = self.position.game
        numbers = [game.move_name(column) for column in range(game.columns)]
        return board.picture(game.grid, self.position.cells(), numbers)

    def spots(self) -> dict[str, list[tuple[int, int]]]:
        """Return for each column's name, such as ``4``, where `picture` shows the column.

        The places are (line, character) pairs, both from 0; the line with its number is among them.
        """
        game = self.position.game
        width = len(game.move_name(game.columns - 1))
        return {
            game.move_name(column): [
                (row, 2 + column * (width + 1) + offset)
                for row in range(game.rows + 1)
                for offset in range(width)
            ]
            for column in range(game.columns)
        }

    def svg(self, view: View = PLAIN) -> str:
        """Return the SVG document of the board as text.

        *view* says which is the last move, which moves are highlighted, and which have labels;
        fours of the side that moved last are framed. Highlights and labels of moves that are not
        legal are left out. The column of the last move must have a stone: not checked.
        """
        grid = self.position.game.grid
        last = None if view.last is None else _top_cell(self.position, view.last)
        won = _winning_cells(self.position)
        parts = [*_names(self.position), *_behind(grid)]
        for cell, mark in enumerate(self.position.cells()):
            if mark in "xo":
                parts.append(_disc(grid, cell, "xo".index(mark)))
        parts.append(_front(grid))
        for cell in range(grid.size):
            lit = {"class_": "cell last"} if cell == last else {}
            move = self.position.game.move_name(cell % grid.columns)
            parts.append(board.square(grid, cell, data_move=move, **lit))
        parts += [_frame(grid, cell, "won") for cell in won]
        parts += [] if last is None or won else [_frame(grid, last, "latest")]
        legal = self.position.moves()
        parts += [self.highlight(move) for move in view.highlights if move in legal]
        parts += [
            board.value(grid, self.position.landing_cell(move), text)
            for move, text in view.labels.items()
            if move in legal
        ]
        width = 2 * board.EDGE + grid.columns * UNIT
        height = 2 * board.EDGE + grid.rows * UNIT
        return document(width, height, str(self.position), self.picture(), parts)

    def highlight(self, move: Move) -> str:
        """Return the SVG of a dashed frame around the cell where the stone of *move* would land.

        Raise ValueError if the column is full.
        """
        return board.ring(self.position.game.grid, self.position.landing_cell(move), UNIT / 2)

    def pointed_out(self, cells: Sequence[str]) -> str:
        """Return the SVG of glowing rings around *cells*, given by name, such as ``d3``.

        An open column, such as ``4``, means its landing cell. All other names are ignored, such as
        those of full columns or, once the game is over, of all columns; empty if none is left.
        """
        position, game = self.position, self.position.game
        landing = {
            game.move_name(move): game.grid.names[position.landing_cell(move)]
            for move in position.moves()
        }
        return board.glow(game.grid, [landing.get(name, name) for name in cells], UNIT / 2)

    def label_point(self, move: Move) -> tuple[float, float]:
        """Return the middle (x, y) of the cell where *move* would land, in SVG units.

        Raise ValueError if the column is full, as `highlight` does.
        """
        return board.centre(self.position.game.grid, self.position.landing_cell(move))

    def features(self) -> list[Feature]:
        """Return a feature for each empty cell that completes a four of seat 0, then of seat 1.

        Its key is ``connect4.odd_threat`` or ``connect4.even_threat``, by the row counted from 1 at
        the bottom; its values are ``cell``, the name, and ``seat``, 1 or 2. The cells of a seat are
        in the order of the grid. Empty once the game is over.
        """
        return [
            Feature(
                f"connect4.{'even' if height % 2 else 'odd'}_threat",
                values,
                _mark(self.position, cell, seat),
            )
            for seat in (0, 1)
            for cell in threats(self.position, seat)
            for height in [self.position.game.rows - 1 - cell // self.position.game.columns]
            for values in [{"cell": self.position.game.grid.names[cell], "seat": seat + 1}]
        ]


def _behind(grid: board.Grid) -> list[str]:
    """Return the SVG elements of what is seen through the holes, and of the foot of the frame."""
    size = {"width": grid.columns * UNIT + 2 * RIM, "rx": 22}
    left, height = board.EDGE - RIM, grid.rows * UNIT + 2 * RIM
    foot = {"height": height, "fill": COLOURS["board-deep"], "class_": "frame-deep"}
    back = {"height": height, "fill": COLOURS["paper"], "class_": "backing"}
    return [
        tag("rect", x=left, y=left + 6, **foot, **size),
        tag("rect", x=left, y=left, **back, **size),
    ]


def _front(grid: board.Grid) -> str:
    """Return the SVG of the frame with its holes, which covers the edges of the discs."""
    left, r = board.EDGE - RIM, 22
    across, down = (count * UNIT + 2 * RIM - 2 * r for count in (grid.columns, grid.rows))
    outline = (
        f"M{left + r:g} {left:g}h{across:g}a{r} {r} 0 0 1 {r} {r}v{down:g}a{r} {r} 0 0 1 -{r} {r}"
        f"h-{across:g}a{r} {r} 0 0 1 -{r} -{r}v-{down:g}a{r} {r} 0 0 1 {r} -{r}z"
    )
    holes = "".join(_hole(*board.centre(grid, cell)) for cell in range(grid.size))
    rim = {"stroke": COLOURS["rim"], "stroke_width": 2}
    look = {"fill": COLOURS["board"], "fill_rule": "evenodd", "class_": "frame"}
    return tag("path", d=outline + holes, **look, **rim)


def _hole(x: float, y: float) -> str:
    """Return the SVG path of a round hole with its middle at (x, y), in SVG units."""
    return f"M{x - DISC:g} {y:g}a{DISC} {DISC} 0 1 0 {2 * DISC} 0a{DISC} {DISC} 0 1 0-{2 * DISC} 0z"


def threats(position: Connect4Position, seat: int) -> list[int]:
    """Return the empty cells that complete a four of *seat* (0 or 1), as numbers of the grid.

    Cells where no stone can land yet are among them. Empty once the game is over.
    """
    game = position.game
    if not position.moves():
        return []
    empty = sum(game.bits) & ~position.taken
    missing = (four & ~position.marks[seat] for four in game.lines)
    completing = {bit for bit in missing if bit.bit_count() == 1 and bit & empty}
    return [cell for cell, bit in enumerate(game.bits) if bit in completing]


def _winning_cells(position: Connect4Position) -> list[int]:
    """Return the cells of every four of the last mover, as numbers of the grid.

    Empty if there is none.
    """
    stones = position.marks[1 - position.turn]
    won = 0
    for four in position.game.lines:
        if four & stones == four:
            won |= four
    return [cell for cell, bit in enumerate(position.game.bits) if bit & won]


def _top_cell(position: Connect4Position, move: Move) -> int:
    """Return the highest stone of column *move*, the last one there, as a number of the grid.

    The column must not be empty: not checked.
    """
    columns = position.game.columns
    cells = position.cells()[move::columns]
    return (len(cells) - len(cells.lstrip("."))) * columns + move


def _names(position: Connect4Position) -> list[str]:
    """Return SVG elements: column numbers above the board, letters below it, row numbers beside."""
    game, left = position.game, board.EDGE * 0.4
    size = board.letter_size(game.rows, game.columns)
    bottom = board.EDGE * 1.62 + game.rows * UNIT
    names = []
    for column in range(game.columns):
        x = board.EDGE + (column + 0.5) * UNIT
        number = game.move_name(column)
        names.append(board.column_name(x, left, number, size, font_weight=700, fill=COLOURS["ink"]))
        letter = board.letters(column)
        names.append(label(x, bottom, letter, size * 0.8, fill=COLOURS["quiet"]))
    for row in range(game.rows):
        y = board.EDGE + (row + 0.5) * UNIT
        names.append(board.row_name(left, y, game.grid.row_name(row), size * 0.8))
    return names


def _disc(grid: board.Grid, cell: int, seat: int) -> str:
    """Return the SVG of a stone of *seat* (0 or 1) in *cell*, a number of the grid.

    A cross or a ring in it tells the seats apart without colour.
    """
    body = board.solid(*board.centre(grid, cell), seat, DISC, DISC)
    return board.piece(grid.names[cell], body, data_drop=(cell // grid.columns + 1) * UNIT)


def _mark(position: Connect4Position, cell: int, seat: int) -> str:
    """Return the SVG of a small mark of *seat* (0 or 1) in an empty cell, a number of the grid.

    It is off the middle, so that one of the other seat has room beside it.
    """
    x, y = board.centre(position.game.grid, cell)
    shape = (board.cross, board.nought)[seat]
    return tag("g", shape(x + (seat - 0.5) * DISC, y, DISC / 4), class_="threat")


def _frame(grid: board.Grid, cell: int, name: str) -> str:
    """Return the SVG of a golden ring around the stone in *cell*, a number of the grid.

    *name* is the CSS class of the ring.
    """
    return board.gold(*board.centre(grid, cell), DISC, DISC, name)
