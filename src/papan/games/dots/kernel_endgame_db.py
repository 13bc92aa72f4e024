"""The endgame database of Dots and Boxes: the values of all quiet positions, four bits each.

A position is quiet if no box can be taken. First its number: from 0 on, the same for all positions
that turn or mirror into each other (images). The boxes along the rim are the *ring*, and so are the
lines between neighbours there; the lines within are the *core*. A position is a code: bits for the
core, for the ring's lines (each belongs to the box that comes after it), for the boxes with an
undrawn rim line (*once*), and for the corners with two (*twice*). The core is turned to the image
that comes first; then its number is the count of positions before it: those with another core, with
fewer lines of the ring, with fewer rim lines.

Then the values by number. What is stored is how many of the boxes left the mover gets. On a board
of sixteen boxes, all and none are stored alike: the steps that follow distinguish them.

Last the filling of a database: positions with fewer lines first, so that safe lines and openings
lead to positions whose values are known by then.
"""

from __future__ import annotations

from typing import Any

from papan.engine.control import Words
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    WORD_POINTER,
    ZERO,
    Word,
    bottom_bit,
    kinds,
    load_word,
    native,
    popcount,
    signed,
    span,
    store,
    words_at,
)
from papan.games.dots.kernel import (
    DOTS_WORKSPACE,
    DotsFrame,
    DotsWorkspace,
    LineWords,
    after_opening,
    degrees,
    dots_frame_at,
    dots_workspace_at,
    list_chains,
    loss_of,
    safe_line_words,
)
from papan.games.dots.kernel_search import hopeless

ARRAY = kinds.uint64[::1]
Lookup = Any
"""A pointer to the 64-bit words of the lookup, or to those of the values, of one board."""

# The lookup: one array for all that a numbering needs. First sizes, then where its parts begin.
CORE, RING, CORNERS, HALF_RING_BITS = map(Word, range(4))
"""Indices of the lookup: bits of the core, bits of the ring; the corners among the ring's boxes;
half the ring's bits.
"""
MOVES_AT, CODES_AT, LINE_CODES_AT, PICKS_AT = Word(4), Word(5), Word(6), Word(7)
"""Indices of where its tables begin: codes by moves, codes by lines, and lines by code, for each
byte of them; bits picked out of half a ring.
"""
CORES_AT, TURN_FIELD, FIRST_FIELD, SPOKES_FIELD, BEFORE_FIELD = Word(8), ZERO, ONE, TWO, Word(3)
"""Index of the first core; then the four words of each core, by their place: the index of two
tables that turn ring lines and ring boxes with it, 0 if it is not turned; its first number; which
of the ring's boxes then have an undrawn line to the core, as bits; the index of the counts of
positions with fewer lines of the ring.
"""

BYTE, BYTES, DOWN_SHIFT = Word(255), Word(256), Word(32)
EIGHT, THREE, FOUR = Word(8), Word(3), Word(4)
CORE_WORDS = FOUR


@native()
def looked_up(lookup: Lookup, table: Word, word: Word) -> Word:
    """Return the OR of the words of a table that the bytes of *word* select, one for each byte.

    *table* is the index of the table's first word in *lookup*. It has 256 words for the lowest byte
    of *word*, then 256 for the next one, and so on.
    """
    found = ZERO
    while word:
        found |= load_word(lookup, table + (word & BYTE))
        word >>= EIGHT
        table += BYTES
    return found


@native()
def code_of(lookup: Lookup, across: Word, down: Word) -> Word:
    """Return the code of the position whose undrawn lines are the bits *across* and *down*.

    A code is a bit for each line, part by part, as the head of this module says.
    """
    return looked_up(lookup, load_word(lookup, CODES_AT), across | down << DOWN_SHIFT)


@native()
def lines_of_code(lookup: Lookup, code: Word) -> LineWords:
    """Return the bits of the undrawn lines, across and down, of the position with this code.

    They lie as in `kernel.DotsState`; `code_of` is the inverse.
    """
    lines = looked_up(lookup, load_word(lookup, LINE_CODES_AT), code)
    return lines & (ONE << DOWN_SHIFT) - ONE, lines >> DOWN_SHIFT


