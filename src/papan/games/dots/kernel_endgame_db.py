"""The endgame database of Dots and Boxes: the values of all quiet positions, four bits each.

First the number of a quiet position: from 0 on, the same for images of a position. The boxes along
the rim are the *ring*, and so are the lines between neighbours there; the lines within are the
*core*. A position is a code: bits for the core, for the ring's lines (each belongs to the box that
comes after it), for the boxes with a rim line to go *once*, and for the corners that have theirs
*twice*. The core is turned to the image that comes first; from then on numbers count positions:
those with another core before, with other lines of the ring, with other rim lines. Fewer lines of
the ring or the rim have a lower number.

Then the values by their number. What is kept is how many of the boxes left the mover gets. On a
board of sixteen boxes, all and none are kept alike: then the steps that follow tell them apart.

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
    WORDS,
    ZERO,
    Word,
    bottom_bit,
    kinds,
    load,
    native,
    popcount,
    signed,
    span,
    store,
    words_at,
)
from papan.games.dots.kernel import (
    WORKSPACE,
    Frame,
    Lines,
    U,
    Workspace,
    degrees,
    frame_at,
    list_chains,
    loss_of,
    opened,
    safe_lines,
    workspace_at,
)
from papan.games.dots.kernel_search import hopeless

ARRAY = kinds.uint64[::1]
Lookup = Any
"""The words of the lookup, and those of the values: their sizes depend on the board."""

# The lookup: one array for all that a numbering needs. First sizes, then where its parts begin.
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
def looked_up(lookup: Lookup, table: Word, word: Word) -> Word:
    """All that a table says of the bytes of a word."""
    found = ZERO
    while word:
        found |= load(lookup, table + (word & BYTE))
        word >>= EIGHT
        table += BYTES
    return found


@native()
def code_of(lookup: Lookup, across: Word, down: Word) -> Word:
    """The code of the position with these undrawn lines."""
    return looked_up(lookup, load(lookup, CODES), across | down << DOWNWARD)


@native()
def lines_of_code(lookup: Lookup, code: Word) -> Lines:
    """The undrawn lines across and down of a position."""
    lines = looked_up(lookup, load(lookup, LINES), code)
    return lines & (ONE << DOWNWARD) - ONE, lines >> DOWNWARD


@native()
def parts_of(lookup: Lookup, code: Word) -> tuple[Word, Word, Word, Word]:
    """The core; of the ring the lines, the boxes with a rim line to go, and those with two."""
    core, ring = load(lookup, CORE), load(lookup, RING)
    all_core, all_ring = (ONE << core) - ONE, (ONE << ring) - ONE
    rest = code >> core
    return code & all_core, rest & all_ring, rest >> ring & all_ring, rest >> ring >> ring


@native()
def joined(lookup: Lookup, core: Word, ring: Word, once: Word, twice: Word) -> Word:
    """The code with these parts."""
    core_bits: Word = load(lookup, CORE)
    bits: Word = load(lookup, RING)
    return core | (ring | (once | twice << bits) << bits) << core_bits


@native()
def code_of_moves(lookup: Lookup, moves: Word) -> Word:
    """The code of the position in which these moves are left: of a corner's two lines, the first
    is taken to be drawn first."""
    core, ring, once, twice = parts_of(lookup, looked_up(lookup, load(lookup, MOVES), moves))
    return joined(lookup, core, ring, once | twice, once & twice)


@native()
def next_lines(lookup: Lookup, ring: Word) -> Word:
    """The ring's lines again: each belongs to the box that comes before it."""
    last: Word = load(lookup, RING) - ONE
    return ring >> ONE | (ring & ONE) << last


@native()
def choices(lookup: Lookup, spokes: Word, ring: Word) -> tuple[Word, Word]:
    """The boxes of the ring with two choices for their rim lines, and with three.

    A box may have any number of lines to go but one. So a box between corners has a choice if two
    others are to go; and a corner, whose two rim lines count as one choice, always has one.
    """
    corners = load(lookup, CORNERS)
    after = next_lines(lookup, ring)
    both, any_one = ring & after, ring | after
    two = ~corners & (both | any_one & spokes) | corners & ~both
    return two, corners & both


