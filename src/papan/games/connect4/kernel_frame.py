"""Frames: what the moves of each position on the way down lead to, kept while it is searched."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.control import NODES
from papan.engine.native import ONE, ZERO, load, lowest, native, prefetch, store, words_at
from papan.engine.simd import counts, lane_words, lanes_at, spread_lane, store_lanes
from papan.games.connect4.kernel_layout import (
    CELLS,
    HIGH,
    KEY,
    LEFT,
    LOW,
    MINE,
    MY_WINS,
    REST,
    SAME,
    THEIR_WINS,
    THEIRS,
    TRANSPOSITIONS,
)
from papan.games.connect4.kernel_order import keys
from papan.games.connect4.kernel_transpositions import bucket_of, data_of, keep


@native(inline=True)
def position_in(board, frames, frame, lane):
    """The position in a lane of its parent's frame: own stones, the rival's, what wins for him."""
    size, alike = lane_words(board), lanes_at(board, CELLS)
    own, rival, wins = MINE, THEIRS, THEIR_WINS
    if load(frames, frame + SAME * size) >> np.uint64(lane) & ONE == ZERO:
        own, rival, wins = THEIRS, MINE, MY_WINS
    place = frame + lane
    return (
        spread_lane(frames, place + own * size, alike),
        spread_lane(frames, place + rival * size, alike),
        spread_lane(frames, place + wins * size, alike),
    )


@native(inline=True)
def write_frame(board, words, here, sides, bounds):
    """Fill a frame with what its moves lead to."""
    frames, frame, size = here
    mine, theirs, mine_wins, their_wins, empty = sides
    store_lanes(frames, frame + MINE * size, mine)
    store_lanes(frames, frame + THEIRS * size, theirs)
    store_lanes(frames, frame + MY_WINS * size, mine_wins)
    store_lanes(frames, frame + THEIR_WINS * size, their_wins)
    store_lanes(frames, frame + LEFT * size, counts(empty))
    store_lanes(frames, frame + LOW * size, bounds[0])
    store_lanes(frames, frame + HIGH * size, bounds[1])


@native(inline=True)
def write_keys(board, words, here, sides, same):
    """Add the keys of a frame's moves."""
    frames, frame, size = here
    key, rest = keys(board, words, sides, same)
    store_lanes(frames, frame + KEY * size, key)
    store_lanes(frames, frame + REST * size, rest)
    store(frames, frame + SAME * size, same)


@native(inline=True)
def fetch(words, here, live):
    """Ask for the table's entries of all open moves before they are needed."""
    frames, frame, size = here
    transpositions = words_at(load(words, TRANSPOSITIONS))
    while live != ZERO:
        prefetch(
            transpositions,
            bucket_of(words, load(frames, frame + KEY * size + np.int64(lowest(live)))),
        )
        live &= live - ONE


@native(inline=True)
def remember(words, place, best, test):
    """Keep what a search found out about the position in a place of its parent's frame."""
    frames, frame, size, lane = place
    beta, began = test
    low, high = load(frames, frame + LOW * size + lane), load(frames, frame + HIGH * size + lane)
    low, high = np.int64(low), np.int64(high)
    if load(frames, frame + SAME * size) >> np.uint64(lane) & ONE == ZERO:
        low, high = -high, -low
    if best >= beta:
        low = max(low, best)
    else:
        high = min(high, best)
    key, rest = load(frames, frame + KEY * size + lane), load(frames, frame + REST * size + lane)
    keep(words, key, rest, data_of(low, high, load(words, NODES) - began))
