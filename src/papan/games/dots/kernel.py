"""The structure of a Dots and Boxes position, in bits: degrees, chains, captures, what is isolated.

The board is seen as its dual: boxes are joined by undrawn lines, the rim is ground, and a box has
as many sides to go as lines. Two words hold the undrawn lines, *across* and *down*; a box has the
bit of the line across on top of it and of the line down on its left.

First the records that all kernels of the game work on, then what they find out.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from papan.engine.memory import Row, kind, records_at
from papan.engine.native import ONE, ZERO, Word, native, popcount, span

U = np.uint64
Lines: TypeAlias = tuple[Word, Word]
"""Lines across, and lines down."""

LONGEST_ISOLATED = U(18)
"""Isolated chains up to this length leave the board for the word of isolated chains."""
PAIRED = U(2)
"""Two isolated chains of one or of two boxes cancel each other: whoever answers one with the other
has lost nothing."""
CHAIN_LOSS, LOOP_LOSS = U(4), U(8)
LOOPS_FROM = U(16)
"""Where the fields of loops begin among those of isolated chains."""


class Name:
    """What the transposition table knows a position by."""

    key: Word
    """32 bits that say where it is kept."""
    tag: Word


class Terms:
    """The terms of a step: the boxes it gives away, and the loss of handing the move back."""

    boxes: Word
    loss: Word


class Position:
    """A quiet position."""

    across: Word
    down: Word
    isolated: Word
    """How many isolated chains and loops there are of each length, which are not on the board."""
    left: Word
    """The boxes left."""
    name: Name


class Chain:
    """Boxes with two lines to go that hang together."""

    boxes: Word
    across: Word
    down: Word
    ends: Word
    """The junctions at its ends."""


class Child:
    """A position one opening or safe line further, and the terms of going there."""

    position: Position
    terms: Terms


class Frame:
    """One position on the way down."""

    position: Position
    shape_name: Name
    images: Annotated[Row[Word], 8]
    """The position in the eight images of the board."""
    chain_count: Word
    chains: Annotated[Row[Chain], 36]
    children: Annotated[Row[Child], 128]


class Part:
    """One of the two parts of the transposition table."""

    buckets: Word
    """The address of the first."""
    count: Word


class Eight:
    """Eight words side by side, for one instruction."""

    lanes: Annotated[Row[Word], 8]


class Pair:
    """Two interchangeable rim lines: each is in one of its two words."""

    across: Word
    down: Word
    other_across: Word
    other_down: Word


class Ring:
    """Lines that are equally far from the centre."""

    across: Word
    down: Word


class Workspace:
    """All that a search needs: what the board is, what it works on, and where the rest is."""

    controls: Word
    broken_off: bool
    """A search was broken off: what it returned means nothing."""
    stride: Word
    """Bits from row to row."""
    all_boxes: Word
    quick: Part
    thorough: Part
    notes: Word
    note_count: Word
    """Where threads note what they are searching, and how many words that are: none for one."""
    pair_count: Word
    ring_count: Word
    """How many rings there are, the nearest to the centre first."""
    pairs: Annotated[Row[Pair], 36]
    rings: Annotated[Row[Ring], 96]
    lanes: Annotated[Row[Word], 8]
    """The numbers from 0 to 7."""
    noise: Annotated[Row[Word], 64]
    """Random words."""
    fields: Annotated[Row[Word], 32]
    """The bit where the word of isolated chains counts chains of 1 box and more, then loops of 4
    and more."""
    isolated_boxes: Annotated[Row[Word], 64]
    isolated_fields: Annotated[Row[Word], 64]
    """What each bit of the word of isolated chains counts: its boxes, and its field."""
    blank: Annotated[Row[Eight], 9]
    """For 0 to 8 junctions: their first colours, and in the lanes left all different ones."""
    images_of: Annotated[Row[Eight], 128]
    """For each line (down: 64 further on) the bit it is in the eight images of the board."""
    colours: Annotated[Row[Word], 8]
    saved: Annotated[Row[Word], 8]
    edges: Annotated[Row[Eight], 8]
    """Where the code of a shape is worked out: the colour of each junction, a copy of them, and for
    each two junctions the noise of what joins them."""
    path: Annotated[Row[Word], 256]
    order: Annotated[Row[Terms], 256]
    """The nodes of one visit to the tree, the openings of one playout."""
    frames: Word


WORKSPACE = kind(Workspace)
workspace_at, frame_at = records_at(Workspace), records_at(Frame)
ROOT = ONE
"""The number of the first position's frame; the one before it stays empty."""


