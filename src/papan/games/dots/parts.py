"""The parts of a Dots and Boxes board: its rim, the ring of boxes along it, and the core within."""

from __future__ import annotations

from papan.core import Move
from papan.games.dots.rules import Dots


class Parts:
    """The lines of a board, part by part.

    A box of the ring has a rim line (*once*), in a corner a second one (*twice*); it has a line of
    the ring before it and one after it, and unless it is a corner a spoke, which is of the core.
    """

    def __init__(self, game: Dots) -> None:
        boxes = ring_of(game)
        sides = [set(game.sides[box]) for box in boxes]
        rims = [[line for line in game.sides[box] if len(game.beside[line]) == 1] for box in boxes]
        self.ring = [(sides[place - 1] & sides[place]).pop() for place in range(len(boxes))]
        self.once = [lines[-1] for lines in rims]
        self.twice = {place: lines[0] for place, lines in enumerate(rims) if len(lines) == 2}
        outer = {*self.ring, *self.once, *self.twice.values()}
        self.core = [line for line in range(game.move_count) if line not in outer]
        self.spokes = [
            (self.core.index(line), place)
            for place, lines in enumerate(sides)
            for line in lines - outer
        ]

    @property
    def bits(self) -> dict[Move, int]:
        """The bit of each line in the code of a position."""
        core, ring = len(self.core), len(self.ring)
        return {
            **{line: place for place, line in enumerate(self.core)},
            **{line: core + place for place, line in enumerate(self.ring)},
            **{line: core + ring + place for place, line in enumerate(self.once)},
            **{line: core + 2 * ring + place for place, line in self.twice.items()},
        }


def ring_of(game: Dots) -> list[int]:
    """The boxes along the rim, once around."""
    top, bottom, right = 0, game.rows - 1, game.columns - 1
    places = [
        *((top, column) for column in range(right)),
        *((row, right) for row in range(bottom)),
        *((bottom, column) for column in range(right, 0, -1)),
        *((row, 0) for row in range(bottom, 0, -1)),
    ]
    return [row * game.columns + column for row, column in places]
