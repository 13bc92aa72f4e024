"""Dots and Boxes boards in characters, as SVG and as graphs; chains as experts see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from papan.core import PLAIN, Drawing, Feature, Graph, Message, Move, View, board
from papan.core.board import letters
from papan.core.drawing import COLOURS, UNIT, document, label, tag
from papan.core.graph import Edge, Vertex
from papan.games.dots.chains import Chain, chains, safe_lines
from papan.games.dots.rules import Dots, DotsPosition

DOT = 6.5
"""Radius of a dot, in SVG units."""
HIT = 26  # wide enough for a finger
OWNERS = "xo"  # the mark of each seat in its boxes
SIDES = ("top", "left", "right", "bottom")  # as `Dots.sides` lists them
TAKEN = "*"  # the mark of a box whose owner is not in the view


def completions(position: DotsPosition, view: View) -> dict[int, tuple[int, Move] | None]:
    """Return for each complete box, by number, the seat (0 or 1) and the line that completed it.

    The value is None if that move is not in `view.played`, whose moves must lead to *position*: not
    checked. Empty without complete boxes.
    """
    game = position.game
    complete = (box for box, lines in enumerate(game.boxes) if lines & position.drawn == lines)
    found: dict[int, tuple[int, Move] | None] = dict.fromkeys(complete)
    drawn = position.drawn
    for before, move in reversed(view.played):
        for box in game.beside[move]:
            if game.boxes[box] & ~drawn == 0:
                found[box] = before.turn, move
        drawn &= ~(1 << move)
    return found


class DotsDrawing(Drawing, game=Dots):
    """Draws dots and lines, boxes with their owners, chains and loops."""

    position: DotsPosition

    def picture(self, view: View = PLAIN) -> str:
        """Return the board as lines of text: dots, lines, and the marks of the boxes' owners.

        Columns have letters above, rows numbers on the left. A box is marked ``x`` for seat 0,
        ``o`` for seat 1, and ``*`` if *view* does not have the move that completed it.
        """
        game = self.position.game
        owners = completions(self.position, view).items()
        marks = {box: TAKEN if how is None else OWNERS[how[0]] for box, how in owners}
        margin = len(str(game.dots.rows))
        names = (letters(column) for column in range(game.dots.columns))
        lines = [" " * margin + " " + "   ".join(names)]
        for row in range(game.dots.rows):
            lines.append(f"{row + 1:>{margin}} {_line_of_dots(self.position, row)}")
            if row < game.rows:
                lines.append(" " * margin + " " + _line_of_boxes(self.position, row, marks))
        return "\n".join(line.rstrip() for line in lines)

    def spots(self) -> dict[str, list[tuple[int, int]]]:
        """Return, by the name of each line, the (row, column) pairs, from 0, of its characters.

        They are those of the text of `picture`: three of a line across, one of a line down.
        """
        game = self.position.game
        first = len(str(game.dots.rows)) + 1
        places = {}
        for move, (dot, other) in enumerate(game.lines):
            row, column = divmod(dot, game.dots.columns)
            top, left = 2 * row + 1, first + 4 * column
            across = [(top, left + offset) for offset in (1, 2, 3)]
            places[game.move_name(move)] = across if other == dot + 1 else [(top + 1, left)]
        return places

    def svg(self, view: View = PLAIN) -> str:
        """Return the SVG of the board: lines, boxes and owners, and what *view* points out.

        That is a glow around the last line, dashes on highlighted lines, and texts on lines. A box
        is grey if *view* does not have the move that completed it.
        """
        game = self.position.game
        parts = [board.tray(game.columns * UNIT, game.rows * UNIT, 20)]
        parts += [_box(game, box, how) for box, how in completions(self.position, view).items()]
        parts += [] if view.last is None else [_halo(game, view.last)]
        for move in range(game.move_count):
            parts.append((_drawn if self.position.drawn >> move & 1 else _undrawn)(game, move))
        parts += [self.highlight(move) for move in view.highlights]
        parts += [_dot(*board.corner(game.dots, dot)) for dot in range(game.dots.size)]
        parts += [_value(game, move, text) for move, text in view.labels.items()]
        width, height = (2 * board.EDGE + count * UNIT for count in (game.columns, game.rows))
        size = board.letter_size(game.rows, game.columns)
        parts += board.coordinates(game.dots, board.EDGE / 4, size)
        return document(width, height, str(self.position), self.picture(), parts)

    def highlight(self, move: Move) -> str:
        """Return the SVG of the line of *move* in dashes, as one not drawn yet."""
        pen = {"stroke": COLOURS["highlight"], "stroke_width": 6, "stroke_dasharray": "8 5"}
        return stroke(self.position.game, move, **pen, class_="highlight")

    def pointed_out(self, cells: Sequence[str]) -> str:
        """Return the SVG of glowing lines and boxes, given by name; other names are ignored.

        A line is named such as ``a1b1``, a box after its top left dot (``a1``).
        """
        game = self.position.game
        lines = {game.move_name(move): move for move in range(game.move_count)}
        pen = {"stroke": COLOURS["gold"], "stroke_width": 12, "stroke_linecap": "round"}
        look = {**pen, "stroke_opacity": 0.7, "class_": "glow-line"}
        drawn = (stroke(game, lines[name], **look) for name in cells if name in lines)
        return board.glow(box_grid(game), cells) + "".join(drawn)

    def label_point(self, move: Move) -> tuple[float, float]:
        """Return the middle (x, y) of the line of *move*, in SVG units."""
        return middle_of(self.position.game, move)

    def features(self) -> list[Feature]:
        """Return features: chains, loops, safe lines, handouts, double-crosses, long chain rule.

        The one on safe lines is always there, also if there are none; of the others there may be
        none.
        """
        found, safe = chains(self.position), safe_lines(self.position)
        game = self.position.game
        return [
            *(
                Feature(_chain_key(chain), {"boxes": chain.length}, _outline(game, chain))
                for chain in found
            ),
            Feature("dots.safe_lines", {"lines": len(safe)}, _marks(game, safe, "safe")),
            *_handouts(game, found),
            *_offers(game, found),
            *_rule(game, found),
        ]

    def graphs(self) -> tuple[Graph, Graph, Graph]:
        """Return three graphs: *lines* (dots and drawn lines), *board* (all lines), and *boxes*.

        The last one is the dual graph of `box_graph`.
        """
        lines = range(self.position.game.move_count)
        drawn = [line for line in lines if self.position.drawn >> line & 1]
        return (
            _dots_and_lines(self.position, "lines", drawn),
            _dots_and_lines(self.position, "board", lines),
            box_graph(self.position),
        )


def _line_of_dots(position: DotsPosition, row: int) -> str:
    """Return the text of a row of dots with the lines across that are drawn, such as ``+---+ +``.

    *row* counts from 0 at the top.
    """
    game = position.game
    first = row * game.columns
    lines = (position.drawn >> line & 1 for line in range(first, first + game.columns))
    return "+" + "".join("---+" if drawn else "   +" for drawn in lines)


def _line_of_boxes(position: DotsPosition, row: int, marks: dict[int, str]) -> str:
    """Return the text of a row of boxes: the drawn lines down, and the *marks* of boxes.

    *marks* are characters by the number of the box; *row* counts from 0 at the top.
    """
    game = position.game
    text = ""
    for box in range(row * game.columns, (row + 1) * game.columns):
        left = game.sides[box][1]
        text += f"{'|' if position.drawn >> left & 1 else ' '} {marks.get(box, ' ')} "
    right = game.sides[box][2]
    return text + ("|" if position.drawn >> right & 1 else "")


@lru_cache(maxsize=16)
def box_grid(game: Dots) -> board.Grid:
    """Return the grid of boxes as cells: each is named after the dot at its top left."""
    return board.Grid(game.rows, game.columns)


def stroke(game: Dots, move: Move, /, **attributes: object) -> str:
    """Return the SVG of the line of a move, from dot to dot, with the SVG *attributes* given."""
    (x1, y1), (x2, y2) = (board.corner(game.dots, dot) for dot in game.lines[move])
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def middle_of(game: Dots, move: Move) -> tuple[float, float]:
    """Return the middle (x, y) of the line of *move*, in SVG units."""
    (x1, y1), (x2, y2) = (board.corner(game.dots, dot) for dot in game.lines[move])
    return (x1 + x2) / 2, (y1 + y2) / 2


def _drawn(game: Dots, move: Move) -> str:
    """Return the SVG of a drawn line.

    Its ``data-move`` has the line's name, so that a page can say why it cannot be drawn again.
    """
    pen = {"stroke": COLOURS["ink"], "stroke_width": 7, "stroke_linecap": "round"}
    named = {"class_": "line", "data_move": game.move_name(move)}
    return stroke(game, move, **pen, pathLength=1, **named)


def _halo(game: Dots, move: Move) -> str:
    """Return the SVG of a golden glow around the line that was drawn last."""
    pen = {"stroke_linecap": "round", "pathLength": 1}
    edge = {"stroke": COLOURS["gold-edge"], "stroke_width": 17, "class_": "gold-edge"}
    glow = {"stroke": COLOURS["gold"], "stroke_width": 14, "class_": "last"}
    return stroke(game, move, **edge, **pen) + stroke(game, move, **glow, **pen)


def _undrawn(game: Dots, move: Move) -> str:
    """Return the SVG of an undrawn line, faint, with a wide area to click.

    Its ``data-move`` has the line's name.
    """
    faint = stroke(game, move, stroke=COLOURS["faint"], stroke_width=2, stroke_dasharray="2 6")
    hit = {"stroke": "transparent", "stroke_width": HIT, "class_": "hit"}
    return faint + stroke(game, move, **hit, data_move=game.move_name(move))


def _value(game: Dots, move: Move, text: str) -> str:
    """Return the SVG of a short text in the middle of a line, readable on it through a pale edge.

    The edge is a text of its own: not every viewer can paint it below the letters it belongs to.
    """
    middle = middle_of(game, move)
    edge = label(*middle, text, stroke=COLOURS["paper"], stroke_width=5, aria_hidden="true")
    return edge + label(*middle, text, class_="value")


def _dot(x: float, y: float) -> str:
    """Return the SVG of a dot at (x, y), in SVG units: a peg, with the light on it."""
    peg = tag("circle", cx=x, cy=y, r=DOT, fill=COLOURS["ink"], class_="dot")
    light = {"r": DOT * 0.3, "fill": COLOURS["surface"], "fill_opacity": 0.7}
    return peg + tag("circle", cx=x - 2, cy=y - 2, **light)


def _box(game: Dots, box: int, how: tuple[int, Move] | None) -> str:
    """Return the SVG of a complete box, given by number, in its owner's colour and with its mark.

    *how* is the owner's seat and the line drawn last, from which it is filled; None: unknown, drawn
    grey.
    """
    grid = box_grid(game)
    (x, y), middle = board.corner(grid, box), board.centre(grid, box)
    name = "unknown" if how is None else ("first", "second")[how[0]]
    colour = COLOURS["faint" if how is None else name]
    size = {"width": UNIT, "height": UNIT, "fill": colour, "fill_opacity": 0.22}
    square = tag("rect", x=x, y=y, class_=f"box {name}", **size)
    if how is None:
        return board.piece(grid.names[box], square + label(*middle, TAKEN))
    seat, line = how
    mark = (board.cross, board.nought)[seat](*middle, UNIT * 0.18)
    return board.piece(grid.names[box], square + mark, f"from-{SIDES[game.sides[box].index(line)]}")


# Chains and loops, drawn and in words.


def _chain_key(chain: Chain) -> str:
    """Return the key of a chain's text: dots.loop, dots.long_chain or dots.short_chain."""
    if chain.shape == "loop":
        return "dots.loop"
    return "dots.long_chain" if chain.long else "dots.short_chain"


