"""Strong play on a Tic Tac Toe board of any size: alpha-beta over the cells that matter most.

A score compares the lines that are open to each side; a win is worth WIN less the marks on the
board when it comes. Wins and losses are only believed here, because not every move is looked at:
`kernel_threats` proves them.
"""

# mypy: disable-error-code="no-any-return, no-untyped-call, no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import int64, types

from papan.engine.control import NODES, Words
from papan.engine.native import (
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
    TAKEN,
    TRANSPOSITIONS,
    cell_weight,
    lift,
    open_lines,
    put,
)
from papan.games.tictactoe.kernel_threats import (
    BUDGET,
    CHOICES,
    END_OF_THREATS,
    LINE,
    LONGEST_SEQUENCE,
    MOST_CHOICES,
    NOWHERE,
    list_move,
    refuted,
    spend,
    threat_search,
    threat_sequence,
    winning_cell,
)

U = np.uint64

BEST, SCORE, DEPTH, PROOF, END = (END_OF_THREATS + U(place) for place in range(5))
"""The move found, its score with WIN added, how deep the search went, what is proven (1: the side
to move wins, 2: it loses), and the marks on the board at the end of a chain that proves it."""
WORKSPACE = END + ONE

WIN, DECIDED = 1 << 40, (1 << 40) - 1_000
ABORTED = 1 << 41  # a score that no position has: the search was told to stop
WIDTH = U(16)
"""How many moves are looked at in a position."""
ALWAYS, FOUR = U(1 << 50), U(4)
"""A value above all others; the bits for how central a cell is."""
QUICK_BUDGET = U(60)
"""Nodes for the proof of a win by a chain, in each position."""
LOWER, UPPER, EQUAL = ONE, TWO, U(3)
LATE = U(4)
"""Moves after so many others are first looked at less deeply."""
DEEPEST = 40
FIRST_PROOF, LAST_PROOF = U(50_000), U(200_000)
"""Nodes to prove a win by a chain before anything else, and a believed result at the end."""


@native(int64(WORD, WORDS))
def evaluate(side, workspace):
    """The lines open to the side to move against those open to the other; to move is worth some."""
    score = int64(0)
    for marks in range(ONE, load(workspace, CONNECT)):
        lines = U(5) * open_lines(side, marks, workspace) - FOUR * open_lines(
            ONE - side, marks, workspace
        )
        score += int64(
            lines * (load(workspace, GAIN + marks) & SMOOTH)
        )  # as a word, below 0 comes round
    return score


@native(types.void(WORD, WORD, WORD, WORDS))
def list_moves(side, first, must_block, workspace):
    """List the moves to look at, best first: the one *forced*, or *first* and the weightiest."""
    store(workspace, CHOICES + load(workspace, MARKS) * MOST_CHOICES, ZERO)
    if must_block != NOWHERE:
        list_move(must_block, ONE, ONE, workspace)
        return
    for cell in range(load(workspace, SIZE)):
        if not load(workspace, TAKEN + cell):
            own, rival = (
                cell_weight(side, cell, workspace) & SMOOTH,
                cell_weight(ONE - side, cell, workspace) & SMOOTH,
            )
            value = own + own + rival << FOUR | load(workspace, CENTRAL + cell)
            list_move(cell, ALWAYS if cell == first else value, WIDTH, workspace)


@native(WORD(WORDS))
def facts_of(workspace):
    """What the table says about the position, or 0: score, depth, kind of bound and best move."""
    transpositions = words_at(load(workspace, TRANSPOSITIONS))
    entry = (load(workspace, HASH) & load(workspace, MASK)) * TWO
    return (
        load(transpositions, entry + ONE)
        if load(transpositions, entry) == load(workspace, HASH)
        else ZERO
    )


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
def remember(score, kind, depth, cell, workspace):
    """Write a score and a move into the table."""
    transpositions = words_at(load(workspace, TRANSPOSITIONS))
    entry = (load(workspace, HASH) & load(workspace, MASK)) * TWO
    store(transpositions, entry, load(workspace, HASH))
    facts = U(score + WIN) << U(16) | U(max(depth, 0)) << U(10) | kind << EIGHT | cell
    store(transpositions, entry + ONE, facts)


@native(int64(WORD, int64, WORDS))
def leaf(side, depth, workspace):
    """The score where no search is needed, or ABORTED where it is."""
    marks = int64(load(workspace, MARKS))
    if winning_cell(side, workspace) != NOWHERE:
        return WIN - marks - 1
    if marks == int64(load(workspace, SIZE)):
        return 0
    if winning_cell(ONE - side, workspace) != NOWHERE:
        return ABORTED
    if open_lines(side, load(workspace, CONNECT) - TWO, workspace):
        store(workspace, BUDGET, QUICK_BUDGET)
        end = threat_sequence(side, LONGEST_SEQUENCE, workspace)
        if end:
            return WIN - int64(end)
    return evaluate(side, workspace) if depth <= 0 else ABORTED


