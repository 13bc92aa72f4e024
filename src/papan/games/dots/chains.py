"""What experts see in Dots and Boxes: chains and loops, safe lines, handouts, parity, captures.

When no safe line is left, the board falls apart into chains and loops: whoever draws in one of them
gives all of its boxes away. Experts count them long before that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from papan.core import Feature, Graph, Message, Move, board
from papan.core.drawing import COLOURS, UNIT, label, tag
from papan.core.graph import Edge, Vertex
from papan.games.dots import draw

if TYPE_CHECKING:
    from papan.core.reasons import Mistake
    from papan.games.dots.rules import Dots, DotsPosition

Shape = Literal["open", "half-open", "closed", "loop"]
"""How a chain ends: it may lead on at both ends (*open*), a box can be taken at one of them
(*half-open*) or at both (*closed*), or it has no end (*loop*)."""

LONG = 3
"""From this length on, the player who takes a chain can leave two boxes and keep control."""

Links: TypeAlias = dict[int, list[tuple[Move, int | None]]]
"""The undrawn lines of each box in a chain, each with the box in a chain on its other side."""


@dataclass(frozen=True)
class Chain:
    """Boxes with two or three sides drawn, joined through undrawn lines."""

    boxes: tuple[int, ...]
    """From one end to the other."""
    lines: tuple[Move, ...]
    """The undrawn lines on the way."""
    shape: Shape

    @property
    def length(self) -> int:
        return len(self.boxes)

    @property
    def long(self) -> bool:
        return self.length >= LONG


def chains(position: DotsPosition) -> tuple[Chain, ...]:
    """Every chain and loop of the position, chains first."""
    links = _links(position)
    ends = [box for box in links if sum(beyond is not None for _, beyond in links[box]) < 2]
    found: list[Chain] = []
    for start in (*ends, *links):  # what no end leads to is a loop
        if not any(start in chain.boxes for chain in found):
            boxes, lines = _follow(start, links)
            found.append(Chain(boxes, lines, _shape(boxes, links) if start in ends else "loop"))
    return tuple(found)


def safe_lines(position: DotsPosition) -> list[Move]:
    """The lines after which no box can be taken that could not be taken before."""
    drawn = position.drawn
    return [
        line
        for line in position.moves()
        if all((box & drawn).bit_count() < 2 for box in position.game.touching[line])
    ]


def boxes_to_take(position: DotsPosition) -> int:
    """How many boxes the seat to move can take, one after the other, without giving any."""
    rest = all_taken(position.game, position.drawn)
    return position.game.complete(rest) - sum(position.owned)


def all_taken(game: Dots, drawn: int) -> int:
    """The lines that are drawn once every box is taken that can be, one after the other."""
    while ready := [box for box in game.boxes if (box & ~drawn).bit_count() == 1]:
        for box in ready:
            drawn |= box
    return drawn


def _links(position: DotsPosition) -> Links:
    game = position.game
    undrawn = {
        box: [line for line in lines if not position.drawn >> line & 1]
        for box, lines in enumerate(game.sides)
    }
    members = {box: lines for box, lines in undrawn.items() if len(lines) in (1, 2)}

    def beyond(box: int, line: Move) -> int | None:
        return next(
            (other for other in game.beside[line] if other != box and other in members), None
        )

    return {box: [(line, beyond(box, line)) for line in lines] for box, lines in members.items()}


def _follow(start: int, links: Links) -> tuple[tuple[int, ...], tuple[Move, ...]]:
    """The boxes and lines of a chain from one end to the other, or once around a loop."""
    boxes: list[int] = []
    lines: list[Move] = []
    box: int | None = start
    while box is not None:
        boxes.append(box)
        onward = None
        # The line that leads out of the chain comes first: only the last box may have it last.
        for line, beyond in sorted(links[box], key=lambda link: link[1] is not None):
            if line not in lines:
                lines.append(line)
                onward = beyond
        box = onward
    return tuple(boxes), tuple(lines)


def _shape(boxes: tuple[int, ...], links: Links) -> Shape:
    ready = sum(len(links[box]) == 1 for box in boxes)
    return "closed" if ready == 2 else "half-open" if ready == 1 else "open"


def features(position: DotsPosition) -> list[Feature]:
    """The chains and loops with their lengths, and what each kind of line gives away."""
    found, safe = chains(position), safe_lines(position)
    game = position.game
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


def _chain_key(chain: Chain) -> str:
    if chain.shape == "loop":
        return "dots.loop"
    return "dots.long_chain" if chain.long else "dots.short_chain"


def _handouts(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """The two ways to give a chain of two away: only one lets the rival decline."""
    for chain in found:
        if chain.length == 2 and chain.shape == "open":
            first, middle, last = chain.lines
            hard = {"line": game.move_name(middle)}
            yield Feature("dots.hard_hearted", hard, _marks(game, [middle], "hard"))
            half = {"lines": " ".join(map(game.move_name, (first, last)))}
            yield Feature("dots.half_hearted", half, _marks(game, [first, last], "half"))


def _offers(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """The lines that leave the last boxes of a chain or loop to the rival, and the turn with them.

    Of a chain these are its last two boxes, of a loop its last four.
    """
    for chain in found:
        if (chain.length, chain.shape) in ((2, "half-open"), (4, "closed")):
            line = next(each for each in chain.lines if _leaves(game, chain, each))
            yield Feature(
                "dots.double_cross", {"line": game.move_name(line)}, _marks(game, [line], "offer")
            )


def _leaves(game: Dots, chain: Chain, line: Move) -> bool:
    """Does drawing *line* leave every box of a chain with one line to go, none of them taken?"""
    beside = [box for box in game.beside[line] if box in chain.boxes]
    if chain.shape == "closed":
        return set(beside) == set(chain.boxes[1:3])
    return len(beside) == 1


def _rule(game: Dots, found: Iterable[Chain]) -> Iterator[Feature]:
    """Whom the number of long chains favours: with the dots it is even for who began the game."""
    count = sum(chain.long and chain.shape != "loop" for chain in found)
    if count:
        dots = game.dots.size
        seat = 1 + (dots + count) % 2
        yield Feature("dots.chain_rule", {"dots": dots, "chains": count, "seat": seat})


def fault(before: DotsPosition, mistake: Mistake) -> Message | None:
    """Why a line is a mistake: what it leaves, gives away or opens, or that it loses control."""
    after, better = before.child(mistake.move), before.child(mistake.better)
    takes, should = after.owned != before.owned, better.owned != before.owned
    if should and not takes:
        return Message("dots.left_boxes", mistake.names | {"boxes": boxes_to_take(before)})
    at_once = _refused(before, mistake) if takes and not should else None
    if not takes and not should:
        at_once = _gave(before, mistake)
    return at_once or _later(before, mistake) or _fewer_boxes(before, mistake)


def _refused(before: DotsPosition, mistake: Mistake) -> Message | None:
    """A box was taken where a double-cross is better: it leaves boxes, and the turn with them."""
    better = before.child(mistake.better)
    rest = all_taken(before.game, before.drawn)
    if all_taken(before.game, better.drawn) != rest:
        return None
    gives = not safe_lines(replace(before, drawn=rest))
    key = "dots.refused_double_cross" if gives else "dots.refused_turn"
    return Message(key, mistake.names | {"left": boxes_to_take(better)})


def _gave(before: DotsPosition, mistake: Mistake) -> Message | None:
    """What the rival can take that could not be taken before, if the better line gives less."""
    game, there, safe = before.game, boxes_to_take(before), len(safe_lines(before))
    after, better = before.child(mistake.move), before.child(mistake.better)
    given, least = (boxes_to_take(each) - there for each in (after, better))
    facts = mistake.names | {"boxes": given, "fewer": least, "safe": safe}
    if given > least:
        if least:
            return Message("dots.opened_longer", facts)
        if not safe:
            return Message("dots.opened_more", facts)
        opened = (each for each in chains(before) if mistake.move in each.lines)
        long = any(each.long and each.shape == "open" and each.length == given for each in opened)
        return Message("dots.opened_long_chain" if long else "dots.gave_boxes", facts)
    crossed = taking(game, after.drawn).loss
    if given == least > 0 and crossed and not taking(game, better.drawn).loss:
        return Message("dots.allowed_double_cross", facts | {"left": crossed // 2})
    return None


def _later(before: DotsPosition, mistake: Mistake) -> Message | None:
    """What differs first in the play expected: who runs out of safe lines, or who takes boxes."""
    seat = before.turn
    lines = (before, (mistake.move, *mistake.refutation)), (before, mistake.plan)
    if [_opener(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.lost_control", mistake.names)
    if [_runs_out(*line) for line in lines] == [seat, 1 - seat]:
        return Message("dots.ran_out", mistake.names)
    (now, boxes), (instead, more) = (_next_taken(*line) for line in lines)
    if (now, instead) == (1 - seat, seat):
        return Message("dots.takes_next", mistake.names | {"boxes": boxes, "instead": more})
    return None


def _fewer_boxes(before: DotsPosition, mistake: Mistake) -> Message | None:
    """How many of the boxes left the seat to move gets, and would have got, where it is proved."""
    if not (mistake.now.exact and mistake.instead.exact):
        return None
    boxes, own = len(before.game.boxes), before.owned[before.turn]
    now, instead = (int(boxes + each.low) // 2 - own for each in (mistake.now, mistake.instead))
    facts = {"boxes": now, "instead": instead, "left": boxes - sum(before.owned)}
    return Message("dots.fewer_boxes", mistake.names | facts)


def _runs_out(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Who is the first to find no safe line and no box to take when play goes along *line*."""
    for move in line:
        if not boxes_to_take(position) and not safe_lines(position):
            return position.turn
        position = position.child(move)
    return None


