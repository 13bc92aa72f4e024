"""The steps of Dots and Boxes from one quiet position to the next: safe lines, and openings.

Each step has its terms: the boxes it gives away, and from bit 8 on the loss of handing the move
back.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, TWO, ZERO, load, lowest, native, popcount, prefetch, store
from papan.games.dots.kernel import (
    ACROSS,
    BOXES,
    CHAIN,
    CHAIN_LOSS,
    CHAINS,
    CHILD,
    CHILDREN,
    DOWN,
    EIGHT,
    ENDS,
    ISOLATED_AT,
    ISOLATED_CHAINS,
    KEY,
    LEFT,
    LINKS,
    LOOP_LOSS,
    QUICK,
    RING,
    RING_AT,
    RINGS,
    STRIDE,
    TERMS,
    U,
    bottom_bit,
    boxes_beside,
    degrees,
    lines_of,
    loss_of,
    opened,
    safe_lines,
    settle,
)
from papan.games.dots.kernel_transpositions import both_ends, name_child, place

BYTE = U(255)
SHORT_ISOLATED, CHAINS_ISOLATED = U(0b11), U((1 << 43) - 4)
LOOPS_ISOLATED = ~(SHORT_ISOLATED | CHAINS_ISOLATED)
"""Which bits of the word of isolated chains count what."""


@native()
def isolating(workspace, frame, many):
    """The lines, across and down, whose drawing may set a chain or loop free of all junctions."""
    across, down = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    boxes = load(workspace, BOXES)
    held_across = across & boxes & boxes << load(workspace, STRIDE)
    held_down = down & boxes & boxes << ONE
    hit_across, hit_down = ZERO, ZERO
    for each in range(load(workspace, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        ends = load(workspace, chain + ENDS)
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
            held_across &= ~load(workspace, chain + ONE)
            held_down &= ~load(workspace, chain + TWO)
    one, two, more = degrees(workspace, held_across, held_down)
    one_across, one_down = lines_of(workspace, many & one)
    free_across, free_down = lines_of(workspace, many & ~(one | two | more))
    hit_across |= one_across & held_across | free_across
    hit_down |= one_down & held_down | free_down
    return hit_across, hit_down


@native()
def write_child(workspace, child, lines, isolated_chains, left):
    """Begin a position one step further."""
    across, down = lines
    store(workspace, child + ACROSS, across)
    store(workspace, child + DOWN, down)
    store(workspace, child + ISOLATED_CHAINS, isolated_chains)
    store(workspace, child + LEFT, left)


@native()
def finish_child(workspace, transpositions, frame, child, terms):
    """Name a position one step further, and ask for its entry."""
    name_child(workspace, frame, child)
    store(workspace, child + TERMS, terms)
    prefetch(transpositions, place(workspace, child + KEY, QUICK))


@native()
def list_safe(workspace, transpositions, frame, two, many):
    """Write what the safe lines lead to, from the centre outwards: how many there are."""
    across, down = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    isolated_chains, left = load(workspace, frame + ISOLATED_CHAINS), load(workspace, frame + LEFT)
    safe_across, safe_down = safe_lines(workspace, frame, two)
    hit_across, hit_down = isolating(workspace, frame, many)
    child = frame + CHILDREN
    for each in range(load(workspace, RINGS)):
        ring = RING_AT + each * RING
        todo_across, todo_down = (
            safe_across & load(workspace, ring),
            safe_down & load(workspace, ring + ONE),
        )
        while todo_across | todo_down:
            line_across = bottom_bit(todo_across)
            line_down = ZERO if line_across else bottom_bit(todo_down)
            todo_across ^= line_across
            todo_down ^= line_down
            write_child(
                workspace, child, (across ^ line_across, down ^ line_down), isolated_chains, left
            )
            if line_across & hit_across | line_down & hit_down:
                settle(workspace, child, boxes_beside(workspace, line_across, line_down))
            finish_child(workspace, transpositions, frame, child, ZERO)
            child += CHILD
    return child


@native()
def hopeless(bound, boxes, loss, left):
    """Is an opening surely worth less than *bound*?"""
    if loss and 2 * bound > np.int64(loss) - 2 * np.int64(boxes):
        return True
    return bound + np.int64(boxes) > np.int64(left) - np.int64(boxes)


@native()
def list_isolated(workspace, transpositions, frame, child, bound):
    """Write the openings of isolated chains: of the short, the long and the loops the least."""
    lines = load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    isolated_chains, left = load(workspace, frame + ISOLATED_CHAINS), load(workspace, frame + LEFT)
    for kind, loss in (
        (SHORT_ISOLATED, ZERO),
        (CHAINS_ISOLATED, CHAIN_LOSS),
        (LOOPS_ISOLATED, LOOP_LOSS),
    ):
        if isolated_chains & kind:
            field = load(workspace, ISOLATED_AT + lowest(isolated_chains & kind))
            boxes = field & BYTE
            if not hopeless(bound, boxes, loss, left):
                write_child(
                    workspace,
                    child,
                    lines,
                    isolated_chains - (ONE << (field >> EIGHT)),
                    left - boxes,
                )
                finish_child(workspace, transpositions, frame, child, boxes | loss << EIGHT)
                child += CHILD
    return child


@native()
def list_openings(workspace, transpositions, frame, child, bound):
    """Write what opening each chain on the board leads to."""
    isolated_chains, left = load(workspace, frame + ISOLATED_CHAINS), load(workspace, frame + LEFT)
    for each in range(load(workspace, frame + CHAINS)):
        chain = frame + LINKS + each * CHAIN
        own = popcount(load(workspace, chain))
        if hopeless(bound, own, loss_of(workspace, chain), left):
            continue
        across, down, boxes, loss = opened(workspace, frame, chain)
        if not hopeless(bound, boxes, loss, left):
            write_child(workspace, child, (across, down), isolated_chains, left - boxes)
            settle(workspace, child, load(workspace, BOXES if boxes > own else chain + ENDS))
            finish_child(workspace, transpositions, frame, child, boxes | loss << EIGHT)
            child += CHILD
    return child


@native()
def terms_of(workspace, child, bound):
    """What the rest must be worth for *bound* to hold: at least this, at most that."""
    terms = load(workspace, child + TERMS)
    boxes, loss = np.int64(terms & BYTE), np.int64(terms >> EIGHT)
    least = bound + boxes - loss if loss else -np.int64(load(workspace, child + LEFT))
    return least, -bound - boxes
