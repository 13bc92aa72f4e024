"""Keys and transposition table of Dots and Boxes: equal for mirror images, or for equal shapes.

A position has two names. The quick one is the least of its eight images on the board, kept up to
date line by line. The thorough one is a code of its shape alone, the junctions (boxes with three or
four lines to go) and the chains between them, wherever they lie: it merges twice as many positions
but takes longer. Both speak of what is on the board; the word of isolated chains goes into either.

The table has one word for each position, with the bounds proven, and two parts. The quick one, so
small that it stays close to the processor, knows positions by their images; the thorough one by
their shapes. Eight entries lie side by side, and the one with the least work behind it makes room.
"""

from __future__ import annotations

from typing import Annotated

from papan.engine.memory import Row, records_at
from papan.engine.native import ONE, TWO, ZERO, Word, lowest, native, popcount, signed, span
from papan.engine.simd import (
    Vector,
    lane_of,
    least,
    some_alike,
    spread_eight,
    sum_of,
    vector,
    write,
)
from papan.games.dots.kernel import (
    Chain,
    Frame,
    Name,
    Part,
    Position,
    U,
    Workspace,
    bottom_bit,
    lines_of,
)

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
def mixed(word: Word) -> Word:
    """A word whose every bit depends on all bits of *word*."""
    word = (word ^ word >> U(32)) * A
    word = (word ^ word >> U(29)) * C
    return word ^ word >> U(32)


@native()
def mixed_lanes(lanes: Vector) -> Vector:
    """The same for eight words."""
    lanes = (lanes ^ lanes >> U(32)) * A
    lanes = (lanes ^ lanes >> U(29)) * C
    return lanes ^ lanes >> U(32)


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
        write(workspace.edges[each].lanes, spread_eight(ZERO))
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
    write(workspace.colours, mixed_lanes(around))


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
    word: Word = sum_of(mixed_lanes(vector(workspace.colours) ^ B)) | ONE
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


SIX, SEVEN, TWELVE, MOST_WORK, HALF, SIXTY_THREE = map(U, (6, 7, 12, 15, 32, 63))
"""An entry: its tag, 4 bits of work, 6 bits each for the most and the least that it is worth."""


class Bucket:
    """Entries side by side."""

    entries: Annotated[Row[Word], 8]


bucket_at = records_at(Bucket)


@native()
def bucket_of(part: Part, name: Name) -> Word:
    """The number of the bucket in which a part of the table keeps a position."""
    return name.key * part.count >> HALF


@native()
def find(part: Part, name: Name) -> Word:
    """The entry of a position, or 0."""
    bucket = bucket_at(part.buckets, bucket_of(part, name))
    lane = lane_of(vector(bucket.entries), name.tag, BOUNDS)
    return bucket.entries[lane] if lane < EIGHT else ZERO


@native()
def keep(workspace: Workspace, part: Part, name: Name, bounds: Word) -> None:
    """Write an entry: over an older one of the same position, or over the least work."""
    bucket = bucket_at(part.buckets, bucket_of(part, name))
    entries = vector(bucket.entries)
    lane = lane_of(entries, name.tag, BOUNDS)
    if lane == EIGHT:
        work = (entries & BOUNDS) >> TWELVE
        lane = least(work * EIGHT + vector(workspace.lanes)) & SEVEN
    bucket.entries[lane] = name.tag | bounds


@native()
def least_of(entry: Word, left: int) -> int:
    """The least value that *entry* allows a position with so many boxes left."""
    return 2 * signed(entry & SIXTY_THREE) - left if entry else -left


@native()
def most_of(entry: Word, left: int) -> int:
    """The greatest value that *entry* allows."""
    return 2 * signed(entry >> SIX & SIXTY_THREE) - left if entry else left


@native()
def packed(least: int, most: int, left: int, nodes: Word) -> Word:
    """The bounds and the work of an entry."""
    work = ONE  # an empty entry has none
    while nodes and work < MOST_WORK:
        nodes >>= ONE
        work += ONE
    return U(least + left >> 1) | U(most + left >> 1) << SIX | work << TWELVE
