"""Onet boards, in characters and as SVG: lines, how they are found, and what is drawn on tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from papan.core import PLAIN, Feature, Graph, Move, View, board
from papan.core.board import letters
from papan.core.drawing import COLOURS, UNIT, label, tag
from papan.core.editing import NOTHING, Piece
from papan.core.graph import Edge, Vertex
from papan.games.onet.links import MOST_TURNS, Point, length

if TYPE_CHECKING:
    from papan.games.onet.links import Point
    from papan.games.onet.rules import OnetPosition

OUTSIDE = 8
"""How far a line that leaves the board runs from its edge."""


def picture(position: OnetPosition, view: View = PLAIN) -> str:
    """The board in numbers, with dots for empty cells."""
    return board.picture(position.game.grid, position.words())


def svg(position: OnetPosition, view: View = PLAIN) -> str:
    """The board with the last line, highlighted pairs with their lines, and labels."""
    game = position.game
    last = game.cells(view.last) if view.last is not None else ()
    parts = [board.tray(game.columns * UNIT, game.rows * UNIT, OUTSIDE + 4)]
    parts += [_cell(position, cell, cell in last) for cell in range(game.grid.size)]
    if view.played:
        before, move = view.played[-1]
        parts.append(_line(cast("OnetPosition", before), move, "last"))
    parts += [highlight(position, move) for move in view.highlights]
    parts += [_label(position, move, text) for move, text in view.labels.items()]
    return board.sheet(game.grid, str(position), position.picture(), parts)


def _cell(position: OnetPosition, cell: int, last: bool) -> str:
    """A tile with its motif, or an empty cell."""
    grid, tile = position.game.grid, position.tiles[cell]
    if not tile:
        lit: dict[str, Any] = {"fill": COLOURS["last"], "rx": 12, "class_": "cell last lit"}
        return board.square(grid, cell, **(lit if last else {}))
    x, y = board.centre(grid, cell)
    frame = board.square(grid, cell, class_="cell tile")
    body = _plate(x, y) + motif(tile, x, y - 1, 20)
    return frame + board.piece(grid.names[cell], body)


def _plate(x: float, y: float) -> str:
    """The tile itself: a face with a thick lower edge."""
    shape: dict[str, Any] = {"x": x - 28, "width": 56, "rx": 9, "pointer_events": "none"}
    under = tag("rect", y=y - 26, height=55, fill="#cbbf9f", class_="under", **shape)
    return under + tag(
        "rect", y=y - 28, height=54, fill="#fffdf5", stroke="#cbbf9f", class_="face", **shape
    )


def _line(position: OnetPosition, move: Move, name: str) -> str:
    """The line that links two tiles, a dot on each corner."""
    points = [place(position, point) for point in position.path(move)]
    colour = COLOURS["gold" if name == "last" else name]
    line: dict[str, Any] = {
        "points": " ".join(f"{x:g},{y:g}" for x, y in points),
        "fill": "none",
        "stroke_linejoin": "round",
        "stroke_linecap": "round",
        "pathLength": 1,
    }
    drawn = tag("polyline", **line, stroke=colour, stroke_width=6, class_=f"path {name}")
    if name == "last":
        edge: dict[str, Any] = {
            "stroke": COLOURS["gold-edge"],
            "stroke_width": 9,
            "class_": "gold-edge",
        }
        drawn = tag("polyline", **line, **edge) + drawn
    corners = (
        tag("circle", cx=x, cy=y, r=5, fill=colour, class_="corner") for x, y in points[1:-1]
    )
    return tag("g", drawn + "".join(corners), class_=f"link {name}-link", pointer_events="none")


def place(position: OnetPosition, point: Point) -> tuple[float, float]:
    """Where a point of a line is drawn; outside the board it stays close to the edge."""
    game = position.game
    row, column = point
    return _along(column, game.columns), _along(row, game.rows)


def _along(place: int, size: int) -> float:
    if place < 0:
        return board.EDGE - OUTSIDE
    if place == size:
        return board.EDGE + size * UNIT + OUTSIDE
    return board.EDGE + (place + 0.5) * UNIT


def highlight(position: OnetPosition, move: Move) -> str:
    """Frames around both tiles of a pair and, where it can be drawn, the line that links them."""
    cells = position.game.cells(move)
    rings = "".join(board.ring(position.game.grid, cell) for cell in cells)
    linked = position.why_not(*cells) is None
    return rings + (_line(position, move, "highlight") if linked else "")


def label_point(position: OnetPosition, move: Move) -> tuple[float, float]:
    """The top of the first tile of a pair."""
    x, y = board.centre(position.game.grid, position.game.cells(move)[0])
    return x, y - 22


def features(position: OnetPosition) -> list[Feature]:
    """How much is left, and how many pairs can be taken at once."""
    tiles = len(position.tiles) - position.tiles.count(0)
    values = {"tiles": tiles, "pairs": len(position.moves())}
    return [Feature("onet.left", values)]


def _label(position: OnetPosition, move: Move, text: str) -> str:
    x, y = label_point(position, move)
    return label(x, y, text, 12, class_="value", pointer_events="none")


def pieces(position: OnetPosition) -> tuple[Piece, ...]:
    """Nothing, the kinds of this game, and whatever else lies on the board."""
    kinds = sorted({*range(1, position.game.kinds + 1), *position.tiles} - {0})
    middle = UNIT / 2
    drawn = (Piece(str(kind), motif(kind, middle, middle, 18)) for kind in kinds)
    return (Piece(NOTHING), *drawn)


# How the line between two tiles is found: the cells that lines reach, turn by turn.


def traced(position: OnetPosition, move: Move) -> list[Feature]:
    """The cells reached without a turn, then with one and with two, and the line in the end."""
    first, second = position.game.cells(move)
    links = position.game.links(position.tiles)
    start = first if links.joins(first, second) else second
    fewest = links.spread(start)
    found = []
    for turns in range(MOST_TURNS + 1):
        reached = sorted(point for point in fewest if fewest[point] == turns)
        visited = sum(each <= turns for each in fewest.values())
        drawn = "".join(_mark(position, point, turns) for point in reached)
        values = {"turns": turns, "cells": len(reached), "visited": visited}
        found.append(Feature("onet.frontier", values, drawn))
    path = position.path(move)
    values = {"turns": len(path) - 2, "cells": length(path) - 1, "visited": len(fewest)}
    return [*found, Feature("onet.path", values, highlight(position, move))]


def _mark(position: OnetPosition, point: Point, turns: int) -> str:
    """A dot for each cell: full without a turn, a ring with one, a smaller ring with two."""
    x, y = place(position, point)
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=(9, 8, 5)[turns],
        fill=COLOURS["highlight"] if turns == 0 else COLOURS["paper"],
        stroke=COLOURS["highlight"],
        stroke_width=3,
        class_=f"frontier turns-{turns}",
    )


# The board as graphs: which tiles a line links, and the straight runs that lines are made of.


def graphs(position: OnetPosition) -> tuple[Graph, Graph]:
    """The tiles that can be linked, and the runs that lines are made of."""
    return link_graph(position), run_graph(position)


def link_graph(position: OnetPosition) -> Graph:
    """Tiles and the links between equal ones, each edge with the turns of its line."""
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
    return Graph("links", vertices, tuple(edges), notes=(Feature("onet.graph_links", kinds),))


def run_graph(position: OnetPosition) -> Graph:
    """Cells, those just outside too, and the straight runs over empty cells between them.

    A line with two turns is a path of three edges, so that a walk breadth first from a tile finds
    at its level *n* what a line with *n* - 1 turns reaches. Tiles end lines.
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
    note = Feature("onet.graph_runs", {"turns": MOST_TURNS, "level": MOST_TURNS + 1})
    return Graph("runs", vertices, edges, notes=(note,))


