"""The transposition table of Dots and Boxes: bounds proven, one word for each position.

The table has two parts. The quick one, small enough to stay close to the processor, knows positions
by their images; the thorough one by their shapes. Eight entries lie side by side, and the one with
the least work behind it makes room.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, ZERO, load, native, store
from papan.engine.simd import lane_of, least, load_eight
from papan.games.dots.kernel import EIGHT, LANES, U
from papan.games.dots.kernel_key import BOUNDS

SIX, SEVEN, TWELVE, MOST_WORK, HALF, SIXTY_THREE = map(U, (6, 7, 12, 15, 32, 63))
"""An entry: its tag, 4 bits of work, 6 bits each for the most and the least that it is worth."""


@native()
def place(workspace, name, room):
    """Where the table keeps the position named at *name*: in the quick or in the thorough part."""
    return (load(workspace, name) * load(workspace, room) >> HALF) * EIGHT + load(
        workspace, room + ONE
    )


@native()
def find(workspace, transpositions, name, room):
    """The entry of the position named at *name*, or 0."""
    bucket = place(workspace, name, room)
    lane = lane_of(load_eight(transpositions, bucket), load(workspace, name + ONE), BOUNDS)
    return load(transpositions, bucket + lane) if lane < EIGHT else ZERO


@native()
def keep(workspace, transpositions, name, room, bounds):
    """Write an entry: over an older one of the same position, or over the least work."""
    bucket, tag = place(workspace, name, room), load(workspace, name + ONE)
    entries = load_eight(transpositions, bucket)
    lane = lane_of(entries, tag, BOUNDS)
    if lane == EIGHT:
        work = (entries & BOUNDS) >> TWELVE
        lane = least(work * EIGHT + load_eight(workspace, LANES)) & SEVEN
    store(transpositions, bucket + lane, tag | bounds)


@native()
def least_of(entry, left):
    """The least value that *entry* allows a position with so many boxes left."""
    return 2 * np.int64(entry & SIXTY_THREE) - left if entry else -left


@native()
def most_of(entry, left):
    """The greatest value that *entry* allows."""
    return 2 * np.int64(entry >> SIX & SIXTY_THREE) - left if entry else left


@native()
def packed(least, most, left, nodes):
    """The bounds and the work of an entry."""
    work = ONE  # an empty entry has none
    while nodes and work < MOST_WORK:
        nodes >>= ONE
        work += ONE
    return U(least + left >> 1) | U(most + left >> 1) << SIX | work << TWELVE
