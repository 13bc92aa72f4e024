"""Which positions other threads are searching: moves that lead there are put off (ABDADA)."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ZERO, load, load_shared, native, store_shared, words_at
from papan.games.connect4.kernel_layout import BEING_SEARCHED, SEARCH_MARKS

PLACE = np.uint64(SEARCH_MARKS - 1)
SMALL = 14
"""With fewer empty cells than that a search is soon over: to tell of it would cost more."""


@native(inline=True)
def being_searched(words, key):
    """Is another thread searching the position of this key?"""
    notes = load(words, BEING_SEARCHED)
    return notes != ZERO and load_shared(words_at(notes), key & PLACE) == key


@native(inline=True)
def mark_searched(words, key, left):
    """Tell other threads that the position of this key is being searched."""
    notes = load(words, BEING_SEARCHED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, key)


@native(inline=True)
def unmark_searched(words, key, left):
    """Tell other threads that the search is over."""
    notes = load(words, BEING_SEARCHED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, ZERO)