def _opener(position: DotsPosition, line: Iterable[Move]) -> int | None:
    """Who has to open the first long chain when play goes along *line*: the other is in control."""
    for move in line:
        found = chains(position)
        quiet = not boxes_to_take(position) and not safe_lines(position)
        if quiet and found and all(chain.long for chain in found):
            return position.turn
        position = position.child(move)
    return None


def _next_taken(position: DotsPosition, line: Iterable[Move]) -> tuple[int | None, int]:
    """Who takes the next boxes when play goes along *line*, and how many in a row."""
    seat, taken = None, 0
    for move in line:
        child = position.child(move)
        won = sum(child.owned) - sum(position.owned)
        if won:
            seat = position.turn
        elif taken:
            break
        taken, position = taken + won, child
    return seat, taken


def _marks(game: Dots, lines: Iterable[Move], name: str) -> str:
    """Lines pointed out, each kind in its own dashes."""
    dashes = {"safe": "1 9", "half": "10 6", "hard": "3 5", "offer": "16 4"}
    colour = COLOURS["highlight" if name in ("safe", "offer") else "second"]
    pen = {"stroke": colour, "stroke_width": 5, "stroke_linecap": "round"}
    look = {"stroke_dasharray": dashes[name], "class_": f"expert {name}"}
    return "".join(draw.stroke(game, line, **pen, **look) for line in lines)


