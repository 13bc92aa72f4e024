"""Keys and transposition table of Dots and Boxes: equal for mirror images, or for equal shapes.

A position has two names. The quick one is the least of its eight images on the board, kept up to
date line by line. The thorough one is a code of its shape alone, the junctions (boxes with three or
four lines to go) and the chains between them, wherever they lie: it merges twice as many positions
but takes longer. Both speak of what is on the board; the word of isolated chains goes into either.

The table has one word for each position, with the bounds proven, and two parts. The quick one, so
small that it stays close to the processor, knows positions by their images; the thorough one by
their shapes. Eight entries lie side by side, and the one with the least work behind it makes room.
"""

# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, load, lowest, native, popcount, store
from papan.engine.simd import (
    lane_of,
    least,
    load_eight,
    some_alike,
    spread_eight,
    store_lanes,
    sum_of,
)
from papan.games.dots.kernel import (
    ACROSS,
    BLANK_AT,
    BOXES,
    CHAIN,
    CHAINS,
    DOWN,
    DOWNWARD,
    EIGHT,
    ENDS,
    IMAGES,
    IMAGES_OF,
    ISOLATED_CHAINS,
    KEY,
    LANES,
    LINKS,
    NOISE,
    SHAPE,
    STRIDE,
    U,
    bottom_bit,
    lines_of,
)

A, B, C, D = map(
    U, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xA0761D6478BD642F)
)
"""Odd numbers without pattern."""
BOUNDS = U(0xFFFF)
"""The bits of a table entry that are not its tag."""

MOST_JUNCTIONS = EIGHT
"""Shapes with more junctions are rarely met twice."""
COLOURS, SAVED, EDGES = SHAPE, SHAPE + EIGHT, SHAPE + EIGHT + EIGHT
"""The colour of each junction; a copy; for each two junctions the noise of what joins them."""
ENDLESS = U(32)
"""Noise for loops at a junction; below are the lengths of chains."""
ROUNDS = 3


@native()
def mixed(word):
    """A word whose every bit depends on all bits of *word*; or eight of them."""
    word = (word ^ word >> U(32)) * A
    word = (word ^ word >> U(29)) * C
    return word ^ word >> U(32)


@native()
def name(workspace, at, code, isolated_chains):
    """Write the key (of 32 bits) and the tag of *code* and *isolated chains* at *at*."""
    store(workspace, at, (code ^ isolated_chains * B) * A >> U(32))
    store(workspace, at + ONE, (code + isolated_chains * C) * D & ~BOUNDS)


@native()
def next_line(across, down):
    """The number of the first line, and the lines without it."""
    if across:
        return lowest(across), across & (across - ONE), down
    return lowest(down) + DOWNWARD, across, down & (down - ONE)


@native()
def images_of(workspace, frame, child):
    """The images of the position at *child*, which has fewer lines than the *frame* above it."""
    across = load(workspace, frame + ACROSS) ^ load(workspace, child + ACROSS)
    down = load(workspace, frame + DOWN) ^ load(workspace, child + DOWN)
    images = load_eight(workspace, frame + IMAGES)
    while across | down:
        line, across, down = next_line(across, down)
        images = images ^ load_eight(workspace, IMAGES_OF + line * EIGHT)
    return images


@native()
def name_child(workspace, frame, child):
    """Name the position at *child*."""
    name(
        workspace,
        child + KEY,
        least(images_of(workspace, frame, child)),
        load(workspace, child + ISOLATED_CHAINS),
    )


@native()
def number(many, box):
    """The number of a junction: how many come before it."""
    return popcount(many & (box - ONE))


@native()
def tint(workspace, many, box, noise):
    """Add to the colour of a junction."""
    at = COLOURS + number(many, box)
    store(workspace, at, load(workspace, at) + load(workspace, NOISE + noise))


@native()
def join(workspace, many, one, other, boxes):
    """Let a chain of so many boxes, or a single line, lead from one junction to another."""
    here, there, noise = number(many, one), number(many, other), load(workspace, NOISE + boxes)
    to, fro = EDGES + here * EIGHT + there, EDGES + there * EIGHT + here
    store(workspace, to, load(workspace, to) + noise)
    store(workspace, fro, load(workspace, fro) + noise)


