"""Exact search for Tic Tac Toe on boards of at most 64 cells.

A score is 0 for a draw; a win is worth one more than the cells that it leaves empty, so that sooner
is better; a loss is the same below 0. A search only answers whether the score is above a bar.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import int64, types

from papan.engine.control import MOST_NODES, NODES, STOP, Words
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    WORDS,
    ZERO,
    load,
    load_shared,
    lowest,
    native,
    popcount,
    store,
    store_shared,
    words_at,
)
from papan.games.tictactoe.kernel_bounds import (
    CELLS,
    END_OF_BOUNDS,
    IMAGE_COUNT,
    IMAGES,
    MASK,
    MOST_MASK,
    SHARED,
    bottom_bit,
    drawn_by_pairing,
    foremost,
    static_bounds,
    static_info,
)
from papan.games.tictactoe.kernel_transpositions import BOTTOM, double, recall, remember

U = np.uint64

ROOT = END_OF_BOUNDS
"""The bounds of the score, then for each move those of the rival's score after it: low, high."""
PASS = ROOT + TWO + U(2 * 64)
"""The bounds of the rival's score if it were its turn."""
LINE_LENGTH = PASS + TWO
LINE = LINE_LENGTH + ONE
FRAMES, FRAME = LINE + U(64), U(16)
"""For each number of marks on the board: the marks of both sides in each image of the position."""
WORKSPACE = FRAMES + FRAME * U(66)

ABORTED = 1_000  # a score that no position has: the search was told to stop
LOOK_EVERY = U(1023)


@native(types.UniTuple(WORD, 2)(WORD, WORD, WORD, WORDS))
def key(own, rival, live, workspace):
    """What the table knows a position by: marks off all *live* lines belong to both sides, and
    while there are none, a position and its images are one.
    """
    taken = own | rival
    spent = taken & ~live
    if spent:
        return own | spent, rival | spent
    frame = FRAMES + popcount(taken) * FRAME
    for image in range(frame + TWO, frame + TWO * load(workspace, IMAGE_COUNT), TWO):
        other, other_rival = load(workspace, image), load(workspace, image + ONE)
        if other < own or (other == own and other_rival < rival):
            own, rival = other, other_rival
    return own, rival


@native(types.void(WORD, WORD, WORDS))
def step(taken, move, workspace):
    """Write the images of the position after a move, as the rival sees them."""
    cell = lowest(move)
    frame = FRAMES + popcount(taken) * FRAME
    for image in range(ONE, load(workspace, IMAGE_COUNT)):
        own, rival = frame + TWO * image, frame + TWO * image + ONE
        mark = ONE << load(workspace, IMAGES + U(64) * image + cell)
        store(workspace, own + FRAME, load(workspace, rival))
        store(workspace, rival + FRAME, load(workspace, own) | mark)


@native(WORD(WORDS))
def spend(workspace):
    """Count a node; not 0 if there are no more to be spent."""
    words = words_at(load(workspace, SHARED))
    nodes = load(words, NODES)
    if nodes >= load(words, MOST_NODES):
        return ONE
    store_shared(words, NODES, nodes + ONE)
    if nodes & LOOK_EVERY:
        return ZERO
    if nodes > load(workspace, MASK) and load(workspace, MASK) < load(workspace, MOST_MASK):
        double(workspace)
    return load_shared(words, STOP)


@native(int64(WORD, WORD, int64, WORDS))
def search(own, rival, bar, workspace):
    """A lower bound of the score if it is above *bar*, an upper bound if not."""
    if spend(workspace):
        return ABORTED
    found = static_info(own, rival, workspace)
    low, high = static_bounds(own, rival, found, workspace)
    if low > bar or high <= bar:
        return low if low > bar else high
    _, threats, live, counters, _, _ = found
    key_own, key_rival = key(own, rival, live, workspace)
    known_low, known_high = recall(key_own, key_rival, workspace)
    low, high = max(low, known_low), min(high, known_high)
    if low > bar or high <= bar:
        return low if low > bar else high
    new = known_low == -BOTTOM  # else this has been tried before
    if new and (
        drawn_by_pairing(own, rival, ZERO, workspace)
        if bar >= 0
        else drawn_by_pairing(rival, own, ONE, workspace)
    ):
        return 0

    # A mark off all live lines would be wasted: a mark on one is never worse.
    moves = threats if threats else live & ~(own | rival)
    best = -ABORTED
    while moves and best <= bar:
        move = foremost(counters, moves)
        moves ^= move
        step(own | rival, move, workspace)
        score = -search(rival, own | move, -bar - 1, workspace)
        if score == -ABORTED:
            return ABORTED
        best = max(best, score)
    low, high = (max(low, best), high) if best > bar else (low, min(high, best))
    remember(key_own, key_rival, low, high, workspace)
    return best