def _handouts(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """Yield two features for each open chain of two boxes: the two ways to give it away.

    Once the line in the middle is drawn, the rival must take both; after one at an end it can
    decline. *found* are the chains of the position.
    """
    for chain in found:
        if chain.length == 2 and chain.shape == "open":
            first, middle, last = chain.lines
            hard = {"line": game.move_name(middle)}
            yield Feature("dots.hard_hearted", hard, _marks(game, [middle], "hard"))
            half = {"lines": " ".join(map(game.move_name, (first, last)))}
            yield Feature("dots.half_hearted", half, _marks(game, [first, last], "half"))


def _offers(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """Yield a feature for each line that leaves the last boxes of a chain or loop to the rival.

    There is one for each half-open chain of two boxes and each closed one of four, such as remains
    when the other boxes of a loop are taken. *found* are the chains of the position.
    """
    for chain in found:
        if (chain.length, chain.shape) in ((2, "half-open"), (4, "closed")):
            line = next(each for each in chain.lines if _leaves(game, chain, each))
            yield Feature(
                "dots.double_cross", {"line": game.move_name(line)}, _marks(game, [line], "offer")
            )


def _leaves(game: Dots, chain: Chain, line: Move) -> bool:
    """Return whether *line* leaves all boxes of *chain* to the rival: a double-cross.

    The line takes no box of the chain, and each box of it then lacks one side. *chain* must be
    half-open with two boxes or closed with four, and *line* one of its lines: not checked.
    """
    beside = [box for box in game.beside[line] if box in chain.boxes]
    if chain.shape == "closed":
        return set(beside) == set(chain.boxes[1:3])
    return len(beside) == 1


def _rule(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """Yield a feature for the seat that long chains favour: the first if dots + chains is even.

    *found* are all chains and loops of the position; loops do not count as chains here. Nothing is
    yielded without long chains. The feature has ``seat``, 1 for the first player, 2 for the second.
    """
    count = sum(chain.long and chain.shape != "loop" for chain in found)
    if count:
        dots = game.dots.size
        seat = 1 + (dots + count) % 2
        yield Feature("dots.chain_rule", {"dots": dots, "chains": count, "seat": seat})


def _marks(game: Dots, lines: Iterable[Move], name: str) -> str:
    """Return the SVG of highlighted lines, coloured and dashed by *name*, the kind of line.

    *name* is "safe" (gives no box away), "half" or "hard" (gives two boxes, of which the rival can,
    or cannot, decline to take both), or "offer" (leaves the last boxes by a double-cross); else
    KeyError is raised.
    """
    dashes = {"safe": "1 9", "half": "10 6", "hard": "3 5", "offer": "16 4"}
    colour = COLOURS["highlight" if name in ("safe", "offer") else "second"]
    pen = {"stroke": colour, "stroke_width": 5, "stroke_linecap": "round"}
    look = {"stroke_dasharray": dashes[name], "class_": f"expert {name}"}
    return "".join(stroke(game, line, **pen, **look) for line in lines)


def _outline(game: Dots, chain: Chain) -> str:
    """Return the SVG of a thread through a chain's boxes, with their count at its beginning."""
    grid = box_grid(game)
    middles = [board.centre(grid, box) for box in chain.boxes]
    thread = middles + middles[:1] if chain.shape == "loop" else middles
    points = " ".join(f"{x:g},{y:g}" for x, y in thread)
    colour = COLOURS["highlight"]
    line = tag(
        "polyline", points=points, fill="none", stroke=colour, stroke_width=4, class_="thread"
    )
    x, y = middles[0]
    knot = tag("circle", cx=x, cy=y, r=12, fill=COLOURS["paper"], stroke=colour, stroke_width=3)
    return tag("g", line + knot + label(x, y, str(chain.length), 14), class_="chain")


# The board as graphs, after paper 000: dots and lines, and the boxes that undrawn lines join.

GROUND = "ground"
"""The vertex outside the board, which lines at the rim lead to."""


def _dots_and_lines(position: DotsPosition, name: str, lines: Iterable[Move]) -> Graph:
    """Return the graph *name* of dots as vertices and *lines*, given by number, as edges.

    Edges of undrawn lines have the mark ``undrawn``. Each edge has as ``boxes`` the names of the
    boxes beside its line, separated by spaces. The cycles of the graph are the complete boxes, four
    dots each; a note counts them.
    """
    game = position.game
    names, boxes = game.dots.names, box_grid(game).names
    vertices = tuple(Vertex(name, board.corner(game.dots, dot)) for dot, name in enumerate(names))
    edges = tuple(
        Edge(
            (names[game.lines[line][0]], names[game.lines[line][1]]),
            game.move_name(line),
            "" if position.drawn >> line & 1 else "undrawn",
            data={"boxes": " ".join(boxes[box] for box in game.beside[line])},
        )
        for line in lines
    )
    cycles = tuple(
        tuple(names[dot] for dot in corners(game, box))
        for box, sides in enumerate(game.boxes)
        if sides & position.drawn == sides
    )
    note = Message("dots.graph_boxes", {"boxes": len(cycles), "all": len(game.boxes)})
    return Graph(name, vertices, edges, cycles=cycles, notes=(note,))


def corners(game: Dots, box: int) -> tuple[int, ...]:
    """Return the numbers of the four dots of a box, clockwise from the top left.

    Paper 000 calls them v1, v2, v4 and v3.
    """
    top, _, _, bottom = game.sides[box]
    return (*game.lines[top], *reversed(game.lines[bottom]))


def box_graph(position: DotsPosition) -> Graph:
    """Return the dual graph, named ``boxes``: boxes joined through undrawn lines.

    Undrawn lines at the rim lead to the vertex `GROUND`, which is the last one and marked
    ``ground``. Boxes in a chain or a loop are marked ``chain`` or ``loop``, and so is a line if
    each box beside it is marked; a note counts long chains, short ones and loops.

    The degree of a box is the number of sides that it lacks. Drawing a line cuts an edge, and the
    seat that cuts the last edge of a box owns it: the game of strings and coins.
    """
    game, grid = position.game, box_grid(position.game)
    names = grid.names
    marks = {
        box: "loop" if chain.shape == "loop" else "chain"
        for chain in chains(position)
        for box in chain.boxes
    }
    vertices = [
        Vertex(name, board.centre(grid, box), marks.get(box, "")) for box, name in enumerate(names)
    ]
    below = board.EDGE + game.columns * UNIT / 2, board.EDGE + (game.rows + 1) * UNIT
    vertices.append(Vertex(GROUND, below, "ground"))
    edges = []
    for line in position.moves():
        beside = game.beside[line]
        mark = marks.get(beside[0], "") if all(box in marks for box in beside) else ""
        ends = tuple(names[box] for box in beside)
        if len(beside) == 2:
            edges.append(Edge(ends, game.move_name(line), mark))
        else:
            middle, rim = board.centre(grid, beside[0]), middle_of(game, line)
            outside = (2 * rim[0] - middle[0], 2 * rim[1] - middle[1])
            edges.append(Edge((*ends, GROUND), game.move_name(line), mark, (middle, outside)))
    found = Counter(_chain_key(chain) for chain in chains(position))
    facts = {
        "long": found["dots.long_chain"],
        "short": found["dots.short_chain"],
        "loops": found["dots.loop"],
    }
    return Graph("boxes", tuple(vertices), tuple(edges), notes=(Message("dots.graph_dual", facts),))
