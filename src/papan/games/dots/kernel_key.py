"""The names of Dots and Boxes positions in the table: the same for all that are worth the same.

A position has two names. The quick one is the least of its eight images on the board, kept up to
date line by line. The thorough one is a code of its shape alone, the junctions (boxes with three or
four lines to go) and the chains between them, wherever they lie: it merges twice as many positions
but takes longer. Both speak of what is on the board; the word of spares goes into either.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

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
    KEY,
    LINKS,
    NOISE,
    SHAPE,
    SPARES,
    STRIDE,
    U,
    bottom_bit,
    lines_of,
)
from papan.kernels.eight import least_8, load_8, some_alike_8, spread_8, store_8, sum_8
from papan.kernels.native import ONE, TWO, ZERO, load, lowest, native, popcount, store

A, B, C, D = map(
    U, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xA0761D6478BD642F)
)
"""Odd numbers without pattern."""
BOUNDS = U(0xFFFF)
"""The bits of a table entry that are not its tag."""

MOST_JUNCTIONS = EIGHT
"""Shapes with more junctions are rarely met twice."""
COLOURS, KEPT, EDGES = SHAPE, SHAPE + EIGHT, SHAPE + EIGHT + EIGHT
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
def name(desk, at, code, spares):
    """Write the key (of 32 bits) and the tag of *code* and *spares* at *at*."""
    store(desk, at, (code ^ spares * B) * A >> U(32))
    store(desk, at + ONE, (code + spares * C) * D & ~BOUNDS)


@native()
def next_line(across, down):
    """The number of the first line, and the lines without it."""
    if across:
        return lowest(across), across & (across - ONE), down
    return lowest(down) + DOWNWARD, across, down & (down - ONE)


@native()
def images_of(desk, frame, kid):
    """The images of the position at *kid*, which has fewer lines than the *frame* it belongs to."""
    across = load(desk, frame + ACROSS) ^ load(desk, kid + ACROSS)
    down = load(desk, frame + DOWN) ^ load(desk, kid + DOWN)
    images = load_8(desk, frame + IMAGES)
    while across | down:
        line, across, down = next_line(across, down)
        images = images ^ load_8(desk, IMAGES_OF + line * EIGHT)
    return images


@native()
def name_kid(desk, frame, kid):
    """Name the position at *kid*."""
    name(desk, kid + KEY, least_8(images_of(desk, frame, kid)), load(desk, kid + SPARES))


@native()
def number(many, box):
    """The number of a junction: how many come before it."""
    return popcount(many & (box - ONE))


@native()
def tint(desk, many, box, noise):
    """Add to the colour of a junction."""
    at = COLOURS + number(many, box)
    store(desk, at, load(desk, at) + load(desk, NOISE + noise))


@native()
def join(desk, many, one, other, boxes):
    """Let a chain of so many boxes, or a single line, lead from one junction to another."""
    here, there, noise = number(many, one), number(many, other), load(desk, NOISE + boxes)
    to, fro = EDGES + here * EIGHT + there, EDGES + there * EIGHT + here
    store(desk, to, load(desk, to) + noise)
    store(desk, fro, load(desk, fro) + noise)


@native()
def tint_rim(desk, many, rim, step):
    """Colour the junctions that have rim lines: a box has the bit of the line or *step* less."""
    while rim:
        line = bottom_bit(rim)
        rim ^= line
        tint(desk, many, many & (line | line >> step), ZERO)


@native()
def join_lines(desk, many, lines, step):
    """Join the junctions on both sides of *lines*."""
    inner = many & many >> step & lines >> step
    while inner:
        box = bottom_bit(inner)
        inner ^= box
        join(desk, many, box, box << step, ZERO)


@native()
def both_ends(desk, chain, junction):
    """Does the chain lead back to the *junction* it came from?"""
    around_across, around_down = lines_of(desk, junction)
    across, down = load(desk, chain + ONE) & around_across, load(desk, chain + TWO) & around_down
    return popcount(across) + popcount(down) == TWO


@native()
def list_edges(desk, frame, many):
    """Write what joins the junctions, and their first colours; False if that cannot be said."""
    store_8(desk, COLOURS, load_8(desk, BLANK_AT + popcount(many) * EIGHT))
    for each in range(popcount(many)):
        store_8(desk, EDGES + each * EIGHT, spread_8(ZERO))
    across, down = load(desk, frame + ACROSS), load(desk, frame + DOWN)
    boxes, stride = load(desk, BOXES), load(desk, STRIDE)
    around_across, around_down = lines_of(desk, many)
    tint_rim(desk, many, across & around_across & ~(boxes & boxes << stride), stride)
    tint_rim(desk, many, down & around_down & ~(boxes & boxes << ONE), ONE)
    join_lines(desk, many, across, stride)
    join_lines(desk, many, down, ONE)
    for each in range(load(desk, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        length, ends = popcount(load(desk, chain)), load(desk, chain + ENDS)
        first = bottom_bit(ends)
        if not ends or length >= ENDLESS:
            return False
        if ends != first:
            join(desk, many, first, ends ^ first, length)
        else:
            tint(desk, many, ends, length + (ENDLESS if both_ends(desk, chain, ends) else ZERO))
    return True


@native()
def refine(desk, junctions):
    """Let each junction's colour depend on those around it."""
    around = load_8(desk, COLOURS) * D
    for each in range(junctions):
        around = around + load_8(desk, EDGES + each * EIGHT) * load(desk, COLOURS + each)
    store_8(desk, COLOURS, mixed(around))


@native()
def tells_apart(desk, junctions):
    """Refine the colours: do they tell all junctions apart?"""
    for _ in range(ROUNDS):
        refine(desk, junctions)
    alike = some_alike_8(load_8(desk, COLOURS))
    refine(desk, junctions)
    return not alike


@native()
def total(desk):
    """One word for all colours."""
    return sum_8(mixed(load_8(desk, COLOURS) ^ B)) | ONE


@native()
def least_shared(desk, junctions):
    """The least colour that two junctions share, or the greatest word."""
    least = ~ZERO
    for each in range(junctions):
        colour = load(desk, COLOURS + each)
        for other in range(each):
            if load(desk, COLOURS + other) == colour and colour < least:
                least = colour
    return least


@native()
def shape_code(desk, frame, many):
    """A word for the shape of the frame's position, 0 where that is too hard to say.

    Colours that tell all junctions apart determine the shape. Where they do not, one junction after
    the other, of those that look alike, is marked, and the least word is taken.
    """
    junctions = popcount(many)
    if not ZERO < junctions <= MOST_JUNCTIONS:
        return ZERO
    if not list_edges(desk, frame, many):
        return ZERO
    if tells_apart(desk, junctions):
        return total(desk)
    store_8(desk, KEPT, load_8(desk, COLOURS))
    alike, code = least_shared(desk, junctions), ~ZERO
    for marked in range(junctions):
        if load(desk, KEPT + marked) == alike:
            store_8(desk, COLOURS, load_8(desk, KEPT))
            store(desk, COLOURS + marked, mixed(alike + A))
            if not tells_apart(desk, junctions):
                return ZERO
            code = min(code, total(desk))
    return code
