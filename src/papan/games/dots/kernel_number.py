"""The number of a quiet Dots and Boxes position: from 0 on, the same for images of a position.

The boxes along the rim are the *ring*, and so are the lines between neighbours there; the lines
within are the *core*. A position is a code: bits for the core, for the ring's lines (each belongs
to the box that comes after it), for the boxes with a rim line to go *once*, and for the corners
that have theirs *twice*. The core is turned to the image that comes first; from then on numbers
count positions: those with another core before, with other lines of the ring, with other rim lines.
Fewer lines of the ring or the rim have a lower number.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from numba import types

from papan.engine.control import Words
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    load,
    native,
    popcount,
    store,
    words_at,
)
from papan.games.dots.kernel import U, bottom_bit

ARRAY = types.uint64[::1]

# The atlas: one array for all that a numbering needs. First sizes, then where its parts begin.
CORE, RING, CORNERS, HALF = map(U, range(4))
"""Bits of the core, bits of the ring; the corners among the ring's boxes; half the ring's bits."""
MOVES, CODES, LINES, PICKS = U(4), U(5), U(6), U(7)
"""Codes by moves, codes by lines, and lines by code, for each byte of them; bits picked out of half
a ring."""
CORES, TURN, FIRST, SPOKES, BEFORE = U(8), ZERO, ONE, TWO, U(3)
"""For each core: how the ring is turned with it, or 0; the first number; which of the ring's boxes
then have a line to the core; where to find how many positions have fewer lines of the ring."""

BYTE, BYTES, DOWNWARD = U(255), U(256), U(32)
EIGHT, THREE, FOUR = U(8), U(3), U(4)


@native()
def looked_up(atlas, table, word):
    """All that a table says of the bytes of a word."""
    found = ZERO
    while word:
        found |= load(atlas, table + (word & BYTE))
        word >>= EIGHT
        table += BYTES
    return found


@native()
def code_of(atlas, across, down):
    """The code of the position with these undrawn lines."""
    return looked_up(atlas, load(atlas, CODES), across | down << DOWNWARD)


@native()
def lines_of_code(atlas, code):
    """The undrawn lines across and down of a position."""
    lines = looked_up(atlas, load(atlas, LINES), code)
    return lines & (ONE << DOWNWARD) - ONE, lines >> DOWNWARD


@native()
def parts_of(atlas, code):
    """The core; of the ring the lines, the boxes with a rim line to go, and those with two."""
    core, ring = load(atlas, CORE), load(atlas, RING)
    all_core, all_ring = (ONE << core) - ONE, (ONE << ring) - ONE
    rest = code >> core
    return code & all_core, rest & all_ring, rest >> ring & all_ring, rest >> ring >> ring


@native()
def joined(atlas, core, ring, once, twice):
    """The code with these parts."""
    bits = load(atlas, RING)
    return core | (ring | (once | twice << bits) << bits) << load(atlas, CORE)


@native()
def code_of_moves(atlas, moves):
    """The code of the position in which these moves are left: of a corner's two lines, the first
    is taken to be drawn first."""
    core, ring, once, twice = parts_of(atlas, looked_up(atlas, load(atlas, MOVES), moves))
    return joined(atlas, core, ring, once | twice, once & twice)


@native()
def next_lines(atlas, ring):
    """The ring's lines again: each belongs to the box that comes before it."""
    return ring >> ONE | (ring & ONE) << (load(atlas, RING) - ONE)


@native()
def choices(atlas, spokes, ring):
    """The boxes of the ring with two choices for their rim lines, and with three.

    A box may have any number of lines to go but one. So a box between corners has a choice if two
    others are to go; and a corner, whose two rim lines count as one choice, always has one.
    """
    corners = load(atlas, CORNERS)
    after = next_lines(atlas, ring)
    both, any_one = ring & after, ring | after
    two = ~corners & (both | any_one & spokes) | corners & ~both
    return two, corners & both


@native()
def picked(atlas, word, mask):
    """The bits of *word* at the places that *mask* has, side by side."""
    half = load(atlas, HALF)
    low = (ONE << half) - ONE
    picks = load(atlas, PICKS)
    first = load(atlas, picks + ((mask & low) << half | word & low))
    second = load(atlas, picks + (mask >> half << half | word >> half))
    return first | second << popcount(mask & low)


@native()
def number_of(atlas, code):
    """The number of a quiet position."""
    core, ring, once, twice = parts_of(atlas, code)
    at = CORES + core * FOUR
    turn = load(atlas, at + TURN)
    if turn:
        boxes = turn + (ONE << load(atlas, RING))
        ring = load(atlas, turn + ring)
        once, twice = load(atlas, boxes + once), load(atlas, boxes + twice)
    two, three = choices(atlas, load(atlas, at + SPOKES), ring)
    corners = load(atlas, CORNERS)
    chosen, weight = ZERO, ONE << popcount(two)
    while three:
        corner = bottom_bit(three)
        three ^= corner
        chosen += weight * (popcount(once & corner) + popcount(twice & corner))
        weight *= THREE
    chosen += picked(atlas, once & ~corners | twice & corners, two)
    return load(atlas, at + FIRST) + load(atlas, load(atlas, at + BEFORE) + ring) + chosen


@native()
def power(base, exponent):
    """A small power."""
    product = ONE
    for _ in range(exponent):
        product *= base
    return product


@native(WORD(ARRAY, WORD, WORD))
def count(atlas: Words, spokes: int, before: int) -> U:
    """How many positions a core with these spokes has.

    Written at *before*, for all lines of the ring: how many positions come before.
    """
    index = words_at(atlas.ctypes.data)
    total = ZERO
    for ring in range(ONE << load(index, RING)):
        store(index, before + ring, total)
        two, three = choices(index, spokes, U(ring))
        total += power(THREE, popcount(three)) << popcount(two)
    return total
