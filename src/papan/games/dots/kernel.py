"""The structure of a Dots and Boxes position, in bits: degrees, chains, captures, what is isolated.

The board is seen as its dual: boxes are joined by undrawn lines, the rim is ground, and a box has
as many sides to go as lines. Two words hold the undrawn lines, *across* and *down*; a box has the
bit of the line across on top of it and of the line down on its left.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, load, native, popcount, store

U = np.uint64

# The workspace: one array for all that a search needs beside the table. First what is fixed.
STRIDE, BOXES, RINGS, PAIRS = U(0), U(1), U(2), U(3)
"""Bits from row to row; the bits of all boxes; how many rings and pairs."""
QUICK, THOROUGH = U(4), U(6)
"""The two parts of the table: how many buckets of eight words, then the first word."""
LANES = U(8)
"""The numbers from 0 to 7."""
BUSY = U(16)
"""Where threads note what they are searching: how many words (none for one thread), the first."""
PAIR_AT, PAIR, PARTNER = U(24), U(4), U(2)
"""Interchangeable rim lines: (first across, first down, second across, second down)."""
RING_AT, RING = U(168), U(2)
"""The lines by distance from the centre, nearest first: (across, down)."""
NOISE = U(360)
"""64 random words."""
FIELDS = U(424)
"""Where the word of isolated chains counts chains of 1 box and more, then loops of 4 and more."""
ISOLATED_AT = U(456)
"""What each bit of the word of isolated chains counts: its boxes, and from bit 8 on its field."""
BLANK_AT = U(520)
"""For 0 to 8 junctions: their first colours, and in the lanes that are left all different ones."""
IMAGES_OF = U(592)
"""For each line (down: 64 further on) the eight bits it is in the eight images of the board."""
SHAPE = IMAGES_OF + U(8 * 128)
"""Where `kernel_transpositions` works out the code of a shape."""
FRAMES = SHAPE + U(8 * 10)

# A frame: one position on the way down.
ACROSS, DOWN, ISOLATED_CHAINS, LEFT, KEY, TAG, SHAPE_KEY, SHAPE_TAG, IMAGES = map(U, range(9))
CHAINS, LINKS, CHAIN, ENDS = U(16), U(24), U(4), U(3)
"""How many chains, then each: (boxes, lines across, lines down, junctions at its ends)."""
CHILDREN = LINKS + U(4 * 36)
CHILD, TERMS = U(8), U(6)
"""Positions one opening or safe line further: as a frame begins, then the terms of going there."""
FRAME = CHILDREN + U(8 * 128)

EIGHT, SIXTEEN, DOWNWARD = U(8), U(16), U(64)
LONGEST_ISOLATED = U(18)
"""Isolated chains up to this length leave the board for the word of isolated chains."""
PAIRED = U(2)
"""Two isolated chains of one or of two boxes cancel each other: whoever answers one with the other
has lost nothing."""
CHAIN_LOSS, LOOP_LOSS = U(4), U(8)


@native()
def degrees(workspace, across, down):
    """The boxes with one, with two, and with three or four lines to go."""
    stride, boxes = load(workspace, STRIDE), load(workspace, BOXES)
    top, bottom, left, right = across, across >> stride, down, down >> ONE
    one, two = (top ^ bottom) ^ (left ^ right), (top & bottom) ^ (left & right)
    two ^= (top ^ bottom) & (left ^ right)
    four = top & bottom & left & right
    return one & ~two & boxes, two & ~one & boxes, (one & two | four) & boxes


@native()
def lines_of(workspace, boxes):
    """All lines around *boxes*: across, down."""
    return boxes | boxes << load(workspace, STRIDE), boxes | boxes << ONE


@native()
def boxes_beside(workspace, across, down):
    """All bits of boxes beside these lines, some of which may lie outside of the board."""
    return across | across >> load(workspace, STRIDE) | down | down >> ONE


@native()
def bottom_bit(word):
    """The lowest bit of a word, alone."""
    return word & (~word + ONE)


@native()
def chain_from(workspace, box, two, lines):
    """The boxes of *two* that hang together with *box* through undrawn *lines*."""
    stride, (across, down) = load(workspace, STRIDE), lines
    right = two & two >> ONE & down >> ONE
    below = two & two >> stride & across >> stride
    chain = ZERO
    more = box
    while more != chain:
        chain = more
        more |= (chain & right) << ONE | chain >> ONE & right
        more |= (chain & below) << stride | chain >> stride & below
    return chain


@native()
def take_all(workspace, across, down):
    """What is left when every box that can be taken is taken: lines across, down, boxes taken."""
    one, two, many = degrees(workspace, across, down)
    before = one | two | many
    while one:
        around_across, around_down = lines_of(workspace, one)
        across &= ~around_across
        down &= ~around_down
        one, two, many = degrees(workspace, across, down)
    return across, down, popcount(before & ~(two | many))


@native()
def set_aside(workspace, isolated_chains, boxes, is_loop):
    """The word of isolated chains with one more chain or loop of so many boxes."""
    kind = SIXTEEN + (boxes >> ONE) if is_loop else boxes - ONE
    shift = load(workspace, FIELDS + kind)
    return isolated_chains ^ ONE << shift if boxes <= PAIRED else isolated_chains + (ONE << shift)


@native()
def settle(workspace, at, among):
    """Set aside every isolated chain or loop, of the position at *at*, that has a box *among*."""
    across, down = load(workspace, at + ACROSS), load(workspace, at + DOWN)
    isolated_chains, left = load(workspace, at + ISOLATED_CHAINS), load(workspace, at + LEFT)
    _, two, many = degrees(workspace, across, down)
    held_across, held_down = lines_of(workspace, many)
    todo = two & among
    while todo:
        chain = chain_from(workspace, bottom_bit(todo), two, (across, down))
        todo &= ~chain
        around_across, around_down = lines_of(workspace, chain)
        around_across &= across
        around_down &= down
        boxes = popcount(chain)
        if around_across & held_across | around_down & held_down or boxes > LONGEST_ISOLATED:
            continue
        across ^= around_across
        down ^= around_down
        is_loop = popcount(around_across) + popcount(around_down) == boxes
        after = set_aside(workspace, isolated_chains, boxes, is_loop)
        if after < isolated_chains:
            left -= boxes + boxes  # two of a kind have cancelled each other
        isolated_chains = after
    store(workspace, at + ACROSS, across)
    store(workspace, at + DOWN, down)
    store(workspace, at + ISOLATED_CHAINS, isolated_chains)
    store(workspace, at + LEFT, left)


@native()
def list_chains(workspace, frame, two, many):
    """Write the chains of the frame's position into it."""
    across, down = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    count = ZERO
    todo = two
    while todo:
        chain = chain_from(workspace, bottom_bit(todo), two, (across, down))
        todo &= ~chain
        around_across, around_down = lines_of(workspace, chain)
        around_across &= across
        around_down &= down
        at = frame + LINKS + count * CHAIN
        store(workspace, at, chain)
        store(workspace, at + ONE, around_across)
        store(workspace, at + TWO, around_down)
        store(workspace, at + ENDS, many & boxes_beside(workspace, around_across, around_down))
        count += ONE
    store(workspace, frame + CHAINS, count)