@native()
def picked(lookup: Lookup, word: Word, mask: Word) -> Word:
    """The bits of *word* at the places that *mask* has, side by side."""
    half = load(lookup, HALF)
    low = (ONE << half) - ONE
    picks = load(lookup, PICKS)
    first: Word = load(lookup, picks + ((mask & low) << half | word & low))
    second: Word = load(lookup, picks + (mask >> half << half | word >> half))
    count: Word = popcount(mask & low)
    return first | second << count


@native()
def number_of(lookup: Lookup, code: Word) -> Word:
    """The number of a quiet position."""
    core, ring, once, twice = parts_of(lookup, code)
    at = CORES + core * FOUR
    turn = load(lookup, at + TURN)
    if turn:
        boxes = turn + (ONE << load(lookup, RING))
        ring = load(lookup, turn + ring)
        once, twice = load(lookup, boxes + once), load(lookup, boxes + twice)
    two, three = choices(lookup, load(lookup, at + SPOKES), ring)
    corners = load(lookup, CORNERS)
    chosen, weight = ZERO, ONE << popcount(two)
    while three:
        corner = bottom_bit(three)
        three ^= corner
        chosen += weight * (popcount(once & corner) + popcount(twice & corner))
        weight *= THREE
    chosen += picked(lookup, once & ~corners | twice & corners, two)
    before: Word = load(lookup, at + FIRST) + load(lookup, load(lookup, at + BEFORE) + ring)
    return before + chosen


@native()
def power(base: Word, exponent: Word) -> Word:
    """A small power."""
    product = ONE
    for _ in span(ZERO, exponent):
        product *= base
    return product


@native(WORD(ARRAY, WORD, WORD))
def count(lookup: Words, spokes: int, before: int) -> Word:
    """How many positions a core with these spokes has.

    Written at *before*, for all lines of the ring: how many positions come before.
    """
    index = words_at(lookup.ctypes.data)
    total = ZERO
    for ring in span(ZERO, ONE << load(index, RING)):
        store(index, U(before) + ring, total)
        two, three = choices(index, U(spokes), ring)
        total += power(THREE, popcount(three)) << popcount(two)
    return total


FIFTEEN, SIXTEEN = U(15), U(16)
HERE, AHEAD = ZERO, ONE
"""The frames in which the position to be valued, and those further on, are looked at."""


@native()
def stored(lookup: Lookup, values: Lookup, code: Word) -> Word:
    """What is kept of a position."""
    number = number_of(lookup, code)
    word: Word = load(values, number >> FOUR)
    return word >> ((number & FIFTEEN) << TWO) & FIFTEEN


@native()
def keep(values: Lookup, number: Word, own: Word) -> None:
    """Keep how many boxes the mover gets."""
    at, shift = number >> FOUR, (number & FIFTEEN) << TWO
    store(values, at, load(values, at) & ~(FIFTEEN << shift) | (own & FIFTEEN) << shift)


@native()
def look_at(
    workspace: Workspace, lookup: Lookup, frame: Frame, code: Word
) -> tuple[Word, Word, Word]:
    """Put a position into a frame: boxes with two lines to go, with more, the code of its safe
    lines."""
    across, down = lines_of_code(lookup, code)
    frame.position.across, frame.position.down = across, down
    _, two, many = degrees(workspace, across, down)
    safe_across, safe_down = safe_lines(workspace, across, down, two)
    return two, many, code_of(lookup, safe_across, safe_down)


@native(kinds.boolean(WORKSPACE, WORDS, WORDS, WORD))
def gets_all(workspace: Workspace, lookup: Lookup, values: Lookup, code: Word) -> bool:
    """Does the mover, who gets all boxes or none, get all? Then a safe line leaves none."""
    _, _, safe = look_at(workspace, lookup, frame_at(workspace.frames, AHEAD), code)
    while safe:
        child = code ^ bottom_bit(safe)
        if not stored(lookup, values, child) and not gets_all(workspace, lookup, values, child):
            return True
        safe &= safe - ONE
    return False


