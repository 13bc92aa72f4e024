"""The structure of a Dots and Boxes position, in bits: degrees, chains, captures, isolated parts.

The board is seen as its dual graph: boxes are joined by undrawn lines, the rim is the ground, and
the degree of a box is its number of undrawn lines. Two words hold the undrawn lines, *across* and
*down*; a box has the bit of the line across on top of it and of the line down on its left.

First the records that all kernels of the game work on, then the functions that fill them, last the
two names by which the transposition table knows a position. The quick one is the least of its eight
images on the board (turned and mirrored), kept up to date line by line. The thorough one is a hash
of its shape alone, the junctions (boxes with three or four undrawn lines) and the chains between
them, wherever they lie: it merges twice as many positions but takes longer. Both are combined with
the word of isolated chains, which are not on the board.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

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
from papan.engine.simd import Vector, least, some_alike, spread, sum_of, vector, write_lanes

LineWords: TypeAlias = tuple[Word, Word]
"""Lines across, and lines down, as bits: see `DotsState`."""

LONGEST_ISOLATED = Word(18)
"""Isolated chains up to this length are moved from the board to the word of isolated chains."""
PAIRED = Word(2)
"""Two isolated chains of one or of two boxes cancel each other: answering one with the other loses
nothing.
"""
KERNEL_CHAIN_LOSS, KERNEL_LOOP_LOSS = Word(4), Word(8)
"""Cost of a double-cross to the taker, in boxes of the margin: of a chain, and of a loop."""
LOOPS_FROM = Word(16)
"""Added to half the length of a loop, the index of its field among those of isolated chains."""


class Name:
    """The key of a position in the transposition table: 32 bits for its bucket, and a tag.

    Two positions with the same key and tag count as one.
    """

    key: Word
    """A hash of 32 bits (0 to 2**32 - 1), which selects its bucket."""
    tag: Word
    """A hash in the upper 48 bits of the word; the lower 16, those of an entry's bounds, are 0."""


class Terms:
    """The terms of a step: what the side that makes it gives the other one, in boxes.

    *boxes* are given away, 0 by a safe line. *loss* is what a double-cross of these boxes costs
    their taker, 4 or 8; 0 if it cannot be played.
    """

    boxes: Word
    """Boxes given away; 0 for a safe line, REFUTED for a step that is known to be too bad."""
    loss: Word
    """The loss by a double-cross of these boxes: 4 or 8, 0 if it cannot be played."""


class DotsState:
    """A quiet position (without a box to take), and its name.

    *across* and *down* are undrawn lines. With rows and columns counted from 0 at the top left, the
    bit row * stride + column stands for the line across above that box, the line down on its left,
    and, in words of boxes, for the box. *isolated* counts the chains and loops that are not on the
    board (see `DotsWorkspace.fields`); *left* is the number of boxes not yet complete, theirs
    included.
    """

    across: Word
    """Undrawn lines across; row 0 is the top rim."""
    down: Word
    """Undrawn lines down; column 0 is the left rim."""
    isolated: Word
    """Counts of isolated chains and loops, which are not on the board: `DotsWorkspace.fields`."""
    left: Word
    """Number of boxes not yet complete, those of the isolated chains included."""
    name: Name
    """Its key in the quick part of the table, by its images: see `name_position`."""


class DotsChain:
    """A chain or loop: connected boxes with two undrawn lines each, and these lines.

    All fields are bits, placed as in `DotsState`: its *boxes*, its undrawn lines *across* and
    *down*, and at its *ends* the junctions, boxes with three or four undrawn lines (0 to 2 of
    them).
    """

    boxes: Word
    """Its boxes."""
    across: Word
    """Its undrawn lines across, those that lead on at its ends included."""
    down: Word
    """Its undrawn lines down, those that lead on at its ends included."""
    ends: Word
    """The junctions at its ends: two bits, or one (both ends there, or one at the rim), or 0."""


class DotsChild:
    """A position one step further, and the terms of that step.

    A step is a safe line, or a line that opens a chain whose boxes the other side then takes.
    """

    position: DotsState
    """The position after the step."""
    terms: Terms
    """What the step gives away."""


