"""Dots and Boxes, solved: is the side to move sure of so many boxes more than its rival?

Only quiet positions are searched, those without a box to take. A safe line leads to another one. An
opening gives T boxes away; its taker may double-cross at a loss d (leave two boxes of a chain, four
of a loop) to hand the move back, so it is worth T + max(V, -d - V) to him, where V is the value of
the rest.

First the transposition table, then the steps from one quiet position to the next, then the search.
"""

from __future__ import annotations

from typing import Annotated

from papan.engine.control import GOES_ON, NODES, spend
from papan.engine.memory import Row, records_at
from papan.engine.native import (
    ONE,
    WORD,
    ZERO,
    Word,
    bottom_bit,
    kinds,
    load,
    lowest,
    native,
    popcount,
    prefetch,
    signed,
    span,
    words_at,
)
from papan.engine.simd import lane_of, least, vector, write
from papan.engine.transpositions import is_marked, mark
from papan.games.dots.kernel import (
    BOUNDS,
    CHAIN_LOSS,
    EIGHT,
    LOOP_LOSS,
    ROOT,
    WORKSPACE,
    Child,
    Frame,
    Lines,
    Name,
    Part,
    U,
    Workspace,
    both_ends,
    boxes_beside,
    degrees,
    frame_at,
    images_of,
    lines_of,
    list_chains,
    loss_of,
    name_position,
    opened,
    safe_lines,
    settle,
    shape_code,
    workspace_at,
    write_name,
)

SHORT_ISOLATED, CHAINS_ISOLATED = U(0b11), U((1 << 43) - 4)
LOOPS_ISOLATED = ~(SHORT_ISOLATED | CHAINS_ISOLATED)
"""Which bits of the word of isolated chains count what."""
REFUTED = U(1 << 32)
"""Boxes in the terms of a step that was shown to be too bad."""
SHARED_LINES = U(14)
"""Positions with fewer lines are searched without a look at other threads."""
MARKS, MARK_SHIFT = 1 << 12, U(20)
"""Words in which threads mark what they are searching, one for each value of a key's top bits."""
WORDS_A_BUCKET = U(8)
FAILS, HOLDS, BROKEN_OFF = range(3)
"""What becomes of a question: no, yes, or the search was broken off."""


# The transposition table has one word for each position, with the bounds proven, and two parts. The
# quick one, so small that it stays close to the processor, knows positions by their images; the
# thorough one by their shapes. Eight entries lie side by side, and are compared at once; the one
# with the least work behind it makes room.

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


# The steps from one quiet position to the next.


@native()
def isolating(workspace: Workspace, frame: Frame, many: Word) -> Lines:
    """The lines, across and down, whose drawing may set a chain or loop free of all junctions."""
    boxes = workspace.all_boxes
    held_across = frame.position.across & boxes & boxes << workspace.stride
    held_down = frame.position.down & boxes & boxes << ONE
    hit_across, hit_down = ZERO, ZERO
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        ends = chain.ends
        first = bottom_bit(ends)
        around_across, around_down = lines_of(workspace, first)
        if ends != first:
            other_across, other_down = lines_of(workspace, ends ^ first)
            hit_across |= around_across & other_across
            hit_down |= around_down & other_down
        elif both_ends(workspace, chain, ends):
            hit_across |= around_across
            hit_down |= around_down
        else:
            held_across &= ~chain.across
            held_down &= ~chain.down
    one, two, more = degrees(workspace, held_across, held_down)
    one_across, one_down = lines_of(workspace, many & one)
    free_across, free_down = lines_of(workspace, many & ~(one | two | more))
    hit_across |= one_across & held_across | free_across
    hit_down |= one_down & held_down | free_down
    return hit_across, hit_down


@native()
def write_child(child: Child, lines: Lines, isolated: Word, left: Word) -> None:
    """Begin a position one step further."""
    position = child.position
    position.across, position.down = lines
    position.isolated, position.left = isolated, left


@native()
def finish_child(workspace: Workspace, frame: Frame, child: Child, boxes: Word, loss: Word) -> None:
    """Name a position one step further, and ask for its entry."""
    name_position(workspace, frame, child.position)
    child.terms.boxes, child.terms.loss = boxes, loss
    bucket = bucket_of(workspace.quick, child.position.name)
    prefetch(words_at(workspace.quick.buckets), bucket * WORDS_A_BUCKET)


