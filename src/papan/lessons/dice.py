"""The luck of Monte Carlo searches: the numbers that the agent itself would draw."""

from __future__ import annotations

import random

from papan.core import Position

WORD = 2**64 - 1


class Dice:
    """SplitMix64, from a seed and the position that is searched."""

    def __init__(self, seed: int, position: Position) -> None:
        self._state = random.Random(f"{seed} {position}").getrandbits(64)

    def below(self, bound: int) -> int:
        """A number from 0 to *bound* - 1."""
        self._state = state = self._state + 0x9E3779B97F4A7C15 & WORD
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
        state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
        return ((state ^ state >> 31) >> 32) * bound >> 32
