"""Frames: what the moves of each position on the way down lead to, and which to look at first."""

# mypy: disable-error-code="no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np

from papan.engine.control import NODES
from papan.engine.native import ONE, ZERO, load, lowest, native, prefetch, store, words_at
from papan.engine.simd import (
    below,
    choose,
    counts,
    first_limb,
    lane_words,
    lanes_at,
    last_limb,
    limbs,
    spread,
    spread_lane,
    store_lanes,
    which,
)
from papan.games.connect4.kernel_layout import (
    BOTTOMS,
    CELLS,
    CENTRE,
    HIGH,
    KEY,
    KEY_BITS,
    LEFT,
    LOW,
    LOWER,
    MINE,
    MIRRORED,
    MY_WINS,
    REST,
    SAME,
    STEP,
    THEIR_WINS,
    THEIRS,
    TRANSPOSITIONS,
    UPPER,
)
from papan.games.connect4.kernel_moves import half_made, in_fours, mirrored, playable_cells
from papan.games.connect4.kernel_transpositions import MIX, MIX_REST, bucket_of, data_of, keep

THREAT, GOOD_THREAT, NEXT_THREAT, HALF_MADE = (np.uint64(score) for score in (6, 2, 2, 1))
INITIATIVE, SAFE_ANSWER, CENTRAL = (np.uint64(score) for score in (9, 2, 2))
BASE = np.uint64(1000)
"""What a move promises: cells that win, more if they will fall to the mover or are soon playable;
fours half made; the move after the next; few safe answers; the middle of the board."""


@native(inline=True)
def move_scores(board, words, sides, same, closing):
    """How much each move promises, as positive numbers: the search begins with the greatest."""
    mine, _, wins, _, empty = sides
    playable = playable_cells(board, empty)
    good = choose(closing, lanes_at(board, UPPER), lanes_at(board, LOWER))
    score = spread(BASE, empty) + counts(wins) * spread(THREAT, empty)
    score = score + counts(wins & good) * spread(GOOD_THREAT, empty)
    score = score + counts(wins & (playable << ONE)) * spread(NEXT_THREAT, empty)
    score = score + half_made(mine, mine | empty, load(words, STEP)) * spread(HALF_MADE, empty)
    score = score + choose(same, spread(INITIATIVE, empty), spread(ZERO, empty))
    score = score - counts(playable & ~(wins >> ONE)) * spread(SAFE_ANSWER, empty)
    return score + first_limb(lanes_at(board, CENTRE)) * spread(CENTRAL, empty)


@native(inline=True)
def keys(board, words, sides, same):
    """The two halves of each position's key, the first one mixed."""
    mine, theirs, _, _, empty = sides
    step = load(words, STEP)
    heights = (empty ^ lanes_at(board, CELLS)) + lanes_at(board, BOTTOMS)
    if limbs(board) == 1:  # a stone that no open four needs makes no difference: the key forgets it
        mine, theirs = mine & in_fours(mine | empty, step), theirs & in_fours(theirs | empty, step)
    own, rival = choose(same, mine, theirs) | heights, choose(same, theirs, mine)
    first, rest = _halves(board, words, own, rival)
    if load(words, MIRRORED) != ZERO:
        image = mirrored(board, words, own), mirrored(board, words, rival)
        other, other_rest = _halves(board, words, *image)
        swap = below(other, first) | (~which(first ^ other) & below(other_rest, rest))
        first, rest = choose(swap, other, first), choose(swap, other_rest, rest)
    return _mixed(words, first, rest), rest


@native(inline=True)
def _halves(board, words, own, rival):
    """A board of two limbs is too large for two sets of stones: its heights and own stones do."""
    if limbs(board) == 1:
        return first_limb(own), first_limb(rival)
    bits = load(words, KEY_BITS)
    mask = spread((ONE << bits) - ONE, own)
    return first_limb(own) & mask, (first_limb(own) >> bits) | (
        last_limb(own) << np.uint64(64) - bits
    )


@native(inline=True)
def _mixed(words, first, rest):
    """The first half of a key, spread over all of its bits; the second half undoes it."""
    mask = spread((ONE << load(words, KEY_BITS) - ONE) * np.uint64(2) - ONE, first)
    return (first + rest * spread(MIX_REST, first)) * spread(MIX, first) & mask


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
