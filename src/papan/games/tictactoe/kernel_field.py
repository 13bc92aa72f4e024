"""A Tic Tac Toe board of any size that keeps count while marks come and go.

For every line it knows the marks of both sides, and for every cell and side what the lines through
it are worth: only lines without a mark of the other side count. All lies on one array of words.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.native import ONE, WORD, WORDS, ZERO, load, native, store

U = np.uint64
MOST_CELLS, MOST_LINES, MOST_THROUGH = U(225), U(736), U(64)

# What is fixed.
SIZE, CONNECT, SHARED, TRANSPOSITIONS, MASK = map(U, range(5))
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
WEIGHTS = TAKEN + MOST_CELLS
"""For each side and cell what the lines open to that side are worth."""
TALLY = WEIGHTS + U(2) * MOST_CELLS
"""For each line the marks of the first side, and from bit 8 on those of the second."""
END_OF_FIELD = TALLY + MOST_LINES

SIDE_OPEN, BYTE, EIGHT = U(16), U(255), U(8)
SMOOTH = U(0xFFFFFFFF)
"""The lower half of a worth is a number to compare moves by; the upper half counts lines:"""
ONE_SHORT, TWO_SHORT, THREE_SHORT = U(32), U(40), U(48)
"""those that lack one mark, two marks and three."""


@native(WORD(WORD, WORD, WORDS))
def open_lines(side, marks, workspace):
    """How many lines with so many marks are open to a side."""
    return load(workspace, OPEN + SIDE_OPEN * side + marks)


@native(WORD(WORD, WORD, WORDS))
def cell_weight(side, cell, workspace):
    """What a cell is worth to a side."""
    return load(workspace, WEIGHTS + MOST_CELLS * side + cell)


@native(WORD(WORD, WORD, WORD, WORDS))
def short_lines(side, cell, missing, workspace):
    """How many lines through an empty cell lack so many marks, and no more; 0 if it is taken."""
    return (
        ZERO
        if load(workspace, TAKEN + cell)
        else cell_weight(side, cell, workspace) >> missing & BYTE
    )


@native(types.void(WORD, WORD, WORD, WORDS))
def shift(side, line, change, workspace):
    """Change what the cells of a line are worth to a side."""
    step = load(workspace, STEP + line)
    at = WEIGHTS + MOST_CELLS * side + load(workspace, START + line)
    for _ in range(load(workspace, CONNECT)):
        store(workspace, at, load(workspace, at) + change)
        at += step


@native(types.void(WORD, WORD, WORD, WORDS))
def count(side, marks, change, workspace):
    """Change the number of lines with so many marks that are open to a side."""
    at = OPEN + SIDE_OPEN * side + marks
    store(workspace, at, load(workspace, at) + change)


@native(types.void(WORD, WORD, WORD, WORDS))
def change_mark(side, cell, sign, workspace):
    """Put a mark (*sign* 1) or take it away (*sign* -1, as a word)."""
    rival, unit = ONE - side, ONE << EIGHT * side
    first = THROUGH + cell * MOST_THROUGH
    for at in range(first + ONE, first + ONE + load(workspace, first)):
        line = load(workspace, at)
        tally = load(workspace, TALLY + line)
        store(workspace, TALLY + line, tally + sign * unit)
        tally -= ZERO if sign == ONE else unit  # without the mark
        mine, theirs = tally >> EIGHT * side & BYTE, tally >> EIGHT * rival & BYTE
        if theirs == ZERO:
            more = load(workspace, GAIN + mine + ONE) - load(workspace, GAIN + mine)
            shift(side, line, sign * more, workspace)
            count(side, mine, ZERO - sign, workspace)
            count(side, mine + ONE, sign, workspace)
        if mine == ZERO:
            shift(rival, line, ZERO - sign * load(workspace, GAIN + theirs), workspace)
            count(rival, theirs, ZERO - sign, workspace)
    store(
        workspace, HASH, load(workspace, HASH) ^ load(workspace, NOISE + MOST_CELLS * side + cell)
    )
    store(workspace, MARKS, load(workspace, MARKS) + sign)


@native(types.void(WORD, WORD, WORDS))
def put(side, cell, workspace):
    """Put a mark on an empty cell."""
    store(workspace, TAKEN + cell, ONE)
    change_mark(side, cell, ONE, workspace)


@native(types.void(WORD, WORD, WORDS))
def lift(side, cell, workspace):
    """Take the mark away again."""
    store(workspace, TAKEN + cell, ZERO)
    change_mark(side, cell, ZERO - ONE, workspace)
