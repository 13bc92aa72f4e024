"""The theory of Dots and Boxes: chains and loops, safe lines, handouts, parity, captures.

When no safe line is left, the board consists of chains and loops: drawing a line in one of them
gives all of its boxes away. Experts count them long before that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from papan.core import Move

if TYPE_CHECKING:
    from papan.games.dots.rules import Dots, DotsPosition

ChainShape = Literal["open", "half-open", "closed", "loop"]
"""The ends of a chain: it may lead on at both (*open*), a box can be taken at one of them
(*half-open*) or at both (*closed*), or it has no end (*loop*).
"""

LONG_CHAIN = 3
"""From this length on, the taker of a chain can leave two boxes and stay in control."""

ChainLinks: TypeAlias = dict[int, list[tuple[Move, int | None]]]
"""For each box in a chain, by its number, its undrawn lines, each with the box in a chain on its
other side; None if there is none.
"""


@dataclass(frozen=True)
class Chain:
    """A chain or loop: boxes that lack one or two sides, joined through undrawn lines."""

    boxes: tuple[int, ...]
    """The numbers of the boxes from one end to the other, or once around a loop."""
    lines: tuple[Move, ...]
    """The undrawn lines on the way, in the same order; those that lead out at its ends included."""
    shape: ChainShape
    """Whether it leads on at its ends, or is a loop: see `ChainShape`."""

    @property
    def length(self) -> int:
        """Number of boxes in the chain or loop."""
        return len(self.boxes)

    @property
    def long(self) -> bool:
        """True if it has LONG_CHAIN boxes or more: its taker can stay in control."""
        return self.length >= LONG_CHAIN


def chains(position: DotsPosition) -> tuple[Chain, ...]:
    """Return every chain and loop of the position, chains first; empty if there is none.

    A single box that lacks one or two sides is a chain, too.
    """
    links = _links(position)
    ends = [box for box in links if sum(beyond is not None for _, beyond in links[box]) < 2]
    found: list[Chain] = []
    for start in (*ends, *links):  # what no end leads to is a loop
        if not any(start in chain.boxes for chain in found):
            boxes, lines = _follow(start, links)
            found.append(Chain(boxes, lines, _shape(boxes, links) if start in ends else "loop"))
    return tuple(found)


def safe_lines(position: DotsPosition) -> list[Move]:
    """Return the undrawn lines, in ascending order, that are the third or fourth side of no box.

    After them no further box can be taken. Empty if there is none.
    """
    drawn = position.drawn
    return [
        line
        for line in position.moves()
        if all((box & drawn).bit_count() < 2 for box in position.game.touching[line])
    ]


def boxes_to_take(position: DotsPosition) -> int:
    """Return how many boxes the seat to move can take in this turn, one after the other.

    0 if none.
    """
    rest = all_taken(position.game, position.drawn)
    return position.game.complete(rest) - sum(position.owned)


def all_taken(game: Dots, drawn: int) -> int:
    """Return the bitboard of lines drawn once all boxes are taken that can be, one by one.

    *drawn* is the bitboard of the lines drawn before; it is returned if no box can be taken.
    """
    while ready := [box for box in game.boxes if (box & ~drawn).bit_count() == 1]:
        for box in ready:
            drawn |= box
    return drawn


def boxes_given(game: Dots, rest: int, line: Move) -> list[int]:
    """Return the numbers of the boxes that *line* newly gives away; empty if it gives none.

    *rest* must be the bitboard of the lines drawn once all boxes are taken that can be before
    *line*, as by `all_taken`: not checked. So boxes that could be taken before *line* do not count,
    and a line that *rest* has gives none.
    """
    if rest >> line & 1:
        return []
    drawn, given, waiting = rest | 1 << line, list[int](), [*game.beside[line]]
    while waiting:
        box = waiting.pop()
        left = game.boxes[box] & ~drawn
        if box in given or left.bit_count() > 1:
            continue
        given.append(box)
        if left:
            drawn |= left
            waiting += game.beside[left.bit_length() - 1]
    return given


MOST_SAFE_TOGETHER = 8
"""Most safe lines in a group; with more it is not worked out who runs out of them."""


def gives_first(position: DotsPosition) -> bool | None:
    """Return whether the seat to move can be made to give the first boxes away.

    None if that is not worked out: if more than `MOST_SAFE_TOGETHER` safe lines form one group by
    sharing boxes. No box may be ready to take: not checked. Each seat draws safe lines as long as
    it can; the one that finds none has to give boxes away. It is an impartial game, the sum of such
    groups: the seat to move runs out first if the exclusive or of the Grundy numbers of all groups
    is 0.
    """
    parts = _safe_parts(position)
    if any(len(part) > MOST_SAFE_TOGETHER for part in parts):
        return None
    balance = 0
    for part in parts:
        balance ^= _grundy(position.game, part, position.drawn, {})
    return balance == 0


def _safe_parts(position: DotsPosition) -> list[list[Move]]:
    """Return the numbers of the safe lines in groups; lines of different groups share no box.

    Empty if no line is safe.
    """
    game, left = position.game, dict.fromkeys(safe_lines(position))
    parts = []
    while left:
        part = [left.popitem()[0]]
        for line in part:
            for box in game.beside[line]:
                near = [other for other in game.sides[box] if other in left]
                part += near
                for other in near:
                    del left[other]
        parts.append(part)
    return parts


def _grundy(game: Dots, part: list[Move], drawn: int, known: dict[int, int]) -> int:
    """Return the Grundy number of a group of safe lines: 0 or more; 0 if none of them is safe now.

    It is the least whole number that is not the Grundy number after any of the lines in *part* that
    is safe now. *drawn* is the bitboard of the lines drawn; *known* maps such bitboards to the
    numbers found so far, and gets this one.
    """
    if drawn not in known:
        reached = {
            _grundy(game, part, drawn | 1 << line, known)
            for line in part
            if not drawn >> line & 1
            and all((box & drawn).bit_count() < 2 for box in game.touching[line])
        }
        known[drawn] = next(number for number in count() if number not in reached)
    return known[drawn]


def _links(position: DotsPosition) -> ChainLinks:
    """Return, for each box that lacks one or two sides, its undrawn lines and the box beyond each.

    Keys are numbers of boxes, values lists of (line, box): see `ChainLinks`. The box beyond a line
    is None if there is none or it does not lack one or two sides.
    """
    game = position.game
    undrawn = {
        box: [line for line in lines if not position.drawn >> line & 1]
        for box, lines in enumerate(game.sides)
    }
    members = {box: lines for box, lines in undrawn.items() if len(lines) in (1, 2)}

    def beyond(box: int, line: Move) -> int | None:
        """Return the number of the chain's box beyond a line of *box*; None if there is none."""
        return next(
            (other for other in game.beside[line] if other != box and other in members), None
        )

    return {box: [(line, beyond(box, line)) for line in lines] for box, lines in members.items()}


