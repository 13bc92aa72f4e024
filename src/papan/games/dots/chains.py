"""The structure of a Dots and Boxes position: its chains and loops, its safe lines.

When no safe line is left, the board falls apart into chains and loops: whoever draws in one of them
gives all of its boxes away. Experts count them long before that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from papan.core.game import Move

if TYPE_CHECKING:
    from papan.games.dots.rules import DotsPosition

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
    boxes, drawn = position.game.boxes, position.drawn
    while last := [box & ~drawn for box in boxes if (box & ~drawn).bit_count() == 1]:
        for line in last:
            drawn |= line
    return sum(box & drawn == box for box in boxes) - sum(position.owned)


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