def _outline(game: Dots, chain: Chain) -> str:
    """A thread through the middles of the boxes, with their number at its beginning."""
    grid = draw.box_grid(game)
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


def graphs(position: DotsPosition) -> tuple[Graph, Graph, Graph]:
    """The lines that are drawn, all lines that there are, and the boxes (the dual graph)."""
    drawn = [line for line in range(position.game.move_count) if position.drawn >> line & 1]
    return (
        _dots_and_lines(position, "lines", drawn),
        _dots_and_lines(position, "board", range(position.game.move_count)),
        box_graph(position),
    )


def _dots_and_lines(position: DotsPosition, name: str, lines: Iterable[Move]) -> Graph:
    """Dots are vertices and lines are edges; a box is a cycle of four edges."""
    game = position.game
    names, boxes = game.dots.names, draw.box_grid(game).names
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
    """The dots of a box in the order of its cycle: v1, v2, v4, v3 of the paper."""
    top, _, _, bottom = game.sides[box]
    return (*game.lines[top], *reversed(game.lines[bottom]))


def box_graph(position: DotsPosition) -> Graph:
    """The dual graph: boxes are vertices, joined through undrawn lines; the rim leads to *ground*.

    A degree is the number of sides that a box lacks. Drawing a line cuts an edge, and who cuts the
    last one of a box owns it: the game of strings and coins.
    """
    game, grid = position.game, draw.box_grid(position.game)
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
            middle, rim = board.centre(grid, beside[0]), draw.label_point(position, line)
            outside = (2 * rim[0] - middle[0], 2 * rim[1] - middle[1])
            edges.append(Edge((*ends, GROUND), game.move_name(line), mark, (middle, outside)))
    found = Counter(_chain_key(chain) for chain in chains(position))
    facts = {
        "long": found["dots.long_chain"],
        "short": found["dots.short_chain"],
        "loops": found["dots.loop"],
    }
    return Graph("boxes", tuple(vertices), tuple(edges), notes=(Message("dots.graph_dual", facts),))


