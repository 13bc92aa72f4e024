"""Blind spots in Dots and Boxes: boxes, sides and chains that somebody miscounts."""

from __future__ import annotations

import random
from collections.abc import Iterable

from papan.core import Message, Move
from papan.core.slips import BlindSpots, Slip, in_any_order
from papan.games.dots.chains import boxes_given, boxes_to_take, safe_lines, taking
from papan.games.dots.drawing import box_grid
from papan.games.dots.rules import DotsPosition

DOTS_SPOTS: BlindSpots = {
    "greedy": range(1, 5),
    "chains": range(1, 5),
    "sides": range(1, 4),
    "boxes": range(1, 2),
}
"""The levels with each blind spot. A player with "greedy" takes every box and does not look at who
has to give next; with "chains" it counts chains only so far (see `COUNTED`); with "sides" it looks
at one side of a line; with "boxes" it overlooks boxes that it could take."""
COUNTED = {1: 1, 2: 2, 3: 3, 4: 4}
"""Boxes of a chain that each level counts: longer ones look alike when it overlooks chains."""
MOST_OVERLOOKED = 2
"""Most boxes that can be overlooked; a longer row of them is always seen."""
LEAST_GIVEN = 3
"""Boxes that a seat must give away at least once it has taken all boxes, for that to be a slip."""


class DotsSight:
    """Finds slips in *position*: moves of a player with a blind spot, and what it overlooks.

    `DOTS_SPOTS` says which level of play has which blind spot. *open* is the number of boxes that
    can be taken, *safe* is the list of safe lines. The game must not be over: not checked.
    """

    def __init__(self, position: DotsPosition) -> None:
        self.position, self.game = position, position.game
        self.open, self.safe = boxes_to_take(position), safe_lines(position)

    def slip(self, level: int, rng: random.Random) -> Slip | None:
        """Return a slip of a player of *level* (1, the weakest, to 4) who overlooks something here.

        The blind spots of the level are tried in an order that *rng* draws, as it draws among equal
        moves. None if none of them leads to a worse move.
        """
        ways = {
            "greedy": lambda: self._greedy(rng),
            "chains": lambda: self._chains(COUNTED[level], rng),
            "sides": lambda: self._sides(rng),
            "boxes": lambda: self._boxes(rng),
        }
        found = (ways[spot]() for spot in in_any_order(DOTS_SPOTS, level, rng))
        return next(filter(None, found), None)

    def _slip(
        self, key: str, move: Move, facts: dict[str, object], boxes: Iterable[int] = ()
    ) -> Slip:
        """Return a slip by *move* with its sentence, and the *boxes* (numbers) that it points out.

        *key* is the end of the text's key (``dots.slip_KEY``), *facts* are further values of the
        text.
        """
        names, line = box_grid(self.game).names, self.game.move_name(move)
        message = Message(f"dots.slip_{key}", {"move": line, **facts})
        return Slip(move, message, (line, *(names[box] for box in sorted(boxes))))

    def _greedy(self, rng: random.Random) -> Slip | None:
        """Return a slip that takes a box where a double-cross should be played; else None.

        It is a slip if no double-cross can be played after it, and if once all boxes are taken no
        line is safe and each gives `LEAST_GIVEN` boxes or more. *rng* draws among such moves.
        """
        now = taking(self.game, self.position.drawn)
        rest = type(self.position)(self.game, now.rest)
        if not now.loss or not rest.moves() or safe_lines(rest):
            return None
        least = min(len(boxes_given(self.game, now.rest, line)) for line in rest.moves())
        takes = [move for move in self._taking() if not taking(self.game, self._after(move)).loss]
        if least < LEAST_GIVEN or not takes:
            return None
        return self._slip("greedy", rng.choice(takes), {"left": now.loss // 2, "least": least})

    def _taking(self) -> list[Move]:
        """Return the moves that take a box at once, in ascending order; empty if there is none."""
        owned = sum(self.position.owned)
        return [
            each for each in self.position.moves() if sum(self.position.child(each).owned) > owned
        ]

    def _after(self, move: Move) -> int:
        """Return the bitboard of the lines drawn after *move*."""
        return self.position.drawn | 1 << move

    def _given(self, move: Move) -> list[int]:
        """Return the numbers of the boxes that *move* gives away, by `boxes_given`.

        No box may be ready to take before it: not checked.
        """
        return boxes_given(self.game, self.position.drawn, move)

    def _chains(self, counted: int, rng: random.Random) -> Slip | None:
        """Return a slip that opens too long a chain, by a player who counts to *counted* boxes.

        Chains of *counted* boxes and longer ones look alike to it; *rng* draws a line among those
        that seem to give fewest boxes. None if no line gives fewer than the drawn one, if a box can
        be taken, or if a line is safe.
        """
        if self.open or self.safe:
            return None
        given = {move: len(self._given(move)) for move in self.position.moves()}
        least = min(given, key=given.__getitem__)
        seen = min(counted, given[least])
        alike = [move for move, count in given.items() if min(counted, count) == seen]
        move = rng.choice(alike)
        if given[move] == given[least]:
            return None
        facts = {"better": self.game.move_name(least), "boxes": given[move], "fewest": given[least]}
        return self._slip("chains", move, facts, self._given(move))

    def _sides(self, rng: random.Random) -> Slip | None:
        """Return a slip that gives a box away on one side of a line, seeing only the other side.

        The box on the other side has fewer than two sides drawn. *rng* draws the line, and the safe
        one that the text names as better. None if a box can be taken, or there is no such line or
        no safe one.
        """
        if self.open or not self.safe:
            return None
        drawn, boxes = self.position.drawn, self.game.boxes
        unsafe = [
            move
            for move in self.position.moves()
            if move not in self.safe
            and any((boxes[box] & drawn).bit_count() < 2 for box in self.game.beside[move])
        ]
        if not unsafe:
            return None
        move = rng.choice(unsafe)
        given = self._given(move)
        facts = {"boxes": len(given), "better": self.game.move_name(rng.choice(self.safe))}
        return self._slip("sides", move, facts, given)

    def _boxes(self, rng: random.Random) -> Slip | None:
        """Return a slip that draws a safe line, by *rng*, although a box or two could be taken.

        None if no box or more than `MOST_OVERLOOKED` can be taken, or no line is safe.
        """
        if not 0 < self.open <= MOST_OVERLOOKED or not self.safe:
            return None
        takes = self._taking()
        facts = {"boxes": self.open, "better": self.game.move_name(takes[0])}
        return self._slip("boxes", rng.choice(self.safe), facts)