@native()
def list_safe(workspace: Workspace, frame: Frame, two: Word, many: Word) -> Word:
    """Write what the safe lines lead to, from the centre outwards: how many there are."""
    across, down = frame.position.across, frame.position.down
    isolated, left = frame.position.isolated, frame.position.left
    safe_across, safe_down = safe_lines(workspace, across, down, two)
    hit_across, hit_down = isolating(workspace, frame, many)
    count = ZERO
    for each in span(ZERO, workspace.ring_count):
        ring = workspace.rings[each]
        todo_across, todo_down = safe_across & ring.across, safe_down & ring.down
        while todo_across | todo_down:
            line_across = bottom_bit(todo_across)
            line_down = ZERO if line_across else bottom_bit(todo_down)
            todo_across ^= line_across
            todo_down ^= line_down
            child = frame.children[count]
            write_child(child, (across ^ line_across, down ^ line_down), isolated, left)
            if line_across & hit_across | line_down & hit_down:
                settle(workspace, child.position, boxes_beside(workspace, line_across, line_down))
            finish_child(workspace, frame, child, ZERO, ZERO)
            count += ONE
    return count


@native()
def hopeless(bound: int, boxes: Word, loss: Word, left: Word) -> bool:
    """Is an opening surely worth less than *bound*?"""
    if loss and 2 * bound > signed(loss) - 2 * signed(boxes):
        return True
    return bound + signed(boxes) > signed(left) - signed(boxes)


@native()
def list_isolated(workspace: Workspace, frame: Frame, count: Word, bound: int) -> Word:
    """Write the openings of isolated chains: of the short, the long and the loops the least."""
    lines = frame.position.across, frame.position.down
    isolated, left = frame.position.isolated, frame.position.left
    for kind, loss in (
        (SHORT_ISOLATED, ZERO),
        (CHAINS_ISOLATED, CHAIN_LOSS),
        (LOOPS_ISOLATED, LOOP_LOSS),
    ):
        if isolated & kind:
            bit = lowest(isolated & kind)
            boxes = workspace.isolated_boxes[bit]
            if not hopeless(bound, boxes, loss, left):
                child = frame.children[count]
                rest = isolated - (ONE << workspace.isolated_fields[bit])
                write_child(child, lines, rest, left - boxes)
                finish_child(workspace, frame, child, boxes, loss)
                count += ONE
    return count


@native()
def list_openings(workspace: Workspace, frame: Frame, count: Word, bound: int) -> Word:
    """Write what opening each chain on the board leads to."""
    isolated, left = frame.position.isolated, frame.position.left
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        own = popcount(chain.boxes)
        if hopeless(bound, own, loss_of(chain), left):
            continue
        across, down, boxes, loss = opened(workspace, frame.position, chain)
        if not hopeless(bound, boxes, loss, left):
            child = frame.children[count]
            write_child(child, (across, down), isolated, left - boxes)
            settle(workspace, child.position, workspace.all_boxes if boxes > own else chain.ends)
            finish_child(workspace, frame, child, boxes, loss)
            count += ONE
    return count


@native()
def needed(child: Child, bound: int) -> tuple[int, int]:
    """What the rest must be worth for *bound* to hold: at least this, at most that."""
    boxes, loss = signed(child.terms.boxes), signed(child.terms.loss)
    least = bound + boxes - loss if loss else -signed(child.position.left)
    return least, -bound - boxes


@native()
def answered(workspace: Workspace, frame: Frame, count: Word, bound: int) -> bool:
    """Does the table know a step that makes *bound* hold? Steps it refutes are marked."""
    for each in span(ZERO, count):
        child = frame.children[each]
        least, most = needed(child, bound)
        left = signed(child.position.left)
        entry = find(workspace.quick, child.position.name)
        known_least, known_most = least_of(entry, left), most_of(entry, left)
        if known_least >= least and known_most <= most:
            return True
        if known_least > most or known_most < least:
            child.terms.boxes = REFUTED
    return False


@native()
def enter(workspace: Workspace, frame: Frame, child: Child, below: Frame) -> None:
    """Make the position of a child that of the next frame."""
    source, target = child.position, below.position
    target.across, target.down = source.across, source.down
    target.isolated, target.left = source.isolated, source.left
    target.name.key, target.name.tag = source.name.key, source.name.tag
    write(below.images, images_of(workspace, frame, source))