@native()
def parts_of(lookup: Lookup, code: Word) -> tuple[Word, Word, Word, Word]:
    """Return a code's parts: core lines, ring lines, boxes with a rim line, corners with two.

    All are bits: of core lines by the place in `endgame_db.Parts.core`, else by the place in the
    ring.
    """
    core, ring = load_word(lookup, CORE), load_word(lookup, RING)
    all_core, all_ring = (ONE << core) - ONE, (ONE << ring) - ONE
    rest = code >> core
    return code & all_core, rest & all_ring, rest >> ring & all_ring, rest >> ring >> ring


@native()
def joined_code(lookup: Lookup, core: Word, ring: Word, once: Word, twice: Word) -> Word:
    """Return the code with the parts *core*, *ring*, *once* and *twice*, as `parts_of` has them."""
    core_bits: Word = load_word(lookup, CORE)
    bits: Word = load_word(lookup, RING)
    return core | (ring | (once | twice << bits) << bits) << core_bits


@native()
def code_of_moves(lookup: Lookup, moves: Word) -> Word:
    """Return the code of the position in which the lines of the bitboard *moves* are undrawn.

    A line has the bit of its number as a move. Of a corner's two rim lines the first counts as
    drawn first.
    """
    core, ring, once, twice = parts_of(
        lookup, looked_up(lookup, load_word(lookup, MOVES_AT), moves)
    )
    return joined_code(lookup, core, ring, once | twice, once & twice)


@native()
def next_lines(lookup: Lookup, ring: Word) -> Word:
    """Return the ring's lines, each at the bit of the box that comes before it.

    *ring* has them at the bit of the box that comes after it.
    """
    last: Word = load_word(lookup, RING) - ONE
    return ring >> ONE | (ring & ONE) << last


@native()
def rim_choices(lookup: Lookup, spokes: Word, ring: Word) -> tuple[Word, Word]:
    """Return the boxes of the ring with two choices for their rim lines, and those with three.

    All are bits by the place of a box in the ring: *ring* has the undrawn lines between it and the
    box before, *spokes* the boxes with an undrawn line to the core. A position is quiet only if no
    box has exactly one undrawn line. So a box between corners may have its rim line drawn or not if
    two of its other lines are undrawn; a corner, whose two rim lines are interchangeable, always
    has a choice.
    """
    corners = load_word(lookup, CORNERS)
    after = next_lines(lookup, ring)
    both, any_one = ring & after, ring | after
    two = ~corners & (both | any_one & spokes) | corners & ~both
    return two, corners & both


@native()
def picked(lookup: Lookup, word: Word, mask: Word) -> Word:
    """Return the bits of *word* at the places of *mask*, moved together to the low end.

    Both have one bit for each box of the ring.
    """
    half = load_word(lookup, HALF_RING_BITS)
    low = (ONE << half) - ONE
    picks = load_word(lookup, PICKS_AT)
    first: Word = load_word(lookup, picks + ((mask & low) << half | word & low))
    second: Word = load_word(lookup, picks + (mask >> half << half | word >> half))
    count: Word = popcount(mask & low)
    return first | second << count


@native()
def number_of(lookup: Lookup, code: Word) -> Word:
    """Return the number of a quiet position, from 0, given its code; its images have the same.

    For a code that is not quiet the result means nothing.
    """
    core, ring, once, twice = parts_of(lookup, code)
    at = CORES_AT + core * CORE_WORDS
    turn = load_word(lookup, at + TURN_FIELD)
    if turn:
        boxes = turn + (ONE << load_word(lookup, RING))
        ring = load_word(lookup, turn + ring)
        once, twice = load_word(lookup, boxes + once), load_word(lookup, boxes + twice)
    two, three = rim_choices(lookup, load_word(lookup, at + SPOKES_FIELD), ring)
    corners = load_word(lookup, CORNERS)
    chosen, weight = ZERO, ONE << popcount(two)
    while three:
        corner = bottom_bit(three)
        three ^= corner
        chosen += weight * (popcount(once & corner) + popcount(twice & corner))
        weight *= THREE
    chosen += picked(lookup, once & ~corners | twice & corners, two)
    before: Word = load_word(lookup, at + FIRST_FIELD) + load_word(
        lookup, load_word(lookup, at + BEFORE_FIELD) + ring
    )
    return before + chosen


@native()
def small_power(base: Word, exponent: Word) -> Word:
    """Return *base* to the power of *exponent*, by repeated multiplication, modulo 2**64."""
    product = ONE
    for _ in span(ZERO, exponent):
        product *= base
    return product