def _follow(start: int, links: ChainLinks) -> tuple[tuple[int, ...], tuple[Move, ...]]:
    """Return the numbers of the boxes and lines of a chain from box *start* on, or around a loop.

    Both tuples are in order along the chain; a loop is followed once around. *start* must be an end
    of a chain, or in a loop: not checked; *links* is the result of `_links`.
    """
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


def _shape(boxes: tuple[int, ...], links: ChainLinks) -> ChainShape:
    """Return the shape of a chain that is no loop, by how many of its boxes can be taken (0 to 2).

    *links* are those of `_links`, in which a box that can be taken has one line.
    """
    ready = sum(len(links[box]) == 1 for box in boxes)
    return "closed" if ready == 2 else "half-open" if ready == 1 else "open"


# The theory of captures: what a position with boxes to take comes down to.
#
# A seat that can take boxes takes all of them, and then has to move; or takes all but the last two
# of a chain (four of a loop) and lets the rival take those and move instead: the double-cross. Both
# ways lead to the same rest, so with T boxes to take, a rest worth V to the seat that moves there,
# and a loss d of 4 or 8 for the double-cross, the position is worth T + max(V, -d - V).

CHAIN_LOSS, LOOP_LOSS = 4, 8

Boxes = TypeVar("Boxes", int, float)


