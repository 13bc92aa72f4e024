"""Exact search for Tic Tac Toe on boards of at most 64 cells.

A score is 0 for a draw; a win is worth one more than the cells that it leaves empty, so that sooner
is better; a loss is the same below 0. A search only answers whether the score is above a bar.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from papan.engine.control import GOES_ON, NODES, NODES_PER_LOOK, spend
from papan.engine.memory import Row, kind, records_at
from papan.engine.native import (
    ONE,
    TWO,
    WORD,
    ZERO,
    Word,
    kinds,
    load,
    lowest,
    native,
    popcount,
    signed,
    span,
    words_at,
)
from papan.games.tictactoe.kernel_bounds import (
    PAIR,
    SCORES,
    Lines,
    bottom_bit,
    drawn_by_pairing,
    foremost,
    static_bounds,
    static_info,
)

U = np.uint64
NUMBER = kinds.int64

BOTTOM = 128
"""No score is so low, nor its opposite so high."""
ABORTED = 1_000  # a score that no position has: the search was told to stop
FIRST_BUCKETS = 1 << 10
FREE, KNOWN = np.int32(0), np.int32(1)


class Entry:
    """A position in the transposition table. Two are a bucket."""

    own: Word
    rival: Word
    """The marks of the side to move and of its rival, as `key` gives them."""
    low: np.int16
    high: np.int16
    """The bounds of its score."""
    known: np.int32
    """KNOWN, or FREE where nothing is kept."""


class Bounds:
    """What is known of a score."""

    low: np.int64
    high: np.int64


class Marks:
    """A position: the marks of the side to move and of its rival."""

    own: Word
    rival: Word


class Workspace:
    """What one solution works with."""

    controls: Word
    """Where the words are that are shared with the caller: `papan.engine.control`."""
    transpositions: Word
    """Where the entries of the transposition table are."""
    mask: Word
    most_mask: Word
    """The table's last bucket, now and at most."""
    lines: Lines
    image_count: Word
    images: Annotated[Row[Word], 8, 64]
    """For each of the eight images of the board the bit of each cell."""
    root: Bounds
    """Of the score."""
    moves: Annotated[Row[Bounds], 64]
    """Of the rival's score after each move."""
    passed: Bounds
    """Of the rival's score if it were its turn."""
    line_length: Word
    line: Annotated[Row[Word], 64]
    """The cells of the best play."""
    frames: Annotated[Row[Marks], 66, 8]
    """For each number of marks on the board each image of the position."""


WORKSPACE, BOUNDS = kind(Workspace), kind(Bounds)
entry_at = records_at(Entry)


@native(WORD(WORD, WORD))
def mix(own: Word, rival: Word) -> Word:
    """A number that spreads positions over the table."""
    mixed = own * U(0x9E3779B97F4A7C15) ^ rival * U(0xC2B2AE3D27D4EB4F)
    mixed = (mixed ^ mixed >> U(29)) * U(0xBF58476D1CE4E5B9)
    return mixed ^ mixed >> U(32)


@native(kinds.void(WORKSPACE))
def double(workspace: Workspace) -> None:
    """Make the table twice as large: whatever is at home in the new half moves there."""
    buckets = workspace.mask + ONE
    workspace.mask = buckets + buckets - ONE
    for place in span(ZERO, buckets * TWO):
        entry = entry_at(workspace.transpositions, place)
        if mix(entry.own, entry.rival) & buckets:
            away = entry_at(workspace.transpositions, place + buckets * TWO)
            away.own, away.rival = entry.own, entry.rival
            away.low, away.high, away.known = entry.low, entry.high, entry.known
            entry.known = FREE


@native(SCORES(WORD, WORD, WORKSPACE))
def recall(own: Word, rival: Word, workspace: Workspace) -> tuple[int, int]:
    """The bounds that the table has for a position."""
    bucket = (mix(own, rival) & workspace.mask) * TWO
    for place in (bucket, bucket + ONE):
        entry = entry_at(workspace.transpositions, place)
        if entry.own == own and entry.rival == rival and entry.known:
            return signed(entry.low), signed(entry.high)
    return -BOTTOM, BOTTOM