@native(WORD(ARRAY, WORD, WORD))
def count_positions(lookup: Words, spokes: int, before: int) -> Word:
    """Return how many quiet positions have a given core, whose undrawn spokes are *spokes*.

    *spokes* are bits by the place of their box in the ring. The *lookup* is changed: from index
    *before* on, for each set of ring lines, it gets how many positions come before those with it.
    """
    index = words_at(lookup.ctypes.data)
    total = ZERO
    for ring in span(ZERO, ONE << load_word(index, RING)):
        store(index, Word(before) + ring, total)
        two, three = rim_choices(index, Word(spokes), ring)
        total += small_power(THREE, popcount(three)) << popcount(two)
    return total


FIFTEEN, SIXTEEN = Word(15), Word(16)
HERE_FRAME, AHEAD_FRAME = ZERO, ONE
"""The frames for the position to be valued, and for those further on."""


@native()
def stored(lookup: Lookup, values: Lookup, code: Word) -> Word:
    """Return the stored value of the quiet position *code*: the boxes its mover gets, 0 to 15.

    16 boxes are stored as 0: see `gets_all`.
    """
    number = number_of(lookup, code)
    word: Word = load_word(values, number >> FOUR)
    return word >> ((number & FIFTEEN) << TWO) & FIFTEEN


@native()
def store_value(values: Lookup, number: Word, own: Word) -> None:
    """Store the value of position *number*: the lowest four bits of *own*, its mover's boxes.

    The word in *values*, which has sixteen values, is changed in place.
    """
    at, shift = number >> FOUR, (number & FIFTEEN) << TWO
    store(values, at, load_word(values, at) & ~(FIFTEEN << shift) | (own & FIFTEEN) << shift)


@native()
def fill_frame(
    workspace: DotsWorkspace, lookup: Lookup, frame: DotsFrame, code: Word
) -> tuple[Word, Word, Word]:
    """Write the undrawn lines of the position *code* to a frame; return its boxes and safe lines.

    Three words are returned: the bits of the boxes with two undrawn lines, the bits of those with
    three or four, and the code of the safe lines. Of the frame only the lines are written.
    """
    across, down = lines_of_code(lookup, code)
    frame.position.across, frame.position.down = across, down
    _, two, many = degrees(workspace, across, down)
    safe_across, safe_down = safe_line_words(workspace, across, down, two)
    return two, many, code_of(lookup, safe_across, safe_down)


@native(kinds.boolean(DOTS_WORKSPACE, WORD_POINTER, WORD_POINTER, WORD))
def gets_all(workspace: DotsWorkspace, lookup: Lookup, values: Lookup, code: Word) -> bool:
    """Return whether the 0 boxes stored for *code* mean that its mover gets all sixteen.

    0 and 16 are stored alike. The mover gets all if a safe line leaves the rival none. *code* must
    be a quiet position with sixteen boxes left: not checked. The frame AHEAD_FRAME is overwritten.
    """
    _, _, safe = fill_frame(workspace, lookup, dots_frame_at(workspace.frames, AHEAD_FRAME), code)
    while safe:
        child = code ^ bottom_bit(safe)
        if not stored(lookup, values, child) and not gets_all(workspace, lookup, values, child):
            return True
        safe &= safe - ONE
    return False


@native()
def value_of(
    workspace: DotsWorkspace, lookup: Lookup, values: Lookup, code: Word, left: Word
) -> int:
    """Return the value of the quiet position *code*: boxes to come, the mover's less the rival's.

    It is 2 * own - *left*, where *left* is the number of boxes left and *own* the stored number of
    those that the mover gets. The frame AHEAD_FRAME may be overwritten.
    """
    own = stored(lookup, values, code)
    if left == SIXTEEN and not own and gets_all(workspace, lookup, values, code):
        own = SIXTEEN
    return 2 * signed(own) - signed(left)


@native(kinds.int64(WORD, ARRAY, WORD, WORD))
def database_value(address: Word, lookup: Words, values: int, moves: int) -> int:
    """Return the value of the quiet position with the lines *moves* undrawn, for its mover.

    It is the boxes still to come, the mover's less the rival's. *moves* has a bit for the number of
    each line. *address* is the address of the workspace, *values* the address of the stored values;
    *lookup* is the array of `PositionNumbering`. The frame AHEAD_FRAME may be overwritten. Of a
    position that is not quiet the result means nothing.
    """
    workspace, index = dots_workspace_at(address, ZERO), words_at(lookup.ctypes.data)
    code = code_of_moves(index, Word(moves))
    across, down = lines_of_code(index, code)
    _, two, many = degrees(workspace, across, down)
    return value_of(workspace, index, words_at(values), code, popcount(two | many))