class DotsFrame:
    """One position of the line being searched, its chains, and the positions after its moves.

    *shape_name* is its thorough name; of *chains* the first *chain_count* are filled. *images* are
    the eight images of its lines, from which `images_of` finds those of *children*.
    """

    position: DotsState
    shape_name: Name
    """Its key in the thorough part of the table, by its shape: see `shape_code`."""
    images: Annotated[Row[Word], 8]
    """For each of the eight images of the board, the XOR of the words of all undrawn lines."""
    chain_count: Word
    """Number of chains and loops on the board; those of the isolated word are not among them."""
    chains: Annotated[Row[DotsChain], 36]
    """The chains and loops on the board, by `list_chains`; the first *chain_count* are filled."""
    children: Annotated[Row[DotsChild], 128]
    """Positions one step further; how many are filled, the functions that list them return."""


class TablePart:
    """One of the two parts of the transposition table: its address, and its number of buckets."""

    buckets: Word
    """Address of the first bucket of 64 bytes."""
    count: Word
    """Number of its buckets."""


class Eight:
    """Eight words side by side in memory, which one SIMD instruction reads."""

    lanes: Annotated[Row[Word], 8]


class RimPair:
    """Two rim lines of one box, which are interchangeable: the first counts as drawn first.

    It is a bit in *across* or *down*, the other line one in *other_across* or *other_down*; the two
    words left are 0. Bits lie as in `DotsState`.
    """

    across: Word
    down: Word
    other_across: Word
    other_down: Word


class Ring:
    """The lines that are equally far from the centre of the board, as bits (see `DotsState`)."""

    across: Word
    down: Word


class DotsWorkspace:
    """All that a search needs, in one record: the board, scratch memory, and addresses of the rest.

    `workspace.dots_workspace` fills in the board, `DotsMemory` the addresses of the controls and
    the frames, `DotsProver` those of the transposition table: *quick*, *thorough* and *marks*.
    """

    controls: Word
    """Address of the words shared with the caller: `papan.engine.control`."""
    broken_off: bool
    """True if the search was stopped: its result is then meaningless."""
    stride: Word
    """Bits from row to row: the columns of boxes and one more."""
    all_boxes: Word
    """The bits of all boxes."""
    quick: TablePart
    """The part of the table that is searched by `DotsState.name`, an eighth of it."""
    thorough: TablePart
    """The part of the table that is searched by `DotsFrame.shape_name`, the rest."""
    marks: Word
    """Address where threads mark what they are searching; 0 for one thread."""
    pair_count: Word
    """Number of pairs of interchangeable rim lines."""
    ring_count: Word
    """Number of rings, the nearest to the centre first."""
    pairs: Annotated[Row[RimPair], 36]
    """The first *pair_count* are filled."""
    rings: Annotated[Row[Ring], 96]
    """The first *ring_count* are filled."""
    lanes: Annotated[Row[Word], 8]
    """The numbers from 0 to 7."""
    noise: Annotated[Row[Word], 64]
    """Pseudorandom words that stand for what is at a junction in the hash of a shape.

    Index 0 is a single line, 1 to 31 a chain of so many boxes, LOOP_NOISE + n a chain of n boxes of
    which both ends are at the same junction.
    """
    fields: Annotated[Row[Word], 32]
    """The index of the lowest bit of each count in the word of isolated chains.

    Those of chains of 1 box and more come first, then those of loops of 4, 6 and more.
    """
    isolated_boxes: Annotated[Row[Word], 64]
    """For each bit of that word the length, in boxes, of the chains or loops that it counts."""
    isolated_fields: Annotated[Row[Word], 64]
    """For each bit of that word the index of the lowest bit of its count."""
    blank: Annotated[Row[Eight], 9]
    """The colours before the first refinement, by the number of junctions, 0 to 8.

    The lane of each junction has the same colour; each other lane has one that no other lane has.
    """
    images_of: Annotated[Row[Eight], 128]
    """For each line (down: 64 further on), by its bit, its word in the eight images.

    It is one bit, or on boards of more than 64 lines a random word.
    """
    colours: Annotated[Row[Word], 8]
    """Scratch for the hash of a shape: the colour of each junction."""
    saved: Annotated[Row[Word], 8]
    """A copy of the colours."""
    edges: Annotated[Row[Eight], 8]
    """For each junction, the noise of what joins it to each other one: a lane by its number."""
    path: Annotated[Row[Word], 256]
    """The indices of the nodes of one visit to the tree, the root first."""
    order: Annotated[Row[Terms], 256]
    """The terms of the openings of one playout, in the order of play."""
    frames: Word
    """Address of the array of `DotsFrame`; that of the root has the index ROOT_FRAME."""


