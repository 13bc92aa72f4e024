"""Adjacency boards: tiles, what the last move turned, and what a move would turn."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from papan.core import PLAIN, Feature, Graph, Grid, Message, Move, View, board
from papan.core.drawing import COLOURS, UNIT, tag
from papan.core.marks import MARKS, MarkDrawing
from papan.games.adjacency.rules import Adjacency, AdjacencyPosition

TILE = UNIT * 0.43
"""Half the side of a tile, in SVG units."""
ROUNDING = 9


class AdjacencyDrawing(MarkDrawing, game=Adjacency):
    """Draws a board of tiles in two colours that change hands."""

    position: AdjacencyPosition

    def features(self) -> list[Feature]:
        """Return one feature, ``adjacency.rounds_left``, with the number of rounds left."""
        return [Feature("adjacency.rounds_left", {"rounds": self.position.rounds_left})]

    def graphs(self) -> tuple[Graph]:
        """Return one graph: that of `cell_graph`."""
        return (cell_graph(self.position),)

    def svg(self, view: View = PLAIN) -> str:
        """Return the SVG of the board, with the highlights and labels of *view*.

        If *view* has the moves played, the last one is marked, and so are the marks that it turned.
        """
        grid = self.position.game.grid
        parts = [board.tray(grid.columns * UNIT, grid.rows * UNIT)]
        for cell, mark in enumerate(self.position.cells()):
            x, y = board.centre(grid, cell)
            slot = {"x": x - TILE, "y": y - TILE, "width": 2 * TILE, "height": 2 * TILE}
            parts.append(tag("rect", **slot, rx=ROUNDING, fill=COLOURS["slot"], class_="slot"))
            lit = {"class_": "cell last"} if cell == view.last else {}
            parts.append(board.square(grid, cell, **lit))
            if mark in MARKS:
                body = board.solid(x, y, MARKS.index(mark), TILE, ROUNDING)
                parts.append(board.piece(grid.names[cell], body, "tile"))
        for before, move in view.played[-1:]:
            parts.append(board.gold(*board.centre(grid, move), TILE, ROUNDING, "latest"))
            just_turned = cast("AdjacencyPosition", before).flips(move)
            parts += [_turned(grid, cell, "quiet", "turned") for cell in just_turned]
        parts += [self.highlight(move) for move in view.highlights]
        parts += [board.value(grid, cell, text) for cell, text in view.labels.items()]
        return board.sheet(grid, str(self.position), self.picture(), parts)

    def highlight(self, move: Move) -> str:
        """Return the SVG of frames around the cell of *move* and the marks that it would turn."""
        grid = self.position.game.grid
        turns = (_turned(grid, cell, "highlight", "turns") for cell in self.position.flips(move))
        return board.ring(grid, move) + "".join(turns)


def cell_graph(position: AdjacencyPosition) -> Graph:
    """Return the graph of cells and their neighbours; edges between x and o are marked *front*.

    A note counts these edges.
    """
    cells, grid = position.cells(), position.game.grid
    graph, owner = board.grid_graph(grid, cells), dict(zip(grid.names, cells))
    edges = tuple(
        replace(edge, mark="front") if {owner[end] for end in edge.ends} == set(MARKS) else edge
        for edge in graph.edges
    )
    front = {"edges": sum(edge.mark == "front" for edge in edges)}
    return replace(graph, edges=edges, notes=(Message("graph.front", front),))


def _turned(grid: Grid, cell: int, colour: str, name: str) -> str:
    """Return the SVG of a dotted frame around *cell*, a number of the grid, that changes hands.

    *colour* is a name in COLOURS, *name* the CSS class of the frame.
    """
    x, y = board.corner(grid, cell)
    shape = {"x": x + 5, "y": y + 5, "width": UNIT - 10, "height": UNIT - 10, "fill": "none"}
    pen = {"stroke": COLOURS[colour], "stroke_width": 4, "stroke_dasharray": "1 7"}
    return tag("rect", **shape, **pen, stroke_linecap="round", class_=name)
