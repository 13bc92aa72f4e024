"""Dots and Boxes boards, in characters and as SVG, and as people set them up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from papan.core import PLAIN, Move, View, board
from papan.core.board import letters
from papan.core.drawing import COLOURS, UNIT, document, label, tag
from papan.core.editing import NOTHING, Dial, Draft, Piece

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

DOT = 6.5
HIT = 26  # wide enough for a finger
OWNERS = "xo"  # the mark of each seat in its boxes
SIDES = ("top", "left", "right", "bottom")  # as `Dots.sides` lists them
TAKEN = "*"  # the mark of a box whose owner the view does not tell


def completions(position: DotsPosition, view: View) -> dict[int, tuple[int, Move] | None]:
    """Who completed each complete box with which line; None where the view begins after it."""
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


def picture(position: DotsPosition, view: View = PLAIN) -> str:
    """The board in characters: dots, lines, and the marks of the boxes."""
    game = position.game
    owners = completions(position, view).items()
    marks = {box: TAKEN if how is None else OWNERS[how[0]] for box, how in owners}
    margin = len(str(game.dots.rows))
    names = (letters(column) for column in range(game.dots.columns))
    lines = [" " * margin + " " + "   ".join(names)]
    for row in range(game.dots.rows):
        lines.append(f"{row + 1:>{margin}} {_line_of_dots(position, row)}")
        if row < game.rows:
            lines.append(" " * margin + " " + _line_of_boxes(position, row, marks))
    return "\n".join(line.rstrip() for line in lines)


def spots(position: DotsPosition) -> dict[str, list[tuple[int, int]]]:
    """Where the picture shows each line: the characters between its dots."""
    game = position.game
    first = len(str(game.dots.rows)) + 1
    places = {}
    for move, (dot, other) in enumerate(game.lines):
        row, column = divmod(dot, game.dots.columns)
        top, left = 2 * row + 1, first + 4 * column
        across = [(top, left + offset) for offset in (1, 2, 3)]
        places[game.move_name(move)] = across if other == dot + 1 else [(top + 1, left)]
    return places


def svg(position: DotsPosition, view: View = PLAIN) -> str:
    """The board with the last line, the boxes and their owners, highlights and labels."""
    game = position.game
    parts = [board.tray(game.columns * UNIT, game.rows * UNIT, 20)]
    parts += [_box(game, box, how) for box, how in completions(position, view).items()]
    parts += [] if view.last is None else [_halo(game, view.last)]
    for move in range(game.move_count):
        parts.append((_drawn if position.drawn >> move & 1 else _undrawn)(game, move))
    parts += [highlight(position, move) for move in view.highlights]
    parts += [_dot(*board.corner(game.dots, dot)) for dot in range(game.dots.size)]
    parts += [_value(position, move, text) for move, text in view.labels.items()]
    width, height = (2 * board.EDGE + count * UNIT for count in (game.columns, game.rows))
    size = board.letter_size(game.rows, game.columns)
    parts += board.coordinates(game.dots, board.EDGE / 4, size)
    return document(width, height, str(position), position.picture(), parts)


def _line_of_dots(position: DotsPosition, row: int) -> str:
    game = position.game
    first = row * game.columns
    lines = (position.drawn >> line & 1 for line in range(first, first + game.columns))
    return "+" + "".join("---+" if drawn else "   +" for drawn in lines)


def _line_of_boxes(position: DotsPosition, row: int, marks: dict[int, str]) -> str:
    game = position.game
    text = ""
    for box in range(row * game.columns, (row + 1) * game.columns):
        left = game.sides[box][1]
        text += f"{'|' if position.drawn >> left & 1 else ' '} {marks.get(box, ' ')} "
    right = game.sides[box][2]
    return text + ("|" if position.drawn >> right & 1 else "")


@lru_cache(maxsize=16)
def box_grid(game: Dots) -> board.Grid:
    """The boxes as cells: each is named after the dot at its top left."""
    return board.Grid(game.rows, game.columns)


def stroke(game: Dots, move: Move, /, **attributes: object) -> str:
    """The line of a move from dot to dot."""
    (x1, y1), (x2, y2) = (board.corner(game.dots, dot) for dot in game.lines[move])
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def _drawn(game: Dots, move: Move) -> str:
    """A line that is there; ``data-move`` names it, so that a page can say why it is taken."""
    pen = {"stroke": COLOURS["ink"], "stroke_width": 7, "stroke_linecap": "round"}
    named = {"class_": "line", "data_move": game.move_name(move)}
    return stroke(game, move, **pen, pathLength=1, **named)


def _halo(game: Dots, move: Move) -> str:
    """A golden glow around the line that was drawn last."""
    pen = {"stroke_linecap": "round", "pathLength": 1}
    edge = {"stroke": COLOURS["gold-edge"], "stroke_width": 17, "class_": "gold-edge"}
    glow = {"stroke": COLOURS["gold"], "stroke_width": 14, "class_": "last"}
    return stroke(game, move, **edge, **pen) + stroke(game, move, **glow, **pen)


def _undrawn(game: Dots, move: Move) -> str:
    """A faint line to see, and a wide one to hit: ``data-move`` names the move for a page."""
    faint = stroke(game, move, stroke=COLOURS["faint"], stroke_width=2, stroke_dasharray="2 6")
    hit = {"stroke": "transparent", "stroke_width": HIT, "class_": "hit"}
    return faint + stroke(game, move, **hit, data_move=game.move_name(move))


def highlight(position: DotsPosition, move: Move) -> str:
    """The line of *move*, not drawn yet."""
    pen = {"stroke": COLOURS["highlight"], "stroke_width": 6, "stroke_dasharray": "8 5"}
    return stroke(position.game, move, **pen, class_="highlight")


def _value(position: DotsPosition, move: Move, text: str) -> str:
    """A short text in the middle of a line, readable on it through a pale edge.

    The edge is a text of its own: not every viewer can paint it below the letters it belongs to.
    """
    middle = label_point(position, move)
    edge = label(*middle, text, stroke=COLOURS["paper"], stroke_width=5, aria_hidden="true")
    return edge + label(*middle, text, class_="value")


def label_point(position: DotsPosition, move: Move) -> tuple[float, float]:
    """The middle of the line of *move*."""
    game = position.game
    (x1, y1), (x2, y2) = (board.corner(game.dots, dot) for dot in game.lines[move])
    return (x1 + x2) / 2, (y1 + y2) / 2


def _dot(x: float, y: float) -> str:
    """A peg, with the light on it."""
    peg = tag("circle", cx=x, cy=y, r=DOT, fill=COLOURS["ink"], class_="dot")
    light = {"r": DOT * 0.3, "fill": COLOURS["surface"], "fill_opacity": 0.7}
    return peg + tag("circle", cx=x - 2, cy=y - 2, **light)


def _box(game: Dots, box: int, how: tuple[int, Move] | None) -> str:
    """A complete box: the colour and the mark of its owner, or grey where nobody knows.

    It is filled from the side that was drawn last.
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