@native()
def boxes_won(workspace: DotsWorkspace, lookup: Lookup, values: Lookup, code: Word) -> Word:
    """Return how many of the boxes left the mover gets in the quiet position *code*; 0 at the end.

    It follows from the stored values of the positions one step further, which must be stored
    already: not checked. Nothing is stored. The frames HERE_FRAME and AHEAD_FRAME are overwritten.
    """
    frame = dots_frame_at(workspace.frames, HERE_FRAME)
    two, many, safe = fill_frame(workspace, lookup, frame, code)
    left = popcount(two | many)
    best = -signed(left) - 2
    while safe:
        best = max(best, -value_of(workspace, lookup, values, code ^ bottom_bit(safe), left))
        safe &= safe - ONE
    list_chains(workspace, frame, two, many)
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        if not hopeless(best + 2, popcount(chain.boxes), loss_of(chain), left):
            across, down, boxes, loss = after_opening(workspace, frame.position, chain)
            rest = value_of(workspace, lookup, values, code_of(lookup, across, down), left - boxes)
            taken = signed(boxes) + (max(rest, -signed(loss) - rest) if loss else rest)
            best = max(best, -taken)
    return Word(best + signed(left) >> 1) if left else ZERO


@native()
def rim_lines(three: Word, chosen: Word) -> tuple[Word, Word]:
    """Return the corners among *three* that have an undrawn rim line, and those that have two.

    All are bits by the place in the ring. *chosen* has one digit to the base 3 for each corner, the
    lowest first: its number of undrawn rim lines.
    """
    once, twice = ZERO, ZERO
    while three:
        corner = bottom_bit(three)
        three ^= corner
        lines = chosen % THREE
        chosen //= THREE
        once |= corner if lines else ZERO
        twice |= corner if lines == TWO else ZERO
    return once, twice


@native()
def fill_ring(
    workspace: DotsWorkspace, lookup: Lookup, values: Lookup, core: Word, ring: Word
) -> None:
    """Store the values of all quiet positions with this core and these undrawn lines of the ring.

    *core* is bits by the place in `endgame_db.Parts.core`, *ring* bits by the place in the ring.
    The values of positions one step further that have another core or other ring lines must be
    stored already: not checked. *values* is changed in place.
    """
    at, corners = CORES_AT + core * CORE_WORDS, load_word(lookup, CORNERS)
    number = load_word(lookup, at + FIRST_FIELD) + load_word(
        lookup, load_word(lookup, at + BEFORE_FIELD) + ring
    )
    spokes, after = load_word(lookup, at + SPOKES_FIELD), next_lines(lookup, ring)
    two, three = rim_choices(lookup, spokes, ring)
    either = corners & ~(ring | after)  # none or both of a corner's lines are to go
    always = ~corners & ~two & (ring | after | spokes) | corners & (ring ^ after)
    for way in span(ZERO, small_power(THREE, popcount(three))):
        corner_once, corner_twice = rim_lines(three, way)
        chosen, more = ZERO, True
        while more:
            once = always | corner_once | chosen & (either | ~corners)
            code = joined_code(lookup, core, ring, once, corner_twice | chosen & corners)
            store_value(values, number, boxes_won(workspace, lookup, values, code))
            number += ONE
            chosen = (chosen - two) & two  # the next subset
            more = chosen != ZERO


@native(kinds.void(WORD, ARRAY, WORD, WORD))
def fill_core(address: Word, lookup: Words, values: int, core: int) -> None:
    """Store the values of all positions with the core *core*, which is the first of its images.

    *core* has a bit for each undrawn line, by the place in `endgame_db.Parts.core`. The values of
    positions with fewer lines in the core must be stored already: not checked. *address* is the
    address of the workspace, *values* the address of the stored values, which are changed in place;
    *lookup* is the array of `PositionNumbering`.
    """
    workspace, index = dots_workspace_at(address, ZERO), words_at(lookup.ctypes.data)
    for ring in span(ZERO, ONE << load_word(index, RING)):
        fill_ring(workspace, index, words_at(values), Word(core), ring)
