"""Slips: moves of a player who overlooks something, and what was overlooked.

A level below the strongest errs like people: for one move it has a blind spot, and plays what looks
best without what it does not see. It slips only where the rules can name what it has overlooked;
elsewhere it thinks as usual. Which blind spots a game knows is in its `Support.slip`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from papan.core.game import Move
from papan.core.message import Message


@dataclass(frozen=True)
class Slip:
    """A move of a player who overlooks something, with a message on what was overlooked.

    *message* is a sentence that calls the mover *player* and the other one *rival*, without values.
    *cells* are the names of the cells that it speaks of, such as ``b2``.
    """

    move: Move
    message: Message
    """The sentence about what was overlooked, and the better move: a fact that the rules confirm.
    It calls the mover *player* and the other one *rival*, without values."""
    cells: tuple[str, ...] = ()
    """The names of the cells that it speaks of: see `Drawing.pointed_out`."""


BlindSpots = Mapping[str, range]
"""Blind spots by name, each with the levels that have it."""


def in_any_order(spots: BlindSpots, level: int, rng: random.Random) -> list[str]:
    """Return the names of the blind spots that *level* (1 to 5) has, in an order that *rng* draws.

    *spots* has, by name, the levels that have each blind spot. Empty if this one has none.

    >>> in_any_order({"far": range(1, 3), "diagonals": range(1, 5)}, 3, random.Random(1))
    ['diagonals']
    """
    names = [name for name, levels in spots.items() if level in levels]
    rng.shuffle(names)
    return names


def most_liked(moves: Iterable[Move], liking: Callable[[Move], float], rng: random.Random) -> Move:
    """Return the move for which *liking* returns most; of several such *rng* draws one.

    Raise ValueError if there are no *moves*.
    """
    return max(moves, key=lambda move: (liking(move), rng.random()))
