"""A Tic Tac Toe board of any size that keeps count while marks come and go.

For every line it knows the marks of both sides, and for every cell and side what the lines through
it are worth: only lines without a mark of the other side count. All lies on one array of words.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from papan.kernels.native import ONE, WORD, WORDS, ZERO, load, native, store

U = np.uint64
MOST_CELLS, MOST_LINES, MOST_THROUGH = U(225), U(736), U(64)

# What is fixed.
SIZE, CONNECT, SHARED, TABLE, MASK = map(U, range(5))
"""Cells; marks in a full line; places of the shared words and of the table; its last entry."""
GAIN = U(8)
"""What a line is worth to each of its cells, by the marks on it."""
START, STEP = U(32), U(32) + MOST_LINES
"""The first cell of each line, and how far it is from one to the next."""
THROUGH = STEP + MOST_LINES
"""For each cell how many lines run through it, then which."""
NOISE = THROUGH + MOST_CELLS * MOST_THROUGH
"""A random word for each side and cell."""

CENTRAL = NOISE + U(2) * MOST_CELLS
"""How near to the centre each cell is, up to 15."""

# What changes with every mark.
HASH = CENTRAL + MOST_CELLS
MARKS = HASH + ONE
OPEN = MARKS + ONE
"""For each side how many lines are open to it, by the marks on them."""
TAKEN = OPEN + U(32)
WORTH = TAKEN + MOST_CELLS
"""For each side and cell what the lines open to that side are worth."""
TALLY = WORTH + U(2) * MOST_CELLS
"""For each line the marks of the first side, and from bit 8 on those of the second."""
END_OF_FIELD = TALLY + MOST_LINES

SIDE_OPEN, BYTE, EIGHT = U(16), U(255), U(8)
SMOOTH = U(0xFFFFFFFF)
"""The lower half of a worth is a number to compare moves by; the upper half counts lines:"""
ONE_SHORT, TWO_SHORT, THREE_SHORT = U(32), U(40), U(48)
"""those that lack one mark, two marks and three."""


@native(WORD(WORD, WORD, WORDS))
def open_lines(side, marks, desk):
    """How many lines with so many marks are open to a side."""
    return load(desk, OPEN + SIDE_OPEN * side + marks)


@native(WORD(WORD, WORD, WORDS))
def worth(side, cell, desk):
    """What a cell is worth to a side."""
    return load(desk, WORTH + MOST_CELLS * side + cell)


@native(WORD(WORD, WORD, WORD, WORDS))
def short_lines(side, cell, missing, desk):
    """How many lines through an empty cell lack so many marks, and no more; 0 if it is taken."""
    return ZERO if load(desk, TAKEN + cell) else worth(side, cell, desk) >> missing & BYTE


@native(types.void(WORD, WORD, WORD, WORDS))
def shift(side, line, change, desk):
    """Change what the cells of a line are worth to a side."""
    step = load(desk, STEP + line)
    at = WORTH + MOST_CELLS * side + load(desk, START + line)
    for _ in range(load(desk, CONNECT)):
        store(desk, at, load(desk, at) + change)
        at += step


@native(types.void(WORD, WORD, WORD, WORDS))
def count(side, marks, change, desk):
    """Change the number of lines with so many marks that are open to a side."""
    at = OPEN + SIDE_OPEN * side + marks
    store(desk, at, load(desk, at) + change)


@native(types.void(WORD, WORD, WORD, WORDS))
def change_mark(side, cell, sign, desk):
    """Put a mark (*sign* 1) or take it away (*sign* -1, as a word)."""
    rival, unit = ONE - side, ONE << EIGHT * side
    first = THROUGH + cell * MOST_THROUGH
    for at in range(first + ONE, first + ONE + load(desk, first)):
        line = load(desk, at)
        tally = load(desk, TALLY + line)
        store(desk, TALLY + line, tally + sign * unit)
        tally -= ZERO if sign == ONE else unit  # without the mark
        mine, theirs = tally >> EIGHT * side & BYTE, tally >> EIGHT * rival & BYTE
        if theirs == ZERO:
            more = load(desk, GAIN + mine + ONE) - load(desk, GAIN + mine)
            shift(side, line, sign * more, desk)
            count(side, mine, ZERO - sign, desk)
            count(side, mine + ONE, sign, desk)
        if mine == ZERO:
            shift(rival, line, ZERO - sign * load(desk, GAIN + theirs), desk)
            count(rival, theirs, ZERO - sign, desk)
    store(desk, HASH, load(desk, HASH) ^ load(desk, NOISE + MOST_CELLS * side + cell))
    store(desk, MARKS, load(desk, MARKS) + sign)


@native(types.void(WORD, WORD, WORDS))
def put(side, cell, desk):
    """Put a mark on an empty cell."""
    store(desk, TAKEN + cell, ONE)
    change_mark(side, cell, ONE, desk)


@native(types.void(WORD, WORD, WORDS))
def lift(side, cell, desk):
    """Take the mark away again."""
    store(desk, TAKEN + cell, ZERO)
    change_mark(side, cell, ZERO - ONE, desk)