@native()
def value_of(workspace: Workspace, lookup: Lookup, values: Lookup, code: Word, left: Word) -> int:
    """The value of a quiet position with so many boxes left."""
    own = stored(lookup, values, code)
    if left == SIXTEEN and not own and gets_all(workspace, lookup, values, code):
        own = SIXTEEN
    return 2 * signed(own) - signed(left)


@native(kinds.int64(WORD, ARRAY, WORD, WORD))
def value(address: Word, lookup: Words, values: int, moves: int) -> int:
    """The value of the quiet position with these moves left; *values* is an address."""
    workspace, index = workspace_at(address, ZERO), words_at(lookup.ctypes.data)
    code = code_of_moves(index, U(moves))
    across, down = lines_of_code(index, code)
    _, two, many = degrees(workspace, across, down)
    return value_of(workspace, index, words_at(values), code, popcount(two | many))


@native()
def boxes_won(workspace: Workspace, lookup: Lookup, values: Lookup, code: Word) -> Word:
    """How many of the boxes left the mover gets, by the values of all steps."""
    frame = frame_at(workspace.frames, HERE)
    two, many, safe = look_at(workspace, lookup, frame, code)
    left = popcount(two | many)
    best = -signed(left) - 2
    while safe:
        best = max(best, -value_of(workspace, lookup, values, code ^ bottom_bit(safe), left))
        safe &= safe - ONE
    list_chains(workspace, frame, two, many)
    for each in span(ZERO, frame.chain_count):
        chain = frame.chains[each]
        if not hopeless(best + 2, popcount(chain.boxes), loss_of(chain), left):
            across, down, boxes, loss = opened(workspace, frame.position, chain)
            rest = value_of(workspace, lookup, values, code_of(lookup, across, down), left - boxes)
            taken = signed(boxes) + (max(rest, -signed(loss) - rest) if loss else rest)
            best = max(best, -taken)
    return U(best + signed(left) >> 1) if left else ZERO


@native()
def rim_lines(three: Word, chosen: Word) -> tuple[Word, Word]:
    """The corners with three choices that have a rim line to go, and those that have two."""
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
def fill_ring(workspace: Workspace, lookup: Lookup, values: Lookup, core: Word, ring: Word) -> None:
    """Value all positions with this core and these lines of the ring."""
    at, corners = CORES + core * FOUR, load(lookup, CORNERS)
    number = load(lookup, at + FIRST) + load(lookup, load(lookup, at + BEFORE) + ring)
    spokes, after = load(lookup, at + SPOKES), next_lines(lookup, ring)
    two, three = choices(lookup, spokes, ring)
    either = corners & ~(ring | after)  # none or both of a corner's lines are to go
    always = ~corners & ~two & (ring | after | spokes) | corners & (ring ^ after)
    for way in span(ZERO, power(THREE, popcount(three))):
        corner_once, corner_twice = rim_lines(three, way)
        chosen, more = ZERO, True
        while more:
            once = always | corner_once | chosen & (either | ~corners)
            code = joined(lookup, core, ring, once, corner_twice | chosen & corners)
            keep(values, number, boxes_won(workspace, lookup, values, code))
            number += ONE
            chosen = (chosen - two) & two  # the next subset
            more = chosen != ZERO


@native(kinds.void(WORD, ARRAY, WORD, WORD))
def fill_core(address: Word, lookup: Words, values: int, core: int) -> None:
    """Value all positions with a core that is the first of its images; *values* is an address.

    The values of positions with fewer lines in the core must be there.
    """
    workspace, index = workspace_at(address, ZERO), words_at(lookup.ctypes.data)
    for ring in span(ZERO, ONE << load(index, RING)):
        fill_ring(workspace, index, words_at(values), U(core), ring)
