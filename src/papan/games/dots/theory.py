"""The theory of captures, in plain Python: what a position with boxes to take comes down to.

Whoever can take boxes takes all of them, and then has to move; or he takes all but the last two of
a chain (four of a loop) and lets the rival take those and move instead: the double-cross. Both ways
lead to the same rest, so with T boxes to take, a rest worth V to whoever moves there, and a loss d
of 4 or 8 for the double-cross, the position is worth T + max(V, -d - V).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from papan.core.game import Move
from papan.games.dots.rules import Dots

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
    rest = drawn
    while ready := [box for box in game.boxes if (box & ~rest).bit_count() == 1]:
        for box in ready:
            rest |= box
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
