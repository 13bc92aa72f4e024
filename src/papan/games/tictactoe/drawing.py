"""Tic Tac Toe boards: the stroke through a winning line, and what symmetry says of the moves."""

from __future__ import annotations

from papan.core import Feature, board
from papan.core.drawing import COLOURS, tag
from papan.core.marks import LineDrawing
from papan.games.tictactoe.rules import TicTacToe, TicTacToePosition


class TicTacToeDrawing(LineDrawing, game=TicTacToe):
    """Draws a board of x and o, with a stroke through each line that has won."""

    position: TicTacToePosition

    def on_top(self) -> list[str]:
        game, rival = self.position.game, self.position.marks[1 - self.position.turn]
        return [_stroke(game, line) for line in game.lines if line & rival == line]

    def features(self) -> list[Feature]:
        """Return at most one feature: how many moves are legal, and how many if images count once.

        Moves are images of each other if a symmetry of the position turns one into the other. Empty
        if no two are.
        """
        moves, cells = self.position.moves(), self.position.cells()
        symmetries = [
            image
            for image in self.position.game.symmetries
            if all(cells[place] == cell for place, cell in zip(image, cells))
        ]
        distinct = len({min(image[move] for image in symmetries) for move in moves})
        facts = {"moves": len(moves), "distinct": distinct}
        return [Feature("tictactoe.distinct", facts)] if distinct < len(moves) else []


def _stroke(game: TicTacToe, line: int) -> str:
    """Return the SVG of a golden stroke through *line*, a bitboard of cells in a row."""
    cells = [cell for cell, bit in enumerate(game.bits) if bit & line]
    (x1, y1), (x2, y2) = (board.centre(game.grid, cell) for cell in (cells[0], cells[-1]))
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    pen = {"stroke_linecap": "round", "pathLength": 1}
    edge = {"stroke": COLOURS["gold-edge"], "stroke_width": 11, "class_": "won-edge"}
    gold = {"stroke": COLOURS["gold"], "stroke_width": 7, "class_": "won"}
    return tag("line", **ends, **pen, **edge) + tag("line", **ends, **pen, **gold)