@native(kinds.void(WORD, WORD, NUMBER, NUMBER, WORKSPACE))
def remember(own: Word, rival: Word, low: int, high: int, workspace: Workspace) -> None:
    """Put a position into the table: of the two in its bucket, the fuller board gives way."""
    place = (mix(own, rival) & workspace.mask) * TWO
    entry = entry_at(workspace.transpositions, place)
    fuller = popcount(own | rival) > popcount(entry.own | entry.rival)
    same = own == entry.own and rival == entry.rival
    if fuller and not same and entry.known:
        entry = entry_at(workspace.transpositions, place + ONE)
    entry.own, entry.rival = own, rival
    entry.low, entry.high, entry.known = np.int16(low), np.int16(high), KNOWN


@native(PAIR(WORD, WORD, WORD, WORKSPACE))
def key(own: Word, rival: Word, live: Word, workspace: Workspace) -> tuple[Word, Word]:
    """What the table knows a position by: marks off all *live* lines belong to both sides, and
    while there are none, a position and its images are one.
    """
    taken = own | rival
    spent = taken & ~live
    if spent:
        return own | spent, rival | spent
    plies = popcount(taken)
    for number in span(ONE, workspace.image_count):
        image = workspace.frames[plies, number]
        if image.own < own or (image.own == own and image.rival < rival):
            own, rival = image.own, image.rival
    return own, rival


@native(kinds.void(WORD, WORD, WORKSPACE))
def step(taken: Word, move: Word, workspace: Workspace) -> None:
    """Write the images of the position after a move, as the rival sees them."""
    cell, plies = lowest(move), popcount(taken)
    for number in span(ONE, workspace.image_count):
        image, after = workspace.frames[plies, number], workspace.frames[plies + ONE, number]
        after.own = image.rival
        after.rival = image.own | ONE << workspace.images[number, cell]


@native(kinds.boolean(WORKSPACE))
def spent(workspace: Workspace) -> bool:
    """Count a node, and let the table grow with them; True if there are no more to be spent."""
    controls = words_at(workspace.controls)
    nodes = load(controls, NODES)
    if spend(controls) != GOES_ON:
        return True
    if nodes % NODES_PER_LOOK == ZERO and workspace.mask < min(nodes, workspace.most_mask):
        double(workspace)
    return False


@native(NUMBER(WORD, WORD, NUMBER, WORKSPACE))
def search(own: Word, rival: Word, bar: int, workspace: Workspace) -> int:
    """A lower bound of the score if it is above *bar*, an upper bound if not."""
    if spent(workspace):
        return ABORTED
    found = static_info(own, rival, workspace.lines)
    low, high = static_bounds(own, rival, found, workspace.lines)
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
        drawn_by_pairing(own, rival, ZERO, workspace.lines)
        if bar >= 0
        else drawn_by_pairing(rival, own, ONE, workspace.lines)
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


@native(WORD(WORD, WORD, BOUNDS, WORD, WORKSPACE))
def settle(own: Word, rival: Word, bounds: Bounds, sharp: Word, workspace: Workspace) -> Word:
    """Narrow the *bounds* until the score is known, or its sign if not *sharp*; 1 if done.

    Wins and losses are looked for in turn, the quickest first: those are found with little work.
    """
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    hope = False
    while True:
        low, high = signed(bounds.low), signed(bounds.high)
        if low >= high or (not sharp and (low > 0 or high < 0)):
            return ONE
        hope = high > 0 and (low >= 0 or not hope)
        bar = high - 1 if hope else low
        score = search(own, rival, bar, workspace)
        if score == ABORTED:
            return ZERO
        if score > bar:
            even = score < 0 and (score + empty) % 2 == 0  # losses end on even plies
            bounds.low = np.int64(score + even)
        else:
            odd = score > 0 and (score + empty) % 2 != 0  # and wins on odd ones
            bounds.high = np.int64(score - odd)