@native()
def safe_lines(workspace, frame, two):
    """The lines that give nothing away, one for all that are interchangeable: across, down."""
    across, down = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    unsafe_across, unsafe_down = lines_of(workspace, two)
    safe_across, safe_down = across & ~unsafe_across, down & ~unsafe_down
    for each in range(load(workspace, PAIRS)):
        pair = PAIR_AT + each * PAIR
        if across & load(workspace, pair) or down & load(workspace, pair + ONE):
            safe_across &= ~load(workspace, pair + PARTNER)
            safe_down &= ~load(workspace, pair + PARTNER + ONE)
    return safe_across, safe_down


@native()
def loss_of(workspace, chain):
    """What it costs the taker of a chain to hand the move back: 0 when he cannot."""
    boxes = popcount(load(workspace, chain))
    if popcount(load(workspace, chain + ONE)) + popcount(load(workspace, chain + TWO)) == boxes:
        return LOOP_LOSS
    return CHAIN_LOSS if boxes > PAIRED else ZERO


@native()
def opened(workspace, frame, chain):
    """What opening a chain leads to: lines across and down, boxes given away, loss."""
    across = load(workspace, frame + ACROSS) ^ load(workspace, chain + ONE)
    down = load(workspace, frame + DOWN) ^ load(workspace, chain + TWO)
    across, down, more = take_all(workspace, across, down)
    return across, down, popcount(load(workspace, chain)) + more, loss_of(workspace, chain)