@native()
def degrees(workspace: Workspace, across: Word, down: Word) -> tuple[Word, Word, Word]:
    """The boxes with one, with two, and with three or four lines to go."""
    stride, boxes = workspace.stride, workspace.all_boxes
    top, bottom, left, right = across, across >> stride, down, down >> ONE
    one, two = (top ^ bottom) ^ (left ^ right), (top & bottom) ^ (left & right)
    two ^= (top ^ bottom) & (left ^ right)
    four = top & bottom & left & right
    return one & ~two & boxes, two & ~one & boxes, (one & two | four) & boxes


@native()
def lines_of(workspace: Workspace, boxes: Word) -> Lines:
    """All lines around *boxes*: across, down."""
    return boxes | boxes << workspace.stride, boxes | boxes << ONE


@native()
def boxes_beside(workspace: Workspace, across: Word, down: Word) -> Word:
    """All bits of boxes beside these lines, some of which may lie outside of the board."""
    return across | across >> workspace.stride | down | down >> ONE


@native()
def bottom_bit(word: Word) -> Word:
    """The lowest bit of a word, alone."""
    return word & (~word + ONE)


@native()
def chain_from(workspace: Workspace, box: Word, two: Word, lines: Lines) -> Word:
    """The boxes of *two* that hang together with *box* through undrawn *lines*."""
    stride, (across, down) = workspace.stride, lines
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
def take_all(workspace: Workspace, across: Word, down: Word) -> tuple[Word, Word, Word]:
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
def set_aside(workspace: Workspace, isolated: Word, boxes: Word, is_loop: bool) -> Word:
    """The word of isolated chains with one more chain or loop of so many boxes."""
    shift = workspace.fields[LOOPS_FROM + (boxes >> ONE) if is_loop else boxes - ONE]
    return isolated ^ ONE << shift if boxes <= PAIRED else isolated + (ONE << shift)


@native()
def settle(workspace: Workspace, position: Position, among: Word) -> None:
    """Set aside every isolated chain or loop of a position that has a box *among*."""
    across, down, isolated, left = (
        position.across,
        position.down,
        position.isolated,
        position.left,
    )
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
        after = set_aside(workspace, isolated, boxes, is_loop)
        if after < isolated:
            left -= boxes + boxes  # two of a kind have cancelled each other
        isolated = after
    position.across, position.down = across, down
    position.isolated, position.left = isolated, left


@native()
def list_chains(workspace: Workspace, frame: Frame, two: Word, many: Word) -> None:
    """Write the chains of the frame's position into it."""
    across, down = frame.position.across, frame.position.down
    count, todo = ZERO, two
    while todo:
        boxes = chain_from(workspace, bottom_bit(todo), two, (across, down))
        todo &= ~boxes
        around_across, around_down = lines_of(workspace, boxes)
        chain = frame.chains[count]
        chain.boxes = boxes
        chain.across, chain.down = around_across & across, around_down & down
        chain.ends = many & boxes_beside(workspace, around_across & across, around_down & down)
        count += ONE
    frame.chain_count = count


@native()
def safe_lines(workspace: Workspace, across: Word, down: Word, two: Word) -> Lines:
    """The lines that give nothing away, one for all that are interchangeable: across, down."""
    unsafe_across, unsafe_down = lines_of(workspace, two)
    safe_across, safe_down = across & ~unsafe_across, down & ~unsafe_down
    for each in span(ZERO, workspace.pair_count):
        pair = workspace.pairs[each]
        if across & pair.across or down & pair.down:
            safe_across &= ~pair.other_across
            safe_down &= ~pair.other_down
    return safe_across, safe_down


@native()
def loss_of(chain: Chain) -> Word:
    """What it costs the taker of a chain to hand the move back: 0 when he cannot."""
    boxes = popcount(chain.boxes)
    if popcount(chain.across) + popcount(chain.down) == boxes:
        return LOOP_LOSS
    return CHAIN_LOSS if boxes > PAIRED else ZERO


@native()
def opened(workspace: Workspace, position: Position, chain: Chain) -> tuple[Word, Word, Word, Word]:
    """What opening a chain leads to: lines across and down, boxes given away, loss."""
    across, down = position.across ^ chain.across, position.down ^ chain.down
    across, down, more = take_all(workspace, across, down)
    return across, down, popcount(chain.boxes) + more, loss_of(chain)
