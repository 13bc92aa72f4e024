"""Dots and Boxes, solved: is the side to move sure of so many boxes more than its rival?

Only quiet positions are searched, those without a box to take. A safe line leads to another one. An
opening gives T boxes away; its taker may pay a toll d (leave two boxes of a chain, four of a loop)
to hand the move back, so it is worth T + max(V, -d - V) to him, where V is the value of the rest.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

import numpy as np
from numba import types

from papan.games.dots.kernel import (
    ACROSS,
    BOXES,
    BUSY,
    DOWN,
    FRAME,
    FRAMES,
    IMAGES,
    KEY,
    KID,
    KIDS,
    LEFT,
    QUICK,
    SHAPE_KEY,
    SPARES,
    TAG,
    TERMS,
    THOROUGH,
    U,
    degrees,
    list_chains,
    settle,
)
from papan.games.dots.kernel_key import images_of, name, name_kid, shape_code
from papan.games.dots.kernel_steps import list_openings, list_safe, list_spares, terms_of
from papan.games.dots.kernel_table import find, keep, least_of, most_of, packed, place
from papan.kernels.eight import store_8
from papan.kernels.native import (
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
from papan.kernels.running import MOST_NODES, NODES, STOP, Words

ARRAY = types.uint64[::1]
ROOT = FRAMES + FRAME
"""The first position; the frame before it stays empty."""
STOPPED = 3
"""The word that says that a search was broken off: what it returned means nothing."""
POLL = U(4095)

REFUTED = U(1 << 32)
SHARED_LINES = U(14)
"""Positions with fewer lines are searched without a look at other threads."""


@native()
def answered(desk, table, frame, end, bound):
    """Does the table know a step that makes *bound* hold? Steps it refutes are marked."""
    kid = frame + KIDS
    while kid < end:
        least, most = terms_of(desk, kid, bound)
        left = np.int64(load(desk, kid + LEFT))
        entry = find(desk, table, kid + KEY, QUICK)
        known_least, known_most = least_of(entry, left), most_of(entry, left)
        if known_least >= least and known_most <= most:
            return True
        if known_least > most or known_most < least:
            store(desk, kid + TERMS, REFUTED)
        kid += KID
    return False


@native()
def enter(desk, frame, kid):
    """Make the position at *kid* the next frame."""
    child = frame + FRAME
    for word in range(SHAPE_KEY):
        store(desk, child + word, load(desk, kid + word))
    store_8(desk, child + IMAGES, images_of(desk, frame, kid))
    return child


@native()
def note(desk, kid):
    """Where threads note that they are searching the position at *kid*; 0 if it is not worth it."""
    lines = popcount(load(desk, kid + ACROSS)) + popcount(load(desk, kid + DOWN))
    words = load(desk, BUSY)
    if not words or lines < SHARED_LINES:
        return ZERO
    return (load(desk, kid + KEY) * words >> U(32)) + load(desk, BUSY + ONE)


@native()
def next_kid(desk, table, kid, end):
    """The first position to search that no other thread is at; if there is none, any; or *end*."""
    any_kid = end
    while kid < end:
        if load(desk, kid + TERMS) != REFUTED:
            at = note(desk, kid)
            if not at or load_shared(table, at) != load(desk, kid + TAG):
                return kid
            any_kid = min(any_kid, kid)
        kid += KID
    return any_kid


@native()
def mark(desk, table, kid, tag):
    """Note that this thread is searching the position at *kid*, or with 0 that it has left it."""
    at = note(desk, kid)
    if at:
        store(table, at, tag)


@native()
def spend(words):
    """Count one node: its number, or 0 when the budget is spent."""
    nodes = load(words, NODES) + ONE
    if nodes > load(words, MOST_NODES) or (nodes & POLL == ZERO and load_shared(words, STOP)):
        store(words, STOPPED, ONE)
        return ZERO
    store(words, NODES, nodes)
    return nodes


@native(types.boolean(WORDS, WORDS, WORDS, WORD, types.int64))
def at_least(words, desk, table, frame, bound):
    """Is the position of *frame* worth at least *bound*? Its parity is that of the boxes left."""
    left = np.int64(load(desk, frame + LEFT))
    entry = find(desk, table, frame + KEY, QUICK)
    least, most = least_of(entry, left), most_of(entry, left)
    if least >= bound or most < bound:
        return least >= bound
    _, two, many = degrees(desk, load(desk, frame + ACROSS), load(desk, frame + DOWN))
    list_chains(desk, frame, two, many)
    shape = frame + KEY
    code = shape_code(desk, frame, many)
    if code:
        shape = frame + SHAPE_KEY
        name(desk, shape, code, load(desk, frame + SPARES))
    prefetch(table, place(desk, shape, THOROUGH))
    kid = list_safe(desk, table, frame, two, many)
    entry = find(desk, table, shape, THOROUGH)
    least, most = max(least, least_of(entry, left)), min(most, most_of(entry, left))
    if least >= bound or most < bound:
        keep(desk, table, frame + KEY, QUICK, packed(least, most, left, ZERO))
        return least >= bound
    began = spend(words)
    if not began:
        return False
    kid = list_spares(desk, table, frame, kid, bound)
    end = list_openings(desk, table, frame, kid, bound)
    holds = answered(desk, table, frame, end, bound)
    kid = next_kid(desk, table, frame + KIDS, end)
    while not holds and kid < end:
        floor, ceiling = terms_of(desk, kid, bound)
        child = enter(desk, frame, kid)
        mark(desk, table, kid, load(desk, kid + TAG))
        if not at_least(words, desk, table, child, ceiling + 2):
            holds = at_least(words, desk, table, child, floor)
        mark(desk, table, kid, ZERO)
        store(desk, kid + TERMS, REFUTED)
        kid = next_kid(desk, table, frame + KIDS, end)
    if load(words, STOPPED):
        return False
    least, most = (bound, most) if holds else (least, bound - 2)
    bounds = packed(least, most, left, load(words, NODES) - began)
    keep(desk, table, frame + KEY, QUICK, bounds)
    keep(desk, table, shape, THOROUGH, bounds)
    return holds


@native(types.void(ARRAY))
def begin(desk: Words) -> None:
    """Make the position in the root's frame ready: lines and boxes left are written there."""
    places = words_at(desk.ctypes.data)
    settle(places, ROOT, load(places, BOXES))
    name_kid(places, FRAMES, ROOT)
    store_8(places, ROOT + IMAGES, images_of(places, FRAMES, ROOT))


@native(types.boolean(ARRAY, ARRAY, ARRAY, types.int64))
def root_at_least(words: Words, desk: Words, table: Words, bound: int) -> bool:
    """Is the position in the root's frame worth at least *bound*?"""
    places = words_at(desk.ctypes.data)
    return at_least(words_at(words.ctypes.data), places, words_at(table.ctypes.data), ROOT, bound)
