"""What a search may still spend: it counts every node, and looks at the flag now and then."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from papan.kernels.native import ONE, WORDS, load, load_shared, native, store_shared
from papan.kernels.running import GOES_ON, MOST_NODES, NODES, OUT_OF_NODES, STOP, STOPPED

LOOK_EVERY = np.uint64(1023)


@native(types.int64(WORDS), inline=True)
def spend(words):
    """Count a node, if there is one left to be spent."""
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES):
        return OUT_OF_NODES
    store_shared(words, NODES, nodes + ONE)
    if nodes & LOOK_EVERY == LOOK_EVERY and load_shared(words, STOP):
        return STOPPED
    return GOES_ON
