"""Onet boards, in characters and as SVG: lines, how they are found, and what is drawn on tiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from papan.core import PLAIN, Drawing, Feature, Graph, Message, Move, View, board
from papan.core.board import letters
from papan.core.drawing import COLOURS, UNIT, label, tag
from papan.core.graph import Edge, Vertex
from papan.games.onet.links import MOST_LINK_TURNS, LinkPoint, length
from papan.games.onet.rules import Onet, OnetPosition

OUTSIDE = 8
"""Distance from the edge of a line that leaves the board, in SVG units."""


class OnetDrawing(Drawing, game=Onet):
    """Draws tiles with motifs, and the lines that link them."""

    position: OnetPosition

    def picture(self, view: View = PLAIN) -> str:
        """Return the board as lines of text: the numbers of kinds, with dots for empty cells.

        *view* is not looked at.
        """
        return board.picture(self.position.game.grid, _words(self.position))

    def svg(self, view: View = PLAIN) -> str:
        """Return the SVG of the board, with the last line, highlights and labels of *view*."""
        game = self.position.game
        last = game.cells(view.last) if view.last is not None else ()
        parts = [board.tray(game.columns * UNIT, game.rows * UNIT, OUTSIDE + 4)]
        parts += [_cell(self.position, cell, cell in last) for cell in range(game.grid.size)]
        if view.played:
            before, move = view.played[-1]
            parts.append(_line(cast("OnetPosition", before), move, "last"))
        parts += [self.highlight(move) for move in view.highlights]
        parts += [
            label(*self.label_point(move), text, 12, class_="value", pointer_events="none")
            for move, text in view.labels.items()
        ]
        return board.sheet(game.grid, str(self.position), self.picture(), parts)

    def highlight(self, move: Move) -> str:
        """Return the SVG of frames around both tiles, and of their line if they are linked."""
        cells = self.position.game.cells(move)
        rings = "".join(board.ring(self.position.game.grid, cell) for cell in cells)
        linked = self.position.why_not(*cells) is None
        return rings + (_line(self.position, move, "highlight") if linked else "")

    def pointed_out(self, cells: Sequence[str]) -> str:
        return board.glow(self.position.game.grid, cells)

    def label_point(self, move: Move) -> tuple[float, float]:
        """Return the point (x, y), in SVG units, near the top of the first tile of a pair."""
        x, y = board.centre(self.position.game.grid, self.position.game.cells(move)[0])
        return x, y - 22

    def features(self) -> list[Feature]:
        """Return one feature: the tiles left, and the number of pairs that can be taken now."""
        tiles = len(self.position.tiles) - self.position.tiles.count(0)
        values = {"tiles": tiles, "pairs": len(self.position.moves())}
        return [Feature("onet.left", values)]

    def traced(self, move: Move) -> list[Feature]:
        """Return features of the search for a link: one for each number of turns, then the line.

        Those for 0, 1 and 2 turns (``onet.frontier``) show the cells that are first reached with
        them; ``cells`` is their number, ``visited`` that of all up to then. The line is
        ``onet.path``: its ``turns``, its length in ``cells``, and all cells ``visited``. *move*
        must be legal, else ValueError may be raised.
        """
        first, second = self.position.game.cells(move)
        links = self.position.game.links(self.position.tiles)
        start = first if links.joins(first, second) else second
        fewest = links.spread(start)
        found = []
        for turns in range(MOST_LINK_TURNS + 1):
            reached = sorted(point for point in fewest if fewest[point] == turns)
            visited = sum(each <= turns for each in fewest.values())
            drawn = "".join(_mark(self.position, point, turns) for point in reached)
            values = {"turns": turns, "cells": len(reached), "visited": visited}
            found.append(Feature("onet.frontier", values, drawn))
        path = self.position.path(move)
        values = {"turns": len(path) - 2, "cells": length(path) - 1, "visited": len(fewest)}
        return [*found, Feature("onet.path", values, self.highlight(move))]

    def graphs(self) -> tuple[Graph, Graph]:
        """Return two graphs: *links* between tiles, and *runs*, of which lines are made up."""
        return link_graph(self.position), run_graph(self.position)

    def spots(self) -> dict[str, list[tuple[int, int]]]:
        return board.spots(self.position.game.grid, _words(self.position))


def _words(position: OnetPosition) -> list[str]:
    """Return for each cell what `picture` shows: the number of its kind, ``.`` if it is empty."""
    return [str(tile or ".") for tile in position.tiles]


def _cell(position: OnetPosition, cell: int, last: bool) -> str:
    """Return the SVG of a tile with its motif, or of an empty cell.

    *last*: it was cleared by the last move.
    """
    grid, tile = position.game.grid, position.tiles[cell]
    if not tile:
        return board.square(grid, cell, **(board.LIT if last else {}))
    x, y = board.centre(grid, cell)
    frame = board.square(grid, cell, class_="cell tile")
    body = _plate(x, y) + motif(tile, x, y - 1, 20)
    return frame + board.piece(grid.names[cell], body)


def _plate(x: float, y: float) -> str:
    """Return the SVG of the tile itself around (x, y): a face with a thick lower edge."""
    shape = {"x": x - 28, "width": 56, "rx": 9, "pointer_events": "none"}
    under = tag("rect", y=y - 26, height=55, fill="#cbbf9f", class_="under", **shape)
    return under + tag(
        "rect", y=y - 28, height=54, fill="#fffdf5", stroke="#cbbf9f", class_="face", **shape
    )


def _line(position: OnetPosition, move: Move, name: str) -> str:
    """Return the SVG of the line that links the tiles of *move*, with a dot on each corner.

    *name* is "last" or "highlight". The tiles must be linked in *position*.
    """
    points = [place(position, point) for point in position.path(move)]
    colour = COLOURS["gold" if name == "last" else name]
    pen = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round", "pathLength": 1}
    line = {"points": " ".join(f"{x:g},{y:g}" for x, y in points), **pen}
    drawn = tag("polyline", **line, stroke=colour, stroke_width=6, class_=f"path {name}")
    if name == "last":
        edge = {"stroke": COLOURS["gold-edge"], "stroke_width": 9, "class_": "gold-edge"}
        drawn = tag("polyline", **line, **edge) + drawn
    corners = (
        tag("circle", cx=x, cy=y, r=5, fill=colour, class_="corner") for x, y in points[1:-1]
    )
    return tag("g", drawn + "".join(corners), class_=f"link {name}-link", pointer_events="none")


def place(
    position: OnetPosition, point: LinkPoint, outside: float = OUTSIDE
) -> tuple[float, float]:
    """Return where a point of a line is drawn, as (x, y) in SVG units: the middle of its cell.

    A point outside the board is drawn *outside* SVG units from its edge.
    """

    def along(place: int, size: int) -> float:
        """Return, in SVG units, the x of a column or the y of a row, of which there are *size*.

        *place* is its number from 0; -1 and *size* are just outside the board.
        """
        if 0 <= place < size:
            return board.EDGE + (place + 0.5) * UNIT
        return board.EDGE + (-outside if place < 0 else size * UNIT + outside)

    row, column = point
    return along(column, position.game.columns), along(row, position.game.rows)


# How the line between two tiles is found: the cells that lines reach, turn by turn.


def _mark(position: OnetPosition, point: LinkPoint, turns: int) -> str:
    """Return the SVG of a dot on a cell: full, a ring, or a smaller ring, by *turns* (0 to 2)."""
    x, y = place(position, point)
    fill = COLOURS["paper" if turns else "highlight"]
    pen = {"fill": fill, "stroke": COLOURS["highlight"], "stroke_width": 3}
    return tag("circle", cx=x, cy=y, r=(9, 8, 5)[turns], **pen, class_=f"frontier turns-{turns}")


# The board as graphs: which tiles a line links, and the straight runs that lines are made of.


def link_graph(position: OnetPosition) -> Graph:
    """Return the graph named ``links``: tiles, with an edge between equal ones that are linked.

    The data of a vertex is its ``tile``, a kind from 1; that of an edge the ``turns`` of its line,
    0 to 2.
    """
    game, names = position.game, position.game.grid.names
    vertices = tuple(
        Vertex(names[cell], board.centre(game.grid, cell), data={"tile": tile})
        for cell, tile in enumerate(position.tiles)
        if tile
    )
    edges = []
    for move in position.moves():
        first, second = game.cells(move)
        line = position.path(move)
        points = tuple(place(position, point) for point in line)
        turns = {"turns": len(line) - 2}
        edges.append(Edge((names[first], names[second]), mark="link", path=points, data=turns))
    kinds = {"kinds": len(position.alike()), "links": len(edges)}
    return Graph("links", vertices, tuple(edges), notes=(Message("onet.graph_links", kinds),))


def run_graph(position: OnetPosition) -> Graph:
    """Return the graph named ``runs``: cells, joined by straight runs over empty ones.

    The cells just outside the board are vertices, too. The data of a vertex is its ``tile``, a kind
    from 1, 0 for none. A line with two turns is a path of three edges, so that a walk breadth first
    from a tile finds at its level *n* what lines with *n* - 1 turns, and no fewer, reach. Tiles end
    lines.
    """
    game, tiles = position.game, position.tiles
    points = [
        (row, column) for row in range(-1, game.rows + 1) for column in range(-1, game.columns + 1)
    ]
    kinds = {
        (row, column): tiles[row * game.columns + column]
        for row, column in points
        if 0 <= row < game.rows and 0 <= column < game.columns
    }
    vertices = tuple(
        Vertex(
            point_name(point),
            place(position, point),
            "tile" if kinds.get(point) else "",
            stops=bool(kinds.get(point)),
            data={"tile": kinds.get(point, 0)},
        )
        for point in points
    )
    edges = tuple(
        Edge((point_name(point), point_name(other)))
        for point in points
        for other in _onward(point, kinds, game.rows, game.columns)
    )
    note = Message("onet.graph_runs", {"turns": MOST_LINK_TURNS, "level": MOST_LINK_TURNS + 1})
    return Graph("runs", vertices, edges, notes=(note,))


def _onward(
    point: LinkPoint, kinds: dict[LinkPoint, int], rows: int, columns: int
) -> Iterator[LinkPoint]:
    """Yield the points that straight runs to the right and down reach from *point*.

    A run ends at the next tile, which is among them, or one cell outside the board. *kinds* are the
    kinds of tiles by point, 0 or none for an empty cell; the board has *rows* and *columns* of
    cells.
    """
    for down, right in ((0, 1), (1, 0)):
        row, column = point[0] + down, point[1] + right
        while row <= rows and column <= columns:
            yield row, column
            if kinds.get((row, column)):
                break
            row, column = row + down, column + right


def point_name(point: LinkPoint) -> str:
    """Return the name of a point: of a cell, such as ``b2``, or of a point just outside the board.

    In names rows count from 1 and columns from ``a``. A point above the board has the number 0, one
    left of it the letter ``_`` (the corner is ``_0``); below it and to its right both go on.
    """
    row, column = point
    return f"{letters(column) if column >= 0 else '_'}{row + 1}"


# The drawings on tiles: 36 things that differ in outline and in colour. Each is drawn from -10 to
# 10 both ways. The first ones differ most, because small boards use only these. Their names are in
# the texts, as ``onet.tile_1`` and so on. ``motifs.svg`` shows them all.

MOTIFS = tuple(
    re.sub(r"\n *", "", drawn)
    for drawn in re.findall(
        r'<g id="[^>]*>(.*?)\n</g>',
        Path(__file__).with_name("motifs.svg").read_text(encoding="utf-8"),
        re.DOTALL,
    )
)
INK = "#22252b"
FRAMES = ("none", "7 4", "1 4.5", "18 5")
"""The strokes around further kinds with the same motif, as dashes."""


def motif(kind: int, x: float, y: float, reach: float) -> str:
    """Return the SVG of the drawing on tiles of the *kind* with this number, from 1, at (x, y).

    (x, y) is its centre and *reach* half the side of the square that it fills, in SVG units. From
    kind 37 on the drawings begin anew: smaller, in a circle, with the number of the kind.
    """
    turn, place = divmod(kind - 1, len(MOTIFS))
    size = reach / 10 * (0.7 if turn else 1)
    drawn = tag("g", MOTIFS[place], transform=f"translate({x:g} {y:g}) scale({size:g})")
    if turn:
        number = label(x + reach, y + reach, str(kind), 10, class_="number")
        drawn += _frame(turn, x, y, reach) + number
    return tag("g", drawn, class_="motif", pointer_events="none")


def _frame(turn: int, x: float, y: float, reach: float) -> str:
    """Return the SVG of the circle that tells apart kinds of tiles with the same drawing.

    Its centre is (x, y) and its radius *reach*, in SVG units; its dashes are one of `FRAMES`, the
    next one for each *turn*: 1 for kinds 37 to 72, 2 for the next 36, and so on.
    """
    pen = {"fill": "none", "stroke": INK, "stroke_width": 2, "stroke_linecap": "round"}
    dashes = FRAMES[(turn - 1) % len(FRAMES)]
    return tag("circle", cx=x, cy=y, r=reach, **pen, stroke_dasharray=dashes)