@native(WORD(WORD, WORD, WORD, WORD, WORDS))
def settle(own, rival, place, sharp, workspace):
    """Narrow the bounds at *place* until the score is known, or its sign if not *sharp*; 1 if done.

    Wins and losses are looked for in turn, the quickest first: those are found with little work.
    """
    empty = int64(popcount(load(workspace, CELLS) & ~(own | rival)))
    hope = False
    while True:
        low, high = (
            int64(load(workspace, place)) - BOTTOM,
            int64(load(workspace, place + ONE)) - BOTTOM,
        )
        if low >= high or (not sharp and (low > 0 or high < 0)):
            return ONE
        hope = high > 0 and (low >= 0 or not hope)
        bar = high - 1 if hope else low
        score = search(own, rival, bar, workspace)
        if score == ABORTED:
            return ZERO
        if score > bar:
            low = score + (score < 0 and (score + empty) % 2 == 0)  # losses end on even plies
            store_shared(workspace, place, U(low + BOTTOM))
        else:
            high = score - (score > 0 and (score + empty) % 2 != 0)  # and wins on odd ones
            store_shared(workspace, place + ONE, U(high + BOTTOM))


@native(WORD(WORD, WORD, int64, WORDS))
def best_keeping_move(own, rival, score, workspace):
    """The first move that keeps the score, or 0 if the search was told to stop."""
    wins, threats, live, counters, _, _ = static_info(own, rival, workspace)
    free = load(workspace, CELLS) & ~(own | rival)
    moves = wins if wins else threats if threats else live & free
    moves = moves if moves else free
    while moves:
        move = foremost(counters, moves)
        moves ^= move
        if wins or moves == ZERO:
            return move
        step(own | rival, move, workspace)
        answer = search(rival, own | move, -score, workspace)
        if answer == ABORTED:
            return ZERO
        if answer <= -score:
            return move
    return ZERO


@native(WORD(WORD, WORD, WORDS))
def follow(own, rival, workspace):
    """Write down a line of best play to the end; 1 if done."""
    score = int64(load(workspace, ROOT)) - BOTTOM
    length, empty = ZERO, popcount(load(workspace, CELLS) & ~(own | rival))
    plies = empty - U(abs(score)) + ONE if score else empty
    while length < plies:
        move = best_keeping_move(own, rival, score, workspace)
        if move == ZERO:
            return ZERO
        store(workspace, LINE + length, lowest(move))
        length += ONE
        store(workspace, LINE_LENGTH, length)
        step(own | rival, move, workspace)
        own, rival, score = rival, own | move, -score
    return ONE


@native(types.void(WORD, WORDS))
def swap_images(taken, workspace):
    """See the images of the position as the rival does, as if it were its turn."""
    frame = FRAMES + popcount(taken) * FRAME
    for image in range(frame, frame + FRAME, TWO):
        own = load(workspace, image)
        store(workspace, image, load(workspace, image + ONE))
        store(workspace, image + ONE, own)


@native(types.void(WORD, int64, int64, WORDS))
def expect(place, low, high, workspace):
    """Write the first bounds of a score."""
    store(workspace, place, U(low + BOTTOM))
    store(workspace, place + ONE, U(high + BOTTOM))


@native(WORD(WORD, WORD, WORDS))
def settle_pass(own, rival, workspace):
    """Find the sign of the rival's score if it were its turn; 1 if done."""
    empty = int64(popcount(load(workspace, CELLS) & ~(own | rival)))
    expect(
        PASS, BOTTOM - int64(load(workspace, ROOT)), empty, workspace
    )  # to have the turn does no harm
    swap_images(own | rival, workspace)
    done = settle(rival, own, PASS, ZERO, workspace)
    swap_images(own | rival, workspace)
    return done


@native(WORD(WORD, WORD, WORD, WORDS))
def compare(own, rival, everything, workspace):
    """Find which moves are worth as much as the best one; with *everything*, each move's worth.

    If the rival does not even win after a pass, it wins after no move: a mark more does no harm.
    """
    score = int64(load(workspace, ROOT)) - BOTTOM
    wins, moves = static_info(own, rival, workspace)[0], load(workspace, CELLS) & ~(own | rival)
    empty, safe = int64(popcount(moves)), score > 0
    if score == 0 or (score > 0 and everything):
        if settle_pass(own, rival, workspace) == ZERO:
            return ZERO
        safe = int64(load(workspace, PASS + ONE)) - BOTTOM <= 0
    while moves:
        move = bottom_bit(moves)
        moves ^= move
        place = ROOT + TWO + TWO * lowest(move)
        expect(place, -score, -empty if move & wins else 0 if safe else empty - 1, workspace)
        step(own | rival, move, workspace)
        if settle(rival, own | move, place, ZERO, workspace) == ZERO:
            return ZERO
    return ONE


@native()
def solve(own: np.uint64, rival: np.uint64, everything: bool, workspace: Words) -> np.uint64:
    """Find the score, a line of best play and the moves that are as good; 1 if all was done.

    What was found is on the workspace, also if the search was told to stop.
    """
    words = words_at(workspace.ctypes.data)
    if settle(own, rival, ROOT, ONE, words) == ZERO or follow(own, rival, words) == ZERO:
        return ZERO
    return compare(own, rival, everything, words)
