"""Which positions other threads are searching: moves that lead there are put off."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.games.connect4.kernel_layout import ENGAGED, ENGAGEMENTS
from papan.kernels.native import ZERO, load, load_shared, native, store_shared, words_at

PLACE = np.uint64(ENGAGEMENTS - 1)
SMALL = 14
"""With fewer empty cells than that a search is soon over: to tell of it would cost more."""


@native(inline=True)
def engaged(words, key):
    """Is another thread searching the position of this key?"""
    notes = load(words, ENGAGED)
    return notes != ZERO and load_shared(words_at(notes), key & PLACE) == key


@native(inline=True)
def engage(words, key, left):
    """Tell other threads that the position of this key is being searched."""
    notes = load(words, ENGAGED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, key)


@native(inline=True)
def release(words, key, left):
    """Tell other threads that the search is over."""
    notes = load(words, ENGAGED)
    if notes != ZERO and left >= SMALL:
        store_shared(words_at(notes), key & PLACE, ZERO)