LINE = "-"
BOXES = "boxes"


@dataclass(frozen=True)
class DotsDraft(Draft):
    """The lines that are drawn; complete boxes always have an owner."""

    position: DotsPosition

    def pieces(self) -> tuple[Piece, Piece]:
        y = UNIT / 2
        line = tag("line", x1=6, y1=y, x2=UNIT - 6, y2=y, stroke=COLOURS["ink"], stroke_width=6)
        return Piece(NOTHING), Piece(LINE, line)

    def spots(self) -> dict[str, str]:
        game, drawn = self.position.game, self.position.drawn
        return {
            game.move_name(line): LINE if drawn >> line & 1 else NOTHING
            for line in range(game.move_count)
        }

    def put(self, spot: str, content: str) -> DotsPosition:
        """A box that becomes complete belongs to who is to move; one that is opened to nobody."""
        position = self.position
        bit = 1 << position.game.parse_move(spot)
        drawn = position.drawn | bit if content == LINE else position.drawn & ~bit
        first, second = position.owned
        complete = position.game.complete(drawn)
        gained = max(complete - first - second, 0) if position.turn == 0 else 0
        first = min(first + gained, complete)
        return replace(position, drawn=drawn, owned=(first, complete - first))

    def cleared(self) -> DotsPosition:
        return replace(self.position, drawn=0, owned=(0, 0))

    def dials(self) -> tuple[Dial, ...]:
        """The boxes of the first player, where there are any to own."""
        owned = self.position.owned
        return (Dial(BOXES, owned[0], 0, sum(owned)),) if sum(owned) else ()

    def dialled(self, name: str, value: int) -> DotsPosition:
        return replace(self.position, owned=(value, sum(self.position.owned) - value))
