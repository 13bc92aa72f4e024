"""What experts see in Dots and Boxes: chains, safe lines, handouts, double-crosses, parity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from papan.core import Feature, Move
from papan.core.drawing import COLOURS, UNIT, label, tag
from papan.games.dots import draw
from papan.games.dots.chains import Chain, chains, safe_lines

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition


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


def _marks(game: Dots, lines: Iterable[Move], name: str) -> str:
    """Lines pointed out, each kind in its own dashes."""
    dashes = {"safe": "1 9", "half": "10 6", "hard": "3 5", "offer": "16 4"}
    colour = COLOURS["highlight" if name in ("safe", "offer") else "second"]
    strokes = (
        draw.stroke(
            game,
            line,
            stroke=colour,
            stroke_width=5,
            stroke_linecap="round",
            stroke_dasharray=dashes[name],
            class_=f"expert {name}",
        )
        for line in lines
    )
    return "".join(strokes)


def _outline(game: Dots, chain: Chain) -> str:
    """A thread through the middles of the boxes, with their number at its beginning."""
    corners = [draw.point(game, game.lines[game.sides[box][0]][0]) for box in chain.boxes]
    middles = [(x + UNIT / 2, y + UNIT / 2) for x, y in corners]
    thread = middles + middles[:1] if chain.shape == "loop" else middles
    points = " ".join(f"{x:g},{y:g}" for x, y in thread)
    colour = COLOURS["highlight"]
    line = tag(
        "polyline", points=points, fill="none", stroke=colour, stroke_width=4, class_="thread"
    )
    x, y = middles[0]
    knot = tag("circle", cx=x, cy=y, r=12, fill=COLOURS["paper"], stroke=colour, stroke_width=3)
    return tag("g", line + knot + label(x, y, str(chain.length), 14), class_="chain")
