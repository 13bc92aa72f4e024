"""The search for Connect 4: is a position worth at least so much?

Only quiet positions are searched: neither side can win at once. Values are scores: half the number
of empty cells, roughly, that are left when the mover wins; negative when the rival does.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from papan.engine.control import MOST_NODES, NODES, STOP
from papan.engine.native import (
    ONE,
    WORDS,
    ZERO,
    load,
    load_shared,
    lowest,
    native,
    store,
    words_at,
)
from papan.engine.simd import (
    EIGHT,
    POINTERS,
    SIXTEEN,
    WIDE,
    at_least,
    choose,
    eight_at,
    greatest,
    lane_words,
    sixteen_at,
    spread,
    store_lanes,
    wide_at,
)
from papan.games.connect4.kernel_bounds import static_bounds
from papan.games.connect4.kernel_frame import (
    fetch,
    move_scores,
    position_in,
    remember,
    write_frame,
    write_keys,
)
from papan.games.connect4.kernel_layout import (
    CHECK,
    FRAME,
    FRAMES,
    GROW_AT,
    HIGH,
    KEY,
    LEFT,
    LOW,
    MOVE,
    ORDER,
    REST,
    SAME,
)
from papan.games.connect4.kernel_moves import NO_VALUE, played_out
from papan.games.connect4.kernel_transpositions import (
    being_searched,
    bounds_of,
    grow,
    look_up,
    mark_searched,
    unmark_searched,
)

STOPPED = 1000
"""What a search returns that came to no end: no value is as large."""
LOOK_EVERY = np.uint64(4096)
EVERY_LANE = np.uint64(0xFFFF)
LANE = np.uint64(15)
LANE_BITS = np.uint64(4)


@native()
def must_stop(words):
    """Has the caller had enough? Else see to the table, and when to look again."""
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES) or load_shared(words, STOP) != ZERO:
        return True
    if nodes >= load(words, GROW_AT):
        grow(words)
    soon = min(nodes + LOOK_EVERY, load(words, MOST_NODES))
    store(words, CHECK, min(soon, load(words, GROW_AT)))
    return False


@native(inline=True)
def within(words, bounds, live, best, beta):
    """The best value so far and the lanes that are still open, given bounds of each lane."""
    low, high = bounds
    least = spread(np.int64(NO_VALUE), low)
    goal = spread(beta, low)
    reached = at_least(low, goal) & live
    if reached != ZERO:
        most = greatest(choose(reached, low, least))
        store(words, MOVE, lowest(at_least(low, spread(most, low)) & reached))
        return most, ZERO
    possible = at_least(high, goal) & live
    return max(best, greatest(choose(live & ~possible, high, least))), possible


@native(inline=True)
def ordered(words, here, live, best, beta):
    """The open moves of a frame, best first, after a look into the table: best value, how many."""
    frames, frame, size = here
    same, count = load(frames, frame + SAME * size), 0
    while live != ZERO:
        lane = np.int64(lowest(live))
        live &= live - ONE
        place = frame + lane
        data = look_up(words, load(frames, place + KEY * size), load(frames, place + REST * size))
        low, high = bounds_of(data)
        if same >> np.uint64(lane) & ONE == ZERO:
            low, high = -high, -low
        low = max(low, np.int64(load(frames, place + LOW * size)))
        high = min(high, np.int64(load(frames, place + HIGH * size)))
        if low >= beta:
            store(words, MOVE, np.uint64(lane))
            return low, 0
        if high < beta:
            best = max(best, high)
            continue
        store(frames, place + LOW * size, np.uint64(low))
        store(frames, place + HIGH * size, np.uint64(high))
        move_score = load(frames, place + ORDER * size) << LANE_BITS | np.uint64(lane)
        _insert(frames, frame + ORDER * size, count, move_score)
        count += 1
    return best, count


@native(inline=True)
def _insert(frames, order, count, move_score):
    """Put a promise behind the *count* greatest so far, which may move on to let it in."""
    place = count
    while place > 0 and load(frames, order + place - 1) < move_score:
        store(frames, order + place, load(frames, order + place - 1))
        place -= 1
    store(frames, order + place, move_score)


@native()
def search(board, words, frame, lane, beta):
    """A bound of what the position in a *lane* of its parent's frame is worth: *beta* or not."""
    if load(words, NODES) >= load(words, CHECK) and must_stop(words):
        return STOPPED
    began = load(words, NODES) + ONE
    store(words, NODES, began)
    frames, size = words_at(load(words, FRAMES)), lane_words(board)
    place = frame + lane
    left = np.int64(load(frames, place + LEFT * size))
    closing = EVERY_LANE if left & 1 else ZERO
    start = position_in(board, frames, frame, lane)
    best, live, same, sides = played_out(board, words, start, left, beta)
    if live == ZERO:
        return best
    bounds = static_bounds(board, words, sides, same, closing)
    best, live = within(words, bounds, live, best, beta)
    if live == ZERO:
        return best
    here = (frames, frame + FRAME * size, size)
    write_keys(board, words, here, sides, same)
    fetch(words, here, live)
    write_frame(board, words, here, sides, bounds)
    store_lanes(frames, here[1] + ORDER * size, move_scores(board, words, sides, same, closing))
    best, count = ordered(words, here, live, best, beta)
    if count == 0:
        return best
    number, rounds = 0, count
    while number < rounds:
        move_score = load(frames, here[1] + ORDER * size + number)
        child = np.int64(move_score & LANE)
        key = load(frames, here[1] + KEY * size + child)
        if 0 < number < count and being_searched(words, key):
            store(frames, here[1] + ORDER * size + rounds, move_score)
            number, rounds = number + 1, rounds + 1
            continue
        mark_searched(words, key, left)
        if same >> np.uint64(child) & ONE != ZERO:
            value = search(board, words, here[1], child, beta)
        else:
            value = -search(board, words, here[1], child, 1 - beta)
        unmark_searched(words, key, left)
        if abs(value) == STOPPED:
            return STOPPED
        best = max(best, value)
        if best >= beta:
            store(words, MOVE, np.uint64(child))
            break
        number += 1
    remember(words, (frames, frame, size, lane), best, (beta, began))
    return best


@native()
def search_eight(board, words, frame, lane, beta):
    """The search on boards of up to 64 bits and 8 columns, from addresses."""
    return search(eight_at(board), words_at(words), frame, lane, beta)


@native()
def search_sixteen(board, words, frame, lane, beta):
    """The search on boards of up to 64 bits, from addresses."""
    return search(sixteen_at(board), words_at(words), frame, lane, beta)


@native()
def search_wide(board, words, frame, lane, beta):
    """The search on any board, from addresses."""
    return search(wide_at(board), words_at(words), frame, lane, beta)


@native(types.void(types.int64))
def grow_transpositions(words):
    """Make the table larger, from an address."""
    grow(words_at(words))


GROW: Any = grow_transpositions
SEARCHES: dict[tuple[int, int], tuple[Any, Any]] = {
    (1, 8): (EIGHT, search_eight),
    (1, 16): (SIXTEEN, search_sixteen),
    (2, 16): (WIDE, search_wide),
}


@cache
def ready(limbs: int, lanes: int) -> Any:
    """The search for boards of so many limbs and lanes, compiled if it is not yet.

    A search that calls itself needs its types from here: found out by itself, its cached code
    may crash.
    """
    kind, entry = SEARCHES[limbs, lanes]
    number = types.int64
    compiled: Any = search
    compiled.compile(number(POINTERS[kind], WORDS, number, number, number))
    entry.compile(number(number, number, number, number, number))
    return entry