@native()
def marks_for(workspace: Workspace, child: Child) -> Word:
    """Where threads mark that they are searching a child; 0 where none does."""
    position = child.position
    lines = popcount(position.across) + popcount(position.down)
    return workspace.marks if lines >= SHARED_LINES else ZERO


@native()
def next_child(workspace: Workspace, frame: Frame, count: Word) -> Word:
    """The first child to search that no other thread is at; if there is none, any; or *count*."""
    any_child = count
    for each in span(ZERO, count):
        child = frame.children[each]
        if child.terms.boxes != REFUTED:
            name = child.position.name
            if not is_marked(marks_for(workspace, child), name.key >> MARK_SHIFT, name.tag):
                return each
            any_child = min(any_child, each)
    return any_child


@native()
def next_node(workspace: Workspace) -> Word:
    """Count one node: its number, or 0 when the budget is spent."""
    if spend(words_at(workspace.controls)) != GOES_ON:
        workspace.broken_off = True
        return ZERO
    node: Word = load(words_at(workspace.controls), NODES)
    return node


@native(kinds.boolean(WORKSPACE, WORD, kinds.int64))
def at_least(workspace: Workspace, ply: Word, bound: int) -> bool:
    """Is the position of a frame worth at least *bound*? Its parity is that of the boxes left."""
    frame = frame_at(workspace.frames, ply)
    position, shape = frame.position, frame.shape_name
    left = signed(position.left)
    entry = find(workspace.quick, position.name)
    least, most = least_of(entry, left), most_of(entry, left)
    if least >= bound or most < bound:
        return least >= bound
    _, two, many = degrees(workspace, position.across, position.down)
    list_chains(workspace, frame, two, many)
    code = shape_code(workspace, frame, many)
    if code:
        write_name(shape, code, position.isolated)
    else:
        shape.key, shape.tag = position.name.key, position.name.tag
    bucket = bucket_of(workspace.thorough, shape)
    prefetch(words_at(workspace.thorough.buckets), bucket * WORDS_A_BUCKET)
    count = list_safe(workspace, frame, two, many)
    entry = find(workspace.thorough, shape)
    least, most = max(least, least_of(entry, left)), min(most, most_of(entry, left))
    if least >= bound or most < bound:
        keep(workspace, workspace.quick, position.name, packed(least, most, left, ZERO))
        return least >= bound
    began = next_node(workspace)
    if not began:
        return False
    count = list_isolated(workspace, frame, count, bound)
    count = list_openings(workspace, frame, count, bound)
    holds = answered(workspace, frame, count, bound)
    each = next_child(workspace, frame, count)
    while not holds and each < count:
        child = frame.children[each]
        floor, ceiling = needed(child, bound)
        enter(workspace, frame, child, frame_at(workspace.frames, ply + ONE))
        marks, name = marks_for(workspace, child), child.position.name
        mark(marks, name.key >> MARK_SHIFT, name.tag)
        if not at_least(workspace, ply + ONE, ceiling + 2):
            holds = at_least(workspace, ply + ONE, floor)
        mark(marks, name.key >> MARK_SHIFT, ZERO)
        child.terms.boxes = REFUTED
        each = next_child(workspace, frame, count)
    if workspace.broken_off:
        return False
    least, most = (bound, most) if holds else (least, bound - 2)
    work = load(words_at(workspace.controls), NODES) - began
    bounds = packed(least, most, left, work)
    keep(workspace, workspace.quick, position.name, bounds)
    keep(workspace, workspace.thorough, shape, bounds)
    return holds


@native(kinds.void(WORD))
def begin(address: Word) -> None:
    """Make the position in the root's frame ready: lines and boxes left are written there."""
    workspace = workspace_at(address, ZERO)
    nothing, root = frame_at(workspace.frames, ZERO), frame_at(workspace.frames, ROOT)
    settle(workspace, root.position, workspace.all_boxes)
    name_position(workspace, nothing, root.position)
    write(root.images, images_of(workspace, nothing, root.position))


@native(kinds.int64(WORD, kinds.int64))
def root_at_least(address: Word, bound: int) -> int:
    """Is the position in the root's frame worth at least *bound*?"""
    workspace = workspace_at(address, ZERO)
    workspace.broken_off = False
    holds = at_least(workspace, ROOT, bound)
    return BROKEN_OFF if workspace.broken_off else HOLDS if holds else FAILS
