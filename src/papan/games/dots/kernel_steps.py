"""The steps of Dots and Boxes from one quiet position to the next: safe lines, and openings.

Each step has its terms: the boxes it gives away, and from bit 8 on the toll of handing the move
back.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.games.dots.kernel import (
    ACROSS,
    BOXES,
    CHAIN,
    CHAIN_TOLL,
    CHAINS,
    DOWN,
    EIGHT,
    ENDS,
    KEY,
    KID,
    KIDS,
    LEFT,
    LINKS,
    LOOP_TOLL,
    QUICK,
    RING,
    RING_AT,
    RINGS,
    SPARE_AT,
    SPARES,
    STRIDE,
    TERMS,
    U,
    bottom_bit,
    boxes_beside,
    degrees,
    lines_of,
    opened,
    safe_lines,
    settle,
    toll_of,
)
from papan.games.dots.kernel_key import both_ends, name_kid
from papan.games.dots.kernel_table import place
from papan.kernels.native import ONE, TWO, ZERO, load, lowest, native, popcount, prefetch, store

BYTE = U(255)
SHORT_SPARES, CHAIN_SPARES = U(0b11), U((1 << 43) - 4)
LOOP_SPARES = ~(SHORT_SPARES | CHAIN_SPARES)
"""Which bits of the word of spares count what."""


@native()
def isolating(desk, frame, many):
    """The lines, across and down, whose drawing may set a chain or loop free of all junctions."""
    across, down = load(desk, frame + ACROSS), load(desk, frame + DOWN)
    boxes = load(desk, BOXES)
    held_across = across & boxes & boxes << load(desk, STRIDE)
    held_down = down & boxes & boxes << ONE
    hit_across, hit_down = ZERO, ZERO
    for each in range(load(desk, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        ends = load(desk, chain + ENDS)
        first = bottom_bit(ends)
        around_across, around_down = lines_of(desk, first)
        if ends != first:
            other_across, other_down = lines_of(desk, ends ^ first)
            hit_across |= around_across & other_across
            hit_down |= around_down & other_down
        elif both_ends(desk, chain, ends):
            hit_across |= around_across
            hit_down |= around_down
        else:
            held_across &= ~load(desk, chain + ONE)
            held_down &= ~load(desk, chain + TWO)
    one, two, more = degrees(desk, held_across, held_down)
    one_across, one_down = lines_of(desk, many & one)
    free_across, free_down = lines_of(desk, many & ~(one | two | more))
    hit_across |= one_across & held_across | free_across
    hit_down |= one_down & held_down | free_down
    return hit_across, hit_down


@native()
def write_kid(desk, kid, lines, spares, left):
    """Begin a position one step further."""
    across, down = lines
    store(desk, kid + ACROSS, across)
    store(desk, kid + DOWN, down)
    store(desk, kid + SPARES, spares)
    store(desk, kid + LEFT, left)


@native()
def finish_kid(desk, table, frame, kid, terms):
    """Name a position one step further, and ask for its entry."""
    name_kid(desk, frame, kid)
    store(desk, kid + TERMS, terms)
    prefetch(table, place(desk, kid + KEY, QUICK))


@native()
def list_safe(desk, table, frame, two, many):
    """Write what the safe lines lead to, from the centre outwards: how many there are."""
    across, down = load(desk, frame + ACROSS), load(desk, frame + DOWN)
    spares, left = load(desk, frame + SPARES), load(desk, frame + LEFT)
    safe_across, safe_down = safe_lines(desk, frame, two)
    hit_across, hit_down = isolating(desk, frame, many)
    kid = frame + KIDS
    for each in range(load(desk, RINGS)):
        ring = RING_AT + each * RING
        todo_across, todo_down = safe_across & load(desk, ring), safe_down & load(desk, ring + ONE)
        while todo_across | todo_down:
            line_across = bottom_bit(todo_across)
            line_down = ZERO if line_across else bottom_bit(todo_down)
            todo_across ^= line_across
            todo_down ^= line_down
            write_kid(desk, kid, (across ^ line_across, down ^ line_down), spares, left)
            if line_across & hit_across | line_down & hit_down:
                settle(desk, kid, boxes_beside(desk, line_across, line_down))
            finish_kid(desk, table, frame, kid, ZERO)
            kid += KID
    return kid


@native()
def hopeless(bound, boxes, toll, left):
    """Is an opening surely worth less than *bound*?"""
    if toll and 2 * bound > np.int64(toll) - 2 * np.int64(boxes):
        return True
    return bound + np.int64(boxes) > np.int64(left) - np.int64(boxes)


@native()
def list_spares(desk, table, frame, kid, bound):
    """Write the openings of isolated chains: of the short, the long and the loops the least."""
    lines = load(desk, frame + ACROSS), load(desk, frame + DOWN)
    spares, left = load(desk, frame + SPARES), load(desk, frame + LEFT)
    for kind, toll in (
        (SHORT_SPARES, ZERO),
        (CHAIN_SPARES, CHAIN_TOLL),
        (LOOP_SPARES, LOOP_TOLL),
    ):
        if spares & kind:
            field = load(desk, SPARE_AT + lowest(spares & kind))
            boxes = field & BYTE
            if not hopeless(bound, boxes, toll, left):
                write_kid(desk, kid, lines, spares - (ONE << (field >> EIGHT)), left - boxes)
                finish_kid(desk, table, frame, kid, boxes | toll << EIGHT)
                kid += KID
    return kid


@native()
def list_openings(desk, table, frame, kid, bound):
    """Write what opening each chain on the board leads to."""
    spares, left = load(desk, frame + SPARES), load(desk, frame + LEFT)
    for each in range(load(desk, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        own = popcount(load(desk, chain))
        if hopeless(bound, own, toll_of(desk, chain), left):
            continue
        across, down, boxes, toll = opened(desk, frame, chain)
        if not hopeless(bound, boxes, toll, left):
            write_kid(desk, kid, (across, down), spares, left - boxes)
            settle(desk, kid, load(desk, BOXES if boxes > own else chain + ENDS))
            finish_kid(desk, table, frame, kid, boxes | toll << EIGHT)
            kid += KID
    return kid


@native()
def terms_of(desk, kid, bound):
    """What the rest must be worth for *bound* to hold: at least this, at most that."""
    terms = load(desk, kid + TERMS)
    boxes, toll = np.int64(terms & BYTE), np.int64(terms >> EIGHT)
    least = bound + boxes - toll if toll else -np.int64(load(desk, kid + LEFT))
    return least, -bound - boxes