DOTS_WORKSPACE = kind(DotsWorkspace)
dots_workspace_at, dots_frame_at = records_at(DotsWorkspace), records_at(DotsFrame)
ROOT_FRAME = ONE
"""Index of the root's frame; the one before it stays empty."""


@native()
def degrees(workspace: DotsWorkspace, across: Word, down: Word) -> tuple[Word, Word, Word]:
    """Return the boxes with one, with two, and with three or four undrawn lines, as three words.

    *across* and *down* are the undrawn lines. All words are bits as in `DotsState`.
    """
    stride, boxes = workspace.stride, workspace.all_boxes
    top, bottom, left, right = across, across >> stride, down, down >> ONE
    one, two = (top ^ bottom) ^ (left ^ right), (top & bottom) ^ (left & right)
    two ^= (top ^ bottom) & (left ^ right)
    four = top & bottom & left & right
    return one & ~two & boxes, two & ~one & boxes, (one & two | four) & boxes


@native()
def lines_around(workspace: DotsWorkspace, boxes: Word) -> LineWords:
    """Return the bits of all lines around *boxes*, drawn or not, as (across, down).

    *boxes* has a bit for each box; all bits lie as in `DotsState`.
    """
    return boxes | boxes << workspace.stride, boxes | boxes << ONE


@native()
def boxes_beside(workspace: DotsWorkspace, across: Word, down: Word) -> Word:
    """Return the bits of all boxes beside the lines *across* and *down*, a bit for each line.

    All bits lie as in `DotsState`. Some may be set that stand for no box: a caller masks them with
    `DotsWorkspace.all_boxes` or another set of boxes.
    """
    return across | across >> workspace.stride | down | down >> ONE


@native()
def chain_from(workspace: DotsWorkspace, box: Word, two: Word, lines: LineWords) -> Word:
    """Return those boxes of *two* that are connected with *box* through undrawn *lines*.

    *two* are the boxes with two undrawn lines, *box* (one bit) is one of them; *lines* are (across,
    down). All are bits as in `DotsState`. The result contains *box*.
    """
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
def take_all(workspace: DotsWorkspace, across: Word, down: Word) -> tuple[Word, Word, Word]:
    """Take every box that can be taken, one after the other: return (across, down, boxes).

    *across* and *down* are the bits of the undrawn lines, as in `DotsState`; returned are those
    left, and the number of boxes taken (0 in a quiet position).
    """
    one, two, many = degrees(workspace, across, down)
    before = one | two | many
    while one:
        around_across, around_down = lines_around(workspace, one)
        across &= ~around_across
        down &= ~around_down
        one, two, many = degrees(workspace, across, down)
    return across, down, popcount(before & ~(two | many))


@native()
def set_aside(workspace: DotsWorkspace, isolated: Word, boxes: Word, is_loop: bool) -> Word:
    """Return the word *isolated* with one more chain or loop of *boxes* (a number) counted in it.

    The word has a count for each length, as `DotsWorkspace.fields` says. *is_loop* is True for a
    loop, whose length is even and at least 4. *boxes* is 1 to LONGEST_ISOLATED, not checked. A
    second chain of one or of two boxes cancels the first.
    """
    shift = workspace.fields[LOOPS_FROM + (boxes >> ONE) if is_loop else boxes - ONE]
    return isolated ^ ONE << shift if boxes <= PAIRED else isolated + (ONE << shift)


@native()
def set_aside_isolated(workspace: DotsWorkspace, position: DotsState, among: Word) -> None:
    """Move every isolated chain or loop with a box in *among* from the board to the isolated word.

    *among* are bits of boxes. A chain is isolated if it touches no junction (a box with three or
    four undrawn lines). Chains and loops of more than LONGEST_ISOLATED boxes stay. The *position*,
    which must be quiet (not checked), is changed in place, but not its name; its boxes left shrink
    where two chains cancel each other.
    """
    across, down, isolated, left = (
        position.across,
        position.down,
        position.isolated,
        position.left,
    )
    _, two, many = degrees(workspace, across, down)
    held_across, held_down = lines_around(workspace, many)
    todo = two & among
    while todo:
        chain = chain_from(workspace, bottom_bit(todo), two, (across, down))
        todo &= ~chain
        around_across, around_down = lines_around(workspace, chain)
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
def list_chains(workspace: DotsWorkspace, frame: DotsFrame, two: Word, many: Word) -> None:
    """Write the chains and loops of the frame's position, and their number, into the *frame*.

    These are the fields `chains` and `chain_count`. The position must be quiet: not checked. *two*
    and *many* are the bits of its boxes with two, and with three or four undrawn lines, as
    `degrees` returns them.
    """
    across, down = frame.position.across, frame.position.down
    count, todo = ZERO, two
    while todo:
        boxes = chain_from(workspace, bottom_bit(todo), two, (across, down))
        todo &= ~boxes
        around_across, around_down = lines_around(workspace, boxes)
        chain = frame.chains[count]
        chain.boxes = boxes
        chain.across, chain.down = around_across & across, around_down & down
        chain.ends = many & boxes_beside(workspace, around_across & across, around_down & down)
        count += ONE
    frame.chain_count = count


