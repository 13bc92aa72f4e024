"""Which moves to look at first, and how the table knows the positions they lead to."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from papan.engine.native import ONE, ZERO, load, native
from papan.engine.simd import (
    below,
    choose,
    counts,
    first_limb,
    lanes_at,
    last_limb,
    limbs,
    spread,
    which,
)
from papan.games.connect4.kernel_cells import half_made, in_fours, mirrored
from papan.games.connect4.kernel_forced import playable_cells
from papan.games.connect4.kernel_layout import (
    BOTTOMS,
    CELLS,
    CENTRE,
    KEY_BITS,
    LOWER,
    MIRRORED,
    STEP,
    UPPER,
)
from papan.games.connect4.kernel_transpositions import MIX, MIX_REST

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
