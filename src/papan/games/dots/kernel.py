"""The structure of a Dots and Boxes position, in bits: degrees, chains, captures, what is isolated.

The board is seen as its dual: boxes are joined by undrawn lines, the rim is ground, and a box has
as many sides to go as lines. Two words hold the undrawn lines, *across* and *down*; a box has the
bit of the line across on top of it and of the line down on its left.

First the records that all kernels of the game work on, then what they find out.

Last the two names of a position. The quick one is the least of its eight images on the board, kept
up to date line by line. The thorough one is a code of its shape alone, the junctions (boxes with
three or four lines to go) and the chains between them, wherever they lie: it merges twice as many
positions but takes longer. Both speak of what is on the board; the word of isolated chains goes
into either.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np

from papan.engine.memory import Row, kind, records_at
from papan.engine.native import (
    ONE,
    TWO,
    ZERO,
    Word,
    bottom_bit,
    lowest,
    native,
    popcount,
    span,
)
from papan.engine.simd import Vector, least, some_alike, spread, sum_of, vector, write

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
    marks: Word
    """Where threads mark what they are searching; 0 if there is one thread."""
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


A, B, C, D = map(
    U, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xA0761D6478BD642F)
)
"""Odd numbers without pattern."""
BOUNDS = U(0xFFFF)
"""The bits of a table entry that are not its tag."""
DOWNWARD = U(64)
"""What the number of a line down is greater by than that of the line across with the same bit."""

EIGHT = MOST_JUNCTIONS = U(8)
"""Shapes with more junctions are rarely met twice."""
ENDLESS = U(32)
"""Noise for loops at a junction; below are the lengths of chains."""
ROUNDS = 3


@native()
def mixed(word: Any) -> Any:
    """A word, or eight, whose every bit depends on all bits of *word*."""
    word = (word ^ word >> U(32)) * A
    word = (word ^ word >> U(29)) * C
    return word ^ word >> U(32)


@native()
def write_name(name: Name, code: Word, isolated: Word) -> None:
    """Write the name of a position with this *code* and these *isolated* chains."""
    name.key = (code ^ isolated * B) * A >> U(32)
    name.tag = (code + isolated * C) * D & ~BOUNDS


@native()
def next_line(across: Word, down: Word) -> tuple[Word, Word, Word]:
    """The number of the first line, and the lines without it."""
    if across:
        return lowest(across), across & (across - ONE), down
    return lowest(down) + DOWNWARD, across, down & (down - ONE)


@native()
def images_of(workspace: Workspace, frame: Frame, position: Position) -> Vector:
    """The images of a position, which has fewer lines than that of the *frame* above it."""
    across = frame.position.across ^ position.across
    down = frame.position.down ^ position.down
    images = vector(frame.images)
    while across | down:
        line, across, down = next_line(across, down)
        images = images ^ vector(workspace.images_of[line].lanes)
    return images


@native()
def name_position(workspace: Workspace, frame: Frame, position: Position) -> None:
    """Name a position that is one step further than the *frame*."""
    write_name(position.name, least(images_of(workspace, frame, position)), position.isolated)


@native()
def number(many: Word, box: Word) -> Word:
    """The number of a junction: how many come before it."""
    found: Word = popcount(many & (box - ONE))
    return found


@native()
def tint(workspace: Workspace, many: Word, box: Word, noise: Word) -> None:
    """Add to the colour of a junction."""
    workspace.colours[number(many, box)] += workspace.noise[noise]


@native()
def join(workspace: Workspace, many: Word, one: Word, other: Word, boxes: Word) -> None:
    """Let a chain of so many boxes, or a single line, lead from one junction to another."""
    here, there, noise = number(many, one), number(many, other), workspace.noise[boxes]
    workspace.edges[here].lanes[there] += noise
    workspace.edges[there].lanes[here] += noise


@native()
def tint_rim(workspace: Workspace, many: Word, rim: Word, step: Word) -> None:
    """Colour the junctions that have rim lines: a box has the bit of the line or *step* less."""
    while rim:
        line = bottom_bit(rim)
        rim ^= line
        tint(workspace, many, many & (line | line >> step), ZERO)


@native()
def join_lines(workspace: Workspace, many: Word, lines: Word, step: Word) -> None:
    """Join the junctions on both sides of *lines*."""
    inner = many & many >> step & lines >> step
    while inner:
        box = bottom_bit(inner)
        inner ^= box
        join(workspace, many, box, box << step, ZERO)


@native()
def both_ends(workspace: Workspace, chain: Chain, junction: Word) -> bool:
    """Does the chain lead back to the *junction* it came from?"""
    around_across, around_down = lines_of(workspace, junction)
    lines = popcount(chain.across & around_across) + popcount(chain.down & around_down)
    return bool(lines == TWO)


@native()
def list_edges(workspace: Workspace, frame: Frame, many: Word) -> bool:
    """Write what joins the junctions, and their first colours; False if that cannot be said."""
    write(workspace.colours, vector(workspace.blank[popcount(many)].lanes))
    for each in span(ZERO, popcount(many)):
        write(workspace.edges[each].lanes, spread(ZERO, vector(workspace.colours)))
    across, down = frame.position.across, frame.position.down
    boxes, stride = workspace.all_boxes, workspace.stride
    around_across, around_down = lines_of(workspace, many)
    tint_rim(workspace, many, across & around_across & ~(boxes & boxes << stride), stride)
    tint_rim(workspace, many, down & around_down & ~(boxes & boxes << ONE), ONE)
    join_lines(workspace, many, across, stride)
    join_lines(workspace, many, down, ONE)
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        length, ends = popcount(chain.boxes), chain.ends
        first = bottom_bit(ends)
        if not ends or length >= ENDLESS:
            return False
        if ends != first:
            join(workspace, many, first, ends ^ first, length)
        else:
            back = ENDLESS if both_ends(workspace, chain, ends) else ZERO
            tint(workspace, many, ends, length + back)
    return True


@native()
def refine(workspace: Workspace, junctions: Word) -> None:
    """Let each junction's colour depend on those around it."""
    around = vector(workspace.colours) * D
    for each in span(ZERO, junctions):
        around = around + vector(workspace.edges[each].lanes) * workspace.colours[each]
    write(workspace.colours, mixed(around))


@native()
def tells_apart(workspace: Workspace, junctions: Word) -> bool:
    """Refine the colours: do they tell all junctions apart?"""
    for _ in range(ROUNDS):
        refine(workspace, junctions)
    alike = some_alike(vector(workspace.colours))
    refine(workspace, junctions)
    return not alike


@native()
def total(workspace: Workspace) -> Word:
    """One word for all colours."""
    word: Word = sum_of(mixed(vector(workspace.colours) ^ B)) | ONE
    return word


@native()
def least_shared(workspace: Workspace, junctions: Word) -> Word:
    """The least colour that two junctions share, or the greatest word."""
    shared = ~ZERO
    for each in span(ZERO, junctions):
        colour = workspace.colours[each]
        for other in span(ZERO, each):
            if workspace.colours[other] == colour and colour < shared:
                shared = colour
    return shared


@native()
def shape_code(workspace: Workspace, frame: Frame, many: Word) -> Word:
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
    write(workspace.saved, vector(workspace.colours))
    alike, code = least_shared(workspace, junctions), ~ZERO
    for marked in span(ZERO, junctions):
        if workspace.saved[marked] == alike:
            write(workspace.colours, vector(workspace.saved))
            workspace.colours[marked] = mixed(alike + A)
            if not tells_apart(workspace, junctions):
                return ZERO
            code = min(code, total(workspace))
    return code