@native(int64(WORD, int64, int64, int64, WORDS))
def search(side, depth, alpha, beta, workspace):
    """The score for the side to move; outside of the window from alpha to beta it is a bound."""
    if spend(workspace):
        return ABORTED
    facts = facts_of(workspace)
    score = known_score(facts, depth, alpha, beta)
    score = leaf(side, depth, workspace) if score == ABORTED else score
    if score != ABORTED:
        return score
    must_block = winning_cell(ONE - side, workspace)
    list_moves(side, facts & BYTE if facts else NOWHERE, must_block, workspace)
    less = 1 if must_block == NOWHERE else 0  # a forced move does not count
    top = CHOICES + load(workspace, MARKS) * MOST_CHOICES
    best, best_cell, floor = -WIN, NOWHERE, alpha
    for number in range(ONE, load(workspace, top) + ONE):
        cell = load(workspace, top + number) & BYTE
        put(side, cell, workspace)
        late = number > LATE and depth > 2
        score = floor + 1
        if number > ONE:  # is it better at all?
            score = -search(ONE - side, depth - less - late, -floor - 1, -floor, workspace)
        if score > floor and (number == ONE or late or score < beta):
            score = -search(ONE - side, depth - less, -beta, -floor, workspace)
        lift(side, cell, workspace)
        if abs(score) == ABORTED:
            return ABORTED
        if score > best:
            best, best_cell, floor = score, cell, max(floor, score)
        if best >= beta:
            break
    kind = LOWER if best >= beta else EQUAL if best > alpha else UPPER
    remember(best, kind, depth, best_cell, workspace)
    return best


@native(WORD(WORD, int64, WORDS))
def round_of(side, depth, workspace):
    """Search one round, *depth* plies deep, and write down the best move; 0 if told to stop."""
    list_moves(side, load(workspace, BEST), winning_cell(ONE - side, workspace), workspace)
    top = CHOICES + load(workspace, MARKS) * MOST_CHOICES
    best = -WIN
    for number in range(ONE, load(workspace, top) + ONE):
        cell = load(workspace, top + number) & BYTE
        put(side, cell, workspace)
        score = -search(ONE - side, depth - 1, -WIN, -best, workspace)
        lift(side, cell, workspace)
        if abs(score) == ABORTED:
            return ZERO
        if score > best:
            best = score
            store(workspace, BEST, cell)
            store(workspace, SCORE, U(best + WIN))
    store_shared(workspace, DEPTH, U(depth))
    return ONE


@native(WORD(WORD, int64, WORDS))
def prove(side, depth, workspace):
    """Try to prove who wins, for a part of the nodes so far: 1 or 2 as in PROOF, or 0."""
    nodes = load(words_at(load(workspace, SHARED)), NODES)
    score = int64(load(workspace, SCORE)) - WIN
    store(workspace, BUDGET, nodes + LAST_PROOF if abs(score) > DECIDED else nodes >> TWO)
    if score < -DECIDED:
        return TWO if refuted(ONE - side, U(depth // 2), workspace) else ZERO
    if score > DECIDED:
        put(side, load(workspace, BEST), workspace)
        won = refuted(side, U(depth // 2), workspace)
        lift(side, load(workspace, BEST), workspace)
        return won
    won = threat_search(side, side, U(depth // 3), workspace)
    if won:
        store(workspace, BEST, load(workspace, LINE + load(workspace, MARKS)))
    return won


@native(types.void(WORD, WORDS))
def deepen(side, workspace):
    """Search round after round, each a ply deeper, until it is decided or told to stop."""
    list_moves(side, NOWHERE, winning_cell(ONE - side, workspace), workspace)
    store(
        workspace,
        BEST,
        load(workspace, CHOICES + load(workspace, MARKS) * MOST_CHOICES + ONE) & BYTE,
    )
    store(workspace, BUDGET, FIRST_PROOF)
    for length in range(LONGEST_SEQUENCE):
        end = threat_sequence(side, length, workspace)
        if end:
            store(workspace, END, end)
            store(workspace, PROOF, ONE)
            store(workspace, BEST, load(workspace, LINE + load(workspace, MARKS)))
            return
    for depth in range(1, DEEPEST):
        if round_of(side, depth, workspace) == ZERO:
            return
        proof = prove(side, depth, workspace)
        store(workspace, PROOF, proof)
        if proof or abs(int64(load(workspace, SCORE)) - WIN) > DECIDED:
            return


@native()
def lay(side: np.uint64, cells: Words, workspace: Words) -> None:
    """Put marks on a list of cells."""
    for cell in cells:
        put(side, cell, words_at(workspace.ctypes.data))


@native()
def think(side: np.uint64, workspace: Words) -> None:
    """`deepen`, for an array."""
    deepen(side, words_at(workspace.ctypes.data))
