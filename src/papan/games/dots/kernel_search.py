"""Dots and Boxes, solved: is the side to move sure of so many boxes more than its rival?

Only quiet positions are searched, those without a box to take. A safe line leads to another one. An
opening gives T boxes away; its taker may double-cross at a loss d (leave two boxes of a chain, four
of a loop) to hand the move back, so it is worth T + max(V, -d - V) to him, where V is the value of
the rest.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.control import GOES_ON, NODES, Words, spend
from papan.engine.native import (
    ONE,
    WORD,
    WORDS,
    ZERO,
    load,
    load_shared,
    native,
    popcount,
    prefetch,
    store,
    words_at,
)
from papan.engine.simd import store_lanes
from papan.games.dots.kernel import (
    ACROSS,
    BOXES,
    BUSY,
    CHILD,
    CHILDREN,
    DOWN,
    FRAME,
    FRAMES,
    IMAGES,
    ISOLATED_CHAINS,
    KEY,
    LEFT,
    QUICK,
    SHAPE_KEY,
    TAG,
    TERMS,
    THOROUGH,
    U,
    degrees,
    list_chains,
    settle,
)
from papan.games.dots.kernel_steps import list_isolated, list_openings, list_safe, terms_of
from papan.games.dots.kernel_transpositions import (
    find,
    images_of,
    keep,
    least_of,
    most_of,
    name,
    name_child,
    packed,
    place,
    shape_code,
)

ARRAY = types.uint64[::1]
ROOT = FRAMES + FRAME
"""The first position; the frame before it stays empty."""
BROKEN_OFF = 3
"""The word that says that a search was broken off: what it returned means nothing."""

REFUTED = U(1 << 32)
SHARED_LINES = U(14)
"""Positions with fewer lines are searched without a look at other threads."""


@native()
def answered(workspace, transpositions, frame, end, bound):
    """Does the table know a step that makes *bound* hold? Steps it refutes are marked."""
    child = frame + CHILDREN
    while child < end:
        least, most = terms_of(workspace, child, bound)
        left = np.int64(load(workspace, child + LEFT))
        entry = find(workspace, transpositions, child + KEY, QUICK)
        known_least, known_most = least_of(entry, left), most_of(entry, left)
        if known_least >= least and known_most <= most:
            return True
        if known_least > most or known_most < least:
            store(workspace, child + TERMS, REFUTED)
        child += CHILD
    return False


@native()
def enter(workspace, frame, child):
    """Make the position at *child* the next frame."""
    below = frame + FRAME
    for word in range(SHAPE_KEY):
        store(workspace, below + word, load(workspace, child + word))
    store_lanes(workspace, below + IMAGES, images_of(workspace, frame, child))
    return below


@native()
def note(workspace, child):
    """Where threads note that they are searching the position at *child*; 0 where none does."""
    lines = popcount(load(workspace, child + ACROSS)) + popcount(load(workspace, child + DOWN))
    words = load(workspace, BUSY)
    if not words or lines < SHARED_LINES:
        return ZERO
    return (load(workspace, child + KEY) * words >> U(32)) + load(workspace, BUSY + ONE)


@native()
def next_child(workspace, transpositions, child, end):
    """The first position to search that no other thread is at; if there is none, any; or *end*."""
    any_child = end
    while child < end:
        if load(workspace, child + TERMS) != REFUTED:
            at = note(workspace, child)
            if not at or load_shared(transpositions, at) != load(workspace, child + TAG):
                return child
            any_child = min(any_child, child)
        child += CHILD
    return any_child


@native()
def mark(workspace, transpositions, child, tag):
    """Note that this thread is searching the position at *child*, or with 0 that it has left it."""
    at = note(workspace, child)
    if at:
        store(transpositions, at, tag)


@native()
def next_node(words):
    """Count one node: its number, or 0 when the budget is spent."""
    if spend(words) != GOES_ON:
        store(words, BROKEN_OFF, ONE)
        return ZERO
    return load(words, NODES)


@native(types.boolean(WORDS, WORDS, WORDS, WORD, types.int64))
def at_least(words, workspace, transpositions, frame, bound):
    """Is the position of *frame* worth at least *bound*? Its parity is that of the boxes left."""
    left = np.int64(load(workspace, frame + LEFT))
    entry = find(workspace, transpositions, frame + KEY, QUICK)
    least, most = least_of(entry, left), most_of(entry, left)
    if least >= bound or most < bound:
        return least >= bound
    _, two, many = degrees(
        workspace, load(workspace, frame + ACROSS), load(workspace, frame + DOWN)
    )
    list_chains(workspace, frame, two, many)
    shape = frame + KEY
    code = shape_code(workspace, frame, many)
    if code:
        shape = frame + SHAPE_KEY
        name(workspace, shape, code, load(workspace, frame + ISOLATED_CHAINS))
    prefetch(transpositions, place(workspace, shape, THOROUGH))
    child = list_safe(workspace, transpositions, frame, two, many)
    entry = find(workspace, transpositions, shape, THOROUGH)
    least, most = max(least, least_of(entry, left)), min(most, most_of(entry, left))
    if least >= bound or most < bound:
        keep(workspace, transpositions, frame + KEY, QUICK, packed(least, most, left, ZERO))
        return least >= bound
    began = next_node(words)
    if not began:
        return False
    child = list_isolated(workspace, transpositions, frame, child, bound)
    end = list_openings(workspace, transpositions, frame, child, bound)
    holds = answered(workspace, transpositions, frame, end, bound)
    child = next_child(workspace, transpositions, frame + CHILDREN, end)
    while not holds and child < end:
        floor, ceiling = terms_of(workspace, child, bound)
        below = enter(workspace, frame, child)
        mark(workspace, transpositions, child, load(workspace, child + TAG))
        if not at_least(words, workspace, transpositions, below, ceiling + 2):
            holds = at_least(words, workspace, transpositions, below, floor)
        mark(workspace, transpositions, child, ZERO)
        store(workspace, child + TERMS, REFUTED)
        child = next_child(workspace, transpositions, frame + CHILDREN, end)
    if load(words, BROKEN_OFF):
        return False
    least, most = (bound, most) if holds else (least, bound - 2)
    bounds = packed(least, most, left, load(words, NODES) - began)
    keep(workspace, transpositions, frame + KEY, QUICK, bounds)
    keep(workspace, transpositions, shape, THOROUGH, bounds)
    return holds


@native(types.void(ARRAY))
def begin(workspace: Words) -> None:
    """Make the position in the root's frame ready: lines and boxes left are written there."""
    places = words_at(workspace.ctypes.data)
    settle(places, ROOT, load(places, BOXES))
    name_child(places, FRAMES, ROOT)
    store_lanes(places, ROOT + IMAGES, images_of(places, FRAMES, ROOT))


@native(types.boolean(ARRAY, ARRAY, ARRAY, types.int64))
def root_at_least(words: Words, workspace: Words, transpositions: Words, bound: int) -> bool:
    """Is the position in the root's frame worth at least *bound*?"""
    places = words_at(workspace.ctypes.data)
    return at_least(
        words_at(words.ctypes.data), places, words_at(transpositions.ctypes.data), ROOT, bound
    )
