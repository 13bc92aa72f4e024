"""The values of all quiet positions of a Dots and Boxes board, four bits each, by their number.

What is kept is how many of the boxes left the mover gets. On a board of sixteen boxes, all and none
are kept alike: then the steps that follow tell them apart.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.control import Words
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    WORDS,
    load,
    native,
    popcount,
    store,
    words_at,
)
from papan.games.dots.kernel import (
    ACROSS,
    DOWN,
    FRAME,
    FRAMES,
    U,
    bottom_bit,
    degrees,
    safe_lines,
)
from papan.games.dots.kernel_number import code_of, code_of_moves, lines_of_code, number_of

ARRAY = types.uint64[::1]
FOUR, FIFTEEN, SIXTEEN = U(4), U(15), U(16)
AHEAD = FRAMES + FRAME
"""The frame in which positions further on are looked at."""


@native()
def stored(atlas, values, code):
    """What is kept of a position."""
    number = number_of(atlas, code)
    return load(values, number >> FOUR) >> ((number & FIFTEEN) << TWO) & FIFTEEN


@native()
def keep(values, number, own):
    """Keep how many boxes the mover gets."""
    at, shift = number >> FOUR, (number & FIFTEEN) << TWO
    store(values, at, load(values, at) & ~(FIFTEEN << shift) | (own & FIFTEEN) << shift)


@native()
def look_at(workspace, atlas, frame, code):
    """Put a position into a frame: boxes with two lines to go, with more, the code of its safe
    lines."""
    across, down = lines_of_code(atlas, code)
    store(workspace, frame + ACROSS, across)
    store(workspace, frame + DOWN, down)
    _, two, many = degrees(workspace, across, down)
    safe_across, safe_down = safe_lines(workspace, frame, two)
    return two, many, code_of(atlas, safe_across, safe_down)


@native(types.boolean(WORDS, WORDS, WORDS, WORD))
def gets_all(workspace, atlas, values, code):
    """Does the mover, who gets all boxes or none, get all? Then a safe line leaves none."""
    _, _, safe = look_at(workspace, atlas, AHEAD, code)
    while safe:
        child = code ^ bottom_bit(safe)
        if not stored(atlas, values, child) and not gets_all(workspace, atlas, values, child):
            return True
        safe &= safe - ONE
    return False


@native()
def value_of(workspace, atlas, values, code, left):
    """The value of a quiet position with so many boxes left."""
    own = stored(atlas, values, code)
    if left == SIXTEEN and not own and gets_all(workspace, atlas, values, code):
        own = SIXTEEN
    return 2 * np.int64(own) - np.int64(left)


@native(types.int64(ARRAY, ARRAY, WORD, WORD))
def value(workspace: Words, atlas: Words, values: int, moves: int) -> int:
    """The value of the quiet position with these moves left; *values* is an address."""
    places, index = words_at(workspace.ctypes.data), words_at(atlas.ctypes.data)
    code = code_of_moves(index, moves)
    across, down = lines_of_code(index, code)
    _, two, many = degrees(places, across, down)
    return value_of(places, index, words_at(values), code, popcount(two | many))
