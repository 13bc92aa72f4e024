"""The transposition table of the shared alpha-beta: bounds of scores, depth searched, best move.

An entry is four words: low and high bound, the facts, and a check that is the position's key mixed
with the other three. So an entry that another thread has half overwritten is not recognised, and no
locks are needed. A bucket of two entries is one line of the machine's cache.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.engine.native import (
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
from papan.engine.workspace import (
    ALPHA,
    BEST,
    BETA,
    CHOICE,
    GUESSES,
    HINT,
    HITS,
    HORIZON,
    INDEX,
    KEY,
    MASK,
    PLY,
    PROBES,
    REMEMBERS,
    SEEN_GUESSES,
    STORED,
    TRANSPOSITIONS,
    U,
    add,
    emit_answer,
)

ENTRY, BUCKET = 4, 8
LOW_BOUND, HIGH_BOUND, FACTS, CHECK = range(4)
PLY_AT, CHOICE_AT, FIELD = U(16), U(32), U(0xFFFF)
"""The facts: how far the search looked, the ply, the best move as its place among the moves."""
COMPLETE = FIELD
"""The reach of a search that met no horizon."""


@native(WORD(WORDS, INDEX), inline=True)
def words_of(transpositions, entry):
    """The words of an entry, mixed."""
    return (
        load(transpositions, entry)
        ^ load(transpositions, entry + 1)
        ^ load(transpositions, entry + 2)
    )


@native(WORD(WORDS, INDEX), inline=True)
def key_of(transpositions, entry):
    """The key of the position in an entry."""
    return words_of(transpositions, entry) ^ load(transpositions, entry + CHECK)


@native(INDEX(WORDS, INDEX, WORD), inline=True)
def found(transpositions, bucket, key):
    """The entry of a position in its bucket; -1 if there is none."""
    for entry in (bucket, bucket + ENTRY):
        if key_of(transpositions, entry) == key and load(transpositions, entry + FACTS):
            return entry
    return -1


@native(INDEX(WORDS, WORD), inline=True)
def bucket_of(workspace, key):
    """Where the entries of a position may be."""
    return INDEX(key & load(workspace, MASK)) * BUCKET


@native(types.boolean(WORDS, INDEX))
def recall(workspace, frame):
    """Does the table answer? Then with the frame's best score; in any case with a move to try.

    Only a null window is answered: elsewhere the line of play is wanted as well.
    """
    if not load(workspace, REMEMBERS):
        return False
    add(workspace, PROBES, ONE)
    transpositions, key = words_at(load(workspace, TRANSPOSITIONS)), load(workspace, frame + KEY)
    entry = found(transpositions, bucket_of(workspace, key), key)
    if entry < 0:
        return False
    facts = load(transpositions, entry + FACTS)
    store(workspace, frame + HINT, facts >> CHOICE_AT)
    reach = facts & FIELD
    if (facts >> PLY_AT & FIELD) != load(workspace, frame + PLY) or reach < load(
        workspace, HORIZON
    ):
        return False  # the distance to a win counts from the root
    alpha, beta = load_number(workspace, frame + ALPHA), load_number(workspace, frame + BETA)
    low, high = (
        load_number(transpositions, entry + LOW_BOUND),
        load_number(transpositions, entry + HIGH_BOUND),
    )
    if np.nextafter(alpha, np.inf) < beta or (low < beta and high > alpha):
        return False
    add(workspace, HITS, ONE)
    add(workspace, GUESSES, U(reach != COMPLETE))
    store_number(workspace, frame + BEST, low if low >= beta else high)
    emit_answer(workspace, frame)
    return True


@native(types.void(WORDS, INDEX))
def remember(workspace, frame):
    """Keep what a frame came to: over the same position, over what is stale or deeper in the tree,
    or in the second place.
    """
    if not load(workspace, REMEMBERS):
        return
    transpositions, key = words_at(load(workspace, TRANSPOSITIONS)), load(workspace, frame + KEY)
    ply, best = load(workspace, frame + PLY), load_number(workspace, frame + BEST)
    low = best if best > load_number(workspace, frame + ALPHA) else -np.inf
    high = best if best < load_number(workspace, frame + BETA) else np.inf
    sure = load(workspace, GUESSES) == load(workspace, frame + SEEN_GUESSES)
    reach = COMPLETE if sure else load(workspace, HORIZON)
    bucket = bucket_of(workspace, key)
    entry = found(transpositions, bucket, key)
    if entry < 0:
        facts = load(transpositions, bucket + FACTS)
        nearer = (facts >> PLY_AT & FIELD) < ply and facts & FIELD >= load(workspace, HORIZON)
        entry = bucket + ENTRY if facts and nearer else bucket
        add(workspace, STORED, U(load(transpositions, entry + FACTS) == ZERO))
    elif load(transpositions, entry + FACTS) & FIELD == reach:
        low = max(low, load_number(transpositions, entry + LOW_BOUND))
        high = min(high, load_number(transpositions, entry + HIGH_BOUND))
    store_number(transpositions, entry + LOW_BOUND, low)
    store_number(transpositions, entry + HIGH_BOUND, high)
    store(
        transpositions,
        entry + FACTS,
        load(workspace, frame + CHOICE) << CHOICE_AT | ply << PLY_AT | reach,
    )
    store(transpositions, entry + CHECK, key ^ words_of(transpositions, entry))


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