@native()
def safe_line_words(workspace: DotsWorkspace, across: Word, down: Word, two: Word) -> LineWords:
    """Return the bits of the safe lines, which give no box away, as (across, down).

    *across* and *down* are the bits of the undrawn lines, *two* those of the boxes with two undrawn
    lines, as in `DotsState`. Of each interchangeable pair (see `RimPair`) at most one is returned.
    The position must be quiet: not checked.
    """
    unsafe_across, unsafe_down = lines_around(workspace, two)
    safe_across, safe_down = across & ~unsafe_across, down & ~unsafe_down
    for each in span(ZERO, workspace.pair_count):
        pair = workspace.pairs[each]
        if across & pair.across or down & pair.down:
            safe_across &= ~pair.other_across
            safe_down &= ~pair.other_down
    return safe_across, safe_down


@native()
def loss_of(chain: DotsChain) -> Word:
    """Return the loss of double-crossing a chain, in boxes of the margin: 4, or 8 for a loop.

    0 for a chain of one or two boxes.
    """
    boxes = popcount(chain.boxes)
    if popcount(chain.across) + popcount(chain.down) == boxes:
        return KERNEL_LOOP_LOSS
    return KERNEL_CHAIN_LOSS if boxes > PAIRED else ZERO


@native()
def after_opening(
    workspace: DotsWorkspace, position: DotsState, chain: DotsChain
) -> tuple[Word, Word, Word, Word]:
    """Return what follows if *chain* is opened and all that can be taken then is taken.

    That is (across, down, boxes, loss): the undrawn lines left, as bits; the number of boxes given
    away; and the loss of a double-cross in boxes (see `loss_of`). *chain* must be one of
    *position*, and *position* quiet: not checked. *position* is not changed.
    """
    across, down = position.across ^ chain.across, position.down ^ chain.down
    across, down, more = take_all(workspace, across, down)
    return across, down, popcount(chain.boxes) + more, loss_of(chain)


A, B, C, D = map(
    Word, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xA0761D6478BD642F)
)
"""Odd constants for hashing."""
ENTRY_BOUNDS = Word(0xFFFF)
"""The bits of a table entry that are not its tag."""
DOWN_OFFSET = Word(64)
"""The number of a line down is that of the line across with the same bit plus this."""

EIGHT_LANES = MOST_JUNCTIONS = Word(8)
"""Lanes of a vector, and the most junctions of a shape that is hashed."""
LOOP_NOISE = Word(32)
"""Index of the noise for loops at a junction; below it are those of chains by length."""
REFINEMENTS = 3
"""Rounds of colour refinement."""


@native()
def mixed_bits(word: Any) -> Any:
    """Return a 64-bit hash of *word*, or of each lane if *word* is a vector of words."""
    word = (word ^ word >> Word(32)) * A
    word = (word ^ word >> Word(29)) * C
    return word ^ word >> Word(32)


@native()
def write_name(name: Name, code: Word, isolated: Word) -> None:
    """Write the key and the tag of a position to *name*: see `Name`.

    *code* is a 64-bit hash of what is on the board, *isolated* the position's word of isolated
    chains.
    """
    name.key = (code ^ isolated * B) * A >> Word(32)
    name.tag = (code + isolated * C) * D & ~ENTRY_BOUNDS


@native()
def next_line(across: Word, down: Word) -> tuple[Word, Word, Word]:
    """Return the number of the lowest line (those across first), and the bits of the others.

    They are given as (number, across, down). A line down has the number of its bit + DOWN_OFFSET.
    *across* or *down* must have a line, not checked.
    """
    if across:
        return lowest(across), across & (across - ONE), down
    return lowest(down) + DOWN_OFFSET, across, down & (down - ONE)