@native(WORD(WORD, WORD, NUMBER, WORKSPACE))
def best_keeping_move(own: Word, rival: Word, score: int, workspace: Workspace) -> Word:
    """The first move that keeps the score, or 0 if the search was told to stop."""
    wins, threats, live, counters, _, _ = static_info(own, rival, workspace.lines)
    free = workspace.lines.cells & ~(own | rival)
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


@native(WORD(WORD, WORD, WORKSPACE))
def follow(own: Word, rival: Word, workspace: Workspace) -> Word:
    """Write down a line of best play to the end; 1 if done."""
    score = signed(workspace.root.low)
    length, empty = ZERO, popcount(workspace.lines.cells & ~(own | rival))
    plies = empty - U(abs(score)) + ONE if score else empty
    while length < plies:
        move = best_keeping_move(own, rival, score, workspace)
        if move == ZERO:
            return ZERO
        workspace.line[length] = lowest(move)
        length += ONE
        workspace.line_length = length
        step(own | rival, move, workspace)
        own, rival, score = rival, own | move, -score
    return ONE


@native(kinds.void(WORD, WORKSPACE))
def swap_images(taken: Word, workspace: Workspace) -> None:
    """See the images of the position as the rival does, as if it were its turn."""
    plies = popcount(taken)
    for number in span(ZERO, workspace.image_count):
        image = workspace.frames[plies, number]
        own, rival = image.own, image.rival
        image.own, image.rival = rival, own


@native(kinds.void(BOUNDS, NUMBER, NUMBER))
def expect(bounds: Bounds, low: int, high: int) -> None:
    """Write the first bounds of a score."""
    bounds.low, bounds.high = np.int64(low), np.int64(high)


@native(WORD(WORD, WORD, WORKSPACE))
def settle_pass(own: Word, rival: Word, workspace: Workspace) -> Word:
    """Find the sign of the rival's score if it were its turn; 1 if done."""
    empty = signed(popcount(workspace.lines.cells & ~(own | rival)))
    expect(workspace.passed, -signed(workspace.root.low), empty)  # to have the turn does no harm
    swap_images(own | rival, workspace)
    done = settle(rival, own, workspace.passed, ZERO, workspace)
    swap_images(own | rival, workspace)
    return done


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def compare(own: Word, rival: Word, everything: Word, workspace: Workspace) -> Word:
    """Find which moves are worth as much as the best one; with *everything*, each move's worth.

    If the rival does not even win after a pass, it wins after no move: a mark more does no harm.
    """
    score = signed(workspace.root.low)
    wins, moves = (
        static_info(own, rival, workspace.lines)[0],
        workspace.lines.cells & ~(own | rival),
    )
    empty, safe = signed(popcount(moves)), score > 0
    if score == 0 or (score > 0 and everything):
        if settle_pass(own, rival, workspace) == ZERO:
            return ZERO
        safe = signed(workspace.passed.high) <= 0
    while moves:
        move = bottom_bit(moves)
        moves ^= move
        bounds = workspace.moves[lowest(move)]
        expect(bounds, -score, -empty if move & wins else 0 if safe else empty - 1)
        step(own | rival, move, workspace)
        if settle(rival, own | move, bounds, ZERO, workspace) == ZERO:
            return ZERO
    return ONE


@native(WORD(WORD, WORD, WORD, WORKSPACE))
def solve(own: Word, rival: Word, everything: Word, workspace: Workspace) -> Word:
    """Find the score, a line of best play and the moves that are as good; 1 if all was done.

    What was found is on the workspace, also if the search was told to stop.
    """
    if settle(own, rival, workspace.root, ONE, workspace) == ZERO:
        return ZERO
    if follow(own, rival, workspace) == ZERO:
        return ZERO
    return compare(own, rival, everything, workspace)
