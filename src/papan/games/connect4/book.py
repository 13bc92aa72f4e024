"""Positions that were solved before: the score of every quiet one with few stones.

`scripts/make_connect4_book.py` writes them. A file begins with the number of stones; the scores
follow as a `Ribbon`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from papan.games.connect4.forced import Stones
from papan.games.connect4.layout import Layout
from papan.games.connect4.ribbon import Ribbon

FOLDER = Path(__file__).parent
BITS = 5
DRAW = 15
UNKNOWN = 2**BITS - 1
"""The number of a draw, with losses below it and wins above; and of what does not fit: scores far
from 0, which a search finds at once."""


class Book:
    """The scores of one board, for positions of at most so many stones."""

    def __init__(self, data: bytes) -> None:
        self.plies = data[0]
        self._scores = Ribbon(data[1:])

    def covers(self, stones: Stones) -> bool:
        """Does the position have few enough stones?"""
        return (stones.own | stones.rival).bit_count() <= self.plies

    def score(self, layout: Layout, stones: Stones) -> int | None:
        """The score of a quiet position that can come up in play; None if it is not in the book."""
        if not self.covers(stones):
            return None
        number = self._scores[book_key(layout, stones)]
        return None if number == UNKNOWN else number - DRAW


@cache
def book_for(rows: int, columns: int) -> Book | None:
    """The book of a board, where there is one."""
    path = FOLDER / f"book_{rows}x{columns}.bin"
    return Book(path.read_bytes()) if path.exists() else None


def book_key(layout: Layout, stones: Stones) -> int:
    """The same number for a position and its mirror image, and for no other."""
    key = stones.own | stones.own + stones.rival + layout.floor
    return min(key, layout.mirror(key))


def comes_up(layout: Layout, stones: Stones) -> bool:
    """Can this position, in which nobody has a four, come up in play? Some can only be written."""
    seen = {stones}
    waiting = [stones]
    while waiting:
        own, rival = waiting.pop()
        if not own | rival:
            return True
        tops = (own + rival + layout.floor >> 1) & rival  # the last stone is one of these
        for bit in range(layout.bits):
            if tops >> bit & 1:
                before = Stones(rival ^ 1 << bit, own)
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)
    return False