@native()
def images_of(workspace: DotsWorkspace, frame: DotsFrame, position: DotsState) -> Vector:
    """Return the eight images of the undrawn lines of *position*, as a vector of words.

    There are eight lanes, one for each image of the board: the XOR of the words of the undrawn
    lines of *position* (see `DotsWorkspace.images_of`). They are found from `images` of the *frame*
    by the lines in which *position* differs from the frame's.
    """
    across = frame.position.across ^ position.across
    down = frame.position.down ^ position.down
    images = vector(frame.images)
    while across | down:
        line, across, down = next_line(across, down)
        images = images ^ vector(workspace.images_of[line].lanes)
    return images


@native()
def name_position(workspace: DotsWorkspace, frame: DotsFrame, position: DotsState) -> None:
    """Write the table key of *position* to its `name`, by its least image and isolated chains.

    The least image is the least of the eight words of `images_of`, found from the images and the
    position of the *frame*, which must be written, as the lines and isolated chains of *position*
    must be: not checked.
    """
    write_name(position.name, least(images_of(workspace, frame, position)), position.isolated)


@native()
def junction_number(many: Word, box: Word) -> Word:
    """Return the number of the junction *box*, from 0: how many of *many* come before it.

    *many* are the bits of all junctions, *box* is one of them; lower bits come before higher ones.
    """
    found: Word = popcount(many & (box - ONE))
    return found


@native()
def tint(workspace: DotsWorkspace, many: Word, box: Word, noise: Word) -> None:
    """Add a noise word to the colour of a junction, which is in `DotsWorkspace.colours`.

    *noise* is the index of the word in `DotsWorkspace.noise`. *many* are the bits of all junctions,
    *box* is the bit of this one.
    """
    workspace.colours[junction_number(many, box)] += workspace.noise[noise]


@native()
def join(workspace: DotsWorkspace, many: Word, one: Word, other: Word, boxes: Word) -> None:
    """Record that a chain of *boxes* boxes (0: a single line) joins junctions *one* and *other*.

    *many* are the bits of all junctions; *one* and *other* are two of them, a bit each. The noise
    word of the length is added to `DotsWorkspace.edges` in both directions.
    """
    here, there, noise = (
        junction_number(many, one),
        junction_number(many, other),
        workspace.noise[boxes],
    )
    workspace.edges[here].lanes[there] += noise
    workspace.edges[there].lanes[here] += noise


@native()
def tint_rim(workspace: DotsWorkspace, many: Word, rim: Word, step: Word) -> None:
    """Add the noise of a single line to a junction's colour for every line that it has in *rim*.

    The colours are those in `DotsWorkspace.colours`. *many* are the bits of the junctions, *rim*
    those of lines, each at one of them: not checked. The box of a line has the line's bit, or the
    one *step* places lower: stride for lines across, 1 for lines down.
    """
    while rim:
        line = bottom_bit(rim)
        rim ^= line
        tint(workspace, many, many & (line | line >> step), ZERO)


@native()
def join_lines(workspace: DotsWorkspace, many: Word, lines: Word, step: Word) -> None:
    """Record that each of *lines* joins the junctions on both its sides, *step* bits apart.

    *step* is the stride for lines across, 1 for lines down. *many* are the bits of all junctions;
    lines with another box on one side are ignored.
    """
    inner = many & many >> step & lines >> step
    while inner:
        box = bottom_bit(inner)
        inner ^= box
        join(workspace, many, box, box << step, ZERO)


@native()
def both_ends(workspace: DotsWorkspace, chain: DotsChain, junction: Word) -> bool:
    """Return whether both ends of a chain are at the *junction*, a bit.

    At least one of its ends must be there: not checked.
    """
    around_across, around_down = lines_around(workspace, junction)
    lines = popcount(chain.across & around_across) + popcount(chain.down & around_down)
    return bool(lines == TWO)


