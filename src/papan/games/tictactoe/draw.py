"""Tic Tac Toe boards, in characters and as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papan.core import Feature, board
from papan.core.drawing import COLOURS, PLAIN, UNIT, View, tag

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition

LIT: dict[str, Any] = {"fill": COLOURS["last"], "rx": 12, "class_": "cell last lit"}


def svg(position: TicTacToePosition, view: View = PLAIN) -> str:
    """The board with the last move, the winning line, highlights and labels."""
    grid = position.game.grid
    cells = range(grid.size)
    parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
    parts += [board.square(grid, cell, **(LIT if cell == view.last else {})) for cell in cells]
    parts.append(_rules(grid))
    for cell, mark in enumerate(position.cells()):
        if mark in "xo":
            shape = board.cross if mark == "x" else board.nought
            parts.append(board.piece(grid.names[cell], shape(*board.centre(grid, cell)), "pen"))
    parts += [position.highlight(move) for move in view.highlights]
    parts += [board.value(grid, move, text) for move, text in view.labels.items()]
    parts += [_stroke_through(position, line) for line in _won_lines(position)]
    return board.sheet(grid, str(position), position.picture(), parts)


def _rules(grid: board.Grid) -> str:
    """The lines between the cells, ruled by hand."""
    edge, width, height = board.EDGE, grid.columns * UNIT, grid.rows * UNIT
    down = [f"M{edge + x * UNIT:g} {edge + 4:g}v{height - 8:g}" for x in range(1, grid.columns)]
    across = [f"M{edge + 4:g} {edge + y * UNIT:g}h{width - 8:g}" for y in range(1, grid.rows)]
    pen: dict[str, Any] = {"stroke": COLOURS["faint"], "stroke_width": 3, "stroke_linecap": "round"}
    return tag("path", d="".join(down + across), fill="none", class_="rule", **pen)


def _won_lines(position: TicTacToePosition) -> list[int]:
    marks = position.marks[1 - position.turn]
    return [line for line in position.game.lines if line & marks == line]


def _stroke_through(position: TicTacToePosition, line: int) -> str:
    cells = [cell for cell, bit in enumerate(position.game.bits) if bit & line]
    (x1, y1), (x2, y2) = (board.centre(position.game.grid, cell) for cell in (cells[0], cells[-1]))
    ends: dict[str, Any] = {
        "x1": x1,
        "y1": y1,
        "x2": x2,
        "y2": y2,
        "stroke_linecap": "round",
        "pathLength": 1,
    }
    edge = tag("line", **ends, stroke=COLOURS["gold-edge"], stroke_width=11, class_="won-edge")
    return edge + tag("line", **ends, stroke=COLOURS["gold"], stroke_width=7, class_="won")


def features(position: TicTacToePosition) -> list[Feature]:
    """How many of the legal moves really differ."""
    moves = len(position.moves())
    if not moves:
        return []
    return [Feature("tictactoe.distinct", {"moves": moves, "distinct": distinct_moves(position)})]


def distinct_moves(position: TicTacToePosition) -> int:
    """The number of moves, those that a symmetry of the position turns into each other once."""
    cells = position.cells()
    kept = [
        image
        for image in images(position.game)
        if all(cells[cell] == cells[image[cell]] for cell in range(len(cells)))
    ]
    return len({min(image[move] for image in kept) for move in position.moves()})


def images(game: TicTacToe) -> list[list[int]]:
    """Where each cell goes, for every way to turn or mirror the board: eight if it is square."""
    rows, columns = game.rows, game.columns
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    flips = [(down, right) for down in (False, True) for right in (False, True)]

    def image(down: bool, right: bool, turned: bool) -> list[int]:
        moved = (
            (rows - 1 - row if down else row, columns - 1 - column if right else column)
            for row, column in places
        )
        return [
            column * columns + row if turned else row * columns + column for row, column in moved
        ]

    ways = (False, True) if rows == columns else (False,)
    return [image(down, right, turned) for turned in ways for down, right in flips]
