"""What a search remembers of positions: bounds of their scores, how far it looked, the best move.

An entry is four words: low and high bound, the facts, and a check that is the position's key mixed
with the other three. So an entry that another thread has half overwritten is not recognised, and no
locks are needed. A bucket of two entries is one line of the machine's cache.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.kernels.native import (
    ONE,
    WORD,
    WORDS,
    ZERO,
    load,
    load_number,
    native,
    store,
    store_number,
    words_at,
)
from papan.kernels.stack import (
    ALPHA,
    BEST,
    BETA,
    CHOICE,
    GUESSES,
    HINT,
    HITS,
    HORIZON,
    INDEX,
    KEPT,
    KEY,
    MASK,
    PLY,
    PROBES,
    REMEMBERS,
    SEEN_GUESSES,
    TABLE,
    U,
    add,
    tell_answer,
)

ENTRY, BUCKET = 4, 8
LOW_BOUND, HIGH_BOUND, FACTS, CHECK = range(4)
PLY_AT, CHOICE_AT, FIELD = U(16), U(32), U(0xFFFF)
"""The facts: how far the search looked, the ply, the best move as its place among the moves."""
COMPLETE = FIELD
"""The reach of a search that met no horizon."""


@native(WORD(WORDS, INDEX), inline=True)
def words_of(table, entry):
    """The words of an entry, mixed."""
    return load(table, entry) ^ load(table, entry + 1) ^ load(table, entry + 2)


@native(WORD(WORDS, INDEX), inline=True)
def key_of(table, entry):
    """The key of the position in an entry."""
    return words_of(table, entry) ^ load(table, entry + CHECK)


@native(INDEX(WORDS, INDEX, WORD), inline=True)
def found(table, bucket, key):
    """The entry of a position in its bucket; -1 if there is none."""
    for entry in (bucket, bucket + ENTRY):
        if key_of(table, entry) == key and load(table, entry + FACTS):
            return entry
    return -1


@native(INDEX(WORDS, WORD), inline=True)
def bucket_of(desk, key):
    """Where the entries of a position may be."""
    return INDEX(key & load(desk, MASK)) * BUCKET


@native(types.boolean(WORDS, INDEX))
def recall(desk, frame):
    """Does the table answer? Then with the frame's best score; in any case with a move to try.

    Only a null window is answered: elsewhere the line of play is wanted as well.
    """
    if not load(desk, REMEMBERS):
        return False
    add(desk, PROBES, ONE)
    table, key = words_at(load(desk, TABLE)), load(desk, frame + KEY)
    entry = found(table, bucket_of(desk, key), key)
    if entry < 0:
        return False
    facts = load(table, entry + FACTS)
    store(desk, frame + HINT, facts >> CHOICE_AT)
    reach = facts & FIELD
    if (facts >> PLY_AT & FIELD) != load(desk, frame + PLY) or reach < load(desk, HORIZON):
        return False  # the distance to a win counts from the root
    alpha, beta = load_number(desk, frame + ALPHA), load_number(desk, frame + BETA)
    low, high = load_number(table, entry + LOW_BOUND), load_number(table, entry + HIGH_BOUND)
    if np.nextafter(alpha, np.inf) < beta or (low < beta and high > alpha):
        return False
    add(desk, HITS, ONE)
    add(desk, GUESSES, U(reach != COMPLETE))
    store_number(desk, frame + BEST, low if low >= beta else high)
    tell_answer(desk, frame)
    return True


@native(types.void(WORDS, INDEX))
def remember(desk, frame):
    """Keep what a frame came to: over the same position, over what is stale or deeper in the tree,
    or in the second place.
    """
    if not load(desk, REMEMBERS):
        return
    table, key = words_at(load(desk, TABLE)), load(desk, frame + KEY)
    ply, best = load(desk, frame + PLY), load_number(desk, frame + BEST)
    low = best if best > load_number(desk, frame + ALPHA) else -np.inf
    high = best if best < load_number(desk, frame + BETA) else np.inf
    sure = load(desk, GUESSES) == load(desk, frame + SEEN_GUESSES)
    reach = COMPLETE if sure else load(desk, HORIZON)
    bucket = bucket_of(desk, key)
    entry = found(table, bucket, key)
    if entry < 0:
        facts = load(table, bucket + FACTS)
        nearer = (facts >> PLY_AT & FIELD) < ply and facts & FIELD >= load(desk, HORIZON)
        entry = bucket + ENTRY if facts and nearer else bucket
        add(desk, KEPT, U(load(table, entry + FACTS) == ZERO))
    elif load(table, entry + FACTS) & FIELD == reach:
        low = max(low, load_number(table, entry + LOW_BOUND))
        high = min(high, load_number(table, entry + HIGH_BOUND))
    store_number(table, entry + LOW_BOUND, low)
    store_number(table, entry + HIGH_BOUND, high)
    store(table, entry + FACTS, load(desk, frame + CHOICE) << CHOICE_AT | ply << PLY_AT | reach)
    store(table, entry + CHECK, key ^ words_of(table, entry))


ARRAY = types.uint64[::1]


@native(types.void(ARRAY, ARRAY))
def move_in(old, new):
    """Fill an empty table with the entries of a smaller one."""
    mask = U(new.size // BUCKET - 1)
    source, target = words_at(old.ctypes.data), words_at(new.ctypes.data)
    for entry in range(0, old.size, ENTRY):
        if load(source, entry + FACTS):
            place = INDEX(key_of(source, entry) & mask) * BUCKET
            if load(target, place + FACTS):
                place += ENTRY
            for word in range(ENTRY):
                store(target, place + word, load(source, entry + word))