def _onward(point: Point, kinds: dict[Point, int], rows: int, columns: int) -> Iterator[Point]:
    """The points that straight runs to the right and down reach, the next tile among them."""
    for down, right in ((0, 1), (1, 0)):
        row, column = point[0] + down, point[1] + right
        while row <= rows and column <= columns:
            yield row, column
            if kinds.get((row, column)):
                break
            row, column = row + down, column + right


def point_name(point: Point) -> str:
    """The name of a cell, also outside: row 0 is above the board, column _ left of it."""
    row, column = point
    return f"{letters(column) if column >= 0 else '_'}{row + 1}"


# The drawings on tiles: 36 things that differ in outline and in colour. Each is drawn from -10 to
# 10 both ways. The first ones differ most, because small boards use only these. Their names are in
# the texts, as ``onet.tile_1`` and so on.


def _disc(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"


def _fill(colour: str, *shapes: str) -> str:
    return tag("path", d="".join(shapes), fill=colour)


def _stroke(colour: str, width: float, *shapes: str) -> str:
    return tag(
        "path",
        d="".join(shapes),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _around(shape: str, count: int, colour: str) -> str:
    """One shape several times around the middle."""
    turns = (360 / count * number for number in range(count))
    return "".join(
        tag("path", d=shape, fill=colour, transform=f"rotate({turn:g})") for turn in turns
    )


STAR = "M0-10L2.9-3.6L9.8-3L4.6 1.6L6.2 8.6L0 5L-6.2 8.6L-4.6 1.6L-9.8-3L-2.9-3.6z"
HEART = "M0 9.4C-14-.8-9.4-8.6-5-8.6C-2.4-8.6-.6-7 0-5C.6-7 2.4-8.6 5-8.6C9.4-8.6 14-.8 0 9.4z"
WING = "M.6-1C3-10 10-10 9.6-4.6C9.4-1 5 .6 .6 .6z"
LOWER_WING = "M.6 .4C5 0 8.6 2 7.6 6C6.6 9.6 1.6 8.6 .6 2z"

MOTIFS = (
    # cherries
    _stroke("#3f7d2a", 1.6, "M-4.6 3C-4-3 0-7 6-9.4M5 4C4.6-2 5-6 6-9.4")
    + _fill("#3f9d3a", "M6-9.4C1-11-2-8.6-2.6-6C1-5 4.6-6 6-9.4z")
    + _fill("#d0213a", _disc(-4.8, 5, 4.6), _disc(5, 5.6, 4.2))
    + _fill("#ff8f9c", _disc(-6.2, 3.6, 1.2), _disc(3.8, 4.4, 1.1)),
    # sun
    _around("M-1.7-6.6L0-10.4L1.7-6.6z", 8, "#f08c00") + _fill("#ffc21a", _disc(0, 0, 6.2)),
    # drop
    _fill("#1f74d1", "M0-10.2C4-4 7.4-.4 7.4 3.4A7.4 6.8 0 0 1-7.4 3.4C-7.4-.4-4-4 0-10.2z")
    + _stroke("#a8d4ff", 1.7, "M-4.2 3.4C-4.2 5.4-3 6.8-1.2 7.2"),
    # leaf
    _fill("#3aa03a", "M-8.6 8.6C-10.6-3-3-9.6 9.4-9.4C10 3 3.4 10.2-8.6 8.6z")
    + _stroke("#d6f2b8", 1.5, "M-8 8L4.6-4.6M-3.4 3.4V-3M.6-.6H6.4"),
    # heart
    _fill("#ec4d8b", HEART) + _stroke("#ffc4da", 1.7, "M-6.4-3.4C-6-5-5-5.8-3.8-5.8"),
    # moon
    _fill("#4a48b0", "M3.4-9.6A10 10 0 1 0 9 5.4A8.6 8.6 0 0 1 3.4-9.6z")
    + _fill("#a9a7f0", _disc(-4.4, -1.4, 1.3), _disc(-3, 4.6, 1.7)),
    # fish
    _fill("#f47a12", "M-9.6-5.6L-4.6-1C-1-6.4 6.6-6.6 10 0C6.6 6.6-1 6.4-4.6 1L-9.6 5.6z")
    + _fill("#ffd0a0", "M-.6-4.4C1.6-2 1.6 2-.6 4.4C-2 3.6-3.4 2.4-4.4 1V-1C-3.4-2.4-2-3.6-.6-4.4z")
    + _fill("#ffffff", _disc(5.6, -1.2, 1.6))
    + _fill("#22252b", _disc(6, -1.2, 0.8)),
    # butterfly
    _fill("#9340c8", WING, LOWER_WING)
    + tag("g", _fill("#9340c8", WING, LOWER_WING), transform="scale(-1 1)")
    + _fill("#e7b8ff", _disc(5.6, -4.6, 1.7), _disc(-5.6, -4.6, 1.7), _disc(4.4, 4.6, 1.2))
    + _fill("#e7b8ff", _disc(-4.4, 4.6, 1.2))
    + _stroke("#3a2250", 1.8, "M0-4V7")
    + _stroke("#3a2250", 1, "M0-4L-2.4-8.6M0-4L2.4-8.6"),
    # mushroom
    _fill("#f3dcc0", "M-3.4-1H3.4L4.4 8C4.4 10-4.4 10-4.4 8z")
    + _fill("#b3261e", "M-10 .6C-10-13 10-13 10 .6C10 2.4-10 2.4-10 .6z")
    + _fill("#ffffff", _disc(-4.6, -3, 2), _disc(3, -5.4, 1.8), _disc(6, -1, 1.4)),
    # sailing boat
    _fill("#0f4c81", "M-9.6 3.6H9.6L6.4 9.4H-6.4z")
    + _fill("#24a6b8", "M1-9.8C6-6 8-2 8.4 2H1z")
    + _fill("#8bdbe3", "M-1-7.6V2H-7.6C-6.4-2-4-5.4-1-7.6z"),
    # pine tree
    _fill("#7a4b21", "M-1.8 5H1.8V10H-1.8z")
    + _fill("#0f6b45", "M0-10.2L5-3.4H3L7-.4H4.4L9 6H-9L-4.4-.4H-7L-3-3.4H-5z"),
    # bell
    _fill("#d99a00", "M0-8.6C6-8.6 5.4 2 8.8 5.2H-8.8C-5.4 2-6-8.6 0-8.6z")
    + _fill("#8a5a00", _disc(0, 7.4, 2.4), _disc(0, -8.8, 1.6))
    + _stroke("#ffe28a", 1.6, "M-3-4C-3.6-2-3.8 0-4.4 2"),
    # key
    _stroke("#5b6675", 3, _disc(-5, -5, 3.6))
    + _stroke("#5b6675", 3, "M-2.2-2.2L8 8M4.4 4.4L7.4 1.4M7.6 7.6L9.4 5.8"),
    # flower
    _around("M0 0C-5-4-4-10 0-10C4-10 5-4 0 0z", 6, "#f48fb8")
    + _fill("#ffffff", _disc(0, 0, 3.9))
    + _fill("#f0a500", _disc(0, 0, 2.9)),
    # house
    _fill("#c98a4b", "M-7-1H7V9.4H-7z")
    + _fill("#8c2f1b", "M0-10L10.2-.4H-10.2z")
    + _fill("#5a3414", "M-2 3H2V9.4H-2z")
    + _fill("#ffe9a8", "M3.4 1.4H5.8V4H3.4zM-5.8 1.4H-3.4V4H-5.8z"),
    # umbrella
    _stroke("#5a1f55", 1.8, "M0-2V6.6C0 10 5 10 5 6.6")
    + _fill(
        "#c026a6",
        "M-10 .6C-9-13 9-13 10 .6C8-2 5.6-2 3.6 .6C1.6-2-1.6-2-3.6 .6C-5.6-2-8-2-10 .6z",
    )
    + _stroke("#c026a6", 1.8, "M0-8V-10.4"),
    # melon
    _fill("#1e8a3c", "M-10-4H10A10 11 0 0 1-10-4z")
    + _fill("#dff3c8", "M-8.6-4H8.6A8.6 9.4 0 0 1-8.6-4z")
    + _fill("#ef4056", "M-7.6-4H7.6A7.6 8.4 0 0 1-7.6-4z")
    + _fill("#22252b", _disc(-3.4, -1, 1), _disc(0, 1.4, 1), _disc(3.4, -1, 1)),
    # bird
    _fill(
        "#2d9cdb",
        "M-10 2C-6 2-4-1-3-4C-1.4-8.6 5-9 6.6-4.6L10-3.4L6.6-1.8C6.4 5 1 8.4-4 7C-7 6-9 4-10 2z",
    )
    + _fill("#1764a0", "M-3.6 1C-1-2 2.6-1.8 4-.6C3 3.6-.6 4.8-3.6 1z")
    + _fill("#f08c00", "M6.6-4.6L10-3.4L6.6-1.8z")
    + _fill("#22252b", _disc(3.8, -4.4, 0.9)),
    # crown
    _fill("#e8b100", "M-9.6-6L-5-.6L0-8.6L5-.6L9.6-6L7.6 7.4H-7.6z")
    + _fill("#c2185b", _disc(0, 3, 1.9))
    + _fill("#1f74d1", _disc(-4.6, 3.4, 1.4), _disc(4.6, 3.4, 1.4)),
    # cat
    _fill(
        "#6b5b53",
        "M-9-9.4L-4-6.4C-1.4-7.2 1.4-7.2 4-6.4L9-9.4L8.8-1C11.6 6 4 9.4 0 9.4C-4 9.4-11.6 6-8.8-1z",
    )
    + _fill("#ffd75e", _disc(-3.8, -0.4, 1.9), _disc(3.8, -0.4, 1.9))
    + _fill("#22252b", "M-4.3-2.2H-3.3V1.4H-4.3zM3.3-2.2H4.3V1.4H3.3z")
    + _fill("#f4a6b5", "M-1.6 3H1.6L0 5z"),
    # carrot
    _fill("#2f8f3e", "M2.6-3.4C0-8 2-10 3.4-10C4-8 4.6-7 5-6C6.4-8 8-9 10-8.4C10-6 8-3.4 4.4-2z")
    + _fill("#f26a1b", "M4.8-3.6C8 0 1 5-9 9.6C-6 0-1-7 4.8-3.6z")
    + _stroke("#b5430a", 1.1, "M-1.6 1.4L.4 3M1-1.6L3 .2M-4.4 4.6L-3 5.8"),
    # cloud
    _fill("#8fb8dd", "M-6 7.4C-11.6 7.4-11-.6-5.6-.6C-5.6-8.6 5-9 6-1.6C11.4-1.6 11.4 7.4 6 7.4z")
    + _fill("#c9e0f4", "M-3.6-1.6C-3-5.4 2-6 3.4-2.6C1-3.6-1.4-3.2-3.6-1.6z"),
    # star
    _fill("#ff7043", STAR) + _fill("#ffc0a8", _disc(0, -0.4, 2)),
    # cactus
    _fill("#b4582a", "M-5 5H5L3.8 10H-3.8z")
    + _stroke("#5b9a34", 4, "M0 4V-7")
    + _stroke("#5b9a34", 3, "M0 1H5.6V-3.4M0-1H-5.6V-5")
    + _fill("#e84a8a", _disc(0, -8.8, 1.5)),
    # kite
    _fill("#e53935", "M0-10.2L6.4-2.4H0z")
    + _fill("#1e88e5", "M0-10.2L-6.4-2.4H0z")
    + _fill("#fdd835", "M6.4-2.4L0 5.4V-2.4z")
    + _fill("#43a047", "M-6.4-2.4L0 5.4V-2.4z")
    + _stroke("#6a3a8c", 1.4, "M0 5.4C3 6.4-2 8 1.6 10"),
    # anchor
    _stroke("#22386b", 2.5, _disc(0, -7.2, 2))
    + _stroke("#22386b", 2.5, "M0-5V8.6M-4.6-1.8H4.6M-8.6 2.6C-8 7-4 8.8 0 8.8C4 8.8 8 7 8.6 2.6"),
    # lightning
    _fill("#f9c80e", "M3.4-10.2L-7.4 1.6H-1L-3.6 10.2L7.6-2.4H1z")
    + _stroke("#b98500", 1, "M3.4-10.2L-7.4 1.6H-1L-3.6 10.2L7.6-2.4H1z"),
    # cup
    _stroke("#8d5a3b", 2, "M5-2.6C10.4-3.6 10.4 4 4.6 4")
    + _fill("#8d5a3b", "M-8-4.6H6C6 3 4.6 8.6-1 8.6C-6.6 8.6-8 3-8-4.6z")
    + _stroke("#b9a79c", 1.4, "M-4-7C-5-8-3-9-4-10M1-7C0-8 2-9 1-10"),
    # ladybird
    _fill("#22252b", _disc(0, -6, 3.6))
    + _fill("#e0241b", _disc(0, 1.6, 7.8))
    + _stroke("#22252b", 1.5, "M0-6V9.2")
    + _fill("#22252b", _disc(-3.8, -0.6, 1.5), _disc(3.8, -0.6, 1.5), _disc(-3.4, 4.8, 1.5))
    + _fill("#22252b", _disc(3.4, 4.8, 1.5)),
    # ice cream
    _fill("#d9a35b", "M-5.4 0H5.4L0 10.2z")
    + _fill("#f7a8c4", _disc(-3.2, -1.4, 3.7))
    + _fill("#9bd8c0", _disc(3.2, -1.4, 3.7))
    + _fill("#fff0c2", _disc(0, -5.6, 3.8))
    + _fill("#d0213a", _disc(0, -9, 1.4)),
    # rocket
    _fill("#f26a1b", "M-2.6 6H2.6L0 10.4z")
    + _fill("#b3261e", "M-3.6 0L-7.6 7L-3 5.6zM3.6 0L7.6 7L3 5.6z")
    + _fill("#aeb8c6", "M0-10.4C5-6 5 1.4 3 6H-3C-5 1.4-5-6 0-10.4z")
    + _fill("#1f74d1", _disc(0, -2.6, 2)),
    # present
    _fill("#6d3fc0", "M-8-1.6H8V9H-8z")
    + _fill("#8a5be0", "M-9.4-4.6H9.4V-1H-9.4z")
    + _fill("#ffd23f", "M-1.5-4.6H1.5V9H-1.5z")
    + _stroke(
        "#ffd23f",
        1.8,
        "M0-4.8C-6-6-6-10.4-2.6-9.6C-1-9.2 0-7 0-4.8C0-7 1-9.2 2.6-9.6C6-10.4 6-6 0-4.8",
    ),
    # turtle
    _fill("#9ccc3c", _disc(8, 1.6, 2.4), _disc(-5, 5.6, 2), _disc(4.4, 5.6, 2))
    + _fill("#9ccc3c", "M-7 4L-10.2 5.6L-7 6z")
    + _fill("#2e7d5b", "M-8.4 4.4C-8.4-8.4 6.8-8.4 6.8 4.4z")
    + _stroke("#a8dcc0", 1.2, "M-.8-4.6V4M-5.6-1.4L-3.2 4M4-1.4L1.6 4")
    + _fill("#22252b", _disc(8.8, 1, 0.7)),
    # mountain
    _fill("#7b8794", "M-10.2 8.6L-2-7.4L3 1L5.2-2.6L10.2 8.6z")
    + _fill("#ffffff", "M-2-7.4L.8-2.6L-1-3.4L-2.4-1.6L-4.2-3.2z")
    + _fill("#56616e", "M5.2-2.6L10.2 8.6H3.4z"),
    # die
    tag("rect", x=-8.6, y=-8.6, width=17.2, height=17.2, rx=4, fill="#22252b")
    + _fill("#ffffff", _disc(-4.4, -4.4, 1.7), _disc(4.4, 4.4, 1.7), _disc(0, 0, 1.7))
    + _fill("#ffffff", _disc(-4.4, 4.4, 1.7), _disc(4.4, -4.4, 1.7)),
    # pear
    _stroke("#6b4a1f", 1.6, "M0-6C0-8 1-9.4 2.4-10")
    + _fill(
        "#c4cf1f", "M0-7C4-7 3.6-2 5.6 .6C9.6 5.6 5 10 0 10C-5 10-9.6 5.6-5.6 .6C-3.6-2-4-7 0-7z"
    )
    + _fill("#3f9d3a", "M.6-7C3-10 6-9.6 8-8C6-5.6 3-5.6 .6-7z"),
)


INK = "#22252b"
FRAMES = ("none", "7 4", "1 4.5", "18 5")
"""The strokes around further kinds with the same motif, as dashes."""


def motif(kind: int, x: float, y: float, reach: float) -> str:
    """The drawing for a kind of tile, around a point."""
    turn, place = divmod(kind - 1, len(MOTIFS))
    size = reach / 10 * (0.7 if turn else 1)
    drawn = tag("g", MOTIFS[place], transform=f"translate({x:g} {y:g}) scale({size:g})")
    if turn:
        number = label(x + reach, y + reach, str(kind), 10, class_="number")
        drawn += _frame(turn, x, y, reach) + number
    return tag("g", drawn, class_="motif", pointer_events="none")


def _frame(turn: int, x: float, y: float, reach: float) -> str:
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=reach,
        fill="none",
        stroke=INK,
        stroke_width=2,
        stroke_linecap="round",
        stroke_dasharray=FRAMES[(turn - 1) % len(FRAMES)],
    )