@native()
def list_edges(workspace: DotsWorkspace, frame: DotsFrame, many: Word) -> bool:
    """Write to the workspace the graph of the junctions *many* (bits); return whether it has one.

    Written to `edges` is what joins the junctions: single lines and chains. Written to `colours` is
    the colour of each junction before the first refinement: one that all junctions share
    (`DotsWorkspace.blank`), plus the noise of its lines at the rim and of the chains and loops that
    touch no other junction. Return False if a chain or loop of the *frame* touches no junction, or
    has LOOP_NOISE (32) boxes or more; `edges` and `colours` mean nothing then. The chains of the
    frame must be listed, and the junctions at most MOST_JUNCTIONS: not checked.
    """
    write_lanes(workspace.colours, vector(workspace.blank[popcount(many)].lanes))
    for each in span(ZERO, popcount(many)):
        write_lanes(workspace.edges[each].lanes, spread(ZERO, vector(workspace.colours)))
    across, down = frame.position.across, frame.position.down
    boxes, stride = workspace.all_boxes, workspace.stride
    around_across, around_down = lines_around(workspace, many)
    tint_rim(workspace, many, across & around_across & ~(boxes & boxes << stride), stride)
    tint_rim(workspace, many, down & around_down & ~(boxes & boxes << ONE), ONE)
    join_lines(workspace, many, across, stride)
    join_lines(workspace, many, down, ONE)
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        length, ends = popcount(chain.boxes), chain.ends
        first = bottom_bit(ends)
        if not ends or length >= LOOP_NOISE:
            return False
        if ends != first:
            join(workspace, many, first, ends ^ first, length)
        else:
            back = LOOP_NOISE if both_ends(workspace, chain, ends) else ZERO
            tint(workspace, many, ends, length + back)
    return True


@native()
def refine(workspace: DotsWorkspace, junctions: Word) -> None:
    """Replace each junction's colour by a hash of it and of its neighbours' colours.

    That is one round of colour refinement. *junctions* is their number; the colours are those in
    `DotsWorkspace.colours`, what joins neighbours is in its `edges`.
    """
    around = vector(workspace.colours) * D
    for each in span(ZERO, junctions):
        around = around + vector(workspace.edges[each].lanes) * workspace.colours[each]
    write_lanes(workspace.colours, mixed_bits(around))


@native()
def tells_apart(workspace: DotsWorkspace, junctions: Word) -> bool:
    """Refine the colours REFINEMENTS times, and return whether they then differ for all junctions.

    *junctions* is their number. After the comparison the colours are refined once more.
    """
    for _ in range(REFINEMENTS):
        refine(workspace, junctions)
    alike = some_alike(vector(workspace.colours))
    refine(workspace, junctions)
    return not alike


@native()
def total(workspace: DotsWorkspace) -> Word:
    """Return a 64-bit hash of the workspace's colours, never 0, whatever their order."""
    word: Word = sum_of(mixed_bits(vector(workspace.colours) ^ B)) | ONE
    return word


@native()
def least_shared(workspace: DotsWorkspace, junctions: Word) -> Word:
    """Return the least colour that two junctions share; all 64 bits set if no two do.

    *junctions* is their number, the colours are those in `DotsWorkspace.colours`.
    """
    shared = ~ZERO
    for each in span(ZERO, junctions):
        colour = workspace.colours[each]
        for other in span(ZERO, each):
            if workspace.colours[other] == colour and colour < shared:
                shared = colour
    return shared


@native()
def shape_code(workspace: DotsWorkspace, frame: DotsFrame, many: Word) -> Word:
    """Return a hash of the shape of the frame's position, 1 or more; 0 if it cannot be made.

    *many* are the bits of its junctions; its chains must be listed. The hash is made of colours of
    the junctions. If some junctions share a colour, each junction of the least such colour is
    marked in turn, and the least of the hashes is returned. No hash can be made without junctions,
    with more than MOST_JUNCTIONS, where `list_edges` returns False, and where colours do not tell
    the junctions apart even with one of them marked. The workspace's `colours`, `saved` and `edges`
    are overwritten.
    """
    junctions = popcount(many)
    if not ZERO < junctions <= MOST_JUNCTIONS:
        return ZERO
    if not list_edges(workspace, frame, many):
        return ZERO
    if tells_apart(workspace, junctions):
        return total(workspace)
    write_lanes(workspace.saved, vector(workspace.colours))
    alike, code = least_shared(workspace, junctions), ~ZERO
    for marked in span(ZERO, junctions):
        if workspace.saved[marked] == alike:
            write_lanes(workspace.colours, vector(workspace.saved))
            workspace.colours[marked] = mixed_bits(alike + A)
            if not tells_apart(workspace, junctions):
                return ZERO
            code = min(code, total(workspace))
    return code
