"""Strong play on a Tic Tac Toe board of any size: alpha-beta over the cells that matter most.

A score compares the lines that are open to each side; a win is worth WIN less the marks on the
board when it comes. Wins and losses are only believed here, because not every move is looked at:
`kernel_threats` proves them.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import int64, types

from papan.games.tictactoe.kernel_field import (
    BYTE,
    CENTRAL,
    CONNECT,
    EIGHT,
    GAIN,
    HASH,
    MARKS,
    MASK,
    SHARED,
    SIZE,
    SMOOTH,
    TABLE,
    TAKEN,
    lift,
    open_lines,
    put,
    worth,
)
from papan.games.tictactoe.kernel_threats import (
    CHAIN,
    CHOICES,
    END_OF_THREATS,
    LINE,
    MOST_CHOICES,
    NOWHERE,
    PATIENCE,
    chain,
    list_move,
    refuted,
    siege,
    spend,
    winning_cell,
)
from papan.kernels.native import (
    ONE,
    TWO,
    WORD,
    WORDS,
    ZERO,
    load,
    native,
    store,
    store_shared,
    words_at,
)
from papan.kernels.running import NODES, Words

U = np.uint64

BEST, SCORE, DEPTH, PROOF, END = (END_OF_THREATS + U(place) for place in range(5))
"""The move found, its score with WIN added, how deep the search went, what is proven (1: the side
to move wins, 2: it loses), and the marks on the board at the end of a chain that proves it."""
DESK = END + ONE

WIN, DECIDED = 1 << 40, (1 << 40) - 1_000
ABORTED = 1 << 41  # a score that no position has: the search was told to stop
WIDTH = U(16)
"""How many moves are looked at in a position."""
ALWAYS, FOUR = U(1 << 50), U(4)
"""A value above all others; the bits for how central a cell is."""
GLANCE = U(60)
"""Nodes for the proof of a win by a chain, in each position."""
LOWER, UPPER, EQUAL = ONE, TWO, U(3)
LATE = U(4)
"""Moves after so many others are first looked at less deeply."""
DEEPEST = 40
FIRST_PROOF, LAST_PROOF = U(50_000), U(200_000)
"""Nodes to prove a win by a chain before anything else, and a believed result at the end."""


@native(int64(WORD, WORDS))
def evaluate(side, desk):
    """The lines open to the side to move against those open to the other; to move is worth some."""
    score = int64(0)
    for marks in range(ONE, load(desk, CONNECT)):
        lines = U(5) * open_lines(side, marks, desk) - FOUR * open_lines(ONE - side, marks, desk)
        score += int64(
            lines * (load(desk, GAIN + marks) & SMOOTH)
        )  # as a word, below 0 comes round
    return score


@native(types.void(WORD, WORD, WORD, WORDS))
def list_moves(side, first, forced, desk):
    """List the moves to look at, best first: the one *forced*, or *first* and the weightiest."""
    store(desk, CHOICES + load(desk, MARKS) * MOST_CHOICES, ZERO)
    if forced != NOWHERE:
        list_move(forced, ONE, ONE, desk)
        return
    for cell in range(load(desk, SIZE)):
        if not load(desk, TAKEN + cell):
            own, rival = worth(side, cell, desk) & SMOOTH, worth(ONE - side, cell, desk) & SMOOTH
            value = own + own + rival << FOUR | load(desk, CENTRAL + cell)
            list_move(cell, ALWAYS if cell == first else value, WIDTH, desk)


@native(WORD(WORDS))
def facts_of(desk):
    """What the table says about the position, or 0: score, depth, kind of bound and best move."""
    table = words_at(load(desk, TABLE))
    entry = (load(desk, HASH) & load(desk, MASK)) * TWO
    return load(table, entry + ONE) if load(table, entry) == load(desk, HASH) else ZERO


@native(int64(WORD, int64, int64, int64))
def known_score(facts, depth, alpha, beta):
    """The score that the table knows, if it settles the matter, or ABORTED."""
    if facts == ZERO or int64(facts >> U(10) & U(63)) < depth:
        return ABORTED
    score, kind = int64(facts >> U(16)) - WIN, facts >> EIGHT & U(3)
    if (score >= beta and kind & LOWER) or (score <= alpha and kind & UPPER) or kind == EQUAL:
        return score
    return ABORTED


@native(types.void(int64, WORD, int64, WORD, WORDS))
def remember(score, kind, depth, cell, desk):
    """Write a score and a move into the table."""
    table = words_at(load(desk, TABLE))
    entry = (load(desk, HASH) & load(desk, MASK)) * TWO
    store(table, entry, load(desk, HASH))
    facts = U(score + WIN) << U(16) | U(max(depth, 0)) << U(10) | kind << EIGHT | cell
    store(table, entry + ONE, facts)


@native(int64(WORD, int64, WORDS))
def leaf(side, depth, desk):
    """The score where no search is needed, or ABORTED where it is."""
    marks = int64(load(desk, MARKS))
    if winning_cell(side, desk) != NOWHERE:
        return WIN - marks - 1
    if marks == int64(load(desk, SIZE)):
        return 0
    if winning_cell(ONE - side, desk) != NOWHERE:
        return ABORTED
    if open_lines(side, load(desk, CONNECT) - TWO, desk):
        store(desk, PATIENCE, GLANCE)
        end = chain(side, CHAIN, desk)
        if end:
            return WIN - int64(end)
    return evaluate(side, desk) if depth <= 0 else ABORTED


@native(int64(WORD, int64, int64, int64, WORDS))
def search(side, depth, alpha, beta, desk):
    """The score for the side to move; outside of the window from alpha to beta it is a bound."""
    if spend(desk):
        return ABORTED
    facts = facts_of(desk)
    score = known_score(facts, depth, alpha, beta)
    score = leaf(side, depth, desk) if score == ABORTED else score
    if score != ABORTED:
        return score
    forced = winning_cell(ONE - side, desk)
    list_moves(side, facts & BYTE if facts else NOWHERE, forced, desk)
    less = 1 if forced == NOWHERE else 0  # a forced move does not count
    top = CHOICES + load(desk, MARKS) * MOST_CHOICES
    best, best_cell, floor = -WIN, NOWHERE, alpha
    for number in range(ONE, load(desk, top) + ONE):
        cell = load(desk, top + number) & BYTE
        put(side, cell, desk)
        late = number > LATE and depth > 2
        score = floor + 1
        if number > ONE:  # is it better at all?
            score = -search(ONE - side, depth - less - late, -floor - 1, -floor, desk)
        if score > floor and (number == ONE or late or score < beta):
            score = -search(ONE - side, depth - less, -beta, -floor, desk)
        lift(side, cell, desk)
        if abs(score) == ABORTED:
            return ABORTED
        if score > best:
            best, best_cell, floor = score, cell, max(floor, score)
        if best >= beta:
            break
    kind = LOWER if best >= beta else EQUAL if best > alpha else UPPER
    remember(best, kind, depth, best_cell, desk)
    return best


@native(WORD(WORD, int64, WORDS))
def round_of(side, depth, desk):
    """Search one round, *depth* plies deep, and write down the best move; 0 if told to stop."""
    list_moves(side, load(desk, BEST), winning_cell(ONE - side, desk), desk)
    top = CHOICES + load(desk, MARKS) * MOST_CHOICES
    best = -WIN
    for number in range(ONE, load(desk, top) + ONE):
        cell = load(desk, top + number) & BYTE
        put(side, cell, desk)
        score = -search(ONE - side, depth - 1, -WIN, -best, desk)
        lift(side, cell, desk)
        if abs(score) == ABORTED:
            return ZERO
        if score > best:
            best = score
            store(desk, BEST, cell)
            store(desk, SCORE, U(best + WIN))
    store_shared(desk, DEPTH, U(depth))
    return ONE


@native(WORD(WORD, int64, WORDS))
def prove(side, depth, desk):
    """Try to prove who wins, for a part of the nodes so far: 1 or 2 as in PROOF, or 0."""
    nodes = load(words_at(load(desk, SHARED)), NODES)
    score = int64(load(desk, SCORE)) - WIN
    store(desk, PATIENCE, nodes + LAST_PROOF if abs(score) > DECIDED else nodes >> TWO)
    if score < -DECIDED:
        return TWO if refuted(ONE - side, U(depth // 2), desk) else ZERO
    if score > DECIDED:
        put(side, load(desk, BEST), desk)
        won = refuted(side, U(depth // 2), desk)
        lift(side, load(desk, BEST), desk)
        return won
    won = siege(side, side, U(depth // 3), desk)
    if won:
        store(desk, BEST, load(desk, LINE + load(desk, MARKS)))
    return won


@native(types.void(WORD, WORDS))
def deepen(side, desk):
    """Search round after round, each a ply deeper, until it is decided or told to stop."""
    list_moves(side, NOWHERE, winning_cell(ONE - side, desk), desk)
    store(desk, BEST, load(desk, CHOICES + load(desk, MARKS) * MOST_CHOICES + ONE) & BYTE)
    store(desk, PATIENCE, FIRST_PROOF)
    for length in range(CHAIN):
        end = chain(side, length, desk)
        if end:
            store(desk, END, end)
            store(desk, PROOF, ONE)
            store(desk, BEST, load(desk, LINE + load(desk, MARKS)))
            return
    for depth in range(1, DEEPEST):
        if round_of(side, depth, desk) == ZERO:
            return
        proof = prove(side, depth, desk)
        store(desk, PROOF, proof)
        if proof or abs(int64(load(desk, SCORE)) - WIN) > DECIDED:
            return


@native()
def lay(side: np.uint64, cells: Words, desk: Words) -> None:
    """Put marks on a list of cells."""
    for cell in cells:
        put(side, cell, words_at(desk.ctypes.data))


@native()
def think(side: np.uint64, desk: Words) -> None:
    """`deepen`, for an array."""
    deepen(side, words_at(desk.ctypes.data))