# The theory of captures: what a position with boxes to take comes down to.
#
# Whoever can take boxes takes all of them, and then has to move; or takes all but the last two of
# a chain (four of a loop) and lets the rival take those and move instead: the double-cross. Both
# ways lead to the same rest, so with T boxes to take, a rest worth V to whoever moves there, and a
# loss d of 4 or 8 for the double-cross, the position is worth T + max(V, -d - V).

CHAIN_LOSS, LOOP_LOSS = 4, 8

Boxes = TypeVar("Boxes", int, float)


@dataclass(frozen=True)
class Taking:
    """All boxes that can be taken in one turn."""

    boxes: int
    rest: int
    """The lines drawn once they are taken."""
    loss: int
    """The net loss of a double-cross, which keeps control: 0 where there is none to play."""

    def value(self, rest: Boxes) -> Boxes:
        """The value of the whole when the rest is worth *rest* to whoever moves there."""
        return self.boxes + (max(rest, -self.loss - rest) if self.loss else rest)

    def crosses(self, rest: int) -> bool:
        """Is the double-cross better than taking all?"""
        return self.loss > 0 and -self.loss - rest > rest


def taking(game: Dots, drawn: int) -> Taking:
    """What can be taken when these lines are drawn."""
    rest = all_taken(game, drawn)
    taken = [
        number for number, box in enumerate(game.boxes) if box & rest == box and box & drawn != box
    ]
    losses = [_loss(game, tree, rest & ~drawn) for tree in _trees(game, taken, rest & ~drawn)]
    return Taking(len(taken), rest, min(filter(None, losses), default=0))


def quiet(game: Dots, drawn: int) -> bool:
    """Is there no box to take?"""
    return all((box & ~drawn).bit_count() != 1 for box in game.boxes)


def _trees(game: Dots, boxes: list[int], lines: int) -> Iterator[list[int]]:
    """The *boxes*, in groups that hang together through *lines*: each is a tree."""
    left = set(boxes)
    while left:
        tree = [left.pop()]
        for box in tree:
            near = {
                other
                for line in _sides(game, box, lines)
                for other in game.beside[line]
                if other in left
            }
            tree.extend(sorted(near))
            left -= near
        yield tree


def _loss(game: Dots, tree: list[int], lines: int) -> int:
    """The price of a double-cross in this tree of boxes, 0 if it is too small.

    A tree that leads on, to the rim or to boxes that stay, has as many lines as boxes. Its last two
    boxes can be left as a pair by drawing the line that leads on. Any other needs a path of four,
    cut in the middle into two pairs: by a line between boxes that both have another one.
    """
    ways = {line for box in tree for line in _sides(game, box, lines)}
    if len(ways) == len(tree):
        return CHAIN_LOSS if len(tree) > 1 else 0
    inner = {box for box in tree if len(_sides(game, box, lines)) > 1}
    return LOOP_LOSS if any(inner.issuperset(game.beside[line]) for line in ways) else 0


def _sides(game: Dots, box: int, lines: int) -> list[Move]:
    """Those of *lines* that are sides of *box*."""
    return [line for line in game.sides[box] if lines >> line & 1]


@dataclass(frozen=True)
class Step:
    """A move: the boxes it wins, and what its maker or the rival can take then."""

    move: Move
    won: int
    after: Taking

    def value(self, rest: Boxes) -> Boxes:
        """The boxes still to come for who makes the move when the rest is worth *rest*."""
        return self.won + self.after.value(rest) if self.won else -self.after.value(rest)


def step(game: Dots, drawn: int, move: Move) -> Step:
    """What drawing a line leads to."""
    after = drawn | 1 << move
    won = sum(box & after == box for box in game.touching[move])
    return Step(move, won, taking(game, after))
