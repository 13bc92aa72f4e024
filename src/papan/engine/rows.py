"""Marks in a row on at most 64 cells: which lines are complete, and what the others promise.

Each line is a word with a bit for each of its cells, at most 8. All lies on one array of words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from papan.engine.control import Words
from papan.engine.native import ONE, ZERO, Word, load, native, popcount, words_at

U = np.uint64
THREE, BYTE = U(3), U(255)
MOST_IN_LINE = 8
"""How many cells a line has at most, so that numbers of open lines fit into the bytes of a word."""

LINE_COUNT, GAINS = 0, 1
"""The first words: how many lines there are; what a line is worth with so many marks."""
THROUGH = GAINS + MOST_IN_LINE
"""For each cell where its lines begin; the next word says where they end."""
LINES = THROUGH + 65


def lay_out(lines: Sequence[int], growth: int) -> Words:
    """The words for these lines: each mark makes a line *growth* times as good."""
    through = [[line for line in lines if line >> cell & 1] for cell in range(64)]
    begins = np.cumsum([len(lines), *map(len, through)]) + LINES
    gains = [0, *(growth**marks for marks in range(1, MOST_IN_LINE))]
    own = [line for cell in through for line in cell]
    return np.array([len(lines), *gains, *begins.tolist(), *lines, *own], dtype=np.uint64)


@native(inline=True)
def completes(words: Words, marks: Word, cell: int) -> Word:
    """Is one of the lines through *cell* all *marks*?"""
    for at in range(words[THROUGH + cell], words[THROUGH + cell + 1]):
        if words[at] & ~marks == ZERO:
            return ONE
    return ZERO


@native(inline=True)
def line_balance(words: Words, own: Word, rival: Word) -> np.int64:
    """What the lines with marks of one side alone are worth: those of *own* less the *rival*'s."""
    at, lines = words_at(words.ctypes.data), np.int64(LINES)
    open_own = open_rival = ZERO  # how many lines with so many marks: a byte for each number
    for line in range(lines, lines + np.int64(words[LINE_COUNT])):
        mine, theirs = popcount(load(at, line) & own), popcount(load(at, line) & rival)
        open_own += (ONE if theirs == ZERO else ZERO) << (mine << THREE)
        open_rival += (ONE if mine == ZERO else ZERO) << (theirs << THREE)
    total = np.int64(0)
    for marks in range(1, MOST_IN_LINE):
        shift = U(marks) << THREE
        more = np.int64(open_own >> shift & BYTE) - np.int64(open_rival >> shift & BYTE)
        total += more * np.int64(words[GAINS + marks])
    return total