@dataclass(frozen=True)
class Taking:
    """The boxes that the seat to move can take in one turn, and the board once all are taken.

    Where no box can be taken, `boxes` and `loss` are 0 and `rest` is the lines drawn already.
    """

    boxes: int
    """Number of boxes that can be taken."""
    rest: int
    """The bitboard of the lines drawn once they are taken."""
    loss: int
    """What a double-cross costs in boxes: 4 at the end of a chain that leads on, 8 in a loop or
    between two closed ends; 0 where none can be played. The seat leaves half of them (2 or 4) to
    its rival, who then has to move in the rest.
    """

    def value(self, rest: Boxes) -> Boxes:
        """Return the value of the position, in boxes to come: the mover's less its rival's.

        It is boxes + rest, or boxes + max(rest, -loss - rest) where a double-cross can be played.
        *rest* is the value of what is left after the taking, for the seat that moves there.
        """
        return self.boxes + (max(rest, -self.loss - rest) if self.loss else rest)

    def crosses(self, rest: int) -> bool:
        """Return whether a double-cross beats taking all.

        *rest* is the value in boxes of what is left after the taking, for the seat that moves
        there.
        """
        return self.loss > 0 and -self.loss - rest > rest


def taking(game: Dots, drawn: int) -> Taking:
    """Return what the seat to move can take when the lines of the bitboard *drawn* are drawn.

    If several double-crosses can be played, the loss is the least of theirs. With no box to take,
    boxes and loss are 0 and the rest is *drawn*.
    """
    rest = all_taken(game, drawn)
    taken = [
        number for number, box in enumerate(game.boxes) if box & rest == box and box & drawn != box
    ]
    losses = [_loss(game, tree, rest & ~drawn) for tree in _trees(game, taken, rest & ~drawn)]
    return Taking(len(taken), rest, min(filter(None, losses), default=0))


def quiet(game: Dots, drawn: int) -> bool:
    """Return whether no box can be taken when the lines of the bitboard *drawn* are drawn."""
    return all((box & ~drawn).bit_count() != 1 for box in game.boxes)


def _trees(game: Dots, boxes: list[int], lines: int) -> Iterator[list[int]]:
    """Yield the *boxes* in groups that are connected through *lines*; no group has a cycle.

    *boxes* are the numbers of boxes that can be taken, *lines* is the bitboard of the lines that
    taking them draws.
    """
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
    """Return the loss of a double-cross in this tree of boxes: 4 or 8 boxes, 0 if none is possible.

    *tree* has the numbers of the boxes, *lines* is the bitboard of the lines that taking them
    draws. A tree that leads on, to the rim or to boxes that stay, has as many lines as boxes. Its
    last two boxes, if it has two, can be left as a pair by drawing the line that leads on. Any
    other needs a path of four, cut in the middle into two pairs: by a line between boxes that both
    have another one.
    """
    ways = {line for box in tree for line in _sides(game, box, lines)}
    if len(ways) == len(tree):
        return CHAIN_LOSS if len(tree) > 1 else 0
    inner = {box for box in tree if len(_sides(game, box, lines)) > 1}
    return LOOP_LOSS if any(inner.issuperset(game.beside[line]) for line in ways) else 0


def _sides(game: Dots, box: int, lines: int) -> list[Move]:
    """Return the numbers of those of *lines*, a bitboard, that are sides of box number *box*."""
    return [line for line in game.sides[box] if lines >> line & 1]


@dataclass(frozen=True)
class DotsStep:
    """A move (a line), the number of boxes it wins (0 to 2), and what can be taken after it."""

    move: Move
    won: int
    """The boxes that the move completes."""
    after: Taking
    """What can be taken after the move: by its maker if it wins a box, else by the rival."""

    def value(self, rest: Boxes) -> Boxes:
        """Return the boxes still to come for the maker of the move, less the rival's.

        The boxes that the move itself completes count, too. *rest* is the value of the position
        once all boxes of `after` are taken, in boxes for the seat that moves there.
        """
        return self.won + self.after.value(rest) if self.won else -self.after.value(rest)


def step_of(game: Dots, drawn: int, move: Move) -> DotsStep:
    """Return the step of drawing line *move* when the lines of the bitboard *drawn* are drawn.

    *move* must not be one of them: not checked.
    """
    after = drawn | 1 << move
    won = sum(box & after == box for box in game.touching[move])
    return DotsStep(move, won, taking(game, after))