@native()
def tint_rim(workspace, many, rim, step):
    """Colour the junctions that have rim lines: a box has the bit of the line or *step* less."""
    while rim:
        line = bottom_bit(rim)
        rim ^= line
        tint(workspace, many, many & (line | line >> step), ZERO)


@native()
def join_lines(workspace, many, lines, step):
    """Join the junctions on both sides of *lines*."""
    inner = many & many >> step & lines >> step
    while inner:
        box = bottom_bit(inner)
        inner ^= box
        join(workspace, many, box, box << step, ZERO)


@native()
def both_ends(workspace, chain, junction):
    """Does the chain lead back to the *junction* it came from?"""
    around_across, around_down = lines_of(workspace, junction)
    across, down = (
        load(workspace, chain + ONE) & around_across,
        load(workspace, chain + TWO) & around_down,
    )
    return popcount(across) + popcount(down) == TWO


@native()
def list_edges(workspace, frame, many):
    """Write what joins the junctions, and their first colours; False if that cannot be said."""
    store_lanes(workspace, COLOURS, load_eight(workspace, BLANK_AT + popcount(many) * EIGHT))
    for each in range(popcount(many)):
        store_lanes(workspace, EDGES + each * EIGHT, spread_eight(ZERO))
    across, down = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    boxes, stride = load(workspace, BOXES), load(workspace, STRIDE)
    around_across, around_down = lines_of(workspace, many)
    tint_rim(workspace, many, across & around_across & ~(boxes & boxes << stride), stride)
    tint_rim(workspace, many, down & around_down & ~(boxes & boxes << ONE), ONE)
    join_lines(workspace, many, across, stride)
    join_lines(workspace, many, down, ONE)
    for each in range(load(workspace, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        length, ends = popcount(load(workspace, chain)), load(workspace, chain + ENDS)
        first = bottom_bit(ends)
        if not ends or length >= ENDLESS:
            return False
        if ends != first:
            join(workspace, many, first, ends ^ first, length)
        else:
            tint(
                workspace,
                many,
                ends,
                length + (ENDLESS if both_ends(workspace, chain, ends) else ZERO),
            )
    return True


@native()
def refine(workspace, junctions):
    """Let each junction's colour depend on those around it."""
    around = load_eight(workspace, COLOURS) * D
    for each in range(junctions):
        around = around + load_eight(workspace, EDGES + each * EIGHT) * load(
            workspace, COLOURS + each
        )
    store_lanes(workspace, COLOURS, mixed(around))


@native()
def tells_apart(workspace, junctions):
    """Refine the colours: do they tell all junctions apart?"""
    for _ in range(ROUNDS):
        refine(workspace, junctions)
    alike = some_alike(load_eight(workspace, COLOURS))
    refine(workspace, junctions)
    return not alike


@native()
def total(workspace):
    """One word for all colours."""
    return sum_of(mixed(load_eight(workspace, COLOURS) ^ B)) | ONE


@native()
def least_shared(workspace, junctions):
    """The least colour that two junctions share, or the greatest word."""
    least = ~ZERO
    for each in range(junctions):
        colour = load(workspace, COLOURS + each)
        for other in range(each):
            if load(workspace, COLOURS + other) == colour and colour < least:
                least = colour
    return least


@native()
def shape_code(workspace, frame, many):
    """A word for the shape of the frame's position, 0 where that is too hard to say.

    Colours that tell all junctions apart determine the shape. Where they do not, one junction after
    the other, of those that look alike, is marked, and the least word is taken.
    """
    junctions = popcount(many)
    if not ZERO < junctions <= MOST_JUNCTIONS:
        return ZERO
    if not list_edges(workspace, frame, many):
        return ZERO
    if tells_apart(workspace, junctions):
        return total(workspace)
    store_lanes(workspace, SAVED, load_eight(workspace, COLOURS))
    alike, code = least_shared(workspace, junctions), ~ZERO
    for marked in range(junctions):
        if load(workspace, SAVED + marked) == alike:
            store_lanes(workspace, COLOURS, load_eight(workspace, SAVED))
            store(workspace, COLOURS + marked, mixed(alike + A))
            if not tells_apart(workspace, junctions):
                return ZERO
            code = min(code, total(workspace))
    return code


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
