"""Filling an endgame database: every quiet position of a board, those with fewer lines first.

Safe lines and openings lead to positions whose values are known by then.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.control import Words
from papan.engine.native import ONE, TWO, WORD, ZERO, load, native, popcount, words_at
from papan.games.dots.kernel import (
    CHAIN,
    CHAINS,
    FRAMES,
    LINKS,
    U,
    bottom_bit,
    list_chains,
    loss_of,
    opened,
)
from papan.games.dots.kernel_number import (
    BEFORE,
    CORES,
    CORNERS,
    FIRST,
    FOUR,
    RING,
    SPOKES,
    THREE,
    choices,
    code_of,
    joined,
    next_lines,
    power,
)
from papan.games.dots.kernel_steps import hopeless
from papan.games.dots.kernel_values import ARRAY, keep, look_at, value_of

HERE = FRAMES
"""The frame in which the position to be valued is looked at."""


@native()
def boxes_won(workspace, atlas, values, code):
    """How many of the boxes left the mover gets, by the values of all steps."""
    two, many, safe = look_at(workspace, atlas, HERE, code)
    left = popcount(two | many)
    best = -np.int64(left) - 2
    while safe:
        best = max(best, -value_of(workspace, atlas, values, code ^ bottom_bit(safe), left))
        safe &= safe - ONE
    list_chains(workspace, HERE, two, many)
    for each in range(load(workspace, HERE + CHAINS)):
        chain = HERE + LINKS + each * CHAIN
        if not hopeless(
            best + 2, popcount(load(workspace, chain)), loss_of(workspace, chain), left
        ):
            across, down, boxes, loss = opened(workspace, HERE, chain)
            rest = value_of(workspace, atlas, values, code_of(atlas, across, down), left - boxes)
            taken = np.int64(boxes) + (max(rest, -np.int64(loss) - rest) if loss else rest)
            best = max(best, -taken)
    return U(best + np.int64(left) >> 1) if left else ZERO


@native()
def rim_lines(three, chosen):
    """The corners with three choices that have a rim line to go, and those that have two."""
    once, twice = ZERO, ZERO
    while three:
        corner = bottom_bit(three)
        three ^= corner
        lines = chosen % THREE
        chosen //= THREE
        once |= corner if lines else ZERO
        twice |= corner if lines == TWO else ZERO
    return once, twice


@native()
def fill_ring(workspace, atlas, values, core, ring):
    """Value all positions with this core and these lines of the ring."""
    at, corners = CORES + core * FOUR, load(atlas, CORNERS)
    number = load(atlas, at + FIRST) + load(atlas, load(atlas, at + BEFORE) + ring)
    spokes, after = load(atlas, at + SPOKES), next_lines(atlas, ring)
    two, three = choices(atlas, spokes, ring)
    either = corners & ~(ring | after)  # none or both of a corner's lines are to go
    always = ~corners & ~two & (ring | after | spokes) | corners & (ring ^ after)
    for way in range(power(THREE, popcount(three))):
        corner_once, corner_twice = rim_lines(three, U(way))
        chosen, more = ZERO, True
        while more:
            once = always | corner_once | chosen & (either | ~corners)
            code = joined(atlas, core, ring, once, corner_twice | chosen & corners)
            keep(values, number, boxes_won(workspace, atlas, values, code))
            number += ONE
            chosen = (chosen - two) & two  # the next subset
            more = chosen != ZERO


@native(types.void(ARRAY, ARRAY, WORD, WORD))
def fill_core(workspace: Words, atlas: Words, values: int, core: int) -> None:
    """Value all positions with a core that is the first of its images; *values* is an address.

    The values of positions with fewer lines in the core must be there.
    """
    places, index = words_at(workspace.ctypes.data), words_at(atlas.ctypes.data)
    for ring in range(ONE << load(index, RING)):
        fill_ring(places, index, words_at(values), core, U(ring))
