"""Tic Tac Toe boards, in characters and as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.core import board
from papan.core.drawing import COLOURS, View, tag

if TYPE_CHECKING:
    from papan.games.tictactoe.rules import TicTacToePosition


def picture(position: TicTacToePosition) -> str:
    """The board in characters."""
    return board.picture(position.game.grid, position.cells())


def svg(position: TicTacToePosition, view: View) -> str:
    """The board with the last move, the winning line, highlights and labels."""
    grid = position.game.grid
    parts = board.marked(grid, position.cells(), view.last)
    parts += [position.highlight(move) for move in view.highlights]
    parts += [board.value(grid, move, text) for move, text in view.labels.items()]
    parts += [_stroke_through(position, line) for line in _won_lines(position)]
    return board.sheet(grid, str(position), position.picture(), parts)


def _won_lines(position: TicTacToePosition) -> list[int]:
    marks = position.marks[1 - position.turn]
    return [line for line in position.game.lines if line & marks == line]


def _stroke_through(position: TicTacToePosition, line: int) -> str:
    cells = [cell for cell, bit in enumerate(position.game.bits) if bit & line]
    (x1, y1), (x2, y2) = (board.centre(position.game.grid, cell) for cell in (cells[0], cells[-1]))
    return tag(
        "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=COLOURS["ink"], stroke_width=5, class_="won"
    )
