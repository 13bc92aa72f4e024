"""The exact search of Dots and Boxes: it decides whether a quiet position is worth *bound*.

The value is the boxes still to come, the mover's less the rival's. Only quiet positions are
searched, those without a box to take. A safe line leads to another one. An opening gives T boxes
away; the taker may double-cross at a loss d (leave two boxes of a chain, four of a loop) to hand
the move back, so the opening is worth T + max(V, -d - V) to the taker, where V is the value of the
rest.

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
    load_word,
    lowest,
    native,
    popcount,
    prefetch,
    signed,
    span,
    words_at,
)
from papan.engine.simd import lane_of, least, vector, write_lanes
from papan.engine.transpositions import is_marked, mark
from papan.games.dots.kernel import (
    DOTS_WORKSPACE,
    EIGHT_LANES,
    ENTRY_BOUNDS,
    KERNEL_CHAIN_LOSS,
    KERNEL_LOOP_LOSS,
    ROOT_FRAME,
    DotsChild,
    DotsFrame,
    DotsWorkspace,
    LineWords,
    Name,
    TablePart,
    after_opening,
    both_ends,
    boxes_beside,
    degrees,
    dots_frame_at,
    dots_workspace_at,
    images_of,
    lines_around,
    list_chains,
    loss_of,
    name_position,
    safe_line_words,
    set_aside_isolated,
    shape_code,
    write_name,
)

SHORT_ISOLATED, CHAINS_ISOLATED = Word(0b11), Word((1 << 43) - 4)
"""Bits of the word of isolated chains that count short chains, and long chains."""
LOOPS_ISOLATED = ~(SHORT_ISOLATED | CHAINS_ISOLATED)
"""Bits of the word of isolated chains that count loops."""
REFUTED = Word(1 << 32)
"""Boxes in the terms of a step that was shown to be too bad."""
SHARED_LINES = Word(14)
"""Positions with fewer lines are searched without regard to other threads."""
MARK_WORDS, MARK_SHIFT = 1 << 12, Word(20)
"""Words in which threads mark what they search, one for each value of a key's top bits; and the
bits to shift a key of 32 bits by to get these."""
WORDS_A_BUCKET = Word(8)
FAILS, HOLDS, BROKEN_OFF = range(3)
"""Answers of a search: no, yes, or it was stopped."""


# The transposition table has one word for each position, with the bounds proven, and two parts. The
# quick one, so small that it stays close to the processor, finds positions by their images; the
# thorough one by their shapes. Eight entries lie side by side, and are compared at once; the one
# with the least work behind it makes room.

SIX_BITS, SEVEN, TWELVE, LARGEST_WORK, HALF_WORD, SIX_BIT_MASK = map(Word, (6, 7, 12, 15, 32, 63))
"""An entry: its tag, 4 bits of work, 6 bits each for the upper and the lower bound."""


class EntryBucket:
    """Eight entries of the transposition table side by side, a word each; 0 is an empty one."""

    entries: Annotated[Row[Word], 8]


bucket_at = records_at(EntryBucket)


@native()
def bucket_of(part: TablePart, name: Name) -> Word:
    """Return the index of the bucket of position *name* in a part of the table."""
    return name.key * part.count >> HALF_WORD


@native()
def stored_entry(part: TablePart, name: Name) -> Word:
    """Return the table's word for position *name*; 0 if there is none.

    From the top it has 48 bits of tag, 4 of work, 6 for the upper bound and 6 for the lower: see
    `packed_entry`.
    """
    bucket = bucket_at(part.buckets, bucket_of(part, name))
    lane = lane_of(vector(bucket.entries), name.tag, ENTRY_BOUNDS)
    return bucket.entries[lane] if lane < EIGHT_LANES else ZERO


@native()
def store_entry(workspace: DotsWorkspace, part: TablePart, name: Name, bounds: Word) -> None:
    """Write *bounds* and tag over the position's own entry, else over the one with the least work.

    *name* is the position's, *bounds* a word by `packed_entry`. The entry is one of the eight in
    its bucket of *part*. The workspace is needed for its lanes.
    """
    bucket = bucket_at(part.buckets, bucket_of(part, name))
    entries = vector(bucket.entries)
    lane = lane_of(entries, name.tag, ENTRY_BOUNDS)
    if lane == EIGHT_LANES:
        work = (entries & ENTRY_BOUNDS) >> TWELVE
        lane = least(work * EIGHT_LANES + vector(workspace.lanes)) & SEVEN
    bucket.entries[lane] = name.tag | bounds


@native()
def least_of(entry: Word, left: int) -> int:
    """Return the lower bound of the value that *entry* has, in boxes for the mover.

    *left* is the number of boxes left; -left if the entry is 0.
    """
    return 2 * signed(entry & SIX_BIT_MASK) - left if entry else -left


@native()
def most_of(entry: Word, left: int) -> int:
    """Return the upper bound of the value that *entry* has, in boxes for the mover.

    *left* is the number of boxes left; left if the entry is 0.
    """
    return 2 * signed(entry >> SIX_BITS & SIX_BIT_MASK) - left if entry else left


@native()
def packed_entry(least: int, most: int, left: int, nodes: Word) -> Word:
    """Return an entry without its tag: bounds of a value with *left* boxes left, and work.

    *least* and *most* are the bounds, in boxes for the mover, of the parity of *left*; stored is
    (bound + left) / 2. The work is the number of binary digits of *nodes*, plus 1, at most 15.
    """
    work = ONE  # an empty entry has none
    while nodes and work < LARGEST_WORK:
        nodes >>= ONE
        work += ONE
    return Word(least + left >> 1) | Word(most + left >> 1) << SIX_BITS | work << TWELVE


# The steps from one quiet position to the next.


@native()
def isolating(workspace: DotsWorkspace, frame: DotsFrame, many: Word) -> LineWords:
    """Return the lines, as (across, down), that may cut a chain or loop off from all junctions.

    Lines are bits, as are the junctions *many*. Every line that cuts one off is among them; some
    may cut off none. The chains of the *frame* must be listed: not checked.
    """
    boxes = workspace.all_boxes
    held_across = frame.position.across & boxes & boxes << workspace.stride
    held_down = frame.position.down & boxes & boxes << ONE
    hit_across, hit_down = ZERO, ZERO
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        ends = chain.ends
        first = bottom_bit(ends)
        around_across, around_down = lines_around(workspace, first)
        if ends != first:
            other_across, other_down = lines_around(workspace, ends ^ first)
            hit_across |= around_across & other_across
            hit_down |= around_down & other_down
        elif both_ends(workspace, chain, ends):
            hit_across |= around_across
            hit_down |= around_down
        else:
            held_across &= ~chain.across
            held_down &= ~chain.down
    one, two, more = degrees(workspace, held_across, held_down)
    one_across, one_down = lines_around(workspace, many & one)
    free_across, free_down = lines_around(workspace, many & ~(one | two | more))
    hit_across |= one_across & held_across | free_across
    hit_down |= one_down & held_down | free_down
    return hit_across, hit_down


@native()
def write_child(child: DotsChild, lines: LineWords, isolated: Word, left: Word) -> None:
    """Write a position one step further to *child*: lines, isolated chains and boxes left.

    *lines* are the bits of its undrawn lines (across, down), *isolated* its word of isolated
    chains, *left* the number of boxes not yet complete. Its name and its terms are not written:
    `finish_child` does that.
    """
    position = child.position
    position.across, position.down = lines
    position.isolated, position.left = isolated, left


@native()
def finish_child(
    workspace: DotsWorkspace, frame: DotsFrame, child: DotsChild, boxes: Word, loss: Word
) -> None:
    """Name the position of *child*, write the terms of the step, and prefetch its entry.

    *boxes* are given away by the step; *loss* is that of a double-cross, in boxes, or 0. The lines
    and isolated chains of *child* must be written: not checked; *frame* is the one *child* is in.
    """
    name_position(workspace, frame, child.position)
    child.terms.boxes, child.terms.loss = boxes, loss
    bucket = bucket_of(workspace.quick, child.position.name)
    prefetch(words_at(workspace.quick.buckets), bucket * WORDS_A_BUCKET)


@native()
def list_safe(workspace: DotsWorkspace, frame: DotsFrame, two: Word, many: Word) -> Word:
    """Write the positions after safe lines to the frame's children; return their number.

    They are written from index 0 on, those of lines near the centre first. *two* are the bits of
    the boxes with two undrawn lines, *many* those of the junctions. The chains of the frame must be
    listed: not checked.
    """
    across, down = frame.position.across, frame.position.down
    isolated, left = frame.position.isolated, frame.position.left
    safe_across, safe_down = safe_line_words(workspace, across, down, two)
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
                set_aside_isolated(
                    workspace, child.position, boxes_beside(workspace, line_across, line_down)
                )
            finish_child(workspace, frame, child, ZERO, ZERO)
            count += ONE
    return count


@native()
def hopeless(bound: int, boxes: Word, loss: Word, left: Word) -> bool:
    """Return whether opening *boxes* boxes is surely worth less than *bound* boxes to its maker.

    *loss* is the loss of its double-cross in boxes (0: none), *left* the number of boxes left
    before it. False means that it is not known.
    """
    if loss and 2 * bound > signed(loss) - 2 * signed(boxes):
        return True
    return bound + signed(boxes) > signed(left) - signed(boxes)


@native()
def list_isolated(workspace: DotsWorkspace, frame: DotsFrame, count: Word, bound: int) -> Word:
    """Write the positions after opening isolated chains, the shortest of each kind.

    The kinds are chains of one or two boxes, longer chains, and loops. The positions are written
    behind the first *count* of the frame's children; return the new number of children. Openings
    that surely bring the mover less than *bound* boxes are left out.
    """
    lines = frame.position.across, frame.position.down
    isolated, left = frame.position.isolated, frame.position.left
    for kind, loss in (
        (SHORT_ISOLATED, ZERO),
        (CHAINS_ISOLATED, KERNEL_CHAIN_LOSS),
        (LOOPS_ISOLATED, KERNEL_LOOP_LOSS),
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
def list_openings(workspace: DotsWorkspace, frame: DotsFrame, count: Word, bound: int) -> Word:
    """Write the positions after opening each chain on the board to the frame's children.

    They are written behind the first *count* children; return the new number of children. Openings
    that surely bring the mover less than *bound* boxes are left out. The chains of the frame must
    be listed: not checked.
    """
    isolated, left = frame.position.isolated, frame.position.left
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        own = popcount(chain.boxes)
        if hopeless(bound, own, loss_of(chain), left):
            continue
        across, down, boxes, loss = after_opening(workspace, frame.position, chain)
        if not hopeless(bound, boxes, loss, left):
            child = frame.children[count]
            write_child(child, (across, down), isolated, left - boxes)
            set_aside_isolated(
                workspace, child.position, workspace.all_boxes if boxes > own else chain.ends
            )
            finish_child(workspace, frame, child, boxes, loss)
            count += ONE
    return count


@native()
def needed_rest(child: DotsChild, bound: int) -> tuple[int, int]:
    """Return between which values of a child its step is worth at least *bound* to its maker.

    They are (least, greatest), both included, in boxes for the child's mover; *bound* is for the
    side that makes the step. If least > greatest, no value is enough. The terms of *child* must not
    be refuted: not checked.
    """
    boxes, loss = signed(child.terms.boxes), signed(child.terms.loss)
    least = bound + boxes - loss if loss else -signed(child.position.left)
    return least, -bound - boxes


@native()
def answered_by_table(workspace: DotsWorkspace, frame: DotsFrame, count: Word, bound: int) -> bool:
    """Return whether by the table one of the first *count* children makes *bound* hold.

    *bound* is in boxes for the mover of the *frame*: the question is whether the value of its
    position is at least so much. Children are looked at in order, up to the first that makes it
    hold; of those before, each that the table shows to fail gets REFUTED as the boxes of its terms.
    """
    for each in span(ZERO, count):
        child = frame.children[each]
        least, most = needed_rest(child, bound)
        left = signed(child.position.left)
        entry = stored_entry(workspace.quick, child.position.name)
        known_least, known_most = least_of(entry, left), most_of(entry, left)
        if known_least >= least and known_most <= most:
            return True
        if known_least > most or known_most < least:
            child.terms.boxes = REFUTED
    return False


@native()
def enter(workspace: DotsWorkspace, frame: DotsFrame, child: DotsChild, below: DotsFrame) -> None:
    """Copy the position of *child* to the frame *below*, and write its images there.

    *frame* is the one that *child* is in. Shape name, chains and children of *below* are not
    written: `is_at_least` writes them.
    """
    source, target = child.position, below.position
    target.across, target.down = source.across, source.down
    target.isolated, target.left = source.isolated, source.left
    target.name.key, target.name.tag = source.name.key, source.name.tag
    write_lanes(below.images, images_of(workspace, frame, source))


@native()
def marks_for(workspace: DotsWorkspace, child: DotsChild) -> Word:
    """Return the address where threads mark that they search a child.

    0 if it has fewer than SHARED_LINES undrawn lines, or if only one thread searches.
    """
    position = child.position
    lines = popcount(position.across) + popcount(position.down)
    return workspace.marks if lines >= SHARED_LINES else ZERO


@native()
def next_child(workspace: DotsWorkspace, frame: DotsFrame, count: Word) -> Word:
    """Return the index of a child to search, preferably one that no other thread is searching.

    Of the first *count* children of *frame*, from index 0, it is the first that is neither refuted
    nor being searched by another thread; else the first that is not refuted. Return *count* if all
    are refuted.
    """
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
def next_node(workspace: DotsWorkspace) -> Word:
    """Count a node and return its number, from 1; 0 if the search must stop.

    `DotsWorkspace.broken_off` is then set: the limit is reached, or a stop was asked for.
    """
    if spend(words_at(workspace.controls)) != GOES_ON:
        workspace.broken_off = True
        return ZERO
    node: Word = load_word(words_at(workspace.controls), NODES)
    return node


@native(kinds.boolean(DOTS_WORKSPACE, WORD, kinds.int64))
def is_at_least(workspace: DotsWorkspace, ply: Word, bound: int) -> bool:
    """Return whether the position in the frame *ply* is worth at least *bound* boxes to its mover.

    The worth is the boxes still to come, the mover's less the rival's; *bound* has the parity of
    the boxes left. Its lines, isolated chains, boxes left, name and images must be written: not
    checked. Write proved bounds to the table. If `broken_off` is set afterwards, the answer means
    nothing.
    """
    frame = dots_frame_at(workspace.frames, ply)
    position, shape = frame.position, frame.shape_name
    left = signed(position.left)
    entry = stored_entry(workspace.quick, position.name)
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
    entry = stored_entry(workspace.thorough, shape)
    least, most = max(least, least_of(entry, left)), min(most, most_of(entry, left))
    if least >= bound or most < bound:
        store_entry(
            workspace, workspace.quick, position.name, packed_entry(least, most, left, ZERO)
        )
        return least >= bound
    began = next_node(workspace)
    if not began:
        return False
    count = list_isolated(workspace, frame, count, bound)
    count = list_openings(workspace, frame, count, bound)
    holds = answered_by_table(workspace, frame, count, bound)
    each = next_child(workspace, frame, count)
    while not holds and each < count:
        child = frame.children[each]
        floor, ceiling = needed_rest(child, bound)
        enter(workspace, frame, child, dots_frame_at(workspace.frames, ply + ONE))
        marks, name = marks_for(workspace, child), child.position.name
        mark(marks, name.key >> MARK_SHIFT, name.tag)
        if not is_at_least(workspace, ply + ONE, ceiling + 2):
            holds = is_at_least(workspace, ply + ONE, floor)
        mark(marks, name.key >> MARK_SHIFT, ZERO)
        child.terms.boxes = REFUTED
        each = next_child(workspace, frame, count)
    if workspace.broken_off:
        return False
    least, most = (bound, most) if holds else (least, bound - 2)
    work = load_word(words_at(workspace.controls), NODES) - began
    bounds = packed_entry(least, most, left, work)
    store_entry(workspace, workspace.quick, position.name, bounds)
    store_entry(workspace, workspace.thorough, shape, bounds)
    return holds


@native(kinds.void(WORD))
def begin_search(address: Word) -> None:
    """Prepare the position in the root's frame for `root_at_least`: its name and its images.

    `DotsMemory.place` must have written its lines and boxes left: not checked. Its isolated chains
    and loops are moved from the board to the isolated word. *address* is the address of the
    workspace. Call this once for each position that was placed.
    """
    workspace = dots_workspace_at(address, ZERO)
    nothing, root = (
        dots_frame_at(workspace.frames, ZERO),
        dots_frame_at(workspace.frames, ROOT_FRAME),
    )
    set_aside_isolated(workspace, root.position, workspace.all_boxes)
    name_position(workspace, nothing, root.position)
    write_lanes(root.images, images_of(workspace, nothing, root.position))


@native(kinds.int64(WORD, kinds.int64))
def root_at_least(address: Word, bound: int) -> int:
    """Return HOLDS if the root is worth at least *bound* boxes to its mover, else FAILS.

    The worth is the boxes still to come, the mover's less the rival's; *bound* has the parity of
    the boxes left. *address* is the address of the workspace. Return BROKEN_OFF if the search was
    stopped.
    """
    workspace = dots_workspace_at(address, ZERO)
    workspace.broken_off = False
    holds = is_at_least(workspace, ROOT_FRAME, bound)
    return BROKEN_OFF if workspace.broken_off else HOLDS if holds else FAILS
